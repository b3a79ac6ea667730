"""Data worlds: real regression data from a file or a bundled set, read, checked and scaled.

The empirical measure of a data set is a finite world; it is only too large to enumerate.
"""

from __future__ import annotations

import array
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from boundcheck.boundary.files import MIB, Unreadable, read_bytes, text, unzipped
from boundcheck.boundary.messages import cut, reason, shown
from boundcheck.errors import DataError, MissingExtra

MOST_BYTES = 256 * MIB  # of a file, and of what it unpacks to
MOST_CELLS = 50_000_000  # 400 MB of doubles
LOCAL = {"diabetes": "load_diabetes", "linnerud": "load_linnerud"}
CENTRED = 1e-9  # of the largest response
DATASETS = Path(__file__).parent / "datasets"
SHIPPED = {name: DATASETS / f"{name}.tsv.gz" for name in ("cadata", "cpusmall")}


@dataclass(frozen=True)
class DataWorld:
    """Scaled regression data.

    Args:
        name: file or set name. columns: feature names, length d.
        x: float64 (N, d), each column in [-1, 1]. y: float64 (N,), mean 0, max |y| = 1.
        dropped: constant columns that scaling cannot use. target: what y was, in words.
    """

    name: str
    columns: tuple[str, ...]
    x: Any
    y: Any
    dropped: tuple[str, ...] = ()
    target: str = ""

    def split(self, rng: Any, rows: int | None) -> tuple[Any, Any, Any, Any]:
        """Random halves for training and test: (x, y, x_test, y_test), at most `rows` each."""
        order = rng.permutation(len(self.y))
        half = len(order) // 2
        train, test = order[:half], order[half:]
        if rows is not None:
            train, test = train[:rows], test[:rows]
        return self.x[train], self.y[train], self.x[test], self.y[test]


def load_data(name: str, target: str | None = None) -> DataWorld:
    """Read CSV, TSV or LIBSVM (also gzipped), or a set of SHIPPED or LOCAL by name, and scale it.

    Features go to [-1, 1] column by column (min-max); responses are centred and divided by their
    largest magnitude, as in section 6.1 of Wang (2019).
    Raises: DataError, one line, for anything that cannot be used.
    """
    path = Path(name)
    if name in SHIPPED and not path.is_file():
        path, target = SHIPPED[name], target or "target"
    if path.is_file():
        columns, table, response, what = _read_file(path, target)
    elif name in LOCAL:
        columns, table, response = _read_bundled(name, target)
        what = target or "target"
    else:
        raise DataError(
            f"--data {shown(name)} is neither a file nor one of "
            f"{', '.join((*SHIPPED, *LOCAL))}; "
            "give a CSV, TSV or LIBSVM file"
        )
    return replace(_scaled(name, columns, table, response), target=what)


def _text(path: Path) -> str:
    """The text of a file, gzipped or not, with every line end as a newline."""
    try:
        raw = read_bytes(path, MOST_BYTES)
        if raw[:2] == b"\x1f\x8b":
            raw = unzipped(raw, MOST_BYTES)
        found = text(raw)
    except Unreadable as error:
        raise DataError(
            f"{path} {reason(error)}; give UTF-8 text or gzip of at most {MOST_BYTES} bytes"
        ) from error
    return found.replace("\r\n", "\n").replace("\r", "\n")


def _read_file(path: Path, target: str | None) -> tuple[list[str], Any, Any, str]:
    content = _text(path)
    first = content.lstrip("\n").split("\n", 1)[0]
    if not first.strip():
        raise DataError(f"{path} is empty; give rows of numbers")
    fields = first.split()
    if len(fields) > 1 and all(":" in field for field in fields[1:]) and "," not in first:
        return *_read_libsvm(path, content), "the first number of each line"
    return *_read_table(path, content, first, target), str(target)


def _require_room(path: Path, rows: int, columns: int) -> None:
    if rows * columns > MOST_CELLS:
        raise DataError(
            f"{path} makes a table of {rows} rows and {columns} columns, more than {MOST_CELLS} "
            "numbers; leave out rows or columns"
        )


def _read_libsvm(path: Path, content: str) -> tuple[list[str], Any, Any]:
    from sklearn.datasets import load_svmlight_file

    try:
        if not all(_is_plain(line.partition("#")[0]) for line in content.split("\n")):
            raise ValueError("a number is written with other signs than digits")
        x, y = load_svmlight_file(io.BytesIO(content.encode()))
    except (ValueError, OverflowError) as error:
        line = _bad_line(content)
        raise DataError(
            f"{path}, line {line} is not valid LIBSVM ({cut(reason(error))}); mend it"
        ) from error
    _require_room(path, *x.shape)
    x = x.toarray()
    return [f"feature {i + 1}" for i in range(x.shape[1])], x, y


def _bad_line(content: str) -> int | str:
    """Number of the first line that is not LIBSVM on its own."""
    for number, line in enumerate(content.splitlines(), 1):
        label, *entries = line.partition("#")[0].split() or ["0"]
        pairs = [entry.partition(":") for entry in entries]
        if not _is_number(label) or not all(
            ((place.isdigit() and len(place) < 10) or place == "qid") and _is_number(value)
            for place, _, value in pairs
        ):
            return number
    return "?"


