"""Solving a condition for one symbol in closed form, by undoing one operation after the other.

The way back through a product or a power depends on signs. They are read at a point, so a closed
form belongs to the branch of that point; `require` holds it against the numerical answer there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy

from boundcheck.setting import INEQUALITIES

Sign = Callable[[sympy.Expr], int | None]
EXTREMES = sympy.Max, sympy.Min


@dataclass(frozen=True)
class Bound:
    """symbol >= expr (lower) or symbol <= expr.

    Args: strict: whether the end is left out.
    """

    lower: bool
    expr: sympy.Expr
    strict: bool = False


def bounds(relation: sympy.Basic, symbol: sympy.Symbol, sign: Sign) -> list[Bound] | None:
    """Bounds that together are the relation on this branch; None where no closed form is found.

    Args: sign: sign of an expression free of the symbol at the point of the branch, or None.

    >>> x, a = sympy.symbols("x a", real=True)
    >>> bounds(3 / sympy.sqrt(x) <= a, x, sign_at({}))
    [Bound(lower=True, expr=9/a**2, strict=False)]
    """
    if isinstance(relation, sympy.And):
        found: list[Bound] = []
        for part in relation.args:
            inner = bounds(part, symbol, sign)
            if inner is None:
                return None
            found += inner
        return found
    if not isinstance(relation, INEQUALITIES):
        return None
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    # What is extreme without the symbol is one number: SymPy compares its parts in every step.
    held = {e: _number_like(e) for e in relation.atoms(*EXTREMES) if not e.has(symbol)}
    back = {number: e for e, number in held.items()}

    def told(expr: sympy.Expr) -> int | None:
        return sign(expr.xreplace(back))

    small, large = (side.xreplace(held) for side in (relation.lts, relation.gts))
    direct = _Inverter(symbol, told).below(small, large, strict)
    if direct is None:
        direct = _split(small, large, symbol, told, strict)
    return direct and [replace(bound, expr=bound.expr.xreplace(back)) for bound in direct]


def _number_like(expr: sympy.Expr) -> sympy.Dummy:
    """A symbol of the sign that SymPy knows of an expression, or of none."""
    if expr.is_positive:
        return sympy.Dummy(positive=True)
    return sympy.Dummy(negative=True) if expr.is_negative else sympy.Dummy(real=True)


def _split(
    small: sympy.Expr, large: sympy.Expr, symbol: sympy.Symbol, sign: Sign, strict: bool
) -> list[Bound] | None:
    """Bounds on a positive symbol whose powers are first taken out of roots of products."""
    positive = sympy.Dummy(symbol.name, positive=True)

    def back(expr: sympy.Expr) -> int | None:
        return sign(expr.xreplace({positive: symbol}))

    low, high = (
        sympy.expand_power_base(sympy.expand_mul(side.xreplace({symbol: positive})))
        for side in (small, large)
    )
    found = _Inverter(positive, back).below(low, high, strict)
    if found is None:
        found = _Inverter(positive, back).below(low - high, sympy.S.Zero, strict)
    if found is None or any(bound.expr.has(positive) for bound in found):
        return None
    return found


def closed_form(
    relation: sympy.Basic, symbol: sympy.Symbol, at: dict[sympy.Symbol, float] | None = None
) -> sympy.Expr | None:
    """The bound that a relation puts on a symbol, or None where there is no closed form.

    Args: at: a point whose branch is wanted; without it every symbol counts as positive.

    >>> T, g, c = sympy.symbols("T gamma c", real=True)
    >>> closed_form(1 / (2 * g + T) <= c, T)
    -2*gamma + 1/c
    """
    found = bounds(relation, symbol, sign_at(at or {}))
    return combined(found) if found else None


def sign_at(point: dict[sympy.Symbol, float]) -> Sign:
    """Signs of expressions at a point; symbols without a value count as 1.

    Sums without a value for each symbol have no sign: it would be a guess.
    """

    def sign(expr: sympy.Expr) -> int | None:
        known = {s: point.get(s) for s in expr.free_symbols}
        if any(value is None for value in known.values()):
            positive = expr.subs({s: sympy.Dummy(positive=True) for s in expr.free_symbols})
            return 1 if positive.is_positive else -1 if positive.is_negative else None
        value = expr.subs(known).evalf()
        return None if not value.is_Float and not value.is_Rational else int(sympy.sign(value))

    return sign


def combined(found: list[Bound]) -> sympy.Expr | None:
    """One expression for bounds on one side: the largest lower or the smallest upper bound."""
    sides, exprs = {bound.lower for bound in found}, [bound.expr for bound in found]
    complex_ones = (expr.is_extended_real is False or (expr.is_number and not expr.is_comparable)
                    for expr in exprs)  # roots of what has none
    if len(sides) != 1 or any(complex_ones):
        return None
    return (sympy.Max if sides == {True} else sympy.Min)(*exprs)


class _Inverter:
    def __init__(self, symbol: sympy.Symbol, sign: Sign) -> None:
        self.symbol, self.sign = symbol, sign

    def below(self, small: sympy.Expr, large: sympy.Expr, strict: bool) -> list[Bound] | None:
        """Bounds equivalent to small <= large."""
        left, right = small.has(self.symbol), large.has(self.symbol)
        if left and right:
            return self._both(small, large, strict)
        if left:
            return self._undo(small, large, True, strict)
        if right:
            return self._undo(large, small, False, strict)
        return []

    def _both(self, small: sympy.Expr, large: sympy.Expr, strict: bool) -> list[Bound] | None:
        for side, other, upper in ((small, large, True), (large, small, False)):
            splits = sympy.Max if upper else sympy.Min
            if isinstance(side, splits):
                parts = [
                    self.below(arg, other, strict) if upper else self.below(other, arg, strict)
                    for arg in side.args
                ]
                return None if None in parts else [b for part in parts for b in part or []]
        gap = sympy.together(small - large)
        top, bottom = sympy.fraction(gap)
        if bottom.has(self.symbol):
            # Only denominators that are powers or sums with one sign can be multiplied out.
            return None
        factor = self.sign(bottom)
        if factor is None or factor == 0:
            return None
        return self._undo(sympy.expand_mul(top * factor), sympy.S.Zero, True, strict)

    def _undo(
        self, f: sympy.Expr, g: sympy.Expr, upper: bool, strict: bool
    ) -> list[Bound] | None:
        """Bounds equivalent to f <= g (upper) or f >= g, where only f has the symbol."""
        if f == self.symbol:
            return [Bound(not upper, g, strict)]
        if isinstance(f, EXTREMES):
            return self._undo_extreme(f, g, upper, strict)
        if f.is_Add:
            fixed, moving = f.as_independent(self.symbol, as_Add=True)
            if fixed != 0:
                inner = self._undo(moving, g - fixed, upper, strict)
                if inner is not None:
                    return inner
            return self._polynomial(f, g, upper, strict)
        if f.is_Mul:
            fixed, moving = f.as_independent(self.symbol, as_Add=False)
            if fixed != 1:
                factor = self.sign(fixed)
                if factor in (None, 0):
                    return None
                return self._undo(moving, g / fixed, upper == (factor == 1), strict)
            return self._reciprocal(f, g, upper, strict) or self._polynomial(f, g, upper, strict)
        if f.is_Pow and not f.exp.has(self.symbol):
            return self._undo_power(f, g, upper, strict)
        if isinstance(f, sympy.log):
            return self._undo(f.args[0], sympy.exp(g), upper, strict)
        if isinstance(f, sympy.exp):
            if self.sign(g) != 1:
                return None
            return self._undo(f.args[0], sympy.log(g), upper, strict)
        if f.is_Pow and not f.base.has(self.symbol) and self.sign(f.base) == 1:
            rising = self.sign(f.base - 1)
            if rising in (None, 0) or self.sign(g) != 1:
                return None
            ratio = sympy.log(g) / sympy.log(f.base)
            return self._undo(f.exp, ratio, upper == (rising == 1), strict)
        if isinstance(f, sympy.ceiling) and upper and not strict:
            return self._undo(f.args[0], sympy.floor(g), True, False)
        return None

    def _undo_extreme(
        self, f: sympy.Expr, g: sympy.Expr, upper: bool, strict: bool
    ) -> list[Bound] | None:
        moving = [arg for arg in f.args if arg.has(self.symbol)]
        inner = [self._undo(arg, g, upper, strict) for arg in moving]
        if None in inner:
            return None
        if isinstance(f, sympy.Max) == upper:
            # Every argument has to obey; those without the symbol are conditions of their own.
            return [bound for found in inner for bound in found or []]
        fixed = [arg for arg in f.args if not arg.has(self.symbol)]
        met = [self.sign(g - arg) for arg in fixed]
        if any(side in ((1, 0) if upper else (-1, 0)) for side in met):
            return []
        if any(len(found or []) != 1 for found in inner):
            return None
        single = [found[0] for found in inner if found]
        if len({bound.lower for bound in single}) != 1:
            return None
        join = sympy.Min if single[0].lower else sympy.Max
        return [Bound(single[0].lower, join(*[b.expr for b in single]), strict)]

    def _undo_power(
        self, f: sympy.Expr, g: sympy.Expr, upper: bool, strict: bool
    ) -> list[Bound] | None:
        exponent, base = f.exp, f.base
        side = self.sign(exponent)
        # A positive power is at most g only where g is positive: what is not known may be that.
        if side in (None, 0) or self.sign(g) == -1:
            return None
        if side == -1 and self.sign(g) == 0:
            return None
        # On the branch base > 0; an even power also has the mirrored solution, which the
        # comparison with the numerical answer would expose.
        return self._undo(base, _root(g, exponent), upper == (side == 1), strict)

    def _reciprocal(
        self, f: sympy.Expr, g: sympy.Expr, upper: bool, strict: bool
    ) -> list[Bound] | None:
        top, bottom = sympy.fraction(f)
        if top.has(self.symbol):
            side = self.sign(bottom)  # at the answer, if the caller's sign knows it
            if side in (None, 0) or not bottom.has(self.symbol):
                return None
            gap = sympy.expand_mul(top) - sympy.expand_mul(g * bottom)
            return self._polynomial(gap, sympy.S.Zero, upper == (side == 1), strict)
        if self.sign(g) != 1 or self.sign(top) != 1:
            return None
        return self._undo(sympy.expand_mul(bottom), top / g, not upper, strict)

    def _polynomial(
        self, f: sympy.Expr, g: sympy.Expr, upper: bool, strict: bool
    ) -> list[Bound] | None:
        x = self.symbol
        if any(extreme.has(x) for extreme in f.atoms(*EXTREMES)):
            return None
        powers = {term.exp if term.is_Pow else sympy.S.One for term in _powers(f, x)}
        if not all(power.is_Rational for power in powers):
            return None
        step = min(powers, default=sympy.S.One, key=abs)
        if step.is_Rational and step not in (1, -1) and all((p / step).is_Integer for p in powers):
            y = sympy.Dummy("y", positive=True)
            lifted = sympy.expand_mul(f).replace(
                lambda e: e == x or (e.is_Pow and e.base == x),
                lambda e: y ** ((e.exp if e.is_Pow else sympy.S.One) / step),
            )
            if lifted.has(x):
                return None
            inner = _Inverter(y, self.sign)._undo(lifted, g, upper, strict)
            if inner is None:
                return None
            return [Bound(b.lower == (step > 0), b.expr ** (1 / step), b.strict) for b in inner]
        poly = sympy.expand_mul(f).as_poly(x)
        if poly is None or poly.degree() not in (1, 2):
            return None
        if any(c.has(x) for c in poly.all_coeffs()):
            return None
        if poly.degree() == 1:
            a, b = poly.all_coeffs()
            b -= g
            side = self.sign(a)
            if side in (None, 0):
                return None
            return [Bound(upper != (side == 1), -b / a, strict)]
        a, b, c = poly.all_coeffs()
        c -= g
        side = self.sign(a)
        if side in (None, 0):
            return None
        # Beyond its larger root a parabola has the sign of its leading coefficient.
        half = b / (2 * a)
        root = sympy.sqrt(half**2 - c / a) - half
        return [Bound(upper != (side == 1), root, strict)]


def _root(g: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    return g ** (1 / exponent)


def _powers(f: sympy.Expr, x: sympy.Symbol) -> list[sympy.Expr]:
    found = [e for e in f.atoms(sympy.Pow) if e.base == x and not e.exp.has(x)]
    rest = f.xreplace({e: sympy.Dummy() for e in found})
    return [*found, x] if rest.has(x) else found
