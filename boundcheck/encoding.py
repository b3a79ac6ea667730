"""Exact values to JSON and back, without loss and without pickle.

Integers are decimal text, rationals always carry a slash, matrices name their shape, names are
{"name": ...}. The forms are distinct, so `decode(encode(v)) == v` in type and value.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq, fmpq_mat, fmpz

from boundcheck.errors import WitnessError


def encode(value: Any) -> Any:
    """JSON form of an exact value.

    >>> encode((fmpq(1, 2), 3))
    ['1/2', '3']
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, fmpz)):
        return str(int(value))
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
    """Inverse of `encode`.

    Raises: WitnessError for anything `encode` cannot have written.
    """
    try:
        if isinstance(data, bool):
            return data
        if isinstance(data, str):
            if "/" in data:
                top, bottom = data.split("/")
                return fmpq(int(top), int(bottom))
            return int(data)
        if isinstance(data, list):
            return tuple(decode(entry) for entry in data)
        if isinstance(data, dict) and set(data) == {"name"} and isinstance(data["name"], str):
            return data["name"]
        if isinstance(data, dict) and set(data) == {"matrix", "shape"}:
            rows, cols = data["shape"]
            return fmpq_mat(rows, cols, [decode(e) for row in data["matrix"] for e in row])
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise WitnessError(f"value {data!r} is no exact number ({error}); restore it") from error
    raise WitnessError(f"value {data!r} is no exact number; restore the witness file")


def show(value: Any, digits: int = 12) -> str:
    """A number as people and the re-check read it: exact if short, else decimal digits."""
    if isinstance(value, (int, fmpz)):
        text = str(int(value))
        return text if len(text) <= 24 else show(arb(value), digits)
    if isinstance(value, fmpq):
        text = str(value)
        return text if len(text) <= 24 else show(arb(value), digits)
    if isinstance(value, arb):
        return value.str(digits, radius=False)
    if isinstance(value, fmpq_mat):
        return "[" + "; ".join(", ".join(str(e) for e in row) for row in value.tolist()) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(show(entry, digits) for entry in value) + ")"
    return str(value)
