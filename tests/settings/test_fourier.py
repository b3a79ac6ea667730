"""Waves, grids and interpolation ratios: exact against floats, quadrature and direct search."""

import numpy
import pytest
from flint import fmpq
from scipy.integrate import quad
from scipy.special import erfc, eval_chebyt
from sympy import Rational

from boundcheck import exact
from boundcheck.expressions import batch, inner, operator_norm, parameter, world
from boundcheck.settings import fourier
from boundcheck.settings.complex_features import Complex
from boundcheck.worlds import Integer, Real, Space, Vector, Weights
from boundcheck.worlds.space import float_value

real, imaginary = (world(name, Vector(fourier.K)) for name in ("real", "imaginary"))
order, x = world("order", Integer(0, 3)), world("x", Integer(-4, 4))
s, delta = parameter("s", Real(None, None)), parameter("delta", Real(0, 1))
gram = fourier.on_grid(fourier.gaussian(s))
drawn = fourier.with_feature(gram, fourier.normal_quantile(delta))
INTEGRAL = fourier.squared_integral(lambda k: Complex(real[k], imaginary[k]), order)
CASES = {
    "integral": INTEGRAL,
    "moment": fourier.moment(lambda k: fourier.tau[k], order),
    "ratio": fourier.interpolation_ratio(gram, Rational(1, 3)),
    "ratio with a feature": fourier.interpolation_ratio(drawn, delta, 2 * fourier.points),
    "mixture": operator_norm(fourier.on_grid(fourier.mixture)),
    "circle": inner(fourier.circle_point(s, x), fourier.circle_point(delta, x)),
    "turns": fourier.cosine_of_turns(s) + fourier.cosine_of_turns(x / 6),
    "peak": fourier.peak_ratio(x + 7, delta),
    "powers of i": fourier.power_of_i(order, x).re + 2 * fourier.power_of_i(order, 1 - x).im,
}  # fmt: skip
SPACE = Space(
    K=Integer(2, 2), tau=Weights("K"), frequencies=Vector("K", 0, 4), h=Real(1, 3),
    x=Integer(-4, 4), points=Integer(5, 5), gap=Real(0, 2), real=Vector("K"), imaginary=Vector("K"),
    order=Integer(0, 3), s=Real("1/4", 2), delta=Real("1/10", "9/10"),
)  # fmt: skip


def of(expr, setting):
    return exact.to_float(exact.compiled(expr)(setting.__getitem__))


