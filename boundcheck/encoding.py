"""Exact values to JSON and back, without loss and without pickle, and to SymPy.

Integers are decimal text, rationals always carry a slash, matrices name their shape, names are
{"name": ...}. The forms are distinct, so `decode(encode(v)) == v` in type and value.
"""

from __future__ import annotations

import math
import re
from decimal import MAX_EMAX, MIN_EMIN, ROUND_FLOOR, Context, Decimal
from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpz

from boundcheck.boundary.messages import shown
from boundcheck.errors import MalformedStatement, WitnessError

NUMBER = re.compile(r"(-?[0-9]+)(?:/(0*[1-9][0-9]*))?")
MOST_DIGITS = 1_000_000
MOST_ROWS = 100_000
LEAST, MOST = fmpq(1, 10**300), fmpq(10**300)  # what a float surely holds
WIDE = 10  # bits of a ball below which it is shown as an interval: what runs establish
CLOSE = fmpq(1, 10**9)  # what is so near to an integer is shown by how far from it


def encode(value: Any) -> Any:
    """JSON form of an exact value.

    >>> encode((fmpq(1, 2), 3))
    ['1/2', '3']
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, fmpz)):
        return str(fmpz(value))  # of any length, where Python stops at 4,300 digits
    if isinstance(value, fmpq):
        return f"{value.p}/{value.q}"
    if isinstance(value, fmpq_mat):
        rows = [[f"{e.p}/{e.q}" for e in row] for row in value.tolist()]
        return {"matrix": rows, "shape": [value.nrows(), value.ncols()]}
    if isinstance(value, tuple):
        return [encode(entry) for entry in value]
    if isinstance(value, str):
        return {"name": value}
    raise TypeError(f"{type(value).__name__} has no exact JSON form: {value!r}")


def decode(data: Any) -> Any:
    """Inverse of `encode`; a matrix is allocated only if all of its entries are there.

    Raises: WitnessError for anything `encode` cannot have written.
    """
    if isinstance(data, bool):
        return data
    if isinstance(data, str):
        return _number(data)
    if isinstance(data, list):
        return tuple(decode(entry) for entry in data)
    if isinstance(data, dict) and set(data) == {"name"} and isinstance(data["name"], str):
        return data["name"]
    if isinstance(data, dict) and set(data) == {"matrix", "shape"}:
        return _matrix(data["matrix"], data["shape"])
    raise WitnessError(f"value {shown(data)} is no exact number; restore the witness file")


def _number(text: str) -> int | fmpq:
    found = NUMBER.fullmatch(text)
    if not found or len(text) > MOST_DIGITS:
        raise WitnessError(
            f"value {shown(text)} is no whole number and no fraction p/q of at most "
            f"{MOST_DIGITS} digits; restore the witness file"
        )
    top, bottom = found.groups()
    if bottom is None:
        return int(fmpz(top))
    return fmpq(fmpz(top), fmpz(bottom))


def _matrix(rows: Any, shape: Any) -> fmpq_mat:
    whole = isinstance(shape, list) and len(shape) == 2 and all(type(n) is int for n in shape)
    fits = whole and isinstance(rows, list) and len(rows) == shape[0] <= MOST_ROWS >= shape[1] >= 0
    if not fits or not all(isinstance(row, list) and len(row) == shape[1] for row in rows):
        raise WitnessError(f"shape {shown(shape)} is not that of its matrix; restore the file")
    entries = [decode(entry) for row in rows for entry in row]
    if not all(isinstance(entry, fmpq) for entry in entries):
        raise WitnessError(f"a matrix of shape {shown(shape)} holds no fractions; restore it")
    return fmpq_mat(shape[0], shape[1], entries)


def nearest_float(value: int | fmpz | fmpq) -> float:
    """The float nearest to a rational; infinities where out of range.

    >>> nearest_float(fmpq(1, 3)), nearest_float(-10**400), nearest_float(fmpq(10**400 + 1, 3))
    (0.3333333333333333, -inf, inf)
    """
    ratio = fmpq(value)
    try:
        return int(ratio.p) / int(ratio.q)
    except OverflowError:
        return math.inf if ratio > 0 else -math.inf


def brief(value: fmpq, digits: int) -> str:
    """A rational in a few decimal digits, out of a float's range too.

    >>> brief(fmpq(1, 3), 6), brief(fmpq(10**400 + 1, 3), 6), brief(fmpq(1, 3 * 10**400), 6)
    ('0.333333', '3.33333e+399', '3.33333e-401')
    """
    if value and not LEAST < abs(value) < MOST:
        return show(arb(value), digits)
    return f"{nearest_float(value):.{digits}g}"


def brief_below(value: fmpq | float, digits: int) -> str:
    """A few decimal digits of a number, rounded down: what they say to be excluded is.

    >>> brief_below(fmpq(2, 3), 4), brief_below(1.10364, 4), brief_below(fmpq(2, 3 * 10**400), 4)
    ('0.6666', '1.103', '6.666e-401')
    """
    over, under = (value.p, value.q) if isinstance(value, fmpq) else value.as_integer_ratio()
    down = Context(prec=digits, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    below = down.divide(Decimal(int(over)), Decimal(int(under)))
    if isinstance(value, fmpq) and value and not LEAST < abs(value) < MOST:
        return f"{below:e}"
    return f"{float(below):.{digits}g}"


def show(value: Any, digits: int = 12) -> str:
    """A number as people and the re-check read it: exact if short, else decimal digits.

    What is next to an integer is shown by how far from it, which decimal digits would hide.

    >>> show(fmpq(1, 3)), show(fmpq(10**30 + 1, 3)), show(1 - fmpq(1, 2**64))
    ('1/3', '3.33333333333e+29', '1 - 5.42101086243e-20')
    """
    if isinstance(value, (int, fmpz)):
        text = str(fmpz(value))
        return text if len(text) <= 24 else show(arb(value), digits)
    if isinstance(value, fmpq):
        text, near = str(value), (value + fmpq(1, 2)).floor()
        if len(text) <= 24:
            return text
        if near and 0 < abs(value - near) < CLOSE and abs(near) < 1 / CLOSE:
            sign = "+" if value > near else "-"
            return f"{near} {sign} {show(arb(abs(value - near)), digits)}"
        return show(arb(value), digits)
    if isinstance(value, arb):
        if value.rel_accuracy_bits() < WIDE and value.is_finite() and value.rad() > 1e-6:
            return f"[{float(value.lower()):.4g}, {float(value.upper()):.4g}]"
        return value.str(digits, radius=False)
    if isinstance(value, fmpq_mat):
        return "[" + "; ".join(", ".join(str(e) for e in row) for row in value.tolist()) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(show(entry, digits) for entry in value) + ")"
    return str(value)


def as_expression(value: object) -> Any:
    """A value as SymPy has it.

    Raises: MalformedStatement for an exact matrix, which primitives of plain numbers are.
    """
    import sympy

    try:
        return sympy.sympify(value)
    except sympy.SympifyError as error:
        raise MalformedStatement(
            f"an operand is a value of type {type(value).__name__}, and no expression; write plain "
            "sizes as numbers of SymPy, identity(Integer(2))"
        ) from error
