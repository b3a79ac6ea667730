"""Theorem 2: lower bound on the difference of the two predictions.

Setting    points uniform on the unit sphere, random sign features with their angular kernel,
           s lambda = Omega(1), x' uniform on the training set.
Fixed dimension  the circle with lambda and s in the regime of the footnote.
Growing dimension  orthonormal points, the limit of growing dimension, any s and lambda; with
           `repaired` in the regime of the footnote.
Final display  the same with the factor (1 - o(1)) (s lambda / (1 + s lambda))^2 / s.
Two-sided  without any condition the left side lies between (lambda / (1 + lambda))^2 and 1 times
           (1/s) ||(K - K^2 / n)^(1/2) (K + n lambda I)^-1 y||^2.
"""

from sympy import sqrt

from boundcheck import Claim, UpToConstant
from boundcheck.settings.sign_features import (
    angles,
    design,
    lower_norm,
    mean_squared_difference,
    n,
    ridge,
    s,
    separation,
    y,
)
from boundcheck.worlds import Choice

from . import NOTES
from ._sphere import FAMILIES, FOOTNOTE, typical

mse = mean_squared_difference(design, angles, y, s, ridge)
norm = lower_norm(design, angles, y, ridge)
# Points coincide or are antipodal with probability zero.
ALLOWED = [s * ridge >= 1, separation(angles) > 0, typical(angles, n)]
REGIME = [*ALLOWED, ridge >= 1 / sqrt(n), s >= sqrt(n)]
CIRCLE, ORTHONORMAL = {design: Choice(("circle",))}, {design: Choice(("orthonormal",))}
READING = (
    "For every dimension and every s and lambda with s lambda >= 1; equally spaced, random and "
    "orthonormal points stand for the typical training set that high probability speaks of, and "
    "points on the circle are as even as n uniform ones but for a probability of 2 / (n + 1)^2."
)
STEPS = (
    "wang2019/in_sample_error:printed",
    "wang2019/sign_matrix_norm:printed",
    "wang2019/second_moment_30:printed",
)


def of_kind(kind, families):
    return tuple(family for family in families if kind in family.name)


printed = Claim(
    NOTES.at("Theorem 2, (9)"),
    UpToConstant(norm / s <= mse),
    given=ALLOWED,
    families=FAMILIES,
    uses=STEPS,
    reading=READING,
    cost=8.0,
)
fixed_dimension = Claim(
    NOTES.at("Theorem 2, (9) with its footnote"),
    UpToConstant(norm / s <= mse),
    given=REGIME,
    domains=CIRCLE,
    families=of_kind("circle", FOOTNOTE),
    reading="On the circle, points as even as for `printed`, lambda at least n^(-1/2) and s at "
    "least n^(1/2).",
    cost=8.0,
)
growing_dimension = Claim(
    NOTES.at("Theorem 2, (9)"),
    UpToConstant(norm / s <= mse),
    given=ALLOWED,
    domains=ORTHONORMAL,
    families=of_kind("orthonormal", FAMILIES),
    reading="Orthonormal points, with nothing but s lambda >= 1.",
    cost=8.0,
)
repaired = Claim(
    NOTES.at("Theorem 2, (9) with its footnote"),
    UpToConstant(norm / s <= mse),
    given=REGIME,
    domains=ORTHONORMAL,
    families=of_kind("orthonormal", FOOTNOTE),
    reading="Orthonormal points, lambda at least n^(-1/2) and s at least n^(1/2).",
    cost=8.0,
)
final_display = Claim(
    NOTES.at("Last display of Section 5"),
    UpToConstant(1 / s * (s * ridge / (1 + s * ridge)) ** 2 * norm <= mse),
    given=ALLOWED,
    families=FAMILIES,
    uses=STEPS,
    reading=READING + " The factor 1 - o(1) is left to the constant.",
    cost=8.0,
)
