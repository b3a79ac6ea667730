import copy
import itertools
import math
import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import (
    SupportTest,
    ViolationTest,
    floor,
    kl,
    kt_bet,
    mixture_bet,
    mixture_log_e,
)
from boundcheck.statistics.martingale import _prior, log_mixture

DELTAS = st.floats(1e-6, 1 - 1e-6)
DRAWS = st.lists(st.booleans(), min_size=1, max_size=40)


def mean_wealth(test, draws, probability):
    """Exact mean of the wealth when draw t hits with probability(past)."""
    total = 0.0
    for path in itertools.product([0, 1], repeat=draws):
        weight = 1.0
        for t, x in enumerate(path):
            p = probability(path[:t])
            weight *= p if x else 1 - p
        if weight:
            total += weight * test.update(path).e_value
    return total


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3, 0.9])
def test_wealth_has_mean_one_at_the_boundary(delta):
    # 2^8 nonnegative terms that sum to 1: rounding stays far below 1e-10.
    assert mean_wealth(ViolationTest(delta, 0.05), 8, lambda past: delta) == pytest.approx(
        1, abs=1e-10
    )
    assert mean_wealth(SupportTest(delta, 0.05), 8, lambda past: delta) == pytest.approx(
        1, abs=1e-10
    )


def test_adaptive_worlds_below_delta_keep_the_mean_at_most_one():
    def harsh_after_misses(past):
        return 0.3 if not past or sum(past) < len(past) / 2 else 0.1

    value = mean_wealth(ViolationTest(0.3, 0.05), 8, harsh_after_misses)
    assert 0.2 < value <= 1
    assert mean_wealth(ViolationTest(0.3, 0.05), 8, lambda past: 0.35) > 1.02


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.5, 0.95])
def test_exact_false_alarm_probability_is_at_most_alpha(survival, delta):
    for alpha in (0.05, 0.01):
        assert 1 - survival(delta, delta, alpha, 1500)[-1] <= alpha
    # Just above delta the same count must exceed alpha: the test can fail.
    assert 1 - survival(delta, delta + (1 - delta) / 2, 0.05, 1500)[-1] > 0.9


