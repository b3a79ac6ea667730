"""Beyond the Gaussian kernel: spectral measures with finite moments.

Setting    shift-invariant kernel psi(x - y) with spectral measure tau.
Claim      Theorem 2 holds if tau has finite moments of every order (conference edition); psi in the
           Schwartz class gives finite moments E w^(2a) (preprint).
"""

from math import isqrt

from sympy import And, Eq, Piecewise, Rational, factorial

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import define, greatest, index, multiplied, total, world
from boundcheck.settings.averaged_sgd import delta
from boundcheck.settings.fourier import (
    K,
    gap,
    interpolation_ratio,
    k,
    mixture,
    on_grid,
    peak_ratio,
    points,
    tau,
    w,
    with_feature,
)
from boundcheck.worlds import Choice, Family, Integer, Vector

from . import AISTATS, ARXIV
from .theorem_2 import SUP, SUP_SUM, m

peak = world("peak", Integer(0, searched=0), says="0: functions on a grid; l: the l-th peak.")
gram, theta = on_grid(mixture), 1 / (2 * m)
# No norm in H_M^+ is larger than in H, so the ratio of a peak serves for both.
on_peak = peak_ratio(peak, theta)
drawn = with_feature(gram, greatest(w[k], k))
ratio = define(
    "ratio", Piecewise((interpolation_ratio(gram, theta), Eq(peak, 0)), (on_peak, True)), latex=SUP
)
ratio_sum = define("ratio_sum", Piecewise(
    (interpolation_ratio(drawn, theta, 2 * points), Eq(peak, 0)), (on_peak, True)
), latex=SUP_SUM)  # fmt: skip


def spectrum(size, *frequencies, peak=0):
    """A grid of this size, a spectrum of equal weights."""
    count = len(frequencies)
    return {
        "points": size, "K": count, "frequencies": tuple(map(Rational, frequencies)), "peak": peak,
        "tau": (Rational(1, count),) * count, "gap": 0, "m": Rational(1), "delta": Rational(1, 2),
    }  # fmt: skip


SIZES = (4, 6, 8, 12, 16, 24)
GRIDS = (
    Family("finer grids, three frequencies", lambda size: spectrum(size, 1, 2, 5), SIZES),
    Family("finer grids, five frequencies", lambda size: spectrum(size, 0, 3, 6, 9, 12), SIZES),
)
PEAKS = Family(
    "peaks on ever shorter intervals of one bounded support, spectrum of all moments",
    lambda size: spectrum(4, 0, peak=isqrt(size.bit_length() - 1)),
    tuple(2 ** (k * k) for k in range(2, 11)),
)


def remark(where, peaks, families, reading):
    """Theorem 2 for a spectrum of finite moments, d = 1."""
    return Claim(
        AISTATS.at("Section 3.2, remark after Theorem 2" + where),
        UpToConstant(
            And(ratio <= 1, ratio_sum <= (1 + 1 / delta) ** (1 / (4 * m))),
            depends=("m", "K", "tau", "frequencies", "gap"),
        ),
        given=[And(delta > 0, delta < 1), 2 * m >= 1],
        domains={w: Vector("K", 0, searched=(0, 12)), gap: Choice((0,)), peak: peaks},
        families=families,
        uses=("yashima2021/theorem_2:printed",),
        reading=reading + "; C_{m,d} may depend on m, on the kernel and on the support",
        cost=100,
    )


aistats = remark(
    "", Integer(0, searched=0), (*GRIDS, PEAKS),
    "the support is any bounded set, as in the theorem; d = 1, spectra of atoms on finitely many "
    "or all integers; grids stand for the uniform density on an interval",
)  # fmt: skip
on_an_interval = remark(
    ", for the uniform density on [0, 1]", Choice((0,)), GRIDS,
    "spectra of finitely many atoms, d = 1, grids that stand for the uniform density",
)  # fmt: skip

widths = world("widths", Vector(K, 0, searched=(0, 20)), latex="s", says="Deviations, normal laws.")
order = world("order", Integer(0, searched=8), latex="a")
q = index("q", order)
moment = total(tau[k] * widths[k] ** (2 * order), k) * factorial(2 * order)
# psi(x) = sum_k tau_k exp(-s_k^2 x^2 / 2): from one order to the next by -s_k^2 (2 q + 1).
derivative = total(tau[k] * multiplied(-(widths[k] ** 2) * (2 * q + 1), q), k)

arxiv = Claim(
    ARXIV.at("Appendix D, remark at the end"),
    Holds(Eq(moment / (2**order * factorial(order)), (-1) ** order * derivative)),
    reading="moments are derivatives of psi at zero, so they are finite for a smooth psi; shown on "
    "mixtures of Gaussian kernels, which lie in the Schwartz class",
)
