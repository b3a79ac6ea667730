"""Figures and tables of a source's experiments, read from the report folder for its page."""

from __future__ import annotations

import base64
import csv
import io
from dataclasses import dataclass
from pathlib import Path

from boundcheck.boundary.files import MIB, Unreadable, read_bytes, text
from boundcheck.boundary.messages import reason
from boundcheck.errors import DataError
from boundcheck.report.prose import humane

LARGEST_FIGURE = 16 * MIB
COVERAGE = "coverage"


@dataclass(frozen=True)
class Figure:
    """A figure as a page shows it.

    Args: title, caption: in words. address: of its data. numbers: name of the table of the points
        shown, in the folder of the figures, or "".
    """

    title: str
    caption: str
    address: str
    numbers: str = ""


@dataclass(frozen=True)
class Table:
    """A table as a page shows it: header, rows of the same length, words under it, file name."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    numbers: str


def figures(source: str, folder: Path) -> list[Figure]:
    """The figures of a source, in order of their names: <source>.<name>.svg or <source>/<name>.svg.

    A text file beside a figure, with the same stem, is its caption; a .csv file its numbers.
    Raises: DataError for a figure or caption that cannot be read.
    """
    named = list(folder.glob("*.svg")) + list((folder / source).glob("*.svg"))
    found = []
    for path in sorted(named):
        stem = path.stem
        if path.parent == folder:
            if not stem.startswith(tuple(source + mark for mark in "._-")):
                continue
            stem = stem[len(source) + 1 :]
        data = base64.b64encode(_bytes(path)).decode()
        numbers = path.with_suffix(".csv")
        found.append(Figure(
            humane(stem), _caption(path), f"data:image/svg+xml;base64,{data}",
            numbers.relative_to(folder).as_posix() if numbers.exists() else "",
        ))  # fmt: skip
    return found


def coverage(source: str, folder: Path) -> Table | None:
    """What the theorems would need for the experiments, <source>.coverage.csv, if it is there.

    Raises: DataError for a file that cannot be read.
    """
    path = folder / f"{source}.{COVERAGE}.csv"
    if not path.exists():
        return None
    header, *rows = csv.reader(io.StringIO(_text(path))) or [[]]
    return Table(tuple(header), tuple(tuple(row) for row in rows), _caption(path), path.name)


def _caption(path: Path) -> str:
    words = path.with_suffix(".txt")
    return _text(words).strip() if words.exists() else ""


def _text(path: Path) -> str:
    try:
        return text(_bytes(path))
    except Unreadable as error:
        raise _refused(path, error) from error


def _bytes(path: Path) -> bytes:
    try:
        return read_bytes(path, LARGEST_FIGURE)
    except Unreadable as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: Unreadable) -> DataError:
    return DataError(f"figure {path} {reason(error)}; mend or remove it")
