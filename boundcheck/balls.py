"""The integer that a ball holds, where memory holds it: one of 2^40 bits ends the process."""

from __future__ import annotations

from flint import arb

from boundcheck.errors import Undecided

MOST_BITS = 2**24  # of a number that is written out


def integer_in(ball: arb) -> int | None:
    """The integer that a ball holds, or None for one that holds none or several.

    Raises: Undecided for a number of more bits than memory should hold.
    """
    if ball.is_finite() and int(ball.mid().man_exp()[1]) > MOST_BITS:
        raise Undecided("the integer part of a number of too many bits")
    found = ball.unique_fmpz()
    return None if found is None else int(found)
