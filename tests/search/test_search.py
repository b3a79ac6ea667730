"""Search: admissible settings, repair of hypotheses, shrinking, and its own power."""

import numpy
import pytest
import sympy
from flint import fmpq

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS
from boundcheck.engine import verify
from boundcheck.search.admissible import Candidates
from boundcheck.search.shrink import digits
from boundcheck.worlds import Integer, Real

M, lam, u, v = sympy.symbols("M lambda u v", real=True)
PLACE = Source("Test", 2026, "Search").at("here")


def claim(**changes):
    base = {"source": PLACE, "statement": Holds(u <= v)}
    return Claim(**{**base, **changes})


def test_parameters_are_moved_onto_their_bounds():
    tested = claim(
        statement=Holds(M >= 1), given=[M >= 100 / lam**2, lam > 0],
        parameters={lam: Real(0, 1), M: Integer(1, 10**40)},
    )  # fmt: skip
    candidates, rng = Candidates(tested), numpy.random.default_rng(0)
    found = [candidates.random(rng) for _ in range(300)]
    inside = [c for c in found if c is not None]
    assert len(inside) > 200
    for candidate in inside:
        assert candidate.setting("M") * candidate.setting("lambda") ** 2 >= 100
    tight = [c for c in inside
             if (c.setting("M") - 1) * fmpq(c.setting("lambda")) ** 2 < 100]  # fmt: skip
    assert len(tight) > 50


def test_implicit_conditions_are_met_by_doubling():
    tested = claim(
        statement=Holds(M >= 1), given=[M / sympy.log(M) >= 50], parameters={M: Integer(2, 10**9)}
    )
    candidates, rng = Candidates(tested), numpy.random.default_rng(0)
    assert all(candidates.random(rng) is not None for _ in range(20))


def test_worlds_that_break_a_hypothesis_are_counted_not_used():
    tested = claim(given=[u > 2], parameters={u: Real(0, 1), v: Real(0, 1)})
    verdict = verify("search/empty", tested, controls=False)
    assert verdict.outcome == "undecided" and "u > 2" in verdict.summary


def test_a_counterexample_is_shrunk_to_few_digits():
    tested = claim(statement=Holds(u * v <= 1), parameters={u: Real(0, 5), v: Real(0, 5)})
    verdict = verify("search/shrink", tested, controls=False)
    assert verdict.outcome == "refuted"
    assert sum(digits(value) for value in verdict.witness.values.values()) <= 8


@pytest.mark.parametrize("seed", range(3))
def test_narrow_violations_are_found(seed):
    """True outside a region of volume 1e-4: uniform sampling of the budget misses it mostly."""
    gap = sympy.Rational(1, 100)
    tested = claim(
        statement=Holds((u - gap) ** 2 + (v - gap) ** 2 >= gap**2 / 2),
        parameters={u: Real(0, 1), v: Real(0, 1)},
    )
    verdict = verify("search/narrow", tested, seed=seed, controls=False, budget=BUDGETS["standard"])
    assert verdict.outcome == "refuted"
