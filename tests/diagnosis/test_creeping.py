"""Constants that larger worlds ask for, too slowly for a search to see where they end."""

import pytest
from sympy import Abs, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.creeping import creeping_up, is_creeping
from boundcheck.diagnosis.trial import Bench
from boundcheck.engine import verify
from boundcheck.expressions import greatest, index, parameter, total, world
from boundcheck.library import Library
from boundcheck.worlds import Integer, Vector

AT = Source("Folklore", 1900, "Statements").at("1")
n = world("n", Integer(1, searched=6))
x = world("x", Vector(n))
i, j = (index(name, n) for name in "ij")
N = parameter("N", Integer(1, searched=40))
a = index("a", N)
SQUARES = total(x[i] ** 2, i)
HILBERT = total(x[i] * x[j] / (i + j + 1), i, j) <= SQUARES  # pi is the least number that serves
HARMONIC = total(Abs(x[i]) / (i + 1), i) <= greatest(Abs(x[i]), i)  # harmonic numbers: none
LOGARITHMS = total(1 / ((a + 2) * log(a + 2) ** 2), a) <= 1  # some 2.11, from N = 10^20 on 2.1
ROOTS = total(1 / sqrt(a + 1), a) <= sqrt(N)  # 2
SERIES = total(1 / (a + 1) ** 2, a) <= 1  # pi^2 / 6


def case_of(relation):
    claim = Claim(AT, Holds(relation))
    found = verify("a/b:c", claim, controls=False)
    return Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))


def test_gains_that_halve_end_and_gains_that_stay_do_not():
    assert is_creeping([1.0, 1.5, 2.0, 2.5])
    assert not is_creeping([1.0, 1.5, 1.75, 1.875])
    assert not is_creeping([2.0, 1.9, 1.8])  # falls
    assert not is_creeping([0.2, 0.4, 0.6])  # the print holds along it
    assert not is_creeping([1.0, 2.0])  # two sizes tell nothing


@pytest.mark.parametrize("relation", [HILBERT, HARMONIC, LOGARITHMS])
def test_what_rises_with_no_end_in_sight_is_told(relation):
    case = case_of(relation)
    assert creeping_up(case) > max(seen.score for seen in case.worlds)


@pytest.mark.parametrize("relation", [ROOTS, SERIES])
def test_what_levels_off_is_not(relation):
    assert not creeping_up(case_of(relation))


def test_a_number_that_larger_worlds_exceed_is_not_said_to_stand(tmp_path):
    """Of harmonic numbers none is the last, and those of search are below four."""
    doubled = HARMONIC.lhs <= 2 * HARMONIC.rhs
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(AT, Holds(doubled))}))
    assert not [repair for repair in found.repairs if repair.kind == "constant" and repair.stands]
