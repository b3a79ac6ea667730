"""Certified mean squared differences of sign features against exact enumeration."""

import itertools

import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.exact import precision
from boundcheck.quantities import sign_features as S
from boundcheck.quantities.features import circle_kernel

ANGLES, Y = (fmpq(0), fmpq(1, 7), fmpq(2, 5)), (fmpq(1), fmpq(-1), fmpq(1, 2))


def test_sandwich_of_independent_signs_by_enumeration():
    middle = fmpq_mat(3, 3, [2, 1, 0, 1, 3, -1, 0, -1, 1])
    total = fmpq_mat(3, 3)
    for signs in itertools.product((1, -1), repeat=3):
        column = fmpq_mat(3, 1, list(signs))
        total += column * column.transpose() * middle * column * column.transpose() / 8
    assert S.sandwiched("orthonormal", (0, 1, 2), middle) == total


@pytest.mark.parametrize("s", [1, 2, 5])
def test_ball_contains_the_enumerated_value(s, monkeypatch):
    ridge = fmpq(3, 2)
    exact = S.sign_difference("circle", ANGLES, Y, s, ridge)
    monkeypatch.setattr(S, "EXACT_DRAWS", 0)
    ball = S.sign_difference("circle", ANGLES, Y, s, ridge)
    assert ball.contains(arb(exact))


def test_ball_is_narrow_for_many_features():
    with precision(192):
        ball = S.sign_difference("circle", ANGLES, Y, 10**12, fmpq(1, 3))
    # Relative half width 2 T2 / T1 is of the order s^(-1/2) = 1e-6 times n / lambda^2.
    assert float(ball.rad()) < 1e-3 * float(ball.mid())


def test_forms_of_the_two_bounds():
    upper = S.upper_form("circle", ANGLES, Y, fmpq(1))
    lower = S.lower_form("circle", ANGLES, Y, fmpq(1))
    gram = circle_kernel(ANGLES)
    alpha = (gram + fmpq_mat(3, 3, [3, 0, 0, 0, 3, 0, 0, 0, 3])).solve(fmpq_mat(3, 1, list(Y)))
    first = (alpha.transpose() * gram * alpha)[0, 0]
    second = (alpha.transpose() * gram * gram * alpha)[0, 0]
    assert (upper, lower) == (first, first - second / 3)


def test_a_single_point_is_predicted_exactly():
    assert S.sign_difference("circle", (fmpq(1, 5),), (fmpq(2),), 3, fmpq(1)) == 0
