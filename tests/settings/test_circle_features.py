"""Cosine features on a circle: closed sums against ridge regression on all draws, and floats."""

import itertools

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.errors import Undecided
from boundcheck.expressions import batch, parameter
from boundcheck.quantities import ridge as R
from boundcheck.settings.circle_features import MOST_EXACT, Design, difference, squared_norm
from boundcheck.worlds import Integer, Real

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
DESIGN = Design((fmpq(1), fmpq(-3, 4)), (THIRD,) * 3)
SAMPLE, TARGETS = (0, 1, 0, 1), (fmpq(1), fmpq(-1), fmpq(1), -HALF)
COSINES = fmpq_mat(3, 3, [1 if (x + k) % 3 == 0 else -HALF for x in range(3) for k in range(3)])
KERNEL = COSINES * COSINES.transpose() * fmpq(2, 3)
ridge, s = parameter("ridge", Real(0, None)), parameter("s", Integer(1, searched=9))


def by_all_draws(size, lambda_, scale):
    """The definition: every sequence of features, the n x n system, every place."""
    there = R.predictions(KERNEL, SAMPLE, TARGETS, lambda_)
    total = fmpq(0)
    for draw in itertools.product(range(3), repeat=size):
        table = R.table_of_counts(COSINES, [draw.count(k) for k in range(3)]) * scale
        gap = R.predictions(table, SAMPLE, TARGETS, lambda_) - there
        total += sum((value**2 for value in gap.entries()), fmpq(0)) / 3
    return total / 3**size


@pytest.mark.parametrize("size, scale", [(1, 2), (3, 2), (4, 1)])
def test_the_mean_over_counts_is_that_over_all_draws(size, scale):
    assert difference(DESIGN, fmpq(2, 5), size, fmpq(scale)) == by_all_draws(
        size, fmpq(2, 5), scale
    )


def test_a_ball_for_many_features_holds_what_a_rational_ridge_gives():
    many = MOST_EXACT + 1
    rational, ball = (difference(DESIGN, number(2), many, fmpq(2)) for number in (fmpq, arb))
    # Some 300 terms are added, each to a rounding of 53 bits.
    assert rational.overlaps(ball) and float(rational.rad()) < 300 * 2**-52 * float(rational)
    # 3 places of 36 features: all draws but 3^-36 agree with the kernel up to 10^-9 of its size.
    tiny = difference(Design((fmpq(1), fmpq(-1)), (HALF, HALF, fmpq(0))), fmpq(1, 64), 44, fmpq(2))
    assert tiny > 0 and float(tiny.rad()) < 1e-12 * float(tiny.mid())
    with pytest.raises(Undecided, match="301 features have too many draws"):
        difference(DESIGN, fmpq(1), 301, fmpq(2))


def test_the_norm_is_that_of_the_system_of_all_points():
    gram = R.block(KERNEL, SAMPLE, SAMPLE)
    alpha = R.ridge_solution(gram, TARGETS, fmpq(1, 7))
    assert squared_norm(DESIGN, fmpq(1, 7)) == R.ridge_norm(gram, alpha)


def test_floats_agree_over_worlds():
    cases = [(fmpq(1, 9), 1), (fmpq(3), 5), (fmpq(1, 2), 20)]
    look = {"ridge": numpy.array([float(r) for r, _ in cases]),
            "s": numpy.array([float(n) for _, n in cases])}  # fmt: skip
    for node in (difference.of(DESIGN, ridge, s, 2), squared_norm.of(DESIGN, ridge)):
        found = batch.compiled(node)(look.__getitem__)
        wanted = [
            exact.to_float(exact.compiled(node)({"ridge": r, "s": n}.__getitem__)) for r, n in cases
        ]
        numpy.testing.assert_allclose(found, wanted, rtol=1e-9)
