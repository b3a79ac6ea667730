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

from flint import fmpq
from sympy import And, Eq, Max

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import index, table, world
from boundcheck.quantities.complexity import continuous_complexity
from boundcheck.quantities.rkhs import least_squares_distance
from boundcheck.settings.rkhs import least_squared_norm
from boundcheck.worlds import Family, Increasing, Integer, Vector, doublings

from . import NOTES

N = world("N", Integer(1, searched=5), says="Number of points.")
i, j = index("i", N), index("j", N)
X = world("X", Increasing(N), says="Distinct points of the line.")
s = world("s", Integer(1, searched=4), says="Degree.")
f = world("f", Vector(N, -1, 1), says="A function by its values on the points.")


def contains_all(degree):
    """Every f is in the span of the k(., x), and the unit ball of C(X) has complexity one."""
    gram = table((1 + X[i] * X[j]) ** degree, i, j)
    return Holds(And(Eq(least_squares_distance(gram, f), 0), Eq(continuous_complexity(X), 1)))


printed = Claim(
    NOTES.at("Section 3, remark on polynomial features"),
    contains_all(s),
    uses=("wu2021/polynomial_kernel:printed",),
    reading="polynomial features are those of the kernels listed, of one degree each; on finitely "
    "many points the span is closed, so the missing closure does no harm; the complexity of C(X) "
    "is that of its unit ball, since without a radius it is infinite",
    cost=0.6,
)
repaired = Claim(
    NOTES.at("Section 3, remark on polynomial features, repaired"),
    contains_all(Max(N - 1, 1)),
    reading="polynomials of every degree, on finitely many points, where the span is closed",
    cost=0.6,
)

within = world("X", Increasing(N, -1, 1), says="Distinct points of [-1, 1].")
geometric = table(1 / (1 - within[i] * within[j] / 4), i, j)


def on_grid(function):
    """Values at 2k + 1 equidistant points of [-1, 1], the size being 2^k.

    Least norms can grow geometrically with the number of points, so as a power of this size.
    """

    def rule(size):
        half = size.bit_length() - 1
        points = tuple(fmpq(place, half) for place in range(-half, half + 1))
        return {"N": len(points), "X": points, "f": tuple(map(function, points))}

    return rule


every_degree = Claim(
    NOTES.at("Section 3, remark on polynomial features"),
    UpToConstant(least_squared_norm(geometric, f) <= 1, depends=("f",)),
    families=(
        Family("f = 1, finer grids", on_grid(lambda x: fmpq(1)), doublings(2, 8)),
        Family("f = |x|, finer grids", on_grid(abs), doublings(2, 8)),
    ),
    reading="F itself, without closure, as printed, for features of every degree; along a family "
    "the function is fixed and more of its points are seen, so the constant may depend on it",
    cost=0.6,
)
