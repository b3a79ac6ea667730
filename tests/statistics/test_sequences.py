import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import DifferenceSequence, MeanSequence, mean_lower, mean_upper
from boundcheck.statistics.martingale import _prior
from boundcheck.statistics.sequences import log_capital, mirrored, power_sums

UNIT = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def capital(path, mean):
    path = np.array(path, dtype=float)
    return float(np.exp(log_capital(path.size, power_sums(path)[:, -1], mean)))


def expected_capital(points, masses, mean, draws):
    total = 0.0
    for choice in itertools.product(range(len(points)), repeat=draws):
        total += math.prod(masses[i] for i in choice) * capital([points[i] for i in choice], mean)
    return total


def test_coefficients_of_the_factor():
    with mpmath.workdps(40):
        z = mpmath.mpf(3) / 4
        left = -mpmath.log(1 - z) - sum(z**k / k for k in range(1, 6))
        # The remainder over z^6 is a power series with positive coefficients: largest at 3/4.
        assert left / z**6 < mpmath.mpf("0.494")
        assert left / z**6 > mpmath.mpf("0.49")
    y = Fraction(3, 4)
    # The derivative of log g is a falling polynomial on [-3/4, 3/4] if its own derivative is
    # negative; both ends and 1e4 points between are checked in rationals.
    slope = 1 - y + y**2 - y**3 + y**4 - 6 * Fraction("0.494") * y**5
    assert slope > 0
    for k in range(-750, 751):
        y = Fraction(k, 1000)
        assert -1 + 2 * y - 3 * y**2 + 4 * y**3 - 30 * Fraction("0.494") * y**4 < 0


@pytest.mark.parametrize(
    ("points", "masses"),
    [((0, 1), (0.5, 0.5)), ((0, 1), (0.99, 0.01)), ((0, 0.3, 1), (0.2, 0.7, 0.1)),
     ((0.299, 0.301), (0.5, 0.5)), ((0, 1), (0.001, 0.999))],
)  # fmt: skip
def test_capital_has_mean_at_most_one_under_the_null(points, masses):
    mean = float(np.dot(points, masses))
    value = expected_capital(points, masses, mean, 6)
    # 3^6 nonnegative terms that sum to about 1: rounding stays below 1e-12. The bettor for the ends
    # gives wealth away on draws inside the interval, the other one next to none.
    assert 0.75 <= value <= 1 + 1e-12
    reflected = [1 - x for x in points]
    assert 0.75 <= expected_capital(reflected, masses, 1 - mean, 6) <= 1 + 1e-12
    # A candidate below the mean is a false null and must gain.
    assert expected_capital(points, masses, mean * 0.5, 6) > 1


@settings(max_examples=40, deadline=None)
@given(UNIT, st.floats(0.01, 0.99))
def test_capital_from_power_sums_against_products(draws, mean):
    x = np.array(draws)
    factors = []
    for d in range(16):
        y = 0.75 * 0.5**d * (x - mean)
        log_g = y - y**2 / 2 + y**3 / 3 - y**4 / 4 + y**5 / 5 - 0.494 * y**6
        assert (np.exp(log_g) <= 1 + y + 1e-15).all()
        factors.append(np.exp(log_g).prod() / (d + 2))
    by_variance = sum(factors) / sum(1 / (d + 2) for d in range(16))
    theta, log_weights = _prior()
    miss = -np.log1p(mean * np.expm1(theta))
    per_draw = np.multiply.outer(x, theta + miss) + np.multiply.outer(1 - x, miss)
    by_end = np.exp(log_weights) @ np.exp(per_draw.sum(axis=0))
    # Exponents are sums of 30 terms below 40, each rounded to 1e-15 relative.
    assert capital(draws, mean) == pytest.approx((by_variance + by_end) / 2, rel=1e-10)


