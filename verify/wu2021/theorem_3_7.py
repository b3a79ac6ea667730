"""Theorem 3.7: RKHSs are the Hilbert function spaces with continuous evaluation.

Setting    a space of functions on N points with basis B (N x r) and Gram matrix G; in finite
           dimension every evaluation is continuous, with representer K_x = B G^{-1} b_x.
Claim      k(x, x') = <K_x, K_x'> = K_x'(x) = K_x(x') reproduces, <f, k(., x)> = f(x);
           conversely |f(x)| <= sqrt(k(x, x)) ||f||.
"""

from sympy import Abs, And, Eq, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, dot, entries, quadratic_form
from boundcheck.quantities.rkhs import apply, row
from boundcheck.worlds import Vector

from . import NOTES
from .lemma_3_5 import worlds

of_representers, at_first, at_second = symbols("of_representers at_first at_second", real=True)
reproduced, value, squared, kernel_at = symbols("reproduced value squared kernel_at", real=True)


def representer(basis, inner, point):
    """Coefficients of K_x in the basis: G c = (b_1(x), ..., b_r(x))."""
    return entries(inner.solve(column(row(basis, point))))


def representer_value(basis, inner, point, at):
    """K_point(at)."""
    return dot(row(basis, at), representer(basis, inner, point))


def kernel_of_ends(basis, inner):
    """<K_x, K_x'> for the first point x and the last point x'."""
    left = representer(basis, inner, 0)
    right = representer(basis, inner, basis.nrows() - 1)
    return dot(left, apply(inner, right))


def inner_with_representer(basis, inner, c):
    """<f, K_x> at the first point, f with coefficients c."""
    return dot(c, apply(inner, representer(basis, inner, 0)))


printed = Claim(
    source=NOTES.at("Theorem 3.7"),
    statement=Holds(
        And(
            Eq(of_representers, at_first),
            Eq(of_representers, at_second),
            Eq(reproduced, value),
            Abs(value) <= sqrt(kernel_at) * sqrt(squared),
        )
    ),
    worlds=worlds.and_fields(c=Vector("r", searched=(-2, 2))),
    measure={
        of_representers: kernel_of_ends,
        at_first: lambda basis, inner: representer_value(basis, inner, basis.nrows() - 1, 0),
        at_second: lambda basis, inner: representer_value(basis, inner, 0, basis.nrows() - 1),
        reproduced: inner_with_representer,
        value: lambda basis, c: apply(basis, c)[0],
        squared: lambda inner, c: quadratic_form(inner, c),
        kernel_at: lambda basis, inner: representer_value(basis, inner, 0, 0),
    },
    uses=("wu2021/lemma_3_4:printed",),
    reading="evaluation at every point; in finite dimension",
    cost=0.8,
)
