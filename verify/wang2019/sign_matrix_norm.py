"""Section 5: norm of K~ and the step from (28) to (29).

Setting    n > s points on the circle, s given directions, sign features, x' uniform on the
           training set, alpha = (K + n lambda I)^-1 y, D = K~ - K.
Claim      (29): E_{x'}(f~ - f)^2 >= (1/n) (1 - o(1)) (s lambda / (1 + s lambda))^2 ||D alpha||^2.
Lower      ||K~||_2 >= n / s, which the text shows.
Needed     ||K~||_2 <= C n / s, which (28) needs for (29).
"""

from flint import arb, arb_mat, fmpq
from sympy import symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities import renamed
from boundcheck.quantities.features import circle_kernel
from boundcheck.quantities.operators import column, operator_norm
from boundcheck.quantities.ridge import shifted
from boundcheck.quantities.sign_features import sign_gram, sign_table
from boundcheck.worlds import Family, Integer, Real, Space, Vector, doublings

from . import NOTES, mse, n, ridge, s
from ._sphere import half_wave

image, size, least = symbols("image size least", real=True)
approximate = symbols("approximate", commutative=False)


def _gap_image(angles, directions, y, lambda_):
    """K~ and D alpha."""
    approximate = arb_mat(sign_gram(angles, directions))
    gram = arb_mat(circle_kernel(angles))
    alpha = shifted(gram, lambda_).solve(arb_mat(column(y)))
    return approximate, (approximate - gram) * alpha


def gap_length(angles, directions, y, lambda_):
    """||D alpha||^2."""
    _, image = _gap_image(angles, directions, y, lambda_)
    return sum((value**2 for value in image.entries()), arb(0))


def in_sample(angles, directions, y, lambda_):
    """(1/n) ||n lambda (K~ + n lambda I)^-1 D alpha||^2."""
    approximate, image = _gap_image(angles, directions, y, lambda_)
    count = len(angles)
    errors = shifted(approximate, lambda_).solve(image) * (count * fmpq(lambda_))
    return sum((value**2 for value in errors.entries()), arb(0)) / count


def smallest_sign(angles, directions):
    """min sgn(x_i^T v_l)^2: 1 unless a point is at a right angle to a direction."""
    return min(value**2 for value in sign_table(angles, directions).entries())


def row_norm(angles, directions):
    """A lower end of ||K~||_2: the largest Rayleigh quotient over the sign columns."""
    table = sign_table(angles, directions)
    inner = table.transpose() * table
    size = len(directions)
    quotients = [
        sum((inner[j, k] ** 2 for k in range(size)), fmpq(0)) / (inner[j, j] * size)
        for j in range(size)
        if inner[j, j]
    ]
    return max(quotients) if quotients else fmpq(0)


WORLDS = Space(
    s=Integer(1, searched=3),
    n=Integer(1, searched=4),
    angles=Vector("n", 0, 1),
    directions=Vector("s", 0, 1),
    y=Vector("n"),
)


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
    exact = _floats(circle_kernel(points))
    table = _floats(sign_gram(points, lines))
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


def _floats(matrix):
    import numpy

    middles = [float(arb(value).mid()) for value in matrix.entries()]
    return numpy.array(middles).reshape(matrix.nrows(), matrix.ncols())


PARAMETERS = {ridge: Real(0, None, open_low=True)}
FAMILIES = (
    Family("n = 2 s random points and directions on the circle, lambda = 1/s, half wave",
           neutral, doublings(2, 6)),
    Family("n = 2 s random points and directions on the circle, lambda = 1/s, worst y",
           adverse, doublings(2, 6)),
)  # fmt: skip

printed = Claim(
    source=NOTES.at("(29)"),
    statement=UpToConstant(1 / n * (s * ridge / (1 + s * ridge)) ** 2 * image <= mse),
    given=[n > s, least > 0],
    worlds=WORLDS,
    parameters=PARAMETERS,
    measure={image: gap_length, mse: in_sample, least: smallest_sign},
    families=FAMILIES,
    uses=("wang2019/in_sample_error:printed", "wang2019/sign_matrix:printed"),
    reading="The factor 1 - o(1) is left to the constant; for drawn points and directions and "
    "every targets y, as (28) holds; with targets that know neither it may hold.",
    cost=2.0,
)

lower = Claim(
    source=NOTES.at("Norm of K~, Section 5"),
    statement=Holds(size >= n / s),
    # A point is at a right angle to a direction with probability zero.
    given=[n > s, least > 0],
    worlds=WORLDS,
    measure={
        approximate: sign_gram,
        size: renamed(operator_norm, matrix="approximate"),
        least: smallest_sign,
    },
    reading="Without the factor 1 - o(1): a single column has squared length n / s.",
)

needed = Claim(
    source=NOTES.at("Norm of K~, Section 5"),
    statement=UpToConstant(size <= n / s),
    given=[n > s, least > 0],
    worlds=WORLDS,
    parameters=PARAMETERS,
    measure={size: row_norm, least: smallest_sign},
    families=FAMILIES,
    reading="What (28) needs for (29), the norm replaced by a Rayleigh quotient below it.",
)
