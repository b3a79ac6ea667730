"""Theorem 2: sup-norm interpolation for the Gaussian kernel and its random Fourier features.

Setting    rho with a density bounded from above and below on its bounded support; Gaussian kernel
           on R^d; any m >= d/2; M >= 1 random Fourier features, H_M^+ the RKHS of k + k_M.
Claim      sup |f| <= C ||f||_H^(d/2m) ||f||_2^(1 - d/2m) on H, and with probability 1 - delta the
           same on H_M^+ with C (1 + 1/delta)^(d/4m).
"""

from flint import arb, fmpq
from sympy import And, Eq, Le, erf, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.exact import square_root
from boundcheck.quantities.sobolev import (
    differentiated,
    gaussian_gram,
    interpolation_ratio,
    normal_quantile,
    squared_integral,
    with_frequency,
)
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Derived,
    Family,
    Integer,
    Real,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import ARXIV, M, d, delta, m

ratio, ratio_sum = symbols("ratio ratio_sum", real=True)

GRIDS = (4, 6, 8, 12, 16, 24)


def on_grid(**changes):
    """One grid with some values changed."""
    values = {
        "points": 12, "width": fmpq(1, 2), "gap": fmpq(0), "m": fmpq(1), "delta": fmpq(1, 10),
    }  # fmt: skip
    return {**values, **changes}


printed = Claim(
    source=ARXIV.at("Theorem 2, (26)-(27)"),
    statement=UpToConstant(
        And(Le(ratio, 1), Le(ratio_sum, (1 + 1 / delta) ** (1 / (4 * m))))
    ),
    given=[And(delta > 0, delta < 1), 2 * m >= 1],
    worlds=Space(
        points=Integer(4, searched=12), width=Real("1/4", 2),
        gap=Choice((fmpq(0), fmpq(1, 2), fmpq(3)))
    ),
    parameters={m: Real("1/2", 3), delta: Real(0, 1, open_low=True, open_high=True)},
    measure={
        ratio: lambda points, width, gap, m: interpolation_ratio(
            gaussian_gram(points, width, gap), points, 1 / (2 * fmpq(m))
        ),
        ratio_sum: lambda points, width, gap, m, delta: interpolation_ratio(
            with_frequency(
                gaussian_gram(points, width, gap), normal_quantile(delta, width), gap
            ),
            points,
            1 / (2 * fmpq(m)),
        ),
    },
    families=(
        Family("finer grids", lambda size: on_grid(points=size), GRIDS),
        Family("finer grids, m = d/2", lambda size: on_grid(points=size, m=fmpq(1, 2)), GRIDS),
        Family("finer grids of two intervals", lambda size: on_grid(points=size, gap=fmpq(3)),
               GRIDS),
        Family("delta shrinks", lambda size: on_grid(delta=fmpq(1, 4 * size)), doublings(1, 8)),
        Family("delta shrinks, m = 2",
               lambda size: on_grid(delta=fmpq(1, 4 * size), m=fmpq(2)), doublings(1, 8)),
    ),
    uses=tuple(f"yashima2021/theorem_2:step_{name}" for name in (
        "sobolev", "cauchy_schwarz", "derivative", "markov", "sobolev_norm",
    )),
    reading=(
        "d = 1 on grids of one or two intervals that stand for the uniform density; one feature, "
        "at the frequency that is exceeded with probability delta; m is any real number from d/2 on"
    ),
    cost=100,
)  # fmt: skip

# Sobolev interpolation.

supremum, squared_l2, squared_sobolev = symbols("supremum squared_l2 squared_sobolev", real=True)


def l2_of(kind, index):
    """int f^2 of the function of the kind with the index."""
    if kind == "interval":
        return fmpq(1, index)
    if kind == "monomial":
        return fmpq(1, 2 * index + 1)
    # f = 1 for r <= e, log(1/r) / log(1/e) beyond, e = 2^-index, on the unit disc.
    width = arb(2).log() * index
    e = (-width).exp()
    inner = arb.pi() * e * e
    outer = arb.pi() / 2 - arb.pi() * e * e * (width**2 + width + fmpq(1, 2))
    return inner + outer / width**2


def sobolev_of(kind, index):
    """Squared norm in W^m, m = 1 (the pieces of a locally constant function add nothing)."""
    if kind == "interval":
        return l2_of(kind, index)
    if kind == "monomial":
        return l2_of(kind, index) + fmpq(index * index, max(2 * index - 1, 1))
    return l2_of(kind, index) + 2 * arb.pi() / (arb(2).log() * index)


def sobolev_family(kind, dimension, sizes):
    """Functions of one kind on one fixed domain."""
    return Family(
        {
            "interval": "indicators of intervals, lengths 1/2, 1/4, ..., of one bounded set, d = 1",
            "logarithm": "log(1/r) / log(1/e) cut at one, on the unit disc, d = 2, m = d/2",
            "monomial": "x^j on [0, 1], d = 1",
        }[kind],
        lambda size: {"kind": kind, "index": size, "d": dimension, "m": 1},
        sizes,
    )


