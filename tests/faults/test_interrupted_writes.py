"""Kills and failures at every call that changes a file while a report or figures are written.

A child counts the calls; then one child per call is killed in front of it, or the call fails with
an error of the system. After the next run the folder holds the old set or the new one, whole, and
nothing else.
"""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import signal

import pytest

from .forked import contents, forked

CALLS = ("open", "mkdir", "rename", "replace", "unlink", "rmdir", "link")
OLD = {
    "index.html": b"old index", "report.json": b'{"claims": [{"key": "a/b:c"}]}',
    "sources/a.html": b"old page", "witnesses/a.b.c.json": b"{}", "mine.txt": b"not yours",
    "figures/kept.svg": b"<svg/>",
}  # fmt: skip
NEW = {
    "index.html": b"new index", "report.json": b'{"claims": [{"key": "d/e:f"}]}',
    "sources/d.html": b"new page", "witnesses/d.e.f.json": b"{}",
}  # fmt: skip
AFTER = {"mine.txt": OLD["mine.txt"], "figures/kept.svg": OLD["figures/kept.svg"], **NEW}


class Trap:
    """Counts calls that touch a path below a folder; does something in front of one of them."""

    def __init__(self, below, at, what):
        self.below, self.at, self.what, self.count = str(below), at, what, 0

    def touched(self, name, path):
        if isinstance(path, int) or not str(os.fspath(path)).startswith(self.below):
            return
        if self.count == self.at:
            self.count += 1
            self.what(name)
            return
        self.count += 1

    def set(self):
        for module, name in [(os, call) for call in CALLS] + [(builtins, "open"), (io, "open")]:
            setattr(module, name, self.wrapped(name, getattr(module, name)))

    def wrapped(self, name, real):
        def call(path, *arguments, **options):
            self.touched(name, path)
            return Failing(real(path, *arguments, **options), self, path) if (
                name == "open" and not isinstance(path, int) and real is not os_open
                and str(path).startswith(self.below)
            ) else real(path, *arguments, **options)  # fmt: skip

        return call


os_open = os.open


class Failing:
    """A file whose writes are counted too."""

    def __init__(self, file, trap, path):
        self._file, self._trap, self._path = file, trap, path

    def write(self, data):
        self._trap.touched("write", self._path)
        return self._file.write(data)

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *details):
        return self._file.__exit__(*details)

    def __getattr__(self, name):
        return getattr(self._file, name)


def fill(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def put(out, files):
    """What `write_report` does, with short files."""
    from boundcheck.boundary.writing import drafted

    with drafted(out) as draft:
        for name, data in files.items():
            path = draft.content / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(data.decode())
        draft.stale |= {out / "sources/a.html", out / "witnesses/a.b.c.json"}


def files(folder):
    return {name: data for name, data in contents(folder).items() if data is not None}


def run_at(tmp_path, out, at, what):
    """One child that writes the new set over the old; the number of calls it got to."""
    def body():
        trap = Trap(out, at, what)
        trap.set()
        put(out, NEW)
        print(trap.count)

    return forked(tmp_path, body)


def killed(name):
    os.kill(os.getpid(), signal.SIGKILL)


def failing(number):
    def fail(name):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    folder = tmp_path_factory.mktemp("count")
    fill(folder / "out", OLD)
    ended = run_at(folder, folder / "out", -1, killed)
    assert ended.code == 0, ended.err
    assert files(folder / "out") == AFTER
    return int(ended.out)


def test_a_kill_in_front_of_any_call_leaves_the_old_set_or_the_new_one(tmp_path, calls):
    from boundcheck.boundary.writing import finish_writing

    seen = set()
    for at in range(calls):
        out = tmp_path / str(at) / "out"
        fill(out, OLD)
        ended = run_at(tmp_path, out, at, killed)
        assert ended.code == -signal.SIGKILL, (at, ended)
        finish_writing(out)
        found = files(out)
        assert found in (OLD, AFTER), (at, sorted(found))
        assert not [name for name in contents(out) if ".boundcheck" in name], at
        seen.add(found == AFTER)
        put(out, NEW)  # and the next report is written as ever
        assert files(out) == AFTER
    assert seen == {False, True} and calls >= 20


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES], ids=errno.errorcode.get)
def test_a_failure_of_any_call_is_an_error_and_repaired_by_the_next_run(tmp_path, calls, number):
    from boundcheck.boundary.writing import finish_writing

    for at in range(calls):
        out = tmp_path / str(at) / "out"
        fill(out, OLD)
        ended = run_at(tmp_path, out, at, failing(number))
        assert ended.code in (0, 1), (at, ended)
        if ended.code:  # the error reaches the caller
            assert os.strerror(number) in ended.err, (at, ended.err)
        else:  # a folder that was there, a draft that could not be looked at
            assert {**contents(out), **AFTER} == contents(out), at
        finish_writing(out)
        assert files(out) in (OLD, AFTER), (at, sorted(files(out)))
        assert not [name for name in contents(out) if ".boundcheck" in name], at


