"""Operators on L2(rho) and complex features: exact against floats, and what defines them."""

import flint
import numpy
import pytest
import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.expressions import batch, form, inner, trace
from boundcheck.quantities import feature_operators as operators
from boundcheck.quantities.rkhs import least_coefficient_norm, squared_norm_of_values
from boundcheck.settings import averaged_sgd as sgd, complex_features as complex_, covariance as cov
from boundcheck.worlds import Integer, Matrix, Space, Vector, Weights
from boundcheck.worlds.space import float_value

SPACE = Space(
    n=Integer(3, 3), K=Integer(2, 2), rho=Weights("n"), tau=Weights("K"), phi=Matrix("n", "K"),
    psi=Matrix("n", "K"), v=Vector("n"), M=Integer(3, 3), omega=Integer(0, 1),
    **{"a": Vector("n"), "a'": Vector("n")},
)  # fmt: skip
k, k_M, rho, D, v = sgd.k, sgd.k_M, sgd.rho, sgd.D, cov.v
q, P = operators.root_kernel(k, rho), operators.range_projection(k_M, rho)
gap = cov.T - cov.T_M
a = complex_.coefficients("a")
kernel = complex_.kernel(sgd.tau)
extreme, vector = operators.extreme_eigenvalue(k - k_M), operators.extreme_eigenvector(k - k_M)
CASES = {
    "deviation": sgd.covariance_norm(k - k_M), "gap": cov.quadratic(gap),
    "one feature": cov.quadratic(cov.rank_one(cov.feature())),
    "root": inner(v, D * q * D * v), "roots": sgd.covariance_norm(q - 2 * q * D * q),
    "projection": sgd.l2_norm(P * v), "extreme": extreme + form(k, vector),
    "essential": sgd.essential_supremum(v),
    "sup": complex_.supremum(kernel * a), "modulus": complex_.largest_modulus(kernel),
    "norm": complex_.rkhs_norm(kernel, a),
    "least coefficients": least_coefficient_norm(sgd.phi, sgd.tau, sgd.phi.T * v),
}  # fmt: skip


def worlds(number=8):
    rng = numpy.random.default_rng(11)
    return [
        {**SPACE.sample(rng)[0], "counts": (1 + j % 2, 2 - j % 2)} for j in range(number)
    ]


def of(expr, world):
    return exact.to_float(exact.compiled(sympy.sympify(expr))(world.__getitem__))


@pytest.mark.parametrize("name", CASES)
def test_exact_and_floats_agree_over_worlds(name):
    found = worlds()
    stacked = {key: numpy.array([float_value(world[key]) for world in found]) for key in found[0]}
    floats = batch.compiled(CASES[name])(stacked.__getitem__)
    # A root of an operator is known to the root of a rounding where an eigenvalue vanishes.
    numpy.testing.assert_allclose(floats, [of(CASES[name], w) for w in found], atol=1e-6)


def test_squared_norms_of_rational_functions_are_rational():
    for world in worlds():
        found = exact.compiled(cov.squared_norm(v))(world.__getitem__)
        assert found == sum(r * x**2 for r, x in zip(world["rho"], world["v"], strict=True))
        assert of(cov.norm(v), world) == pytest.approx(exact.to_float(found) ** 0.5)


def test_the_root_squares_to_its_operator():
    with flint.ctx.workprec(400):  # a root keeps half of the digits where a value vanishes
        for world in worlds():
            assert of(trace(q * D * q - k), world) == pytest.approx(0, abs=1e-30)
            assert of(form(q * D * q - k, v), world) == pytest.approx(0, abs=1e-30)


def test_the_projection_keeps_its_range_and_is_orthogonal_in_l2():
    for world in worlds():
        rest = v - P * v
        assert of(sgd.l2_norm(P * (k_M * v) - k_M * v), world) == 0
        assert of(inner(D * rest, k_M * v), world) == 0


def test_the_deviation_of_two_orthogonal_features_is_known():
    world = {
        "n": 2, "K": 2, "rho": (fmpq(1, 2),) * 2, "tau": (fmpq(1, 2),) * 2, "M": 2,
        "phi": fmpq_mat(2, 2, [1, 0, 0, 1]), "counts": (2, 0),
    }  # fmt: skip
    assert of(sgd.covariance_norm(k), world) == 0.25
    assert of(sgd.covariance_norm(k - k_M), world) == 0.25
    assert of(trace(cov.T), world) == 0.5


def test_the_extreme_eigenvector_is_one():
    for world in worlds():
        matrix = k - k_M
        assert of(inner(vector, vector), world) == pytest.approx(1, abs=1e-12)
        image = matrix * vector - extreme * vector
        assert of(inner(image, image), world) == pytest.approx(0, abs=1e-12)


def test_complex_numbers_are_those_of_python():
    rng = numpy.random.default_rng(0)
    left, right = rng.normal(size=(2, 2)), rng.normal(size=(2, 2))
    one, other = (complex_.Complex(*map(sympy.Float, pair)) for pair in (left[0], right[0]))
    product = one * other.conj
    truth = complex(*left[0]) * complex(*right[0]).conjugate()
    assert complex(product.re, product.im) == pytest.approx(truth)
    assert float(one.modulus) == pytest.approx(abs(complex(*left[0])))


def test_the_kernel_of_complex_features_is_hermitian_and_acts_as_its_real_form():
    features = complex_.features
    for world in worlds(4):
        floats = {key: float_value(value) for key, value in world.items()}
        F = floats["phi"] + 1j * floats["psi"]
        truth = F @ numpy.diag(floats["tau"]) @ F.conj().T
        stacked = batch.compiled(features.realified)(floats.__getitem__)
        weights = numpy.diag(numpy.tile(floats["tau"], 2))
        numpy.testing.assert_allclose(
            stacked @ weights @ stacked.T,
            numpy.block([[truth.real, -truth.imag], [truth.imag, truth.real]]), atol=1e-12,
        )  # fmt: skip
        coefficients = floats["a"] + 1j * floats["a'"]
        norm = numpy.sqrt((coefficients.conj() @ truth @ coefficients).real)
        assert of(CASES["norm"], world) == pytest.approx(norm, abs=1e-9)
        assert of(CASES["sup"], world) == pytest.approx(abs(truth @ coefficients).max())


def test_the_least_coefficients_have_the_norm_of_the_function():
    for world in worlds():
        beta = tuple(fmpq(j + 1, 3) for j in range(world["K"]))
        synthesis = world["phi"] * operators.diagonal(world["tau"])
        values = tuple((synthesis * fmpq_mat(len(beta), 1, list(beta))).entries())
        norm = squared_norm_of_values(synthesis * world["phi"].transpose(), values)
        assert least_coefficient_norm(world["phi"], world["tau"], beta) == norm


def test_a_feature_without_weight_counts_nothing():
    phi = fmpq_mat(1, 2, [1, 5])
    assert least_coefficient_norm(phi, (fmpq(1), fmpq(0)), (fmpq(2), fmpq(7))) == 4
