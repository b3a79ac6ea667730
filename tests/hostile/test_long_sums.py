"""Draws whose definitions are sums of more terms than floats are asked for."""

from dataclasses import replace

import numpy
import pytest
from flint import fmpq
from sympy import Rational

from boundcheck import Claim, Source, UpToConstant, WithProbability
from boundcheck.checks.base import budget_named
from boundcheck.engine import verify
from boundcheck.errors import Undecided
from boundcheck.expressions import index, outcome, total, world
from boundcheck.worlds import Indices, Integer, Signs, Walk
from boundcheck.worlds.laws import Continuous

PLACE = Source("A", 2024, "Example").at("1")
SHORT = replace(budget_named("quick"), share=0.125)
n = world("n", Integer(1, searched=9))
long = world("m", Integer(20_001, searched=20_002))


def walk(size):
    """The sum of so many fair signs."""
    i = index("i", size)
    return total(outcome("xi", Signs("xi", size))[i], i)


STATEMENTS = {
    "at a size": WithProbability(Rational(1, 2), walk(long) >= 0),
    "along a family": UpToConstant(WithProbability(Rational(1, 2), walk(n) ** 2 <= n)),
}


@pytest.mark.parametrize("name", [
    "at a size", pytest.param("along a family", marks=pytest.mark.long)])
def test_sums_that_are_too_long_for_floats_are_no_fault(name):
    verdict = verify("mine/it", Claim(PLACE, STATEMENTS[name]), budget=SHORT, controls=False)
    assert verdict.outcome == "undecided", str(verdict)


@pytest.mark.parametrize("draw", [
    Signs("x", "n"), Indices("x", "p", "n"), Walk("x", "t", "n"),
    Continuous("x", "normal", (fmpq(0), fmpq(1)), "n"),
], ids=lambda draw: type(draw).__name__)  # fmt: skip
def test_outcomes_that_fill_the_memory_are_not_drawn(draw):
    world = {"n": 2**46, "p": (fmpq(1),), "t": ((fmpq(1),),)}
    with pytest.raises(Undecided, match="too many to be drawn"):
        draw.sample(world.__getitem__, numpy.random.default_rng(0), 200)
