"""Theorem 1 in full: how many random features make the minimisers agree within epsilon.

Setting    L-Lipschitz convex non-negative loss, features bounded by R, sup-norm interpolation with
           exponent p and constant C; g_* minimises the expected loss and lies in H.
Claim      with xi the least of four terms and M >= max(8/3 (R/xi)^2, 32 (R/xi)^4) times
           log(2 R^2 / (||T|| delta)), sup |g_lambda - g_{M, lambda}| <= epsilon with probability
           1 - delta (conference edition), 1 - 2 delta (preprint).

The steps speak of any functions u in H_M and v in H that are to g_lambda and g_{M, lambda} as
(104)-(107) of the preprint say: no larger norm, within xi times the norm in L2(rho).
"""

from sympy import And

from boundcheck import Claim, WithProbability
from boundcheck.settings.averaged_sgd import BOUNDED, WITH_BAYES_RULE, M, delta, epsilon, gap, lam
from boundcheck.worlds import Integer

from . import AISTATS, ARXIV
from ._theorem_1_full import STEP, constants

STEPS = (
    "strong_convexity", "lipschitz", "distance", "norm_bound", "combined", "sup_norm",
    "interpolation", "sum_space_norm", "total", "solve_xi",
)  # fmt: skip


def theorem(place, probability, edition, note=""):
    """The complete statement in an edition."""
    return Claim(
        place,
        WithProbability(probability, gap <= epsilon),
        given=[
            constants.norm_star > 0, *BOUNDED, lam > 0, And(delta > 0, delta <= 1), epsilon > 0,
            constants.features_for(constants.accuracies(epsilon), delta) <= M,
        ],
        domains={**WITH_BAYES_RULE, M: Integer(1, wide=True, searched=2**61)},
        uses=(
            "yashima2021/lemma_2:printed",
            *(STEP + name for name in (*STEPS, f"probability_{edition}")),
        ),
        reading="g_* minimises the expected loss and lies in H, as the proof uses it; the exponent "
        "is 1/(1 - p); the constant C serves for every draw" + note,
        cost=10,
    )  # fmt: skip


aistats = theorem(AISTATS.at("Appendix C, Theorem 1"), 1 - delta, "aistats")
arxiv = theorem(
    ARXIV.at("Appendix C, Theorem 1, (100)-(102)"), 1 - 2 * delta, "arxiv",
    "; L is the Lipschitz constant, which Assumption 1 of this edition calls G, as the proof says",
)  # fmt: skip
