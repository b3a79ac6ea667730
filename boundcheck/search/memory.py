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

from boundcheck.search.generation import kept_on_disk

KEPT = 8  # vectors per claim


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
            found = json.loads(self._path(key, fingerprint).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return [[float(value) for value in vector] for vector in found["vectors"]]

    def keep(self, key: str, fingerprint: str, vectors: Sequence[Sequence[float]]) -> None:
        """Write the best vectors of a search over those of earlier ones."""
        self.folder.mkdir(parents=True, exist_ok=True)
        document = {"claim": key, "vectors": [list(vector) for vector in vectors[:KEPT]]}
        path = self._path(key, fingerprint)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(document), encoding="utf-8")
        fresh.replace(path)

    def database(self, key: str) -> Any:
        """Hypothesis' example database for one claim."""
        return kept_on_disk(str(self.folder / "hypothesis"), key)
