"""Results on disk: every verdict as soon as it is known, so that a killed run resumes.

One SQLite file, one row per claim, budget, seed and digest of the code that decided it. A row
whose digest differs from the code's is stale and not used.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from boundcheck.errors import OutputError

SCHEMA = """CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT, budget TEXT, seed INTEGER, digest TEXT, document TEXT,
    PRIMARY KEY (key, budget, seed))"""


def code_digest(folder: Path, suffix: str = ".py") -> str:
    """Digest of every file below a folder with this suffix, by relative path and content."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob(f"*{suffix}")):
        own = path.relative_to(folder)  # where the folder itself lies says nothing
        if "report" in own.parts or "_library" in own.parts:
            continue
        total.update(own.as_posix().encode())
        total.update(path.read_bytes())
    return total.hexdigest()[:24]


def writable_folder(folder: Path, option: str = "--out") -> None:
    """Make a folder for results.

    Raises: OutputError if it cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OutputError(
            f"{option} {folder} cannot be written ({error.strerror}); choose another folder"
        ) from error


def require_writable(path: Path) -> None:
    """Check, before hours of work, that a file can be written where it was asked for.

    Raises: OutputError if it cannot.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        if path.exists() and not path.is_file():
            return
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise OutputError(
            f"--json {path} cannot be written ({error.strerror}); choose another path"
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all.

    Raises: OutputError if it cannot be written.
    """
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written, not replaced
            path.write_text(text, encoding="utf-8")
            return
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written ({error.strerror}); choose another path"
        ) from error


class Ledger:
    """Verdict documents by key.

    Args:
        path: SQLite file, made with its folder if missing.
        root: the library root; source folders below it are part of the digest of their claims.
    Raises: OutputError if the file cannot be opened.
    """

    def __init__(self, path: Path, root: Path) -> None:
        self.root = root
        self._engine = code_digest(Path(__file__).parent)
        self._digests: dict[str, str] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path)
            self._connection.execute(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise OutputError(
                f"ledger {path} cannot be written ({error}); choose another --out"
            ) from error

    def digest(self, key: str) -> str:
        """Digest of the code that decides a claim: the package and the claim's source folder."""
        source = key.split("/")[0]
        if source not in self._digests:
            own = code_digest(self.root / source)
            self._digests[source] = hashlib.sha256((self._engine + own).encode()).hexdigest()[:24]
        return self._digests[source]

    def get(self, key: str, budget: str, seed: int) -> dict[str, Any] | None:
        """The stored document of a claim if it is not stale."""
        row = self._connection.execute(
            "SELECT digest, document FROM verdicts WHERE key = ? AND budget = ? AND seed = ?",
            (key, budget, seed),
        ).fetchone()
        if row is None or row[0] != self.digest(key):
            return None
        return json.loads(row[1])

    def put(self, key: str, budget: str, seed: int, document: dict[str, Any]) -> None:
        """Store a document; visible to a later run even if this one is killed."""
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)",
                (key, budget, seed, self.digest(key), json.dumps(document)),
            )

    def last(self, key: str) -> dict[str, Any] | None:
        """The latest document of a claim under any budget, stale or not."""
        row = self._connection.execute(
            "SELECT document FROM verdicts WHERE key = ? ORDER BY rowid DESC LIMIT 1", (key,)
        ).fetchone()
        return json.loads(row[0]) if row else None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
