"""Small libraries for tests of the command line and of discovery."""

import pytest

from boundcheck.skeleton import write_skeleton

FALSE = '''"""A false tail bound."""

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import WORK

u, v = symbols("u v", real=True)

printed = Claim(
    source=WORK.at("Lemma 2"), statement=Holds(u**2 <= u * v + v**2), given=[u >= v],
    parameters={u: Real(0, 2), v: Real(0, 2)},
)
'''


@pytest.fixture
def small_library(tmp_path):
    """A root with Markov's inequality (true) and a false polynomial inequality."""
    root = tmp_path / "library"
    write_skeleton("mine/theorem_1", root)
    (root / "mine" / "lemma_2.py").write_text(FALSE)
    return root
