"""Spectra of what is no symmetric matrix, and norms of balls around zero."""

import time

import pytest
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from boundcheck.errors import Undecided, Undefined
from boundcheck.quantities.operators import eigenvalues, frobenius_norm, smallest_eigenvalue


def test_complex_eigenvalues_are_not_cut_to_their_real_parts():
    rotation = fmpq_mat(2, 2, [0, 1, -1, 0])
    for quantity in (eigenvalues, smallest_eigenvalue):
        with pytest.raises(Undefined, match="complex"):
            quantity(rotation)


def test_the_norm_of_a_ball_around_zero_is_a_number():
    around_zero = arb(2).sqrt() ** 2 - 2
    norm = frobenius_norm(arb_mat(1, 2, [around_zero, around_zero]))
    assert norm.is_finite() and norm.contains(0)


def test_eigenvalues_of_balls_hold_those_of_every_matrix_inside():
    wide = arb_mat(2, 2, [arb(1, 0.1), arb(0, 0.1), arb(0, 0.1), arb(3, 0.1)])
    inside = fmpq_mat(2, 2, [fmpq(11, 10), fmpq(1, 10), fmpq(1, 10), fmpq(31, 10)])
    pairs = zip(eigenvalues(wide), eigenvalues(inside), strict=True)
    assert all(ball.contains(arb(value)) for ball, value in pairs)


def test_eigenvalues_that_differ_by_roundings_alone_are_not_told_apart(monkeypatch):
    monkeypatch.setattr(ctx, "prec", 960)
    off = [arb(k).sqrt() ** 2 - k for k in (2, 3)]
    half = [arb(1) / 2 + arb(k).sqrt() ** 2 - k for k in (5, 7)]
    before = time.process_time()
    found = eigenvalues(arb_mat(2, 2, [half[0], off[0], off[0], half[1]]))
    assert time.process_time() - before < 1  # isolating them takes longer
    assert all(value.contains(fmpq(1, 2)) and value.rad() < 1e-180 for value in found)


@pytest.mark.parametrize("size", [10**6, 10**9, 10**12])
def test_eigenvalues_of_numbers_that_no_memory_holds_are_balls(size):
    scale = arb(size).exp()  # a rational of 10^9 digits ended the process
    found = eigenvalues(arb_mat(2, 2, [scale, 1, 1, scale]))
    assert all(ball.contains(scale + end) for ball, end in zip(found, (-1, 1), strict=True))
    assert found[0] > scale / 2 and found[1] < 2 * scale
    with pytest.raises(Undecided, match="not written out"):
        eigenvalues(arb_mat(2, 2, [arb(2) ** (size + 2**24), 1, 1, 1]))


def test_eigenvalues_that_nearly_meet_are_told_without_being_isolated():
    """Of a multiple of the identity but for 2^-1100, for which roots take half a minute."""
    for size, off in ((fmpq(2) ** 42, fmpq(1, 2**1074)), (fmpq(-1), fmpq(3, 2**1100))):
        matrix = fmpq_mat(2, 2, [size, off, off, size])
        before = time.process_time()
        found = eigenvalues(matrix)
        assert time.process_time() - before < 2
        assert found[0].contains(size - off) and found[1].contains(size + off)
    assert eigenvalues(fmpq_mat(2, 2, [0, 0, 0, 0])) == [0, 0] and eigenvalues(fmpq_mat(0, 0)) == []
