"""Lemma 3.2: the reproducing property of the space of Theorem 3.1.

Setting    kernel on finitely many points, f in the space, x a point.
Claim      <f, k(., x)> = f(x). The inner product is taken from norms by polarisation and the norms
           from function values, so no representation of f enters.
"""

from sympy import Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import entry, row
from boundcheck.settings.rkhs import K, coefficients, inner_product, n

from . import NOTES

f = K * coefficients("a")
x = n - 1

printed = Claim(
    NOTES.at("Lemma 3.2"),
    Holds(Eq(inner_product(K, f, row(K, x)), entry(f, x))),
    uses=("wu2021/theorem_3_1:printed",),
    reading="on finitely many points, where every closure of the span is the span itself; the "
    "printed passage to the limit needs convergence in norm",
    cost=0.5,
)
