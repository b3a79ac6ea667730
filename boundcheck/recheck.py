"""Re-check of evidence files, whatever they hold: witnesses of failures, certificates of proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boundcheck import witness
from boundcheck.boundary.documents import Misshapen, Unreadable, read_json
from boundcheck.boundary.messages import reason
from boundcheck.certificates import document as certificates
from boundcheck.errors import UnreadableWitness
from boundcheck.library import Library


def documents(path: Path, key: str | None = None) -> list[dict[str, Any]]:
    """All evidence of a file of it, of results of `verify --json`, or of a report folder.

    Args: key: only the evidence on this claim.
    Raises: UnreadableWitness for what holds none; WitnessError for an edited or old one.
    """
    found = _of_folder(path) if path.is_dir() else [(path, part) for part in _of_file(path)]
    if key is not None:
        found = [(p, part) for p, part in found
                 if isinstance(part, dict) and part.get("claim") == key]  # fmt: skip
    chosen = [_required(p, part) for p, part in found]
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
    claims = document.get("claims") if isinstance(document, dict) else None
    if not isinstance(claims, list):
        return [document]
    rows = [row for row in claims if isinstance(row, dict)]
    return [row[part] for row in rows for part in ("witness", "certificate")
            if row.get(part) is not None]  # fmt: skip


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


def confirm(
    document: dict[str, Any], library: Library, *, seed: int = 0
) -> witness.Confirmation | certificates.Rechecked:
    """Re-check one of `documents`. Raises: WitnessError if it does not confirm."""
    if certificates.is_certificate(document):
        return certificates.recheck(document, library[document["claim"]])
    return witness.confirm(document, library, seed=seed)