@pytest.mark.parametrize("name", CASES)
def test_exact_and_floats_agree(name):
    rng = numpy.random.default_rng(2)
    worlds = [SPACE.sample(rng)[0] for _ in range(8)]
    stacked = {key: numpy.array([float_value(world[key]) for world in worlds]) for key in worlds[0]}
    with numpy.errstate(all="ignore"):
        floats = batch.compiled(CASES[name])(stacked.__getitem__)
    # Kernel matrices on five points have condition numbers up to 10^6 where t is largest.
    found = [of(CASES[name], w) for w in worlds]
    numpy.testing.assert_allclose(floats, found, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("derivatives", [0, 1, 2, 3])
def test_the_integral_is_that_of_the_squared_derivative(derivatives):
    setting = {
        "K": 3, "frequencies": (fmpq(0), fmpq(1, 2), fmpq(3)), "h": fmpq(3, 2),
        "real": (fmpq(1), fmpq(-2), fmpq(1, 3)), "imaginary": (fmpq(5), fmpq(1), fmpq(-1)),
        "order": derivatives,
    }  # fmt: skip
    w, g = [0, 0.5, 3], [1 + 5j, -2 + 1j, 1 / 3 - 1j]

    def square(at):
        return sum(
            2 * (c * (1j * v) ** derivatives * numpy.exp(1j * v * at)).real
            for v, c in zip(w, g, strict=True)
        ) ** 2

    expected, error = quad(square, 0, 1.5)
    assert of(INTEGRAL, setting) == pytest.approx(expected, abs=10 * error)


def test_no_function_exceeds_the_interpolation_ratio():
    """The ratio leaves out a factor of at most sqrt 2, and t is off by at most a factor 2."""
    setting = {"points": 5, "gap": fmpq(0), "s": fmpq(1, 2)}
    bound = of(fourier.interpolation_ratio(gram, Rational(1, 2)), setting)
    kernel = float_value(exact.compiled(gram)(setting.__getitem__))
    rng = numpy.random.default_rng(0)
    for _ in range(200):
        a = rng.normal(size=5)
        f = kernel @ a
        norm, l2 = numpy.sqrt(a @ f), numpy.sqrt((f**2).mean())
        assert abs(f).max() <= 2 * bound * numpy.sqrt(norm * l2) + 1e-12
    assert bound < 3  # and it is not vacuous: f = k(., 0) reaches nearly one


def test_a_gap_moves_half_of_the_grid_and_a_wave_is_added():
    setting = {"points": 4, "gap": fmpq(2), "s": fmpq(1), "delta": fmpq(1, 20)}
    at = numpy.array([0, 1 / 3, 8 / 3, 3])
    difference = at[:, None] - at[None, :]
    z = of(fourier.normal_quantile(delta), setting)
    assert erfc(z / 2**0.5) == pytest.approx(0.05, rel=1e-12)
    wave = numpy.exp(-(difference**2) / 2) + numpy.exp(1j * z * difference)
    expected = numpy.block([[wave.real, -wave.imag], [wave.imag, wave.real]])
    found = float_value(exact.compiled(drawn)(setting.__getitem__))
    numpy.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_cosines_of_turns_are_rational_where_they_can_be():
    for bottom in (1, 2, 3, 4, 6):
        for top in range(-bottom, 2 * bottom):
            found = fourier.cosine_of_turns(fmpq(top, bottom))
            assert isinstance(found, fmpq)
            assert float(found.p) / float(found.q) == pytest.approx(
                numpy.cos(2 * numpy.pi * top / bottom), abs=1e-15
            )
    assert not isinstance(fourier.cosine_of_turns(fmpq(1, 5)), fmpq)


def test_points_of_the_circle_turn_backwards_too():
    there, back = fourier.circle_point(fmpq(1, 2), 3), fourier.circle_point(fmpq(1, 2), -3)
    assert there[0] ** 2 + there[1] ** 2 == 1 and back == (there[0], -there[1])


@pytest.mark.parametrize("index", [2, 3])
@pytest.mark.parametrize("theta", [fmpq(1, 2), fmpq(1, 4)])
def test_the_ratio_of_a_peak_is_no_larger_than_that_of_its_polynomial(index, theta):
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
    weights = normaliser * numpy.exp(numpy.sqrt(frequencies[used]))
    squared_norm = (abs(coefficients[used]) ** 2 * weights).sum()
    intervals = [(1 / k, 2.0 ** -(k * k)) for k in range(1, 7)]
    whole = sum(length for _, length in intervals)
    squared_l2 = sum(quad(lambda x: peak(x) ** 2, left, left + length)[0]
                     for left, length in intervals) / whole  # fmt: skip
    share = exact.to_float(theta)
    actual = peak(0.0) / (squared_norm ** (share / 2) * squared_l2 ** ((1 - share) / 2))
    bound = of(fourier.peak_ratio(x, delta), {"x": index, "delta": theta})
    assert bound <= actual * (1 + 1e-6)
    assert abs(peak(numpy.linspace(0, 2 * numpy.pi, 999))).max() <= 1 + 1e-9


def test_the_peak_is_no_larger_than_its_chebyshev_polynomial_says():
    m, theta = 2, 0.25
    z = 2 / numpy.cos(1 / (2 * m)) ** 2 - 1
    assert eval_chebyt(m**3, z) >= (1 + 1 / m) ** (m**3) / 2
    l2, norm = 4 / 2 ** ((m + 1) ** 2) + 4 * (1 + 1 / m) ** (-2.0 * m**3), 5 * numpy.exp(m**1.5)
    expected = norm ** (-theta / 2) * l2 ** ((theta - 1) / 2)
    assert of(fourier.peak_ratio(x, Rational(1, 4)), {"x": m}) == pytest.approx(expected, rel=1e-9)
