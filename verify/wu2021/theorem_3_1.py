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

from flint import fmpq, fmpq_mat
from sympy import And, Eq, Implies, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities import renamed
from boundcheck.quantities.operators import dot, quadratic_form
from boundcheck.quantities.rkhs import (
    apply,
    is_regular_gram,
    projection,
    regular_gram,
    squared_norm,
    squared_norm_of_values,
    submatrix,
)
from boundcheck.worlds import (
    Custom,
    Family,
    Integer,
    Real,
    Space,
    Vector,
    doublings,
    gram_matrices,
)

from . import NOTES, penalty

inner, by_left, by_right = symbols("inner by_left by_right", real=True)
other_inner, square = symbols("other_inner square", real=True)
combined, f_squared, f_at, k_at = symbols("combined f_squared f_at k_at", real=True)
least, norm_squared = symbols("least norm_squared", real=True)


def inner_product(gram, a, b):
    """sum_ij a_i b_j k(x_i, x_j)."""
    return dot(a, apply(gram, b))


def other_representation(gram, a, w):
    """Other coefficients of the same function: a plus a part that the kernel matrix annuls."""
    null = tuple(u - v for u, v in zip(w, projection(gram, w), strict=True))
    shifted = tuple(u + v for u, v in zip(a, null, strict=True))
    assert apply(gram, shifted) == apply(gram, a)
    return shifted


def inner_product_of_other(gram, a, b, w):
    return inner_product(gram, other_representation(gram, a, w), b)


def shifted_squared_norm(gram, a, lambda_):
    """||lambda f + f(x_0) k(., x_0)||^2 with x_0 the first point."""
    value = apply(gram, a)[0]
    weights = [lambda_ * weight for weight in a]
    weights[0] += value
    return quadratic_form(gram, weights)


inner_product_well_defined = Claim(
    source=NOTES.at("Theorem 3.1, (3.1)"),
    statement=Holds(
        And(
            Eq(inner, by_left), Eq(inner, by_right), Eq(inner, other_inner), square >= 0,
        )
    ),
    measure={
        inner: inner_product,
        by_left: lambda gram, a, b: dot(a, apply(gram, b)),
        by_right: lambda gram, a, b: dot(b, apply(gram, a)),
        other_inner: inner_product_of_other,
        square: lambda gram, a: quadratic_form(gram, a),
    },
    uses=("wu2021/theorem_3_1:step_definite",),
    worlds=gram_matrices().and_fields(
        a=Vector("n", searched=(-2, 2)), b=Vector("n", searched=(-2, 2)),
        w=Vector("n", searched=(-2, 2))
    ),
    cost=0.6,
)  # fmt: skip

step_definite = Claim(
    source=NOTES.at("Theorem 3.1, proof"),
    statement=Holds(
        And(
            combined >= 0,
            Eq(combined, penalty**2 * f_squared + 2 * penalty * f_at**2 + f_at**2 * k_at),
            Implies(Eq(f_squared, 0), Eq(f_at, 0)),
        )
    ),
    worlds=gram_matrices().and_fields(a=Vector("n", searched=(-2, 2))),
    parameters={penalty: Real(None, None)},
    measure={
        combined: shifted_squared_norm,
        f_squared: lambda gram, a: quadratic_form(gram, a),
        f_at: lambda gram, a: apply(gram, a)[0],
        k_at: lambda gram: gram[0, 0],
    },
    reading="lambda is any real number here",
    cost=0.4,
)


def on_points(size, kernel, function):
    """The first `size` points of the positive integers."""
    gram = fmpq_mat(
        size, size, [fmpq(kernel(i, j)) for i in range(1, size + 1) for j in range(1, size + 1)]
    )
    return {
        "N": size, "gram": gram,
        "f": tuple(fmpq(function(i)) for i in range(1, size + 1)),
    }  # fmt: skip


def same(i, j):
    return int(i == j)


families = (
    Family(
        "kernel 1[x = x'], f(x) = 1/x",
        lambda size: on_points(size, same, lambda i: fmpq(1, i)),
        doublings(2, 7),
    ),
    Family(
        "kernel 1[x = x'] on the integers, f(x) = x^4, first N points",
        lambda size: on_points(size, same, lambda i: i**4),
        doublings(2, 7),
    ),
    Family(
        "kernel min(x, x') on the integers, f alternating, first N points",
        lambda size: on_points(size, min, lambda i: (-1) ** i),
        doublings(2, 6),
    ),
)

printed = Claim(
    source=NOTES.at("Theorem 3.1"),
    statement=UpToConstant(least <= 1, depends=("gram", "f")),
    worlds=Space(
        N=Integer(1, searched=4), gram=Custom(regular_gram, is_regular_gram),
        f=Vector("N"),
    ),
    measure={least: renamed(squared_norm_of_values, values="f")},
    families=families,
    uses=("wu2021/theorem_3_1:inner_product_well_defined", "wu2021/theorem_3_1:step_definite"),
    reading="the closure is pointwise, as printed; along a family kernel and f are fixed and more "
    "points are seen, so the constant may depend on f",
    cost=0.6,
)  # fmt: skip


def least_squared_norm_on_fewer(gram, a, seen):
    """Least squared norm of a function with the values of sum_j a_j k(., x_j) on `seen` points."""
    kept = range(seen)
    return squared_norm_of_values(submatrix(gram, kept, kept), apply(gram, a)[:seen])


repaired = Claim(
    source=NOTES.at("Theorem 3.1, repaired"),
    statement=Holds(least <= norm_squared),
    worlds=gram_matrices().and_fields(a=Vector("n", searched=(-2, 2)), seen=Integer(1, "n")),
    measure={
        least: least_squared_norm_on_fewer,
        norm_squared: lambda gram, a: squared_norm(gram, a),
    },
    uses=("wu2021/theorem_3_1:inner_product_well_defined", "wu2021/theorem_3_1:step_definite"),
    reading="limits of Cauchy sequences of H0: with bounded norms the growth that refutes the "
    "pointwise closure cannot occur",
    cost=0.5,
)
