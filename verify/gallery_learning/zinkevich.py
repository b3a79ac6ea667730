"""Zinkevich's regret bound for online gradient descent.

Setting    a polytope F in R^d of diameter D, convex quadratic losses (linear ones among them), any
           first point, steps eta_t = 1 / sqrt(t) with projection on F, G the largest norm of a
           gradient on F, T rounds.
"""

from sympy import Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import table
from boundcheck.settings.polytopes import (
    F,
    Q,
    T,
    b,
    descent_regret,
    diameter,
    first,
    largest_gradient,
    t,
)

from . import ZINKEVICH

HERE = ZINKEVICH.at("Theorem 1")
D, G = diameter(), largest_gradient()
regret = descent_regret(F, Q, b, 0, table(1 / sqrt(t + 1), t), first)
variation = (sqrt(T) - Rational(1, 2)) * G**2
READ = "a convex set is a polytope, a convex loss a quadratic or linear one"

printed = Claim(
    HERE, Holds(regret <= D**2 * sqrt(T) / 2 + variation), rescalings=(), reading=READ
)
smaller = Claim(
    HERE, Holds(regret <= D**2 * sqrt(T) / 2 + variation / 8), rescalings=(), reading=READ
)
