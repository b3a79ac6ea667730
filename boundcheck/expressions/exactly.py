"""The exact reading: nodes in rationals and balls. One rule per kind of node.

`boundcheck.exact.compiled` reads SymPy's own operations and asks here for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from typing import Any

import sympy
from flint import arb_mat, fmpq, fmpq_mat
from sympy.core.symbol import Str

from boundcheck import exact, outcome_arrays, sign_sums
from boundcheck.arithmetic import Value, add, is_exact, multiply, whole
from boundcheck.errors import Undecided
from boundcheck.expressions.blocks import rows_of
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Binder,
    Greatest,
    Indicator,
    Least,
    Multiplied,
    Node,
    Table,
    Total,
)
from boundcheck.expressions.scope import Lookup, Scope, remembered
from boundcheck.expressions.suprema import Supremum
from boundcheck.expressions.symbols import held
from boundcheck.power_sums import added, summed

LARGEST = 2_000_000  # terms of one sum


def compiled(node: sympy.Basic) -> Callable[[Lookup], Value] | None:
    """The exact rule of a node as a function of a lookup; None for what is no node."""
    if isinstance(node, Str):
        text = held(node)
        return lambda look: text
    rule = next((rule for kind, rule in RULES.items() if isinstance(node, kind)), None)
    return None if rule is None else remembered(node, rule(node))


def _primitive(node: Apply) -> Callable[[Lookup], Value]:
    operands = [exact.compiled(arg) for arg in node.operands]
    function = node.primitive.value
    return lambda look: function(*[operand(look) for operand in operands])


def places(node: Binder) -> Callable[[Lookup], list[dict[str, Value]]]:
    """The values that the indices of a node take together, as a function of a lookup."""
    sizes = [(each.name, exact.compiled(each.meaning.size)) for each in node.indices]

    def run(look: Lookup) -> list[dict[str, Value]]:
        found: list[dict[str, Value]] = [{}]
        for name, size in sizes:
            length = whole(size(look))
            if length * len(found) > LARGEST:
                raise Undecided("a sum of more than two million terms")
            found = [{**place, name: at} for place in found for at in range(length)]
        return found

    return run


def _values(node: Binder) -> Callable[[Lookup], list[Value]]:
    body, listed = exact.compiled(node.body), places(node)
    several = len(node.indices) > 1

    def run(look: Lookup) -> list[Value]:
        shared: dict[object, Value] | None = {} if several else None
        return [body(Scope(look, place, shared)) for place in listed(look)]

    return run


def _fold(operation: Callable[[Value, Value], Value], empty: Value | None) -> Any:
    def rule(node: Binder) -> Callable[[Lookup], Value]:
        values = _values(node)

        def run(look: Lookup) -> Value:
            found = values(look)
            if not found:
                if empty is None:
                    raise exact.Undefined(f"{node.kind} over nothing")
                return empty
            result = found[0]
            for value in found[1:]:
                result = operation(result, value)
            return result

        return run

    return rule


def _table(node: Table) -> Callable[[Lookup], Value]:
    values = _values(node)
    if len(node.indices) == 1:
        return lambda look: tuple(values(look))
    rows = exact.compiled(node.indices[0].meaning.size)
    cols = exact.compiled(node.indices[1].meaning.size)

    def run(look: Lookup) -> Value:
        found = values(look)
        made = fmpq_mat if all(is_exact(value) for value in found) else arb_mat
        return made(rows_of(rows(look)), rows_of(cols(look)), found)

    return run


def _over_outcomes(node: Average) -> Callable[[Lookup], Iterator[tuple[Value, Value]]]:
    """Weights and values of the body over the outcomes of positive probability."""
    body, draw = exact.compiled(node.body), node.drawn.meaning.draw
    assert draw is not None

    def run(look: Lookup) -> Iterator[tuple[Value, Value]]:
        if draw.terms(look) > LARGEST:
            raise Undecided(f"{draw.over} cannot be enumerated here")
        mass = fmpq(0)
        for weight, outcome in draw.outcomes(look):
            if not weight:
                continue
            mass = add(mass, weight)
            if exact.sign(weight) == -1:
                raise Undecided(f"a probability of {draw.over} is negative")
            yield weight, body(Scope(look, outcome))
        if exact.sign(add(mass, fmpq(-1))) not in (0, None):
            raise Undecided(f"the probabilities of {draw.over} do not sum to one")

    return run


def _average(node: Average) -> Callable[[Lookup], Value]:
    found = _over_outcomes(node)
    return sign_sums.averaged(node, outcome_arrays.averaged(
        node, lambda look: reduce(added, (multiply(*p) for p in found(look)))))


def _supremum(node: Supremum) -> Callable[[Lookup], Value]:
    found = _over_outcomes(node)
    return lambda look: reduce(_GREATER, (value for _, value in found(look)))


def _extreme(node: Extreme) -> Callable[[Lookup], Value]:
    from boundcheck.expressions.climbing import extreme_value

    return extreme_value(node)


def _indicator(node: Indicator) -> Callable[[Lookup], Value]:
    text = cache(lambda: f"whether {node.condition}")  # said at every tie; printing takes longest

    def run(look: Lookup) -> Value:
        truth = exact.decide(node.condition, look)
        if truth is None:
            raise Undecided(text())
        return int(truth)

    return run


_GREATER, _SMALLER = exact.FUNCTIONS[sympy.Max], exact.FUNCTIONS[sympy.Min]
RULES: dict[type[Node], Callable[[Any], Callable[[Lookup], Value]]] = {
    Apply: _primitive,
    Total: lambda node: summed(node.body, node.indices, _fold(added, fmpq(0))(node)),
    Multiplied: _fold(multiply, fmpq(1)),
    Greatest: _fold(_GREATER, None),
    Least: _fold(_SMALLER, None),
    Table: _table,
    Supremum: _supremum,
    Extreme: _extreme,
    Average: _average,
    Indicator: _indicator,
    Named: lambda node: exact.compiled(node.body),
}
