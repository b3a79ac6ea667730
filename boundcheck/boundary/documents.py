"""JSON documents from outside: limited in size and depth, of a declared shape.

A shape is a msgspec type. Limits are checked before anything is built from what was read.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from boundcheck.boundary.files import MIB, Unreadable, read_bytes, text
from boundcheck.boundary.messages import plain, reason, shown

LARGEST = 64 * MIB
DEEPEST = 64
MOST = 2**22  # entries of a document: a list of them takes thirty times its text
Shape = TypeVar("Shape")


class Misshapen(Exception):
    """Why JSON is not the document wanted, in words that follow its name."""


def read_json(path: str | Path, limit: int = LARGEST) -> Any:
    """What a JSON file holds, in dicts, lists, text, numbers and None.

    Raises: Unreadable as `read_bytes`; Misshapen for what is no JSON, a name given twice, NaN,
        1e999, half of a surrogate pair, nesting deeper than 64 levels, more than 2^22 entries, and
        a number of more than 4,300 digits.
    """
    return parse_json(text(read_bytes(path, limit)))


def parse_json(data: str) -> Any:
    """What JSON text holds.

    Raises: Misshapen as `read_json`.

    >>> parse_json('{"a": [1, 0.5]}')
    {'a': [1, 0.5]}
    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    boundcheck.boundary.documents.Misshapen: names 'a' twice
    """
    if sum(map(data.count, ",[{")) > MOST:
        raise Misshapen(f"has more than {MOST} entries")
    try:
        document = json.loads(
            data, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_named_once
        )
    except RecursionError:
        raise Misshapen(f"is nested deeper than {DEEPEST} levels") from None
    except ValueError as error:
        raise Misshapen(f"is not JSON ({reason(error)})") from error
    _require_shallow(document)
    if "\\ud" in data.lower():
        _require_whole(document)
    return document


def shaped(document: object, shape: type[Shape], what: str) -> Shape:
    """A parsed document as a value of a msgspec type.

    Raises: Misshapen naming the place, what stands there and what should.
    """
    import msgspec

    try:
        return msgspec.convert(document, shape, strict=True)
    except msgspec.ValidationError as error:
        raise Misshapen(f"is no {what}: {plain(str(error))}") from error


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise Misshapen(f"holds {shown(digits)}, which is beyond doubles")
    return value


def _no_number(name: str) -> NoReturn:
    raise Misshapen(f"holds {name}, which is no number")


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(name for name, _ in pairs)
        again = next(name for name in times if times[name] > 1)
        raise Misshapen(f"names {shown(again)} twice")
    return found


def _require_shallow(document: object) -> None:
    level: list[object] = [document]
    for _ in range(DEEPEST):
        level = [
            entry
            for item in level
            if isinstance(item, (dict, list))
            for entry in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return
    raise Misshapen(f"is nested deeper than {DEEPEST} levels")


def _require_whole(document: object) -> None:
    """Raises: Misshapen for half of a surrogate pair, which no file and no digest can hold."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise Misshapen(f"holds {error.object[error.start]!a}, half of a character") from error


__all__ = ["Misshapen", "Unreadable", "parse_json", "read_json", "shaped"]
