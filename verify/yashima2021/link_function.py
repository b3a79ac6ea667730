"""The link function of a loss, and that of the logistic loss.

Setting    h_*(mu) minimises mu phi(a) + (1 - mu) phi(-a) over real a; 0 < mu < 1; sgn(0) = -1.
Claim      for logistic loss h_*(mu) = log(mu / (1 - mu)), which is increasing, invertible, and has
           the sign of mu - 1/2.
"""

from sympy import And, Eq, Gt, Le, log, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import conditional_risk, inverse_link, link, predicted_label
from boundcheck.worlds import Real

from . import ARXIV

mu, mu_prime, a = symbols("mu mu_prime a", real=True)
least, trial, sign_link, sign_label = symbols("least trial sign_link sign_label", real=True)
back = symbols("back", real=True)


def printed_link(mu):
    """log(mu / (1 - mu))."""
    return link("logistic", 1, 1, mu)


printed = Claim(
    source=ARXIV.at("Section 4, (37), Assumption 6, (39)"),
    statement=Holds(
        And(
            Le(least, trial),
            Gt(log(mu_prime / (1 - mu_prime)), log(mu / (1 - mu))),
            Eq(sign_link, sign_label),
            Eq(back, mu),
        )
    ),
    given=[And(mu > 0, mu < 1), And(mu < mu_prime, mu_prime < 1)],
    parameters={
        mu: Real(0, 1, open_low=True, open_high=True),
        mu_prime: Real(0, 1, open_low=True, open_high=True),
        a: Real(None, None),
    },
    measure={
        least: lambda mu: conditional_risk("logistic", 1, 1, mu, printed_link(mu)),
        trial: lambda mu, a: conditional_risk("logistic", 1, 1, mu, a),
        sign_link: lambda mu: predicted_label(printed_link(mu)),
        sign_label: lambda mu: 1 if 2 * mu > 1 else -1,
        back: lambda mu: inverse_link("logistic", 1, 1, printed_link(mu)),
    },
)
