"""Which way a number says more that multiplies something: by the sign of what it multiplies.

Half of what is negative is more than the whole: on a larger side log(x)/4 allows more than
log(x)/2 where x is below 1. Where the sign depends on the world neither value says more.

>>> from flint import fmpq
>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.explore.knobs import knobs
>>> from boundcheck.expressions import parameter
>>> from boundcheck.worlds import Real
>>> x = parameter("x", Real(0, 1, open_low=True, open_high=True))
>>> halved = Holds(sympy.log(x) <= sympy.log(x) / 2)
>>> claim = Claim(source=Source("A", 2024, "Example").at("1"), statement=halved)
>>> factor = next(knobs(claim))
>>> aimed(factor, lambda: [{"x": fmpq(1, 2)}]).direction
1
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.exact import PRECISIONS, precision, to_ball
from boundcheck.explore.knobs import Knob
from boundcheck.explore.squares import never_negative
from boundcheck.setting import Setting

SIGNED = ("factor", "summand", "threshold")
UNCLEAR = "which way it says more differs between worlds, or is not seen in any"
Values = Mapping[str, Any]


def aimed(knob: Knob, worlds: Callable[[], Iterable[Values]]) -> Knob | None:
    """A constant with the way in which it says more, or None where that is not one way.

    Args: worlds: some of its claim, asked for where signs are not seen from definitions.
    """
    bare = knob.kind == "threshold" and knob.printed * knob.beside not in knob.where.args
    if knob.kind not in SIGNED or bare:
        return knob
    sign = _sign(knob.base, knob.beside, worlds)
    return replace(knob, direction=knob.direction * sign) if sign else None


def _sign(claim: Claim, expr: sympy.Expr, worlds: Callable[[], Iterable[Values]]) -> int:
    """1 for what is never negative, -1 for what is never positive, 0 for neither."""
    if expr.is_nonnegative or never_negative(expr, claim.stands):
        return 1
    seen = {_sign_in(claim, expr, values) for values in worlds()} - {0}
    if not seen and (expr.is_Add or expr.is_Mul):  # something random is in it
        parts = [_sign(claim, arg, worlds) for arg in expr.args]
        return math.prod(parts) if expr.is_Mul else parts[0] * (len(set(parts)) == 1)
    return seen.pop() if len(seen) == 1 else 0


def _sign_in(claim: Claim, expr: sympy.Expr, values: Values) -> int:
    try:
        with precision(PRECISIONS[0]):
            ball = to_ball(Setting(claim, values).evaluate(expr))
    except Exception:  # definitions may refuse a world in any way, and draws have no value in one
        return 0
    return 1 if ball > 0 else -1 if ball < 0 else 0
