import itertools
import math

import numpy as np
import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import EmpiricalBernsteinSequence, MeanSequence
from boundcheck.statistics.bernstein import bernstein_path


def slow_limits(draws, level):
    """The formula of the module's head, draw by draw."""
    limits, weight, weighted, spread = [], 0.0, 0.0, 0.0
    total, deviations = 0.5, 0.25
    for i, x in enumerate(draws, start=1):
        mean, variance = total / i, deviations / i
        bet = min(0.5, math.sqrt(2 * math.log(1 / level) / (variance * i * math.log(i + 1))))
        weight, weighted = weight + bet, weighted + bet * x
        spread += (x - mean) ** 2 * (-math.log(1 - bet) - bet)
        total += x
        deviations += (x - total / (i + 1)) ** 2
        radius = (math.log(1 / level) + spread) / weight
        limits.append((weighted / weight - radius, weighted / weight + radius))
    return limits


def test_limits_against_the_formula():
    draws = np.random.default_rng(0).random(300) ** 2
    limits = slow_limits(draws, 0.05)
    sequence = EmpiricalBernsteinSequence(0, 1, alpha=0.1).update(draws)
    # 300 additions of numbers below 1: rounding stays below 1e-12.
    assert sequence.lower == pytest.approx(max(0, *(low for low, _ in limits)), abs=1e-12)
    assert sequence.upper == pytest.approx(min(1, *(high for _, high in limits)), abs=1e-12)


def test_batches_do_not_matter():
    draws = 3 * np.random.default_rng(1).random(200) - 1
    whole = EmpiricalBernsteinSequence(-1, 2, 0.05).update(draws)
    parts = EmpiricalBernsteinSequence(-1, 2, 0.05)
    for batch in np.split(draws, [1, 2, 50, 51]):
        parts = parts.update(batch)
    # Running sums are carried over, in the same order: the same numbers up to rounding.
    assert (parts.lower, parts.upper) == pytest.approx((whole.lower, whole.upper), abs=1e-12)
    assert parts.trials == whole.trials == 200


@pytest.mark.parametrize("p", [0.5, 0.05, 0.9])
def test_wealth_has_mean_at_most_one(p):
    level = 0.05
    paths = np.array(list(itertools.product([0.0, 1.0], repeat=10)))
    masses = np.prod(np.where(paths == 1, p, 1 - p), axis=1)
    centre, radius, (_, weight, spread), _ = bernstein_path(paths, level)
    for sign in (1, -1):
        log_wealth = sign * (centre[:, -1] - p) * weight - spread
        # 1024 nonnegative terms: rounding below 1e-12.
        assert masses @ np.exp(log_wealth) <= 1 + 1e-12
    assert radius[:, -1] * weight - spread == pytest.approx(math.log(1 / level), abs=1e-9)
    # A candidate 0.3 below the mean is a false null and must gain.
    assert masses @ np.exp((centre[:, -1] - (p - 0.3)) * weight - spread) > 1


def test_wider_than_betting_and_around_the_mean():
    draws = np.random.default_rng(2).random(50_000)
    bernstein = EmpiricalBernsteinSequence(0, 1, 1e-6).update(draws)
    betting = MeanSequence(0, 1, 1e-6).update(draws)
    assert bernstein.lower < betting.lower < draws.mean() < betting.upper < bernstein.upper
    one_sided = EmpiricalBernsteinSequence(0, 1, 5e-7, "upper").update(draws)
    assert (one_sided.lower, one_sided.upper) == (0, bernstein.upper)


@pytest.mark.parametrize(
    ("draws", "message"),
    [([], "empty"), ([1.5], "draw 1 = 1.5 is outside"), ([math.nan], "draw 1 = nan")],
)
def test_bad_draws(draws, message):
    with pytest.raises(InvalidArgument, match=message):
        EmpiricalBernsteinSequence(0, 1, 0.05).update([0.5]).update(draws)


@pytest.mark.parametrize("alpha", [0, 1, math.nan])
def test_alpha_outside_the_unit_interval(alpha):
    with pytest.raises(InvalidArgument, match="alpha"):
        EmpiricalBernsteinSequence(0, 1, alpha)
