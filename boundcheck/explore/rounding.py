"""Numbers of plans: few digits, SymPy's form, slopes between two plans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact

DIGITS = 3  # of a free parameter
FIGURES = 20  # of a number that is shown
LONG = 10_000  # exponent of two from which a number is not read as text


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
    if not value.is_finite():
        return sympy.oo if value > 0 else sympy.nan
    mantissa, exponent = value.mid().man_exp()
    if abs(exponent) < LONG:
        return sympy.Float(value.str(FIGURES, radius=False))
    # The decimal text of such a number is read for minutes.
    size = abs(int(mantissa))
    return sympy.Float((int(mantissa < 0), size, int(exponent), size.bit_length()), FIGURES)


def as_answer(value: fmpq, whole: bool) -> Any:
    """An answer as SymPy shows it: an int, a short fraction, else twenty digits where they do."""
    if whole:
        return int(value.p)
    ratio = sympy.Rational(int(value.p), int(value.q))
    if len(str(value)) <= 24:
        return ratio
    with exact.precision(192):
        digits = sympy.Float(arb(value).str(21, radius=False), 40)
    return digits if sympy.Rational(str(digits)) == ratio else ratio.n(40)


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
