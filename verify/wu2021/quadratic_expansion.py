"""(2.6): the expansion of the quadratic kernel in its features.

Setting    x, x' in R^d, Phi the feature map of degree two (one cross term for every pair).
Repair     every pair once: 2 sum_{i < j}.
"""

from sympy import And, Eq, Ne

from boundcheck import Claim, Holds
from boundcheck.expressions import index, indicator, inner, total, world
from boundcheck.quantities.rkhs import polynomial_kernel
from boundcheck.worlds import Integer, Vector

from . import NOTES

d = world("d", Integer(1, searched=4))
x, z = (world(name, Vector(d, searched=(-2, 2))) for name in ("x", "z"))
i, j = index("i", d), index("j", d)
squares = total(x[i] ** 2 * z[i] ** 2, i)


def chain(pairs):
    """The displayed equalities with the cross terms over the given pairs (i, j)."""
    cross = total(indicator(pairs) * x[i] * x[j] * z[i] * z[j], i, j)
    product = inner(x, z)
    return And(
        Eq(polynomial_kernel(x, z, 2), squares + 2 * cross + 2 * product + 1),
        Eq(squares + 2 * cross + 2 * product + 1, product**2 + 2 * product + 1),
        Eq(product**2 + 2 * product + 1, (product + 1) ** 2),
    )


printed = Claim(
    NOTES.at("(2.6)"),
    Holds(chain(Ne(i, j))),
    uses=("wu2021/polynomial_kernel:printed",),
    reading="the sum over i != j runs over ordered pairs, as the notation says",
    cost=0.5,
)
repaired = Claim(
    NOTES.at("(2.6), repaired"),
    Holds(chain(i < j)),
    reading="the sum over i != j runs over unordered pairs",
    cost=0.5,
)
