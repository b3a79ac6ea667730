"""Theorem 3.1: the pre-Hilbert space of a kernel and its closure.

Setting    H0 the span of the k(., x) with <sum_i a_i k(., x_i), sum_j b_j k(., x'_j)> =
           sum_ij a_i b_j k(x_i, x'_j).
Claim      (inner_product_well_defined) the value depends on the functions only, and <f, f> >= 0;
           (printed) the pointwise closure of H0 is a Hilbert space: every function in it has a
           finite norm.
Repair     pointwise limits of Cauchy sequences of H0: their norms are bounded, and a bound on the
           norm of an element of H0 bounds the least norm with its values on fewer points.
Step       ||f|| = 0 forces f = 0, through ||lambda f + f(x_0) k(., x_0)||^2 >= 0.
What is computed for the closure: a function f on an infinite set, seen on its first N points. If
the kernel matrices are regular, f is a pointwise limit of H0, and the least norm of an element of
H0 with the values of f on these points grows to ||f||. Membership says that it stays bounded.
"""

from flint import fmpq
from sympy import And, Eq, Implies

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import (
    block,
    entry,
    form,
    index,
    indicator,
    inner,
    parameter,
    pick,
    table,
    world,
)
from boundcheck.quantities.rkhs import projection
from boundcheck.settings.rkhs import K, coefficients, i, least_squared_norm, n
from boundcheck.worlds import Family, Gram, Integer, Real, Vector, doublings

from . import NOTES, kernel_of_integers, same

a, b, w = (coefficients(name) for name in "abw")
# Other coefficients of the same function: a plus a part that the kernel matrix annuls.
other = a + w - projection(K, w)

inner_product_well_defined = Claim(
    NOTES.at("Theorem 3.1, (3.1)"),
    Holds(
        And(
            Eq(inner(a, K * b), inner(b, K * a)),
            Eq(inner(a, K * b), inner(other, K * b)),
            form(K, a) >= 0,
        )
    ),
    uses=("wu2021/theorem_3_1:step_definite",),
    cost=0.6,
)

penalty = parameter("lambda", Real(None, None))
at_first = table(indicator(Eq(i, 0)), i)
f_at = entry(K * a, 0)

step_definite = Claim(
    NOTES.at("Theorem 3.1, proof"),
    Holds(
        And(
            form(K, penalty * a + f_at * at_first) >= 0,
            Eq(
                form(K, penalty * a + f_at * at_first),
                penalty**2 * form(K, a) + 2 * penalty * f_at**2 + f_at**2 * K[0, 0],
            ),
            Implies(Eq(form(K, a), 0), Eq(f_at, 0)),
        )
    ),
    reading="lambda is any real number here",
    cost=0.4,
)


def on_points(kernel, function):
    """The first points of the positive integers."""
    return lambda size: {
        "N": size, "gram": kernel_of_integers(kernel, size),
        "f": tuple(fmpq(function(x)) for x in range(1, size + 1)),
    }  # fmt: skip


N = world("N", Integer(1, searched=4), says="Number of points seen.")
gram = world("gram", Gram(N, regular=True), says="Kernel matrix of the points seen.")
f = world("f", Vector(N), says="Values of the function on the points seen.")

printed = Claim(
    NOTES.at("Theorem 3.1"),
    UpToConstant(least_squared_norm(gram, f) <= 1, depends=("gram", "f")),
    families=(
        Family(
            "kernel 1[x = x'], f(x) = 1/x",
            on_points(same, lambda x: fmpq(1, x)),
            doublings(2, 7),
        ),
        Family(
            "kernel 1[x = x'], f(x) = 1",
            on_points(same, lambda x: 1),
            doublings(2, 7),
        ),
        Family(
            "kernel 1[x = x'] on the integers, f(x) = x^4, first N points",
            on_points(same, lambda x: x**4),
            doublings(2, 7),
        ),
        Family(
            "kernel min(x, x') on the integers, f alternating, first N points",
            on_points(min, lambda x: (-1) ** x),
            doublings(2, 6),
        ),
    ),
    uses=("wu2021/theorem_3_1:inner_product_well_defined", "wu2021/theorem_3_1:step_definite"),
    reading="the closure is pointwise, as printed; along a family kernel and f are fixed and more "
    "points are seen, so the constant may depend on f",
    cost=0.6,
)

seen = world("seen", Integer(1, n), says="Number of points seen.")
place = index("place", seen)
first = table(place, place)

repaired = Claim(
    NOTES.at("Theorem 3.1, repaired"),
    Holds(least_squared_norm(block(K, first, first), pick(K * a, first)) <= form(K, a)),
    uses=("wu2021/theorem_3_1:inner_product_well_defined", "wu2021/theorem_3_1:step_definite"),
    reading="limits of Cauchy sequences of H0: with bounded norms the growth that refutes the "
    "pointwise closure cannot occur",
    cost=0.5,
)