@settings(max_examples=60, deadline=None)
@given(UNIT, st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_capital_falls_in_the_candidate(draws, one, other):
    low, high = sorted((one, other))
    assert capital(draws, low) >= capital(draws, high) * (1 - 1e-12)


@settings(max_examples=30, deadline=None)
@given(UNIT)
def test_mirrored_sums_are_those_of_the_complement(draws):
    x = np.array(draws)
    # Thirty terms of size at most 1/2, each rounded once or twice.
    assert mirrored(power_sums(x)) == pytest.approx(power_sums(1 - x), abs=1e-13)


def exclusion_probability(p, mean, alpha, draws):
    """Exact P(a sequence of Bernoulli(p) draws ever excludes `mean`)."""
    hits, trials = np.ogrid[0 : draws + 1, 1 : draws + 1]
    sums = np.stack([hits * 0.5**k + (trials - hits) * (-0.5) ** k for k in range(1, 7)])
    count = np.broadcast_to(trials, sums.shape[1:])
    wealth = np.maximum(
        log_capital(count, sums, mean), log_capital(count, mirrored(sums), 1 - mean)
    )
    alive = np.zeros(draws + 1)
    alive[0] = 1
    for t in range(draws):
        alive = (1 - p) * alive + p * np.append(0, alive[:-1])
        alive[wealth[:, t] >= math.log(2 / alpha)] = 0
    return 1 - alive.sum()


@pytest.mark.parametrize("p", [1e-5, 0.01, 0.3, 0.5, 0.999])
def test_exact_coverage_at_every_time(p):
    assert exclusion_probability(p, p, 0.05, 300) <= 0.05
    # The same count for a mean that is wrong must come out above alpha.
    wrong = p + 0.3 if p < 0.6 else p - 0.3
    assert exclusion_probability(p, wrong, 0.05, 300) > 0.9


def test_shipped_limits_are_those_of_the_wealth():
    x = np.random.default_rng(3).random(400) ** 3
    sequence = MeanSequence(0, 1, alpha=0.02).update(x)
    sums = power_sums(x)[:, -1]
    for mean, edge in ((sequence.lower, 1), (sequence.upper, -1)):
        inside, outside = mean + edge * 1e-5, mean - edge * 1e-5
        orient = (lambda m: (sums, m)) if edge == 1 else (lambda m: (mirrored(sums), 1 - m))
        assert float(log_capital(400, *orient(outside))) >= math.log(100)
        assert float(log_capital(400, *orient(inside))) < math.log(100)
    assert sequence.lower < x.mean() < sequence.upper
    assert sequence.mean == pytest.approx(x.mean(), rel=1e-12)


def test_width_against_the_normal_interval_of_one_look():
    x = np.random.default_rng(5).random(100_000)
    sequence = MeanSequence(0, 1, alpha=1e-6).update(x)
    fixed = 2 * math.sqrt(2 * math.log(2 / 1e-6) / x.size) * x.std()
    assert 1 <= (sequence.upper - sequence.lower) / fixed <= 1.25


def test_rare_indicators_get_limits_of_their_own_size():
    x = np.zeros(200_000)
    x[[70_000, 150_000]] = 1
    sequence = MeanSequence(0, 1, alpha=0.05).update(x)
    assert 0 < sequence.lower < 1e-5 < sequence.upper < 8e-5


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-2, 5), min_size=2, max_size=40), st.integers(1, 39))
def test_batches_change_the_looks_only(draws, cut):
    cut = min(cut, len(draws) - 1)
    whole = MeanSequence(-2, 5, alpha=0.3).update(draws)
    parts = MeanSequence(-2, 5, alpha=0.3).update(draws[:cut]).update(draws[cut:])
    assert parts.trials == whole.trials
    assert parts.sums == pytest.approx(whole.sums, abs=1e-13)
    # More looks can only exclude more; limits move with the rounding of the sums.
    assert parts.lower >= whole.lower - 1e-9
    assert parts.upper <= whole.upper + 1e-9


