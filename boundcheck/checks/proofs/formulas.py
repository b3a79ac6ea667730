"""The formula of a definition: its own code run with traced numbers in place of exact ones.

Functions of the library are run with `fmpq`, `arb` and the exact arithmetic exchanged for what does
the same to traced numbers. A library function that is no formula gives an unknown value.
"""

from __future__ import annotations

import builtins
import dis
import functools
import inspect
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import arithmetic
from boundcheck.checks.proofs.rows import LENGTHS, Drawn, Row, Rows, exchanged
from boundcheck.checks.proofs.tracing import (
    Condition,
    Path,
    Traced,
    Unknown,
    Untraceable,
    expression,
    following,
    function_of,
    largest,
    least,
    logarithm,
    number,
    quotient,
    raised,
    root,
)
from boundcheck.checks.proofs.trusted import (
    FOREIGN,
    cached,
    declared_facts,
    foreign,
    own_code,
    readable_builtins,
    root_of,
)

METHODS = "calls methods of an object"
PATHS = 24
# Code that looks at values without asking them: what it does with an unknown one is unknown.
HANDLERS = ("PUSH_EXC_INFO", "SETUP_FINALLY", "MATCH_")
IDENTITY = ("IS_OP", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE", "POP_JUMP_FORWARD_IF_NO",
            "POP_JUMP_BACKWARD_IF_NO")  # fmt: skip
OPERATIONS = 250
OUTSIDE = "changes or reads what other calls may change"


def _sign(value: Any) -> int:
    inner = Traced(number(value))
    return 1 if inner > 0 else (0 if inner == 0 else -1)


def _as_number(*values: Any) -> Any:
    if len(values) == 2:
        return Traced(quotient(number(values[0]), number(values[1])))
    if not values:
        return Traced(sympy.S.Zero)
    if isinstance(values[0], str):
        return fmpq(*[int(part) for part in values[0].split("/")])
    return Traced(number(values[0]))


def _as_ball(*values: Any) -> Any:
    if len(values) > 1:
        raise Untraceable("uses a number known to some digits only")
    return _as_number(*values)


class _Ball:
    """Stands for `arb` in traced code: a ball is the number in it."""

    __call__ = staticmethod(lambda *values: _as_ball(*values))
    pi = staticmethod(lambda: Traced(sympy.pi))
    const_e = staticmethod(lambda: Traced(sympy.E))


class _Fraction:
    """Stands for `fmpq` in traced code."""

    __call__ = staticmethod(_as_number)


BALL, FRACTION = _Ball(), _Fraction()


def _is_instance(value: Any, kinds: Any) -> bool:
    group = kinds if isinstance(kinds, tuple) else (kinds,)
    meant = tuple(
        kind.original if isinstance(kind, _Exchanged)
        else arb if kind is BALL else fmpq if kind is FRACTION else int if kind is _whole else kind
        for kind in group
    )
    if isinstance(value, Unknown):
        raise value.told()
    if isinstance(value, Traced):
        if value.loose:
            raise Untraceable("asks what kind of value it is")
        if (int in meant) != (fmpq in meant):
            raise Untraceable("asks how a number is stored")
        return fmpq in meant
    return isinstance(value, meant)


def _whole(value: Any) -> Any:
    if isinstance(value, Condition):
        return int(value)
    if isinstance(value, Traced):
        if not value.expr.is_Integer:
            value.__int__()
        return int(value.expr)
    return int(value)


PLAIN = {
    "max": largest, "min": least, "isinstance": _is_instance, "int": _whole,
    "abs": lambda value: abs(value), "type": lambda value: _untraced_type(value),
}  # fmt: skip
KNOWN: dict[Any, Any] = {
    arithmetic.square_root: root,
    arithmetic.exponential: function_of(sympy.exp),
    arithmetic.logarithm: logarithm,
    arithmetic.reciprocal: lambda value: Traced(quotient(sympy.S.One, number(value))),
    arithmetic.to_ball: lambda value: Traced(number(value)),
    arithmetic.is_exact: lambda value: expression(value) is not None,
    arithmetic.sign: _sign,
    arithmetic.add: lambda a, b: Traced(number(a) + number(b)),
    arithmetic.multiply: lambda a, b: Traced(number(a) * number(b)),
    arithmetic.power: lambda a, b: Traced(raised(number(a), number(b))),
    arithmetic.integer_power: lambda a, b: Traced(raised(number(a), number(b))),
    arb: BALL,
    fmpq: FRACTION,
}


def _untraced_type(value: Any) -> Any:
    if isinstance(value, (Traced, Unknown)):
        raise Untraceable("asks for the type of a number")
    return type(value)


def _own(function: Any) -> bool:
    return root_of(function) not in FOREIGN


