"""Certificate files: what a proof shows, bound to its claim, and the re-check of one.

A file is one JSON object: format, kind "proof", claim, fingerprint, constant, cases, seal. Every
case is a problem about real numbers with the proofs of its targets. The re-check reads the claim
anew, states its problems, and refuses a certificate for others; what is left is the checker's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from boundcheck.boundary.documents import DEEPEST, Misshapen, shaped
from boundcheck.boundary.messages import reason
from boundcheck.certificates.statement import read_problem, verify
from boundcheck.certificates.terms import Rejected
from boundcheck.errors import InvalidArgument, UnreadableWitness, WitnessError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.claim import Claim

FORMAT = 1
# What reading a step raises that has another shape than its rule; none of them proves anything.
MISSHAPEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class CaseShape(Struct, forbid_unknown_fields=True):
    """One case of a certificate file."""

    fixed: dict[str, Any]
    problem: dict[str, Any]
    proofs: list[Any]


class Shape(Struct, forbid_unknown_fields=True):
    """The fields of a certificate file and their types."""

    format: int
    kind: Literal["proof"]
    claim: str
    fingerprint: str
    constant: Annotated[int, Meta(ge=1, le=10**9)]
    cases: list[CaseShape]
    seal: str


@dataclass(frozen=True)
class Rechecked:
    """A certificate that the checker accepts, as text lines for people."""

    key: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def certificate(
    key: str, claim: Claim, constant: int, cases: Sequence[dict[str, Any]]
) -> dict[str, Any] | None:
    """The sealed document of a proof; None if it is nested too deep to be read again."""
    from boundcheck.witness import seal

    document: dict[str, Any] = {
        "format": FORMAT, "kind": "proof", "claim": key, "fingerprint": claim.fingerprint(),
        "constant": constant, "cases": json.loads(json.dumps(list(cases))),
    }  # fmt: skip
    return seal(document) if _depth(document) < DEEPEST else None


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(_depth, value), default=0)
    return 0


def is_certificate(document: object) -> bool:
    """Whether a parsed file says that it is a certificate."""
    return isinstance(document, dict) and document.get("kind") == "proof"


def require(path: str | Path, document: object) -> dict[str, Any]:
    """A parsed document that is a certificate with its seal.

    Raises: UnreadableWitness for what is none; WitnessError for another format or an edited one.
    """
    from boundcheck.witness import digest

    try:
        shaped(document, Shape, "certificate")
    except Misshapen as error:
        raise UnreadableWitness(
            f"{path} {reason(error)}; give a file from reports/certificates, as it was written"
        ) from error
    assert isinstance(document, dict)
    if document["format"] != FORMAT:
        raise WitnessError(
            f"{path} has format {document['format']}, this version reads {FORMAT}; "
            "make it again with `boundcheck verify`"
        )
    if digest(document) != document["seal"]:
        raise WitnessError(f"{path} was altered: its seal does not match; restore the file")
    return document


def recheck(document: dict[str, Any], claim: Claim) -> Rechecked:
    """Re-check a certificate against its claim.

    Raises: WitnessError if the claim is another than the one it was made for, or the checker
        rejects a proof.
    """
    key = document["claim"]
    if claim.fingerprint() != document["fingerprint"]:
        raise WitnessError(
            f"{key} is not the claim of this certificate (fingerprint {claim.fingerprint()}, "
            f"certificate {document['fingerprint']}); verify the claim again"
        )
    _require_provable(document["claim"], claim)
    _require_same_problems(document, claim)
    steps = 0
    for case in document["cases"]:
        try:
            steps += verify(read_problem(case["problem"]), case["proofs"])
        except (Rejected, RecursionError, *MISSHAPEN) as error:
            raise WitnessError(f"{key}: the certificate proves nothing ({reason(error)}); "
                               "restore the file, or verify the claim again") from error
    _require_worlds(key, claim)
    head = [f"claim      {key}, {claim.source}", f"statement  {claim.statement.relation}"]
    if document["constant"] != 1:
        head.append(f"constant   {document['constant']}")
    targets = sum(len(case["proofs"]) for case in document["cases"])
    head.append(f"proved     {targets} targets in {steps} steps of exact arithmetic, no solver")
    return Rechecked(key, tuple(head))


def _require_provable(key: str, claim: Claim) -> None:
    """Raises: WitnessError for a claim of which no proof about real numbers speaks."""
    from boundcheck.checks.proof import unsuitable

    why, _ = unsuitable(claim)
    if why:
        raise WitnessError(f"{key}: no certificate can show this claim, since {why}; "
                           "verify the claim again")  # fmt: skip


def _require_worlds(key: str, claim: Claim) -> None:
    """Raises: WitnessError for a claim that has no worlds, or whose sampled ones are against it."""
    from boundcheck.checks.base import BUDGETS, Task
    from boundcheck.checks.proof import domain_text
    from boundcheck.checks.proofs.soundness import unsound

    try:
        domain_text(claim)
        why = unsound(Task(key, claim, BUDGETS["quick"]))
    except InvalidArgument as error:  # premises that no value of a parameter meets
        why = str(error)
    if why:
        raise WitnessError(f"{key}: the certificate is of real numbers that are no worlds of the "
                           f"claim ({why}); verify the claim again")  # fmt: skip


def _require_same_problems(document: dict[str, Any], claim: Claim) -> None:
    from boundcheck.checks.proofs.certified import stated_problems

    stated = list(stated_problems(claim, document["constant"]))
    cases = document["cases"]
    same = len(stated) == len(cases) and all(
        json.loads(json.dumps(fixed)) == case["fixed"]
        and case["problem"] in [json.loads(json.dumps(problem.as_json())) for problem in ways]
        for (fixed, ways), case in zip(stated, cases, strict=False)
    )
    if not same:
        raise WitnessError(
            f"{document['claim']}: the certificate is about other premises or another goal than "
            "the claim; verify the claim again"
        )
