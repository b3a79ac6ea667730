"""A smooth loss is smooth in the RKHS.

Setting    loss with an L-Lipschitz derivative, features bounded by R, functions g, g' of H.
Claim      <dl(g, z) - dl(g', z), g - g'> <= L R^2 ||g - g'||^2, which makes l(., z) smooth in H
           with constant L R^2.
"""

from sympy import And, Le, sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import square_root
from boundcheck.quantities.losses import SMOOTH, larger, loss_slope, smoothness_constant
from boundcheck.quantities.minimisers import feature_kernel
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.worlds import Choice, Integer, Real, Vector, feature_worlds

from . import ARXIV, L, R

inner, squared_distance, gradient_distance = symbols(
    "inner squared_distance gradient_distance", real=True
)
largest_feature, slope_gap, value_gap = symbols("largest_feature slope_gap value_gap", real=True)
evaluation = symbols("evaluation", real=True)


def value(phi, tau, a, x):
    """g(x) of g = sum_j a_j k(., x_j)."""
    return entries(feature_kernel(phi, tau) * column(a))[x % phi.nrows()]


def slopes(phi, tau, a, b, x, y, loss, height, stretch):
    """l'(g(x), y) - l'(g'(x), y)."""
    return y * (
        loss_slope(loss, height, stretch, y * value(phi, tau, a, x))
        - loss_slope(loss, height, stretch, y * value(phi, tau, b, x))
    )


def squared(phi, tau, a, b):
    """||g - g'||^2."""
    gaps = [s - t for s, t in zip(a, b, strict=True)]
    return dot(gaps, entries(feature_kernel(phi, tau) * column(gaps)))


arxiv = Claim(
    source=ARXIV.at("Section 4, Assumption 4, (32)-(35)"),
    statement=Holds(
        And(
            Le(inner, L * R**2 * squared_distance),
            Le(gradient_distance, L * R**2 * sqrt(squared_distance)),
        )
    ),
    given=[R > 0, largest_feature <= R],
    worlds=feature_worlds(bound=2).and_fields(
        a=Vector("n", searched=(-4, 4)),
        b=Vector("n", searched=(-4, 4)),
        x=Integer(0, 2),
        y=Choice((-1, 1)),
        loss=Choice(SMOOTH),
        height=Real("1/10", 10),
        stretch=Real("1/10", 10),
    ),
    parameters={R: Real(0, None)},
    measure={
        L: smoothness_constant,
        largest_feature: lambda phi: max(abs(entry) for entry in phi.entries()),
        slope_gap: slopes,
        value_gap: lambda phi, tau, a, b, x: value(phi, tau, a, x) - value(phi, tau, b, x),
        evaluation: lambda phi, tau, x: square_root(
            feature_kernel(phi, tau)[x % phi.nrows(), x % phi.nrows()]
        ),
        inner: lambda slope_gap, value_gap: slope_gap * value_gap,
        squared_distance: squared,
        gradient_distance: lambda slope_gap, evaluation: larger(slope_gap, -slope_gap)
        * evaluation,
    },
    uses=("yashima2021/assumption_2:printed",),
    reading="smoothness in H is Lipschitz continuity of the gradient (l'(g(x)) k(., x))",
)
