"""Finite-dimensional RKHSs: exact definitions by second routes and against NumPy."""

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.exact import precision
from boundcheck.quantities import rkhs
from boundcheck.worlds import Gram, Integer, Matrix, Space, Vector
from boundcheck.worlds.space import as_floats

SPACE = Space(
    n=Integer(1, searched=4), p=Integer(1, searched=4), features=Matrix("n", "p"), gram=Gram("n"),
    a=Vector("n", -2, 2), b=Vector("p", -2, 2),
)  # fmt: skip


@pytest.fixture(params=range(40))
def world(request):
    return SPACE.sample(np.random.default_rng(request.param))[0]


def test_projection_is_idempotent_and_orthogonal(world):
    features, b = world["features"], world["b"]
    kept = rkhs.projection(features, b)
    assert rkhs.projection(features, kept) == kept
    rest = tuple(u - v for u, v in zip(b, kept, strict=True))
    assert not any(rkhs.apply(features, rest))


def test_norm_of_values_is_the_least_norm(world):
    values = rkhs.apply(world["gram"], world["a"])
    assert rkhs.squared_norm_of_values(world["gram"], values) == rkhs.squared_norm(
        world["gram"], world["a"]
    )


def test_norm_of_values_matches_least_squares(world):
    floats = as_floats(world)
    values = rkhs.apply(world["features"], world["b"])
    shortest = np.linalg.lstsq(floats["features"], np.array(values, dtype=float), rcond=1e-13)[0]
    found = float(rkhs.squared_norm_of_values(rkhs.gram_of(world["features"]), values))
    # Entries below 1e-6 may fall under rcond; such a world is not a test of the formula.
    singular = np.linalg.svd(floats["features"], compute_uv=False)
    if singular[singular > 1e-15].min(initial=1.0) > 1e-4:
        assert found == pytest.approx(shortest @ shortest, rel=1e-6, abs=1e-12)


def test_values_outside_the_space_have_no_norm():
    with pytest.raises(Undefined, match="does not lie in the space"):
        rkhs.squared_norm_of_values(fmpq_mat(2, 2, [1, 1, 1, 1]), (fmpq(1), fmpq(0)))


def test_two_routes_to_the_reproducing_kernel():
    basis = fmpq_mat(3, 2, [1, 0, 2, 1, fmpq(1, 3), 5])
    inner = fmpq_mat(2, 2, [2, 1, 1, 3])
    assert basis * inner.inv() * basis.transpose() == rkhs.orthonormal_kernel(basis, inner)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_polynomial_features_give_the_kernel(degree):
    points = fmpq_mat(2, 3, [1, 2, fmpq(-1, 2), 3, fmpq(1, 5), 1])
    left, right = (rkhs.polynomial_features(rkhs.row(points, i), degree) for i in (0, 1))
    table = points * points.transpose()
    assert rkhs.weighted_inner(left, right) == (1 + table[0, 1]) ** degree
    assert rkhs.weighted_inner(left, left) == (1 + table[0, 0]) ** degree


@pytest.mark.parametrize("x, z", [(0, 0), (1, 1), (-3, 3), (fmpq(7, 2), 4)])
def test_gaussian_series_encloses_the_kernel(x, z):
    x, z = fmpq(x), fmpq(z)
    for bits in (64, 192):
        with precision(bits):
            kernel = (arb(-((x - z) ** 2)) / 2).exp()
            for series in (rkhs.gaussian_series(x, z), rkhs.gaussian_features(x, z)):
                assert series.overlaps(kernel)
                # e^|xz| / e^xz multiplies the rounding, at most e^24 here: 35 bits.
                assert float(series.rad()) < 2.0 ** -(bits - 45)


def test_ridge_weights_solve_the_normal_equations(world):
    size = world["n"]
    a = rkhs.column(rkhs.ridge_weights(world["gram"], world["a"], fmpq(1, 3)))
    gram, y = world["gram"], rkhs.column(world["a"])
    gradient = gram * (gram * a - y) * fmpq(1, size) + gram * a * fmpq(1, 3)
    assert not any(gradient.entries())


def test_what_a_cut_series_leaves_out_is_in_its_ball(monkeypatch):
    monkeypatch.setattr(rkhs, "_terms", lambda product: 4)
    x, z = fmpq(2), fmpq(1)
    kernel = (arb(-((x - z) ** 2)) / 2).exp()
    for series in (rkhs.gaussian_series(x, z), rkhs.gaussian_features(x, z)):
        assert series.contains(kernel) and series.rad() > fmpq(1, 100)
