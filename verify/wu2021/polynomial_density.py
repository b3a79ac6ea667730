"""Section 3, remark: polynomial features and the size of C(X).

Setting    X a set of N points on the line (every function on it is continuous), kernel
           (1 + x x')^s, F the span of the k(., x).
Claim      F contains every continuous function, and the complexity of the unit ball of C(X) is of
           order one: it equals one on distinct points.
Without a bound on the degree (every_degree): k(x, x') = 1 / (1 - x x'/4) on [-1, 1], with features
           (x/2)^j, j = 0, 1, ...; a function in the span has a finite norm, which bounds the least
           norm of an interpolant of its values on any points; for |x| these grow without end.
Repair     degrees up to s >= N - 1 on N points, that is: polynomials of every degree and a closure.
"""

from itertools import pairwise, product

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities import renamed
from boundcheck.quantities.rkhs import (
    least_squares_distance,
    polynomial_gram,
    squared_norm_of_values,
)
from boundcheck.worlds import Custom, Derived, Family, Integer, Matrix, Space, Vector, doublings

from . import NOTES

distance, complexity, least = symbols("distance complexity least", real=True)


def distinct_points(source, earlier):
    points = [source.rational(fmpq(-1), fmpq(1))]
    while len(points) < earlier["N"]:
        points.append(points[-1] + source.rational(fmpq(1, 8), fmpq(1)))
    return fmpq_mat(len(points), 1, points)


def are_distinct(value, world):
    """N points on a line, in order."""
    places = value.entries() if Matrix("N", 1).admits(value, world) else [1, 0]
    return all(a < b for a, b in pairwise(places))


def are_within_one(value, world):
    return are_distinct(value, world) and Matrix("N", 1, -1, 1).admits(value, world)


def distance_from_span(points, s, f):
    """Squared distance of f from F on the points."""
    return least_squares_distance(polynomial_gram(points, s), f)


def continuous_ball_complexity(points):
    """E sup over |f| <= 1 of (1/n) sum_i xi_i f(x_i): f may follow the signs, point by point."""
    places = points.entries()
    total = fmpq(0)
    for signs in product((1, -1), repeat=len(places)):
        sums = {}
        for sign, place in zip(signs, places, strict=True):
            sums[place] = sums.get(place, 0) + sign
        total += sum(abs(value) for value in sums.values())
    return total / (len(places) * 2 ** len(places))


measure = {distance: distance_from_span, complexity: continuous_ball_complexity}
fields = {
    "N": Integer(1, searched=5), "points": Custom(distinct_points, are_distinct),
    "s": Integer(1, searched=4),
    "f": Vector("N", -1, 1),
}  # fmt: skip

printed = Claim(
    source=NOTES.at("Section 3, remark on polynomial features"),
    statement=Holds(And(Eq(distance, 0), Eq(complexity, 1))),
    worlds=Space(**fields),
    measure=measure,
    uses=("wu2021/polynomial_kernel:printed",),
    reading="polynomial features are those of the kernels listed, of one degree each; on finitely "
    "many points the span is closed, so the missing closure does no harm; the complexity of C(X) "
    "is that of its unit ball, since without a radius it is infinite",
    cost=0.6,
)

repaired = Claim(
    source=NOTES.at("Section 3, remark on polynomial features, repaired"),
    statement=Holds(And(Eq(distance, 0), Eq(complexity, 1))),
    worlds=Space(**{**fields, "s": Derived(lambda N: max(N - 1, 1))}),
    measure=measure,
    reading="polynomials of every degree, on finitely many points, where the span is closed",
    cost=0.6,
)


def geometric_gram(points):
    """1 / (1 - x x'/4) = sum_j (x/2)^j (x'/2)^j."""
    places = points.entries()
    size = len(places)
    return fmpq_mat(size, size, [1 / (1 - x * z / 4) for x in places for z in places])


def function_on_grid(function):
    """Values at 2k + 1 equidistant points of [-1, 1], the size being 2^k.

    Least norms can grow geometrically with the number of points, so as a power of this size.
    """

    def rule(size):
        half = size.bit_length() - 1
        points = fmpq_mat(2 * half + 1, 1, [fmpq(i, half) for i in range(-half, half + 1)])
        f = tuple(function(x) for x in points.entries())
        return {"N": 2 * half + 1, "points": points, "gram": geometric_gram(points), "f": f}

    return rule


def points_within_one(source, earlier):
    """Distinct points of [-1, 1]."""
    points = distinct_points(source, earlier)
    return points * (1 / max(fmpq(1), *(abs(x) for x in points.entries())))


every_degree = Claim(
    source=NOTES.at("Section 3, remark on polynomial features"),
    statement=UpToConstant(least <= 1, depends=("f",)),
    worlds=Space(
        N=Integer(1, searched=5), points=Custom(points_within_one, are_within_one),
        gram=Derived(geometric_gram),
        f=Vector("N", -1, 1),
    ),
    measure={least: renamed(squared_norm_of_values, values="f")},
    families=(
        Family("f = 1, finer grids", function_on_grid(lambda x: fmpq(1)), doublings(2, 8)),
        Family("f = |x|, finer grids", function_on_grid(abs), doublings(2, 8)),
    ),
    reading="F itself, without closure, as printed, for features of every degree; along a family "
    "the function is fixed and more of its points are seen, so the constant may depend on it",
    cost=0.6,
)  # fmt: skip
