"""Figures 3 and 4: Bound / E (f~ - f)^2 against n.

Setting    cosine features, s = 100, lambda = c / sqrt(n) with c one of 1/5, 1, 5, n from 200 to
           5000, Bound = (1/s) ||K^(1/2) (K + n lambda I)^-1 y||^2.
Claim      Bound is at most a constant times E (f~ - f)^2 on the data of the source.
Few places the same for data at two places of a circle.
"""

from flint import fmpq
from sympy import symbols

from boundcheck import Claim, UpToConstant
from boundcheck.quantities.operators import column, dot, entries, identity
from boundcheck.quantities.ridge import (
    block,
    feature_draws,
    kernel_table,
    solution,
    table_of_counts,
)
from boundcheck.worlds import Choice, Family, Integer, Space, doublings

from . import NOTES, mse
from .figure_1 import COSINES, PHASES, RIDGES

bound, s = symbols("bound s", real=True)
PLACES, TARGETS = (0, 1), (fmpq(1), fmpq(-1, 2))
SHARE = fmpq(1, 2)


def _reduced(table, n, c):
    """Predictions at all places when half of n points lie at each of two places.

    Equal points share their coefficient, so the n x n system is the 2 x 2 one with penalty
    n lambda / (n / 2) = 2 lambda.
    """
    penalty = fmpq(c) / fmpq(n).sqrt() / SHARE
    system = block(table, PLACES, PLACES) + identity(2) * penalty
    weights = solution(system, column(TARGETS))
    return block(table, range(3), PLACES) * weights, weights


def difference(n, s, c):
    """E (f~ - f)^2 with features sqrt(2) cos."""
    exact, _ = _reduced(kernel_table(COSINES, PHASES) * 2, n, c)
    total = fmpq(0)
    for probability, counts in feature_draws(PHASES, s):
        gap = _reduced(table_of_counts(COSINES, counts) * 2, n, c)[0] - exact
        total += probability * dot(PHASES, [value**2 for value in gap.entries()])
    return total


def short_bound(n, s, c):
    """(1/s) alpha^T K alpha; the two coefficients are shared by n / 2 points each."""
    table = kernel_table(COSINES, PHASES) * 2
    _, weights = _reduced(table, n, c)
    shared = entries(weights)
    return dot(shared, entries(block(table, PLACES, PLACES) * weights)) / s


def _at(size, c):
    return {"n": size**2, "s": 10, "c": c}


few_places = Claim(
    source=NOTES.at("Figures 3 and 4"),
    statement=UpToConstant(bound <= mse),
    worlds=Space(n=Choice((4, 16)), s=Integer(1, 4), c=Choice(RIDGES)),
    measure={bound: short_bound, mse: difference},
    families=tuple(
        Family(f"n grows, lambda = {c} / sqrt(n)", lambda size, c=c: _at(size, c), doublings(4, 7))
        for c in RIDGES
    ),
    reading="Bounded data of low dimension; n is a square, so that lambda is rational.",
    cost=20.0,
)

printed = Claim(
    source=NOTES.at("Figures 3 and 4"),
    statement=UpToConstant(bound <= mse),
    worlds=Space(n=Choice((4, 16)), s=Integer(1, 4), c=Choice(RIDGES)),
    measure={bound: short_bound, mse: difference},
    reading="The claim is about the four data sets of the source, which the text does not hold; "
    "no family of finite worlds stands for them, so this claim stays open here.",
    cost=20.0,
)
