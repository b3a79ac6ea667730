"""Where results go and statements come from: ledgers, full disks, gone folders, broken files."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from boundcheck.skeleton import write_skeleton

from .forked import command, contents, forked, require_refusal

FALSE, BRIEF = "mine/lemma_2", ("--budget", "brief")


def directory(path):
    path.mkdir(parents=True)


def words(path):
    path.write_text("this is no ledger, it is a text of more than a hundred bytes" * 5)


def damaged(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE verdicts (key, budget, seed, digest, document)")
        connection.executemany(
            "INSERT INTO verdicts VALUES (?, 1, 2, 3, 4)", [("k" * 500,)] * 2_000
        )
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)


def other_columns(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE verdicts (name TEXT, outcome TEXT)")


def pipe(path):
    os.mkfifo(path)


@pytest.mark.parametrize("make", [directory, words, damaged, other_columns])
def test_a_ledger_that_is_none_is_named(root, place, tmp_path, make):
    ledger = place / "out" / ".boundcheck" / "ledger.sqlite"
    ledger.parent.mkdir(parents=True)
    make(ledger)
    before = contents(place)
    arguments = ("report", FALSE, "--root", root, "--out", "out", "--jobs", 1, *BRIEF)
    ended = forked(tmp_path, command(*arguments), cwd=place)
    require_refusal(ended, 2, ("ledger.sqlite", "--out"))
    assert contents(place) == before


def test_a_locked_ledger_says_who_to_wait_for(root, place, tmp_path, monkeypatch):
    ledger = place / "out" / ".boundcheck" / "ledger.sqlite"
    ledger.parent.mkdir(parents=True)
    connection = sqlite3.connect(ledger, isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path: real(path, timeout=0.1))
    arguments = ("report", FALSE, "--root", root, "--out", "out", "--jobs", 1, *BRIEF)
    ended = forked(tmp_path, command(*arguments), cwd=place)
    connection.close()
    require_refusal(ended, 2, ("locked", "another run uses it"))


def read_only(monkeypatch):
    """SQLite opens files for reading only, as it does where permissions or the disk say so."""
    real = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path: real(f"file:{path}?mode=ro", uri=True, timeout=0.1)
    )


def test_a_read_only_ledger_is_said_before_the_work(root, place, tmp_path, monkeypatch):
    from boundcheck.ledger import Ledger

    ledger = place / "out" / ".boundcheck" / "ledger.sqlite"
    Ledger(ledger, root).close()
    before = contents(place)
    read_only(monkeypatch)
    arguments = ("report", FALSE, "--root", root, "--out", "out", "--jobs", 1, *BRIEF)
    ended = forked(tmp_path, refusing_work(command(*arguments)), cwd=place)
    require_refusal(ended, 2, ("ledger.sqlite", "readonly", "writable", "--out"))
    assert contents(place) == before


def refusing_work(body):
    """The body where any claim that is tried is a failure of the test."""

    def child():
        from boundcheck import runner

        def tried(*arguments):
            raise AssertionError("a claim was tried")

        runner._verified = tried
        body()

    return child


@pytest.mark.parametrize("make", [None, directory, words, damaged, other_columns])
def test_what_is_shown_needs_no_ledger_that_can_be_written(
    root, place, tmp_path, monkeypatch, make
):
    from boundcheck.ledger import Ledger

    ledger = place / "reports" / ".boundcheck" / "ledger.sqlite"
    ledger.parent.mkdir(parents=True)
    Ledger(ledger, root).close() if make is None else make(ledger)
    before = contents(place)
    read_only(monkeypatch)
    ended = forked(tmp_path, command("show", FALSE, "--root", root), cwd=place)
    assert (ended.code, ended.err) == (0, "")
    assert ("not known: ledger" in ended.out) is (make in (words, damaged, other_columns))
    assert contents(place) == before


@pytest.mark.parametrize("text", ["{", "7", "[]", '{"key": 1}', "null", '{"a": NaN}', "\x00"])
def test_rows_that_something_else_wrote_are_decided_again(tmp_path, text):
    from boundcheck.ledger import Ledger

    ledger = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    with ledger._connection as connection:
        row = ("a/b:c", "quick", 0, ledger.digest("a/b:c"), text)
        connection.execute(
            "INSERT INTO verdicts (key, budget, seed, digest, document) VALUES (?, ?, ?, ?, ?)", row
        )
    assert ledger.get("a/b:c", "quick", 0) is None and ledger.last("a/b:c") is None


def small(limit, body):
    """The body where no file may grow beyond a limit: the system then fails like a full disk."""

    def child():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        body()

    return child


def undiagnosed(body):
    """The body without diagnoses, which take most of the time and write nothing of their own."""

    def child():
        from boundcheck import runner

        runner._diagnose = lambda *arguments: None
        body()

    return child


@pytest.mark.parametrize("limit", [
    400, pytest.param(4096, marks=pytest.mark.long), 9000,
    pytest.param(20_000, marks=pytest.mark.long)])
def test_a_full_disk_ends_a_report_in_one_line_and_leaves_the_old_one(place, tmp_path, root, limit):
    arguments = ("report", FALSE, "--root", root, "--out", "out", "--jobs", 1, *BRIEF)
    first = forked(tmp_path, undiagnosed(command(*arguments)), cwd=place)
    assert first.code == 0, first.err
    before = contents(place)
    again = (*arguments, "--seed", 3)
    ended = forked(tmp_path, small(limit, undiagnosed(command(*again))), cwd=place)
    require_refusal(ended, 2, ("out",))
    after = contents(place)
    kept = {path: text for path, text in before.items() if "ledger.sqlite" not in path}
    assert {path: text for path, text in after.items() if "ledger.sqlite" not in path} == kept
    assert forked(tmp_path, undiagnosed(command(*again)), cwd=place).code == 0


@pytest.mark.parametrize("limit", [0, 100])
def test_a_full_disk_under_json_leaves_the_old_file(place, tmp_path, root, limit):
    from boundcheck.boundary.writing import write_whole

    target = place / "x.json"
    target.write_text("old")

    def body():
        from boundcheck.errors import OutputError

        try:
            write_whole(target, "new" * 1000)
        except OutputError as error:
            os._exit(0 if "x.json cannot be written" in str(error) else 3)

    assert forked(tmp_path, small(limit, body)).code == 0
    assert contents(place) == {"x.json": b"old"}


@pytest.mark.parametrize(
    "arguments",
    [("list",), ("list", "--json"), ("show", FALSE), ("--help",), ("--version",),
     ("verify", FALSE, "--jobs", 1, *BRIEF),
     ("verify", FALSE, "--jobs", 1, "--json", "-", *BRIEF),
     ("require", FALSE, "v", "--set", "u=1", "--set", "n=1"), ("verify", "--help")],
    ids=lambda value: " ".join(map(str, value)),
)  # fmt: skip
def test_a_full_standard_output_is_said(root, place, tmp_path, arguments):
    more = ("--root", root) if "-" not in arguments[0][:1] and "--help" not in arguments else ()
    ended = forked(tmp_path, command(*arguments, *more), cwd=place, stdout="/dev/full")
    require_refusal(ended, 2, ("No space left", "standard output"))


@pytest.mark.parametrize("arguments", [("list",), ("report",), ("new", "a/b"), ("verify", FALSE)])
def test_a_deleted_folder_is_said(root, place, tmp_path, arguments):
    def body():
        gone = place / "gone"
        gone.mkdir()
        os.chdir(gone)
        gone.rmdir()
        command(*arguments)()

    require_refusal(forked(tmp_path, body), 2, ("current folder is gone",))


OUTPUTS = [
    ("verify", FALSE, "--json", "missing/x.json"), ("verify", FALSE, "--json", "."),
    ("verify", FALSE, "--json", "n" * 300), ("verify", FALSE, "--json", "/dev/null/x"),
    ("verify", FALSE, "--json", ""), ("verify", FALSE, "--memory", "/dev/null/x"),
    ("verify", FALSE, "--memory", "n" * 300), ("report", FALSE, "--out", "/dev/null/x"),
    ("report", FALSE, "--out", "n" * 300), ("report", FALSE, "--out", "a/" * 3000),
    ("report", FALSE, "--out", "\x1b[31mred\x00"), ("figures", "livni2017", "--out", "/dev/null"),
    ("figures", "livni2017", "--out", "n" * 300),
]  # fmt: skip


@pytest.mark.parametrize("arguments", OUTPUTS, ids=lambda value: ascii(" ".join(value))[:60])
def test_an_output_that_cannot_be_is_refused_before_the_work(root, place, tmp_path, arguments):
    more = () if arguments[0] == "figures" else ("--root", root, "--jobs", 1)
    ended = forked(tmp_path, command(*arguments, *more), cwd=place)
    require_refusal(ended, 2, ())
    assert ended.out == "" and contents(place) == {}


RAISES = '''"""A file whose exception cannot be printed."""


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")


raise Mute
'''


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (RAISES, "Mute"), ("raise SystemExit(0)", "SystemExit"), ("1 / 0", "ZeroDivisionError"),
        ("def", "SyntaxError"), ("import nothing_like_this", "nothing_like_this"), ("", "no Claim"),
        ("x = '\x1b[31m' + undefined", "undefined"),
        ("raise ValueError('a\\nb' * 999)", "ValueError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"), ("\x00", "null"),
        ("x = " + "(" * 300 + ")" * 300, "theorem_9"), ("raise Exception('\x1b[31mred')", "x1b"),
        ("def f(): f()\nf()", "RecursionError"), ("raise BaseException('base')", "base"),
    ],
)  # fmt: skip
def test_a_statement_file_that_cannot_be_used_is_named(place, tmp_path, text, word):
    root = place / "library"
    write_skeleton("mine/theorem_1", root)
    (root / "mine" / "theorem_9.py").write_text(text)
    ended = forked(tmp_path, command("show", "mine/theorem_9", "--root", root), cwd=place)
    require_refusal(ended, 2, ("theorem_9", word))


@pytest.mark.long
def test_long_claim_names_do_not_cost_the_report(place, tmp_path):
    root, name = place / "library", "claim_" + "x" * 400
    write_skeleton("mine/theorem_1", root)
    source = (
        "from sympy import symbols\nfrom boundcheck import Claim, Holds\n"
        "from boundcheck.worlds import Real\nfrom . import WORK\n"
        "u = symbols('u', real=True)\n"
    )
    for end in "ab":
        source += (
            f"{name}{end} = Claim(source=WORK.at('x'), statement=Holds(u**2 <= u), "
            "parameters={u: Real(0, 3)})\n"
        )
    (root / "mine" / "lemma_9.py").write_text(source)
    arguments = ("report", "mine/lemma_9", "--root", root, "--out", "out", "--jobs", 1, *BRIEF)
    ended = forked(tmp_path, command(*arguments), cwd=place)
    assert ended.code == 0, ended.err
    written = sorted((place / "out" / "witnesses").iterdir())
    assert len(written) == 2 and all(len(path.name) < 256 for path in written)
    document = json.loads((place / "out" / "report.json").read_text())
    named = {entry["replay"].split()[2] for entry in document["claims"]}
    assert named == {f"out/witnesses/{path.name}" for path in written}
    for path in written:
        replay = command("replay", path, "--root", root)
        assert "confirmed" in forked(tmp_path, replay, cwd=place).out


def test_control_characters_of_statements_reach_no_terminal(place, tmp_path):
    """Of titles, places, readings, symbols and file names, on standard output."""
    own = place / "library"
    write_skeleton("mine/theorem_1", own)
    text = (own / "mine" / "theorem_1.py").read_text()
    (own / "mine" / "a\n\x1b[31m.py").write_text(text)
    (own / "mine" / "lemma_9.py").write_text(
        '"""Title \x1b[31m red \x9b."""\n' + FALSE_SOURCE
    )
    hostile = FALSE_SOURCE.replace('Symbol("u"', 'Symbol("u\\x1b"')
    (own / "mine" / "lemma_8.py").write_text('"""Title."""\n' + hostile)
    for arguments in (["list"], ["show", "mine/lemma_9"], ["verify", "mine/", "--jobs", "1"],
                      ["at", "mine/lemma_9", "--set", "u=1"]):  # fmt: skip
        ended = forked(tmp_path, command(*arguments, "--root", own), cwd=place)
        assert "lemma_9" in ended.out, ended
        text = ended.out.replace("\n", "").replace("\t", "") + ended.err.replace("\n", "")
        assert text.isprintable(), ended
        if arguments[0] != "at":
            assert "\\x1b" in ended.out
        if arguments[0] in ("list", "verify"):
            assert "mine/a \\x1b[31m" in ended.err and "rename" in ended.err
            assert "mine/lemma_8" in ended.err and "no name of a symbol" in ended.err


FALSE_SOURCE = r'''
from sympy import Symbol
from boundcheck import Claim, Holds
from boundcheck.worlds import Real
from . import WORK

u = Symbol("u", real=True)
printed = Claim(WORK.at("Lemma \x1b[31m 2"), Holds(u**2 <= u), parameters={u: Real(0, 1)},
                reading="as \x07 read")
'''


def test_text_that_an_encoding_lacks_is_escaped(root, place, tmp_path):
    own = place / "library"
    write_skeleton("mine/theorem_1", own)
    path = own / "mine" / "theorem_1.py"
    path.write_text(path.read_text().replace("theorem 1: to be", "λ theorem: to be"))
    run = subprocess.run(
        [sys.executable, "-m", "boundcheck", "show", "mine/theorem_1", "--root", str(own)],
        env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0 and b"\\u03bb theorem" in run.stdout, run.stderr


def test_a_reader_that_leaves_is_no_error(root):
    """What `boundcheck list | head -0` does."""
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run(
        [sys.executable, "-m", "boundcheck", "list", "--root", str(root)],
        stdout=write, stderr=subprocess.PIPE, timeout=60,
    )  # fmt: skip
    os.close(write)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.4, 1.0])
def test_three_ctrl_c_within_a_tenth_of_a_second_are_one_line(root, place, delay):
    """Before, while and after the command line is imported, and while claims are verified."""
    process = subprocess.Popen(
        [sys.executable, "-m", "boundcheck", "report", "--root", str(root), "--out", "out"],
        cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    _wait_until_watching(process.pid)
    time.sleep(delay)
    for _ in range(3):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.03)
    _, errors = process.communicate(timeout=60)
    if process.returncode != 0:  # else it was quicker than the keys
        # Python itself ends by the signal where it came while a module made a class from text;
        # shells show 130 for both.
        assert process.returncode in (130, -signal.SIGINT), errors
        assert errors.count("\n") == 1 and "stopped" in errors, errors


def _wait_until_watching(pid):
    """Until the process has a handler for SIGINT of its own, which is its first deed."""
    for _ in range(2_000):
        with open(f"/proc/{pid}/status") as file:
            caught = next(line for line in file if line.startswith("SigCgt"))
        if int(caught.split()[1], 16) & (1 << (signal.SIGTERM - 1)):
            return
        time.sleep(0.005)
    raise AssertionError("the process never watched for signals")
