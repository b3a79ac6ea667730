"""Lemma 2: functions of H and of H_M approximate each other in L2(rho).

Setting    |phi(x, omega)| <= R; H with feature weights tau, H_M from M feature draws.
Claim      if M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) log(2 R^2 / (||T||_op delta)), delta in (0, 1],
           then with probability at least 1 - delta over the features, for every g in H there is
           g' in H_M with ||g - g'||_L2 <= xi ||g||_H and ||g'||_HM <= ||g||_H, and for every g' in
           H_M such a g in H. Both halves say that the unit balls have Hausdorff distance <= xi.
Steps      g = T^(1/2) h and a part in the kernel of Sigma, h = sum_k a_k phi_k any element of the
           range of T; g' = T_M^(1/2) P h with the projection P on the range of T_M; w are the
           weights counts/M of any sample, the zero ones included.
"""

from sympy import And, Eq, Max, Rational, log, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import diagonal, inner, named, parameter, world
from boundcheck.quantities.feature_operators import (
    range_projection,
    root_kernel,
    unit_ball_distance,
)
from boundcheck.settings.averaged_sgd import (
    BOUNDED,
    D,
    K,
    M,
    R,
    delta,
    function,
    k,
    k_M,
    norm_T,
    phi,
    rho,
    xi,
)
from boundcheck.settings.covariance import T, norm, operator_norm, squared_norm
from boundcheck.settings.rkhs import least_squared_norm
from boundcheck.worlds import Integer, Real, Weights

from . import ARXIV

LEMMA_1, PROPOSITION_3 = "yashima2021/lemma_1:arxiv", "yashima2021/proposition_3:printed"


def features(beta):
    """The least M of the statement."""
    return Max(Rational(8, 3) * (R / xi) ** 2, 32 * (R / xi) ** 4) * beta


printed = Claim(
    ARXIV.at("Lemma 2; AISTATS Appendix B"),
    WithProbability(1 - delta, unit_ball_distance(k, k_M, rho) <= xi),
    given=[*BOUNDED, features(log(2 * R**2 / (norm_T * delta))) <= M],
    domains={
        M: Integer(1, wide=True, searched=10**15),
        xi: Real(0, None, open_low=True, log=True, searched=("1/100", 10)),
    },
    uses=(
        LEMMA_1,
        "yashima2021/proposition_1:printed",
        PROPOSITION_3,
        "yashima2021/lemma_2:step_norm",
        "yashima2021/lemma_2:step_square_root",
        "yashima2021/lemma_2:step_split",
        "yashima2021/lemma_2:step_solve",
    ),
    reading="for every g there is g' means the distance of unit balls, by support functions; the "
    "condition on M has a value only where T is not zero",
    cost=12,
)

w = world("w", Weights(K, zeros=True), says="How often each feature is drawn, over M.")
a = function("a", K)
rest = parameter(
    "rest", Real(0, None), units={"value": 1, "feature": 1},
    says="Norm of the part of g in the kernel of Sigma.",
)  # fmt: skip
k_w = phi * diagonal(w) * phi.T
T_w = named("T_M", k_w * D)
q, q_w = root_kernel(k, rho), root_kernel(k_w, rho)
h = named("h", phi * a)
Ph = named("P h", range_projection(k_w, rho) * h, r"\mathcal{P}_{\mathrm{Ker}(T_M)^\perp}h")
root_h = named("T^1/2 h", q * D * h, "T^{1/2}h")
root_w_h, g_ = (
    named(f"T_M^1/2 {name}", q_w * D * v, f"T_M^{{1/2}}{latex}")
    for name, v, latex in (("h", h, "h"), ("P h", Ph, Ph.args[1].name))
)
square_g = named("||g||^2", squared_norm(h) + rest**2, r"\|g\|_{\mathcal{H}}^2")

step_norm = Claim(
    ARXIV.at("proof of Lemma 2, (89)-(92); AISTATS Appendix B"),
    Holds(
        And(
            Eq(least_squared_norm(k_w, T_w * Ph), inner(Ph, D * T_w * Ph)),
            squared_norm(Ph) <= squared_norm(h),
            Eq(least_squared_norm(k, T * h), inner(h, D * T * h)),
            squared_norm(h) <= square_g,
        )
    ),
    uses=(PROPOSITION_3,),
    reading="squared norms; the part of g in the kernel of Sigma is orthogonal and adds its own "
    "squared norm; the equalities ||T^(1/2) u|| = ||u|| are tested on the smoother u = T^(1/2) v",
)
of_roots = operator_norm("T^{1/2}-T_M^{1/2}", q - q_w)
tolerance = 1 + Rational(1, 10**9)

step_square_root = Claim(
    ARXIV.at("proof of Lemma 2, (93)-(97); AISTATS Appendix B"),
    Holds(
        And(
            norm(root_h - g_) <= tolerance * norm(root_h - root_w_h),
            norm(root_h - root_w_h) <= of_roots * norm(h),
            of_roots * norm(h) <= sqrt(operator_norm("T-T_M", k - k_w)) * norm(h),
            norm(h) <= sqrt(square_g),
        )
    ),
    uses=("yashima2021/proposition_1:printed", LEMMA_1),
    reading="the first display is an equality of balls, tested to 10^-9",
    cost=5,
)

beta = parameter("beta", Real(0, None, open_low=True), latex=r"\beta")
first, second = sqrt(2 * beta / (3 * M)), (2 * beta / M) ** Rational(1, 4)

step_split = Claim(
    ARXIV.at("proof of Lemma 2, (98)-(99); AISTATS Appendix B"),
    Holds(sqrt(R**2 * (2 * beta / (3 * M) + sqrt(2 * beta / M))) <= R * (first + second)),
    given=[R > 0],
    domains={M: Integer(1, wide=True, searched=10**18)},
)
step_solve = Claim(
    ARXIV.at("proof of Lemma 2, after (99); AISTATS Appendix B"),
    Holds(And(Max(first, second) <= xi / (2 * R), R * (first + second) <= xi)),
    given=[R > 0, features(beta) <= M],
    domains={
        M: Integer(1, wide=True, searched=10**30),
        xi: Real(0, None, open_low=True, log=True, searched=("1/1000", 10)),
    },
)
