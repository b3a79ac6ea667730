"""Proposition 4: for some lambda the regularised minimiser classifies like the Bayes rule.

Setting    finitely many weighted points, regular kernel matrix (so that g_* lies in H), logistic
           loss, strong low noise with margin delta, m = m(delta).
"""

from sympy import And, exp, floor, log, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import define, greatest, least, named, table, world
from boundcheck.settings.averaged_sgd import (
    Minimiser,
    bayes_norm,
    delta,
    essential_supremum,
    eta,
    gram,
    i,
    lam,
    noise,
    rho,
)
from boundcheck.settings.margin_losses import listed_logistic as loss
from boundcheck.worlds import Real, Vector

from . import ARXIV

m = define("m", loss.margin(delta))
norm_star = define("norm_star", bayes_norm(gram, loss), latex=r"\|g_*\|")
U = norm_star * sqrt(greatest(gram[i, i], i))
mu = 1 / (2 + exp(U) + exp(-U))
enough = define(
    "enough", mu * m**2 * least(rho[i], i) / (4 * norm_star**2),
    says="A lambda at which Lemma 3 forces the bound: the supremum is at most the L2 norm over the "
    "root of the least weight.",
)  # fmt: skip
share = world("share", Real(0, 1, open_low=True, open_high=True, searched=("1/1000", "999/1000")))
g = named("g_lambda", Minimiser(gram, loss).values, r"g_\lambda")
g_star = named("g_*", table(loss.link(eta[i]), i))

printed = Claim(
    ARXIV.at("Proposition 4; AISTATS Appendix E"),
    Holds(essential_supremum(g - g_star) <= m / 2),
    given=[And(delta > 0, noise > delta), norm_star > 0],
    domains={
        eta: Vector("n", 0, 1, searched=("1/100", "99/100"), open_low=True, open_high=True),
        delta: define("delta", share * noise),
        lam: define("lambda", 2 ** floor(log(enough) / log(2)), latex=r"\lambda"),
    },
    uses=("yashima2021/assumption_3:printed", "yashima2021/margin:printed"),
    reading="for the logistic loss; existence is tested at the largest power of two at which Lemma "
    "3 forces the bound, with its true strong convexity; delta is any share of the margin",
    cost=3,
)
