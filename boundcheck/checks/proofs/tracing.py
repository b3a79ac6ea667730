"""Formulas of definitions: a quantity's own Python code run on symbols instead of numbers.

A traced number records the SymPy expression that the code computes. Every comparison whose outcome
is open is followed both ways, so that the result is piecewise on the conditions met. What is not
arithmetic on numbers (loops over a free size, entries of a matrix, conversions that drop digits)
raises Untraceable: the quantity then stays an unknown number.
"""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sympy
from flint import arb, fmpq, fmpz


class Untraceable(Exception):
    """Code that is no formula in its arguments; the text says what it does instead.

    `facts` are declared of the value all the same.
    """

    def __init__(self, reason: str, facts: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.facts = facts


DECISIONS = 32  # of one run: a loop that goes on while a number is large decides without end
STEPS = 20_000  # operations of one run


class Path:
    """The decisions of one run: those replayed, then the first side of every new one.

    A run has fuel for so many decisions and operations, not for a time: the same on any machine.
    """

    def __init__(self, decisions: tuple[bool, ...]) -> None:
        self.steps = 0
        self.decisions = list(decisions)
        self.met: list[sympy.Basic] = []
        self.needed: list[sympy.Basic] = []

    def decide(self, condition: sympy.Basic) -> bool:
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        if condition in self.met:
            return True
        if sympy.Not(condition) in self.met:
            return False
        place = len(self.met)
        if place >= DECISIONS:
            raise Untraceable("goes on for as long as a number decides")
        if place >= len(self.decisions):
            self.decisions.append(True)
        side = self.decisions[place]
        self.met.append(condition if side else sympy.Not(condition))
        return side

    def step(self) -> None:
        """One operation on numbers. Raises: Untraceable if the run has no fuel left."""
        self.steps += 1
        if self.steps > STEPS:
            raise Untraceable("computes without end")

    def need(self, condition: sympy.Basic) -> None:
        """What must hold for the code to return; under the conditions met so far."""
        if condition is not sympy.true:
            self.needed.append(sympy.Implies(sympy.And(*self.met), condition))


_paths: list[Path] = []


@contextmanager
def following(path: Path) -> Iterator[None]:
    """Within it, comparisons are decided by this path and what code needs is noted there."""
    _paths.append(path)
    try:
        yield
    finally:
        _paths.pop()


def need(condition: sympy.Basic) -> None:
    """What must hold for the code that runs now to return."""
    _paths[-1].need(condition)


class Condition:
    """A comparison of traced numbers; as a truth value it chooses a path."""

    def __init__(self, relation: sympy.Basic) -> None:
        self.relation = relation

    def __bool__(self) -> bool:
        return _paths[-1].decide(self.relation)

    def __int__(self) -> int:
        return int(bool(self))

    __index__ = __int__

    def _with(self, operation: Callable[[Any, Any], Any], other: Any) -> Any:
        return operation(int(self), int(other) if isinstance(other, Condition) else other)

    def __add__(self, other: Any) -> Any:
        return self._with(lambda a, b: a + b, other)

    def __sub__(self, other: Any) -> Any:
        return self._with(lambda a, b: a - b, other)

    def __mul__(self, other: Any) -> Any:
        return self._with(lambda a, b: a * b, other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> Any:
        return other - int(self)

    def __eq__(self, other: Any) -> Any:
        return bool(self) == (bool(other) if isinstance(other, Condition) else other)

    __hash__ = None  # type: ignore[assignment]


class Traced:
    """A number known as an expression.

    Args: loose: it may be no number after all, as no statement speaks of it.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expr: sympy.Expr, loose: bool = False) -> None:
        self.expr, self.loose = expr, loose

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        value = expression(other)
        if _paths:
            _paths[-1].step()
        return NotImplemented if value is None else Traced(operation(self.expr, value))

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, quotient)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: quotient(b, a))

    def __floordiv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: sympy.floor(quotient(a, b)))

    def __pow__(self, other: Any) -> Any:
        return self._with(other, raised)

    def __rpow__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: raised(b, a))

    def __neg__(self) -> Traced:
        return Traced(-self.expr)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return Traced(sympy.Abs(self.expr))

    def _compared(self, other: Any, kind: Any) -> Any:
        value = expression(other)
        return NotImplemented if value is None else Condition(kind(self.expr, value))

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, sympy.Lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, sympy.Le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, sympy.Gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, sympy.Ge)

    def __eq__(self, other: Any) -> Any:
        if other is None or isinstance(other, (str, tuple, list)):
            raise Untraceable("compares a number with something else")
        return self._compared(other, sympy.Eq)

    def __ne__(self, other: Any) -> Any:
        return self._compared(other, sympy.Ne)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __int__(self) -> int:
        raise Untraceable("rounds or counts up to a number that is free")

    __index__ = __float__ = __int__

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            return functools.partial(METHODS[name], self)
        raise Untraceable(f"uses .{name} of {self.expr}, which is no number")

    def _entries(self, *_: Any) -> Any:
        raise Untraceable(f"uses entries of {self.expr}, which is no number")

    __iter__ = __len__ = __getitem__ = __contains__ = _entries

    def _written(self, *_: Any) -> Any:
        raise Untraceable("uses the digits of a number")

    __str__ = __repr__ = __format__ = _written


class Unknown:
    """A value that is no single number; any use of it ends the trace.

    Args: reason: what is asked of it by code that needs it. facts: declared of it all the same.
    """

    def __init__(self, reason: str, facts: tuple[str, ...] = ()) -> None:
        object.__setattr__(self, "_reason", reason)
        object.__setattr__(self, "_facts", facts)

    def told(self) -> Untraceable:
        """What is known of it, as the error that its use would be."""
        look = object.__getattribute__
        return Untraceable(look(self, "_reason"), look(self, "_facts"))

    def _used(self, *_: Any) -> Any:
        raise Untraceable(object.__getattribute__(self, "_reason"))

    __getattr__ = __iter__ = __len__ = __getitem__ = __call__ = __bool__ = __int__ = _used
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _used
    __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = __contains__ = __hash__ = _used
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __float__ = __index__ = _used  # type: ignore[assignment]
    __str__ = __repr__ = __format__ = _used


def expression(value: Any) -> sympy.Expr | None:
    """The expression of a number; None for what is no number. Raises: Untraceable for a float."""
    if isinstance(value, Traced):
        return value.expr
    if isinstance(value, Condition):
        return sympy.Integer(int(value))
    if isinstance(value, (bool, int)):
        return sympy.Integer(int(value))
    if isinstance(value, fmpz):
        return sympy.Integer(int(value))
    if isinstance(value, fmpq):
        return sympy.Rational(int(value.p), int(value.q))
    if isinstance(value, (float, arb)):
        raise Untraceable("uses a number known to some digits only")
    return None


def number(value: Any) -> sympy.Expr:
    """The expression of what must be a number. Raises: Untraceable."""
    found = expression(value)
    if found is None:
        if isinstance(value, Unknown):
            raise value.told()
        raise Untraceable(f"takes a {type(value).__name__} for a number")
    return found


def quotient(top: sympy.Expr, bottom: sympy.Expr) -> sympy.Expr:
    """top / bottom, where the code divides."""
    _paths[-1].need(sympy.Ne(bottom, 0))
    return top / bottom


def raised(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """base ** exponent; a whole exponent may be negative where the base is not zero."""
    if exponent.is_Integer:
        if exponent < 0:
            _paths[-1].need(sympy.Ne(base, 0))
    else:
        # A zero or negative base has a value for some exponents only; those are left out.
        positive = sympy.Gt(base, 0)
        root = exponent.is_Rational and exponent > 0
        _paths[-1].need(sympy.Ge(base, 0) if root else positive)
    return base**exponent


def root(value: Any) -> Any:
    """Square root of a traced number."""
    inner = number(value)
    _paths[-1].need(sympy.Ge(inner, 0))
    return Traced(sympy.sqrt(inner))


def logarithm(value: Any) -> Any:
    """Logarithm of a traced number."""
    inner = number(value)
    _paths[-1].need(sympy.Gt(inner, 0))
    return Traced(sympy.log(inner))


def function_of(function: Any) -> Callable[[Any], Any]:
    """A SymPy function as one of traced numbers."""
    return lambda value: Traced(function(number(value)))


def _extreme(kind: Any, native: Callable[..., Any]) -> Callable[..., Any]:
    def pick(*values: Any, **options: Any) -> Any:
        found = list(iter(values[0])) if len(values) == 1 else list(values)
        if options or not found or not any(isinstance(v, Traced) for v in found):
            return native(found, **options)
        return Traced(kind(*[number(v) for v in found]))

    return pick


largest, least = _extreme(sympy.Max, builtins.max), _extreme(sympy.Min, builtins.min)


METHODS: dict[str, Callable[..., Any]] = {
    "sqrt": root, "log": logarithm, "exp": function_of(sympy.exp), "sin": function_of(sympy.sin),
    "cos": function_of(sympy.cos), "floor": function_of(sympy.floor),
    "ceil": function_of(sympy.ceiling),
    "log1p": lambda value: logarithm(value + 1), "max": largest, "min": least,
    "nonnegative_part": lambda value: largest(value, 0),
}  # fmt: skip
