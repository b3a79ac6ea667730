"""Theorem 3, complete statement, and the steps of its proof.

Setting    as in Theorem 3; m = m(delta), Lipschitz constant G (L in the conference edition).
Claim      M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T||_op delta)), in the logarithm
           the low-noise margin delta, and xi the least of
           (m / (2^(p+3) C(delta') ||g_*||))^(1/(1-p)), lambda m^2 / (2^8 3 R^2 G ||g_*||),
           (lambda^3 m^4 / (2^15 3^2 R^4 G^2 L(g_*)))^(1/2), the same with G^3 ||g_*|| to the 1/3.
           Then with probability 1 - 2 delta' over the features, under the condition on T, for all
           t > T the expected excess error is at most 2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9
           G^2 R^4)): of the average at t + 1 (conference edition), at T + 1 (preprint).
"""

from sympy import Min, log

from boundcheck import Claim, Holds
from boundcheck.expressions import define, greatest, indicator, parameter, total
from boundcheck.settings.averaged_sgd import (
    M,
    R,
    T,
    delta,
    delta_prime,
    eta,
    i,
    k_th,
    lam,
    phi,
    rho,
    t,
    tau,
)
from boundcheck.worlds import Integer

from . import AISTATS, ARXIV
from ._theorem_3 import CONFERENCE, LIPSCHITZ, NARROW, PREPRINT, L, hypotheses, population
from ._theorem_3_full import rests_on

bits = parameter("bits", Integer(1, wide=True, searched=10**90), says="delta' = 2^-bits.")
level = define("delta_prime", 2**-bits, latex=r"\delta'")


def excess_of(g):
    """R(g) - R(Bayes): the mass |2 eta - 1| of wrong signs, sgn(0) = -1."""
    right = (2 * indicator(2 * eta[i] > 1) - 1) * (2 * indicator(g > 0) - 1)
    return total(rho[i] * abs(2 * eta[i] - 1) * indicator(right < 0), i)


least_excess = Min(excess_of(phi[i, k_th]), excess_of(-phi[i, k_th]), excess_of(0 * phi[i, k_th]))


def theorem(place, of, edition, step_cap, level_of_features, t_searched=10**30, **searched):
    """unlucky^M <= 2 delta': with M draws of one such feature the bound fails."""
    tail_bound = define("tail_bound", of.bound(), says="The bound of the theorem.")
    unlucky = define(
        "unlucky", greatest(tau[k_th] * indicator(tail_bound < least_excess), k_th),
        says="Largest weight of a feature whose every multiple has an excess above the bound.",
    )  # fmt: skip
    return Claim(
        place,
        Holds((bits - 1) * log(2) <= M * log(1 / unlucky)),
        given=[*hypotheses(of, of.features(level_of_features), step_cap), t > T, unlucky > 0],
        domains={
            **population("1/1000", "9/10"),
            delta_prime: level,
            T: Integer(1, searched=3),
            t: Integer(2, wide=True, searched=10**30),
            M: Integer(1, wide=True, searched=searched.get("features", 10**60)),
            bits: Integer(1, wide=True, searched=searched.get("bits", 10**90)),
        },
        uses=rests_on(edition, searched.get("mended", False)),
        reading="a consequence, unlucky^M <= 2 delta' in logarithms with delta' = 2^-bits, so that "
        "it can be weighed at any M: all M draws are the unlucky feature with probability "
        "unlucky^M, and then every function of H_M is a multiple of it; lambda is any with "
        "||g_lambda - g_*|| <= m/2, as the proof takes it; C(delta') is a constant that serves for "
        "every sample of features; p below 9/10" + NARROW,
        cost=searched.get("cost", 3),
    )


aistats = theorem(
    AISTATS.at("Theorem 3 in Appendix E, (28)"), CONFERENCE, "aistats",
    Min(1 / LIPSCHITZ, 1 / (2 * lam)), delta,
)  # fmt: skip
arxiv = theorem(
    ARXIV.at("Theorem 3 in Appendix E, (156)-(159)"), PREPRINT, "arxiv",
    Min(1 / L, 1 / (2 * lam)), delta,
)  # fmt: skip
repaired = theorem(
    ARXIV.at("Theorem 3 in Appendix E with delta' in (156), t + 1 in (159), 1/(L R^2)"), PREPRINT,
    "arxiv", Min(1 / (L * R**2), 1 / (2 * lam)), delta_prime, features=10**400, bits=10**30, cost=6,
    mended=True,
)  # fmt: skip
