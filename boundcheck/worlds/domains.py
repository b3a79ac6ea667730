"""Predicates of the values that a world may hold: kinds, ends, shapes, laws, definiteness.

They stand on rationals alone, so that the re-check of a witness may use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields as members, is_dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from boundcheck.boundary.messages import shown, visible
from boundcheck.errors import InvalidArgument, MalformedStatement

RATIONAL = re.compile(r"[-+]?[0-9]+(/0*[1-9][0-9]*)?")  # as the text of an end


def is_number(value: Any) -> bool:
    """Whether a value is an exact number; truth values and names are none."""
    return isinstance(value, (int, fmpz, fmpq)) and not isinstance(value, bool)


def is_name(end: object) -> bool:
    """Whether an end of a domain is the name of another field."""
    return isinstance(end, str) and end.isidentifier()


def require_end(field: object, name: str) -> None:
    """Raises: InvalidArgument for an end that is neither a rational number nor a name."""
    end: Any = getattr(field, name, None)
    text = isinstance(end, str) and not is_name(end) and not RATIONAL.fullmatch(end)
    formula = hasattr(end, "free_symbols") and not (end.is_Symbol or end.is_Rational)
    if isinstance(end, float) or text or formula:
        raise InvalidArgument(
            f"{type(field).__name__}: the end {name}={shown(end)} is no rational number and no "
            "name; write an integer, a text such as \"1/10\", or the name of an earlier field"
        )


def settle_items(field: object) -> None:
    """Make numbers of SymPy among what there is to choose from exact values as worlds hold them.

    Raises: InvalidArgument for nothing to choose from, and for what is no exact value and no text.
    """
    for name in ("items", "searched"):
        items: Any = getattr(field, name)
        if name == "items" and not items:
            raise InvalidArgument("a Choice of nothing; give what there is to choose from")
        found = [_exact(item) for item in items]
        if any(new is not old for new, old in zip(found, items, strict=True)):
            object.__setattr__(field, name, tuple(found))


def _exact(item: Any) -> Any:
    """An item as a text, an exact value or a tuple of these."""
    if isinstance(item, tuple):
        parts = tuple(_exact(part) for part in item)
        return parts if any(new is not old for new, old in zip(parts, item, strict=True)) else item
    if getattr(item, "is_Rational", False) or isinstance(item, Fraction):
        top, bottom = int(item.numerator), int(item.denominator)
        return top if bottom == 1 else fmpq(top, bottom)
    if isinstance(item, str) or is_number(item):
        return item
    raise InvalidArgument(
        f"Choice: the item {shown(item)} is no exact value and no text; write an integer, a text, "
        "or Rational(1, 3)"
    )


def require_size(field: object, name: str) -> None:
    """Raises: InvalidArgument for a size that is neither a whole number nor a symbol."""
    size = getattr(field, name, 0)
    named = isinstance(size, str) or getattr(size, "is_Symbol", False)
    if named or (isinstance(size, int) and not isinstance(size, bool) and size >= 0):
        return
    raise InvalidArgument(
        f"{type(field).__name__}: the {name} {shown(size)} is neither a whole number nor a symbol; "
        "make one, as n = world(\"n\", Integer(1, searched=4))"
    )


def require_ends(fields: Mapping[str, object]) -> None:
    """Raises: InvalidArgument for a range that ends at no field, at a later one, or at itself."""
    ends = {name: [end for end in (getattr(field, "low", None), getattr(field, "high", None))
                   if isinstance(end, str) and is_name(end)]
            for name, field in fields.items()}  # fmt: skip
    for name, own in ends.items():
        met, waiting = set[str](), list(own)
        while waiting:
            end = waiting.pop()
            if end not in ends or end == name:
                why = "which is no field" if end != name else "and that at itself"
                raise InvalidArgument(
                    f"the range of {name} ends at {(own if end == name else [end])[0]!r}, {why}; "
                    f"name one of {', '.join(sorted({*ends} - {name})) or 'the fields'}"
                )
            if end not in met:
                met.add(end)
                waiting += ends[end]
        made = list(ends)
        for end in own:
            if made.index(end) > made.index(name):
                raise InvalidArgument(
                    f"the range of {name} ends at {end!r}, which is made after it; list {end} "
                    "first, or give the symbol that world() or parameter() made of it"
                )


def require_named(fields: Mapping[str, object]) -> None:
    """Raises: InvalidArgument as `require_ends` and `require_sizes` do."""
    require_ends(fields)
    require_sizes(fields)


def require_sizes(fields: Mapping[str, object]) -> None:
    """Raises: InvalidArgument for a field whose size is the name of no field."""
    for name, field in fields.items():
        for size in _sizes_of(field):
            if isinstance(size, str) and size not in fields:
                n = size if is_name(size) else "n"
                raise InvalidArgument(
                    f"the field {name} has the size {shown(size)}, which is no field; give the "
                    f"symbol, as {n} = world(\"{n}\", Integer(1, searched=4)), or a number"
                )


def _sizes_of(field: object) -> Iterator[object]:
    """What is written for the sizes of a field, and of the fields inside it."""
    for part in members(field) if is_dataclass(field) and not isinstance(field, type) else ():
        value = getattr(field, part.name)
        if part.type == "Size":
            yield value
        else:
            yield from _sizes_of(value)


def require_names(draw: object) -> None:
    """Raises: InvalidArgument for a draw where something else stands in the place of a name."""
    for part in members(draw) if is_dataclass(draw) else ():
        value = getattr(draw, part.name)
        named = isinstance(getattr(value, "name", value), str)
        if part.type == "str" and not named:
            raise InvalidArgument(
                f"{type(draw).__name__} has {part.name} = {shown(value)}, which names nothing; "
                "give the symbol, as one = world(\"one\", Integer(1, 1))"
            )


def require_name(name: str) -> None:
    """Raises: MalformedStatement for the name of a symbol that is not visible in one line."""
    if not name.strip() or visible(name) != name or {"\n", "\t"} & {*name}:
        raise MalformedStatement(
            f"{shown(name)} is no name of a symbol: it is blank or has a character that is not "
            "shown; give one line of letters, as \"x\""
        )


SIGNS = ("positive", "nonnegative", "negative", "nonpositive", "nonzero", "integer")
KINDS = ("even", "odd", "prime", "composite", "noninteger", "irrational", "infinite")


def require_declared(symbols: Iterable[Any], fields: Mapping[str, Any]) -> None:
    """Refuse symbols of which SymPy takes more for granted than their fields promise.

    It simplifies by that: the absolute value of a positive x is x.
    Raises: MalformedStatement naming the symbol.
    """
    for symbol in sorted(symbols, key=str):
        require_name(symbol.name)
        taken = [word for word in (*SIGNS, *KINDS) if getattr(symbol, f"is_{word}", None)]
        if taken and symbol.is_commutative and symbol.is_Symbol:
            known = _promised(fields.get(symbol.name), fields)
            if extra := [word for word in taken if word not in known]:
                raise MalformedStatement(
                    f"the symbol {symbol} is declared {extra[0]}, which its field does not "
                    "promise; declare symbols real only, and put signs and ranges into `given`"
                )


def _promised(field: Any, fields: Mapping[str, Any]) -> set[str]:
    """What a field says of all its values, of `SIGNS`."""
    field, kind = getattr(field, "domain", field), type(field).__name__
    items = getattr(field, "items", None)
    if items is not None:
        low = high = None
        if items and all(map(is_number, items)):
            low, high = (min(items), False), (max(items), False)
    else:
        low, high = _end_of(field, "low", fields), _end_of(field, "high", fields)
    found = {"integer"} if kind in ("Integer", "Index") or (
        items and all(map(is_integer, items))) else set()  # fmt: skip
    for end, side, word, other in ((low, 1, "positive", "nonnegative"),
                                   (high, -1, "negative", "nonpositive")):  # fmt: skip
        if end is not None and end[0] * side >= 0:
            found |= {word, other, "nonzero"} if end[0] != 0 or end[1] else {other}
    return found


def _end_of(field: Any, side: str, fields: Mapping[str, Any]) -> tuple[fmpq, bool] | None:
    """A number that all values of a field lie on one side of, and whether none is that number."""
    end, strict = getattr(field, side, None), bool(getattr(field, f"open_{side}", False))
    if isinstance(end, str) and is_name(end):
        found = _end_of(fields.get(end), side, fields)
        return None if found is None else (found[0], found[1] or strict)
    return None if end is None else (fmpq(*Fraction(str(end)).as_integer_ratio()), strict)


def is_integer(value: Any) -> bool:
    """Whether a value is an exact integer.

    >>> is_integer(3), is_integer(fmpq(7, 2)), is_integer(True)
    (True, False, False)
    """
    return is_number(value) and fmpq(value).q == 1


def is_between(
    value: fmpq, low: fmpq | None, high: fmpq | None, open_low: bool = False,
    open_high: bool = False,
) -> bool:  # fmt: skip
    """Whether a number lies between two ends, which may be missing or left out."""
    if low is not None and (value < low or (open_low and value == low)):
        return False
    return high is None or not (value > high or (open_high and value == high))


def all_between(
    values: Any, size: int, low: fmpq | None, high: fmpq | None, open_low: bool = False,
    open_high: bool = False,
) -> bool:  # fmt: skip
    """Whether a value is a tuple of `size` numbers between two ends."""
    if not isinstance(values, tuple) or len(values) != size:
        return False
    return all(
        is_number(entry) and is_between(fmpq(entry), low, high, open_low, open_high)
        for entry in values
    )


def is_law(weights: Any) -> bool:
    """Whether numbers are nonnegative and sum to one.

    >>> is_law((fmpq(1, 2), fmpq(1, 2))), is_law((2, -1))
    (True, False)
    """
    right = all(is_number(weight) and weight >= 0 for weight in weights)
    return right and sum(weights, fmpq(0)) == 1


def has_shape(matrix: Any, rows: int, cols: int) -> bool:
    """Whether a value is a rational matrix of this shape."""
    return isinstance(matrix, fmpq_mat) and (matrix.nrows(), matrix.ncols()) == (rows, cols)


def is_positive_semidefinite(matrix: fmpq_mat) -> bool:
    """Whether a rational matrix is symmetric without negative eigenvalue, by elimination.

    A zero on the diagonal of what is left must have a row of zeros; a positive one is eliminated.

    >>> is_positive_semidefinite(fmpq_mat(2, 2, [1, 1, 1, 1]))
    True
    >>> is_positive_semidefinite(fmpq_mat(2, 2, [1, 2, 2, 1]))
    False
    """
    if matrix != matrix.transpose():
        return False
    rows = [list(row) for row in matrix.tolist()]
    size = len(rows)
    for k in range(size):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[k][j] != 0 for j in range(k + 1, size))):
            return False
        for i in range(k + 1, size if pivot > 0 else k + 1):
            if rows[i][k] == 0:
                continue
            share = rows[i][k] / pivot
            for j in range(k + 1, size):
                rows[i][j] -= share * rows[k][j]
    return True
