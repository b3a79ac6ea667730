"""Theorem 3.6: every kernel has exactly one RKHS.

Setting    kernel matrix K = Phi Phi^T on n points, of any rank.
Claim      (printed) the span of the k(., x) with a^T K a reproduces; and the space of all
           <b, Phi(.)> normed by the least ||b||, another space in which K reproduces, has the same
           functions and the same norm.
Step       (step_limits) from f_t -> f pointwise the proof infers that ||f_t|| -> ||f||.
What is computed for the step: d(f) = sum_x |f(x)| / 2^x, so d(f_t) -> 0 implies f_t -> 0 at every
point. If pointwise convergence gave convergence of norms, ||f|| <= C d(f) would hold on H0 for
some C, because both sides are homogeneous.
Repair     (step_limits_repaired) for convergence in norm: | ||f|| - ||g|| | <= ||f - g||, and
           f_t -> f at every point because |f(x) - g(x)| <= sqrt(k(x, x)) ||f - g||.
"""

from flint import fmpq, fmpq_mat
from sympy import Abs, And, Eq, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.exact import square_root
from boundcheck.quantities.operators import dot
from boundcheck.quantities.rkhs import (
    apply,
    gram_of,
    is_regular_gram,
    norm,
    projection,
    regular_gram,
    row,
    squared_norm_of_values,
)
from boundcheck.worlds import (
    Custom,
    Family,
    Integer,
    Matrix,
    Space,
    Vector,
    doublings,
    gram_matrices,
)

from . import NOTES

inner, value, kernel_norm, feature_norm = symbols(
    "inner value kernel_norm feature_norm", real=True
)
size, weighted = symbols("size weighted", real=True)
norm_gap, distance, value_gap, kernel_at = symbols(
    "norm_gap distance value_gap kernel_at", real=True
)


def reproduced(features, b):
    """<f, k(., x)> by polarisation of norms, f = <b, Phi(.)>, x the first point."""
    gram = gram_of(features)
    f, kernel = apply(features, b), row(gram, 0)
    plus = tuple(u + v for u, v in zip(f, kernel, strict=True))
    minus = tuple(u - v for u, v in zip(f, kernel, strict=True))
    return (squared_norm_of_values(gram, plus) - squared_norm_of_values(gram, minus)) / 4


def norm_from_kernel(features, b):
    """f^T K^+ f."""
    return squared_norm_of_values(gram_of(features), apply(features, b))


def norm_from_features(features, b):
    """Least ||b'||^2 over b' with the same function: the projection on the span of features."""
    kept = projection(features, b)
    return dot(kept, kept)


printed = Claim(
    source=NOTES.at("Theorem 3.6"),
    statement=Holds(And(Eq(inner, value), Eq(kernel_norm, feature_norm))),
    worlds=Space(
        n=Integer(1, searched=4), p=Integer(1, searched=3), features=Matrix("n", "p"),
        b=Vector("p", searched=(-2, 2))
    ),
    measure={
        inner: reproduced,
        value: lambda features, b: apply(features, b)[0],
        kernel_norm: norm_from_kernel,
        feature_norm: norm_from_features,
    },
    uses=("wu2021/theorem_3_1:printed", "wu2021/theorem_3_6:step_limits"),
    reading="on finitely many points, where no limit enters; the limits of the proof are the claim "
    "`step_limits`",
    cost=0.8,
)


def norm_of_values(gram, f):
    return square_root(squared_norm_of_values(gram, f))


def weighted_sum(f):
    """d(f)."""
    return sum((abs(v) / 2 ** (x + 1) for x, v in enumerate(f)), fmpq(0))


def last_point(kernel):
    """The indicator of point N, in the space of the kernel on N points."""

    def rule(size):
        points = range(1, size + 1)
        gram = fmpq_mat(size, size, [fmpq(kernel(i, j)) for i in points for j in points])
        f = (fmpq(0),) * (size - 1) + (fmpq(1),)
        return {"N": size, "gram": gram, "f": f}

    return rule


step_limits = Claim(
    source=NOTES.at("Theorem 3.6, proof"),
    statement=UpToConstant(size <= weighted, depends=("gram",)),
    worlds=Space(
        N=Integer(1, searched=4), gram=Custom(regular_gram, is_regular_gram),
        f=Vector("N", -1, 1),
    ),
    measure={size: norm_of_values, weighted: weighted_sum},
    families=(
        Family(
            "kernel 1[x = x'] on the integers, f the indicator of N",
            last_point(lambda i, j: int(i == j)), doublings(2, 7),
        ),
        Family(
            "kernel min(x, x') on the integers, f the indicator of N",
            last_point(min), doublings(2, 6),
        ),
    ),
    reading="the limits f_n -> f of the proof are pointwise, as written there",
    cost=0.6,
)  # fmt: skip


def difference(a, b):
    return tuple(u - v for u, v in zip(a, b, strict=True))


step_limits_repaired = Claim(
    source=NOTES.at("Theorem 3.6, proof, repaired"),
    statement=Holds(
        And(Abs(norm_gap) <= distance, Abs(value_gap) <= sqrt(kernel_at) * distance)
    ),
    worlds=gram_matrices().and_fields(a=Vector("n", searched=(-2, 2)),
        b=Vector("n", searched=(-2, 2))),
    measure={
        norm_gap: lambda gram, a, b: norm(gram, a) - norm(gram, b),
        distance: lambda gram, a, b: norm_of_values(gram, apply(gram, difference(a, b))),
        value_gap: lambda gram, a, b: apply(gram, a)[0] - apply(gram, b)[0],
        kernel_at: lambda gram: gram[0, 0],
    },
    uses=("wu2021/lemma_3_4:printed",),
    reading="the limits of the proof taken in the norm of H0",
    cost=0.8,
)
