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


def test_a_gap_moves_half_of_the_grid():
    points = sobolev.grid_points(4, fmpq(2))
    assert points == [fmpq(0), fmpq(1, 3), fmpq(8, 3), fmpq(3)]
    x = numpy.array([to_float(value) for value in points])
    difference = x[:, None] - x[None, :]
    kernel = numpy.exp(-(difference**2) / 2)
    gram = sobolev.gaussian_gram(4, 1, fmpq(2))
    assert float_value(gram) == pytest.approx(kernel, rel=1e-12)
    with_wave = kernel + numpy.exp(3j * difference)
    expected = numpy.block([[with_wave.real, -with_wave.imag], [with_wave.imag, with_wave.real]])
    assert float_value(sobolev.with_frequency(gram, 3, fmpq(2))) == pytest.approx(
        expected, rel=1e-12, abs=1e-12
    )


def test_normal_quantile():
    for delta in (fmpq(1, 2), fmpq(1, 100)):
        cut = to_float(sobolev.normal_quantile(delta, 2))
        assert erfc(cut * 2 / numpy.sqrt(2)) == pytest.approx(to_float(delta))


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("theta", [fmpq(1, 2), fmpq(1, 4)])
def test_peak_ratio_is_below_the_ratio_of_the_peak(index, theta):
    degree, radius = index**3, 1 / index
    chebyshev = numpy.polynomial.Chebyshev.basis(degree)
    a = 1 / numpy.cos(radius / 2) ** 2

    def peak(x):
        return chebyshev(a * (1 + numpy.cos(x)) - 1) / chebyshev(2 * a - 1)

    nodes = numpy.arange(4 * degree) * 2 * numpy.pi / (4 * degree)
    coefficients = numpy.fft.fft(peak(nodes)) / (4 * degree)
    frequencies = abs(numpy.fft.fftfreq(4 * degree, 1 / (4 * degree)))
    normaliser = 1 + 2 * numpy.exp(-numpy.sqrt(numpy.arange(1, 400))).sum()
    used = frequencies <= degree
    squared_norm = (
        abs(coefficients[used]) ** 2 * normaliser * numpy.exp(numpy.sqrt(frequencies[used]))
    ).sum()
    intervals = [(1 / k, 2.0 ** -(k * k)) for k in range(1, 7)]
    whole = sum(length for _, length in intervals)
    squared_l2 = sum(quad(lambda x: peak(x) ** 2, left, left + length)[0]
                     for left, length in intervals) / whole  # fmt: skip
    share = to_float(theta)
    actual = peak(0.0) / (squared_norm ** (share / 2) * squared_l2 ** ((1 - share) / 2))
    assert to_float(sobolev.peak_ratio(index, theta)) <= actual * (1 + 1e-6)
    assert abs(peak(numpy.linspace(0, 2 * numpy.pi, 999))).max() <= 1 + 1e-9
