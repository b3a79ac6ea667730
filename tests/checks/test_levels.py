"""A statement whose probability is zero or less everywhere is said to claim nothing."""

from sympy import Abs, Rational, exp

from boundcheck import Claim, Source, WithProbability
from boundcheck.checks import enumeration, sampling
from boundcheck.checks.base import Budget, Task
from boundcheck.checks.levels import nothing_claimed
from boundcheck.expressions import parameter
from boundcheck.settings.scalar_laws import E, k, sample_mean, values
from boundcheck.verdict import conclude
from boundcheck.worlds import Real

SMALL = Budget("quick", 30, 200, 600, 8, 2.0)
epsilon = parameter("epsilon", Real(0, 1, open_low=True))
X = values(low=0, high=1)[k]


def task(rate):
    gap = Abs(E(X) - sample_mean(X))
    claim = Claim(
        Source("A", 2000, "T").at("here"),
        WithProbability(1 - 2 * exp(-Rational(rate) * epsilon**2), gap <= epsilon),
    )
    return Task("a/b:c", claim, SMALL, 0, 1e-9)


def test_a_level_of_zero_or_less_is_the_reason_given():
    found = [check.run(task("1/2")) for check in (enumeration, sampling)]
    for item in found:
        assert "zero or less in each of 60 worlds" in item.detail
        assert "enumerated" not in item.detail
    verdict = conclude("a/b:c", found, 0.0)
    assert verdict.vacuous and verdict.outcome == "undecided"


def test_a_level_that_is_positive_somewhere_is_none():
    assert nothing_claimed(task(8)) == ""
    assert enumeration.run(task(8)).outcome != "undecided"