def test_scaling_and_reflection_of_the_draws():
    x = np.random.default_rng(0).random(500)
    unit = MeanSequence(0, 1, 0.01).update(x)
    scaled = MeanSequence(-3, 5, 0.01).update(8 * x - 3)
    flipped = MeanSequence(-1, 0, 0.01).update(-x)
    # Rescaling a draw rounds by 1e-15, far below the bisection's own steps of the wealth.
    assert scaled.lower == pytest.approx(8 * unit.lower - 3, abs=1e-9)
    assert scaled.upper == pytest.approx(8 * unit.upper - 3, abs=1e-9)
    assert (flipped.lower, flipped.upper) == pytest.approx((-unit.upper, -unit.lower), abs=1e-9)


def test_one_side_spends_the_whole_alpha():
    x = np.random.default_rng(1).random(1000)
    both = MeanSequence(0, 1, 0.02).update(x)
    assert mean_lower(x, 0, 1, alpha=0.01) == both.lower
    assert mean_upper(x, 0, 1, alpha=0.01) == both.upper
    lower = MeanSequence(0, 1, 0.01, "lower").update(x)
    assert (lower.lower, lower.upper) == (both.lower, 1)


def test_difference_contains_and_excludes():
    rng = np.random.default_rng(2)
    common = rng.random(3000)
    x, y = 0.2 + 0.5 * common, 0.5 * common + 0.01 * rng.random(3000)
    paired = DifferenceSequence((0, 1), (0, 1), 0.01).update(x, y)
    apart = DifferenceSequence((0, 1), (0, 1), 0.01, paired=False).update(x, y)
    # The means differ by 0.2 - 0.005; both intervals fail with probability 0.01, at a fixed seed.
    for sequence in (paired, apart):
        assert sequence.lower < 0.195 < sequence.upper
        assert sequence.lower > 0.1
    assert paired.upper - paired.lower < 0.5 * (apart.upper - apart.lower)
    uneven = DifferenceSequence((0, 1), (0, 1), 0.01, "lower", paired=False).update(x, y[:500])
    assert 0.1 < uneven.lower < 0.195
    assert uneven.upper == 1


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ([], "sample of draws is empty"),
        ([0.5, 1.2], r"draw 3 = 1\.2 is outside \[0\.0, 1\.0\]|draw 3 = 1\.2 is outside \[0, 1\]"),
        ([-1e-12], "draw 2 = -1e-12 is outside"),
        ([0.5, math.nan], "draw 3 = nan is not finite"),
        ([math.inf], "draw 2 = inf is not finite"),
        (["a"], "not numeric"),
        ([[0.1]], "shape"),
    ],
)
def test_bad_draws_are_named_and_never_clipped(draws, message):
    sequence = MeanSequence(0, 1, 0.05).update([0.1, 0.2])
    with pytest.raises(InvalidArgument, match=message):
        sequence.update(draws)


def test_bad_draws_of_a_difference():
    difference = DifferenceSequence((0, 1), (0, 2), 0.05).update([0.5], [1.5])
    with pytest.raises(InvalidArgument, match=r"y draw 2 = 2\.5 is outside"):
        difference.update([0.5, 0.5], [1.0, 2.5])
    with pytest.raises(InvalidArgument, match="2 draws of x against 1 of y"):
        difference.update([0.5, 0.5], [1.0])


@pytest.mark.parametrize("alpha", [0, 1, -1, 2, math.nan])
def test_alpha_outside_the_unit_interval(alpha):
    for build in (
        lambda: MeanSequence(0, 1, alpha),
        lambda: DifferenceSequence((0, 1), (0, 1), alpha),
        lambda: DifferenceSequence((0, 1), (0, 1), alpha, paired=False),
        lambda: mean_lower([0.5], 0, 1, alpha=alpha),
    ):
        with pytest.raises(InvalidArgument, match="alpha = "):
            build()


@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (0, math.inf), (math.nan, 1), (-1e308, 1e308)])
def test_bad_bounds(ends):
    with pytest.raises(InvalidArgument, match="finite"):
        MeanSequence(*ends, 0.05)


def test_unknown_side():
    with pytest.raises(InvalidArgument, match="side = 'left' is unknown; give one of both"):
        MeanSequence(0, 1, 0.05, "left")
