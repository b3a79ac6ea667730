"""The unit reading: how a value scales when features, labels, losses or measures are rescaled.

Units are vectors of exponents over base units; a number without units has none. Where a printed
formula does not balance that is a finding about the print, not an error here: `units_of` raises
`Unbalanced`, which names the node.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy
from sympy.core.symbol import Str
from sympy.logic.boolalg import BooleanAtom

from boundcheck.arithmetic import FUNCTIONS
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Greatest,
    Indicator,
    Least,
    Multiplied,
    Table,
    Total,
)
from boundcheck.expressions.suprema import Supremum
from boundcheck.expressions.symbols import Known, known_symbols, rests_on


class Unbalanced(ValueError):
    """Terms of different units are added or compared, or a function takes a unit."""


class UnknownUnits(ValueError):
    """A node whose units no rule gives; the message names it."""


class Units:
    """Exponents of base units. `free` stands for zero and infinity, which have every unit.

    >>> Units({"feature": 1}) + Units({"feature": 1, "label": -1})
    feature^2 label^-1
    """

    def __init__(self, powers: Any = (), *, free: bool = False) -> None:
        self.powers = {k: Fraction(v) for k, v in dict(powers).items() if v}
        self.free = free

    def __add__(self, other: Units) -> Units:
        names = {*self.powers, *other.powers}
        powers = {k: self.powers.get(k, 0) + other.powers.get(k, 0) for k in names}
        return Units(powers, free=self.free or other.free)

    def __mul__(self, factor: Any) -> Units:
        return Units({k: v * Fraction(factor) for k, v in self.powers.items()}, free=self.free)

    __rmul__ = __mul__

    def __truediv__(self, divisor: int) -> Units:
        return self * Fraction(1, divisor)

    def __sub__(self, other: Units) -> Units:
        return self + other * -1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Units):
            return NotImplemented
        return self.free or other.free or self.powers == other.powers

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return " ".join(f"{k}^{v}" if v != 1 else k for k, v in sorted(self.powers.items())) or "1"


NONE = Units()
UNITLESS = (sympy.Number, sympy.NumberSymbol, sympy.Symbol, Str, BooleanAtom)


def units_of(expr: sympy.Basic) -> Units:
    """Units of an expression.

    Raises: Unbalanced naming the node; UnknownUnits where a node has no rule or does not say.

    >>> x = sympy.Symbol("x")
    >>> units_of(1 + sympy.exp(x))
    1
    """
    if isinstance(expr, Known):
        definition = expr.meaning.definition
        return Units(expr.meaning.units) if definition is None else units_of(definition)
    if expr == 0 or expr in (sympy.oo, -sympy.oo):
        return Units(free=True)
    if isinstance(expr, UNITLESS):
        return NONE
    rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
    if rule is None and type(expr) not in FUNCTIONS:
        raise UnknownUnits(
            f"the reading of units has no rule for {type(expr).__name__} in {expr}; add one to "
            "RULES"
        )
    own: Units = (rule or _pure)(expr)
    return own


def carries_units(expr: sympy.Basic) -> bool:
    """Whether any symbol that an expression rests on has units, so that it may fail to balance."""
    found = known_symbols(expr)
    inside = {s for each in found if each.meaning.role == "defined" for s in rests_on(each)}
    return any(each.meaning.units for each in {*found, *inside})


def _same(expr: sympy.Basic) -> Units:
    found = [units_of(arg) for arg in expr.args]
    first = next((units for units in found if not units.free), found[0])
    for arg, units in zip(expr.args, found, strict=True):
        if units != first:
            leading = expr.args[found.index(first)]
            raise Unbalanced(f"{expr}: {first} of {leading} against {units} of {arg}")
    return first


def _product(expr: sympy.Mul) -> Units:
    return sum((units_of(arg) for arg in expr.args), NONE)


def _power(expr: sympy.Pow) -> Units:
    base = units_of(expr.base)
    if expr.exp.is_Rational:
        return base * Fraction(int(expr.exp.p), int(expr.exp.q))
    _pure(expr)
    return NONE


def _pure(expr: sympy.Basic) -> Units:
    for arg in expr.args:
        if isinstance(arg, sympy.Basic) and units_of(arg) != NONE:
            raise Unbalanced(f"{type(expr).__name__} of {arg}, which has units {units_of(arg)}")
    return NONE


def _relation(expr: sympy.Rel) -> Units:
    _same(expr)
    return NONE


def _each(expr: sympy.Basic) -> Units:
    """Conditions side by side, each of which must balance."""
    for arg in expr.args:
        units_of(arg)
    return NONE


def _repeated(expr: Multiplied | sympy.Product) -> Units:
    """A product of so many factors as a size says has units where they do, if it is a number."""
    factor = units_of(expr.args[0])
    if factor == NONE:
        return NONE
    sizes = [each.meaning.size for each in expr.indices] if isinstance(expr, Multiplied) else []
    number = sympy.Mul(*sizes) if sizes else sympy.S.NaN
    if not number.is_Integer:
        raise Unbalanced(f"{expr} multiplies factors that have units {factor}, no fixed number")
    return factor * int(number)


def _first(expr: sympy.Basic) -> Units:
    return units_of(expr.args[0])


def _extreme(expr: Extreme) -> Units:
    """Over a box: a variable has the units of its ends."""
    body = expr.body
    for variable, *ends in expr.limits:
        found = _same(sympy.Tuple(*ends))
        if found.powers:
            meaning = replace(variable.meaning, units=found.powers)
            body = body.xreplace({variable: Known(variable.name, meaning)})
    return units_of(body)


def _piecewise(expr: sympy.Piecewise) -> Units:
    found = [units_of(value) for value, _ in expr.args]
    for _, condition in expr.args:
        units_of(condition)
    first = next((units for units in found if not units.free), found[0])
    if any(units != first for units in found):
        raise Unbalanced(f"branches of {expr} have units {', '.join(map(repr, found))}")
    return first


def _primitive(node: Apply) -> Units:
    rule = node.primitive.units
    found = [units_of(arg) for arg in node.operands]
    if rule == "none":
        return NONE
    if rule == "same":
        return found[0]
    if rule == "sum":
        return sum(found, NONE)
    if callable(rule):
        try:
            own: Units = rule(*found)
        except TypeError as error:
            raise UnknownUnits(
                f"the units of the primitive {node.primitive.name} do not fit its operands: {error}"
            ) from error
        return own
    if all(units == NONE for units in found):
        return NONE
    raise UnknownUnits(f"the primitive {node.primitive.name} does not say its units")


RULES: dict[type[sympy.Basic], Any] = {
    sympy.Add: _same,
    sympy.Max: _same,
    sympy.Min: _same,
    sympy.Mul: _product,
    sympy.Pow: _power,
    sympy.Abs: _first,
    sympy.sign: _each,
    sympy.Rel: _relation,
    sympy.And: _each,
    sympy.Or: _each,
    sympy.Not: _each,
    sympy.Implies: _each,
    sympy.Sum: _first,
    sympy.Product: _repeated,
    sympy.Piecewise: _piecewise,
    Apply: _primitive,
    Total: _first,
    Greatest: _first,
    Least: _first,
    Multiplied: _repeated,
    Table: _first,
    Average: _first,
    Supremum: _first,
    Extreme: _extreme,
    Indicator: _each,
    Named: lambda node: units_of(node.body),
}
