"""Checks of arguments that every module here shares: the value, the rule, the remedy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InvalidArgument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

SIDES = ("both", "lower", "upper")


def open_unit(name: str, value: float, *, example: float = 0.05) -> float:
    """`value` as a float strictly between 0 and 1.

    Raises: InvalidArgument otherwise, NaN included.

    >>> open_unit("alpha", 0.05)
    0.05
    >>> open_unit("alpha", 1.5)
    Traceback (most recent call last):
    boundcheck.errors.InvalidArgument: alpha = 1.5 is outside (0, 1); give for example alpha=0.05
    """
    number = _number(name, value)
    if not 0 < number < 1:
        raise InvalidArgument(
            f"{name} = {value} is outside (0, 1); give for example {name}={example}"
        )
    return number


def closed_unit(name: str, value: float) -> float:
    """`value` as a float in [0, 1]. Raises: InvalidArgument otherwise, NaN included."""
    number = _number(name, value)
    if not 0 <= number <= 1:
        raise InvalidArgument(f"{name} = {value} is outside [0, 1]; give a probability")
    return number


def bounds(low: float, high: float) -> tuple[float, float]:
    """Finite bounds low < high whose width is finite too. Raises: InvalidArgument otherwise."""
    first, last = _number("low", low), _number("high", high)
    if not (first < last and math.isfinite(last - first)):
        raise InvalidArgument(
            f"bounds [{low}, {high}] do not have finite low < high; give bounds of the draws"
        )
    return first, last


def choice(name: str, value: str, allowed: Sequence[str]) -> str:
    """`value` if it is one of `allowed`. Raises: InvalidArgument otherwise."""
    if value not in allowed:
        raise InvalidArgument(f"{name} = {value!r} is unknown; give one of {', '.join(allowed)}")
    return value


def draws_within(
    values: ArrayLike, low: float, high: float, *, name: str = "draw", first: int = 0
) -> np.ndarray:
    """The draws as a one-dimensional float64 array, every one finite and in [low, high].

    Args:
        values: shape (n,) with n >= 1; a scalar counts as n = 1.
        low, high: declared bounds.
        name: what the error calls a draw.
        first: number of draws seen before, so that an error gives the place in the whole stream.
    Raises: InvalidArgument on an empty, non-numeric, non-finite or outlying sample. Nothing is
        ever clipped: a draw outside its bounds means that the bounds, hence the theorem behind
        the limits, do not apply.

    >>> draws_within([0.2, 1.2], 0, 1)
    Traceback (most recent call last):
    boundcheck.errors.InvalidArgument: draw 1 = 1.2 is outside [0, 1]; give bounds that contain \
every draw
    """
    import numpy as np

    array = _one_dimensional(values, name)
    finite = np.isfinite(array)
    if not finite.all():
        at = int(np.argmin(finite))
        raise InvalidArgument(
            f"{name} {first + at} = {array[at]} is not finite; drop nothing, find what produced it"
        )
    inside = (array >= low) & (array <= high)
    if not inside.all():
        at = int(np.argmin(inside))
        raise InvalidArgument(
            f"{name} {first + at} = {float(array[at])!r} is outside [{low}, {high}]; "
            "give bounds that contain every draw"
        )
    return array


def indicators(values: ArrayLike, *, first: int = 0) -> np.ndarray:
    """Draws that are 0 or 1 (or booleans), shape (n,), n >= 1, as a boolean array.

    Raises: InvalidArgument on an empty sample or any other value, naming the draw.
    """
    import numpy as np

    array = _one_dimensional(values, "draw")
    valid = (array == 0) | (array == 1)
    if not valid.all():
        at = int(np.argmin(valid))
        raise InvalidArgument(
            f"draw {first + at} = {float(array[at])!r} is neither 0 nor 1; "
            "give 1 for a violation and 0 for none"
        )
    found: np.ndarray = array == 1
    return found


def counts(hits: ArrayLike, trials: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Integer arrays of one common shape with 0 <= hits <= trials and trials >= 1.

    Raises: InvalidArgument otherwise; floats pass only when they are whole numbers.
    """
    import numpy as np

    try:
        pair = np.broadcast_arrays(np.asarray(hits, float), np.asarray(trials, float))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"hits and trials are not numeric arrays of one shape ({error}); give whole numbers"
        ) from error
    if pair[0].size == 0:
        raise InvalidArgument("hits and trials are empty; give at least one count")
    whole = np.isfinite(pair[0]) & np.isfinite(pair[1])
    whole &= (pair[0] == np.floor(pair[0])) & (pair[1] == np.floor(pair[1]))
    valid = whole & (pair[1] >= 1) & (pair[0] >= 0) & (pair[0] <= pair[1])
    if not valid.all():
        at = int(np.argmin(valid))
        raise InvalidArgument(
            f"count {at}: {pair[0].flat[at]:g} hits of {pair[1].flat[at]:g} trials is impossible; "
            "give whole numbers with 0 <= hits <= trials and trials >= 1"
        )
    return pair[0].astype(np.int64), pair[1].astype(np.int64)


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name} = {value!r} is not a number; give a float") from error
    if not math.isfinite(number):
        raise InvalidArgument(f"{name} = {value} is not finite; give a finite number")
    return number


def _one_dimensional(values: ArrayLike, name: str) -> np.ndarray:
    import numpy as np

    try:
        array = np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name}s are not numeric ({error}); give an array") from error
    if array.ndim != 1:
        raise InvalidArgument(f"{name}s have shape {array.shape}; give one dimension, in order")
    if array.size == 0:
        raise InvalidArgument(f"the sample of {name}s is empty; give at least one {name}")
    return array
