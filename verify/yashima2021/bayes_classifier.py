"""The regression function minimises the classification error.

Setting    label in {-1, 1}, rho(1|x) = eta(x); sgn(0) = -1; error R(g) = P(sgn g(X) != Y).
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import table
from boundcheck.settings.averaged_sgd import classification_error, eta, function, i, rho
from boundcheck.worlds import Weights

from . import ARXIV

g = function("g")
label_mean = table(1 * eta[i] + -1 * (1 - eta[i]), i)
regression = table(2 * eta[i] - 1, i)

printed = Claim(
    ARXIV.at("Section 2.1, (1)-(2); AISTATS (1)"),
    Holds(
        And(classification_error(regression) <= classification_error(g), Eq(label_mean, regression))
    ),
    domains={rho: Weights("n", zeros=True)},
)
