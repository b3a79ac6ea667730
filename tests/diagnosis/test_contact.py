"""The linear term that a bound has lost is told by where both sides meet."""

import pytest
import sympy
from sympy import binomial, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.contact import lost_slopes
from boundcheck.expressions import index, parameter, total
from boundcheck.library import Library
from boundcheck.worlds import Integer, Real

HERE = Source("Folklore", 1900, "Statements").at("1")
x = parameter("x", Real(None, None, searched=(-3, 3)))
y = parameter("y", Real(0, None, searched=(0, 3)))
high = parameter("z", Real(2, None, searched=(2, 9)))
n = parameter("n", Integer(0, searched=9))


def offered(relation):
    return [change.words for change in lost_slopes(Claim(HERE, Holds(relation)), relation)]


@pytest.mark.parametrize(("relation", "words"), [
    (log(1 + exp(x)) <= log(2) + x**2 / 8, ["a term x/2 beside x**2/8 + log(2)"]),
    (exp(y * x) <= 1 + x**2 * exp(y), ["a term x*y beside x**2*exp(y) + 1"]),
    (sqrt(1 + y) >= 1 - y**2 / 8, ["a term y/2 beside 1 - y**2/8"]),
    (log(1 + y) >= (y - 1) ** 2 + log(2), ["a term y/2 - 1/2 beside (y - 1)**2 + log(2)"]),
])
def test_two_sides_that_meet_have_one_slope(relation, words):
    assert offered(relation) == words


@pytest.mark.parametrize("relation", [
    log(1 + exp(x)) <= 1 + x**2 / 8,  # they do not meet
    log(1 + exp(x)) <= log(2) + x / 3 + x**2 / 8,  # another number, not a lost term
    exp(high) <= 1 + high**2,  # they meet outside of the domain
    binomial(n, 2) * y <= total(y**2, index("i", n)),  # a sum over places has no slope
    2**n <= 1 + n**2,  # a slope of integers says nothing
    sympy.Eq(exp(x), 1 + x**2),
])  # fmt: skip
def test_no_slope_is_made_up(relation):
    assert offered(relation) == []


@pytest.mark.long
def test_the_lost_slope_is_the_repair(tmp_path):
    claim = Claim(HERE, Holds(exp(y) >= 1 + y + y**2))
    assert [change.words for change in lost_slopes(claim, claim.statement.relation)] == []
    claim = Claim(HERE, Holds(log(1 + exp(x)) <= log(2) + x**2 / 8))
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert found.repairs[0].edit == "a term x/2 beside x**2/8 + log(2)"
    assert (found.grade, found.repairs[0].stands) == ("slip", True)
