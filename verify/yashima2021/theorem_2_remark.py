"""Beyond the Gaussian kernel: spectral measures with finite moments.

Setting    shift-invariant kernel psi(x - y) with spectral measure tau.
Claim      Theorem 2 holds if tau has finite moments of every order (conference edition); psi in the
           Schwartz class gives finite moments E w^(2a) (preprint).
"""

import math

from flint import arb, arb_mat, fmpq
from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities.sobolev import interpolation_ratio, peak_ratio, with_frequency
from boundcheck.worlds import Choice, Custom, Family, Integer, Real, Space, Vector, Weights

from . import AISTATS, ARXIV, delta, m

ratio, ratio_sum, moment, derivative = symbols("ratio ratio_sum moment derivative", real=True)


def mixture_gram(points, spectrum, tau):
    """sum_k tau_k cos(w_k (x - y)) on a grid of [0, 1]: a spectrum of finitely many atoms +-w_k."""
    step = fmpq(1, max(points - 1, 1))
    return arb_mat(points, points, [
        sum((t * arb(w * (i - j) * step).cos() for t, w in zip(tau, spectrum, strict=True)), arb(0))
        for i in range(points) for j in range(points)
    ])  # fmt: skip


def population_ratio(points, spectrum, tau, m):
    """Interpolation ratio of the kernel alone."""
    return interpolation_ratio(mixture_gram(points, spectrum, tau), points, fmpq(1, 2 * m))


def sum_ratio(points, spectrum, tau, m):
    """Interpolation ratio with the highest frequency drawn as the one feature."""
    whole = with_frequency(mixture_gram(points, spectrum, tau), max(spectrum))
    return interpolation_ratio(whole, points, fmpq(1, 2 * m))


def ratio_of(kind, points, spectrum, tau, m):
    """Interpolation ratio of the kernel alone: on a grid, or of a peak of one index."""
    if kind == "peak":
        return peak_ratio(points, fmpq(1, 2 * m))
    return population_ratio(points, spectrum, tau, m)


def sum_ratio_of(kind, points, spectrum, tau, m):
    """The same with a drawn feature; no norm in H_M^+ is larger than in H."""
    if kind == "peak":
        return peak_ratio(points, fmpq(1, 2 * m))
    return sum_ratio(points, spectrum, tau, m)


def grid(size, spectrum):
    """Grids of the interval for one spectrum."""
    count = len(spectrum)
    return {
        "kind": "grid", "points": size, "K": count, "spectrum": tuple(fmpq(w) for w in spectrum),
        "tau": (fmpq(1, count),) * count, "m": 1, "delta": fmpq(1, 2),
    }  # fmt: skip


def peak(size):
    """The peak that lives on an interval of length 1 / size of the support, size = 2^(l^2)."""
    index = math.isqrt(size.bit_length() - 1)
    return {**grid(index, (0,)), "kind": "peak"}


GRIDS = (
    Family("finer grids, three frequencies", lambda size: grid(size, (1, 2, 5)),
           (4, 6, 8, 12, 16, 24)),
    Family("finer grids, five frequencies", lambda size: grid(size, (0, 3, 6, 9, 12)),
           (4, 6, 8, 12, 16, 24)),
)  # fmt: skip

def enough_points(value, world):
    """A grid of four points or more; the index of a peak."""
    return Integer(4 if world["kind"] == "grid" else 1, searched=12).admits(value, world)


aistats = Claim(
    source=AISTATS.at("Section 3.2, remark after Theorem 2"),
    statement=UpToConstant(And(Le(ratio, 1), Le(ratio_sum, (1 + 1 / delta) ** (1 / (4 * m))))),
    given=[And(delta > 0, delta < 1), m >= 1],
    worlds=Space(
        kind=Choice(("grid", "peak"), searched=("grid",)),
        points=Custom(lambda source, earlier: source.integer(4, 12), enough_points),
        K=Integer(1, searched=3), spectrum=Vector("K", 0, 12),
        tau=Weights("K"),
    ),
    parameters={m: Integer(1, searched=3), delta: Real(0, 1, open_low=True, open_high=True)},
    measure={ratio: ratio_of, ratio_sum: sum_ratio_of},
    families=(
        *GRIDS,
        Family("peaks on ever shorter intervals of one bounded support, spectrum of all moments",
               peak, tuple(2 ** (k * k) for k in range(2, 11))),
    ),
    uses=("yashima2021/theorem_2:printed",),
    reading=(
        "the support is any bounded set, as in the theorem; d = 1, spectra of atoms on finitely "
        "many or all integers; grids stand for the uniform density on an interval"
    ),
    cost=100,
)  # fmt: skip

on_an_interval = Claim(
    source=AISTATS.at("Section 3.2, remark after Theorem 2, for the uniform density on [0, 1]"),
    statement=aistats.statement,
    given=aistats.given,
    worlds=aistats.worlds.and_fields(kind=Choice(("grid",))),
    parameters=aistats.parameters,
    measure=aistats.measure,
    families=GRIDS,
    uses=aistats.uses,
    reading="spectra of finitely many atoms, d = 1, grids that stand for the uniform density",
    cost=100,
)


def gaussian_moment(widths, tau, order):
    """E w^(2a) of a mixture of centred normal laws with these deviations: (2a - 1)!! s^(2a)."""
    double = 1
    for odd in range(1, 2 * order, 2):
        double *= odd
    return sum((t * s ** (2 * order) * double for t, s in zip(tau, widths, strict=True)), fmpq(0))


def derivative_at_zero(widths, tau, order):
    """(-1)^a times the derivative of order 2a at zero of psi(x) = sum_k tau_k exp(-s_k^2 x^2 / 2).

    By the recursion psi^(n+1) = -s^2 (x psi^(n) + n psi^(n-1)) of each term.
    """
    total = fmpq(0)
    for t, s in zip(tau, widths, strict=True):
        value = fmpq(1)
        for n in range(1, 2 * order, 2):
            value *= -s * s * n
        total += t * value
    return total * (-1) ** order


arxiv = Claim(
    source=ARXIV.at("Appendix D, remark at the end"),
    statement=Holds(Eq(moment, derivative)),
    worlds=Space(
        K=Integer(1, searched=3), tau=Weights("K"), widths=Vector("K", 0, 20), order=Integer(0, 8)
    ),
    measure={moment: gaussian_moment, derivative: derivative_at_zero},
    reading=(
        "moments are derivatives of psi at zero, so they are finite for a smooth psi; shown on "
        "mixtures of Gaussian kernels, which lie in the Schwartz class"
    ),
)
