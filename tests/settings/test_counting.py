"""Tails of binomial and Poisson counts, and statements that fail at large sizes only."""

from math import comb, exp, factorial

import numpy
import pytest
import sympy
from flint import arb, fmpq

from boundcheck import Claim, Holds, Source, verify
from boundcheck.checks.base import Budget
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import precision, to_float
from boundcheck.expressions import parameter
from boundcheck.expressions.batch import compiled
from boundcheck.settings.counting import SUMMED, binomial_tail, mean, n, p, poisson_tail
from boundcheck.worlds import Real

PLACE = Source("Author", 2000, "Counts").at("here")
SMALL = Budget("quick", 400, 64, 3_000, 10, 20.0)
d = parameter("d", Real(0, 1, open_low=True))


def summed(trials, chance, least):
    chances = [comb(trials, j) * chance**j * (1 - chance) ** (trials - j)
               for j in range(trials + 1)]  # fmt: skip
    return sum(chances[max(least, 0):], fmpq(0))


@pytest.mark.parametrize("x, least", [
    (fmpq(-3), 0), (fmpq(0), 0), (fmpq(1, 9), 1), (fmpq(2), 2), (fmpq(7), 7), (fmpq(15, 2), 8),
])  # fmt: skip
@pytest.mark.parametrize("chance", [fmpq(0), fmpq(2, 7), fmpq(1)])
def test_a_binomial_tail_of_few_trials_is_a_sum_of_rationals(chance, x, least):
    assert binomial_tail(7, chance, x) == summed(7, chance, least)


def test_a_binomial_tail_of_many_trials_is_a_ball_around_the_sum():
    trials, chance = 4 * SUMMED, fmpq(1, 3)
    for least in (40, 100):  # below the mean and above it
        with precision(192):
            ball = binomial_tail(trials, chance, fmpq(least))
        with precision(1000):
            assert ball.contains(arb(summed(trials, chance, least)))
        assert ball.rel_accuracy_bits() > 150


@pytest.mark.parametrize("least", [0, 1, 2, 9])
def test_a_poisson_tail_is_what_the_first_terms_leave(least):
    left = 1 - sum(exp(-1.5) * 1.5**j / factorial(j) for j in range(least))
    assert to_float(poisson_tail(fmpq(3, 2), fmpq(least) - fmpq(1, 4))) == pytest.approx(left)


def test_a_poisson_tail_of_a_large_mean_keeps_its_digits():
    from scipy import stats

    with precision(192):
        tail = poisson_tail(fmpq(10**6), fmpq(10**6 + 3000))
    assert to_float(tail) == pytest.approx(stats.poisson(1e6).sf(10**6 + 2999), rel=1e-9)


def test_floats_are_the_exact_values():
    chance, x = sympy.symbols("q x", real=True)
    places = numpy.array([-1.0, 0.0, 0.5, 3.0, 7.0, 7.5])
    many = compiled(binomial_tail(7, chance, x))
    found = many({"q": numpy.array(2 / 7), "x": places}.__getitem__)
    assert found == pytest.approx(
        [to_float(binomial_tail(7, fmpq(2, 7), fmpq(int(2 * at), 2))) for at in places]
    )
    many = compiled(poisson_tail(chance, x))
    found = many({"q": numpy.array(0.75), "x": places}.__getitem__)
    assert found == pytest.approx(
        [to_float(poisson_tail(fmpq(3, 4), fmpq(int(2 * at), 2))) for at in places]
    )


@pytest.mark.parametrize("call", [
    lambda: binomial_tail(3, fmpq(3, 2), fmpq(1)), lambda: binomial_tail(-1, fmpq(1), fmpq(1)),
    lambda: poisson_tail(fmpq(-1), fmpq(1)),
])  # fmt: skip
def test_what_is_no_law_has_no_tail(call):
    with pytest.raises(Undefined, match="tail of"):
        call()


def test_a_ball_around_a_whole_number_does_not_tell_where_the_tail_begins():
    with pytest.raises(Undecided):
        binomial_tail(3, fmpq(1, 2), arb(2, 1e-9))


@pytest.mark.parametrize("divisor, outcome", [(3, "supported"), (2, "refuted")])
def test_the_multiplicative_chernoff_bound(divisor, outcome):
    # With 2 for 3 it holds for all n <= 400; it fails from means of about thirty on.
    tail = binomial_tail(n, p, (1 + d) * n * p)
    claim = Claim(PLACE, Holds(tail <= sympy.exp(-(d**2) * n * p / divisor)))
    assert verify("a/b:c", claim, budget=SMALL).outcome == outcome


@pytest.mark.parametrize("divisor, outcome", [(3, "supported"), (2, "refuted")])
def test_the_chernoff_bound_of_poisson_counts(divisor, outcome):
    tail = poisson_tail(mean, (1 + d) * mean)
    claim = Claim(PLACE, Holds(tail <= sympy.exp(-(d**2) * mean / divisor)))
    assert verify("a/b:c", claim, budget=SMALL).outcome == outcome


@pytest.mark.parametrize("tail", [
    lambda: binomial_tail(10**30, fmpq(1, 2), 5 * 10**29),
    lambda: poisson_tail(fmpq(10**30), 10**30),
    lambda: poisson_tail(fmpq(10**30), 10**30 - 10**15),
])  # fmt: skip
def test_a_tail_of_too_many_terms_stays_undecided(tail):
    with precision(128), pytest.raises(Undecided, match="terms that matter"):
        tail()
