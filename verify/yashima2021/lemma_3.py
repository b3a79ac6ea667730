"""Lemma 3: how fast the regularised minimiser approaches the Bayes rule.

Setting    finitely many weighted points, regular kernel matrix, logistic loss; strong
           convexity mu(U) on [-U, U], 1 / (2 + e^U + e^-U); R^2 = max k(x, x).
Steps      the chain to ||g_lambda - g_*||_L2^2 <= (lambda / mu) ||g_*||^2, and the interpolation.
"""

from sympy import Abs, And, Rational, exp, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import at, define, greatest, named, parameter, table, total
from boundcheck.settings.averaged_sgd import (
    Minimiser,
    bayes_norm,
    constant,
    essential_supremum,
    eta,
    expected_loss,
    gram,
    i,
    lam,
    p,
    rho,
)
from boundcheck.settings.covariance import squared_norm
from boundcheck.settings.margin_losses import listed_logistic as loss
from boundcheck.worlds import Real, Vector

from . import ARXIV
from ._lemma_3 import FAMILIES

R = define("R", sqrt(greatest(gram[i, i], i)), says="The least R with k(x, x) <= R^2.")
fit = Minimiser(gram, loss)
g = named("g_lambda", fit.values, r"g_\lambda")
g_star = named("g_*", table(loss.link(eta[i]), i))
norm_star = define("norm_star", bayes_norm(gram, loss), latex=r"\|g_*\|")
risk, risk_star = expected_loss(g, loss), total(rho[i] * loss.least_risk(eta[i]), i)
sup_gap, squared_gap = essential_supremum(g - g_star), squared_norm(g - g_star)


def mu(U):
    """A constant of Assumption 8 for the logistic loss."""
    return 1 / (2 + exp(U) + exp(-U))


WORLDS = {
    eta: Vector("n", 0, 1, searched=("1/100", "99/100"), open_low=True, open_high=True),
    lam: Real(0, None, open_low=True, log=True, searched=("1/1000000", 10)),
}
arxiv = Claim(
    ARXIV.at("Lemma 3, (169)"),
    UpToConstant(
        sup_gap <= norm_star * (lam / mu(R * norm_star)) ** (Rational(1, 2) - Rational(1, 6)),
        depends=("n", "gram", "rho"),
    ),
    given=[norm_star > 0],
    domains=WORLDS,
    families=FAMILIES,
    uses=("yashima2021/lemma_3:step_l2", "yashima2021/lemma_3:step_sup",
          "yashima2021/theorem_2:printed"),
    reading="epsilon = 1/6, which Corollary 1 uses; C may depend on the kernel and the points, "
    "not on lambda and g_*",
    cost=5,
)  # fmt: skip

slope = loss.conditional_slope(eta[i], g_star[i])
linear = total(rho[i] * slope * (at(g, i) - g_star[i]), i)
bregman = expected_loss(g, loss) - expected_loss(g_star, loss) - linear

step_l2 = Claim(
    ARXIV.at("proof of Lemma 3, (170)-(181)"),
    Holds(
        And(
            risk_star + lam / 2 * norm_star**2 >= risk + lam / 2 * fit.norm**2,
            norm_star >= fit.norm,
            essential_supremum(g_star) <= R * norm_star,
            essential_supremum(g) <= R * fit.norm,
            greatest(Abs(slope), i) <= Rational(1, 10**9),
            squared_gap <= 2 / mu(R * norm_star) * bregman,
            squared_gap <= 2 / mu(R * norm_star) * (risk - risk_star),
            squared_gap <= lam / mu(R * norm_star) * (norm_star**2 - fit.norm**2),
            squared_gap <= lam / mu(R * norm_star) * norm_star**2,
        )
    ),
    given=[norm_star > 0],
    domains=WORLDS,
    uses=("yashima2021/assumption_8:repaired",),
    reading="mu is a valid constant of Assumption 8; the vanishing slope (174) is tested to 10^-9",
    cost=5,
)

one_eta = parameter("eta", Real(0, 1))
value, value_star = (parameter(name, Real(None, None, searched=(-8, 8))) for name in ("g", "g_*"))
reach = parameter("U", Real(0, None, open_low=True, searched=(0, 8)), says="R ||g_*||.")
divergence = (
    loss.conditional_risk(one_eta, value)
    - loss.conditional_risk(one_eta, value_star)
    - loss.conditional_slope(one_eta, value_star) * (value - value_star)
)
step_l2_as_argued = Claim(
    ARXIV.at("proof of Lemma 3, (176)-(177) from (172)-(173), printed without modulus"),
    Holds((value - value_star) ** 2 <= 2 / mu(reach) * divergence),
    given=[value_star <= reach, value <= reach],
    uses=("yashima2021/assumption_8:repaired",),
    reading="one point; g_* and g_lambda are bounded from above by U = R ||g_*|| and from below by "
    "nothing, while Assumption 8 speaks of [-U, U]; with the modulus it is part of step_l2",
)

sup, l2, h_gap, length, C_p, mu_star = (
    constant(name) for name in ("sup_gap", "l2_gap", "h_gap", "norm_star", "C_p", "mu_star")
)
step_sup = Claim(
    ARXIV.at("proof of Lemma 3, (182)-(183)"),
    Holds(sup <= 2**p * C_p * (lam / mu_star) ** ((1 - p) / 2) * length),
    given=[
        sup <= C_p * h_gap**p * sqrt(l2) ** (1 - p),
        h_gap <= 2 * length,
        l2 <= lam / mu_star * length**2,
    ],
    domains={sup: Real(0, None), p: Real(0, 1, open_low=True, open_high=True)},
    uses=("yashima2021/lemma_3:step_l2", "yashima2021/theorem_2:printed"),
    reading="mu_star is mu(R ||g_*||); l2_gap is the squared norm of the step before",
)
