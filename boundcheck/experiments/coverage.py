"""What a theorem would need for an experiment to be covered, beside what the experiment used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Row = dict[str, str | float]


@dataclass(frozen=True)
class Need:
    """One number of an experiment against a hypothesis.

    Args: experiment: which one. hypothesis: in words. symbol: of the number. used, needed: its
        values. bound: what the theorem would say at the value needed, None where it depends on
        data that are not there. least: whether the value needed is the least allowed, or the
        greatest.
    """

    experiment: str
    hypothesis: str
    symbol: str
    used: float
    needed: float
    bound: float | None
    least: bool = True

    @property
    def met(self) -> bool:
        """Whether the value used meets the hypothesis."""
        return self.used >= self.needed if self.least else self.used <= self.needed

    def row(self) -> Row:
        """A line of the table.

        >>> Need("toy", "rounds", "T", 200, 256, 0.5).row()["met"]
        'no'
        """
        return {
            "experiment": self.experiment, "hypothesis": self.hypothesis, "symbol": self.symbol,
            "used": float(self.used), "needed": float(self.needed),
            "met": "yes" if self.met else "no",
            "bound there": "" if self.bound is None else float(self.bound),
        }  # fmt: skip


@dataclass(frozen=True)
class Coverage:
    """All needs of a source's experiments.

    Args: needs: in the order of the table. words: which theorem, what its bound is weighed
        against, what is assumed. beyond: keys of claims on hypotheses that no number mends.
    """

    needs: Sequence[Need]
    words: str
    beyond: Sequence[str] = ()

    def caption(self) -> str:
        """The words under the table."""
        met = sum(need.met for need in self.needs)
        more = (
            f" Hypotheses that none of these numbers settles are the claims "
            f"{', '.join(self.beyond)}." if self.beyond else ""
        )  # fmt: skip
        return f"{met} of {len(self.needs)} met. {self.words}{more}"


def assumed(values: Mapping[str, object]) -> str:
    """What a plan assumed, in words.

    >>> assumed({"norm_star": 1, "loss": "logistic"})
    'norm_star = 1, loss = logistic'
    """
    return ", ".join(f"{name} = {value}" for name, value in values.items())
