"""From the distances to the sup norm and to xi: (122)-(131), and the probability."""

from sympy import And, Max, Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import define, world
from boundcheck.quantities.minimisers import norm_of_values
from boundcheck.settings.averaged_sgd import (
    BOUNDED,
    WITH_BAYES_RULE,
    R,
    delta,
    epsilon,
    lam,
    p,
    supremum,
    xi,
)
from boundcheck.worlds import Weights

from .. import AISTATS, ARXIV
from . import (
    CLOSE,
    STAR,
    STEP,
    L,
    combined_bound,
    constants,
    g,
    g_M,
    k,
    k_M,
    l2_u,
    letters,
    norm_g,
    norm_u,
    risk,
    sup_gap_u,
    sup_u,
    to_u,
    to_v,
    total_bound,
    u_values,
)

C, star, risk_star = constants.C, constants.norm_star, constants.risk_star
squares = to_v**2 + to_u**2
split_bound = 2 * L * xi / lam * (
    2 * star + sqrt(2 / lam * risk_star) + sqrt(2 * L * xi / lam * star)
)
OPTIONS = {"given": [star > 0, *CLOSE, *BOUNDED], "domains": WITH_BAYES_RULE, "cost": 4}

step_combined = Claim(
    ARXIV.at("Appendix C, (122)-(124); AISTATS before (21)"),
    Holds(
        And(
            squares <= combined_bound(norm_g, risk),
            combined_bound(norm_g, risk) <= combined_bound(star, risk_star),
            combined_bound(star, risk_star) <= split_bound,
        )
    ),
    uses=(STEP + "distance", STEP + "norm_bound"),
    reading=STAR,
    **{**OPTIONS, "given": [star > 0, *CLOSE]},
)

sup_bound = R * Max(
    sqrt(12 * L * xi / lam * star),
    (72 * L**2 * xi**2 / lam**3 * risk_star) ** Rational(1, 4),
    (72 * L**3 * xi**3 / lam**3 * star) ** Rational(1, 4),
)

step_sup_norm = Claim(
    ARXIV.at("Appendix C, (125); AISTATS (21)"),
    Holds(sup_u <= sup_bound),
    uses=(STEP + "combined", "yashima2021/assumption_2:printed"),
    reading=STAR,
    **OPTIONS,
)

sum_norm = norm_of_values(k + k_M, g.values - u_values)
by_parts = C * (norm_g + norm_u) ** p * (xi * norm_g) ** (1 - p)

step_interpolation = Claim(
    ARXIV.at("Appendix C, (126); AISTATS (22)"),
    Holds(
        And(
            sup_gap_u <= C * sum_norm**p * l2_u ** (1 - p),
            C * sum_norm**p * l2_u ** (1 - p) <= by_parts,
            by_parts <= 2**p * C * xi ** (1 - p) * star,
        )
    ),
    uses=(STEP + "sum_space_norm", "yashima2021/lemma_2:printed"),
    reading=STAR + "; C serves for every draw",
    **OPTIONS,
)

distance = define(
    "gap", supremum(g.values - g_M.values), latex=r"\|g_\lambda-g_{M,\lambda}\|_\infty"
)

step_total = Claim(
    ARXIV.at("Appendix C, (128)-(130); AISTATS end of Appendix C"),
    Holds(
        And(
            distance <= sup_gap_u + sup_u,
            sup_gap_u + sup_u <= total_bound(constants),
        )
    ),
    uses=(STEP + "sup_norm", STEP + "interpolation"),
    reading=STAR + "; C serves for every draw",
    **OPTIONS,
)

step_solve_xi = Claim(
    ARXIV.at("Appendix C, (131); AISTATS end of Appendix C"),
    Holds(total_bound(letters).subs(xi, letters.accuracy(epsilon)) <= epsilon),
    uses=(STEP + "total",),
    reading="the exponent is 1/(1 - p)",
)

law = world("law", Weights(4, zeros=True), says="Of both events, the first, the second, neither.")
both, first, second = law[0], law[0] + law[1], law[0] + law[2]


def probability(source, at_least):
    """Both events hold with that probability."""
    return Claim(
        source.at("Appendix C, last line: the probability"),
        Holds(both >= at_least),
        given=[And(delta > 0, delta <= 1), first >= 1 - delta, second >= 1 - delta],
        uses=(STEP + "total", "yashima2021/lemma_2:printed"),
        reading="the events of Lemma 2 and of Assumption 3, each of probability at least 1 - "
        "delta, are both used",
    )


step_probability_aistats = probability(AISTATS, 1 - delta)
step_probability_arxiv = probability(ARXIV, 1 - 2 * delta)
