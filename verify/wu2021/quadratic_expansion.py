"""(2.6): the expansion of the quadratic kernel in its features.

Setting    x, x' in R^d, Phi the feature map of degree two (one cross term for every pair).
Claim      <Phi(x), Phi(x')> = sum_i x_i^2 x'_i^2 + 2 sum_{i != j} x_i x_j x'_i x'_j
           + 2 sum_i x_i x'_i + 1 = (x^T x')^2 + 2 x^T x' + 1 = (x^T x' + 1)^2.
Repair     every pair once: 2 sum_{i < j}.
"""

from itertools import combinations, permutations

from flint import fmpq
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import dot
from boundcheck.quantities.rkhs import polynomial_features, weighted_inner
from boundcheck.worlds import Integer, Space, Vector

from . import NOTES

inner, squares, ordered, pairs, product = symbols("inner squares ordered pairs product", real=True)


def feature_inner_product(x, z):
    return weighted_inner(polynomial_features(x, 2), polynomial_features(z, 2))


def sum_of_squares(x, z):
    return sum((a**2 * b**2 for a, b in zip(x, z, strict=True)), fmpq(0))


def cross_terms(x, z, indices):
    """sum of x_i x_j x'_i x'_j over the given index pairs."""
    return sum((x[i] * x[j] * z[i] * z[j] for i, j in indices), fmpq(0))


def over_ordered_pairs(x, z, d):
    return cross_terms(x, z, permutations(range(d), 2))


def over_unordered_pairs(x, z, d):
    return cross_terms(x, z, combinations(range(d), 2))


def chain(cross):
    """The displayed equalities with the given cross sum."""
    return And(
        Eq(inner, squares + 2 * cross + 2 * product + 1),
        Eq(squares + 2 * cross + 2 * product + 1, product**2 + 2 * product + 1),
        Eq(product**2 + 2 * product + 1, (product + 1) ** 2),
    )


shared = {
    "worlds": Space(d=Integer(1, searched=4), x=Vector("d", searched=(-2, 2)),
        z=Vector("d", searched=(-2, 2))),
    "measure": {
        inner: feature_inner_product,
        squares: sum_of_squares,
        ordered: over_ordered_pairs,
        pairs: over_unordered_pairs,
        product: lambda x, z: dot(x, z),
    },
    "cost": 0.5,
}

printed = Claim(
    source=NOTES.at("(2.6)"),
    statement=Holds(chain(ordered)),
    uses=("wu2021/polynomial_kernel:printed",),
    reading="the sum over i != j runs over ordered pairs, as the notation says",
    **shared,
)

repaired = Claim(
    source=NOTES.at("(2.6), repaired"),
    statement=Holds(chain(pairs)),
    reading="the sum over i != j runs over unordered pairs",
    **shared,
)
