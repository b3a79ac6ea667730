"""The float reading: expressions over a batch of worlds or outcomes at once, as NumPy arrays.

A value of rank r is an array with r axes, or r + 1 with the batch axis first; all worlds of a
batch have one shape. What floats say is a hint: verdicts rest on the exact reading.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import math
from collections.abc import Callable, Iterator
from functools import lru_cache, reduce
from typing import Any

import numpy
import sympy
from flint import fmpq
from sympy.core.symbol import Str

from boundcheck.encoding import nearest_float
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
    rank_of,
)
from boundcheck.expressions.scope import Lookup, Scope, remembered
from boundcheck.expressions.suprema import Supremum
from boundcheck.expressions.symbols import held
from boundcheck.worlds.draws import Counts, Draw, Each, Indices, Jointly, Signs
from boundcheck.worlds.walks import Walk

Run = Callable[[Lookup], Any]
LARGEST = 20_000  # outcomes of a draw inside a world


class NoBatch(TypeError):
    """An expression without a float reading; the message names the node."""


def compiled(expr: sympy.Basic) -> Run:
    """A function of a lookup, name to array, giving an array.

    Raises: NoBatch if a primitive has no batch form or a function has no rule.

    >>> x = sympy.Symbol("x", real=True)
    >>> compiled(sympy.sqrt(x) + 1)({"x": numpy.array([4.0, 9.0])}.__getitem__)
    array([3., 4.])
    """
    return _compiled(sympy.sympify(expr))


@lru_cache(maxsize=4096)
def _compiled(expr: sympy.Basic) -> Run:
    if isinstance(expr, sympy.Symbol):
        name = expr.name
        return lambda look: look(name)
    if isinstance(expr, Str):
        text = held(expr)
        return lambda look: text
    if isinstance(expr, sympy.Rational):
        ratio = nearest_float(fmpq(expr.p, expr.q))
        return lambda look: ratio
    if expr.is_Number or isinstance(expr, sympy.NumberSymbol):
        number = float(expr)
        return lambda look: number
    if isinstance(expr, (sympy.logic.boolalg.BooleanTrue, sympy.logic.boolalg.BooleanFalse)):
        truth = bool(expr)
        return lambda look: truth
    rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
    if rule is not None:
        kept = isinstance(expr, Node) or not getattr(expr, "is_commutative", True)
        return remembered(expr, rule(expr)) if kept else rule(expr)
    function = FUNCTIONS.get(type(expr))
    if function is None:
        raise NoBatch(f"no float rule for {type(expr).__name__} in {expr}; add one to FUNCTIONS")
    parts = [_compiled(arg) for arg in expr.args]
    return lambda look: function(*[part(look) for part in parts])


def _add(expr: sympy.Add) -> Run:
    parts = [_compiled(arg) for arg in expr.args]
    return lambda look: sum((part(look) for part in parts[1:]), parts[0](look))


def _mul(expr: sympy.Mul) -> Run:
    scalars = [_compiled(arg) for arg in expr.args if arg.is_commutative]
    words = [(rank_of(arg), _compiled(arg)) for arg in expr.args if not arg.is_commutative]

    def factor(look: Lookup) -> Any:
        value: Any = 1.0
        for part in scalars:
            value = value * part(look)
        return value

    if not words:
        return factor

    def run(look: Lookup) -> Any:
        rank, part = words[-1]
        value = part(look)
        for _, left in reversed(words[:-1]):
            matrix = left(look)
            value = (matrix @ value[..., None])[..., 0] if rank == 1 else matrix @ value
        return lifted(factor(look), rank or 0) * value

    return run


def lifted(scalar: Any, rank: int) -> Any:
    """A scalar, or one for each entry of a batch, ready to multiply values of a rank."""
    return scalar if not rank or numpy.ndim(scalar) == 0 else scalar[(..., *(None,) * rank)]


def _pow(expr: sympy.Pow) -> Run:
    base, exponent = _compiled(expr.base), expr.exp
    if not expr.base.is_commutative:
        power = int(exponent)
        return lambda look: numpy.linalg.matrix_power(base(look), power)
    if expr.base is sympy.E:
        rise = _compiled(exponent)
        return lambda look: numpy.exp(rise(look))
    if exponent == sympy.S.Half:
        return lambda look: numpy.sqrt(base(look))
    if isinstance(exponent, sympy.Integer):
        whole = int(exponent)
        return lambda look: numpy.asarray(base(look), dtype=float) ** whole
    rise = _compiled(exponent)
    return lambda look: numpy.asarray(base(look), dtype=float) ** rise(look)


def _piecewise(expr: sympy.Piecewise) -> Run:
    branches = [(_compiled(value), _compiled(condition)) for value, condition in expr.args]

    def run(look: Lookup) -> Any:
        found = [(value(look), condition(look)) for value, condition in branches]
        arrays = numpy.broadcast_arrays(*[part for pair in found for part in pair])
        return numpy.select(arrays[1::2], arrays[::2], default=numpy.nan)

    return run


def _series(expr: sympy.Sum | sympy.Product) -> Run:
    """SymPy's own sums over one index; all worlds of the batch share the ends."""
    if len(expr.limits) != 1:
        raise NoBatch(f"one summation index at a time: {expr}")
    ((each, first, last),) = expr.limits
    term, low, high = _compiled(expr.function), _compiled(first), _compiled(last)
    additive = isinstance(expr, sympy.Sum)

    def run(look: Lookup) -> Any:
        start, stop = _single(low(look)), _single(high(look))
        if stop - start > LARGEST:
            raise NoBatch(f"more than {LARGEST} terms")
        value: Any = 0.0 if additive else 1.0
        for at in range(start, stop + 1):
            found = term(Scope(look, {each.name: at}))
            value = value + found if additive else value * found
        return value

    return run