def sobolev_worlds(other: str = "monomial") -> Space:
    """Powers on [0, 1]; families may go on to functions of one other kind."""
    return Space(
        kind=Choice(("monomial", other), searched=("monomial",)), index=Integer(1, searched=40)
    )


SOBOLEV = sobolev_worlds()
# The logarithm lives on a disc, the others on a line.
DIMENSION = Custom(lambda source, earlier: source.integer(1, 1),
                   lambda value, world: value == (2 if world["kind"] == "logarithm" else 1))
SOBOLEV_MEASURE = {
    supremum: lambda kind: 1,
    squared_l2: l2_of,
    squared_sobolev: sobolev_of,
}
share = d / (2 * m)

step_sobolev = Claim(
    source=ARXIV.at("Appendix D, (136), from (28)-(29)"),
    statement=UpToConstant(
        Le(supremum, squared_sobolev ** (share / 2) * squared_l2 ** ((1 - share) / 2))
    ),
    given=[m >= d / 2, d >= 1],
    worlds=sobolev_worlds("logarithm"),
    parameters={d: DIMENSION, m: Integer(1, 1)},
    measure=SOBOLEV_MEASURE,
    families=(
        sobolev_family("monomial", 1, doublings(1, 8)),
        sobolev_family("logarithm", 2, doublings(2, 14)),
    ),
    reading="every m >= d/2, the end included, on an interval and a disc",
)

step_sobolev_above_half = Claim(
    source=ARXIV.at("Appendix D, (136), for m > d/2 on every bounded set"),
    statement=step_sobolev.statement,
    given=[m > d / 2, d >= 1],
    worlds=sobolev_worlds("interval"),
    parameters=step_sobolev.parameters,
    measure=SOBOLEV_MEASURE,
    families=(
        sobolev_family("monomial", 1, doublings(1, 8)),
        sobolev_family("interval", 1, doublings(2, 10)),
    ),
    reading=(
        "a bounded support, as printed, may have infinitely many components; on its interior the "
        "weak derivative of the indicator of one of them is zero"
    ),
)

repaired_sobolev = Claim(
    source=ARXIV.at("Appendix D, (136), for m > d/2 on an interval"),
    statement=step_sobolev.statement,
    given=[m > d / 2, d >= 1],
    worlds=SOBOLEV,
    parameters=step_sobolev.parameters,
    measure=SOBOLEV_MEASURE,
    families=(sobolev_family("monomial", 1, doublings(1, 10)),),
)

# Derivatives of functions of H_M^+.

derivative, absolute, bound = symbols("derivative absolute bound", real=True)


def sum_of(weights, real, imaginary):
    """Coefficients of sum over +-w_j of g phi: cosines and sines, g(-w) the conjugate of g(w)."""
    return (
        [2 * t * a for t, a in zip(weights, real, strict=True)],
        [-2 * t * b for t, b in zip(weights, imaginary, strict=True)],
    )


def derivative_norm(frequencies, weights, real, imaginary, order, h):
    """int |d^a f|^2 of f = int g phi d tau^+."""
    parts = differentiated(frequencies, *sum_of(weights, real, imaginary), order)
    return squared_integral(frequencies, *parts, h)


def absolute_norm(frequencies, weights, real, imaginary, order, h):
    """The printed right side: |g| in the place of g."""
    sizes = [square_root(a * a + b * b) for a, b in zip(real, imaginary, strict=True)]
    parts = differentiated(frequencies, *sum_of(weights, sizes, [fmpq(0)] * len(sizes)), order)
    return squared_integral(frequencies, *parts, h)


def product_bound(frequencies, weights, real, imaginary, order, h):
    """||g||^2 int int |d^a phi|^2 d tau^+ dx."""
    norm = sum(
        (2 * t * (a * a + b * b) for t, a, b in zip(weights, real, imaginary, strict=True)),
        fmpq(0),
    )
    moment = sum(
        (2 * t * w ** (2 * order) for t, w in zip(weights, frequencies, strict=True)), fmpq(0)
    )
    return norm * moment * h


SPECTRUM = Space(
    K=Integer(1, searched=3),
    frequencies=Vector("K", 0, 4),
    weights=Vector("K", 0, 1),
    real=Vector("K", searched=(-2, 2)),
    imaginary=Vector("K", searched=(-2, 2)),
    order=Integer(0, 3),
    h=Real("1/20", 3),
)
SPECTRUM_MEASURE = {derivative: derivative_norm, absolute: absolute_norm, bound: product_bound}

step_cauchy_schwarz = Claim(
    source=ARXIV.at("Appendix D, (143)-(145)"),
    statement=Holds(And(derivative <= absolute, absolute <= bound)),
    worlds=SPECTRUM,
    measure=SPECTRUM_MEASURE,
    reading="a symmetric spectrum and g(-w) conjugate to g(w), so that all is real, d = 1",
    cost=4,
)

