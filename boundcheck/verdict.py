"""Evidence of single checks, witnesses and verdicts: values that read as their own message."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from typing import Any, Literal

from boundcheck.environment import environment
from boundcheck.errors import InvalidArgument
from boundcheck.faults import Fault

Decided = Literal["proved", "refuted", "malformed", "supported", "undecided"]
Outcome = Literal[Decided, "broken", "failed"]
Kind = Literal["exact", "statistical", "trend"]
WITNESS_FORMAT = 1
SOLVED = 8  # worlds moved onto the equations of a claim that support it, at least
ERROR_PROBABILITY = 1e-6  # of all statistical refutations of a report together
LONGEST_NAME = 200  # bytes; file systems take 255


@dataclass(frozen=True)
class Witness:
    """A setting in which a claim fails, with exact numbers, ready for JSON.

    Args:
        key, fingerprint: the claim and the digest of its statement.
        values: encoded world fields and parameters (see `boundcheck.encoding`).
        shown: what the re-check must reproduce, by name, as decimal or exact text.
        kind: "exact" (certified), "statistical" (seeded draws), "trend" (sizes of a family) or
            "malformed" (the expression has no value there).
        extra: seed, draws, family name and sizes, or an outcome, as the kind needs.
    """

    key: str
    fingerprint: str
    kind: str
    values: dict[str, Any]
    shown: dict[str, str]
    extra: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The document written to disk, without its seal."""
        return {
            "format": WITNESS_FORMAT,
            "claim": self.key,
            "fingerprint": self.fingerprint,
            "kind": self.kind,
            "values": self.values,
            "shown": self.shown,
            "extra": {**self.extra, "environment": environment()},
        }


@dataclass(frozen=True)
class Evidence:
    """What one check saw.

    Args:
        check: name of the check.
        outcome: what it concludes, or None if it has nothing to say about the claim.
        detail: one or two sentences with the numbers.
        kind: of a refutation.
        error_probability: spent by a statistical refutation, else 0.
        slack: right over left at the tightest setting seen, or None.
        witness: of a refutation or malformation.
        certificate: of a proof, the sealed document that the checker re-checks.
        vacuous: True if every right side seen was no better than trivial.
        numbers: JSON-ready extras (curves, counts) for the report.
        fault: what kept the check from its work, or None.
    """

    check: str
    outcome: Outcome | None
    detail: str
    kind: Kind | None = None
    error_probability: float = 0.0
    slack: float | None = None
    witness: Witness | None = None
    certificate: dict[str, Any] | None = None
    vacuous: bool = False
    numbers: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    fault: Fault | None = None


TWO_SOLVERS = "two solvers"  # how a proof without a certificate stands
CERTIFIED = ("malformed", "refuted")  # a fault elsewhere takes nothing from these
ORDER: dict[str, int] = {"malformed": 0, "refuted": 1, "proved": 2, "supported": 3, "undecided": 4}


@dataclass(frozen=True)
class Verdict:
    """The conclusion over all evidence on one claim.

    With a fault the outcome is "broken" or "failed", or a refutation that was certified before.
    """

    key: str
    outcome: Outcome
    summary: str
    kind: Kind | None
    error_probability: float
    slack: float | None
    vacuous: bool
    witness: Witness | None
    evidence: tuple[Evidence, ...]
    seconds: float
    fault: Fault | None = None

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The certificate of a proof, if the claim is proved and has one."""
        if self.outcome != "proved":
            return None
        return next((i.certificate for i in self.evidence if i.certificate is not None), None)

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Every comparison with its slack, and whether a control of it was refuted."""
        return [row for item in self.evidence for row in item.numbers.get("parts", [])]

    def as_json(self) -> dict[str, Any]:
        """One entry of the `claims` list of `verify --json`."""
        found: dict[str, Any] = without_infinities({
            "key": self.key,
            "verdict": self.outcome,
            "evidence": self.kind,
            "error_probability": self.error_probability,
            "vacuous": self.vacuous,
            "growing": any(item.numbers.get("growing") for item in self.evidence),
            "by_definition": self.outcome == "proved" and any(
                item.numbers.get("by_definition") for item in self.evidence),
            "untested_part": any(row.get("untested") for row in self.parts),
            "slack": self.slack,
            "parts": self.parts,
            "summary": self.summary,
            "witness": self.witness.as_json() if self.witness else None,
            "certificate": self.certificate,
            "replay": f"boundcheck replay reports/witnesses/{file_name(self.key)}"
            if self.witness
            else f"boundcheck verify {self.key}",
            "seconds": round(self.seconds, 3),
            "fault": self.fault.as_json() if self.fault else None,
            "checks": [
                {
                    "check": item.check,
                    "outcome": item.outcome,
                    "detail": item.detail,
                    "numbers": item.numbers,
                }
                for item in self.evidence
            ],
        })  # fmt: skip
        return found

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_verdict

        return of_verdict(self)

    def _repr_latex_(self) -> str:
        from boundcheck.explore.display import verdict_latex

        return verdict_latex(self)

    def __bool__(self) -> bool:
        """Raises: InvalidArgument: which outcomes pass is for the reader of a test to see."""
        raise InvalidArgument(
            f"{self.key} is {self.outcome}: a verdict has no truth value; test its outcome, e.g. "
            f'assert verify(...).outcome in ("proved", "supported")'
        )

    def __str__(self) -> str:
        return f"{self.key}: {self.outcome.upper()}. {self.summary}"


