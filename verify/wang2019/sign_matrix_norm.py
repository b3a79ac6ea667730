"""Section 5: norm of K~ and the step from (28) to (29).

Setting    n > s points on the circle, s given directions, sign features, x' uniform on the
           training set, alpha = (K + n lambda I)^-1 y, D = K~ - K.
Lower      ||K~||_2 >= n / s, which the text shows.
Needed     ||K~||_2 <= C n / s, which (28) needs for (29).
"""

from flint import fmpq

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.expressions import (
    define,
    greatest,
    identity,
    index,
    inner,
    least,
    named,
    operator_norm,
    total,
    world,
)
from boundcheck.settings.sign_features import angular_kernel, ridge, signs
from boundcheck.worlds import Family, Integer, Vector, doublings

from . import NOTES
from ._sphere import half_wave, typical

s = world("s", Integer(1, searched=3), says="Number of directions.")
n = world("n", Integer(1, searched=4), says="Number of points.")
angles = world("angles", Vector(n, 0, 1), latex=r"\theta", says="Points in turns.")
directions = world("directions", Vector(s, 0, 1), says="Directions in turns.")
y = world("y", Vector(n), units={"target": 1}, says="Targets.")
i, j, k = index("i", n), index("j", s), index("k", s)

S = named("S", signs(angles, directions))
K, K_ = named("K", angular_kernel(angles)), named("K~", S * S.T / s, r"\tilde{K}")
I = identity(n)
gap = (K_ - K) * (K + n * ridge * I) ** -1 * y
error = n * ridge * (K_ + n * ridge * I) ** -1 * gap
image = define("image", inner(gap, gap), latex=r"\|D\alpha\|_2^2")
mse = define("mse", inner(error, error) / n, latex=r"\mathbb{E}_{x'}(\tilde f-f)^2")
size = define("size", operator_norm(K_), latex=r"\|\tilde{K}\|_2")
columns = named("S^T S", S.T * S, r"S^\top S")
quotient = define(
    "quotient", greatest(total(columns[j, k] ** 2, k) / (s * columns[j, j]), j),
    says="Largest Rayleigh quotient of K~ over the columns of signs.",
)  # fmt: skip
# A point is at a right angle to a direction with probability zero.
APART = define("least", least(S[i, j] ** 2, i, j), says="1 unless some angle is a right one.") > 0

TYPICAL = typical(angles, n), typical(directions, s)


def _drawn(size):
    import numpy

    rng = numpy.random.default_rng(size)
    points = [fmpq(int(a), 10**6 + 3) for a in sorted(rng.integers(0, 10**6, size=2 * size))]
    lines = [fmpq(int(a), 10**6 + 7) for a in sorted(rng.integers(0, 10**6, size=size))]
    return tuple(points), tuple(lines)


def adverse(size):
    """2 size points, size directions, lambda = 1/s, and the targets that K~ shrinks most.

    The left side is largest against the right one when D alpha is the leading eigenvector of K~.
    """
    import numpy

    points, lines = _drawn(size)
    places, ways = (numpy.array([float(v) for v in part]) for part in (points, lines))
    exact, table = angular_kernel.batch(places), signs.batch(places, ways)
    table = table @ table.T / size
    leading = numpy.linalg.eigh(table)[1][:, -1]
    ridge = 2 * size / size
    targets = (exact + ridge * numpy.eye(2 * size)) @ numpy.linalg.solve(table - exact, leading)
    targets = targets / numpy.abs(targets).max()
    y = tuple(fmpq(round(float(v) * 2**40), 2**40) for v in targets)
    return {
        "n": 2 * size, "s": size, "angles": points, "directions": lines, "y": y,
        "lambda": fmpq(1, size),
    }  # fmt: skip


def neutral(size):
    """The same points and directions with targets that know neither."""
    return adverse(size) | {"y": half_wave(2 * size)}


def places(size):
    """The same points and directions alone."""
    points, lines = _drawn(size)
    return {"n": 2 * size, "s": size, "angles": points, "directions": lines}


FAMILIES = (
    Family("n = 2 s random points and directions on the circle, lambda = 1/s, half wave",
           neutral, doublings(2, 6)),
    Family("n = 2 s random points and directions on the circle, lambda = 1/s, worst y",
           adverse, doublings(2, 6)),
)  # fmt: skip

printed = Claim(
    NOTES.at("(29)"),
    UpToConstant(1 / n * (s * ridge / (1 + s * ridge)) ** 2 * image <= mse),
    given=[n > s, APART, *TYPICAL],
    families=FAMILIES,
    uses=("wang2019/in_sample_error:printed", "wang2019/sign_matrix:printed"),
    reading="The factor 1 - o(1) is left to the constant; for points and directions as even as n "
    "and s uniform ones but for a probability of 2 / (n + 1)^2 and 2 / (s + 1)^2, and every "
    "targets y, as (28) holds; with targets that know neither it may hold.",
    cost=2.0,
)

lower = Claim(
    NOTES.at("Norm of K~, Section 5"),
    Holds(size >= n / s),
    given=[n > s, APART],
    reading="Without the factor 1 - o(1): a single column has squared length n / s.",
)

needed = Claim(
    NOTES.at("Norm of K~, Section 5"),
    UpToConstant(quotient <= n / s),
    given=[n > s, APART, *TYPICAL],
    families=(Family("n = 2 s random points and directions on the circle", places,
                     doublings(2, 6)),),
    reading="What (28) needs for (29), the norm replaced by a Rayleigh quotient below it.",
)
