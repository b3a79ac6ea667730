"""Good worlds kept on disk between runs, so that a search resumes where an earlier one ended.

Off unless asked for: a run that remembers depends on the runs before it, one that does not is
reproduced by its seed alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Struct

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.writing import writable_folder, write_whole
from boundcheck.search.generation import kept_on_disk

KEPT = 8  # vectors per claim


class Kept(Struct):
    """One file of the folder."""

    claim: str
    vectors: list[list[float]]


@dataclass(frozen=True)
class Memory:
    """A folder with the best vectors of each claim and Hypothesis' example database."""

    folder: Path

    def _path(self, key: str, fingerprint: str) -> Path:
        name = hashlib.sha256(f"{key}|{fingerprint}".encode()).hexdigest()[:24]
        return self.folder / f"{name}.json"

    def recall(self, key: str, fingerprint: str) -> list[list[float]]:
        """Vectors of earlier searches of the same claim; none if it has changed since."""
        try:
            found = shaped(read_json(self._path(key, fingerprint)), Kept, "file of kept worlds")
        except (Unreadable, Misshapen):
            return []
        return found.vectors

    def keep(self, key: str, fingerprint: str, vectors: Sequence[Sequence[float]]) -> None:
        """Write the best vectors of a search over those of earlier ones.

        Raises: OutputError if the folder cannot be written.
        """
        writable_folder(self.folder, "--memory")
        document = {"claim": key, "vectors": [list(vector) for vector in vectors[:KEPT]]}
        write_whole(self._path(key, fingerprint), json.dumps(document))

    def database(self, key: str) -> Any:
        """Hypothesis' example database for one claim."""
        return kept_on_disk(str(self.folder / "hypothesis"), key)
