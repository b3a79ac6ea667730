"""Re-check of evidence files, whatever they hold: witnesses of failures, certificates of proofs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from boundcheck import witness
from boundcheck.boundary.documents import Misshapen, Unreadable, read_json
from boundcheck.certificates import document as certificates
from boundcheck.errors import UnreadableWitness
from boundcheck.library import Library


def files(path: Path) -> list[Path]:
    """The file itself, or every witness and certificate of a report folder, in order.

    Raises: UnreadableWitness for a folder that holds none.
    """
    if not path.is_dir():
        return [path]
    found = [p for folder in ("witnesses", "certificates") for p in (path / folder).glob("*.json")]
    if not found:
        raise UnreadableWitness(
            f"{path} holds no witnesses/*.json and no certificates/*.json; give a report folder"
        )
    return sorted(found)


def read(path: str | Path) -> dict[str, Any]:
    """A witness or certificate from disk.

    Raises: UnreadableWitness for what is neither; WitnessError for an edited file or an old format.
    """
    try:
        found = read_json(path, certificates.LARGEST)
    except (Unreadable, Misshapen):
        return witness.read(path)  # which says what is wrong with it
    return certificates.read(path) if certificates.is_certificate(found) else witness.read(path)


def confirm(
    document: dict[str, Any], library: Library, *, seed: int = 0
) -> witness.Confirmation | certificates.Rechecked:
    """Re-check what `read` returned. Raises: WitnessError if it does not confirm."""
    if certificates.is_certificate(document):
        return certificates.recheck(document, library[document["claim"]])
    return witness.confirm(document, library, seed=seed)
