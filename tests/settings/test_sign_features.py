"""Sign features: kernels of two points against their closed form, patterns against their number."""

import itertools

import numpy
import pytest
from flint import fmpq

from boundcheck.exact import to_float
from boundcheck.settings import sign_features as f


@pytest.mark.parametrize("turn, kernel", [(0, 1), ("1/8", "1/2"), ("1/4", 0), ("1/2", -1)])
def test_the_agreement_of_signs_falls_linearly_with_the_angle(turn, kernel):
    as_fmpq = [fmpq(*map(int, str(v).split("/"))) for v in (turn, kernel)]
    assert f.sign_agreement(as_fmpq[0]) == as_fmpq[1]


def test_patterns_of_signs_have_total_probability_one():
    directions = (fmpq(0), fmpq(1, 10), fmpq(1, 3))
    patterns = itertools.product((1, -1), repeat=3)
    chances = [f.pattern_probability(directions, pattern) for pattern in patterns]
    assert sum(chances) == 1 and chances[0] != fmpq(1, 8)


def test_antipodal_points_are_not_apart():
    assert f.separation((fmpq(0), fmpq(1, 2))) == 0
    assert f.separation((fmpq(0), fmpq(1, 4))) == fmpq(1, 2)


def test_equally_spaced_points_are_even_and_coinciding_ones_are_not():
    assert f.unevenness(tuple(fmpq(i, 5) for i in range(5))) == fmpq(1, 5)
    assert f.unevenness((fmpq(1, 3),) * 4) == 1


def test_the_origin_of_angles_does_not_make_points_uneven():
    points = (fmpq(1, 10), fmpq(1, 4), fmpq(7, 8))
    turned = tuple(angle + fmpq(2, 7) for angle in points)
    # Above by 5/12 at the second point and below by 5/24 before the third.
    assert f.unevenness(points) == f.unevenness(turned) == fmpq(5, 12) + fmpq(5, 24)


def test_the_lower_norm_is_below_the_upper_one_by_the_square_of_the_kernel():
    angles, y = (fmpq(0), fmpq(1, 8)), (fmpq(1), fmpq(2))
    upper = f.upper_norm("circle", angles, y, fmpq(1, 3))
    lower = f.lower_norm("circle", angles, y, fmpq(1, 3))
    # K = [1, 1/2; 1/2, 1], alpha = (K + 2/3 I)^-1 y = (24, 102) / 91: (K alpha)^2 sums to that.
    alpha = fmpq(24, 91), fmpq(102, 91)
    image = alpha[0] + alpha[1] / 2, alpha[0] / 2 + alpha[1]
    assert upper == alpha[0] * image[0] + alpha[1] * image[1]
    assert upper - lower == (image[0] ** 2 + image[1] ** 2) / 2


@pytest.mark.parametrize("count", [3, 9])  # rational, and in balls
def test_tables_of_signs_and_their_kernel_agree_with_floats(count):
    angles = tuple(fmpq(i * i, 97) for i in range(count))
    directions = (fmpq(0), fmpq(3, 10), fmpq(3, 4))
    floats = [numpy.array([float(v) for v in part]) for part in (angles, directions)]
    for exact, found in (
        (f.angular_kernel(angles), f.angular_kernel.batch(floats[0])),
        (f.signs(angles, directions), f.signs.batch(*floats)),
    ):
        wanted = [to_float(value) for value in exact.entries()]
        numpy.testing.assert_allclose(found.ravel(), wanted, atol=1e-14)
    assert f.signs((fmpq(0),), (fmpq(1, 4),))[0, 0] == 0  # at a right angle
