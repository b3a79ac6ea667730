"""The verification suite: golden verdicts compared, shown and rewritten, in a pytest of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import boundcheck
from boundcheck.pytest_plugin import golden_text, outcome_text, read_golden

HERE = Path(__file__).parents[1] / "verify"
GOLDEN = {"mine/lemma_2:printed": "refuted (exact)", "mine/theorem_1:printed": "supported"}


@pytest.fixture
def suite(small_library):
    """A library with the test files of the shipped one."""
    for name in ("conftest.py", "test_claims.py"):
        shutil.copy(HERE / name, small_library / name)
    return small_library


def run(root, *arguments):
    """pytest on a library; the plugin is found as it is installed, or named if it is not."""
    from importlib.metadata import entry_points

    installed = any(e.value == "boundcheck.pytest_plugin" for e in entry_points(group="pytest11"))
    named = [] if installed else ["-p", "boundcheck.pytest_plugin"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--import-mode=importlib", "-p", "no:cacheprovider",
         *named, root.name, *arguments],
        capture_output=True, text=True, timeout=300, cwd=root.parent,
        env={**os.environ, "PYTHONPATH": str(Path(boundcheck.__file__).parents[1]),
             "COLUMNS": "200"},
    )  # fmt: skip


def test_update_writes_what_the_next_run_compares_with(suite):
    written = run(suite, "--update-verdicts")
    assert written.returncode == 0, written.stdout
    assert read_golden(suite / "mine") == GOLDEN
    again = run(suite)
    assert again.returncode == 0, again.stdout
    assert "4 passed" in again.stdout  # two claims, no broken file, golden names exist


def test_another_golden_verdict_fails_with_the_line_that_replays_it(suite):
    golden = suite / "mine" / "verdicts.toml"
    golden.write_text(golden_text({**GOLDEN, "mine/lemma_2:printed": "supported"}))
    found = run(suite)
    assert found.returncode == 1
    assert "1 failed, 3 passed" in found.stdout
    line = "replay: boundcheck verify mine/lemma_2:printed --budget quick --seed 0 --root library"
    assert line in found.stdout and "fails at" in found.stdout
    command = line.removeprefix("replay: boundcheck ").split()
    replayed = subprocess.run(
        [sys.executable, "-m", "boundcheck", *command], capture_output=True, text=True,
        cwd=suite.parent, timeout=120,
    )  # fmt: skip
    assert replayed.returncode == 0 and "REFUTED (exact)" in replayed.stdout, replayed.stderr
    assert golden.read_text() == golden_text({**GOLDEN, "mine/lemma_2:printed": "supported"})


@pytest.mark.parametrize(
    "text, failed",
    [
        (golden_text({"mine/theorem_1:printed": "supported"}), 1),  # a claim without a verdict
        (golden_text({**GOLDEN, "mine/gone:printed": "proved"}), 1),  # a verdict without a claim
    ],
    ids=["missing", "left over"],
)
def test_golden_files_and_claims_name_each_other(suite, text, failed):
    (suite / "mine" / "verdicts.toml").write_text(text)
    assert f"{failed} failed, {4 - failed} passed" in run(suite).stdout


def test_a_broken_file_fails_one_test(suite):
    (suite / "mine" / "verdicts.toml").write_text(golden_text(GOLDEN))
    (suite / "mine" / "lemma_3.py").write_text("import nothing_like_this\n")
    found = run(suite)
    assert "1 failed, 3 passed" in found.stdout and "nothing_like_this" in found.stdout


def test_an_update_of_some_claims_keeps_the_verdicts_of_the_others(suite):
    golden = suite / "mine" / "verdicts.toml"
    golden.write_text(golden_text({"mine/lemma_2:printed": "proved", "mine/gone:printed": "x"}))
    run(suite, "--update-verdicts", "-k", "theorem_1")
    assert read_golden(suite / "mine") == {**GOLDEN, "mine/lemma_2:printed": "proved"}


def test_a_broken_claim_is_never_golden(suite):
    golden = suite / "mine" / "verdicts.toml"
    golden.write_text(golden_text(GOLDEN))
    path = suite / "mine" / "lemma_2.py"
    path.write_text(path.read_text().replace("u * v", "w").replace(
        'symbols("u v"', 'symbols("u v w"').replace("u, v =", "u, v, w =").replace(
        "parameters={", "measure={w: lambda u: None}, parameters={"))  # fmt: skip
    found = run(suite, "--update-verdicts")
    assert "1 failed, 3 passed" in found.stdout and "is None" in found.stdout, found.stdout
    assert read_golden(suite / "mine") == GOLDEN  # as before
    assert outcome_text({"verdict": "refuted", "evidence": "exact",
                         "fault": {"state": "failed"}}) == "failed"  # fmt: skip


def test_golden_text_keeps_verdict_and_kind_only(tmp_path):
    assert outcome_text({"verdict": "refuted", "evidence": "trend", "seconds": 3}) == (
        "refuted (trend)"
    )
    folder = tmp_path / "mine"
    folder.mkdir()
    assert read_golden(folder) == {}
    (folder / "verdicts.toml").write_text(golden_text(GOLDEN))
    assert read_golden(folder) == GOLDEN
