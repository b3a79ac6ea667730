"""Expressions in floats over rows, an array operation for each node.

Rows are worlds and outcomes (`pool`) or numbers at will (`Free`). Floats only decide what is not
worth an exact look; where terms cancel they decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.expressions.nodes import Node
from boundcheck.worlds.fields import Integer, Real

LOST = 1e-6  # of the largest term; of a sum below it floats keep few digits
LARGE = sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.binomial, sympy.factorial, sympy.gamma
WHOLE = (sympy.Sum, sympy.Product, sympy.Piecewise, sympy.MatrixExpr, Node)


@lru_cache(maxsize=4096)
def _node(function: Any, arity: int) -> Any:
    """The NumPy function of one kind of node."""
    if function is sympy.binomial:  # by gamma functions it overflows where its values are small
        from scipy.special import binom

        return binom
    names = sympy.symbols(f"a0:{arity}", real=True)
    if issubclass(function, (sympy.Rel,)):
        return sympy.lambdify(names, function(*names, evaluate=False), modules=("scipy", "numpy"))
    return sympy.lambdify(names, function(*names), modules=("scipy", "numpy"))


class Columns:
    """Expressions in floats over rows; subclasses say what the columns are."""

    rows: int

    def __init__(self) -> None:
        self._columns: dict[str, Any] = {}
        self._values: dict[sympy.Basic, Any] = {}
        self._lost: dict[str | sympy.Basic, Any] = {}
        self._beyond: dict[sympy.Basic, Any] = {}  # rows in which it is too large for floats

    def column(self, name: str) -> Any:
        """Floats of one name, NaN where it has no value; None if it is no number."""
        if name not in self._columns:
            self._columns[name] = self._filled(name)
        return self._columns[name]

    def _filled(self, name: str) -> Any:
        raise NotImplementedError

    def evaluate(self, expr: sympy.Basic) -> Any:
        """Values of an expression over the rows; None if a part of it is no number."""
        import numpy

        if expr in self._values:
            return self._values[expr]
        if isinstance(expr, sympy.Symbol):
            value = self.column(expr.name)
        elif not expr.free_symbols and not isinstance(expr, sympy.logic.boolalg.Boolean):
            value = numpy.full(self.rows, _float(expr))
        elif isinstance(expr, WHOLE):
            value = self.whole(expr)
        else:
            value = self._applied(expr)
        self._values[expr] = value
        return value

    def whole(self, expr: sympy.Basic) -> Any:
        """Floats of an expression that arrays cannot follow inside; None if it is no number."""
        raise NotImplementedError

    def _applied(self, expr: sympy.Basic) -> Any:
        import numpy

        parts = [self.evaluate(arg) for arg in expr.args]
        if any(part is None for part in parts):
            return None
        try:
            with numpy.errstate(all="ignore"):
                value = numpy.asarray(_node(expr.func, len(parts))(*parts))
        except Exception:  # whatever lambdified functions do with arrays they were not made for
            return None
        self._cancelled(expr, parts, value)
        return numpy.broadcast_to(value, (self.rows,))

    def _cancelled(self, expr: sympy.Basic, parts: Sequence[Any], value: Any) -> None:
        """Keep in which rows terms of an expression cancel, so that its digits are lost."""
        import numpy

        lost = none_of(self.rows)
        for arg in expr.args:
            lost = lost | self.lost(arg)
        if isinstance(expr, sympy.Add):
            largest = numpy.max([numpy.abs(part) for part in parts], axis=0)
            lost = lost | ((numpy.abs(value) <= LOST * largest) & (largest > 0))
        if isinstance(expr, sympy.log):  # the digits of its argument beyond 1 are few
            lost = lost | ((numpy.abs(value) <= LOST) & (value != 0))
        lost = lost | self._too_large(expr, parts, value)
        if lost.any():
            self._lost[expr] = lost

    def _too_large(self, expr: sympy.Basic, parts: Sequence[Any], value: Any) -> Any:
        """Rows in which an expression is no number in floats by a part that is too large for them,
        as n**n times k**(-k)."""
        import numpy

        infinite = numpy.isinf(value)
        known = [self._beyond[arg] for arg in expr.args if arg in self._beyond]
        if not known and not (isinstance(expr, LARGE) and infinite.any()):
            return False
        beyond = numpy.any([none_of(self.rows), *known], axis=0)
        if isinstance(expr, LARGE) and infinite.any():
            finite = numpy.all([numpy.isfinite(part) for part in parts], axis=0)
            zero = parts[0] == 0 if isinstance(expr, sympy.Pow) else False  # no value at all
            beyond = beyond | (finite & numpy.logical_not(zero))
        kept = beyond & infinite
        if kept.any():
            self._beyond[expr] = kept
        return beyond & numpy.isnan(value)

    def lost(self, expr: sympy.Basic) -> Any:
        """Rows in which floats say nothing of an expression that has been evaluated."""
        return self._lost.get(expr.name if isinstance(expr, sympy.Symbol) else expr, False)


class Free(Columns):
    """Every symbol of a claim at will inside its domain, whatever the range search looks in.

    Measured symbols are positive numbers. What an edit makes of a bound far outside the range of
    search is seen here.
    """

    rows = 256

    def __init__(self, claim: Claim, rng: Any) -> None:
        super().__init__()
        self.claim = claim
        self.rng = rng
        self.fields = claim.fields
        self._grown: dict[str, Free] = {}

    def grown(self, name: str) -> Free:
        """The same numbers, one of them eight times as large."""
        if name not in self._grown:
            self._grown[name] = _Grown(self, name)
        return self._grown[name]

    def whole(self, expr: sympy.Basic) -> Any:
        """A positive number, like what is measured."""
        return self.column(str(expr)) if expr.is_commutative else None

    def _filled(self, name: str) -> Any:
        import numpy

        field = self.fields.get(name)
        scale = 10.0 ** self.rng.uniform(-3, 3, self.rows)
        low, high = (_end(field, side) for side in ("low", "high"))
        if isinstance(field, Integer):
            return numpy.ceil((low or 0) + scale)
        if low is None and isinstance(field, Real):
            return scale * self.rng.choice((-1, 1), self.rows)
        if low is None or high is None:
            return (low or 0.0) + scale
        return low + (high - low) * scale / (1 + scale)


class _Grown(Free):
    """The numbers of another one, one of them eight times as large."""

    def __init__(self, base: Free, name: str) -> None:
        super().__init__(base.claim, base.rng)
        self.base, self.name = base, name

    def _filled(self, name: str) -> Any:
        return self.base.column(name) * (8 if name == self.name else 1)


def _end(field: Any, side: str) -> float | None:
    """An end of a field of numbers that binds the statement, or None."""
    end = getattr(field, side, None)
    try:
        return None if end is None else float(Fraction(end))
    except (TypeError, ValueError):  # the name of another field
        return None


def none_of(rows: int) -> Any:
    """No row at all, as a mask."""
    import numpy

    return numpy.zeros(rows, bool)


def _float(expr: sympy.Basic) -> float:
    try:
        return float(expr)
    except (TypeError, ValueError):
        return float("nan")
