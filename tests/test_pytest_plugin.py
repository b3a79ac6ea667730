"""The verification suite: a folder of statements is all that pytest needs."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import boundcheck
from boundcheck.errors import InvalidArgument
from boundcheck.golden import golden_text, outcome_text, read_golden
from boundcheck.pytest_plugin import Suite, is_source
from boundcheck.verdict import Evidence, conclude

pytest_plugins = ["pytester"]
INIT = 'from boundcheck import Source\n\nWORK = Source("A", 2000, "T")\n'
TEXT = '''"""A statement."""

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from . import WORK

u, v = (parameter(name, Real(0, None)) for name in "uv")
printed = Claim(WORK.at("here"), Holds({relation}))
'''
GOLDEN = {"mine/lemma_2:printed": "refuted (exact)", "mine/theorem_1:printed": "proved"}


@pytest.fixture
def suite(pytester, monkeypatch):
    """A project with a library of its own and nothing else; a true claim and a false one."""
    monkeypatch.setenv("PYTHONPATH", str(Path(boundcheck.__file__).parents[1]))
    monkeypatch.setenv("COLUMNS", "200")
    folder = pytester.path / "mylib" / "mine"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(INIT)
    (folder / "theorem_1.py").write_text(TEXT.format(relation="2 * u * v <= u**2 + v**2"))
    (folder / "lemma_2.py").write_text(TEXT.format(relation="3 * u * v <= u**2 + v**2"))
    return folder


@pytest.fixture
def run(pytester, suite):
    """pytest in the project; the plugin is found as it is installed, or named if it is not."""
    installed = any(e.value == "boundcheck.pytest_plugin" for e in entry_points(group="pytest11"))
    named = [] if installed else ["-p", "boundcheck.pytest_plugin"]

    def run(*arguments, budget="brief"):
        return pytester.runpytest_subprocess(
            "-p", "no:cacheprovider", *named, f"--boundcheck-budget={budget}", *arguments)

    return run


@pytest.mark.long
def test_a_project_needs_its_library_only(suite, run):
    new = run("mylib")
    new.assert_outcomes(failed=2)
    new.stdout.fnmatch_lines(["*has no verdict yet*--update-verdicts*"])
    run("--update-verdicts", "mylib").assert_outcomes(passed=2)
    assert read_golden(suite) == GOLDEN
    run().assert_outcomes(passed=3)  # found without being named; golden names exist
    run("-m", "boundcheck", "mylib/mine/lemma_2.py::printed").assert_outcomes(passed=1)
    run("-m", "not boundcheck", "mylib").assert_outcomes(deselected=3)  # the golden row too


def test_another_golden_verdict_fails_with_the_line_that_replays_it(suite, run):
    (suite / "verdicts.toml").write_text(
        golden_text({**GOLDEN, "mine/lemma_2:printed": "supported", "mine/gone:printed": "proved"})
    )
    found = run("mylib")
    found.assert_outcomes(failed=2, passed=1)
    line = "replay: boundcheck verify mine/lemma_2:printed --budget quick --seed 0 --root mylib"
    found.stdout.fnmatch_lines(
        ["refuted (exact), and verdicts.toml has supported", line, "*mine/gone:printed*no claim*"]
    )
    replayed = subprocess.run(
        [sys.executable, "-m", "boundcheck", *line.removeprefix("replay: boundcheck ").split()],
        capture_output=True, text=True, cwd=suite.parents[1], timeout=120, env=os.environ,
    )  # fmt: skip
    assert replayed.returncode == 0 and "REFUTED (exact)" in replayed.stdout, replayed.stderr


def test_a_brief_look_turns_to_quick_where_it_says_something_else(suite, run):
    other = {**GOLDEN, "mine/theorem_1:printed": "supported"}
    (suite / "verdicts.toml").write_text(golden_text(other))
    found = run("mylib", "--boundcheck-budget", "brief")
    found.assert_outcomes(failed=1, passed=2)
    found.stdout.fnmatch_lines(
        ["proved, and verdicts.toml has supported", "*mine/theorem_1:printed --budget quick *"]
    )
    run("mylib", "--boundcheck-budget", "brief", "--update-verdicts").assert_outcomes(passed=3)
    assert read_golden(suite) == GOLDEN


def test_what_a_brief_look_confirms_is_looked_at_once(tmp_path, monkeypatch):
    asked = []

    def told(library, keys, *, budget):
        asked.append((budget, sorted(keys)))
        verdict = "supported" if budget == "brief" else "proved"
        return {"claims": [{"key": key, "verdict": verdict, "evidence": None} for key in keys]}

    monkeypatch.setattr("boundcheck.runner.run", told)
    (tmp_path / "mine").mkdir()
    golden = {"mine/a:b": "supported", "mine/c:d": "proved"}
    (tmp_path / "mine" / "verdicts.toml").write_text(golden_text(golden))
    suite = Suite(tmp_path, "brief")
    assert suite.entry("mine/a:b", golden)["verdict"] == "supported"
    assert suite.entry("mine/c:d", golden)["verdict"] == "proved"
    assert asked == [("brief", sorted(golden)), ("quick", ["mine/c:d"])]
    asked.clear()
    assert Suite(tmp_path, "quick").entry("mine/a:b", golden)["verdict"] == "proved"
    assert asked == [("quick", sorted(golden))]


def test_broken_files_fail_rows_of_their_own(suite, run):
    (suite / "verdicts.toml").write_text(golden_text({**GOLDEN, "mine/lemma_3:printed": "proved"}))
    (suite / "lemma_3.py").write_text("import nothing_like_this\n")
    (suite / "lemma_4.py").write_text("printed = (\n")
    found = run("mylib", "-v")
    found.assert_outcomes(failed=2, passed=3)
    found.stdout.fnmatch_lines_random(
        ["*lemma_3.py::usable FAILED*", "*lemma_4.py::usable FAILED*", "*nothing_like_this*"]
    )
    (suite / "__init__.py").write_text(INIT + "1 / 0\n")
    none = run("mylib")
    none.assert_outcomes(failed=4, passed=1)  # every statement of the folder
    none.stdout.fnmatch_lines(["*ZeroDivisionError*"])


def test_an_update_of_some_claims_keeps_the_verdicts_of_the_others(suite, run):
    (suite / "verdicts.toml").write_text(golden_text(
        {"mine/lemma_2:printed": "proved", "mine/lemma_3:printed": "malformed",
         "mine/gone:printed": "proved"}
    ))  # fmt: skip
    (suite / "lemma_3.py").write_text("import nothing_like_this\n")
    run("mylib", "--update-verdicts", "-k", "theorem_1").assert_outcomes(passed=1, deselected=3)
    assert read_golden(suite) == {**GOLDEN, "mine/lemma_2:printed": "proved",
                                  "mine/lemma_3:printed": "malformed"}  # fmt: skip


def test_a_broken_claim_is_never_golden(suite, run):
    (suite / "verdicts.toml").write_text(golden_text(GOLDEN))
    path = suite / "lemma_2.py"
    path.write_text(path.read_text().replace("Holds(3 * u * v <=", "Holds(w <=").replace(
        "v**2))", "v**2), measure={w: lambda u: None})").replace(
        "printed =", 'w = __import__("sympy").Symbol("w", real=True)\nprinted ='))  # fmt: skip
    found = run("mylib", "--update-verdicts")
    found.assert_outcomes(failed=1, passed=2)
    found.stdout.fnmatch_lines(["*is None*"])
    assert read_golden(suite) == GOLDEN  # as before
    assert outcome_text({"verdict": "refuted", "evidence": "exact",
                         "fault": {"state": "failed"}}) == "failed"  # fmt: skip


def test_other_folders_are_left_to_pytest(pytester, suite, run):
    package = pytester.mkpydir("package")
    (package / "__init__.py").write_text("from boundcheck import verify\n# Source\n")
    (package / "test_mine.py").write_text(
        "from boundcheck import Claim, Holds, Source, verify\n"
        "from sympy import Symbol\n"
        "from boundcheck.worlds import Real\n\n"
        "u = Symbol('u', real=True)\n"
        "claim = Claim(Source('A', 2000, 'T').at('here'), Holds(u**2 - 2 * u + 1 >= 0),\n"
        "              parameters={u: Real(None, None)})\n\n"
        "def test_outcome():\n    assert verify('a/b:c', claim).outcome == 'proved'\n\n"
        "def test_verdict():\n    assert verify('a/b:c', claim)\n"
    )
    found = run("package")
    found.assert_outcomes(failed=1, passed=1)
    found.stdout.fnmatch_lines(["*a/b:c is proved: a verdict has no truth value; test its *"])


def test_what_counts_as_a_source_is_read_not_imported(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    assert not is_source(folder)
    for text, found in [
        (INIT, True), ("from boundcheck import (\n    Claim,\n    Source,\n)\n1 / 0", True),
        ("from boundcheck import verify\n# Source", False), ("def broken(", False),
        ('""">>> from boundcheck import Source\n"""', False),
    ]:  # fmt: skip
        (folder / "__init__.py").write_text(text)
        assert is_source(folder) is found, text
    (folder / "verdicts.toml").write_text("")
    assert is_source(folder)


def test_an_unknown_budget_is_wrong_use(run):
    found = run("--boundcheck-budget", "endless")
    assert found.ret == pytest.ExitCode.USAGE_ERROR
    found.stderr.fnmatch_lines(["*endless*quick*standard*thorough*"])


def test_a_verdict_has_no_truth_value():
    verdict = conclude("a/b:c", [Evidence("x", "undecided", "too little")], 0.0)
    with pytest.raises(InvalidArgument, match=r"assert verify\(\.\.\.\)\.outcome in"):
        assert verdict


def test_a_golden_file_that_cannot_be_read_is_kept_and_fails_the_session(suite, run):
    (suite / "verdicts.toml").write_bytes(b"\xff")
    found = run("mylib", "--update-verdicts", "-k", "lemma_2")
    assert found.ret == 1 and "INTERNALERROR" not in found.stdout.str() + found.stderr.str()
    found.stdout.fnmatch_lines(["not written: *verdicts.toml is not UTF-8*"])
    assert (suite / "verdicts.toml").read_bytes() == b"\xff"
