"""Lemma 3.2: the reproducing property of the space of Theorem 3.1.

Setting    kernel on finitely many points, f in the space, x a point.
Claim      <f, k(., x)> = f(x). The inner product is taken from norms by polarisation and the norms
           from function values, so no representation of f enters.
"""

from flint import fmpq
from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.rkhs import apply, row, squared_norm_of_values
from boundcheck.worlds import Vector, gram_matrices

from . import NOTES

inner, value = symbols("inner value", real=True)


def polarised_inner_product(gram, a):
    """<f, k(., x)> = (||f + k(., x)||^2 - ||f - k(., x)||^2) / 4 at the last point x."""
    f, kernel = apply(gram, a), row(gram, gram.nrows() - 1)
    plus = tuple(u + v for u, v in zip(f, kernel, strict=True))
    minus = tuple(u - v for u, v in zip(f, kernel, strict=True))
    return (squared_norm_of_values(gram, plus) - squared_norm_of_values(gram, minus)) * fmpq(1, 4)


printed = Claim(
    source=NOTES.at("Lemma 3.2"),
    statement=Holds(Eq(inner, value)),
    worlds=gram_matrices().and_fields(a=Vector("n", searched=(-2, 2))),
    measure={inner: polarised_inner_product, value: lambda gram, a: apply(gram, a)[-1]},
    uses=("wu2021/theorem_3_1:printed",),
    reading="on finitely many points, where every closure of the span is the span itself; the "
    "printed passage to the limit needs convergence in norm",
    cost=0.5,
)
