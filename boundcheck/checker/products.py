"""The logarithm of a value from below where it holds a product over a size that moves.

log prod_{j < k} a(j) is the sum of the first J logarithms and of those from J on, each at least
log c where a germ says a(j) >= c for every j >= J: at least linear in k where c > 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import to_ball
from boundcheck.checker.germs import Germ, NoGerm, added, constant, multiplied
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Binder, Multiplied
from boundcheck.worlds.fields import Integer

if TYPE_CHECKING:
    from boundcheck.checker.along import Along

FIRST = (2**6, 2**10)  # factors that are counted one by one
PLACE = sympy.Symbol("place of a factor", real=True)  # no name of a field


def over_what_moves(along: Along, expr: sympy.Basic) -> bool:
    """Whether an expression holds a product over a size that moves."""
    inside = (whole_of(along, symbol) for symbol in expr.free_symbols)
    return any(endless_size(along, node) is not None for node in expr.atoms(Multiplied)) or any(
        over_what_moves(along, whole) for whole in inside if whole is not None)


def whole_of(along: Along, expr: sympy.Basic) -> sympy.Basic | None:
    """What stands behind a name."""
    quantity = along.claim.measured.get(getattr(expr, "name", ""))
    return quantity.whole if isinstance(quantity, Definition) else None


def least_logarithm(along: Along, expr: sympy.Expr) -> Germ:
    """A germ that log x is nowhere below. Raises: NoGerm where no rule gives it."""
    if not over_what_moves(along, expr):
        return along.logarithm(expr)
    whole = expr.body if isinstance(expr, Named) else whole_of(along, expr)
    if whole is not None:
        return least_logarithm(along, whole)
    if isinstance(expr, Multiplied):
        return _of_product(along, expr)
    if isinstance(expr, sympy.Mul):
        return added([least_logarithm(along, arg) for arg in expr.args])
    if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and expr.exp.is_positive:
        power = constant(fmpq(int(expr.exp.p), int(expr.exp.q)))
        return multiplied(power, least_logarithm(along, expr.base))
    raise NoGerm(str(expr))


def endless_size(along: Along, node: Binder) -> str | None:
    """The name of the size that a node runs over, if that is one number that grows without end."""
    (index, *more) = node.indices
    name = getattr(index.meaning.size, "name", "")
    grows = name in along.ray.powers and along.ray.powers[name] > 0
    alone = not more and type(along.claim.fields.get(name)) is Integer
    return name if grows and alone else None


def _of_product(along: Along, node: Multiplied) -> Germ:
    name = endless_size(along, node)
    if name is None or along.outcome or along.moves(node.body.subs(node.indices[0], PLACE)):
        raise NoGerm(str(node))
    body = node.body.subs(node.indices[0], PLACE)
    for first in FIRST:
        if along.ray.start[name] < first:
            break
        start = {**along.ray.start, PLACE.name: fmpq(first)}
        later = along.of(Ray(start, {PLACE.name: fmpq(1)}, {}))
        factor = later.germ(body)
        if min(factor.scale) >= 0 and factor.ball > 1:
            rest = added([along.number(name, fmpq(along.ray.start[name])), constant(fmpq(-first))])
            begun = sum((_logarithm(along, body, place) for place in range(first)), arb(0))
            return added([constant(begun), multiplied(rest, constant(factor.ball.lower().log()))])
    raise NoGerm(f"{node} is not seen to grow")


def _logarithm(along: Along, body: sympy.Expr, place: int) -> arb:
    value = to_ball(Place(along.claim, {**along.ray.start, PLACE.name: fmpq(place)}).value(body))
    if not value > 0:
        raise NoGerm(f"a factor of {body} that may not be positive")
    return value.log()
