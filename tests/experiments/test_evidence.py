"""Shares of runs decide a claim only with the whole interval on its side."""

import pytest
from flint import arb

from boundcheck.errors import Undecided
from boundcheck.experiments.evidence import LEVEL, Share, more_than


def test_a_share_above_its_threshold_is_its_interval():
    share = Share(24, 24)
    ball = more_than(share, 0.5)
    # All of n runs: the lower end solves p^n = LEVEL / 2.
    assert share.low == pytest.approx((LEVEL / 2) ** (1 / 24)) and share.high == 1
    assert ball.contains(arb(share.low)) and ball.contains(arb(1)) and ball > 0.5


@pytest.mark.parametrize("hits, trials", [(9, 16), (12, 12), (0, 40), (20, 40), (0, 0)])
def test_an_interval_that_contains_the_negation_decides_nothing(hits, trials):
    # 12 of 12 are not enough: (LEVEL / 2)^(1/12) = .438.
    with pytest.raises(Undecided, match=rf"{hits} of {trials} runs: the share is in \[.*not above"):
        more_than(Share(hits, trials), 0.5)
