"""What `boundcheck list` shows of every claim, kept between calls so that nothing is loaded again.

The catalogue of a library lies in the user's cache folder under the digest of what made it: every
file of the package and of the library, the Python at work and the packages beside it. A library
with a file that cannot be used is not kept, for its reason may be mended outside of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json, shaped
from boundcheck.boundary.files import cache_folder, content, files_below
from boundcheck.library import Library, Shelf, find_root, load_library

FORMAT = 1
MOST = 32  # catalogues in the cache; the oldest goes first


@dataclass(frozen=True)
class Row:
    """One line of the list: statement form, where printed, title of the statement."""

    form: str
    where: str
    title: str


def catalogue(root: str | None, selectors: Iterable[str] = ()) -> Shelf[Row]:
    """The rows of a library, from the cache where it is up to date.

    Args: root, selectors: as of `load_library`; with selectors the shelf may hold their
    statements alone.
    Raises: UnknownKey as `load_library`.
    """
    folder, path = find_root(root), None
    with contextlib.suppress(OSError, RuntimeError):  # no home, or a folder that cannot be read
        path = _path(folder)
        kept = _kept(folder, path)
        if kept is not None:
            return kept
    chosen = list(selectors)
    library = load_library(root, chosen)
    shelf = Shelf(library.root, _rows(library), library.broken)
    if path is not None and not chosen and not library.broken:
        _keep(shelf, path)
    return shelf


def _rows(library: Library) -> dict[str, Row]:
    return {
        key: Row(claim.statement.name, claim.source.where, library.title(key))
        for key, claim in library.claims.items()
    }


def _path(folder: Path) -> Path:
    digest = hashlib.sha256(f"{FORMAT}|{sys.version}|{folder}".encode(errors="surrogateescape"))
    beside = os.stat(sysconfig.get_path("purelib")).st_mtime_ns
    digest.update(f"|{beside}".encode())
    for tree in (Path(__file__).parent, folder):
        for path in files_below(tree, ".py", without=("_library",)):
            digest.update(os.fsencode(path))
            digest.update(content(path))
    return cache_folder() / "lists" / f"{digest.hexdigest()[:32]}.json"


def _kept(folder: Path, path: Path) -> Shelf[Row] | None:
    """The catalogue in a file, or None where there is none that can be read."""
    try:
        return Shelf(folder, shaped(read_json(path), dict[str, Row], "catalogue"))
    except (Unreadable, Misshapen):
        return None


def _keep(shelf: Shelf[Row], path: Path) -> None:
    """Write a catalogue; where that cannot be done, the next call loads the library again."""
    from boundcheck.boundary.writing import write_whole
    from boundcheck.errors import OutputError

    with contextlib.suppress(OSError, OutputError):
        path.parent.mkdir(parents=True, exist_ok=True)
        others = sorted(path.parent.glob("*.json"), key=lambda other: other.stat().st_mtime)
        for old in others[: 1 - MOST]:
            old.unlink(missing_ok=True)
        text = json.dumps({key: asdict(row) for key, row in shelf.claims.items()})
        write_whole(path, text)
