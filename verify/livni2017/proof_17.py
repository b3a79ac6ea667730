"""(17): the comparator's loss."""

from sympy import And

from boundcheck import Claim, Holds
from boundcheck.expressions import total
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B
from boundcheck.settings.shrinking_gradient import PRINTED, ShrinkingGradient, T

from . import NOTES

run = ShrinkingGradient(T, PRINTED)
at_zero = total(run.y[run.s] ** 2 / 2, run.s)
setting = dict(given=[B >= 1], domains=AT_LEAST_ONE, cost=6)

printed = Claim(
    NOTES.at("(17)"),
    Holds(And(run.least_losses <= at_zero, at_zero <= T)),
    reading="The minimum over an open ball is its infimum.",
    **setting,
)

sharpened = Claim(
    NOTES.at("(17), with labels in [-1, 1]"),
    Holds(And(run.least_losses <= at_zero, 2 * at_zero <= T)),
    **setting,
)
