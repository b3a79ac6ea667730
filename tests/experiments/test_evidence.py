"""Runs decide a claim only with the whole interval on its side."""

import math

import pytest
from flint import arb, fmpq
from sympy import Rational

from boundcheck.claim import Claim, Holds, Source
from boundcheck.engine import verify
from boundcheck.errors import Undecided
from boundcheck.experiments.evidence import LEVEL, Median, Share, beyond, more_than, worst
from boundcheck.expressions import primitive


def test_a_share_above_its_threshold_is_its_interval():
    share = Share(24, 24)
    ball = beyond(share, fmpq(1, 2))
    # All of n runs: the lower end solves p^n = LEVEL / 2.
    assert share.low == pytest.approx((LEVEL / 2) ** (1 / 24)) and share.high == 1
    assert ball.contains(arb(share.low)) and ball.contains(arb(1)) and ball > 0.5


@pytest.mark.parametrize("hits, trials", [(9, 16), (12, 12), (0, 40), (20, 40), (0, 0)])
def test_an_interval_that_contains_the_negation_decides_nothing(hits, trials):
    # 12 of 12 are not enough: (LEVEL / 2)^(1/12) = .438.
    with pytest.raises(Undecided, match=rf"{hits} of {trials} runs: the share is in \[.*not above"):
        beyond(Share(hits, trials), fmpq(1, 2))


def test_a_median_lies_between_the_order_statistics_of_its_level():
    # 2 P(Bin(15, 1/2) < 1) = 2^-14 <= LEVEL, 2 P(Bin(15, 1/2) < 2) = 32 / 2^15 is not.
    values = tuple(float(v) for v in range(15))
    median = Median(values[::-1])
    assert (median.low, median.high) == (0.0, 14.0)
    few = Median(values[:14])  # 2^-13 > LEVEL
    assert (few.low, few.high) == (-math.inf, math.inf)


def test_a_median_decides_only_with_all_of_its_interval():
    median = Median(tuple(float(v) for v in range(15)))
    assert beyond(median, fmpq(-1, 2)) > -0.5
    with pytest.raises(Undecided, match="is not above 0"):
        beyond(median, fmpq(0))


def test_the_worst_share_has_the_smallest_lower_end():
    assert worst([Share(9, 10), Share(80, 100), Share(10, 10)]) == Share(9, 10)


@primitive(rank=None)
def coin(hits, trials):
    """Runs of nothing."""
    return Share(int(hits), int(trials))


@pytest.mark.parametrize("hits, outcome", [(30, "supported"), (16, "undecided"), (2, "undecided")])
def test_a_verdict_tells_the_number_behind_its_sentence(hits, outcome):
    claim = Claim(
        Source("nobody", 2000, "nothing").at("figure"),
        Holds(more_than("share", coin.of(hits, 30), Rational(1, 2))),
    )
    verdict = verify("nobody/figure:printed", claim)
    assert verdict.outcome == outcome
    assert verdict.summary.startswith(f"share: {hits} of 30 runs: the share is in [")
