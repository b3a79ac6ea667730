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

from sympy import Abs, And, Eq, sqrt

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import entry, form, index, inner, row, total, world
from boundcheck.quantities.rkhs import projection
from boundcheck.settings.rkhs import K, Phi, coefficients, inner_product, least_squared_norm, p
from boundcheck.worlds import Family, Gram, Integer, Vector, doublings

from . import NOTES, kernel_of_integers, same

b = coefficients("b", p)
kernel, f = Phi * Phi.T, Phi * b
kept = projection(Phi, b)

printed = Claim(
    NOTES.at("Theorem 3.6"),
    Holds(
        And(
            Eq(inner_product(kernel, f, row(kernel, 0)), entry(f, 0)),
            Eq(least_squared_norm(kernel, f), inner(kept, kept)),
        )
    ),
    uses=("wu2021/theorem_3_1:printed", "wu2021/theorem_3_6:step_limits"),
    reading="on finitely many points, where no limit enters; the limits of the proof are the claim "
    "`step_limits`",
    cost=0.8,
)

N = world("N", Integer(1, searched=4), says="Number of points seen.")
gram = world("gram", Gram(N, regular=True), says="Kernel matrix of the points seen.")
values = world("f", Vector(N, -1, 1), says="Values of the function on the points seen.")
x = index("x", N)


def last_point(k):
    """The indicator of point N, in the space of the kernel on N points."""
    return lambda size: {
        "N": size, "gram": kernel_of_integers(k, size), "f": (0,) * (size - 1) + (1,)
    }


step_limits = Claim(
    NOTES.at("Theorem 3.6, proof"),
    UpToConstant(
        sqrt(least_squared_norm(gram, values)) <= total(Abs(values[x]) / 2 ** (x + 1), x),
        depends=("gram",),
    ),
    families=(
        Family(
            "kernel 1[x = x'] on the integers, f the indicator of N",
            last_point(same), doublings(2, 7),
        ),
        Family(
            "kernel min(x, x') on the integers, f the indicator of N",
            last_point(min), doublings(2, 6),
        ),
    ),
    reading="the limits f_n -> f of the proof are pointwise, as written there",
    cost=0.6,
)  # fmt: skip

a, c = coefficients("a"), coefficients("c")
distance = sqrt(least_squared_norm(K, K * (a - c)))

step_limits_repaired = Claim(
    NOTES.at("Theorem 3.6, proof, repaired"),
    Holds(
        And(
            Abs(sqrt(form(K, a)) - sqrt(form(K, c))) <= distance,
            Abs(entry(K * a, 0) - entry(K * c, 0)) <= sqrt(K[0, 0]) * distance,
        )
    ),
    uses=("wu2021/lemma_3_4:printed",),
    reading="the limits of the proof taken in the norm of H0",
    cost=0.8,
)
