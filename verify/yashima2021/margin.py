"""The margin of the Bayes rule under strong low noise.

Setting    label probability eta with |eta - 1/2| > delta, Bayes rule g_* = h_*(eta).
Claim      m(delta) = max(h_*(1/2 + delta), |h_*(1/2 - delta)|) satisfies |g_*| >= m(delta), and is
           log((1 + 2 delta) / (1 - 2 delta)) for logistic loss.
"""

from sympy import Abs, And, Eq, Rational, log

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.settings.averaged_sgd import delta
from boundcheck.settings.margin_losses import kind, logistic, loss
from boundcheck.worlds import Choice, Real

from . import ARXIV

eta = parameter("eta", Real(0, 1, open_low=True, open_high=True))

printed = Claim(
    ARXIV.at("Section 4, (42); AISTATS Section 4"),
    Holds(
        And(
            Abs(loss.link(eta)) >= loss.margin(delta),
            Eq(logistic.margin(delta), log((1 + 2 * delta) / (1 - 2 * delta))),
        )
    ),
    given=[Abs(eta - Rational(1, 2)) > delta],
    domains={
        kind: Choice(("logistic", "modified huber")),
        delta: Real(0, "1/2", open_low=True, open_high=True),
    },
    uses=("yashima2021/link_function:printed",),
    reading="the Bayes rule is the link function of the label probability",
)
