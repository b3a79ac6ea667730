"""The rate for the Gaussian kernel: the exponent p = 1/2.

Setting    Theorem 2 with m = d, Assumption 3 with the exponent p = d / (2 m).
"""

from sympy import And, Eq, Min, Rational

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter
from boundcheck.worlds import Integer

from . import ARXIV

d = parameter("d", Integer(1, wide=True, searched=10**6), says="Dimension.")
m = define("m", d, says="Order of the Sobolev space.")
p = define("p", d / (2 * m))

printed = Claim(
    ARXIV.at("Section 3.2, last lines; AISTATS Section 3.2"),
    Holds(
        And(
            m >= d / 2,
            Eq(p, Rational(1, 2)),
            Eq(d / (4 * m), Rational(1, 4)),
            Eq(Min((1 - p) / 4, Rational(1, 8)), Rational(1, 8)),
        )
    ),
    uses=("yashima2021/theorem_2:printed", "yashima2021/theorem_1:arxiv"),
)
