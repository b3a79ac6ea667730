"""Projections on polytopes and regret on them, against floats and against the interval."""

import itertools

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.settings import online, polytopes

SEEDS = range(12)


def rationals(values):
    return [fmpq(int(8 * value), 8) for value in values]


def hull(corners, rng, number=4000):
    weights = rng.dirichlet(numpy.full(len(corners), 0.5), number)
    return weights @ numpy.array([[float(exact.to_float(x)) for x in row] for row in corners])


@pytest.mark.parametrize("seed", SEEDS)
def test_no_point_of_the_hull_is_lower_than_the_least_one(seed):
    rng = numpy.random.default_rng(seed)
    size, number = int(rng.integers(1, 4)), int(rng.integers(1, 6))
    corners = [rationals(rng.normal(size=size)) for _ in range(number)]
    corners += corners[:1]  # points may repeat
    rank = int(rng.integers(0, size + 1))
    factor = fmpq_mat(size, max(rank, 1), rationals(rng.normal(size=size * max(rank, 1))))
    form = factor * factor.transpose() * (1 if rank else 0)
    slope = rationals(rng.normal(size=size))
    found = polytopes.least_point(corners, form, slope)
    least = exact.to_float(polytopes._value(form, slope, found))
    A = numpy.array([[exact.to_float(x) for x in row] for row in form.tolist()])
    points, b = hull(corners, rng), numpy.array([exact.to_float(x) for x in slope])
    values = ((points @ A) * points).sum(1) / 2 + points @ b
    assert least <= values.min() + 1e-12
    assert polytopes.projection(corners, found) == found  # it lies in the hull


def test_a_ball_is_projected_on_a_ball_that_holds_the_projections_of_its_points():
    corners = [rationals(x) for x in ((0, 0), (1, 0), (0, 1))]
    inside = polytopes.projection(corners, [arb("0.9", "0.2"), arb("0.9", "0.2")])
    for steps in itertools.product((-1, 0, 1), repeat=2):
        point = polytopes.projection(corners, [fmpq(9 + 2 * step, 10) for step in steps])
        assert all(ball.contains(arb(x)) for ball, x in zip(inside, point, strict=True))
    assert all(float(ball.rad()) < 0.3 for ball in inside)
    assert polytopes.projection(corners, [fmpq(2), fmpq(2)]) == [fmpq(1, 2), fmpq(1, 2)]


def test_descent_on_a_segment_is_descent_on_an_interval():
    slopes, steps = (fmpq(2), fmpq(-1), fmpq(3)), (fmpq(1), fmpq(1, 2), fmpq(1, 3))
    segment, flat = fmpq_mat([[0], [2]]), (fmpq_mat(1, 1),) * 3
    column = fmpq_mat(3, 1, list(slopes))
    found = polytopes.descent_regret(segment, flat, column, fmpq(0), steps, (fmpq(1),))
    assert found == online.linear_regret(slopes, steps, fmpq(2), fmpq(1))
    # Losses (x - 1)^2 from 0 with step 1/2 pay once, and nothing from the second round on.
    bowls = polytopes.descent_regret(
        segment, flat, fmpq_mat(3, 1, [-2] * 3), fmpq(2), (fmpq(1, 2),) * 3, (fmpq(0),)
    )
    assert bowls == 1


def test_a_newton_step_lands_where_its_metric_says():
    # One round in the plane: gradient (1, 0), A = diag(2, 1); from (1/2, 0) by A^{-1} g / rate to
    # (0, 0) for rate 1, which the square [0, 1]^2 holds; then the loss there is the least one.
    square = fmpq_mat([[0, 0], [1, 0], [0, 1], [1, 1]])
    flat = (fmpq_mat(2, 2),) * 2
    slopes = fmpq_mat([[1, 0], [1, 0]])
    first = (fmpq(1, 2), fmpq(0))
    once = polytopes.newton_regret(square, flat, slopes, fmpq(1), fmpq(1), first)
    assert once == fmpq(1, 2)
    # A rate of 2 goes half as far: 1/4 is paid in the second round.
    assert polytopes.newton_regret(square, flat, slopes, fmpq(2), fmpq(1), first) == fmpq(3, 4)