def test_the_report_itself_survives_kills(tmp_path, root):
    """The real report, killed in front of every call."""
    from boundcheck.boundary import writing
    from boundcheck.library import load_library
    from boundcheck.report import write_report
    from boundcheck.runner import run

    library = load_library(root, ["mine/lemma_2"])
    document = run(library, ["mine/lemma_2:printed"], jobs=1)
    first = tmp_path / "report"
    write_report({**document, "seed": 2}, library, first)
    new = files(first)
    write_report({**document, "seed": 1}, library, first)
    old = files(first)
    assert old != new

    def body(at):
        def child():
            trap = Trap(first, at, killed)
            trap.set()
            write_report({**document, "seed": 2}, library, first)
            print(trap.count)

        return child

    total = int(forked(tmp_path, body(-1)).out)
    write_report({**document, "seed": 1}, library, first)
    for at in range(total):
        assert forked(tmp_path, body(at)).code == -signal.SIGKILL
        writing.finish_writing(first)
        assert files(first) in (old, new), at
        if files(first) == new:
            write_report({**document, "seed": 1}, library, first)


@pytest.mark.parametrize("number", [
    pytest.param(errno.ENOSPC, marks=pytest.mark.long, id="ENOSPC"),
    pytest.param(errno.EIO, id="EIO")])
def test_a_failed_write_never_makes_another_report(tmp_path, root, number):
    """Each failing call ends in an error that names the folder, or changes nothing that is read."""
    from boundcheck.boundary.writing import finish_writing
    from boundcheck.errors import OutputError
    from boundcheck.library import load_library
    from boundcheck.report import write_report
    from boundcheck.runner import run

    library, out = load_library(root, ["mine/lemma_2"]), tmp_path / "report"
    document = run(library, ["mine/lemma_2:printed"], jobs=1)
    write_report(document, library, out)
    good = files(out)

    def body(at):
        def child():
            trap = Trap(out, at, failing(number))
            trap.set()
            try:
                write_report(document, library, out)
            except OutputError as error:
                os._exit(2 if str(out) in str(error) else 3)
            print(trap.count)

        return child

    for at in range(int(forked(tmp_path, body(-1)).out)):
        assert forked(tmp_path, body(at)).code in (0, 2), at
        finish_writing(out)
        assert files(out) == good, at


@pytest.mark.parametrize("name", ["mine.a.svg", "mine.b.txt"])
def test_a_figure_that_cannot_be_read_is_named(tmp_path, root, name):
    from boundcheck.errors import DataError
    from boundcheck.library import load_library
    from boundcheck.report import write_report
    from boundcheck.runner import run

    library, figures = load_library(root, ["mine/lemma_2"]), tmp_path / "report" / "figures"
    document = run(library, ["mine/lemma_2:printed"], jobs=1)
    (figures / "mine.a.svg").mkdir(parents=True) if name.endswith("svg") else fill(
        figures, {"mine.b.svg": b"<svg/>", name: b"\xff\xfe"}
    )
    with pytest.raises(DataError, match=rf"{name} .*; mend or remove it"):
        write_report(document, library, tmp_path / "report")
    assert not (tmp_path / "report" / "index.html").exists()


def test_a_draft_of_a_living_process_is_left_alone(tmp_path):
    from boundcheck.boundary.writing import drafted, finish_writing

    with drafted(tmp_path / "out") as draft:
        (draft.content / "a").write_text("a")
        ended = forked(tmp_path, lambda: finish_writing(tmp_path / "out"))
        assert ended.code == 0, ended.err
        assert (draft.content / "a").is_file()
    assert files(tmp_path / "out") == {"a": b"a"}


def ended_process():
    """The number of a process that has just ended."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_drafts_that_older_versions_left_are_removed(tmp_path):
    from boundcheck.boundary.writing import finish_writing, write_whole

    gone, own = ended_process(), os.getpid()
    kept = {f".x.json.{own}": b"a", ".y.json.1": b"b", ".x.json.old": b"c", ".report-mine/a": b"d",
            f"x.json.{gone}": b"e", "new/.report-abcdefgh/a": b"f"}  # fmt: skip
    fill(tmp_path, {f".x.json.{gone}": b"", ".report-ab_3defg/sources/a.html": b"", **kept})
    (tmp_path / ".report-zzzzzzzz").symlink_to(tmp_path / "new")
    write_whole(tmp_path / "x.json", "{}")
    assert f".x.json.{gone}" not in contents(tmp_path)
    finish_writing(tmp_path)
    assert files(tmp_path) == {**kept, "x.json": b"{}"}


def test_a_committed_set_from_elsewhere_writes_and_removes_nothing_outside(tmp_path):
    from boundcheck.boundary.writing import COMMITTED, MANIFEST, finish_writing

    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.write_text("mine")
    folder = out / COMMITTED
    (folder / "content").mkdir(parents=True)
    names = ["../victim", str(victim), "a/../../victim"]
    (folder / MANIFEST).write_text(json.dumps(names))
    finish_writing(out)
    assert victim.read_text() == "mine" and contents(out) == {}


def one_file(path, text):
    from boundcheck.boundary.writing import write_whole

    write_whole(path, text)


@pytest.mark.parametrize("what", [killed, failing(errno.ENOSPC), failing(errno.EIO)])
def test_a_single_file_is_old_or_new_and_its_drafts_go_with_the_next_run(tmp_path, what):
    def body(path, at):
        def child():
            trap = Trap(path.parent, at, what)
            trap.set()
            one_file(path, "new")
            print(trap.count)

        return child

    (tmp_path / "count").mkdir()
    total = int(forked(tmp_path, body(tmp_path / "count" / "x.json", -1)).out)
    assert total >= 3
    for at in range(total):
        path = tmp_path / str(at) / "x.json"
        fill(path.parent, {"x.json": b"old"})
        assert forked(tmp_path, body(path, at)).code != 0
        assert path.read_text() in ("old", "new")
        one_file(path, "again")
        assert files(path.parent) == {"x.json": b"again"}
