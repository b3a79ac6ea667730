"""What runs of an experiment establish: shares of runs with exact intervals, or nothing.

A claim on an experiment is handed an interval only if all of the interval is on the side claimed;
anything else leaves it undecided. Runs that speak against a claim leave it undecided too: a
refutation states its error probability, and that is what statements over draws are for.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb

from boundcheck.errors import Undecided

LEVEL = 1e-4  # error probability of an interval, both sides together


@dataclass(frozen=True)
class Share:
    """A share of independent runs with its exact binomial interval (Clopper and Pearson).

    >>> Share(58, 60)
    Share(hits=58, trials=60)
    >>> round(Share(58, 60).low, 3), round(Share(58, 60).high, 3)
    (0.779, 1.0)
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


def more_than(share: Share, least: float) -> arb:
    """The interval of a share as a ball if it lies above `least`.

    Raises: Undecided, naming the interval, if it does not.
    """
    low, high = share.low, share.high
    if not low > least:
        raise Undecided(
            f"{share.hits} of {share.trials} runs: the share is in [{low:.3g}, {high:.3g}] at "
            f"level {1 - LEVEL:g}, which is not above {least:g}"
        )
    return arb(low).union(arb(high))
