"""Numbers from the command line and from documents, held against the range they may take."""

from __future__ import annotations

import secrets

from boundcheck.boundary.messages import cut
from boundcheck.errors import InvalidArgument

LARGEST_SEED = 2**63 - 1  # what SQLite keeps
MOST_JOBS = 1_024
MOST_DIGITS = 4_000  # of a whole number in text: Python itself refuses 4,300


def whole(name: str, value: int, low: int, high: int, example: int) -> int:
    """An integer option inside its range.

    Raises: InvalidArgument naming the value, the range and an example.

    >>> whole("--rows", 50, 2, 100, 10)
    50
    >>> whole("--rows", 1, 2, 100, 10)
    Traceback (most recent call last):
    boundcheck.errors.InvalidArgument: --rows 1 is below 2; give e.g. --rows 10
    """
    if value < low or value > high:
        side = f"below {low}" if value < low else f"above {high}"
        raise InvalidArgument(f"{name} {digits(value)} is {side}; give e.g. {name} {example}")
    return value


def fresh_seed() -> int:
    """A seed that nobody could have chosen."""
    return secrets.randbelow(2**31)


def seed(value: int) -> int:
    """A seed.

    Raises: InvalidArgument for a negative one or one that no ledger can keep.
    """
    if value < 0:
        raise InvalidArgument(
            f"--seed {digits(value)} is negative; give 0 or a positive integer"
        )
    if value > LARGEST_SEED:
        raise InvalidArgument(
            f"--seed {digits(value)} is above 2^63 - 1; give a smaller one, e.g. --seed 1"
        )
    return value


def real(name: str, value: float, low: float, high: float, example: str) -> float:
    """A float option inside its closed range, which is finite.

    Raises: InvalidArgument, for NaN too.

    >>> real("--lambda", 0.5, 1e-12, 1e12, "0.01")
    0.5
    >>> real("--lambda", float("nan"), 1e-12, 1e12, "0.01")
    Traceback (most recent call last):
    boundcheck.errors.InvalidArgument: --lambda nan is outside [1e-12, 1e+12]; give e.g. 0.01
    """
    if not low <= value <= high:
        raise InvalidArgument(
            f"{name} {value:g} is outside [{low:g}, {high:g}]; give e.g. {example}"
        )
    return value


def digits(value: int) -> str:
    """A whole number in decimal digits, or its size in bits where these are too many.

    >>> digits(-12), digits(10**5000)
    ('-12', '(a number of 16610 bits)')
    """
    if value.bit_length() > MOST_DIGITS * 3:
        return f"(a number of {value.bit_length()} bits)"
    return cut(str(value))
