"""What floats drew as exact values, as points of the constraint that they miss, and as balls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import fmpq


def exact_entry(entry: Any) -> Any:
    """An array entry as exact value: ints stay ints, floats become the rational they are."""
    import numpy
    from flint import fmpq_mat

    array = numpy.asarray(entry)
    if array.ndim == 0:
        value = array.item()
        return int(value) if isinstance(value, int) else fmpq(*value.as_integer_ratio())
    if array.ndim == 1:
        return tuple(exact_entry(value) for value in array)
    rows, cols = array.shape
    return fmpq_mat(rows, cols, [fmpq(exact_entry(value)) for value in array.ravel()])


ROUNDING = 2.0**-40  # of a draw computed in floats: above a thousand roundings
ON_CONSTRAINT = 1e-12  # how far floats may miss a sphere or a simplex that they are meant to lie on


def on_constraint(array: Any) -> Any:
    """A float vector as rationals; on the sphere or the simplex exactly if floats nearly are.

    Rows of a matrix one by one. Stops the refutation of |x|^2 <= 1 by a last digit.
    """
    import numpy

    if array.ndim == 2:
        rows = [on_constraint(row) for row in array]
        from flint import fmpq_mat

        return fmpq_mat(len(rows), array.shape[1], [value for row in rows for value in row])
    values = tuple(fmpq(*float(value).as_integer_ratio()) for value in array)
    total, square = float(array.sum()), float((array**2).sum())
    if len(values) > 1 and abs(square - 1) < ON_CONSTRAINT:
        return _on_sphere(values)
    if abs(total - 1) < ON_CONSTRAINT and float(numpy.min(array)) >= 0:
        whole = sum(values, fmpq(0))
        return tuple(value / whole for value in values)
    return values


def _on_sphere(values: tuple[fmpq, ...]) -> tuple[fmpq, ...]:
    """The rational point of the sphere next to one by stereographic projection from a pole."""
    side = 1 if values[-1] >= 0 else -1  # from the pole that lies farther away
    slopes = [value / (1 + side * values[-1]) for value in values[:-1]]
    length = sum((slope * slope for slope in slopes), fmpq(0))
    scale = 2 / (1 + length)
    return (*(slope * scale for slope in slopes), side * (1 - length) / (1 + length))


def reach_of(name: str) -> str:
    """Under which name a batch holds, for every draw, how large what made an outcome was.

    A small difference of large numbers is off by what these are rounded by.
    """
    return f"reach of {name}"


def ball_of(batch: Mapping[str, Any], name: str, position: int) -> Any:
    """An outcome of a batch as balls that contain what floats rounded on the way to it."""
    reach = batch.get(reach_of(name))
    return ball_entry(batch[name][position], 1.0 if reach is None else float(reach[position]))


def ball_entry(entry: Any, reach: float = 1.0) -> Any:
    """An array entry as balls that contain what floats rounded; whole numbers are exact.

    Args: reach: the largest number that it was computed from.
    """
    import numpy
    from flint import arb, arb_mat

    array = numpy.asarray(entry)
    if array.dtype.kind != "f":
        return exact_entry(entry)
    if array.ndim == 0:
        value = float(array)
        return arb(value, ROUNDING * max(abs(value), reach, 1.0))
    if array.ndim == 1:
        return tuple(ball_entry(value, reach) for value in array)
    rows, cols = array.shape
    return arb_mat(rows, cols, [ball_entry(value, reach) for value in array.ravel()])
