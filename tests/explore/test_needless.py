"""Hypotheses that search alone calls needless, where it sees a part of the worlds."""

import pytest
from sympy import Abs, floor

from boundcheck import Claim, Holds
from boundcheck.explore import sharpen
from boundcheck.explore.leaving import without_end
from boundcheck.expressions import greatest, index, parameter, world
from boundcheck.library import load_library
from boundcheck.worlds import Real, Vector

from .conftest import PLACE

sigma = parameter("sigma", Real(0, 1))
noise = world("noise", Vector(2, searched=(-1, 1)))
j = index("j", 2)
FAR = 10**40
WHY = "noise may be larger than search looks at"


@pytest.mark.long
def test_a_bound_of_entries_without_an_end_is_not_called_needless():
    # Without it false for entries of 10^40, which are farther than search looks.
    largest = greatest(Abs(noise[j]), j)
    claim = Claim(PLACE, Holds(floor(largest / FAR) <= sigma), given=[largest <= sigma])
    found = sharpen(claim, kinds=("hypothesis",))
    assert not found.superfluous
    assert [why for _, why in found.hypotheses.unknown] == [WHY]


def test_numbers_are_followed_far_and_weights_have_ends():
    key = "wu2021/theorem_4_3:step_deviation"
    claim = load_library(None, [key])[key]
    assert [without_end(claim, each) for each in claim.given[2:4]] == [["noise"], []]
