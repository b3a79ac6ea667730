"""Section 3, remark: polynomial features and the size of C(X).

Setting    X a set of N points on the line (every function on it is continuous), kernel
           (1 + x x')^s, F the span of the k(., x).
Claim      F contains every continuous function, and the complexity of the unit ball of C(X) is of
           order one: it equals one on distinct points.
Repair     degrees up to s >= N - 1, that is: polynomials of every degree.
"""

from itertools import product

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.rkhs import least_squares_distance, polynomial_gram
from boundcheck.worlds import Custom, Derived, Integer, Space, Vector

from . import NOTES

distance, complexity = symbols("distance complexity", real=True)


def distinct_points(source, earlier):
    points = [source.rational(fmpq(-1), fmpq(1))]
    while len(points) < earlier["N"]:
        points.append(points[-1] + source.rational(fmpq(1, 8), fmpq(1)))
    return fmpq_mat(len(points), 1, points)


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
    "N": Integer(1, 5), "points": Custom(distinct_points), "s": Integer(1, 4),
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
    reading="polynomials of every degree, on finitely many points",
    cost=0.6,
)