class _Rebound:
    """Functions of the library with the names in `KNOWN` and `PLAIN` exchanged."""

    def __init__(self, rows: Rows) -> None:
        self.made: dict[Any, Any] = {}
        self.careful = 0  # calls under way of code that asks whether values are missing
        self.builtins = {
            **readable_builtins(), **PLAIN, **exchanged(rows), "__import__": self._import,
        }  # fmt: skip

    def value(self, value: Any) -> Any:
        try:
            known = KNOWN.get(value)
        except (TypeError, ValueError):  # without a hash, as lists and balls are
            known = None
        if known is not None:
            return known
        if isinstance(value, types.ModuleType):
            return _Exchanged(value, self)
        inner = cached(value) or own_code(value)
        if inner is not value:
            return self.value(inner)
        if isinstance(value, types.FunctionType):
            return self.function(value) if _own(value) else foreign(value)
        if isinstance(value, types.BuiltinFunctionType):
            plain = root_of(value) in FOREIGN and not _bound_to_object(value)
            return foreign(value) if plain else Unknown(OUTSIDE)
        if isinstance(value, functools.partial):
            named = {key: self.value(item) for key, item in value.keywords.items()}
            return functools.partial(
                self.value(value.func), *[self.value(item) for item in value.args], **named
            )
        # What calls share may change between them; code sees it as it is and cannot change it.
        if type(value) in (tuple, list):
            return tuple(self.value(item) for item in value)
        if type(value) is dict:
            return types.MappingProxyType({k: self.value(item) for k, item in value.items()})
        if isinstance(value, (set, bytearray)) or hasattr(value, "__next__"):
            return Unknown(OUTSIDE)
        if _has_methods(value if isinstance(value, type) else type(value)):
            return _Exchanged(value, self) if isinstance(value, type) else Unknown(METHODS)
        return Unknown(METHODS) if isinstance(value, types.MethodType) else value

    def function(self, function: types.FunctionType) -> Any:
        if function in self.made:
            return self.made[function]
        space: dict[str, Any] = {"__builtins__": self.builtins}
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        defaults = tuple(self.value(item) for item in function.__defaults__ or ())
        made = types.FunctionType(function.__code__, space, function.__name__, defaults, cells)
        named = function.__kwdefaults__ or {}
        made.__kwdefaults__ = {key: self.value(item) for key, item in named.items()}
        known = declared_facts(function)
        keeps = _keeps(function.__code__)
        careful = _has(function.__code__, IDENTITY)
        handles = _has(function.__code__, HANDLERS) or any(
            name.startswith("__") for name in _names(function.__code__)
        )

        def run(*values: Any, **options: Any) -> Any:
            self.careful += careful
            try:
                if keeps:
                    raise Untraceable(OUTSIDE)
                if handles:
                    raise Untraceable("handles errors, matches patterns or looks inside objects")
                if careful and any(_vague(v) for v in (*values, *options.values())):
                    raise Untraceable("asks whether a value is missing")
                return made(*values, **options)
            except Untraceable as error:  # what is declared of the value may be enough
                if self.careful > careful:  # a caller asks whether this value is missing
                    raise
                return Unknown(str(error), known)
            finally:
                self.careful -= careful

        self.made[function] = run
        for name in _names(function.__code__):
            if name in function.__globals__:
                space[name] = self.value(function.__globals__[name])
        for cell, kept in zip(cells, function.__closure__ or (), strict=True):
            try:
                cell.cell_contents = self.value(kept.cell_contents)
            except ValueError:  # a name not bound yet
                continue
        return run

    def _import(self, *arguments: Any) -> Any:
        module = builtins.__import__(*arguments)
        return self.value(module)


def _has_methods(kind: type) -> bool:
    """Whether a class has methods of its own; those would see names that are not exchanged."""
    if not _own(kind) or issubclass(kind, (BaseException, Traced, Unknown, Condition)):
        return False
    return any(
        isinstance(item, (types.FunctionType, property, classmethod, staticmethod))
        and getattr(getattr(item, "__code__", None), "co_filename", "") != "<string>"
        for item in vars(kind).values()
    )


class _Exchanged:
    """A module or class seen through the exchanged names."""

    def __init__(self, original: Any, rebound: _Rebound) -> None:
        self.original, self._rebound = original, rebound

    def __getattr__(self, name: str) -> Any:
        return self._rebound.value(getattr(self.original, name))

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Untraceable(METHODS)


def _bound_to_object(function: Any) -> bool:
    """Whether a builtin is a method of some object, which may remember calls."""
    home = getattr(function, "__self__", None)
    return home is not None and not isinstance(home, types.ModuleType)


