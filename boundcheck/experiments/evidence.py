"""What runs of an experiment establish: shares and medians with exact intervals, or nothing.

A claim on an experiment is handed an interval only if all of the interval is on the side claimed;
anything else leaves it undecided. Runs that speak against a claim leave it undecided too: a
refutation states its error probability, and that is what statements over draws are for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.errors import Undecided
from boundcheck.expressions import define, primitive
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.scope import unknown

LEVEL = 1e-4  # error probability of an interval, both sides together


class Found(Protocol):
    """A number that runs leave in an interval."""

    @property
    def low(self) -> float:
        """Lower end."""

    @property
    def high(self) -> float:
        """Upper end."""


@dataclass(frozen=True)
class Share:
    """A share of independent runs with its exact binomial interval (Clopper and Pearson).

    >>> Share(58, 60)
    Share(hits=58, trials=60)
    >>> round(Share(58, 60).low, 3), round(Share(58, 60).high, 3)
    (0.779, 1.0)
    >>> print(Share(58, 60))
    58 of 60 runs: the share is in [0.779, 1] at level 0.9999
    """

    hits: int
    trials: int

    @property
    def low(self) -> float:
        """Lower end; 0 without a run."""
        return self._ends()[0]

    @property
    def high(self) -> float:
        """Upper end; 1 without a run."""
        return self._ends()[1]

    def _ends(self) -> tuple[float, float]:
        from boundcheck.statistics.binomial import clopper_pearson

        if not self.trials:
            return 0.0, 1.0
        low, high = clopper_pearson(self.hits, self.trials, level=LEVEL)
        return float(low), float(high)

    def __str__(self) -> str:
        return (
            f"{self.hits} of {self.trials} runs: the share is in [{self.low:.3g}, "
            f"{self.high:.3g}] at level {1 - LEVEL:g}"
        )


@dataclass(frozen=True)
class Median:
    """The median of a value over runs, between two order statistics: valid for every law.

    Of n independent values at most k - 1 lie below the median with probability
    P(Bin(n, 1/2) < k), and the same above it, so the k-th smallest and the k-th largest enclose
    it but for twice that.

    >>> Median(tuple(range(101))).low, Median(tuple(range(101))).high
    (30.0, 70.0)
    """

    values: tuple[float, ...]

    @property
    def low(self) -> float:
        """The k-th smallest value, or minus infinity for too few values."""
        place = self._place()
        return float(sorted(self.values)[place - 1]) if place else -inf

    @property
    def high(self) -> float:
        """The k-th largest value, or infinity for too few values."""
        place = self._place()
        return float(sorted(self.values)[-place]) if place else inf

    def _place(self) -> int:
        """Largest k with 2 P(Bin(n, 1/2) < k) <= LEVEL."""
        from scipy.stats import binom

        place, size = 0, len(self.values)
        while 2 * binom.cdf(place, size, 0.5) <= LEVEL:
            place += 1
        return place

    def __str__(self) -> str:
        return (
            f"the median of {len(self.values)} runs is in [{self.low:.4g}, {self.high:.4g}] at "
            f"level {1 - LEVEL:g}"
        )


def worst(found: Sequence[Share]) -> Share:
    """The share with the smallest lower end."""
    return min(found, key=lambda share: share.low)


@primitive(rank=0, ranks=(None, 0), units="none", latex="{0}")
def beyond(found: Found, least: fmpq) -> arb:
    """The interval of what was found, as a ball, if all of it is above a number.

    Raises: Undecided, naming the interval, if it is not.
    """
    if not found.low > float(least):
        raise Undecided(f"{found}, which is not above {float(least):g}")
    return arb(found.low).union(arb(found.high))


def more_than(name: str, found: Apply, least: sympy.Rational, says: str = "") -> sympy.Basic:
    """The relation found > least, which runs establish with the whole of an interval.

    Args: name: of what is found. found: a primitive that gives a `Found`. says: one sentence.
    """
    symbol = define(name, beyond.of(found, least), says=says)
    return sympy.Gt(symbol, least, evaluate=False)


def told(definition: object) -> str | None:
    """What runs left of a quantity, in words; None of a quantity that is no experiment."""
    whole = getattr(definition, "whole", None)
    if not isinstance(whole, Apply) or whole.primitive is not beyond:
        return None
    return str(exact.compiled(whole.operands[0])(unknown))
