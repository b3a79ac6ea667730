"""Lemma 1: the covariance operator of sampled features against the true one.

Setting    |phi(x, omega)| <= R; T on L2(rho) with feature weights tau, T_M from M feature draws.
Claim      with probability at least 1 - delta over the features, for delta in [0, 1) as printed
           (Proposition 2 and Lemma 2 have (0, 1]),
           ||T - T_M||_op <= R^2 (2 b / (3 M) + sqrt(2 b / M)), b = log(2 R^2 / (||T||_op delta)).
Steps      X = T - phi (x) phi: bounds on X, on E X^2, on tr T, and the use of Proposition 2. An
           inequality of operators is that of <A v, v> for every v in L2(rho), as (56) defines it.
"""

from sympy import And, Eq, log, sqrt

from boundcheck import Claim, Holds, WithProbability
from boundcheck.expressions import named, outer, total, trace
from boundcheck.settings.averaged_sgd import (
    BOUNDED,
    M,
    R,
    covariance_norm,
    delta,
    i,
    k,
    k_th,
    norm_T,
    phi,
    rho,
)
from boundcheck.settings.covariance import E_feature, I, T, deviation, feature, quadratic, rank_one
from boundcheck.worlds import Integer, Real

from . import AISTATS, ARXIV

beta = log(2 * R**2 / (norm_T * delta))
bound = R**2 * (2 * beta / (3 * M) + sqrt(2 * beta / M))
sharper = 2 * R**2 * beta / (3 * M) + sqrt(2 * R**2 * norm_T * beta / M)
WIDE = {M: Integer(1, wide=True, searched=10**12)}
AS_PRINTED = {**WIDE, delta: Real(0, 1, open_high=True)}
STEPS = (
    "yashima2021/proposition_2:printed",
    "yashima2021/lemma_1:step_bounded",
    "yashima2021/lemma_1:step_variance",
    "yashima2021/lemma_1:step_trace",
)
BERNSTEIN = "yashima2021/lemma_1:step_bernstein"


def lemma(place, relation, domains, uses, reading=""):
    return Claim(
        place,
        WithProbability(1 - delta, relation),
        given=[*BOUNDED, norm_T > 0],
        domains=domains,
        uses=uses,
        reading=reading,
        cost=8,
    )


DELTA = "delta ranges over [0, 1) as printed, with 0 and without 1; T is not zero"
aistats = lemma(
    AISTATS.at("Lemma 1, Appendix B"), deviation <= bound, AS_PRINTED, (*STEPS, BERNSTEIN), DELTA
)
arxiv = lemma(
    ARXIV.at("Lemma 1, (76)"), deviation <= bound, AS_PRINTED, (*STEPS, BERNSTEIN), DELTA
)
repaired = lemma(
    ARXIV.at("Lemma 1 with delta in (0, 1]"), deviation <= bound, WIDE, (BERNSTEIN,)
)
step_bernstein = lemma(
    ARXIV.at("proof of Lemma 1, (86)-(88); AISTATS Appendix B"),
    And(deviation <= sharper, sharper <= bound), WIDE, STEPS,
    "Proposition 2 with B = R^2 and S = R^2 T, where it applies (T not zero)",
)  # fmt: skip

P, P_i = rank_one(feature()), rank_one(feature(k_th))
X, X_i = named("X", T - P), named("X_i", T - P_i)

step_bounded = Claim(
    ARXIV.at("proof of Lemma 1, (77)-(80); AISTATS Appendix B"),
    Holds(
        And(
            Eq(E_feature(quadratic(X_i)), 0),
            quadratic(X) <= quadratic(T),
            quadratic(T) <= R**2 * quadratic(I),
            quadratic(X) >= -quadratic(P),
            -quadratic(P) >= -(R**2) * quadratic(I),
            covariance_norm(k - outer(feature(), feature())) <= R**2,
        )
    ),
    given=BOUNDED,
    cost=2,
)

square, square_of_one = E_feature(quadratic(X_i**2)), E_feature(quadratic(P_i**2))
scaled = E_feature(total(rho[i] * phi[i, k_th] ** 2, i) * quadratic(P_i))

step_variance = Claim(
    ARXIV.at("proof of Lemma 1, (81)-(84); AISTATS Appendix B"),
    Holds(
        And(
            Eq(square, square_of_one - quadratic(T**2)),
            square_of_one - quadratic(T**2) <= square_of_one,
            square_of_one <= scaled,
            scaled <= R**2 * quadratic(T),
        )
    ),
    given=BOUNDED,
    reading="E[A]^2 is read as E[A^2], which is what (83) needs",
    cost=2,
)

trace_k = total(rho[i] * E_feature(phi[i, k_th] ** 2), i)

step_trace = Claim(
    ARXIV.at("proof of Lemma 1, (85); AISTATS Appendix B"),
    Holds(And(Eq(trace(T), trace_k), trace_k <= R**2)),
    given=BOUNDED,
)