def _primitive(node: Apply) -> Run:
    function = node.primitive.batch
    if function is None:
        raise NoBatch(f"the primitive {node.primitive.name} has no batch form")
    operands = [_compiled(arg) for arg in node.operands]
    known = {"ranks": [rank_of(arg) for arg in node.operands]} if node.primitive.ranked else {}
    return lambda look: function(*[_array(operand(look)) for operand in operands], **known)


def _array(value: Any) -> Any:
    whole = isinstance(value, str) or dataclasses.is_dataclass(value)
    return value if whole else numpy.asarray(value)


def _single(number: Any) -> int:
    values = numpy.unique(numpy.asarray(number))
    if len(values) != 1:
        raise NoBatch("worlds of several sizes in one batch")
    return int(values[0])


def _values(node: Binder) -> Callable[[Lookup], tuple[tuple[int, ...], list[Any]]]:
    body = _compiled(node.body)
    sizes = [_compiled(each.meaning.size) for each in node.indices]
    names = [each.name for each in node.indices]

    def run(look: Lookup) -> tuple[tuple[int, ...], list[Any]]:
        shape = tuple(_single(size(look)) for size in sizes)
        if math.prod(shape) > LARGEST:
            raise NoBatch(f"more than {LARGEST} terms")
        places = itertools.product(*[range(size) for size in shape])
        shared: dict[object, Any] | None = {} if len(names) > 1 else None
        scopes = (Scope(look, dict(zip(names, at, strict=True)), shared) for at in places)
        return shape, [body(scope) for scope in scopes]

    return run


def _fold(operation: Callable[[Any, Any], Any], empty: float) -> Callable[[Binder], Run]:
    def rule(node: Binder) -> Run:
        values = _values(node)

        def run(look: Lookup) -> Any:
            _, found = values(look)
            result = found[0] if found else empty
            for value in found[1:]:
                result = operation(result, value)
            return result

        return run

    return rule


def _table(node: Table) -> Run:
    values = _values(node)

    def run(look: Lookup) -> Any:
        shape, found = values(look)
        stacked = numpy.stack(numpy.broadcast_arrays(*[numpy.asarray(v, float) for v in found]), -1)
        return stacked.reshape((*stacked.shape[:-1], *shape))

    return run


