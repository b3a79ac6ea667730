"""Germs of functions that have a value everywhere, by kind of expression."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import sympy
from flint import arb, fmpq

from boundcheck.checker.germs import (
    BOTH_WAYS,
    ORDER,
    Germ,
    absolute,
    added,
    closely,
    constant,
    exponential,
    largest,
    multiplied,
    near,
    negated,
    raised,
    share,
    smallest,
    times,
)


def hyperbolic_tangent(germ: Germ) -> Germ:
    """u times what falls from 1 at u = 0 to tanh(U) / U where |u| is at most U; near one where u
    grows from the beginning."""
    if germ.ball < 0:
        return negated(hyperbolic_tangent(negated(germ)))
    if germ.grows:
        least = germ.ball.lower().tanh() if min(germ.scale) >= 0 and germ.ball > 0 else arb(-1)
        return Germ(least.union(arb(1)))
    most = abs(germ.ball * share(germ.power, germ.logs)).upper()
    factor = arb(1).union(most.tanh() / most) if most > 0 else arb(1)
    plain = Germ(times(germ.ball, factor), germ.power, germ.logs)
    return closely(plain, germ, lambda: _tanh_near(germ))


def _tanh_near(germ: Germ) -> Germ:
    """1 - 2 / (e^(2u) + 1)."""
    beside = added([exponential(multiplied(constant(fmpq(2)), germ)), constant(fmpq(1))])
    less = multiplied(constant(fmpq(-2)), raised(beside, fmpq(-1)))
    return added([constant(fmpq(1)), less])


def wave(germ: Germ, slopes: tuple[int, int, int, int]) -> Germ:
    """A sine or cosine: between -1 and 1, and by its series where u vanishes.

    Args: slopes: the value and the first three derivatives at zero.
    """
    last = BOTH_WAYS / factorial(ORDER)
    return closely(Germ(BOTH_WAYS), germ, lambda: near(
        germ, lambda k: fmpq(slopes[k % 4], factorial(k)), lambda v: last))  # fmt: skip


def of_exponentials(germ: Germ, sign: int) -> Germ:
    """Half of e^u and of e^-u or its opposite: the hyperbolic cosine and sine."""
    found = [exponential(germ), multiplied(constant(fmpq(sign)), exponential(negated(germ)))]
    return multiplied(constant(fmpq(1, 2)), added(found))


FUNCTIONS: dict[type[sympy.Basic], Callable[[list[Germ]], Germ]] = {
    sympy.Max: largest,
    sympy.Min: smallest,
    sympy.Abs: lambda germs: absolute(germs[0]),
    sympy.exp: lambda germs: exponential(germs[0]),
    sympy.tanh: lambda germs: hyperbolic_tangent(germs[0]),
    sympy.sinh: lambda germs: of_exponentials(germs[0], -1),
    sympy.cosh: lambda germs: of_exponentials(germs[0], 1),
    sympy.sin: lambda germs: wave(germs[0], (0, 1, 0, -1)),
    sympy.cos: lambda germs: wave(germs[0], (1, 0, -1, 0)),
}
