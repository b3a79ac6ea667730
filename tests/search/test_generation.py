"""What Hypothesis generates depends on the seed alone, not on what the process has imported."""

import subprocess
import sys

SEARCH = """
import sys
{imports}
import numpy
from sympy import symbols
from boundcheck import Claim, Holds, Source
from boundcheck.search.admissible import Candidates
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.worlds import Integer, Real
x, n = symbols("x n", real=True)
claim = Claim(source=Source("A", 2000, "T").at("here"), statement=Holds(x * n <= 9),
              parameters={{x: Real(0, 1), n: Integer(1, searched=7)}})
seen = []
def objective(candidate):
    seen.append(candidate.vector)
    return deterministic_objective(10)(candidate)
Search(Candidates(claim), objective, numpy.random.default_rng(5), evaluations=400,
       members=("hypothesis",)).run()
print(hash(tuple(seen)), len(seen), len(set(seen)))
"""


def run(tmp_path, imports):
    script = tmp_path / "script.py"
    script.write_text(SEARCH.format(imports=imports))
    found = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    return found.stdout.split()


def test_constants_of_other_modules_change_nothing(tmp_path):
    """Hypothesis mixes in the numbers that stand in the modules of the project at hand."""
    (tmp_path / "beside.py").write_text("A, B, C, D = 0.123, 0.456, 3, 0.789\nE = 0.3121\n")
    alone, beside = run(tmp_path, ""), run(tmp_path, "import beside")
    assert alone == beside
    assert int(alone[2]) > 100
