"""A value is called sharper only where it says more: the sign of what it multiplies tells."""

import pytest
from sympy import log

from boundcheck import Claim, Holds
from boundcheck.explore import sharpen
from boundcheck.explore.aims import UNCLEAR
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from .conftest import PLACE

x = parameter("x", Real(0, 1, open_low=True, open_high=True))
y, z = parameter("y", Real(-1, 1)), parameter("z", Real(0, None))
w, v = parameter("w", Real(None, None)), parameter("v", Real("1/2", 1))


def sharpened(statement, *given, kind):
    claim = Claim(source=PLACE, statement=Holds(statement), given=given)
    return sharpen(claim, kinds=(kind,))


def test_a_multiple_of_what_is_negative_says_more_where_it_is_larger():
    found = sharpened(log(x) <= log(x) / 2, kind="factor")
    assert [(b.knob.direction, b.best) for b in found.brackets] == [(1, 1)]


@pytest.mark.long
def test_a_term_that_is_negative_says_more_where_it_is_larger():
    (bracket,) = sharpened(0 <= 3 + x * log(x) / 2, kind="summand").brackets
    assert bracket.sharper and bracket.best >= 2


@pytest.mark.parametrize(("statement", "kind"), [
    (0 <= 1 + y, "summand"), (-z <= 2 * y * z + z, "factor"),
])  # fmt: skip
def test_what_has_both_signs_is_never_sharpened(statement, kind):
    found = sharpened(statement, kind=kind)
    assert found.claim is None
    assert UNCLEAR in {reason for _, reason in found.unasked}


def test_a_hypothesis_on_what_is_negative_says_more_where_its_number_is_larger():
    found = sharpened(-w <= 3, w >= 2 * log(v), kind="threshold")
    (bracket,) = [b for b in found.brackets if b.knob.beside == log(v)]
    assert bracket.knob.direction == 1 and 2 < bracket.best < 4.34
