"""Numbers of plans: few digits, SymPy's form, slopes between two plans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact

DIGITS = 3  # of a free parameter


def rounded(value: fmpq, digits: int = DIGITS) -> fmpq:
    """A positive value to a few significant digits.

    >>> rounded(fmpq(123456))
    123000
    """
    size = fmpq(10) ** (digits - 1 - math.floor(math.log10(float(value))))
    return fmpq(round(value * size)) / size


def number(value: Any) -> sympy.Expr:
    """An exact value or a ball for SymPy."""
    if exact.is_exact(value):
        ratio = fmpq(value)
        return sympy.Rational(int(ratio.p), int(ratio.q))
    return sympy.Float(value.str(20, radius=False))


def slopes(
    base: Mapping[str, Any], moved: Mapping[str, Any], names: tuple[str, ...], ratio: fmpq
) -> dict[str, float]:
    """d log value / d log of what was changed by a ratio, by name."""
    step = _log(ratio)
    return {
        n: round((_log(moved[n]) - _log(base[n])) / step, 3)
        for n in names if fmpq(moved[n]) > 0 and fmpq(base[n]) > 0
    }  # fmt: skip


def _log(value: Any) -> float:
    ratio = fmpq(value)
    return math.log(int(ratio.p)) - math.log(int(ratio.q))
