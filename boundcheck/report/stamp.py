"""A report that is as a run would write it again is left as it stands.

Beside the ledger lies the digest of everything a report is made of: the command and where it was
given, every file of the package and of the library, the versions that decide, figures and
benchmarks, and the pages themselves. Only a report without a fault is stamped.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from msgspec import Struct

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.files import content, files_below
from boundcheck.environment import environment

PACKAGE = Path(__file__).parent.parent
STAMP = Path(".boundcheck") / "stamp.json"
LEDGER = Path(".boundcheck") / "ledger.sqlite"


class Kept(Struct):
    """The stamp of a report as it is kept."""

    digest: str
    summary: str
    files: list[str]


@dataclass(frozen=True)
class Stamp:
    """What one report is made of.

    Args: out: its folder; root: the library; command: selectors, budget and seed.
    """

    out: Path
    root: Path
    command: Sequence[object]

    def found(self) -> str:
        """The summary of the report that stands in `out`, "" if it must be written again."""
        with contextlib.suppress(OSError, Unreadable, Misshapen):
            kept = shaped(read_json(self.out / STAMP), Kept, "stamp")
            files = [self.out / name for name in kept.files]
            if (self.out / LEDGER).is_file() and kept.digest == self._digest(files):
                return kept.summary
        return ""

    def put(self, written: Iterable[Path], summary: str) -> None:
        """Stamp a report that has just been written; where that cannot be, it is written again."""
        files = sorted(written)
        document = {
            "digest": self._digest(files), "summary": summary,
            "files": [str(path.relative_to(self.out)) for path in files],
        }  # fmt: skip
        with contextlib.suppress(OSError):
            (self.out / STAMP).write_text(json.dumps(document), encoding="utf-8")

    def _digest(self, written: Iterable[Path]) -> str:
        """Raises: OSError if a file is missing."""
        parts = [*self.command, self.out, self.root, Path.cwd(), sys.version, environment()]
        total = hashlib.sha256(repr([str(part) for part in parts]).encode(errors="replace"))
        beside = (self.out / "figures", self.out / "benchmarks")
        trees = chain.from_iterable(map(files_below, (PACKAGE, self.root, *beside)))
        for path in (*trees, *written):
            data = content(path)
            total.update(f"|{path}|{len(data)}|".encode(errors="surrogateescape") + data)
        return total.hexdigest()
