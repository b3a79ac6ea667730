"""Does M <= 1000 of section 5 meet the required number of features?

Setting    lambda = 1/1000, R = G = 1, m = log 4, L(g_*) the entropy of (4/5, 1/5), ||T||_op <= 1.
Claim      M >= 32 (R/xi)^4 log(2 R^2 / (||T||_op delta)) with
           xi <= (lambda^3 m^4 / (2^15 3^2 R^4 G^2 L(g_*)))^(1/2), the term free of ||g_*||, and
           the largest M used.
"""

from sympy import Rational, log, sqrt

from boundcheck import Claim, Holds

from . import ARXIV
from ._experiment import M, lam, m, risk_star

xi = sqrt(lam**3 * m**4 / (2**15 * 3**2 * risk_star))

printed = Claim(
    ARXIV.at("section 5 under (156)-(157); AISTATS section 5 under (28)"),
    Holds(32 / xi**4 * log(2 / Rational(3, 10)) <= M),
    uses=("yashima2021/theorem_3_full:arxiv", "yashima2021/experiment_bayes_rule:printed"),
    reading="a lower bound of the printed requirement: one of the four terms of xi, ||T|| at its "
    "largest, delta = 3/10 in the logarithm as printed",
)