@pytest.mark.parametrize(
    ("delta", "p1", "most"),
    [(0.05, 0.5, 1.85), (0.05, 0.2, 1.9), (0.05, 0.1, 1.6), (0.05, 0.07, 1.6),
     (0.01, 0.03, 1.6), (0.1, 0.15, 1.6)],
)  # fmt: skip
def test_exact_mean_draws_against_the_floor(survival, delta, p1, most):
    least = floor(0.05, p1, delta)
    left = survival(delta, p1, 0.05, int(8 * least) + 50)
    # The tail beyond the horizon decays at least geometrically at the rate seen over its end.
    assert left[-1] < 2e-3
    half = left[len(left) // 2 :]
    tail = half[-1] * half.size / max(math.log(half[0] / half[-1]), 1e-9)
    assert 1 <= (left.sum() + tail) / least <= most


@settings(max_examples=60, deadline=None)
@given(DELTAS, DRAWS)
def test_wealth_is_the_product_of_predictable_bets(delta, draws):
    log_e = hits = 0
    for t, x in enumerate(draws):
        q = float(mixture_bet(hits, t, delta))
        assert delta <= q <= 1
        log_e += math.log(q / delta) if x else math.log((1 - q) / (1 - delta))
        hits += x
    # Each step loses at most a few 1e-15 / (1 - q) relative, 1 - q > 1e-12 on this range.
    assert ViolationTest(delta, 0.05).update(draws).log_e == pytest.approx(log_e, abs=1e-3)
    if delta < 0.99:
        assert ViolationTest(delta, 0.05).update(draws).log_e == pytest.approx(log_e, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(DELTAS, DRAWS, st.integers(0, 40), st.sampled_from([ViolationTest, SupportTest]))
def test_batches_do_not_matter(delta, draws, cut, kind):
    whole = kind(delta, 0.05).update(draws)
    parts = kind(delta, 0.05)
    highest = 0.0
    for draw in draws:
        parts = parts.update([draw])
        highest = max(highest, parts.log_e)
    assert (parts.hits, parts.trials) == (whole.hits, whole.trials) == (sum(draws), len(draws))
    assert parts.peak == pytest.approx(whole.peak, abs=1e-12)
    assert whole.peak == pytest.approx(highest, abs=1e-12)
    by_count = kind(delta, 0.05).update_counts(sum(draws), len(draws))
    assert by_count.log_e == whole.log_e
    cut = min(cut, len(draws) - 1)
    if cut:
        split = [(sum(draws[:cut]), cut), (sum(draws[cut:]), len(draws) - cut)]
        hits, trials = zip(*split, strict=True)
        assert kind(delta, 0.05).update_counts(hits, trials).log_e == whole.log_e


def test_a_crossing_inside_a_batch_rejects_for_good():
    draws = [1, 1, 1] + [0] * 500
    test = ViolationTest(0.05, 0.05).update(draws)
    assert test.rejects and test.log_e < 0
    # The order counts: the same draws with the violations last never cross.
    assert not ViolationTest(0.05, 0.05).update(draws[::-1]).rejects
    assert not ViolationTest(0.05, 0.05).update_counts(3, 503).rejects


def test_delta_zero_is_refuted_by_one_violation():
    test = ViolationTest(0, 1e-6).update(np.zeros(1000))
    assert (test.log_e, test.rejects) == (0, False)
    test = test.update([0, 1, 0])
    assert test.rejects and test.e_value == math.inf == test.log_e
    assert ViolationTest(0).update_counts([0, 1], [5, 5]).rejects


@settings(max_examples=40, deadline=None)
@given(st.floats(1e-9, 0.5), DRAWS)
def test_support_is_the_mirror(delta, draws):
    support = SupportTest(delta, 0.01).update(draws)
    mirror = ViolationTest(1 - delta, 0.01).update([not x for x in draws])
    # 1 - delta rounds by 1e-16, which moves a log payoff by at most 1e-16 / delta.
    assert support.log_e == pytest.approx(mirror.log_e, abs=1e-5)


@pytest.mark.parametrize("delta", [1e-12, 0.05, 0.5, 1 - 1e-12])
@pytest.mark.parametrize(("hits", "misses"), [(0, 1), (3, 0), (12, 1000), (10**6, 10**7)])
def test_wealth_against_fifty_digits(delta, hits, misses):
    with mpmath.workdps(50):
        null = mpmath.mpf(delta)
        total = mpmath.mpf(0)
        theta, log_weights = _prior()
        for shift, log_weight in zip(theta, log_weights, strict=True):
            odds = null / (1 - null) * mpmath.exp(mpmath.mpf(float(shift)))
            q = odds / (1 + odds)
            total += mpmath.exp(
                mpmath.mpf(float(log_weight))
                + hits * mpmath.log(q / null)
                + misses * mpmath.log((1 - q) / (1 - null))
            )
        expected = float(mpmath.log(total))
        complement = float(1 - null)
    value = log_mixture(np.array([hits]), np.array([misses]), delta, complement)[0]
    # Sums of at most 1.1e7 payoffs below 45 in absolute value, each with relative error 1e-15.
    assert value == pytest.approx(expected, rel=1e-12, abs=1e-12 + 1e-15 * 45 * (hits + misses))


def test_prior_is_a_probability():
    theta, log_weights = _prior()
    assert (theta > 0).all()
    assert np.exp(log_weights).sum() == pytest.approx(1, abs=1e-12)


def test_kt_bet_is_truncated():
    assert kt_bet(0, 0, 0.05) == 0.5
    assert kt_bet(0, 99, 0.05) == 0.05


def test_kl_and_floor():
    assert kl(0.3, 0.3) == 0
    assert kl(0, 0.5) == pytest.approx(math.log(2), rel=1e-15)
    assert kl(1, 0) == math.inf
    assert floor(0.05, 0, 0.05) == pytest.approx(math.log(20) / -math.log(0.95), rel=1e-12)
    with pytest.raises(InvalidArgument, match=r"p1 = 0\.05 equals delta"):
        floor(0.05, 0.05, 0.05)


def test_tests_are_values():
    test = ViolationTest(0.05, 0.01).update([1, 0, 1])
    assert copy.copy(test) == test == pickle.loads(pickle.dumps(test))
    before = copy.copy(test)
    assert test.update([1]) != test == before
    with pytest.raises(AttributeError):
        test.hits = 7


@pytest.mark.parametrize("value", [0, 1, -0.1, 1.5, math.nan, math.inf, "much", None])
def test_levels_outside_the_unit_interval(value):
    with pytest.raises(InvalidArgument, match=r"alpha = .*; give"):
        ViolationTest(0.05, alpha=value)
    with pytest.raises(InvalidArgument, match=r"delta = .*; give"):
        SupportTest(value, 0.05)
    if value != 0:
        with pytest.raises(InvalidArgument, match=r"delta = .*; give"):
            ViolationTest(value, 0.05)


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ([], "sample of draws is empty"),
        ([0, 1, 2], "draw 5 = 2.0 is neither 0 nor 1"),
        ([0, math.nan], "draw 4 = nan is neither 0 nor 1"),
        ([0.5], "draw 3 = 0.5 is neither 0 nor 1"),
        ([[0, 1]], "shape"),
        (["yes"], "not numeric"),
    ],
)
def test_bad_draws_are_named(draws, message):
    with pytest.raises(InvalidArgument, match=message):
        ViolationTest(0.05, 0.05).update([0, 0, 1]).update(draws)


@pytest.mark.parametrize(
    ("hits", "trials"), [(3, 2), (-1, 2), (0, 0), (0.5, 2), (math.nan, 2), ([], []), ([1, 3], 2)]
)
def test_impossible_counts(hits, trials):
    with pytest.raises(InvalidArgument, match="give"):
        ViolationTest(0.05, 0.05).update_counts(hits, trials)
    with pytest.raises(InvalidArgument, match="give"):
        mixture_log_e(hits, trials, 0.05)
