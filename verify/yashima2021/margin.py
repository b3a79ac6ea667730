"""The margin of the Bayes rule under strong low noise.

Setting    label probability eta with |eta - 1/2| > delta, Bayes rule g_* = h_*(eta).
Claim      m(delta) = max(h_*(1/2 + delta), |h_*(1/2 - delta)|) satisfies |g_*| >= m(delta), and is
           log((1 + 2 delta) / (1 - 2 delta)) for logistic loss.
"""

from sympy import Abs, And, Eq, Ge, Rational, log, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import link, margin_threshold
from boundcheck.worlds import Choice, Real, Space

from . import ARXIV, delta

eta, g_star, threshold = symbols("eta g_star threshold", real=True)
logistic_threshold = symbols("logistic_threshold", real=True)

printed = Claim(
    source=ARXIV.at("Section 4, (42)"),
    statement=Holds(
        And(
            Ge(Abs(g_star), threshold),
            Eq(logistic_threshold, log((1 + 2 * delta) / (1 - 2 * delta))),
        )
    ),
    given=[And(delta > 0, delta < Rational(1, 2)), Abs(eta - Rational(1, 2)) > delta],
    worlds=Space(
        eta=Real(0, 1, open_low=True, open_high=True),
        loss=Choice(("logistic", "modified huber")),
        height=Real("1/10", 10),
        stretch=Real("1/10", 10),
    ),
    parameters={delta: Real(0, "1/2", open_low=True, open_high=True)},
    measure={
        g_star: lambda loss, height, stretch, eta: link(loss, height, stretch, eta),
        threshold: margin_threshold,
        logistic_threshold: lambda delta: margin_threshold("logistic", 1, 1, delta),
    },
    uses=("yashima2021/link_function:printed",),
    reading="the Bayes rule is the link function of the label probability",
)
