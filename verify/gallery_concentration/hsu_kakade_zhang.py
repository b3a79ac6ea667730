"""Hsu, Kakade and Zhang's tail of quadratic forms.

Setting    x a vector of fair signs, which is subgaussian with sigma = 1; A a matrix, S = A^T A,
           t > 0.
Claim      P(||A x||^2 > tr S + 2 sqrt(tr(S^2) t) + 2 ||S|| t) <= exp(-t).
Without    the last term, which fair signs of few coordinates do not need.
"""

from sympy import exp, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import form, operator_norm, parameter, probability, trace, world
from boundcheck.settings.concentration import n, signs
from boundcheck.worlds import Integer, Matrix, Real

from . import HSU

HERE = HSU.at("Theorem 2.1")
m = world("m", Integer(1, searched=3), says="Rows of A.")
A = world("A", Matrix(m, n), units={"matrix": 1})
t = parameter("t", Real(0, None, open_low=True, searched=(0, 4)))
S = A.T * A
level = trace(S) + 2 * sqrt(trace(S * S) * t)
square = form(S, signs)

printed = Claim(
    HERE,
    Holds(probability(square > level + 2 * operator_norm(S) * t, signs) <= exp(-t)),
    reading="for fair signs, one of the laws that the statement speaks of",
)
without_last = Claim(
    HERE,
    Holds(probability(square > level, signs) <= exp(-t)),
    reading="for fair signs",
)
