"""The excess risk as an expected Bregman divergence.

Setting    differentiable convex non-negative phi whose link function h_* is differentiable,
           increasing and invertible on (0, 1); label probabilities in (0, 1); any function g.
"""

from sympy import Abs, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import greatest, least, total
from boundcheck.settings.averaged_sgd import eta, expected_loss, function, g_star, i, loss, rho
from boundcheck.settings.margin_losses import kind, stretch
from boundcheck.worlds import Choice

from . import ARXIV

g = function("g", span=6)
divergence = total(rho[i] * loss.divergence(loss.inverse_link(g[i]), eta[i]), i)


def expected(where, losses, reading="", given=()):
    return Claim(
        ARXIV.at("Section 4, (41)" + where),
        Holds(Eq(expected_loss(g) - expected_loss(g_star), divergence)),
        given=[least(eta[i], i) > 0, greatest(eta[i], i) < 1, *given],
        domains={kind: Choice(losses)},
        uses=("yashima2021/link_function:printed", "yashima2021/bregman_divergence:printed"),
        reading=reading,
    )


printed = expected(
    "",
    ("logistic", "modified huber"),
    "every loss that meets the stated assumptions and every g; the range of h_* may be bounded",
)
repaired = expected(
    ", for link functions onto the real line",
    ("logistic",),
    "h_* maps (0, 1) onto the real line, so that its inverse has a value at every g(x)",
)
in_range = expected(
    ", for g with values in the range of the link function", ("modified huber",),
    given=[greatest(Abs(g[i]), i) < stretch],
)
