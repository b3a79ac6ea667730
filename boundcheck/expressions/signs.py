"""The fact reading: what every value of an expression is, from domains, forms and primitives.

What a symbol or a primitive of a statement file declares of itself is no ground of a proof: only
primitives of this package are believed, which are tested.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

import sympy

from boundcheck.exact import partial_parts
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Greatest,
    Indicator,
    Least,
    Multiplied,
    Total,
)
from boundcheck.expressions.suprema import Supremum
from boundcheck.expressions.symbols import Known, Meaning
from boundcheck.unmerged import applied, may_lack
from boundcheck.worlds.composed import Tuples, is_foreign
from boundcheck.worlds.draws import Draw, Jointly, is_listed
from boundcheck.worlds.fields import Field, Gram, Integer, Probabilities, Weights
from boundcheck.worlds.kinds import Projector, SemidefiniteHermitian

FACTS = ("nonnegative", "positive", "probability", "integer", "positive semi-definite")
SEMIDEFINITE = (Gram, Projector, SemidefiniteHermitian)
Stands = Mapping[str, "Field | sympy.Basic"]
_stands: ContextVar[Stands | None] = ContextVar("stands", default=None)


def facts_of(expr: sympy.Basic, stands: Stands | None = None) -> tuple[str, ...]:
    """Facts that hold of every value, of `FACTS`.

    Args: stands: field or definition of every name in a claim, where one is read: it may have
    others than its symbols.

    >>> from boundcheck.worlds import Real
    >>> from boundcheck.expressions import parameter
    >>> x = parameter("x", Real(None, None))
    >>> facts_of(x**2 + sympy.exp(x)), facts_of(x)
    (('nonnegative', 'positive'), ())
    """
    if stands is not None:
        before = _stands.set(stands)
        try:
            return facts_of(expr)
        finally:
            _stands.reset(before)
    found = set(_facts(expr))
    if "positive" in found or "probability" in found:
        found.add("nonnegative")
    return tuple(fact for fact in FACTS if fact in found)


def positive(expr: sympy.Basic) -> bool:
    """Whether every value is above zero."""
    return "positive" in facts_of(expr)


def nonnegative(expr: sympy.Basic) -> bool:
    """Whether every value is at least zero."""
    return "nonnegative" in facts_of(expr)


def weighted(body: sympy.Expr, weight: sympy.Expr, index: Known) -> sympy.Expr:
    """Weight times body: zero where the weight is, if the body may lack a value at some places."""
    partial = body.is_commutative and any(
        part.has(index) and may_lack(what, part) for what, part in partial_parts(body))
    term = applied(sympy.Mul, [weight, body])
    return sympy.Piecewise((0, sympy.Eq(weight, 0)), (term, True)) if partial else term


def _facts(expr: sympy.Basic) -> set[str]:
    if expr.is_Number:
        known = {"positive"} if expr.is_positive else set()
        return known | ({"nonnegative"} if expr.is_nonnegative else set())
    if isinstance(expr, sympy.NumberSymbol):
        return {"positive"}
    rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
    return set() if rule is None else rule(expr)


def _domain(symbol: Known) -> Field | None:
    """The field that holds the values of a symbol."""
    stands = _stands.get()
    found = symbol.meaning.domain if stands is None else stands.get(symbol.name)
    return found if isinstance(found, Field) and not is_foreign(found) else None


def _definition(symbol: Known) -> sympy.Basic | None:
    """The expression that a symbol stands for."""
    stands = _stands.get()
    found = symbol.meaning.definition if stands is None else stands.get(symbol.name)
    return found if isinstance(found, sympy.Basic) else None


def _symbol(symbol: Known) -> set[str]:
    meaning, domain, definition = symbol.meaning, _domain(symbol), _definition(symbol)
    found: set[str] = set()
    if definition is not None:
        found |= set(facts_of(definition))
    if meaning.role == "index":
        found |= {"nonnegative", "integer"}
    low = getattr(domain, "low", None)
    if meaning.rank == 0 and isinstance(low, int):
        strict = low > 0 or (low == 0 and getattr(domain, "open_low", False))
        found |= {"positive"} if strict else {"nonnegative"} if low == 0 else set()
    if type(domain) is Integer:
        found.add("integer")
    if type(domain) in SEMIDEFINITE:
        found.add("positive semi-definite")
    return found


def _add(expr: sympy.Add) -> set[str]:
    if not all(nonnegative(arg) for arg in expr.args):
        return set()
    return {"positive"} if any(positive(arg) for arg in expr.args) else {"nonnegative"}


def _all(args: Any) -> set[str]:
    if all(positive(arg) for arg in args):
        return {"positive"}
    return {"nonnegative"} if all(nonnegative(arg) for arg in args) else set()


def _power(expr: sympy.Pow) -> set[str]:
    if not expr.is_commutative:
        return set()
    if positive(expr.base):
        return {"positive"}
    even = expr.exp.is_Integer and int(expr.exp) % 2 == 0
    root = expr.exp.is_Rational and not expr.exp.is_Integer
    return {"nonnegative"} if even or root or nonnegative(expr.base) else set()


def _primitive(node: Apply) -> set[str]:
    own = bool(node.primitive.standard)
    found = set(node.primitive.facts) if own else set()
    if node.primitive.standard == "entry" and isinstance(node.operands[0], Known):
        domain = _domain(node.operands[0])
        found |= {"probability"} if type(domain) in (Weights, Probabilities) else set()
        low = getattr(domain, "low", None)
        if isinstance(low, int) and low >= 0:
            strict = low > 0 or getattr(domain, "open_low", False)
            found |= {"positive"} if strict else {"nonnegative"}
    return found


def _body(node: Any) -> set[str]:
    return _all([node.body])


def _total(node: Total) -> set[str]:
    return {"nonnegative"} if nonnegative(node.body) else set()  # a sum of nothing is zero


def is_lawful(drawn: Known) -> bool:
    """Whether the masses of a draw are a law wherever it is made: they are weights of atoms."""
    needs = {symbol.name: symbol for symbol in drawn.meaning.needs}
    return has_weights(drawn.meaning.draw, lambda name: _domain(
        needs.get(name) or Known(name, Meaning("world"))))  # fmt: skip


def has_weights(draw: Draw | None, field_of: Callable[[str], object]) -> bool:
    """Whether the masses of a draw of this package are weights of atoms, or fair signs.

    Args: field_of: the field of a name, which says whose masses they are.
    """
    if is_listed(draw):
        return False
    for member in draw.members if isinstance(draw, Jointly) else (draw,):
        name = getattr(member, "weights", "") or getattr(member, "chances", "")
        field = field_of(name) if name else None
        field = field.entry if type(field) is Tuples else field
        if name and type(field) is not Weights:
            return False
    return True


def _average(node: Average) -> set[str]:
    if not is_lawful(node.drawn):
        return set()
    known = set(facts_of(node.body)) & {"nonnegative", "positive", "probability"}
    return known | ({"probability"} if isinstance(node.body, Indicator) else set())


RULES: dict[type[sympy.Basic], Any] = {
    Known: _symbol,
    sympy.Add: _add,
    sympy.Mul: lambda expr: _all(expr.args),
    sympy.Pow: _power,
    sympy.exp: lambda expr: {"positive"},
    sympy.Abs: lambda expr: {"nonnegative"},
    sympy.Max: lambda expr: (
        {"positive"} if any(positive(arg) for arg in expr.args)
        else {"nonnegative"} if any(nonnegative(arg) for arg in expr.args) else set()
    ),
    sympy.Min: lambda expr: _all(expr.args),
    Apply: _primitive,
    Total: _total,
    Greatest: _body,
    Least: _body,
    Multiplied: _body,
    Supremum: _body,
    Extreme: _body,
    Average: _average,
    Named: lambda node: set(facts_of(node.body)),
    Indicator: lambda node: {"probability"},
}  # fmt: skip