repaired_cauchy_schwarz = Claim(
    source=ARXIV.at("Appendix D, (143)-(145) without the middle"),
    statement=Holds(derivative <= bound),
    worlds=SPECTRUM,
    measure=SPECTRUM_MEASURE,
    cost=4,
)

at_real, at_imaginary, printed_real, printed_imaginary = symbols(
    "at_real at_imaginary printed_real printed_imaginary", real=True
)


def wave(frequency, point, order, turn):
    """(real, imaginary) of w^a e^{i w x}, times i^a if `turn`."""
    angle = arb(frequency * point)
    real, imaginary = angle.cos() * frequency**order, angle.sin() * frequency**order
    for _ in range(order if turn else 0):
        real, imaginary = -imaginary, real
    return real, imaginary


WAVES = Space(frequency=Real(-4, 4), point=Real(-4, 4), order=Integer(0, 4))
WAVE_MEASURE = {
    at_real: lambda frequency, point, order: wave(frequency, point, order, True)[0],
    at_imaginary: lambda frequency, point, order: wave(frequency, point, order, True)[1],
    printed_real: lambda frequency, point, order: wave(frequency, point, order, False)[0],
    printed_imaginary: lambda frequency, point, order: wave(frequency, point, order, False)[1],
}

step_derivative = Claim(
    source=ARXIV.at("Appendix D, (146)-(147)"),
    statement=Holds(And(Eq(at_real, printed_real), Eq(at_imaginary, printed_imaginary))),
    worlds=WAVES,
    measure=WAVE_MEASURE,
    reading="d = 1; the derivative of e^{i w x} of order a is i^a w^a e^{i w x}",
)

step_derivative_bound = Claim(
    source=ARXIV.at("Appendix D, (148)-(149), which need the modulus only"),
    statement=Holds(
        Eq(at_real**2 + at_imaginary**2, printed_real**2 + printed_imaginary**2)
    ),
    worlds=WAVES,
    measure=WAVE_MEASURE,
)

step_markov = Claim(
    source=ARXIV.at("Appendix D, (150)-(151) as summed in (152)"),
    statement=Holds(erf(sqrt(1 / (2 * delta))) ** d >= 1 - delta),
    given=[And(delta > 0, delta < 1), d >= 1],
    parameters={d: Integer(1, searched=40), delta: Real(0, 1, open_low=True, open_high=True)},
    reading=(
        "one Gaussian feature: the left side is the probability that the inequality holds for the "
        "d multi-indices of order one; (152) uses it for these and more at once"
    ),
)

average_moment, moment = symbols("average_moment moment", real=True)


def moment_of(frequencies, weights, order):
    """sum_k weight w_k^(2 a)."""
    return sum(
        (t * w ** (2 * order) for t, w in zip(weights, frequencies, strict=True)), fmpq(0)
    )


DRAWN = Space(
    K=Integer(1, searched=3), tau=Weights("K"), frequencies=Vector("K", -5, 5), order=Integer(0, 3),
    top=Derived(lambda order: max(order, 1)),
)  # fmt: skip

step_markov_single = Claim(
    source=ARXIV.at("Appendix D, (150), for one multi-index"),
    statement=WithProbability(1 - delta, delta * average_moment <= moment),
    given=[And(delta > 0, delta <= 1)],
    worlds=DRAWN,
    parameters={M: Integer(1, searched=6), delta: Real(0, 1, open_low=True)},
    draw=Counts("counts", "tau", "M"),
    measure={
        average_moment: lambda frequencies, counts, order: moment_of(
            frequencies, [fmpq(int(c), int(sum(counts))) for c in counts], order
        ),
        moment: lambda frequencies, tau, order: moment_of(frequencies, tau, order),
    },
)

all_average, all_moments = symbols("all_average all_moments", real=True)


def all_moments_of(frequencies, weights, top):
    """sum over orders up to the top."""
    return sum((moment_of(frequencies, weights, a) for a in range(top + 1)), fmpq(0))


step_sobolev_norm = Claim(
    source=ARXIV.at("Appendix D, (152)-(153)"),
    statement=WithProbability(
        1 - delta, all_moments + all_average <= (1 + 1 / delta) * all_moments
    ),
    given=[And(delta > 0, delta <= 1)],
    worlds=DRAWN,
    parameters={M: Integer(1, searched=6), delta: Real(0, 1, open_low=True)},
    draw=Counts("counts", "tau", "M"),
    measure={
        all_average: lambda frequencies, counts, top: all_moments_of(
            frequencies, [fmpq(int(c), int(sum(counts))) for c in counts], top
        ),
        all_moments: lambda frequencies, tau, top: all_moments_of(frequencies, tau, top),
    },
    uses=(
        "yashima2021/theorem_2:step_cauchy_schwarz",
        "yashima2021/theorem_2:step_derivative",
        "yashima2021/theorem_2:step_markov",
    ),
    reading=(
        "the bound over its common factor C'^2 vol ||f||^2: the inequality for all f follows from "
        "this one of moments, d = 1"
    ),
)
