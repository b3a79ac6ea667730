"""What a diagnosis says: values that turn into JSON and into text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from boundcheck.encoding import brief_below

Grade = Literal["slip", "corner", "constant", "hypothesis", "false"]
Kind = Literal[
    "tie", "symbol", "symbols", "factor", "constant", "definition", "hypothesis", "restatement"
]
Numbers = Mapping[str, Any]
NOISE = 1e-12  # of a factor in floats
HELD = "held"  # undecided, for lack of a control or of a decision between equal balls alone
TOO_LOOSE = 100.0  # right over left from which a bound that held says nothing
EVERYWHERE = "fails in every part of the domain that was tried"
ONLY, MET = "fails only for", "every failure met has"  # the second: others may be elsewhere
MEANING = {
    "slip": "one symbol mends it and nothing that rests on it changes",
    "corner": "fails only at ends of the domain or for equal sides",
    "constant": "true with another constant",
    "hypothesis": "true under one more hypothesis",
    "false": "no repair of the kinds tried stands",
}
# How the words of a repair begin that name the place of another claim and no change.
AS_IN, OTHER_CONSTANTS = "as in ", "other constants"


@dataclass(frozen=True)
class Extent:
    """How far a statement fails.

    Args:
        fails_on: the part of the domain with failures, in words.
        corner: whether nothing fails on the domain without its ends.
        excluded: the conditions that leave nothing failing, as text; empty if none were found.
        tested: worlds assessed on the part without failure.
        undefined: whether the failure is a missing value, and the statement holds where it has one.
        proved: whether the part without failure is proved to have none.
    """

    fails_on: str
    corner: bool
    excluded: tuple[str, ...] = ()
    tested: int = 0
    undefined: bool = False
    proved: bool = False


@dataclass(frozen=True)
class Constant:
    """Bracket of the least factor on the larger side under which a statement stands.

    Args: low: a factor that a world refutes, or None for none; high: one that the search could not
    refute, or None if every factor tried fails. exact: whether low equals the supremum seen.
    """

    low: float | None
    high: float | None

    @property
    def bounded(self) -> bool:
        """Whether some factor serves."""
        return self.high is not None

    def __str__(self) -> str:
        if self.high is None:
            return f"no factor up to {below(self.low)} serves" if self.low else "no factor serves"
        return bracket(self.low, self.high)


def bracket(low: float | None, high: float) -> str:
    """What worlds say of factors on the larger side: those they refute, and one they do not.

    >>> bracket(1.481, 1.5)
    'no factor below 1.481 serves, and search refuted none from 1.5 on'
    >>> bracket(1.10364, 4 / 3)  # 1.333 was not tried
    'no factor below 1.103 serves, and search refuted none from 1.334 on'
    """
    refuted = f"no factor below {below(low)} serves, and " if low else ""
    above = brief_below(-high * (1 - NOISE), 4).removeprefix("-")  # rounded up
    return f"{refuted}search refuted none from {above} on"


def below(low: float) -> str:
    """A factor that fails in four digits, rounded down: at the nearest four one may serve."""
    return brief_below(low * (1 + NOISE), 4)


@dataclass(frozen=True)
class Repair:
    """A changed statement that nothing refuted.

    Args:
        edit: the change in words. statement: the changed statement as text. kind: what was changed.
        cost: how far it is from the print. verdict: "proved", "supported", or "undecided" where
        the print was seen to fail at small sizes only, so that no larger one tells. slack: right
        over left at the tightest world, or None. written: key of the claim of the library that
        states it, or "" for a repair found by the machine. tested: worlds assessed. latex: the
        changed statement for pages. distant: whether it says something else than the print, being
        turned round or without the printed rate. of_exponent: whether another exponent alone was
        changed, which grows with a size as the failures may.
    """

    edit: str
    statement: str
    kind: Kind
    cost: float
    verdict: str
    slack: float | None = None
    written: str = ""
    tested: int = 0
    latex: str = ""
    distant: bool = False
    of_exponent: bool = False

    @property
    def stands(self) -> bool:
        """Whether it is said to hold, and not only that it may."""
        return self.verdict != "undecided"

    def as_json(self) -> dict[str, object]:
        """Entry of `repairs` in documents."""
        return {
            "edit": self.edit, "statement": self.statement, "verdict": self.verdict,
            "kind": self.kind, "slack": self.slack, "written": self.written or None,
            "worlds": self.tested, "latex": self.latex,
        }  # fmt: skip


@dataclass(frozen=True)
class Dependant:
    """A later statement whose printed proof uses the failing one.

    Args: status: "survives" (its own proof by machine does without), "conditional" (no failure
    found, but what it rests on fails as printed) or "fails".
    """

    key: str
    status: Literal["survives", "conditional", "fails"]
    why: str


@dataclass(frozen=True)
class Telling:
    """A world that a person can check, with the calculation of both sides.

    Args: values: name to text, in the order of the world; encoded: the same values exactly;
    lines: the calculation, at most ten; numbers: scalars printed.
    """

    values: tuple[tuple[str, str], ...]
    encoded: dict[str, object]
    lines: tuple[str, ...]
    numbers: int


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of one failing claim; `grade` is a conclusion from the other fields."""

    key: str
    grade: Grade
    reason: str
    extent: Extent
    constant: Constant | None
    repairs: tuple[Repair, ...]
    reading: str
    dependants: tuple[Dependant, ...]
    telling: Telling | None
    seconds: float

    def as_json(self) -> dict[str, object]:
        """The `diagnosis` entry of documents."""
        bracket = [self.constant.low, self.constant.high] if self.constant else None
        return {
            "grade": self.grade,
            "reason": self.reason,
            "fails_on": self.extent.fails_on,
            "constant": bracket,
            "repairs": [repair.as_json() for repair in self.repairs],
            "reading": self.reading or None,
            "downstream": [
                {"key": item.key, "status": item.status, "why": item.why}
                for item in self.dependants
            ],
            "telling": None if self.telling is None else {
                "values": dict(self.telling.values), "exact": self.telling.encoded,
                "lines": list(self.telling.lines),
            },
        }  # fmt: skip

    def __str__(self) -> str:
        lines = [f"{self.key}: {self.grade}. {self.reason}"]
        if not (self.grade == "corner" and self.extent.corner):  # the reason says where
            lines.append(f"  {self.extent.fails_on}")
        if self.constant is not None:
            lines.append(f"  {self.constant}")
        for repair in self.repairs:
            joint = "" if repair.edit.startswith(AS_IN) else "with "
            lines.append(f"  {repair.verdict} {joint}{repair.edit}: {repair.statement}")
        if self.reading:
            lines.append(f"  {self.reading}")
        lines += [f"  {item.key} {item.status}: {item.why}" for item in self.dependants]
        if self.telling is not None:
            shown = ", ".join(f"{name} = {value}" for name, value in self.telling.values)
            lines.append(f"  at {shown}" if shown else "  at the values stated")
            lines += [f"    {line}" for line in self.telling.lines]
        return "\n".join(lines)


def held(outcome: str, slack: float | None, checks: Iterable[tuple[str | None, Numbers]]) -> bool:
    """Whether an undecided statement held wherever it was looked at.

    Either a search supports it with room to spare that is not all the room in the world, or all
    that balls left open were sides that they cannot tell apart.

    Args: slack: right over left at the tightest world, or None. checks: their outcomes and numbers.
    """
    if outcome != "undecided":
        return False
    found = list(checks)
    near = slack is not None and 1 <= slack <= TOO_LOOSE
    if near and any(said == "supported" for said, _ in found):
        return True
    return any(
        numbers.get("left undecided", 0) >= numbers["needed"] and not numbers.get("decided")
        and not numbers.get("silent") for _, numbers in found if "needed" in numbers
    )  # fmt: skip
