"""Worlds that a claim must be decided in, looked for beyond the budget or all of few."""

from __future__ import annotations

from dataclasses import replace

import numpy
import pytest
from sympy import Eq, Implies, Rational, sin, symbols

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.checks.base import BUDGETS
from boundcheck.engine import verify
from boundcheck.expressions import index, outcome, total, world
from boundcheck.search.admissible import Candidates
from boundcheck.search.supply import all_worlds, as_text, small_world
from boundcheck.worlds import Choice, Integer, Real, Signs

PLACE = Source("Test", 2026, "Supply").at("here")
n, m, x = symbols("n m x", real=True)
TINY = replace(BUDGETS["quick"], evaluations=30)


def claim(statement, **parameters):
    found = {symbols(name, real=True): field for name, field in parameters.items()}
    return Claim(PLACE, Holds(statement), parameters=found)


def numbers(verdict):
    return next(item.numbers for item in verdict.evidence if item.check == "enumeration")


def test_a_small_range_is_gone_through():
    tested = claim(n * m <= 12, n=Integer(1, searched=3), m=Choice((2, 4)))
    found = all_worlds(Candidates(tested), 6)
    assert [(c.setting("n"), c.setting("m")) for c in found] == [
        (1, 2), (1, 4), (2, 2), (2, 4), (3, 2), (3, 4)]  # fmt: skip
    assert all_worlds(Candidates(tested), 5) is None
    assert all_worlds(Candidates(claim(x <= 1, x=Real(0, 1))), 200) is None


def test_worlds_that_hypotheses_exclude_are_none():
    tested = replace(claim(n <= 2, n=Integer(1, 3)), given=(n >= 4,))
    assert {*all_worlds(Candidates(tested), 3)} == {None}


def test_few_worlds_support_when_all_of_them_were_decided():
    verdict = verify("supply/few", claim(n**3 <= 28 - x**2, n=Integer(1, 3), x=Choice((0, 1))))
    assert numbers(verdict)["complete"] and numbers(verdict)["decided"] == 6


def test_one_of_few_worlds_refutes():
    verdict = verify("supply/false", claim(n**3 <= 26, n=Integer(1, 3)))
    assert verdict.outcome == "refuted" and verdict.witness.values == {"n": "3"}


def test_a_costly_claim_is_decided_in_as_many_worlds_as_a_cheap_one():
    tested = replace(claim(x**2 * (2 - x) <= 32 / n, x=Real(0, 1), n=Real(1, 2)), cost=100)
    found = numbers(verify("supply/costly", tested, budget=TINY, controls=False))
    assert found["decided"] >= found["needed"] == 200


@pytest.mark.parametrize(("least", "outcome"), [(0, "supported"), (200, "undecided")])
def test_a_claim_that_mostly_says_nothing_is_not_supported(least, outcome):
    tested = claim(Implies(x + n <= 10**-6, x**4 - x <= n - sin(n)), x=Real(0, 1), n=Real(0, 2))
    budget = replace(TINY, least=least)
    verdict = verify("supply/silent", tested, budget=budget, controls=False)
    assert verdict.outcome == outcome
    assert least == 0 or "worlds only, 200 are asked for" in verdict.summary


def test_a_world_counts_once():
    found = Candidates(claim(x <= 1, x=Real(0, 1)))
    texts = {as_text(found.decode([place])) for place in (0.25, 0.25, 0.5, 0.25)}
    assert len(texts) == 2


def test_small_worlds_are_worlds():
    tested = claim(n <= 20, n=Integer(1, searched=20))
    rng = numpy.random.default_rng(0)
    sizes = [small_world(Candidates(tested), rng).setting("n") for _ in range(200)]
    # The lower of two uniform draws half of the time: the mean is 8.8 instead of 10.5, and its
    # standard error 0.4.
    assert min(sizes) == 1 and sum(sizes) / 200 < 9.8


def test_few_worlds_are_not_all_decided_where_draws_cannot_be_listed():
    """C(2n, n) / 4^n is below 24/100 from n = 6 on, which no list of the signs reaches."""
    size = world("size", Integer(1, searched=30))
    i = index("i", size)
    walk = total(outcome("e", Signs("e", size))[i] + outcome("f", Signs("f", size))[i], i)
    tested = Claim(PLACE, WithProbability(Rational(24, 100), Eq(walk, 0)))
    verdict = verify("supply/long", tested, controls=False)
    assert verdict.outcome == "undecided" and "worlds only, 30 are asked for" in verdict.summary
