"""True statements that hold of the law that is stated, and not on what doubles make of it.

Each stood refuted at the world named, by a sequential test on draws.
"""

import numpy
import pytest
from flint import fmpq
from sympy import Rational, exp, floor

from boundcheck import Claim, Expected, Source, WithProbability
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.sampling import decide_setting
from boundcheck.errors import Undecided
from boundcheck.expressions import define, index, outcome, parameter, total, world
from boundcheck.expressions.nodes import Indicator
from boundcheck.setting import Setting
from boundcheck.settings.continuous import exponential, normal, uniform
from boundcheck.worlds import Counts, Indices, Integer, Real, Vector, Weights
from boundcheck.worlds.multinomial import multinomial

PLACE = Source("A", 2000, "T").at("here")
L, H = parameter("L", Real(0, None)), parameter("H", Real(0, None, open_low=True))
U, Z, W, X = uniform("U"), normal("Z", L, 1), normal("W", 0, H), exponential("X", H)
K = world("K", Integer(1, searched=3))
p = world("p", Weights(K, zeros=True))
x = world("x", Vector(K))
n = parameter("n", Integer(1, searched=9))
k = index("k", K)
counts = outcome("counts", Counts("counts", p, n))
J = outcome("J", Indices("J", p, n))
tail = total(p[k] * Indicator(x[k] >= L), k)


def mean(event, compared):
    return Claim(PLACE, Expected(compared(define("mean", Indicator(event)))))


def decided(claim, draws, stream="x1", **values):
    task = Task("a/b:printed", claim, budget_named("quick"), 0)
    setting = Setting(claim, values)
    assert setting.misfit() == "" and setting.admissible()
    return decide_setting(task, setting, task.rng(stream), 1e-9, draws)


QUARTER, HALF, MOST = Rational(1, 4), Rational(1, 2), Rational(3, 4)
BELOW_A_THIRD = fmpq(1, 3) - fmpq(1, 10**20)
TRUE = {
    "no number is on a grid": (mean(floor(U * 2**53) < U * 2**53, lambda m: m >= HALF), {}),
    "half of all have an odd digit": (
        mean(floor(U * 2**54) - 2 * floor(U * 2**53) >= HALF, lambda m: m >= QUARTER), {}),
    "half lie above their mean": (mean(Z > L, lambda m: m >= QUARTER), {"L": fmpq(10**17)}),
    "half lie below it": (mean(Z >= L, lambda m: m <= MOST), {"L": fmpq(10**25)}),
    "a tie in doubles alone": (
        mean(x[J[0]] >= L, lambda m: m <= tail),
        {"K": 3, "p": (fmpq(96, 100), fmpq(2, 100), fmpq(2, 100)), "n": 1, "L": fmpq(1, 3),
         "x": (fmpq(1), fmpq(0), BELOW_A_THIRD)}),
}  # fmt: skip


@pytest.mark.parametrize("stream", ["x1", "x3"])
@pytest.mark.parametrize("name", TRUE)
def test_a_mean_of_doubles_is_none_of_the_law(name, stream):
    claim, values = TRUE[name]
    assert decided(claim, 20_000, stream, **values) is None


@pytest.mark.parametrize("compared", [lambda m: m <= Rational(2, 5), lambda m: m >= MOST])
def test_a_false_mean_is_still_refuted(compared):
    assert decided(mean(Z > L, compared), 20_000, L=fmpq(3)).outcome == "refuted"


def test_a_rare_atom_is_counted_as_often_as_it_is_drawn():
    """P(no hit) = (1 - 10^-12)^n <= exp(-1); in doubles 1 - p and what a large atom leaves err."""
    missed = Claim(PLACE, WithProbability(1 - exp(-n * p[1]), counts[1] >= 1))
    small = fmpq(1, 10**12)
    assert decided(missed, 20_000, K=2, p=(1 - small, small), n=10**12) is None
    with pytest.raises(Undecided, match="2\\^40"):
        decided(missed, 200, K=2, p=(1 - small**2, small**2), n=10**18)


def test_a_chance_below_the_last_digit_of_one_is_no_other():
    """In doubles 1 - p is 1 - p/1.4 here: 439 outcomes with a hit instead of 615."""
    small, size = fmpq(14, 10 * 2**53), 3_600_000
    law = (1 - small, small)
    counted = multinomial(numpy.random.default_rng(1), 2**40, law, size)[:, 1]
    # Bernstein: the number of hits leaves 615 +- 150 with probability below 1e-7.
    assert abs(counted.sum() - 14 / 10 * 2.0**-13 * size) < 150


@pytest.mark.parametrize("size", [fmpq(10) ** 310, fmpq(1, 10**310)])
@pytest.mark.parametrize("drawn", [W, X])
def test_a_law_without_doubles_is_not_drawn(drawn, size):
    with pytest.raises(Undecided, match="is no double"):
        decided(Claim(PLACE, WithProbability(QUARTER, drawn > 0)), 200, H=size)


def test_what_is_rarer_than_the_sampler_is_exact_refutes_nothing(monkeypatch):
    """A single failure where none is allowed: the probability of zero in doubles is 2^-53."""
    from boundcheck.worlds import laws

    monkeypatch.setitem(laws.KINDS, "uniform", lambda rng, size, low, high:
                        rng.permutation([-1.0] + [0.5] * (size - 1)))  # fmt: skip
    claim = Claim(PLACE, WithProbability(1, U > 0))
    assert decided(claim, 128) is None
    assert decided(claim, 20_000).outcome == "refuted"  # in every batch again
