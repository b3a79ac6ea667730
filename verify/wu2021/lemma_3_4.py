"""Lemma 3.4: evaluation is continuous in an RKHS.

Setting    kernel on finitely many points, f, g in its RKHS, x a point.
Claim      |f(x) - g(x)| <= ||k(., x)|| ||f - g|| with ||k(., x)|| = sqrt(k(x, x)) finite.
"""

from sympy import Abs, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.rkhs import apply, squared_norm_of_values
from boundcheck.worlds import Vector, gram_matrices

from . import NOTES

gap, kernel_at, squared_distance = symbols("gap kernel_at squared_distance", real=True)


def difference(gram, a, b):
    """Values of f - g."""
    return apply(gram, tuple(u - v for u, v in zip(a, b, strict=True)))


printed = Claim(
    source=NOTES.at("Lemma 3.4"),
    statement=Holds(Abs(gap) <= sqrt(kernel_at) * sqrt(squared_distance)),
    worlds=gram_matrices().and_fields(a=Vector("n", searched=(-2, 2)),
        b=Vector("n", searched=(-2, 2))),
    measure={
        gap: lambda gram, a, b: difference(gram, a, b)[0],
        kernel_at: lambda gram: gram[0, 0],
        squared_distance: lambda gram, a, b: squared_norm_of_values(gram, difference(gram, a, b)),
    },
    uses=("wu2021/lemma_3_2:printed",),
    reading="continuity of a linear functional is stated with its norm, as the proof bounds it; "
    "on finitely many points",
    cost=0.6,
)
