"""Figures 1 and 2: mean squared difference against the number of features.

Setting    cosine features with random phases, lambda = c / sqrt(n) with c one of 1/5, 1, 5.
Claim      s E (f~ - f)^2 does not depend on s, up to constants: the 1/s law.
Printed features  the same with the features of Section 6.1 as printed, whose mean is kappa / 2.
Worlds     n = 4 training points at two of three equally spaced places of a circle, one frequency,
           three phases; the mean over the phases is that of a uniform phase.
"""

from flint import fmpq, fmpq_mat
from sympy import And, symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.operators import dot
from boundcheck.quantities.ridge import (
    feature_draws,
    kernel_table,
    predictions,
    table_of_counts,
)
from boundcheck.worlds import Choice, Family, Integer, Space, doublings

from . import NOTES, mse, s

first = symbols("first", real=True)
# cos(2 pi (x + phase)) for places and phases in thirds of a turn.
COSINES = fmpq_mat(
    3, 3, [1 if (place + phase) % 3 == 0 else fmpq(-1, 2)
           for place in range(3) for phase in range(3)],
)  # fmt: skip
PHASES = (fmpq(1, 3),) * 3
SAMPLE, TARGETS = (0, 1, 0, 1), (1, -1, 1, fmpq(-1, 2))


def _difference(s, c, normaliser):
    """E (f~ - f)^2 for psi^2 = normaliser cos^2, over places and feature draws."""
    ridge = fmpq(c) / 2  # c / sqrt(n) for n = 4
    exact = predictions(kernel_table(COSINES, PHASES) * 2, SAMPLE, TARGETS, ridge)
    total = fmpq(0)
    for probability, counts in feature_draws(PHASES, s):
        table = table_of_counts(COSINES, counts) * normaliser
        gap = predictions(table, SAMPLE, TARGETS, ridge) - exact
        total += probability * dot(PHASES, [value**2 for value in gap.entries()])
    return total


def normalised(s, c):
    """With features sqrt(2) cos, unbiased for kappa."""
    return _difference(s, c, 2)


def as_printed(s, c):
    """With features cos, as Section 6.1 prints them."""
    return _difference(s, c, 1)


def first_normalised(c):
    """The value at s = 4, from which the lines are extrapolated."""
    return 4 * _difference(4, c, 2)


def first_as_printed(c):
    """The same with the printed features."""
    return 4 * _difference(4, c, 1)


RIDGES = (fmpq(1, 5), fmpq(1), fmpq(5))
FAMILIES = tuple(
    Family(f"s grows, lambda = {c} / sqrt(n)", lambda size, c=c: {"s": size, "c": c},
           doublings(4, 6))
    for c in RIDGES
)  # fmt: skip
SETTING = {
    "worlds": Space(c=Choice(RIDGES)),
    "parameters": {s: Integer(1, searched=12)},
    "families": FAMILIES,
    "cost": 40.0,
}
LAW = UpToConstant(And(s * mse <= first, first <= s * mse))

printed = Claim(
    source=NOTES.at("Figures 1 and 2"),
    statement=LAW,
    measure={mse: normalised, first: first_normalised},
    uses=("wang2019/theorem_1:printed",),
    reading="Up to constants and with unbiased features; the curves of the real data cannot be "
    "recovered from the text.",
    **SETTING,
)

printed_features = Claim(
    source=NOTES.at("Figures 1 and 2"),
    statement=LAW,
    measure={mse: as_printed, first: first_as_printed},
    uses=("wang2019/experiment_features:unbiased",),
    **SETTING,
)