def _read_table(
    path: Path, content: str, first: str, target: str | None
) -> tuple[list[str], Any, Any]:
    delimiter = "\t" if "\t" in first else (";" if ";" in first and "," not in first else ",")
    rows = _rows(path, content, delimiter)
    header = next(rows)
    named = not all(map(_is_number, header))
    if not named:
        header = [f"column {i + 1}" for i in range(len(header))]
        rows = _rows(path, content, delimiter)
    header = [name.strip() for name in header]
    if target is None:
        more = ", ..." if len(header) > 12 else ""
        raise DataError(
            f"--target is missing for {path}; name one of its columns: "
            f"{', '.join(header[:12])}{more}"
        )
    if target not in header:
        more = ", ..." if len(header) > 12 else ""
        hint = "" if len(header) > 1 else "; separate columns by commas, semicolons or tabs"
        raise DataError(
            f"--target {shown(target)} is no column of {shown(str(path), 200)}; its columns are "
            f"{', '.join(header[:12])}{more}{hint}"
        )
    if header.count(target) > 1:
        raise DataError(f"--target {target!r} names several columns of {path}; rename one")
    table = _numbers(path, header, rows, first_line=1 + named)
    place = header.index(target)
    columns = [name for i, name in enumerate(header) if i != place]
    import numpy

    return columns, numpy.delete(table, place, axis=1), table[:, place]


def _rows(path: Path, content: str, delimiter: str) -> Iterator[list[str]]:
    """Rows that are not empty.

    Raises: DataError for a cell of more than 131,072 characters.
    """
    reader = csv.reader(io.StringIO(content), delimiter=delimiter)
    try:
        yield from filter(None, reader)
    except csv.Error as error:
        raise DataError(
            f"{path}, line {reader.line_num} is no row of a table ({reason(error)}); mend it"
        ) from error


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return _is_plain(cell)


def _is_plain(text: str) -> bool:
    """Whether Python alone does not read more into it: 1_0 as ten, digits of all scripts."""
    return text.isascii() and "_" not in text


def _numbers(
    path: Path, header: list[str], rows: Iterable[list[str]], first_line: int
) -> Any:
    """The table as float64, cell by cell, so that text of millions of cells is never held."""
    import numpy

    cells, width, count = array.array("d"), len(header), 0
    for count, row in enumerate(rows, 1):
        if len(row) != width:
            raise DataError(
                f"{path}, row {count + first_line - 1} has {len(row)} cells and the first row "
                f"{width}; mend the row"
            )
        _require_room(path, count, width)
        try:
            cells.extend(map(float, row))
            if not _is_plain("".join(row)):
                raise ValueError
        except ValueError:
            name, cell = next(
                pair for pair in zip(header, row, strict=True) if not _is_number(pair[1])
            )
            raise DataError(
                f"{path}, row {count + first_line - 1}, column {shown(name)}: {shown(cell)} is "
                "not a number; remove or encode it"
            ) from None
    return numpy.frombuffer(cells, dtype=float).reshape(count, width) if count else numpy.empty(
        (0, width)
    )


def bundled(loader: str) -> Any:
    """What a loader of scikit-learn returns for a set that comes with it.

    Raises: MissingExtra without scikit-learn.
    """
    try:
        from sklearn import datasets
    except ImportError as error:
        raise MissingExtra(
            "scikit-learn is not installed; run `pip install scikit-learn`"
        ) from error
    return getattr(datasets, loader)()


def _read_bundled(name: str, target: str | None) -> tuple[list[str], Any, Any]:
    bunch = bundled(LOCAL[name])
    names = list(bunch.feature_names)
    response = bunch.target if bunch.target.ndim == 1 else bunch.target[:, 0]
    if target is not None and target not in ("target", *getattr(bunch, "target_names", ())):
        if target not in names:
            raise DataError(
                f"--target {shown(target)} is no column of {name}; its columns are "
                f"{', '.join(names)}"
            )
        import numpy

        place = names.index(target)
        table = numpy.column_stack([numpy.delete(bunch.data, place, axis=1), response])
        return [*names[:place], *names[place + 1 :], "target"], table, bunch.data[:, place]
    return names, bunch.data, response


def _scaled(name: str, columns: list[str], table: Any, response: Any) -> DataWorld:
    import numpy

    x, y = numpy.asarray(table, dtype=float), numpy.asarray(response, dtype=float)
    for label, values in (("a feature", x), ("the target", y)):
        bad = numpy.argwhere(~numpy.isfinite(values))
        if len(bad):
            raise DataError(
                f"{name}, data row {int(bad[0][0]) + 1}: {label} is not finite; remove the row"
            )
    if len(y) < 4:
        raise DataError(f"{name} has {len(y)} rows; at least 4 are needed")
    if x.shape[1] == 0:
        raise DataError(f"{name} has no feature column besides the target; add one")
    if y.max() == y.min():
        raise DataError(f"{name}: the target is constant ({y[0]:g}); choose another column")
    low, high = x.min(axis=0), x.max(axis=0)
    moving = high > low
    dropped = tuple(c for c, moves in zip(columns, moving, strict=True) if not moves)
    if not moving.any():
        raise DataError(f"{name}: every feature is constant; choose other columns")
    with numpy.errstate(over="ignore"):
        spans = [*(high - low), y.max() - y.min(), numpy.abs(y).sum()]
    if not numpy.isfinite(spans).all():
        raise DataError(f"{name}: a column spans more than 1e308; divide it by a constant")
    x = 2 * (x[:, moving] - low[moving]) / (high[moving] - low[moving]) - 1
    y = y - y.mean()
    y = y / numpy.abs(y).max()
    if abs(y.mean()) > CENTRED:  # values so near to each other that their mean is one of them
        y = y - y.mean()
        y = y / numpy.abs(y).max()
    kept = tuple(c for c, moves in zip(columns, moving, strict=True) if moves)
    return DataWorld(name, kept, x, y, dropped)
