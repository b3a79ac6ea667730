"""Theorem 2: lower bound on the difference of the two predictions.

Setting    points uniform on the unit sphere, random sign features with their angular kernel,
           s lambda = Omega(1), x' uniform on the training set.
Claim      with high probability over the points E_{x', V}[(f~ - f)^2]
           = Omega(1/s) ||(K - K^2 / n)^(1/2) (K + n lambda I)^-1 y||^2.
Fixed dimension  the circle with lambda and s in the regime of the footnote.
Growing dimension  orthonormal points, the limit of growing dimension, any s and lambda; with
           `repaired` in the regime of the footnote.
Final display  the same with the factor (1 - o(1)) (s lambda / (1 + s lambda))^2 / s.
"""

from sympy import sqrt, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.sign_features import lower_form, sign_difference
from boundcheck.worlds import Choice, Integer, Real

from . import NOTES, mse, n, norm, ridge, s
from ._sphere import FAMILIES, FOOTNOTE, WORLDS, separation

apart = symbols("apart", real=True)
SETTING = {
    # Points coincide or are antipodal with probability zero.
    "given": [s * ridge >= 1, apart > 0],
    "worlds": WORLDS,
    "parameters": {s: Integer(1, wide=True, searched=10**12), ridge: Real(0, None, open_low=True)},
    "measure": {mse: sign_difference, norm: lower_form, apart: separation},
    "families": FAMILIES,
    "cost": 8.0,
}
READING = (
    "For every dimension and every s and lambda with s lambda >= 1; equally spaced, random and "
    "orthonormal points stand for the typical training set that high probability speaks of."
)

printed = Claim(
    source=NOTES.at("Theorem 2, (9)"),
    statement=UpToConstant(norm / s <= mse),
    uses=(
        "wang2019/in_sample_error:printed",
        "wang2019/sign_matrix_norm:printed",
        "wang2019/second_moment_30:printed",
    ),
    reading=READING,
    **SETTING,
)

REGIME = [s * ridge >= 1, apart > 0, ridge >= 1 / sqrt(n), s >= sqrt(n)]


def _families(kind, families=FAMILIES):
    return tuple(family for family in families if kind in family.name)


fixed_dimension = Claim(
    source=NOTES.at("Theorem 2, (9) with its footnote"),
    statement=UpToConstant(norm / s <= mse),
    reading="On the circle, lambda at least n^(-1/2) and s at least n^(1/2).",
    **{
        **SETTING,
        "given": REGIME,
        "worlds": WORLDS.and_fields(design=Choice(("circle",))),
        "families": _families("circle", FOOTNOTE),
    },
)

growing_dimension = Claim(
    source=NOTES.at("Theorem 2, (9)"),
    statement=UpToConstant(norm / s <= mse),
    reading="Orthonormal points, with nothing but s lambda >= 1.",
    **{
        **SETTING,
        "worlds": WORLDS.and_fields(design=Choice(("orthonormal",))),
        "families": _families("orthonormal"),
    },
)

repaired = Claim(
    source=NOTES.at("Theorem 2, (9) with its footnote"),
    statement=UpToConstant(norm / s <= mse),
    reading="Orthonormal points, lambda at least n^(-1/2) and s at least n^(1/2).",
    **{
        **SETTING,
        "given": REGIME,
        "worlds": WORLDS.and_fields(design=Choice(("orthonormal",))),
        "families": _families("orthonormal", FOOTNOTE),
    },
)

final_display = Claim(
    source=NOTES.at("Last display of Section 5"),
    statement=UpToConstant(1 / s * (s * ridge / (1 + s * ridge)) ** 2 * norm <= mse),
    uses=(
        "wang2019/in_sample_error:printed",
        "wang2019/sign_matrix_norm:printed",
        "wang2019/second_moment_30:printed",
    ),
    reading=READING + " The factor 1 - o(1) is left to the constant.",
    **SETTING,
)
