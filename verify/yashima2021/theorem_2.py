"""Theorem 2: sup-norm interpolation for the Gaussian kernel and its random Fourier features.

Setting    rho with a density bounded from above and below on its bounded support; Gaussian kernel
           on R^d; any m >= d/2; M >= 1 random Fourier features, H_M^+ the RKHS of k + k_M.
"""

from sympy import And, Rational

from boundcheck import Claim, UpToConstant
from boundcheck.expressions import define, parameter, world
from boundcheck.settings.averaged_sgd import delta
from boundcheck.settings.fourier import (
    gaussian,
    interpolation_ratio,
    normal_quantile,
    on_grid,
    points,
    with_feature,
)
from boundcheck.worlds import Family, Real, doublings

from . import ARXIV

m = parameter("m", Real("1/2", None, searched=("1/2", 3)), says="Order of the Sobolev space.")
width = world("width", Real(0, None, open_low=True, searched=("1/4", 2)), says="Of the kernel.")
gram = on_grid(gaussian(width))
SUP = r"\sup_{f \in H} \|f\|_\infty / (\|f\|_H^{1/2m} \|f\|_2^{1-1/2m})"
SUP_SUM = SUP.replace("H", "H_M^+").replace("H_M^+^", "{H_M^+}^")
ratio = define("ratio", interpolation_ratio(gram, 1 / (2 * m)), latex=SUP)
drawn = with_feature(gram, normal_quantile(delta) / width)
ratio_sum = define(
    "ratio_sum", interpolation_ratio(drawn, 1 / (2 * m), 2 * points), latex=SUP_SUM
)

HALF, GRIDS = Rational(1, 2), (4, 6, 8, 12, 16, 24)


def on_grids(name, sizes=GRIDS, points=None, **changes):
    """Grids with some values that depend on the size."""

    def world(size):
        plain = {"width": HALF, "gap": 0, "m": Rational(1), "delta": Rational(1, 10)}
        changed = {name: rule(Rational(size)) for name, rule in changes.items()}
        return {**plain, "points": points or size, **changed}

    return Family(name, world, sizes)


printed = Claim(
    ARXIV.at("Theorem 2, (26)-(27); AISTATS (7)-(8)"),
    UpToConstant(
        And(ratio <= 1, ratio_sum <= (1 + 1 / delta) ** (1 / (4 * m))),
        depends=("m", "width", "gap"),
    ),
    given=[And(delta > 0, delta < 1), 2 * m >= 1],
    families=(
        on_grids("finer grids"),
        on_grids("finer grids, m = d/2", m=lambda s: HALF),
        on_grids("finer grids of two intervals", gap=lambda s: 3),
        on_grids("delta shrinks", doublings(1, 8), 12, delta=lambda s: 1 / (4 * s)),
        on_grids("delta shrinks, m = 2", doublings(1, 8), 12, delta=lambda s: 1 / (4 * s),
                 m=lambda s: Rational(2)),
    ),
    uses=tuple(f"yashima2021/theorem_2:step_{name}" for name in (
        "sobolev", "cauchy_schwarz", "derivative", "markov", "sobolev_norm",
    )),
    reading="d = 1 on grids of one or two intervals that stand for the uniform density; one "
    "feature, at the frequency that is exceeded with probability delta; m is any real number from "
    "d/2 on; C_{m,d} may depend on m, on the kernel and on the support",
    cost=100,
)  # fmt: skip