def without_infinities(value: Any) -> Any:
    """The same document for JSON, which has no NaN and no infinity: both become null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): without_infinities(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_infinities(entry) for entry in value]
    return value


def file_name(key: str) -> str:
    """File name of the witness of a claim; one that is long or not plain is told apart by a digest.

    >>> file_name("wu2021/proposition_4_1:printed")
    'wu2021.proposition_4_1.printed.json'
    """
    name = key.replace("/", ".").replace(":", ".")
    plain = "".join(each if each.isalnum() or each in "._-" else "-" for each in name).lstrip(".-")
    if plain != name or len(name.encode()) > LONGEST_NAME:
        digest = hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:16]
        plain = plain.encode()[:LONGEST_NAME].decode(errors="ignore") + "." + digest
    return plain + ".json"


def untested(evidence: list[Evidence]) -> list[str]:
    """What the search was not shown to notice, one sentence for each comparison."""
    rows = [row for item in evidence for row in item.numbers.get("parts", [])]
    return [
        f"untested part: no world decides {row['relation']}" if row.get("untested") else
        f"{row['relation']} fails wherever sides are equal and no alternative is left, and worlds "
        "in between those in which one and another holds were not met" if row.get("crossed") else
        f"not shown that it could have failed: the same search does not refute the opposite of "
        f"{row['relation']}" for row in rows if row["control"] is False
    ]  # fmt: skip


def too_few(evidence: list[Evidence]) -> list[str]:
    """Whether too few worlds were decided for a claim to count as supported, in a sentence."""
    searched = next((i.numbers for i in evidence if "needed" in i.numbers), None)
    if searched is None or searched["complete"]:
        return []
    sampled = sum(i.numbers.get("tested", 0) for i in evidence if i.check == "sampling")
    curves = [curve for i in evidence for curve in i.numbers.get("curves", {}).values()]
    decided = searched["decided"] + sampled + sum(map(len, curves))
    needed = searched["needed"]
    if decided >= needed:
        return []
    return [f"decided in {decided} different worlds only, {needed} are asked for"]


def unsolved(evidence: list[Evidence]) -> list[str]:
    """Whether equations among the hypotheses were met by chance only, in a sentence.

    Worlds that meet an equation by chance are degenerate; a claim that is false in others may hold
    in all of these.
    """
    solved: dict[str, int] = {}
    for item in evidence:
        for text, count in item.numbers.get("equations", {}).items():
            solved[text] = solved.get(text, 0) + count
    return [f"only worlds that meet {text} by chance were tested: no others were found, and such "
            "worlds are special" for text, count in solved.items() if count < SOLVED]  # fmt: skip


def conclude(key: str, evidence: list[Evidence], seconds: float) -> Verdict:
    """The verdict over the evidence: malformed, refuted, proved, supported, undecided, in order.

    A fault of any check leaves only what was certified: what the others say could be otherwise
    with it. A proof beside a refutation is a contradiction in the machinery and raises.
    """
    outcomes = {item.outcome for item in evidence}
    if "proved" in outcomes and "refuted" in outcomes:
        refuted = next(item for item in evidence if item.outcome == "refuted")
        raise AssertionError(f"{key}: proved and refuted at once ({refuted.check})")
    spoken = [item for item in evidence if item.outcome is not None]
    spoken.sort(key=lambda item: (
        ORDER[item.outcome or "undecided"], item.kind != "exact", not item.numbers.get("growing")
    ))  # fmt: skip
    slacks = [item.slack for item in evidence if item.slack is not None]
    slack = min(slacks) if slacks else None
    faults = [item.fault for item in evidence if item.fault is not None]
    faults.sort(key=lambda fault: fault.state)  # a defect of the statement explains the others
    fault = faults[0] if faults else None
    best = spoken[0] if spoken else Evidence("", None, "no check applies within this budget")
    outcome: Outcome = best.outcome or "undecided"
    if fault is not None and (fault.state == "broken" or outcome not in CERTIFIED):
        return Verdict(key, fault.state, str(fault), None, 0.0, None, False, None,
                       tuple(evidence), seconds, fault)  # fmt: skip
    tested = [item for item in evidence if item.outcome == "supported"]
    silent = outcome == "undecided" and best.vacuous  # the statement claims nothing anywhere
    missing = [] if outcome != "supported" else [
        *untested(evidence), *too_few(evidence), *unsolved(evidence)]  # fmt: skip
    if missing:
        outcome = "undecided"
    return Verdict(
        key=key,
        outcome=outcome,
        summary=missing[0] + "; " + best.detail if missing else best.detail,
        kind=best.kind if outcome in CERTIFIED else None,
        error_probability=sum(item.error_probability for item in evidence),
        slack=slack,
        vacuous=silent or (bool(tested) and all(item.vacuous for item in tested)),
        witness=best.witness,
        evidence=tuple(evidence),
        seconds=seconds,
        fault=fault,
    )
