"""Hsu, Kakade and Zhang's tail of quadratic forms.

Setting    x a vector of R^n with any finite law and mean mu; s (printed: sigma^2) the least number
           with E exp(a^T (x - mu)) <= exp(s |a|^2 / 2) for every a; A a matrix, S = A^T A, t > 0.
"""

from sympy import Expr, exp, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import (
    form,
    indicator,
    mean,
    operator_norm,
    parameter,
    row,
    table,
    trace,
    world,
)
from boundcheck.settings import concentration as own
from boundcheck.settings.subgaussian import k, largest_proxy, mu, n, p, variance_proxy, x
from boundcheck.worlds import Integer, Matrix, Real

from . import HSU

HERE = HSU.at("Theorem 2.1")
LEAST = "sigma^2 is the least number that the law allows"
m = world("m", Integer(1, searched=3), says="Rows of A.")
t = parameter("t", Real(0, None, open_low=True, searched=(0, 4)))


def form_of(size: Expr) -> Expr:
    """S = A^T A of a matrix A with m rows."""
    A = world("A", Matrix(m, size), units={"matrix": 1})
    return A.T * A


def around(S: Expr, s: Expr) -> Expr:
    """The part of the level that a mean of zero leaves, without its last term."""
    return s * (trace(S) + 2 * sqrt(trace(S * S) * t))


def shifted(S: Expr, mu: Expr) -> Expr:
    """The part of the level that comes from the mean."""
    return form(S, mu) * (1 + 2 * operator_norm(S) * sqrt(t / trace(S * S)))


S, s = form_of(n), variance_proxy(x, p)
main, last, moved = around(S, s), 2 * s * operator_norm(S) * t, shifted(S, mu)
GIVEN = [trace(S) > 0]


def tail(level: Expr) -> Expr:
    """P(||A x||^2 > level)."""
    return mean(indicator(form(S, row(x, k)) > level), k, p)


printed = Claim(
    HERE, Holds(tail(main + last + moved) <= exp(-t)), given=GIVEN, reading=LEAST, cost=20.0
)
without_last = Claim(
    HERE, Holds(tail(main + moved) <= exp(-t)), given=GIVEN, reading=LEAST, cost=20.0
)
without_mean = Claim(
    HERE, Holds(tail(main + last) <= exp(-t)), given=GIVEN, reading=LEAST, cost=20.0
)

S_own, s_own = form_of(own.n), largest_proxy(own.table, own.chances)
drawn = table(own.table[own.i, own.X[own.i]], own.i)
middle = table(own.E(own.table[own.i, own.X[own.i]]), own.i)
level = around(S_own, s_own) + 2 * s_own * operator_norm(S_own) * t + shifted(S_own, middle)
independent = Claim(
    HERE,
    Holds(own.P(form(S_own, drawn) > level) <= exp(-t)),
    given=[trace(S_own) > 0],
    domains={own.table: Matrix(own.n, own.K)},
    reading=LEAST,
    cost=10.0,
)
