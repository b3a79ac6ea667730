"""The bound of Theorem 3 at the settings of section 5.

Setting    gamma = 500, lambda = 1/1000, t = 12000, G = R = 1, m = log 4.
Claim      the expected excess error, at most E|2 rho(1|x) - 1| = 3/5 for any classifier, is at most
           2 exp(-lambda^2 (2 gamma + t) m^2 / (2^12 9)).
"""

from sympy import Rational, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter
from boundcheck.worlds import Real

from . import ARXIV
from ._experiment import ITERATIONS, gamma, lam, m

t = define("t", ITERATIONS, says="Number of steps.")
excess = parameter("excess", Real(0, "3/5"), says="Expected excess error of a classifier.")

printed = Claim(
    ARXIV.at("section 5 under (45), (51); AISTATS section 5"),
    Holds(excess <= 2 * exp(-(lam**2) * (2 * gamma + t) * m**2 / (2**12 * 9))),
    given=[excess <= Rational(3, 5)],
    trivial=Rational(3, 5),
    uses=("yashima2021/theorem_3:arxiv",),
    reading="no run is needed: the value of the bound is weighed against the largest excess",
)
