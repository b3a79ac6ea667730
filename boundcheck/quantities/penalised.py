"""Losses and penalties by name, for statements about any loss and any increasing penalty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flint import fmpq

from boundcheck.arithmetic import Value, sign
from boundcheck.errors import Undecided
from boundcheck.quantities.base import quantity
from boundcheck.quantities.losses import larger


def _jump(t: Value) -> Value:
    """t below one, t + 1 from one on: increasing and discontinuous."""
    return t + int(_side(t - 1) >= 0)


def _side(value: Value) -> int:
    side = sign(value)
    if side is None:
        raise Undecided("on which side of a jump")
    return side


LOSSES: Mapping[str, Callable[[Value, Value], Value]] = {
    "square": lambda t, y: (t - y) ** 2,
    "absolute": lambda t, y: abs(t - y),
    "hinge": lambda t, y: larger(1 - t * y, fmpq(0)),
    "zero-one": lambda t, y: fmpq(int(_side(t * y) <= 0)),
    "negative square": lambda t, y: -((t - y) ** 2),
    "none": lambda t, y: fmpq(0),
}
INCREASING: Mapping[str, Callable[[Value], Value]] = {
    "identity": lambda t: t,
    "square": lambda t: t**2,
    "bounded": lambda t: t / (1 + t),
    "jump": _jump,
}


@quantity(ranks=(0, 1, 1), latex=r"\sum_i l(\left({1}\right)_i, {2:b}_i)")
def sum_of_losses(loss: str, fits: Sequence[Value], y: Sequence[Value]) -> Value:
    """sum_i l(t_i, y_i), l one of `LOSSES`, convex or not, of any sign.

    >>> sum_of_losses("hinge", (fmpq(0), fmpq(2)), (fmpq(1), fmpq(1)))
    1
    """
    return sum((LOSSES[loss](t, target) for t, target in zip(fits, y, strict=True)), fmpq(0))


@quantity(latex="r({1})")
def penalty_of(r: str, size: Value) -> Value:
    """r(t), strictly increasing on t >= 0, one of `INCREASING`."""
    return INCREASING[r](size)
