"""Squares are never negative, whatever they are made of; other forms may be."""

import pytest

from boundcheck import Claim, Holds
from boundcheck.errors import InvalidArgument
from boundcheck.explore import require
from boundcheck.explore.facts import facts_of
from boundcheck.explore.squares import never_negative, semidefinite
from boundcheck.expressions import (
    define,
    diagonal,
    form,
    greatest,
    index,
    inner,
    outer,
    parameter,
    trace,
    world,
)
from boundcheck.worlds import Gram, Integer, Matrix, Vector, Weights

A, v, u = world("A", Matrix(2, 2)), world("v", Vector(2)), world("u", Vector(2))
K, mu = world("K", Gram(2)), world("mu", Weights(2))
i, j = index("i", 2), index("j", 2)


@pytest.mark.parametrize("square", [
    form(A * A.T, v), form(A * K * A.T, v), form(A * diagonal(mu) * A.T, v), form(K + A.T * A, v),
    inner(v, v), inner(v, diagonal(mu) * v), trace(A * A.T), greatest(K[i, i], i),
    define("norm", 2 * form(K, u)), form(outer(v, v), u),
])  # fmt: skip
def test_squares_are_seen(square):
    assert never_negative(square)


@pytest.mark.parametrize("other", [
    form(A, v), form(A * A, v), form(A * K * A, v), form(A * diagonal(u) * A.T, v),
    form(K - A.T * A, v), inner(v, u), inner(v, diagonal(u) * v), inner(v, diagonal(mu) * u),
    trace(A), greatest(K[i, j], i, j), form(outer(u, v), u), -form(K, v),
])  # fmt: skip
def test_what_may_be_negative_is_no_square(other):
    assert not never_negative(other)


def test_no_norm_below_zero_is_assumed_or_answered():
    norm = define("norm", form(A * A.T, v))
    size = parameter("size", Integer(1, searched=9))
    claim = Claim("a page", Holds(trace(A) <= norm / size), given=[size >= 1])
    with pytest.raises(InvalidArgument, match="no size meets"):
        require(claim, "size", target="rhs <= -1")
    with pytest.raises(InvalidArgument, match=r"norm = -1 is outside \[0, oo\)"):
        require(claim, "size", {"norm": -1}, "rhs <= 1")
    assert semidefinite(K) and not semidefinite(A)


def test_a_field_that_a_claim_sets_counts_and_not_the_one_of_the_symbol():
    """Weights make a square of it; any vector does not."""
    size = define("size", inner(v, diagonal(mu) * v))
    plain = Claim("a page", Holds(size <= 1))
    other = Claim("a page", Holds(size <= 1), domains={mu: Vector(2)})
    assert facts_of(plain, size) == [size >= 0]
    assert facts_of(other, size) == []
