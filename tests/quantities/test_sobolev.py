"""Trigonometric integrals and interpolation ratios against quadrature and direct search."""

import numpy
import pytest
from flint import fmpq
from scipy.integrate import quad
from scipy.special import erfc

from boundcheck.exact import to_float
from boundcheck.quantities import sobolev
from boundcheck.worlds.space import float_value


def test_squared_integral_by_quadrature():
    w = [fmpq(0), fmpq(1, 2), fmpq(3)]
    a, b = [fmpq(1), fmpq(-2), fmpq(1, 3)], [fmpq(5), fmpq(1), fmpq(-1)]

    def square(x):
        return sum(
            to_float(p) * numpy.cos(to_float(v) * x) + to_float(q) * numpy.sin(to_float(v) * x)
            for v, p, q in zip(w, a, b, strict=True)
        ) ** 2

    expected, error = quad(square, 0, 1.5)
    assert to_float(sobolev.squared_integral(w, a, b, fmpq(3, 2))) == pytest.approx(
        expected, abs=10 * error
    )


def test_derivative_coefficients_by_differences():
    w, a, b = [fmpq(2)], [fmpq(3)], [fmpq(-1)]
    cosines, sines = sobolev.differentiated(w, a, b, 2)
    assert (cosines, sines) == ([fmpq(-12)], [fmpq(4)])


def test_no_function_exceeds_the_interpolation_ratio():
    """The ratio leaves out a factor of at most sqrt 2, and t is off by at most a factor 2."""
    gram = sobolev.gaussian_gram(5, fmpq(1, 2))
    bound = to_float(sobolev.interpolation_ratio(gram, 5, fmpq(1, 2)))
    kernel = float_value(gram)
    rng = numpy.random.default_rng(0)
    for _ in range(200):
        a = rng.normal(size=5)
        f = kernel @ a
        norm, l2 = numpy.sqrt(a @ f), numpy.sqrt((f**2).mean())
        assert abs(f).max() <= 2 * bound * numpy.sqrt(norm * l2) + 1e-12


def test_normal_quantile():
    for delta in (fmpq(1, 2), fmpq(1, 100)):
        cut = to_float(sobolev.normal_quantile(delta, 2))
        assert erfc(cut * 2 / numpy.sqrt(2)) == pytest.approx(to_float(delta))
