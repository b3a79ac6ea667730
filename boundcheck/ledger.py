"""Results on disk: every verdict as soon as it is known, so that a killed run resumes.

One SQLite file, one row per claim, budget, seed and digest of the code that decided it: of the
files that its verification may import, of this package and of the library. A row whose digest
differs from the code's, or whose environment from this one, is stale and not used; neither is one
that was not written for its place, or does not hold what `rows` asks for: every row is sealed.
Shards of a claim that is not decided yet have rows of their own, until it is. So have diagnoses, by
the digest of the files that these may import, which are stale too once a verdict they rest on has
changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.boundary.documents import Misshapen, parse_json
from boundcheck.boundary.files import content, files_below
from boundcheck.boundary.messages import reason
from boundcheck.environment import environment
from boundcheck.errors import OutputError
from boundcheck.imports import ImportGraph
from boundcheck.library import modules_of, statement_files
from boundcheck.rows import is_diagnosis, is_verdict
from boundcheck.verdict import CERTIFIED

if TYPE_CHECKING:
    from boundcheck.claim import Claim

SCHEMA = """CREATE TABLE IF NOT EXISTS verdicts (
    key TEXT, budget TEXT, seed INTEGER, digest TEXT, document TEXT,
    PRIMARY KEY (key, budget, seed))"""
SHARDS = """CREATE TABLE IF NOT EXISTS shards (
    key TEXT, budget TEXT, seed INTEGER, shard TEXT, digest TEXT, document TEXT,
    PRIMARY KEY (key, budget, seed, shard))"""
DIAGNOSES = """CREATE TABLE IF NOT EXISTS diagnoses (
    key TEXT, budget TEXT, seed INTEGER, digest TEXT, document TEXT,
    PRIMARY KEY (key, budget, seed))"""

VERSION = 2
VERDICTS, OF_SHARDS, OF_DIAGNOSES = "verdicts", "shards", "diagnoses"  # tables
PACKAGE = Path(__file__).parent
DECIDES, DIAGNOSES_IT = "boundcheck.verification", "boundcheck.diagnosis.run"
STATEMENTS = "statements"  # the library as a package, whatever its folder is called
OPERATIONAL = (sqlite3.OperationalError, sqlite3.IntegrityError)  # of the disk or the moment


def code_digest(folder: Path, suffix: str = ".py") -> str:
    """Digest of every file below a folder with this suffix, by relative path and content."""
    total = hashlib.sha256()
    for path in files_below(folder, suffix, without=("report", "_library")):
        own = path.relative_to(folder)  # where the folder itself lies says nothing
        total.update(own.as_posix().encode())
        total.update(content(path))
    return total.hexdigest()[:24]


class Digests:
    """What makes a result stale: the code that work on a claim may import, and its statement.

    Args: root: the library root. Of a source the digest of a verdict counts what the statement
    itself may import, that of a diagnosis, which asks other claims too, what any statement may.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._graph = ImportGraph({"boundcheck": PACKAGE, STATEMENTS: root})
        self._known: dict[tuple[str, str], str] = {}
        self._closed: dict[str, dict[str, Path]] = {}
        self._sealed: dict[Path, str] = {}

    def of(self, key: str, work: str = DECIDES) -> str:
        """Digest of the code that decides a claim, or does other work on it.

        Args: work: the module that does it; what it and the statement may import counts.
        """
        place = key.partition("/" if work == DIAGNOSES_IT else ":")[0], work
        if place not in self._known:
            self._known[place] = self._made(key, work)
        return self._known[place]

    def files(self, key: str, work: str = DECIDES) -> dict[str, Path]:
        """What work on a claim may import, by name of the module."""
        source, _, statement = key.partition(":")[0].partition("/")
        folder = self.root / source
        every = statement_files(folder) if work == DIAGNOSES_IT else [folder / f"{statement}.py"]
        found = dict(self._closure(work))
        for path in every:
            for name in modules_of(path):
                found |= self._closure(f"{STATEMENTS}.{source}.{name}")
        return found

    def _closure(self, module: str) -> dict[str, Path]:
        if module not in self._closed:
            self._closed[module] = self._graph.files([module])
        return self._closed[module]

    def _made(self, key: str, work: str) -> str:
        rows = (f"|{name}|{self._seal(path)}" for name, path in self.files(key, work).items())
        return hashlib.sha256("".join(sorted(rows)).encode()).hexdigest()[:24]

    def _seal(self, path: Path) -> str:
        """Digest of one file."""
        if path not in self._sealed:
            self._sealed[path] = hashlib.sha256(content(path)).hexdigest()
        return self._sealed[path]


