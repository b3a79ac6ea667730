"""Averaged SGD: enumeration against simulation, and worlds solved by hand."""

import itertools

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.exact import to_ball
from boundcheck.fuel import limit
from boundcheck.quantities import batched_averages as batched
from boundcheck.quantities.averaged_sgd import (
    all_averages,
    excess_error,
    expected_excess,
    mean_average,
    path_average,
    rkhs_distance,
    samples,
    unlucky_excess,
)

GRAM = fmpq_mat(2, 2, [1, fmpq(1, 2), fmpq(1, 2), 2])
RHO, ETA = (fmpq(1, 3), fmpq(2, 3)), (fmpq(9, 10), fmpq(1, 5))
START, LAM, GAMMA = (fmpq(1), fmpq(-1)), fmpq(1, 2), fmpq(3)
LOSS = ("logistic", fmpq(1), fmpq(1))


def floats(matrix):
    return numpy.array([[float(v.p) / float(v.q) for v in row] for row in matrix.tolist()])


def test_probabilities_of_paths_sum_to_one_and_paths_match():
    averages = all_averages(GRAM, RHO, ETA, START, LAM, GAMMA, 2, *LOSS)
    assert sum(p for p, _ in averages) == 1
    choices = samples(RHO, ETA)
    for (probability, a), path in zip(
        averages, itertools.product(choices, repeat=2), strict=True
    ):
        assert probability == path[0][0] * path[1][0]
        again = path_average(GRAM, START, [s[1:] for s in path], LAM, GAMMA, *LOSS)
        assert all(to_ball(x).overlaps(to_ball(y)) for x, y in zip(a, again, strict=True))


def test_simulation_follows_the_exact_path():
    rng = numpy.random.default_rng(0)
    points, labels = rng.integers(0, 2, (5, 30)), rng.choice((-1, 1), (5, 30))
    fast = batched.simulate_averages(
        floats(GRAM), numpy.tile([1.0, -1.0], (5, 1)), points, labels, 0.5, 3.0, "logistic", 1, 1
    )
    for run in range(5):
        path = list(zip(points[run].tolist(), labels[run].tolist(), strict=True))
        exact = path_average(GRAM, START, path, LAM, GAMMA, *LOSS)
        for j in range(2):
            assert fast[run, j] == pytest.approx(float(exact[j].mid()), rel=1e-10, abs=1e-12)


def test_expected_excess_agrees_with_its_estimator():
    exact = expected_excess(GRAM, RHO, ETA, START, LAM, GAMMA, 3, *LOSS)
    fast = batched.expected_excess(
        floats(GRAM)[None], numpy.array([1 / 3, 2 / 3]), numpy.array([0.9, 0.2]),
        numpy.array([[1.0, -1.0]]), 0.5, 3.0, 3, "logistic", 1, 1,
    )  # fmt: skip
    assert isinstance(exact, fmpq)
    assert fast[0] == pytest.approx(int(exact.p) / int(exact.q))


def test_one_linear_step_by_hand():
    # Slope -1 on the whole range: g_2 = g_1 - eta (-1 + lambda g_1), weights 2 (gamma, gamma + 1).
    gram, one = fmpq_mat(1, 1, [1]), (fmpq(1),)
    first, step = fmpq(-17, 9), fmpq(4, 9)
    hinge = ("hinge", fmpq(1), fmpq(1))
    mean = mean_average(gram, one, one, (first,), 1, fmpq(7, 2), 1, *hinge)
    second = first + step * (1 - first)
    assert mean == (fmpq(7, 16) * first + fmpq(9, 16) * second,)


def test_excess_of_signs_and_distance():
    assert excess_error(RHO, ETA, (fmpq(0), fmpq(-1))) == (fmpq(4, 15), fmpq(4, 15))
    assert rkhs_distance(GRAM, (fmpq(1), fmpq(0)), (fmpq(0), fmpq(0))) == 1


def test_horizons_beyond_all_listing_are_enclosed_at_once():
    for eta in (ETA, (fmpq(1), fmpq(0))):
        found = to_ball(expected_excess(GRAM, RHO, eta, START, LAM, GAMMA, 10**8, *LOSS))
        assert 0 in found and found.upper() < 2
    alone = (fmpq_mat(1, 1, [1]), (fmpq(1),), (fmpq(1),), (fmpq(1),), LAM, GAMMA, 10**8, *LOSS)
    with limit(10**5):
        assert to_ball(expected_excess(*alone)).upper() < 2
    with pytest.raises(Undecided):
        mean_average(GRAM, RHO, ETA, START, LAM, GAMMA, 10**8, *LOSS)


def test_more_paths_than_are_listed_have_no_estimate():
    found = batched.expected_excess(
        numpy.ones((2, 2, 2)), numpy.array([0.5, 0.5]), numpy.array([0.9, 0.2]), numpy.zeros(2),
        0.1, 1.0, 10**9, *LOSS)  # fmt: skip
    assert found.shape == (2,) and numpy.isnan(found).all()


def test_unlucky_paths_are_a_part_of_the_expected_excess():
    start = (fmpq(0), fmpq(0))
    part = to_ball(unlucky_excess(GRAM, RHO, ETA, start, LAM, GAMMA, 3, *LOSS))
    assert 0 < part < to_ball(expected_excess(GRAM, RHO, ETA, start, LAM, GAMMA, 3, *LOSS))


def test_unlucky_excess_of_one_point_by_hand():
    # From zero every unlikely label pushes the average down: 2 eta - 1 with chance (1 - eta)^T.
    for T in (1, 5, 40):
        part = unlucky_excess(
            fmpq_mat(1, 1, [1]), (fmpq(1),), (fmpq(9, 10),), (fmpq(0),), LAM, GAMMA, T, *LOSS
        )
        assert to_ball(part).overlaps(to_ball(fmpq(4, 5) / fmpq(10) ** T))
