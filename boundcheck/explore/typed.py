"""Lists and matrices as a user types them, or as pages and terminals show them."""

from __future__ import annotations

from typing import Any

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument

BRACKETS = {"(": ")", "[": "]"}
DEEPEST = 5  # lists within one another


def typed(name: str, value: Any, depth: int = 0) -> Any:
    """The parts of a text that spells a list or a matrix, as JSON or as shown; they stay text.

    What stands in round brackets is a tuple: of one entry it may be a number as well.

    >>> typed("p", "(1/2, 1/2)"), typed("p", "(1)"), typed("A", "[1, 0; 0, 1]")
    (('1/2', '1/2'), ('1',), [['1', '0'], ['0', '1']])
    """
    if not isinstance(value, str):
        return value
    text = value.strip().strip('"')
    end = _end(text) if text[:1] in BRACKETS and depth < DEEPEST else -1
    if text.startswith("[") and end != len(text) - 1:
        raise InvalidArgument(
            f"{name} = {shown(value)} has brackets that do not pair; write e.g. [1, 1/2] or "
            "[[1, 0], [0, 1]]"
        )
    if end < 0 or end != len(text) - 1:
        return text if depth else value
    rows = [[typed(name, cell, depth + 1) for cell in _split(row, ",")]
            for row in _split(text[1:-1], ";")]  # fmt: skip
    entries = rows if len(rows) > 1 else rows[0]
    return tuple(entries) if text.startswith("(") else entries


def _end(text: str) -> int:
    """Where the first bracket of a text closes; -1 if nowhere."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in BRACKETS) - (sign in BRACKETS.values())
        if depth == 0:
            return place
    return -1


def _split(text: str, sign: str) -> list[str]:
    """The parts of a text between signs that stand in no brackets; none of an empty text."""
    parts, depth = [""], 0
    for each in text:
        depth += (each in BRACKETS) - (each in BRACKETS.values())
        if each == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += each
    return parts if text.strip() or sign == ";" else []
