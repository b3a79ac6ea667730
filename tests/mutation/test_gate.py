"""The mutation gate in its short form: a rotating sample of the table, and its negative control.

All of it: `python tests/mutation/gate.py`.
"""

import datetime
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import gate

SAMPLE = 5  # under a minute on one core


def test_the_table_is_of_a_hundred_mutants_each_in_one_place():
    table = gate.mutants()
    assert len(table) >= 100
    assert all(mutant.source() and mutant.before != mutant.after for mutant in table)
    edits = Counter((mutant.file, mutant.before, mutant.after) for mutant in table)
    assert max(edits.values()) == 1


def test_every_guard_says_what_it_stops():
    assert all(mutant.stops and mutant.tests for mutant in gate.mutants())


def test_a_snippet_that_is_gone_is_an_error():
    (first, *_) = gate.mutants()
    lost = gate.Mutant("nothing", first.file, "no such line", "", first.tests)
    with pytest.raises(ValueError, match="occurs 0 times"):
        lost.source()


def run(*arguments):
    command = [sys.executable, str(Path(gate.__file__)), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_sample_of_mutants_is_caught():
    """Another sample each day; the seed is in the message."""
    seed = str(datetime.date.today().toordinal())
    found = run("--sample", str(SAMPLE), "--seed", seed)
    assert found.returncode == 0, f"--seed {seed}: {found.stdout}{found.stderr}"


def test_a_mutant_that_no_test_minds_survives(tmp_path):
    table = tmp_path / "mutants.toml"
    table.write_text(
        '[[mutant]]\nstops = "nothing"\nfile = "boundcheck/worlds/domains.py"\n'
        'before = "Predicates of the values"\nafter = ""\ntests = ["tests/test_verdict.py"]\n',
        encoding="utf-8",
    )
    code = (
        f"import pathlib, sys; sys.path.insert(0, {str(Path(gate.__file__).parent)!r}); "
        f"import gate; gate.TABLE = pathlib.Path({str(table)!r}); sys.exit(gate.main([]))"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1 and "survives (0): nothing" in found.stdout
