"""(1.2): random feature models and their continuum limit.

Setting    a law pi of w on finitely many atoms, one point x, phi(x; .) and b in L2(pi),
           w_1..w_m independent from pi and f_m(x) = (1/m) sum_j b(w_j) phi(x; w_j).
Claim      f(x) = integral of b phi(x; .) d pi = <b, phi(x; .)> in L2(pi) is the limit of f_m(x):
           it is the mean of f_m(x), and E (f_m(x) - f(x))^2 = Var_pi(b phi(x; .)) / m.
"""

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.operators import diagonal, dot, quadratic_form
from boundcheck.worlds import Counts, Integer, Space, Vector, Weights

from . import NOTES, m

limit, inner, finite, squared_gap, variance = symbols(
    "limit inner finite squared_gap variance", real=True
)


def integral(weights, b, phi):
    """integral of b(w) phi(x; w) d pi(w)."""
    return sum((p * u * v for p, u, v in zip(weights, b, phi, strict=True)), fmpq(0))


def polarised(weights, b, phi):
    """<b, phi>_{L2(pi)} from norms: (||b + phi||^2 - ||b - phi||^2) / 4."""
    law = diagonal(weights)
    plus = tuple(u + v for u, v in zip(b, phi, strict=True))
    minus = tuple(u - v for u, v in zip(b, phi, strict=True))
    return (quadratic_form(law, plus) - quadratic_form(law, minus)) / 4


def finite_model(counts, b, phi, m):
    """(1/m) sum_j b(w_j) phi(x; w_j)."""
    return sum((c * u * v for c, u, v in zip(counts, b, phi, strict=True)), fmpq(0)) / m


def squared_error(finite, limit):
    return (finite - limit) ** 2


def product_variance(weights, b, phi, limit):
    """Var_pi(b phi)."""
    squares = tuple((u * v) ** 2 for u, v in zip(b, phi, strict=True))
    return dot(weights, squares) - limit**2


printed = Claim(
    source=NOTES.at("(1.2)"),
    statement=Expected(
        And(Eq(limit, inner), Eq(finite, limit), Eq(squared_gap, variance / m))
    ),
    worlds=Space(
        K=Integer(1, searched=3),
        weights=Weights("K", zeros=True),
        b=Vector("K", searched=(-2, 2)),
        phi=Vector("K", searched=(-2, 2)),
        m=Integer(1, searched=5),
    ),
    measure={
        limit: integral,
        inner: polarised,
        finite: finite_model,
        squared_gap: squared_error,
        variance: product_variance,
    },
    draw=Counts("counts", "weights", "m"),
    reading="b_j is the value b(w_j); the limit is meant in mean square, where the rate is exact",
    cost=2.0,
)
