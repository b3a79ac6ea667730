"""What runs of an experiment establish: shares and medians with exact intervals, or nothing.

A claim on an experiment is handed an interval only if all of the interval is on the side claimed;
anything else leaves it undecided. Runs that speak against a claim leave it undecided too: a
refutation states its error probability, and that is what statements over draws are for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

from flint import arb

from boundcheck.errors import Undecided

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


@dataclass(frozen=True)
class Measured:
    """A quantity of a claim: what runs leave of it, all of it on one side of a limit.

    Args: find: the runs. above, below: limits that the whole interval must respect, or None.
    The number behind a sentence stands in `str(find())`.
    """

    find: Callable[[], Found]
    above: float | None = None
    below: float | None = None

    def __call__(self) -> arb:
        """The interval as a ball.

        Raises: Undecided, naming the interval, if it is not on the side asked for.
        """
        found = self.find()
        if self.above is not None and not found.low > self.above:
            raise Undecided(f"{found}, which is not above {self.above:g}")
        if self.below is not None and not found.high < self.below:
            raise Undecided(f"{found}, which is not below {self.below:g}")
        return arb(found.low).union(arb(found.high))

    def told(self) -> str:
        """What was found, in words."""
        return str(self.find())


def more_than(find: Callable[[], Found], least: float) -> Measured:
    """A quantity that is above `least` by the whole of its interval, or undecided."""
    return Measured(find, above=least)


def less_than(find: Callable[[], Found], most: float) -> Measured:
    """A quantity that is below `most` by the whole of its interval, or undecided."""
    return Measured(find, below=most)
