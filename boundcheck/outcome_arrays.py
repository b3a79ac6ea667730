"""Means over many outcomes, all outcomes at once, in whole numbers over one denominator.

What a mean is taken of is read here where it is made of what is drawn by sums, products, moduli,
extremes, comparisons and places in lists, and everything else in it is one rational number for all
outcomes. Arrays hold numerators of 64 bits, and nothing is done that could exceed them: what has no
rule here, or no room, is left to the rule that goes through the outcomes one after the other.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import sympy
from flint import fmpq
from sympy.logic.boolalg import BooleanAtom

from boundcheck import exact
from boundcheck.arithmetic import Value, whole
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Binder,
    Greatest,
    Indicator,
    Least,
    Multiplied,
    Table,
    Total,
)
from boundcheck.expressions.scope import Lookup, Scope
from boundcheck.whole_arrays import (
    Apart,
    Whole,
    add,
    alike,
    columns,
    extreme,
    inner,
    known,
    listed_of,
    modulus,
    read,
    times,
)

FEWEST = 8  # terms of a mean; fewer are as fast one after the other
TOGETHER = 1 << 13  # outcomes
MOST_PLACES = 4_096  # terms of one sum
HIGHEST = 12  # power

Truth = Any  # of every outcome: an array of them, or one for all
Rule = Callable[["Frame"], Any]


@dataclass(slots=True)
class Frame:
    """What a rule reads: what is known outside, what is drawn, the places of sums, what is kept."""

    look: Lookup
    drawn: Mapping[str, Whole | list[Whole]]
    places: dict[str, int] = field(default_factory=dict)
    kept: dict[object, Any] = field(default_factory=dict)
    scopes: dict[object, Lookup] = field(default_factory=dict)

    def scope(self) -> Lookup:
        """The lookup outside with the places of sums."""
        if not self.places:
            return self.look
        key = tuple(self.places.items())
        if key not in self.scopes:
            self.scopes[key] = Scope(self.look, dict(self.places))
        return self.scopes[key]


def averaged(node: Average, listed: Callable[[Lookup], Value]) -> Callable[[Lookup], Value]:
    """The exact rule of a mean: all outcomes at once where there are many and they can be read so.

    Args: listed: the rule that goes through them one after the other.
    """
    from boundcheck.expressions.exactly import LARGEST

    draw = node.drawn.meaning.draw
    assert draw is not None
    try:
        rule = _Reader({*draw.names}).number(node.body)
    except Apart:
        return listed

    def run(look: Lookup) -> Value:
        if not FEWEST <= draw.terms(look) <= LARGEST:
            return listed(look)
        try:
            return _mean(rule, draw.outcomes(look), look)
        except Exception:  # one outcome may not ask for what all of them together do
            return listed(look)  # which says why, where there is something to say

    return run


def _mean(
    rule: Rule, outcomes: Iterator[tuple[fmpq, Mapping[str, Any]]], look: Lookup
) -> Value:
    """The mean of a rule over outcomes, whose weights have to be those of a law."""
    mass, total = fmpq(0), fmpq(0)
    while some := list(itertools.islice(outcomes, TOGETHER)):
        some = [pair for pair in some if pair[0]]
        if not some:
            continue
        if any(type(weight) is not fmpq or weight < 0 for weight, _ in some):
            raise Apart
        weights = [weight for weight, _ in some]
        drawn = {name: columns([outcome[name] for _, outcome in some]) for name in some[0][1]}
        value = rule(Frame(look, drawn))
        share, one = _weighed(weights, value)
        total, mass = total + share, mass + one
    if mass != 1:
        raise Apart
    return total


def _weighed(weights: list[fmpq], value: Whole) -> tuple[fmpq, fmpq]:
    """(sum of weights times values, sum of weights)."""
    if isinstance(value.above, int):
        mass = sum(weights, fmpq(0))
        return mass * fmpq(value.above, value.below), mass
    if all(weight == weights[0] for weight in weights):
        added = sum(value.above.tolist())
        return weights[0] * fmpq(added, value.below), weights[0] * len(weights)
    below = math.lcm(*(int(weight.q) for weight in weights))
    above = [int(weight.p) * (below // int(weight.q)) for weight in weights]
    added = sum(map(operator.mul, above, value.above.tolist()))
    return fmpq(added, below * value.below), fmpq(sum(above), below)


COMPARED: dict[type, Callable[[Any, Any], Truth]] = {
    sympy.Le: operator.le, sympy.Lt: operator.lt, sympy.Ge: operator.ge, sympy.Gt: operator.gt,
    sympy.Eq: operator.eq, sympy.Ne: operator.ne,
}  # fmt: skip
FOLDED: dict[type, tuple[Callable[[Whole, Whole], Whole], int | None]] = {
    Total: (add, 0), Multiplied: (times, 1), Greatest: (extreme(True), None),
    Least: (extreme(False), None),
}  # fmt: skip


class _Reader:
    """Makes rules of expressions; what is drawn goes by these names."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def _is_drawn(self, expr: sympy.Basic) -> bool:
        return any(symbol.name in self.names for symbol in expr.free_symbols)

    def number(self, expr: sympy.Basic) -> Rule:
        """The rule of a number. Raises: Apart where there is none."""
        if not self._is_drawn(expr):
            run = exact.compiled(expr)
            return _kept(expr, lambda frame: known(run(frame.scope())))
        return _kept(expr, self._number(expr))

    def _number(self, expr: sympy.Basic) -> Rule:
        if isinstance(expr, Named):
            return self.number(expr.body)
        if isinstance(expr, sympy.Symbol):
            name = expr.name
            return lambda frame: _single(frame.drawn[name])
        if isinstance(expr, (sympy.Add, sympy.Mul, sympy.Max, sympy.Min)) and expr.is_commutative:
            parts = [self.number(arg) for arg in expr.args]
            fold = {sympy.Add: add, sympy.Mul: times, sympy.Max: extreme(True),
                    sympy.Min: extreme(False)}[type(expr)]  # fmt: skip
            return lambda frame: reduce(fold, (part(frame) for part in parts))
        if isinstance(expr, sympy.Pow) and expr.is_commutative and expr.exp.is_Integer and (
            1 <= expr.exp <= HIGHEST
        ):
            base, exponent = self.number(expr.base), int(expr.exp)
            return lambda frame: reduce(times, [base(frame)] * exponent)
        if isinstance(expr, sympy.Abs):
            signed = self.number(expr.args[0])
            return lambda frame: modulus(signed(frame))
        if isinstance(expr, Indicator):
            truth = self.truth(expr.condition)
            return lambda frame: _counted(truth(frame))
        if type(expr) in FOLDED and expr.rank == 0:
            return self._folded(expr)
        if isinstance(expr, Apply) and expr.primitive.standard == "entry":
            return self._entry(expr)
        if isinstance(expr, Apply) and expr.primitive.standard == "inner":
            one, other = map(self.vector, expr.operands)
            return lambda frame: inner(one(frame), other(frame))
        raise Apart

    def _folded(self, expr: Binder) -> Rule:
        operation, empty = FOLDED[type(expr)]
        through, body = self._places(expr), self.number(expr.body)

        def run(frame: Frame) -> Whole:
            values: list[Whole] = [body(frame) for _ in through(frame)]
            if not values:
                if empty is None:
                    raise Apart
                return Whole(empty, 1, empty)
            return reduce(operation, values)

        return run

    def _places(self, expr: Binder) -> Callable[[Frame], Iterator[None]]:
        """The places of indices, one after the other, as those that a frame knows meanwhile."""
        names = [each.name for each in expr.indices]
        if any(self._is_drawn(sympy.sympify(each.meaning.size)) for each in expr.indices):
            raise Apart
        sizes = [exact.compiled(each.meaning.size) for each in expr.indices]

        def run(frame: Frame) -> Iterator[None]:
            lengths = [whole(size(frame.scope())) for size in sizes]
            if math.prod(lengths) > MOST_PLACES:
                raise Apart
            outside = {name: frame.places[name] for name in names if name in frame.places}
            for places in itertools.product(*map(range, lengths)):
                frame.places.update(zip(names, places, strict=True))
                yield
            for name in names:
                frame.places.pop(name, None)
            frame.places.update(outside)

        return run

    def _entry(self, expr: Apply) -> Rule:
        array, *places = expr.operands
        at = [self.number(place) for place in places]
        if not self._is_drawn(array):
            known = exact.compiled(array)
            return lambda frame: read(known(frame.scope()), [place(frame) for place in at])
        if len(at) != 1 or self._is_drawn(places[0]):
            raise Apart
        listed = self.vector(array)

        def run(frame: Frame) -> Whole:
            values: list[Whole] = listed(frame)
            place = at[0](frame)
            if place.below != 1 or not 0 <= place.above < len(values):
                raise Apart
            found: Whole = values[place.above]
            return found

        return run

    def vector(self, expr: sympy.Basic) -> Rule:
        """The rule of a list of numbers. Raises: Apart where there is none."""
        if not self._is_drawn(expr):
            run = exact.compiled(expr)
            return lambda frame: listed_of(run(frame.scope()))
        if isinstance(expr, Named):
            return self.vector(expr.body)
        if isinstance(expr, sympy.Symbol):
            name = expr.name
            return lambda frame: _several(frame.drawn[name])
        if isinstance(expr, Table) and len(expr.indices) == 1:
            through, body = self._places(expr), self.number(expr.body)
            return lambda frame: [body(frame) for _ in through(frame)]
        raise Apart

    def truth(self, condition: sympy.Basic) -> Rule:
        """The rule of a condition. Raises: Apart where there is none."""
        if not self._is_drawn(condition) or isinstance(condition, BooleanAtom):
            return lambda frame: _settled(exact.decide(condition, frame.scope()))
        if type(condition) in COMPARED:
            compare = COMPARED[type(condition)]
            one, other = (self.number(side) for side in condition.args)
            return lambda frame: _compared(compare, one(frame), other(frame))
        if isinstance(condition, (sympy.And, sympy.Or)):
            parts = [self.truth(arg) for arg in condition.args]
            fold = operator.and_ if isinstance(condition, sympy.And) else operator.or_
            return lambda frame: reduce(fold, (part(frame) for part in parts))
        if isinstance(condition, sympy.Not):
            denied = self.truth(condition.args[0])
            return lambda frame: True ^ denied(frame)
        raise Apart


def _kept(expr: sympy.Basic, run: Rule) -> Rule:
    """The same rule, computed once for each of the places that the expression reads."""
    names = sorted(symbol.name for symbol in expr.free_symbols)

    def again(frame: Frame) -> Any:
        key = (again, *((name, frame.places[name]) for name in names if name in frame.places))
        if key not in frame.kept:
            frame.kept[key] = run(frame)
        return frame.kept[key]

    return again


def _single(drawn: Whole | list[Whole]) -> Whole:
    if isinstance(drawn, list):
        raise Apart
    return drawn


def _several(drawn: Whole | list[Whole]) -> list[Whole]:
    if isinstance(drawn, Whole):
        raise Apart
    return drawn


def _settled(truth: bool | None) -> bool:
    if truth is None:
        raise Apart
    return truth


def _counted(truth: Truth) -> Whole:
    return Whole(int(truth) if isinstance(truth, bool) else truth.astype("int64"), 1, 1)


def _compared(compare: Callable[[Any, Any], Truth], one: Whole, other: Whole) -> Truth:
    one, other = alike(one, other)
    return compare(one.above, other.above)
