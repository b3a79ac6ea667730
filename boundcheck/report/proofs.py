"""Which proof steps are proved, and for what reasons the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from boundcheck.report.views import ClaimView

UNKNOWN = "not tried in this run"


@dataclass
class StepGroup:
    """Steps with one outcome: proved, failing, or open for one reason."""

    word: str
    state: str
    steps: list[tuple[ClaimView, str]] = field(default_factory=list)


@dataclass(frozen=True)
class StepTable:
    """All proof steps by outcome; the reasons of open ones, the most frequent first."""

    groups: list[StepGroup]

    @property
    def total(self) -> int:
        return sum(len(group.steps) for group in self.groups)

    def count(self, state: str) -> int:
        """How many steps have an outcome."""
        return sum(len(group.steps) for group in self.groups if group.state == state)

    @property
    def heading(self) -> str:
        """The table in a line.

        >>> StepTable([]).heading
        'Proof steps: 0 of 0 proved'
        """
        failing = self.count("failing")
        tail = f", {failing} fail" if failing else ""
        return f"Proof steps: {self.count('proved')} of {self.total} proved{tail}"


def step_table(claims: Sequence[ClaimView]) -> StepTable:
    """Proof steps of some claims by outcome and reason."""
    groups: dict[tuple[str, str], StepGroup] = {}
    for view in claims:
        if not view.is_step:
            continue
        word, state, reason = _outcome(view)
        group = groups.setdefault((state, word), StepGroup(word, state))
        group.steps.append((view, reason))
    rank = {"proved": 0, "open": 1, "failing": 2}
    ordered = sorted(groups.values(), key=lambda g: (rank[g.state], -len(g.steps), g.word))
    return StepTable(ordered)


def _outcome(view: ClaimView) -> tuple[str, str, str]:
    """(words to count by, state, reason in a sentence)."""
    if view.state == "proved":
        return "proved", "proved", ""
    if view.bad:
        return "fails", "failing", ""
    for check in view.result.get("checks") or ():
        if check.get("check") == "proof":
            numbers = check.get("numbers") or {}
            detail = str(check.get("detail") or "").removeprefix("no proof found: ")
            return str(numbers.get("reason") or UNKNOWN), "open", detail
    return UNKNOWN, "open", ""