def outcomes(draw: Draw, look: Lookup) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Outcomes of an enumerable draw with float probabilities, for a batch of worlds.

    Raises: NoBatch for other draws, or for too many outcomes.
    """
    if isinstance(draw, Jointly):
        for parts in itertools.product(*(list(outcomes(m, look)) for m in draw.members)):
            merged: dict[str, Any] = {}
            for _, part in parts:
                merged.update(part)
            yield math.prod(weight for weight, _ in parts), merged
        return
    if isinstance(draw, Signs):
        length = _single(look(draw.length))
        _few(2.0**length)
        for signs in itertools.product((1.0, -1.0), repeat=length):
            yield 2.0**-length, {draw.signs: numpy.array(signs)}
        return
    if isinstance(draw, Each):
        chances = numpy.asarray(look(draw.chances), dtype=float)
        rows, atoms = chances.shape[-2:]
        _few(float(atoms) ** rows)
        for places in itertools.product(range(atoms), repeat=rows):
            yield chances[..., range(rows), places].prod(-1), {draw.choices: numpy.array(places)}
        return
    if isinstance(draw, Walk):
        yield from _walks(draw, look)
        return
    if not isinstance(draw, (Counts, Indices)):
        raise NoBatch(f"{type(draw).__name__} has no float outcomes")
    weights = numpy.asarray(look(draw.weights), dtype=float)
    atoms = weights.shape[-1]
    number = _single(look(draw.trials if isinstance(draw, Counts) else draw.length))
    if isinstance(draw, Indices):
        _few(max(float(atoms) ** number, number))
        for places in itertools.product(range(atoms), repeat=number):
            yield weights[..., list(places)].prod(-1), {draw.indices: numpy.array(places)}
        return
    _few(math.comb(number + atoms - 1, atoms - 1))
    special, last = importlib.import_module("scipy.special"), number + atoms - 1
    for bars in itertools.combinations(range(last if atoms > 1 else 0), atoms - 1):
        counts = numpy.diff((-1, *bars, last)) - 1
        logs = special.gammaln(number + 1) - special.gammaln(counts + 1).sum()
        yield numpy.exp(logs + special.xlogy(counts, weights).sum(-1)), {draw.counts: counts}


def _walks(draw: Walk, look: Lookup) -> Iterator[tuple[Any, dict[str, Any]]]:
    chances, steps = numpy.asarray(look(draw.chances), dtype=float), _single(look(draw.length))
    branches = chances.shape[-1]
    _few(max(float(branches) ** steps, steps))
    for places in itertools.product(range(branches), repeat=steps):
        edges = list(itertools.accumulate(
            places[1:], lambda edge, place: branches * (edge + 1) + place, initial=places[0]
        ))  # fmt: skip
        nodes = [edge // branches for edge in edges]
        yield chances[..., nodes, places].prod(-1), {draw.path: numpy.array(edges)}


def _few(count: float) -> None:
    if count > LARGEST:
        raise NoBatch(f"more than {LARGEST} outcomes")


def _average(node: Average) -> Run:
    body, draw, rank = _compiled(node.body), node.drawn.meaning.draw, node.rank or 0
    assert draw is not None

    def run(look: Lookup) -> Any:
        result: Any = 0.0
        for weight, outcome in outcomes(draw, look):
            result = result + lifted(weight, rank) * body(Scope(look, outcome))
        return result

    return run


def _supremum(node: Supremum) -> Run:
    body, draw = _compiled(node.body), node.drawn.meaning.draw
    assert draw is not None

    def run(look: Lookup) -> Any:
        found = [(weight, body(Scope(look, outcome))) for weight, outcome in outcomes(draw, look)]
        values = [numpy.where(numpy.asarray(w) > 0, value, -math.inf) for w, value in found]
        return reduce(numpy.maximum, values)

    return run


def _extreme(node: Extreme) -> Run:
    from boundcheck.expressions.climbing import batched

    ends = [(_compiled(low), _compiled(high)) for _, low, high in node.limits]
    return batched(node, _compiled(node.body), ends)


def _indicator(node: Indicator) -> Run:
    condition = _compiled(node.condition)
    return lambda look: numpy.asarray(condition(look)).astype(float)


def _relation(expr: sympy.Rel) -> Run:
    left, right, compare = _compiled(expr.lhs), _compiled(expr.rhs), COMPARED[type(expr)]
    return lambda look: compare(left(look), right(look))


def _implies(expr: sympy.Implies) -> Run:
    premise, conclusion = (_compiled(arg) for arg in expr.args)
    return lambda look: numpy.logical_not(premise(look)) | numpy.asarray(conclusion(look), bool)


def _folded(operation: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def run(*values: Any) -> Any:
        result = values[0]
        for value in values[1:]:
            result = operation(result, value)
        return result

    return run


COMPARED = {
    sympy.Le: numpy.less_equal, sympy.Lt: numpy.less, sympy.Ge: numpy.greater_equal,
    sympy.Gt: numpy.greater, sympy.Eq: numpy.equal, sympy.Ne: numpy.not_equal,
}  # fmt: skip


def _special(name: str) -> Callable[..., Any]:
    return lambda *values: getattr(importlib.import_module("scipy.special"), name)(*values)


FUNCTIONS: dict[type, Callable[..., Any]] = {
    sympy.exp: numpy.exp, sympy.log: numpy.log, sympy.Abs: numpy.abs, sympy.sign: numpy.sign,
    sympy.floor: numpy.floor, sympy.ceiling: numpy.ceil, sympy.sin: numpy.sin,
    sympy.cos: numpy.cos, sympy.tan: numpy.tan, sympy.atan: numpy.arctan,
    sympy.asin: numpy.arcsin, sympy.acos: numpy.arccos, sympy.sinh: numpy.sinh,
    sympy.cosh: numpy.cosh, sympy.tanh: numpy.tanh, sympy.Max: _folded(numpy.maximum),
    sympy.Min: _folded(numpy.minimum), sympy.And: _folded(numpy.logical_and),
    sympy.Or: _folded(numpy.logical_or), sympy.Not: numpy.logical_not,
    sympy.gamma: _special("gamma"), sympy.erf: _special("erf"),
    sympy.factorial: lambda n: _special("gamma")(n + 1.0), sympy.binomial: _special("binom"),
}  # fmt: skip
RULES: dict[type[sympy.Basic], Callable[[Any], Run]] = {
    sympy.Add: _add,
    sympy.Mul: _mul,
    sympy.Pow: _pow,
    sympy.Piecewise: _piecewise,
    sympy.Sum: _series,
    sympy.Product: _series,
    sympy.Rel: _relation,
    sympy.Implies: _implies,
    Apply: _primitive,
    Total: _fold(numpy.add, 0.0),
    Multiplied: _fold(numpy.multiply, 1.0),
    Greatest: _fold(numpy.maximum, -math.inf),
    Least: _fold(numpy.minimum, math.inf),
    Table: _table,
    Supremum: _supremum,
    Extreme: _extreme,
    Average: _average,
    Indicator: _indicator,
    Named: lambda node: _compiled(node.body),
}