def _keeps(code: types.CodeType) -> bool:
    """Whether code keeps something between calls: names of the module or of an outer function."""
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR"):
            return True
        if step.opname in ("STORE_DEREF", "DELETE_DEREF") and step.argval in code.co_freevars:
            return True
    return any(_keeps(const) for const in code.co_consts if isinstance(const, types.CodeType))


def _has(code: types.CodeType, operations: tuple[str, ...]) -> bool:
    """Whether some operations occur in code or in functions within it."""
    return any(step.opname.startswith(operations) for step in dis.get_instructions(code)) or any(
        _has(const, operations) for const in code.co_consts if isinstance(const, types.CodeType)
    )


def _vague(value: Any) -> bool:
    """Whether a value may be missing or no number, for all that is known of it."""
    if isinstance(value, (tuple, list)):
        return any(_vague(item) for item in value)
    if isinstance(value, (Row, Drawn)):
        return False
    return isinstance(value, Unknown) or (isinstance(value, Traced) and value.loose)


def _names(code: types.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return set(code.co_names).union(*[_names(part) for part in inner])


@dataclass(frozen=True)
class Formula:
    """What a definition computes, and what must hold for it to have a value."""

    expr: sympy.Expr
    needed: tuple[sympy.Basic, ...] = ()


def formula(
    definition: Callable[..., Any], arguments: Sequence[Any], rows: Rows | None = None
) -> Formula:
    """The formula of a definition at these arguments: Traced, Unknown, text, tuples of them.

    Args: rows: where entries of rows and extremes over them are kept.

    Raises: Untraceable with the reason why the code is no formula.

    >>> x = sympy.Symbol("x", real=True)
    >>> formula(lambda x: max(x, 0) / 2, [Traced(x)]).expr
    Max(0, x)/2
    >>> formula(lambda x: 1 if x > 3 else x, [Traced(x)]).expr
    Piecewise((1, x > 3), (x, True))
    """
    rows = Rows() if rows is None else rows
    run = _Rebound(rows).value(own_code(definition))
    if not callable(run):
        raise Untraceable("is no function of the library")
    before = len(rows.sizes)
    found = _every_path(run, arguments, rows)
    for length in LENGTHS if len(rows.sizes) > before else ():
        with rows.of_length(length):
            if _every_path(run, arguments, rows) != found:
                raise Untraceable("counts over rows whose size is free")
    return found


def _every_path(run: Callable[..., Any], arguments: Sequence[Any], rows: Rows) -> Formula:
    branches: list[tuple[sympy.Expr, sympy.Basic]] = []
    needed: list[sympy.Basic] = []
    waiting: list[tuple[bool, ...]] = [()]
    while waiting:
        if len(branches) + len(waiting) > PATHS:
            raise Untraceable("branches too often")
        path = Path(waiting.pop())
        rows.open.clear()
        try:
            with following(path):
                result = run(*arguments)
                if isinstance(result, Unknown):
                    raise result.told()
                value = expression(result)
            if value is None:
                raise Untraceable("is no single number")
            left = [value, *path.met, *path.needed]
            if rows.open or any(rows.loose(part) for part in left):
                raise Untraceable("adds or counts over rows whose size is free")
            branches.append((value, sympy.And(*path.met)))
        except ArithmeticError:  # Undefined, Undecided or a division of plain numbers by zero
            needed.append(sympy.Not(sympy.And(*path.met)))
        except Untraceable:
            raise
        except Exception as error:
            raise Untraceable("does more than arithmetic with a number") from error
        needed += path.needed
        known = len(path.met)
        start = _replayed(path)
        waiting += [
            (*path.decisions[:place], False)
            for place in range(start, known) if path.decisions[place]
        ]  # fmt: skip
    return _assembled(branches, needed)


def _replayed(path: Path) -> int:
    """How many decisions end with the last second side: what follows was chosen in this run."""
    places = [place for place, side in enumerate(path.decisions) if not side]
    return places[-1] + 1 if places else 0


def _assembled(
    branches: list[tuple[sympy.Expr, sympy.Basic]], needed: list[sympy.Basic]
) -> Formula:
    if not branches:
        raise Untraceable("has no value")
    if all(value == branches[0][0] for value, _ in branches):
        expr = branches[0][0]
    else:
        # Every path was followed, so the last one needs no condition of its own.
        *rest, last = branches
        expr = sympy.Piecewise(*rest, (last[0], True), evaluate=False)
    if sympy.count_ops(expr) > OPERATIONS or expr.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I):
        raise Untraceable("is too long a formula")
    return Formula(expr, tuple(c for c in needed if c is not sympy.true))


def parameters(definition: Callable[..., Any]) -> tuple[str, ...]:
    """Argument names of a plain rule."""
    return tuple(inspect.signature(definition).parameters)