class Ledger:
    """Verdict documents by key.

    Args:
        path: SQLite file, made with its folder if missing.
        root: the library root; statements below it are part of the digest of their claims.
        claims: those that are asked about as they read now, which they may take from other files
            than Python ones. reading: whether nothing will be written; the file must then exist.
    Attributes: taken: verdicts that were asked for and are not stale.
    Raises: OutputError if the file cannot be opened, read or written; so does every method.
    """

    def __init__(
        self, path: Path, root: Path, claims: Mapping[str, Claim] | None = None, *,
        reading: bool = False,
    ) -> None:  # fmt: skip
        self.root, self.path, self._claims, self.taken = root, path, claims or {}, 0
        self._digests = Digests(root)
        with self._speaking():
            if not reading:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path)
            if not reading:
                self._connection.execute(SCHEMA)
            columns = "SELECT key, budget, seed, digest, document FROM verdicts"
            self._connection.execute(columns).close()
            if not reading:  # now, so that a file or folder that cannot be is found before the work
                self._connection.execute(SHARDS)
                self._connection.execute("SELECT shard, digest, document FROM shards").close()
                self._connection.execute(DIAGNOSES)
                self._connection.execute("SELECT digest, document FROM diagnoses").close()
                self._connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextlib.contextmanager
    def _speaking(self) -> Iterator[None]:
        """Errors of the disk and of SQLite in one line, with what to do."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            text = reason(error)
            remedy = "choose another --out"
            if "locked" in text:
                remedy = f"another run uses it; wait for its end, or {remedy}"
            elif "readonly" in text:
                remedy = f"make it and its folder writable, or {remedy}"
            elif isinstance(error, sqlite3.Error) and not isinstance(error, OPERATIONAL):
                remedy = f"it is no ledger; delete it, or {remedy}"
            elif "no such column" in text:
                remedy = f"another version wrote it; delete it, or {remedy}"
            raise OutputError(f"ledger {self.path} cannot be used ({text}); {remedy}") from error

    def digest(self, key: str, work: str = DECIDES) -> str:
        """Digest of the code that decides a claim, or does other work on it, and of the claim."""
        files = self._digests.of(key, work)
        try:
            reads = f"{files}|{self._claims[key].fingerprint()}"
        except Exception:  # none is known, or its definitions have no text
            return files
        return hashlib.sha256(reads.encode()).hexdigest()[:24]

    def get(self, key: str, budget: str, seed: int) -> dict[str, Any] | None:
        """The stored document of a claim if it is not stale."""
        with self._speaking():
            row = self._connection.execute(
                "SELECT document FROM verdicts WHERE key = ? AND budget = ? AND seed = ?",
                (key, budget, seed),
            ).fetchone()
        found = None if row is None else _verdict(row[0], key, budget, seed, self.digest(key))
        if found is None or found.pop("environment", None) != environment():
            return None
        self.taken += 1
        return found

    def put(self, key: str, budget: str, seed: int, document: dict[str, Any]) -> None:
        """Store a document; visible to a later run even if this one is killed."""
        row, digest = {**document, "environment": environment()}, self.digest(key)
        with self._speaking(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)",
                (key, budget, seed, digest, _with_seal(row, VERDICTS, key, budget, seed, digest)),
            )
            self._connection.execute(
                "DELETE FROM shards WHERE key = ? AND budget = ? AND seed = ?", (key, budget, seed)
            )

    def keep_shard(
        self, key: str, budget: str, seed: int, shard: str, result: dict[str, Any]
    ) -> None:
        """Store the result of one shard of a claim, until the claim itself is stored."""
        digest = self._local_digest(key)
        sealed = _with_seal(result, OF_SHARDS, key, budget, seed, shard, digest)
        with self._speaking(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO shards VALUES (?, ?, ?, ?, ?, ?)",
                (key, budget, seed, shard, digest, sealed),
            )

    def shards(self, key: str, budget: str, seed: int) -> dict[str, dict[str, Any]]:
        """Results of the shards of a claim by name, of this code and environment alone."""
        with self._speaking():
            rows = self._connection.execute(
                "SELECT shard, document FROM shards "
                "WHERE key = ? AND budget = ? AND seed = ?", (key, budget, seed),
            ).fetchall()  # fmt: skip
        own, place = self._local_digest(key), (OF_SHARDS, key, budget, seed)
        results = {shard: _unsealed(document, *place, shard, own, read=json.loads)
                   for shard, document in rows}  # fmt: skip
        return {shard: found for shard, found in results.items() if found is not None}

    def keep_diagnosis(
        self, key: str, budget: str, seed: int, basis: object, found: dict[str, Any]
    ) -> None:
        """Store a diagnosis as soon as it is known.

        Args: basis: what it rests on besides code and claim, as JSON: verdicts and the witness.
        """
        digest = self._local_digest(key, DIAGNOSES_IT, basis)
        sealed = _with_seal(found, OF_DIAGNOSES, key, budget, seed, digest)
        with self._speaking(), self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO diagnoses VALUES (?, ?, ?, ?, ?)",
                (key, budget, seed, digest, sealed),
            )

    def diagnosis(self, key: str, budget: str, seed: int, basis: object) -> dict[str, Any] | None:
        """The stored diagnosis of a claim, if it rests on the same code, environment and basis."""
        with self._speaking():
            row = self._connection.execute(
                "SELECT document FROM diagnoses WHERE key = ? AND budget = ? AND seed = ?",
                (key, budget, seed),
            ).fetchone()
        own = self._local_digest(key, DIAGNOSES_IT, basis)
        return None if row is None else _diagnosis(row[0], key, budget, seed, own)

    def _local_digest(self, key: str, work: str = DECIDES, basis: object = None) -> str:
        """Digest of code, claim and environment, and of what else a row rests on."""
        text = self.digest(key, work) + json.dumps([environment(), basis], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def last(self, key: str) -> dict[str, Any] | None:
        """The latest document of a claim under any budget, with its diagnosis.

        "stale" in it says whether code, claim or environment have changed since.
        """
        with self._speaking():
            row = self._connection.execute(
                "SELECT document, budget, seed, digest FROM verdicts WHERE key = ? "
                "ORDER BY rowid DESC LIMIT 1", (key,),
            ).fetchone()
            told = row and self._connection.execute(
                "SELECT document, digest FROM diagnoses WHERE key = ? AND budget = ? AND seed = ?",
                (key, *row[1:3]),
            ).fetchone()
        entry = _verdict(row[0], key, *row[1:]) if row else None
        if entry is None:
            return None
        current = row[3] == self.digest(key) and entry.get("environment") == environment()
        entry["stale"] = not current
        if entry["verdict"] not in CERTIFIED or not told:
            return entry
        found = _diagnosis(told[0], key, *row[1:3], told[1])
        return entry if found is None else {**entry, "diagnosis": found["diagnosis"]}

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _with_seal(document: dict[str, Any], *place: object) -> str:
    """A document as the row of one place keeps it. Args: place: table, columns and digest."""
    text = json.dumps(document)
    return _seal(text, place) + text


def _seal(text: str, place: tuple[object, ...]) -> str:
    return hashlib.sha256(json.dumps([*place, text]).encode()).hexdigest()


def _unsealed(
    document: object, *place: object, read: Callable[[str], Any] = parse_json
) -> dict[str, Any] | None:
    """A stored result if it is as it was written at this place."""
    if not isinstance(document, str) or _seal(document[64:], place) != document[:64]:
        return None
    try:
        found = read(document[64:])
    except (Misshapen, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _verdict(document: object, key: str, *place: object) -> dict[str, Any] | None:
    """The verdict on a claim that a row holds; None, as for a missing one, for anything else."""
    found = _unsealed(document, VERDICTS, key, *place)
    return found if is_verdict(found, key) else None


def _diagnosis(document: object, *place: object) -> dict[str, Any] | None:
    """The diagnosis that a row holds; None, as for a missing one, for anything else."""
    found = _unsealed(document, OF_DIAGNOSES, *place)
    return found if is_diagnosis(found) else None
