"""Re-check of evidence files, whatever they hold: witnesses of failures, certificates of proofs.

A claim that some results call proved without a certificate is proved again: by two solvers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from boundcheck import errors, witness
from boundcheck.boundary.documents import Misshapen, Unreadable, read_json
from boundcheck.boundary.messages import reason, shown
from boundcheck.certificates import document as certificates
from boundcheck.claim import Claim
from boundcheck.errors import (
    BoundcheckError,
    Broken,
    MalformedStatement,
    UnknownKey,
    UnreadableWitness,
    WitnessError,
)
from boundcheck.faults import fault_of
from boundcheck.library import Library, load_library
from boundcheck.supervision.limits import Limits
from boundcheck.supervision.watch import answered
from boundcheck.verdict import CERTIFIED, Outcome

SOLVERS = "solvers"  # kind of what stands for a proof without a certificate, in no file
VERDICTS = get_args(Outcome)
RAISED = (MalformedStatement, UnknownKey, UnreadableWitness, WitnessError)


def documents(path: Path, key: str | None = None) -> list[dict[str, Any]]:
    """All evidence of a file of it, of results of `verify --json`, or of a report folder.

    What the results call proved without a certificate stands there too, to be proved again.

    Args: key: only the evidence on this claim.
    Raises: UnreadableWitness for what holds none; WitnessError for an edited or old one, or where
    the results say of a claim what their evidence does not.
    """
    found = _of_folder(path) if path.is_dir() else [(path, part) for part in _of_file(path)]
    if key is not None:
        found = [(p, part) for p, part in found
                 if isinstance(part, dict) and part.get("claim") == key]  # fmt: skip
    chosen = [_required(p, part) for p, part in found]
    results = path / "report.json" if path.is_dir() else path
    _require_verdicts(results, chosen, key)
    chosen += _proofs_of_solvers(results, chosen, key)
    if not chosen:
        where = f"{path} holds no witness and no certificate" + (f" of {key}" if key else "")
        raise UnreadableWitness(f"{where}; give a file of `boundcheck verify --json` or a report")
    return chosen


def _of_folder(path: Path) -> list[tuple[Path, object]]:
    """Every witness and certificate of a report folder, in order."""
    found = [p for folder in ("witnesses", "certificates") for p in (path / folder).glob("*.json")]
    if not found:
        raise UnreadableWitness(
            f"{path} holds no witnesses/*.json and no certificates/*.json; give a report folder"
        )
    return [(p, _parsed(p)) for p in sorted(found)]


def _of_file(path: Path) -> list[object]:
    """A file of evidence alone, or the evidence of all rows of results."""
    document = _parsed(path)
    if not isinstance(document, dict) or not isinstance(document.get("claims"), list):
        return [document]
    return [row[part] for row in _rows(path) for part in ("witness", "certificate")
            if row.get(part) is not None]  # fmt: skip


def _require_verdicts(results: Path, found: list[dict[str, Any]], key: str | None) -> None:
    """Raises: WitnessError for a claim that some results call failing without a witness of it, or
    anything else with one, or that they do not call proved though there is a certificate."""
    proofs = {part["claim"] for part in found if certificates.is_certificate(part)}
    failures = {part["claim"]: part["kind"] for part in found
                if not certificates.is_certificate(part)}  # fmt: skip
    for row in _rows(results):
        label, verdict = row["key"], row["verdict"]
        if key not in (None, label):
            continue
        failing, kind = verdict in CERTIFIED, failures.get(label)
        said = verdict if "malformed" in (verdict, kind) else row.get("evidence") or kind
        other = kind not in (None, said)
        if failing != (label in failures) or (label in proofs and verdict != "proved") or other:
            there = "no witness" if failing and label not in failures else "other evidence"
            raise WitnessError(
                f"{label}: {results} calls it {verdict}, and {there} on it is there; verify the "
                "claim again"
            )


def _proofs_of_solvers(
    results: Path, found: list[dict[str, Any]], key: str | None
) -> list[dict[str, Any]]:
    """What some results call proved without a certificate."""
    proofs = {part["claim"] for part in found}
    names = [row["key"] for row in _rows(results) if row["verdict"] == "proved"]
    return [{"kind": SOLVERS, "claim": name} for name in dict.fromkeys(names)
            if name not in proofs and key in (None, name)]  # fmt: skip


def not_repeated(path: Path, key: str | None = None) -> str:
    """What results or a report say besides, that rests on search alone; empty for nothing.

    Args: key: only of this claim.
    """
    rows = _rows(path / "report.json" if path.is_dir() else path)
    told = Counter(row["verdict"] for row in rows if key in (None, row["key"])
                   and row["verdict"] not in (*CERTIFIED, "proved"))  # fmt: skip
    if not told:
        return ""
    counts = ", ".join(f"{verdict} {number}" for verdict, number in sorted(told.items()))
    return f"not replayed: {counts}; these rest on search, which `boundcheck verify` does again"


def _rows(results: Path) -> list[dict[str, Any]]:
    """The rows of some results, none of another document. Raises: UnreadableWitness for none."""
    document = _parsed(results) if results.is_file() else None
    claims = document.get("claims") if isinstance(document, dict) else None
    found = [row for row in claims if isinstance(row, dict)] if isinstance(claims, list) else []
    for row in found:
        if not isinstance(row.get("key"), str) or row.get("verdict") not in VERDICTS:
            raise UnreadableWitness(
                f"{results} has a row of {shown(row.get('key'))} with the verdict "
                f"{shown(row.get('verdict'))}, which is none; give results as they were written"
            )
    return found


def _parsed(path: Path) -> object:
    try:
        return read_json(path)
    except (Unreadable, Misshapen) as error:
        raise UnreadableWitness(
            f"{path} {reason(error)}; give a file of evidence, as it was written"
        ) from error


def _required(path: Path, document: object) -> dict[str, Any]:
    """A document that is a witness or a certificate, as it was sealed."""
    if certificates.is_certificate(document):
        return certificates.require(path, document)
    return witness.require(path, document)


def confirm_all(
    evidence: list[dict[str, Any]], root: str | None, *, seed: int, limits: Limits
) -> Iterator[tuple[str, str]]:
    """(key, lines) of each document in order, every one re-checked in a process of its own.

    Args: limits: of each re-check.
    Raises: what the first one that does not confirm raises; Lost where its process was ended.
    """
    for document in evidence:
        library = load_library(root, [document["claim"]])
        found = answered(lambda: _answer(document, library, seed), limits)  # noqa: B023
        if found["raised"]:
            raise getattr(errors, found["raised"])(found["text"])
        yield document["claim"], found["text"]


def _answer(document: dict[str, Any], library: Library, seed: int) -> dict[str, str]:
    """The lines of `confirm`, or the class and text of what it raises."""
    try:
        return {"raised": "", "text": str(confirm(document, library, seed=seed))}
    except RAISED as error:
        return {"raised": type(error).__name__, "text": str(error)}
    except BoundcheckError as error:
        if not isinstance(error, Broken):
            return {"raised": "InvalidArgument", "text": str(error)}
        return {"raised": "Lost", "text": f"{document['claim']}: {fault_of(error)}"}
    except Exception as error:
        return {"raised": "Lost", "text": f"{document['claim']}: {fault_of(error)}"}


def confirm(
    document: dict[str, Any], library: Library, *, seed: int | None = None
) -> witness.Confirmation | certificates.Rechecked:
    """Re-check one of `documents`. Raises: WitnessError if it does not confirm."""
    if certificates.is_certificate(document):
        return certificates.recheck(document, library[document["claim"]])
    if document["kind"] == SOLVERS:
        return _proved_again(document["claim"], library[document["claim"]])
    return witness.confirm(document, library, seed=seed)


def _proved_again(key: str, claim: Claim) -> certificates.Rechecked:
    """The proof of a claim without a certificate, found again. Raises: WitnessError if none is."""
    from boundcheck.checks.base import BUDGETS, Task
    from boundcheck.checks.proof import run

    found = run(Task(key, claim, BUDGETS["quick"]))
    if found.outcome != "proved":
        raise WitnessError(
            f"{key}: it is called proved without a certificate, and no proof of it is found "
            "again; verify the claim again"
        )
    return certificates.Rechecked(key, (f"claim      {key}, {claim.source}", found.detail))
