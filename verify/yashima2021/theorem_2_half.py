"""The rate for the Gaussian kernel: the exponent p = 1/2.

Setting    Theorem 2 with m = d, Assumption 3 with the exponent p = d / (2 m).
Claim      p = 1/2, C(delta) = C_{d,d} (1 + 1/delta)^(1/4), and the rate of Theorem 1 is M^(-1/8).
"""

from flint import fmpq
from sympy import And, Eq, Ge, Min, Rational

from boundcheck import Claim, Holds
from boundcheck.worlds import Integer

from . import ARXIV, d, m, p

printed = Claim(
    source=ARXIV.at("Section 3.2, last lines"),
    statement=Holds(
        And(
            Ge(m, d / 2),
            Eq(p, Rational(1, 2)),
            Eq(d / (4 * m), Rational(1, 4)),
            Eq(Min((1 - p) / 4, Rational(1, 8)), Rational(1, 8)),
        )
    ),
    given=[d >= 1],
    parameters={d: Integer(1, wide=True, searched=10**6)},
    measure={m: lambda d: d, p: lambda d, m: fmpq(d) / (2 * m)},
    uses=("yashima2021/theorem_2:printed", "yashima2021/theorem_1:arxiv"),
)
