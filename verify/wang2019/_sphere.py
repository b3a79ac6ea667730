"""Families of worlds of Theorem 2: points on spheres with random sign features."""

import math

from flint import fmpq
from sympy import Expr, log, sqrt

from boundcheck.settings.sign_features import unevenness
from boundcheck.worlds import Family, doublings

SIZES = doublings(4, 6)


def typical(angles: Expr, n: Expr) -> Expr:
    """What n uniform points on the circle satisfy but for a probability of 2 / (n + 1)^2."""
    return unevenness(angles) <= 2 * sqrt(log(n + 1) / n)


def half_wave(size):
    """Targets 1 on one half of the points in order, -1 on the other."""
    return tuple(1 if 2 * i < size else -1 for i in range(size))


def regular(size, rate):
    """An odd number of equally spaced points, s far beyond n, targets of the lowest frequency."""
    count = size + 1
    angles = tuple(fmpq(i, count) for i in range(count))
    return _world("circle", angles, rate)


def scattered(size, rate):
    """Independent uniform points on the circle."""
    import numpy

    drawn = numpy.random.default_rng(size).integers(0, 10**6, size=size + 1)
    return _world("circle", tuple(fmpq(int(a), 10**6) for a in sorted(drawn)), rate)


def orthonormal(size, rate, power=12):
    """Orthonormal points, the limit of uniform points when the dimension outgrows n."""
    # The angles only count the points; of an odd number of places none are antipodal.
    return _world("orthonormal", tuple(fmpq(i, size + 1) for i in range(size)), rate, power)


def _world(design, angles, rate, power=12):
    count = len(angles)
    return {
        "n": count, "design": design, "angles": angles, "y": half_wave(count),
        "s": count**power, "lambda": rate(count),
    }  # fmt: skip


def inverse(count):
    """1 / n."""
    return fmpq(1, count)


def inverse_sixth(count):
    """1 / n^6."""
    return fmpq(1, count**6)


def inverse_root(count):
    """A rational above n^(-1/2), by at most 2 / 10^9."""
    return fmpq(math.isqrt(10**18 // count) + 1, 10**9)


FAMILIES = (
    Family("n orthonormal points, lambda = 1/n^6, s = n^24",
           lambda size: orthonormal(size, inverse_sixth, 24), SIZES),
    Family("n equally spaced points on the circle, lambda = 1/n, s = n^12",
           lambda size: regular(size, inverse), SIZES),
    Family("n random points on the circle, lambda = 1/n, s = n^12",
           lambda size: scattered(size, inverse), SIZES),
    Family("n equally spaced points on the circle, lambda = n^(-1/2), s = n^12",
           lambda size: regular(size, inverse_root), doublings(4, 7)),
    Family("n orthonormal points, lambda = n^(-1/2), s = n^12",
           lambda size: orthonormal(size, inverse_root), SIZES),
)  # fmt: skip
FOOTNOTE = tuple(family for family in FAMILIES if "lambda = n^(-1/2)" in family.name)
