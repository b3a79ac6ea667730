"""The link function of a loss, and that of the logistic loss.

Setting    h_*(mu) minimises mu phi(a) + (1 - mu) phi(-a) over real a; 0 < mu < 1; sgn(0) = -1.
Claim      for logistic loss h_*(mu) = log(mu / (1 - mu)), which is increasing, invertible, and has
           the sign of mu - 1/2.
"""

from sympy import And, Eq, Rational, log

from boundcheck import Claim, Holds
from boundcheck.expressions import indicator, parameter
from boundcheck.settings.margin_losses import logistic
from boundcheck.worlds import Real

from . import ARXIV

mu, mu_prime = (
    parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in ("mu", "mu_prime")
)
a = parameter("a", Real(None, None))
h = logistic.link

printed = Claim(
    ARXIV.at("Section 4, (37), Assumption 6, (39); AISTATS Assumption 5"),
    Holds(
        And(
            logistic.conditional_risk(mu, log(mu / (1 - mu))) <= logistic.conditional_risk(mu, a),
            h(mu_prime) > h(mu),
            Eq(indicator(h(mu) > 0), indicator(mu > Rational(1, 2))),
            Eq(logistic.inverse_link(h(mu)), mu),
        )
    ),
    given=[mu < mu_prime],
)
