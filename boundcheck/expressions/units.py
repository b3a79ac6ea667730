"""The unit reading: how a value scales when features, labels, losses or measures are rescaled.

Units are vectors of exponents over base units; a number without units has none. Where a printed
formula does not balance that is a finding about the print, not an error here: `units_of` raises
`Unbalanced`, which names the node.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Greatest, Indicator, Least, Table, Total
from boundcheck.expressions.symbols import Known


class Unbalanced(ValueError):
    """Terms of different units are added or compared, or a function takes a unit."""


class UnknownUnits(ValueError):
    """A node whose units no rule gives."""


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


def units_of(expr: sympy.Basic) -> Units:
    """Units of an expression.

    Raises: Unbalanced naming the node; UnknownUnits where a primitive does not say.

    >>> x = sympy.Symbol("x")
    >>> units_of(1 + sympy.exp(x))
    1
    """
    if isinstance(expr, Known):
        definition = expr.meaning.definition
        return Units(expr.meaning.units) if definition is None else units_of(definition)
    if expr == 0 or expr in (sympy.oo, -sympy.oo):
        return Units(free=True)
    if expr.is_Number or expr.is_Symbol or isinstance(expr, sympy.NumberSymbol):
        return NONE
    rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
    if rule is None:
        rule = _pure
    return rule(expr)


def _same(expr: sympy.Basic) -> Units:
    found = [units_of(arg) for arg in expr.args]
    first = next((units for units in found if not units.free), found[0])
    for arg, units in zip(expr.args, found, strict=True):
        if units != first:
            raise Unbalanced(f"{expr}: {expr.args[0]} has units {found[0]}, {arg} has {units}")
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


def _first(expr: sympy.Basic) -> Units:
    return units_of(expr.args[0])


def _indicator(expr: Indicator) -> Units:
    units_of(expr.condition)
    return NONE


def _piecewise(expr: sympy.Piecewise) -> Units:
    found = [units_of(value) for value, _ in expr.args]
    first = next((units for units in found if not units.free), found[0])
    if any(units != first for units in found):
        raise Unbalanced(f"branches of {expr} have units {', '.join(map(repr, found))}")
    return first


def _primitive(node: Apply) -> Units:
    rule = node.primitive.units
    found = [units_of(arg) for arg in node.operands if not arg.is_Atom or arg.is_Symbol]
    if rule == "none":
        return NONE
    if rule == "same":
        return found[0]
    if rule == "sum":
        return sum(found, NONE)
    if callable(rule):
        own: Units = rule(*found)
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
    sympy.Rel: _relation,
    sympy.Piecewise: _piecewise,
    Apply: _primitive,
    Total: _first,
    Greatest: _first,
    Least: _first,
    Table: _first,
    Average: _first,
    Extreme: _first,
    Indicator: _indicator,
    Named: lambda node: units_of(node.body),
}
