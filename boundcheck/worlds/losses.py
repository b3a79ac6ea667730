"""Fields for adversarial losses: piecewise linear or quadratic, convex or not, any kinks.

A loss is a tuple (knots, slopes, start): knots v_1 <= ... <= v_k; slopes are those of the k + 1
pieces (piecewise linear) or the derivative at the knots (piecewise quadratic); start is the value
at zero. `boundcheck.quantities.piecewise` evaluates it. Only what a statement requires is imposed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import fmpq

from boundcheck.worlds.domains import all_between, is_between, is_number
from boundcheck.worlds.ends import Bound, as_rational
from boundcheck.worlds.fields import Choice, Field, Real
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import Space

Pieces = tuple[tuple[fmpq, ...], tuple[fmpq, ...], fmpq]
NAMED = ("logistic", "hinge", "smoothed hinge", "modified huber", "absolute")
SIZES = Real(0, None, open_low=True, log=True, searched=("1/1000", 10))
SMOOTH = ("logistic", "smoothed hinge", "modified huber")


def named_losses(*, smooth: bool = False) -> Space:
    """The losses of the sources by name, with height and stretch over orders of magnitude."""
    return Space(
        loss=Choice(SMOOTH if smooth else NAMED),
        height=SIZES, stretch=SIZES,
    )  # fmt: skip


@dataclass(frozen=True)
class PiecewiseLinear(Field):
    """A loss with slopes in [-lipschitz, lipschitz], up to `pieces` kinks in [-reach, reach].

    With `convex` slopes rise; with `decreasing` they are not positive.
    """

    pieces: int = 3
    lipschitz: Bound = 1
    reach: Bound = 2
    convex: bool = False
    decreasing: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Pieces:
        steepest, reach = as_rational(self.lipschitz, earlier), as_rational(self.reach, earlier)
        number = source.integer(1, self.pieces)
        knots = sorted(source.rational(-reach, reach) for _ in range(number))
        top = fmpq(0) if self.decreasing else steepest
        slopes = [source.rational(-steepest, top) for _ in range(number + 1)]
        if self.convex:
            slopes.sort()
        return tuple(knots), tuple(slopes), source.rational(fmpq(0), fmpq(1))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        knots, slopes, start = value
        steepest, reach = as_rational(self.lipschitz, earlier), as_rational(self.reach, earlier)
        top = fmpq(0) if self.decreasing else steepest
        return (
            1 <= len(knots) <= self.pieces and _rising(knots, reach) and _starts(start)
            and all_between(slopes, len(knots) + 1, -steepest, top)
            and (not self.convex or tuple(sorted(slopes)) == slopes)
        )  # fmt: skip


@dataclass(frozen=True)
class PiecewiseQuadratic(Field):
    """A differentiable loss whose derivative is linear between knots and constant outside.

    The derivative has Lipschitz constant at most `smoothness`; with `convex` it rises.
    """

    pieces: int = 3
    smoothness: Bound = 1
    reach: Bound = 2
    convex: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Pieces:
        bend, reach = as_rational(self.smoothness, earlier), as_rational(self.reach, earlier)
        number = source.integer(2, self.pieces + 1)
        knots = sorted(source.rational(-reach, reach) for _ in range(number))
        slopes = [source.rational(-bend, bend)]
        least = fmpq(0) if self.convex else -bend
        for before, after in pairwise(knots):
            slopes.append(slopes[-1] + source.rational(least, bend) * (after - before))
        return tuple(knots), tuple(slopes), source.rational(fmpq(0), fmpq(1))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        knots, slopes, start = value
        bend, reach = as_rational(self.smoothness, earlier), as_rational(self.reach, earlier)
        least = fmpq(0) if self.convex else -bend
        if not (2 <= len(knots) <= self.pieces + 1 and _rising(knots, reach) and _starts(start)):
            return False
        if not all_between(slopes, len(knots), None, None) or abs(slopes[0]) > bend:
            return False
        return all(
            least * (after - before) <= high - low <= bend * (after - before)
            for (before, after), (low, high) in zip(pairwise(knots), pairwise(slopes), strict=True)
        )


def _rising(knots: Any, reach: fmpq) -> bool:
    right = all_between(knots, len(knots), -reach, reach)
    return right and tuple(sorted(knots)) == knots


def _starts(start: Any) -> bool:
    """Whether a number is the value of a loss at zero."""
    return is_number(start) and is_between(fmpq(start), fmpq(0), fmpq(1))
