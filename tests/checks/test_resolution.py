"""The factor by which a bound could shrink: found by bisection, certified or tested."""

import re
from dataclasses import replace

import pytest
from flint import fmpq
from sympy import And, Eq, Implies, exp, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source, WithProbability
from boundcheck.checks import enumeration, sampling
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.resolution import COARSE, FINE, largest_refuted
from boundcheck.quantities import quantity
from boundcheck.statistics import ViolationTest
from boundcheck.worlds import Choice, Counts, Integer, Real, Space

PLACE = Source("A", 2000, "T").at("here")
x, y, hit, M = symbols("x y hit M", real=True)
BUDGET = replace(budget_named("quick"), evaluations=240, draws=4_000, shrinks=12)


@pytest.mark.parametrize("edge", [1.0, 0.999999, 0.5, 1e-7])
@pytest.mark.parametrize("guess", [1.0, 0.5, 0.3, 1e-9])
@pytest.mark.parametrize("fine", [FINE, COARSE])
def test_bisection_from_any_guess(edge, guess, fine):
    asked = []

    def refutes(factor):
        asked.append(factor)
        return factor < edge

    found = largest_refuted(refutes, guess, fine=fine)
    assert found < edge <= found * (1 + 2 * fine)
    assert all(0 < factor < 1 for factor in asked)


def test_bisection_asks_twice_where_the_guess_is_right():
    asked = []

    def refutes(factor):
        asked.append(factor)
        return factor < 0.37

    largest_refuted(refutes, 0.37, fine=FINE)
    assert len(asked) == 2


def test_nothing_refuted_is_no_factor():
    assert largest_refuted(lambda factor: False, 1.0, fine=FINE) is None


def exact(relation, **domains):
    fields = {symbols(name, real=True): field for name, field in domains.items()}
    claim = Claim(source=PLACE, statement=Holds(relation), parameters=fields)
    return enumeration.run(Task("k", claim, BUDGET))


@pytest.mark.parametrize(
    ("relation", "slack"),
    [
        (x <= 2, 2.0),
        (-2 * x >= -3, 1.5),
        (x - 3 <= -1, 2.0),  # both sides negative where it is tightest: -2 against -1
        (sqrt(x) <= sqrt(2), 2**0.5),
        (Implies(2 * x <= 1, x <= 1), 2.0),
        (And(x <= 4, x <= 3), 3.0),
        (And(Eq(x, x, evaluate=False), x <= 3), 3.0),  # the identity beside it is not shrunk
        (x < 2, 2.0),
    ],
)
def test_exact_slack(relation, slack):
    found = exact(relation, x=Real(0, 1))
    assert found.outcome == "supported"
    assert found.slack == pytest.approx(slack, rel=1e-8)
    assert "certified to fail" in found.detail


def test_a_right_side_of_zero_or_an_identity_has_no_factor():
    assert exact(x >= 0, x=Real(0, 1)).slack is None
    assert exact(Eq((x + 1) ** 2, x**2 + 2 * x + 1), x=Real(0, 1)).slack == 1.0


@quantity(estimator=lambda counts, M: counts[:, 0] / M, bounds=lambda M: (fmpq(0), fmpq(1)))
def first_share(counts, M):
    return fmpq(counts[0], M)


def sampled(statement):
    half = fmpq(1, 2)
    claim = Claim(
        source=PLACE, statement=statement, parameters={M: Integer(40, 40)},
        worlds=Space(tau=Choice([(half, half)])), draw=Counts("counts", "tau", "M"),
        measure={hit: first_share},
    )  # fmt: skip
    return sampling.run(Task("k", claim, replace(BUDGET, outcomes=0), alpha=1e-3))


def test_sampled_slack_of_a_mean():
    """Mean 1/2 against 2: the bound may shrink by less than 4.

    The lower limit of the mean after 4000 draws in [0, 1] of deviation 0.08 lies within 0.05 of
    the mean with all but negligible probability: by Chebyshev's margin of 40 deviations.
    """
    found = sampled(Expected(hit <= 2))
    assert found.outcome == "supported"
    assert 4.0 <= found.slack <= 4.0 * 1.1 * (1 + COARSE)
    assert "fresh draws refutes a bound smaller" in found.detail


def test_sampled_slack_of_a_probability_is_where_the_sequential_test_turns():
    """With 40 draws a share above 1/2 + 1/40 has probability 0.317, more than the 1/5 allowed.

    So bounds under 21/40 are refuted (a share of 21/40 or more has probability 0.437), and
    bounds from 24/40 on are not (a larger share has probability 0.077).
    """
    found = sampled(WithProbability("4/5", hit <= 2))
    assert 2 / (24 / 40) <= found.slack <= 2 / (21 / 40) * (1 + COARSE) ** 2
    assert ViolationTest(0.2, 1e-3).update([True] * 1200 + [False] * 2800).rejects


def test_a_slack_that_no_float_holds_is_a_power_of_ten():
    M, y = symbols("M y", real=True)
    claim = Claim(PLACE, Holds(exp(-1000 * M) * y <= exp(1000 * M)),
                  parameters={M: Integer(1, 2), y: Real(1, 2)})  # fmt: skip
    found = enumeration.run(Task("k", claim, budget_named("quick")))
    # Right over left is exp(2000 M) / y with y <= 2: about 10^868 at M = 1 and 10^1737 at M = 2.
    # Both scores are zero as floats, so that neither is called tightest.
    assert found.outcome == "supported"
    power = int(re.search(r"beyond floats, 10\^(\d+) in one world", found.detail)[1])
    assert power in {"1": (867, 868), "2": (1736, 1737)}[found.numbers["tightest"]["M"]]
