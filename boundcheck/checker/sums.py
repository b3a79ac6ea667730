"""Sums over a size that moves, enclosed for every t by integrals of their terms.

Where a term is between multiples of g(k / J), g(s) = s^a (1 + log s)^b, for every k >= J, the sum
from J to N - 1 is between these multiples of that of g, which misses J times the integral of g from
1 to N / J by no more than g varies there; the first J terms are added one by one. g has at most one
extremum, so that it varies by no more than twice its largest value, or once where it falls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import to_ball
from boundcheck.checker.germs import (
    BOTH_WAYS,
    UNIT,
    Germ,
    NoGerm,
    added,
    constant,
    hull,
    logarithm,
    multiplied,
    raised,
    share,
    times,
)
from boundcheck.checker.judge import Place
from boundcheck.checker.products import FIRST, PLACE, endless_size, whole_of
from boundcheck.checker.ray import Ray
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Node, Total

if TYPE_CHECKING:
    from boundcheck.checker.along import Along

ONE, HALF = fmpq(1), fmpq(1, 2)


def over_what_moves(along: Along, expr: sympy.Basic) -> bool:
    """Whether an expression holds a sum over a size that moves, behind a name or not."""
    inside = (whole_of(along, symbol) for symbol in expr.free_symbols)
    return any(endless_size(along, node) is not None for node in expr.atoms(Total)) or any(
        over_what_moves(along, whole) for whole in inside if whole is not None)


def enclosed(along: Along, expr: sympy.Expr) -> sympy.Expr:
    """The expression with a symbol of a known germ in the place of every such sum.

    Raises: NoGerm where no rule gives one.
    """
    if not over_what_moves(along, expr):
        return expr
    whole = expr.body if isinstance(expr, Named) else whole_of(along, expr)
    if whole is not None:
        return enclosed(along, whole)
    if isinstance(expr, Total):
        if expr not in along.sums:
            found = _of_sum(along, expr)
            along.sums[expr] = sympy.Symbol(f"sum {len(along.sums)}", real=True)
            along.known[along.sums[expr].name] = found
        return along.sums[expr]
    if isinstance(expr, Node):
        raise NoGerm(f"{expr} holds a sum over what moves")
    return expr.func(*(enclosed(along, arg) for arg in expr.args))


def _of_sum(along: Along, node: Total) -> Germ:
    name = endless_size(along, node)
    body = node.body.subs(node.indices[0], PLACE)
    if name is None or along.outcome or node.indices[0] in body.free_symbols:
        raise NoGerm(str(node))
    if along.ray.start[name] <= along.ray.ends.get(name, 0):
        raise NoGerm(f"{name} does not rise")
    outside, inside = body.as_independent(PLACE, as_Add=False) if isinstance(
        body, sympy.Mul) else (sympy.Integer(1), body)  # fmt: skip
    if along.moves(inside):
        raise NoGerm(f"a term of {node} moves")
    size = along.number(name, fmpq(along.ray.start[name]))
    for first in FIRST:
        if along.ray.start[name] <= first:
            break
        later = along.of(Ray({**along.ray.start, PLACE.name: fmpq(first)}, {PLACE.name: ONE}, {}))
        try:
            rest = _from(later.germ(inside), size, first)
        except NoGerm:
            continue  # which may be one for later terms
        begun = sum((_term(along, inside, place) for place in range(first)), arb(0))
        return multiplied(along.germ(enclosed(along, outside)), added([constant(begun), rest]))
    raise NoGerm(f"no rule encloses the terms of {node}")


def _term(along: Along, body: sympy.Expr, place: int) -> arb:
    return to_ball(Place(along.claim, {**along.ray.start, PLACE.name: fmpq(place)}).value(body))


def _from(term: Germ, size: Germ, first: int) -> Germ:
    """The sum of terms from the first place on; term: along places, as multiples of the first."""
    power, logs, ball = term.power, term.logs, term.ball
    if power < -1:
        if logs:  # g is below a multiple of a power that is summed still
            less = (power - 1) / 2
            ball, power = times(ball, UNIT * share(power - less, logs).upper()), less
        return constant(times(ball, arb(1).union(1 + arb(first) / arb(-power - 1))))
    if power == -1 and logs == -1:
        ball, logs = times(ball, UNIT), -HALF
    if power > -1 and logs < 0:
        ball, logs = times(ball, UNIT), fmpq(0)
    reach = multiplied(constant(fmpq(1, first)), size)
    slow = added([constant(ONE), logarithm(reach)])  # 1 + log X, X = N / J
    if power == -1:
        most = constant(2 * share(fmpq(-1), logs).upper())
        area = _slow_area(slow, logs, _at_first(reach))
    else:
        most = multiplied(constant(2), multiplied(
            raised(reach, max(power, fmpq(0))), raised(slow, logs)))  # fmt: skip
        area = multiplied(raised(slow, logs), _area(reach, power, logs))
    whole = added([multiplied(constant(first), area), multiplied(constant(BOTH_WAYS), most)])
    return multiplied(Germ(ball), whole)


def _at_first(reach: Germ) -> arb:
    """1 + log X at t = 1."""
    return 1 + to_ball(sum((reach.terms or {}).values(), fmpq(0))).log()


def _slow_area(slow: Germ, logs: fmpq, least: arb) -> Germ:
    """The integral of g for a = -1, from 1 + log X, which is at least `least`, and b != -1."""
    rise = logs + 1
    if rise < 0:
        return multiplied(constant(1 / rise), added([raised(slow, rise), constant(-ONE)]))
    # log X is above a fixed share of 1 + log X.
    part = (1 - (least.log() * arb(-rise)).exp()).lower()
    return multiplied(Germ(part.union(arb(1)) / arb(rise)), raised(slow, rise))


def _area(reach: Germ, power: fmpq, logs: fmpq) -> Germ:
    """The integral of g over (1 + log X)^b, for a > -1 and b >= 0: at least what lies above the
    root of X, where 1 + log s is at least half as large."""
    rise = power + 1
    below = multiplied(constant(ONE / rise), raised(reach, rise))
    root = multiplied(constant(-ONE / rise), raised(reach, rise / 2))
    least = multiplied(constant((arb(2).log() * arb(-logs)).exp()), added([below, root]))
    return hull([least, below])
