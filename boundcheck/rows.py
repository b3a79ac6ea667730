"""What stored results hold: shapes of the rows of a ledger, without which one is as good as none.

A seal tells an accident from what was written; these tell what a report can be made of.
"""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from boundcheck.boundary.documents import Misshapen, shaped
from boundcheck.diagnosis.record import Grade
from boundcheck.verdict import CERTIFIED, Decided, Kind, Outcome

Finite = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
Share = Annotated[float, Meta(ge=0, le=1)]
Natural = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


class Part(Struct):
    """One comparison of a statement."""

    relation: str
    control: bool | None
    slack: Finite | None
    untested: bool


class Mutant(Struct):
    """One changed claim that a search was put to."""

    mutant: str
    caught: bool
    reason: str
    relation: str = ""
    part: Natural | None = None
    owed: bool = False


class Numbers(Struct):
    """Of the numbers of a check those that reports and diagnoses count with."""

    parts: list[Part] = []
    mutants: list[Mutant] = []
    curves: dict[str, list[tuple[Finite | None, Finite | None]]] = {}
    same: list[str] = []
    reason: str | None = None
    constant: Finite | None = None
    excluded: tuple[int, Positive] | None = None
    needed: Natural = 0
    decided: Natural = 0
    silent: Natural = 0
    undecided: Natural = field(default=0, name="left undecided")


class Check(Struct):
    """What one check saw."""

    check: str
    outcome: Outcome | None
    detail: str
    numbers: Numbers


class Failing(Struct):
    """A witness before it is sealed."""

    claim: str
    fingerprint: str
    kind: Literal["exact", "statistical", "trend", "malformed"]
    values: dict[str, Any]
    shown: dict[str, str]
    extra: dict[str, Any]


class Proof(Struct):
    """Whose a certificate is; what it holds is for the checker to read."""

    claim: str
    fingerprint: str


class Row(Struct):
    """A verdict without a fault."""

    key: str
    verdict: Decided
    summary: str
    evidence: Kind | None
    error_probability: Share
    vacuous: bool
    growing: bool
    by_definition: bool
    untested_part: bool
    slack: Finite | None
    parts: list[Part]
    witness: Failing | None
    certificate: Proof | None
    seconds: Finite
    fault: None
    checks: list[Check]


class Repair(Struct):
    """A changed statement of a diagnosis."""

    edit: str
    statement: str
    verdict: Decided
    kind: str
    slack: Finite | None
    written: str | None
    latex: str


class Telling(Struct):
    """The world of a diagnosis."""

    values: dict[str, str]
    exact: dict[str, Any]
    lines: list[str]


class Dependant(Struct):
    """A statement that rests on a failing one."""

    key: str
    status: Literal["survives", "conditional", "fails"]
    why: str


class Diagnosis(Struct):
    """What a failure means."""

    grade: Grade
    reason: str
    fails_on: str
    constant: tuple[Finite | None, Finite | None] | None
    repairs: list[Repair]
    reading: str | None
    downstream: list[Dependant]
    telling: Telling | None


class Told(Struct):
    """A diagnosis with its text."""

    text: str
    diagnosis: Diagnosis | None


def is_verdict(found: object, key: str) -> bool:
    """Whether a stored document is a verdict on this claim, with the evidence that it names."""
    try:
        row = shaped(found, Row, "row of a ledger")
        if row.witness is not None:
            from boundcheck.witness import Extra  # most rows have none

            shaped(row.witness.extra, Extra, "witness")
    except Misshapen:
        return False
    evidence = [part for part in (row.witness, row.certificate) if part is not None]
    if {row.key, *(part.claim for part in evidence)} != {key}:
        return False
    if row.certificate is not None and row.verdict != "proved":
        return False
    if row.evidence is not None and row.verdict not in CERTIFIED:
        return False
    needed = {"malformed": "malformed", "refuted": row.evidence or "a kind"}.get(row.verdict)
    return needed == (None if row.witness is None else row.witness.kind)


def is_diagnosis(found: object) -> bool:
    """Whether a stored document is a diagnosis with its text."""
    try:
        shaped(found, Told, "diagnosis of a ledger")
    except Misshapen:
        return False
    return True
