"""Finite laws and matrix functions against second routes and closed forms."""


import numpy
import pytest
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import precision
from boundcheck.quantities import laws
from boundcheck.quantities.matrices import (
    matrix_square_root,
    spectral_radius,
)
from boundcheck.worlds import Gram, Integer, Space, scalar_laws

COIN = (fmpq(1, 2), fmpq(1, 2))


def worlds(space, count, seed=0):
    rng = numpy.random.default_rng(seed)
    return [space.sample(rng)[0] for _ in range(count)]


def test_a_median_lies_between_the_ends():
    for world in worlds(scalar_laws(low=-2, high=2), 100):
        args = world["x"], world["p"]
        below = sum(w for u, w in zip(*args, strict=True) if u <= laws.median(*args))
        assert laws.least_value(*args) <= laws.median(*args) <= laws.greatest_value(*args)
        assert 2 * below >= 1


@pytest.mark.parametrize("bits", [64, 192])
def test_square_root_squares_back_and_is_positive(bits):
    with precision(bits):
        for world in worlds(Space(d=Integer(1, searched=3), A=Gram("d")), 40, seed=bits):
            root = matrix_square_root(world["A"])
            gap = root * root - arb_mat(world["A"])
            assert all(entry.contains(0) for entry in gap.entries())
            floats = numpy.array([float(v.mid()) for v in root.entries()])
            assert numpy.linalg.eigvalsh(floats.reshape(root.nrows(), -1)).min() > -1e-6


def test_square_root_contains_the_rational_root():
    for world in worlds(Space(d=Integer(1, searched=3), R=Gram("d")), 40):
        root = matrix_square_root(world["R"] * world["R"])
        for ball, exact in zip(root.entries(), world["R"].entries(), strict=True):
            assert ball.contains(arb(exact))


def test_a_symmetric_matrix_with_a_negative_eigenvalue_has_no_root():
    """That the trace of the root is no less than zero was supported for all symmetric matrices."""
    with pytest.raises(Undefined, match="not positive semi-definite"):
        matrix_square_root(fmpq_mat(2, 2, [1, 2, 2, 1]))
    with pytest.raises(Undecided):  # (1, 1; 0, 1) has a root, though none that is meant
        matrix_square_root(fmpq_mat(2, 2, [1, 1, 0, 1]))


def test_closed_forms():
    up, down = fmpq_mat(2, 2, [0, 1, 0, 0]), fmpq_mat(2, 2, [0, 0, 1, 0])
    assert spectral_radius(up) == 0 and spectral_radius(up + down) == 1
    rotation = fmpq_mat(2, 2, [0, -2, 2, 0])
    assert abs(spectral_radius(rotation) - 2) < 1e-12
