"""Random sign features sgn(x^T v), v uniform on the sphere, with their angular kernel.

Points are on the unit circle at `angles`, in turns, or along the axes of R^n (`design`), which
`angles` then only count: the limit of uniform points when the dimension outgrows their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq

from boundcheck.expressions import parameter, primitive, world
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.quantities import features, sign_features
from boundcheck.worlds import Choice, Custom, Integer, Real, Vector
from boundcheck.worlds.sources import Coordinates


def _angles(source: Coordinates, earlier: Mapping[str, Any]) -> tuple[fmpq, ...]:
    """Points on the circle in turns: equally spaced, or anywhere."""
    size = earlier["n"]
    if source.choice(("equal", "free")) == "equal":
        return tuple(fmpq(i, size) for i in range(size))
    return tuple(source.rational(fmpq(0), fmpq(1)) for _ in range(size))


n = world("n", Integer(1, searched=3), says="Number of points.")
design = world("design", Choice(("circle", "circle", "orthonormal")), says="Where the points lie.")
angles = world(
    "angles", Custom(_angles, Vector("n", 0, 1)), rank=1, needs=(n,), latex=r"\theta",
    says="Angles of the points in turns.",
)  # fmt: skip
y = world("y", Vector(n), units={"target": 1}, says="Targets.")
s = parameter("s", Integer(1, wide=True, searched=10**12), says="Number of features.")
ridge = parameter("lambda", Real(0, None, open_low=True), says="Ridge parameter.")


def _distance(a: Any, b: Any) -> Any:
    gap = (a[..., :, None] - b[..., None, :]) % 1
    return numpy.minimum(gap, 1 - gap)


@primitive(
    ranks=(1,), rank=2, facts=("positive semi-definite",), units="none", latex="K",
    shape=lambda a: (a[0], a[0]), batch=lambda a: 1 - 4 * _distance(a, a),
)
def angular_kernel(angles: Any) -> Any:
    """E_v sgn(x_i^T v) sgn(x_j^T v) on the circle (n x n); balls for many points."""
    return sign_features.sign_kernel("circle", angles)


@primitive(
    ranks=(1, 1), rank=2, units="none", latex=r"\operatorname{{sgn}}(x_i^\top v_l)",
    shape=lambda a, v: (a[0], v[0]), batch=lambda a, v: numpy.sign(0.25 - _distance(a, v)),
)
def signs(angles: Any, directions: Any) -> Any:
    """sgn(x_i^T v_l) on the circle (n x s), zero at right angles; balls for many points."""
    return sign_features.sign_table(angles, directions)


@primitive(facts=("nonnegative",), latex=r"\left\|K^{{1/2}}(K+n\lambda I_n)^{{-1}}y\right\|_2^2")
def upper_norm(design: Any, angles: Any, y: Any, ridge: Any) -> Any:
    """||K^(1/2) (K + n lambda I)^-1 y||^2."""
    return sign_features.upper_form(design, angles, y, ridge)


@primitive(latex=r"\left\|(K-\tfrac{{1}}{{n}}K^2)^{{1/2}}(K+n\lambda I_n)^{{-1}}y\right\|_2^2")
def lower_norm(design: Any, angles: Any, y: Any, ridge: Any) -> Any:
    """||(K - K^2 / n)^(1/2) (K + n lambda I)^-1 y||^2."""
    return sign_features.lower_form(design, angles, y, ridge)


@primitive(
    facts=("nonnegative",),
    latex=r"\mathbb{{E}}_{{x',\mathcal{{V}}_s}}\left[(\tilde{{f}}_\lambda-f_\lambda)^2\right]",
)
def mean_squared_difference(design: Any, angles: Any, y: Any, s: Any, ridge: Any) -> Any:
    """E over x' uniform on the training set and s sign features of (f~ - f)^2."""
    return sign_features.sign_difference(design, angles, y, s, ridge)


@primitive(facts=("nonnegative",))
def separation(angles: Any) -> fmpq:
    """Least distance between two points or their antipodes, in turns; 1 for a single point."""
    count = len(angles)
    gaps = [
        features.turn_distance(2 * angles[i], 2 * angles[j])
        for i in range(count) for j in range(i)
    ]  # fmt: skip
    return min(gaps, default=fmpq(1))


@primitive(facts=("nonnegative",))
def unevenness(angles: Any) -> fmpq:
    """Kuiper's distance of the points from the uniform law on the circle, whatever its origin.

    Of n uniform points it exceeds 2 r with probability at most 2 exp(-2 n r^2).
    Source: Massart, Annals of Probability 18 (1990) 1269-1283, either side of the origin.
    """
    ordered = sorted(fmpq(angle) - fmpq(angle).floor() for angle in angles)
    size = len(ordered)
    above = max(fmpq(i + 1, size) - angle for i, angle in enumerate(ordered))
    below = max(angle - fmpq(i, size) for i, angle in enumerate(ordered))
    return above + below


@primitive(latex=r"\mathbb{{E}}_v[\operatorname{{sgn}}(x^\top v)\operatorname{{sgn}}(x'^\top v)]")
def sign_agreement(turn: Any) -> fmpq:
    """E_v sgn(x^T v) sgn(x'^T v) for two points a number of turns apart, arc by arc."""
    law = features.circle_patterns((0, turn))
    return sum((weight * first * second for weight, (first, second) in law), fmpq(0))


@primitive(facts=("nonnegative",), latex=r"\max_v \operatorname{{sgn}}(x^\top v)^2")
def largest_sign(turn: Any) -> int:
    """max over v of sgn(x^T v)^2."""
    return max(first**2 for _, (first, _) in features.circle_patterns((0, turn)))


@primitive(
    facts=("probability",), latex=r"\mathbb{{P}}\left(\operatorname{{sgn}}(x^\top v)={1}\right)"
)
def pattern_probability(directions: Any, pattern: Any) -> fmpq:
    """P(sgn(x^T v_l) = pattern_l for all l), x uniform on the circle."""
    law = features.circle_patterns(directions)
    return sum((weight for weight, signs in law if signs == pattern), fmpq(0))
