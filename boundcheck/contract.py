"""The contract of quantities, held at the one place where definitions are called.

A quantity is a pure function with exact values: the same arguments give the same value, which is an
integer, a rational, a ball or a matrix of these; text, tuples and objects only where no relation
reads them. A symbol that commutes stands for a number, one that does not for a matrix, of the sizes
that it states. Where it has no value it raises `Undefined`. Anything else is a defect of the
statement, never a verdict on it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz, fmpz_mat

from boundcheck.arithmetic import PRECISIONS, Value, precision, whole
from boundcheck.encoding import show
from boundcheck.errors import Broken, Undecided, Undefined
from boundcheck.exact import value_of
from boundcheck.faults import frames, is_ours, place, said
from boundcheck.wholes import Whole, handed

if TYPE_CHECKING:
    from boundcheck.setting import Setting

NUMBERS = (int, fmpz, fmpq, arb)
MATRICES = (fmpq_mat, fmpz_mat, arb_mat)
SURE = frozenset({int, Whole, fmpz, fmpq, fmpq_mat})  # finite whatever they are
REFUSED = (float, complex, bool, type(None), list, dict, set)
Look = Callable[[str], Value]
REMEDY = (
    "return an int, fmpq, arb or a matrix of these, or raise Undefined where there is no value, "
    "Undecided where balls are too wide to give one"
)


def evaluated(
    name: str, quantity: Callable[..., Value], arguments: Sequence[Value],
    world: Callable[[], Mapping[str, Value]], printed: sympy.Basic | None, look: Look,
) -> Value:  # fmt: skip
    """The value of a quantity, if it keeps the contract.

    Args: world: gives that in which it is evaluated, for the message. printed: the symbol by which
    a relation reads it, or None. look: values by name, for the sizes that the symbol states.
    Raises: Undefined, Undecided as the quantity does; Broken for anything else.
    """
    try:
        value = quantity(*handed(arguments))
    except BaseException as error:
        if is_ours(error) or isinstance(error, MemoryError):
            raise
        file, line = place(frames(error))
        if not file:
            file, line = written(quantity)
        raise Broken(
            f"quantity {name} raised it: {said(error)}", exception=type(error).__name__, file=file,
            line=line, world=as_text(world()),
        ) from error  # fmt: skip
    wrong = defect(value, printed is not None)
    if wrong:
        raise _broken(name, quantity, f"is {wrong}; {REMEDY}", world())
    wrong = misshapen(value, printed, look) if printed is not None else ""
    if wrong:
        raise _broken(name, quantity, f"is {wrong}", world(), "shape")
    return value


def misshapen(value: Value, symbol: sympy.Basic, look: Look) -> str:
    """Where a value has another shape than its symbol, both in words and a remedy; else "".

    >>> misshapen(fmpq_mat(2, 1), sympy.Symbol("w", real=True), {}.__getitem__)
    'a 2 x 1 matrix, where w is declared a number; declare it with commutative=False'
    """
    found = _sizes(value)
    if symbol.is_commutative:
        return "" if found is None else (
            f"a {_times(found)} matrix, where {symbol} is declared a number; declare it with "
            "commutative=False")  # fmt: skip
    if found is None:
        return (f"the number {_short(value)}, where {symbol} is declared a matrix; declare it "
                "without commutative=False")  # fmt: skip
    stated = [_stated(size, look) for size in getattr(symbol, "shape", ())]
    if any(size not in (None, own) for size, own in zip(stated, found, strict=False)):
        return (f"a {_times(found)} matrix, where {symbol} is declared {_times(stated)}; "
                "mend its sizes or the definition")  # fmt: skip
    return ""


def _sizes(value: Value) -> tuple[int, int] | None:
    """Rows and columns; None of a number. A vector is a column."""
    if isinstance(value, tuple):
        return len(value), 1
    return (value.nrows(), value.ncols()) if isinstance(value, MATRICES) else None


def _stated(size: sympy.Basic, look: Look) -> int | None:
    """A size that a symbol states; None where it has no value here."""
    try:
        return whole(value_of(size, look))
    except (Undefined, Undecided, KeyError):
        return None


def _times(sizes: Sequence[int | None]) -> str:
    return " x ".join("?" if size is None else str(size) for size in sizes)


def require_shapes(setting: Setting, printed: Mapping[str, sympy.Basic]) -> None:
    """Hold values of world, parameters and draw against the symbols by which they are read.

    Raises: Broken naming the first that is a number for a matrix, or the other way round.
    """
    given = {**setting.values, **setting.outcome}
    for name, symbol in printed.items():
        value = given.get(name)
        wrong = misshapen(value, symbol, setting) if _is_numeric(value) else ""
        if wrong:
            raise Broken(f"{name} is {wrong}, or take another field", exception="shape",
                         world=as_text(setting.values))  # fmt: skip


def _is_numeric(value: Value) -> bool:
    return isinstance(value, (*NUMBERS, *MATRICES))


def defect(value: Value, printed: bool) -> str:
    """What is wrong with a value, in words; "" for one that keeps the contract.

    Args: printed: whether a relation reads it, so that it must be a number or a matrix.

    >>> defect(0.5, True)
    'the float 0.5'
    >>> defect((fmpq(1), None), False)
    'a tuple with None'
    >>> defect("uniform", False)
    ''
    """
    if type(value) in SURE or (not printed and type(value) is tuple
                               and SURE.issuperset(map(type, value))):  # fmt: skip
        return ""
    if isinstance(value, REFUSED) or type(value).__module__.partition(".")[0] == "numpy":
        text = repr(value)[:40] if isinstance(value, (float, complex, bool)) else ""
        return "None" if value is None else f"the {type(value).__name__} {text}".rstrip()
    if isinstance(value, (*NUMBERS, *MATRICES)):
        return "not finite" if _never_finite(value) else ""
    if printed:
        return f"the {type(value).__name__} {_short(value)}, where a relation reads a number"
    if isinstance(value, tuple):
        inner = next((found for entry in value if (found := defect(entry, False))), "")
        return f"a tuple with {inner}" if inner else ""
    return ""


def _never_finite(value: Value) -> bool:
    """A ball without a number at the highest precision; below it, balls may just be too wide."""
    import flint

    if flint.ctx.prec < PRECISIONS[-1]:
        return False
    if isinstance(value, arb_mat):
        return any(entry.is_nan() for entry in value.entries())
    return isinstance(value, arb) and value.is_nan()


def require_repeatable(setting: Setting) -> None:
    """Evaluate afresh what a setting has computed so far, and nothing else: it may be dear.

    Raises: Broken for a quantity whose value is not the same.
    """
    bits, computed = setting.computed()
    again = setting.afresh()
    with precision(bits or PRECISIONS[0]):
        for name, value in computed.items():
            try:
                found = again(name)
            except (Undefined, Undecided) as error:
                found = type(error).__name__
            if not same(value, found):
                raise _broken(
                    name, setting.claim.measured[name],
                    f"is {_short(value)} and then {_short(found)} for the same arguments; "
                    "a quantity must depend on its arguments alone", setting.values, "impure",
                )  # fmt: skip


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same to the last bit; objects of other types are not compared."""
    if type(one) is not type(other):
        return False
    if isinstance(one, arb):
        both = (one.mid() == other.mid()) and (one.rad() == other.rad())
        return bool(both) or (one.is_nan() and other.is_nan())
    if isinstance(one, arb_mat):
        pairs = zip(one.entries(), other.entries(), strict=False)
        return one.nrows() == other.nrows() and all(same(a, b) for a, b in pairs)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other if isinstance(one, (int, fmpz, fmpq, fmpq_mat, fmpz_mat, str)) else True


def as_text(world: Mapping[str, Value]) -> dict[str, str]:
    """The values of a world as people read them."""
    return {name: _short(value) for name, value in world.items()}


def _short(value: Value) -> str:
    """A value as text of bounded length, whatever it is."""
    try:
        text = show(value)
    except BaseException as error:
        if is_ours(error):
            raise
        text = type(value).__name__
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:77] + "..."


def written(quantity: Callable[..., Any]) -> tuple[str, int]:
    """File and first line of a definition; ("", 0) for one without Python code."""
    code = getattr(inspect.unwrap(quantity), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)


def _broken(
    name: str, quantity: Callable[..., Any], wrong: str, world: Mapping[str, Value],
    exception: str = "contract",
) -> Broken:  # fmt: skip
    file, line = written(quantity)
    return Broken(f"quantity {name} {wrong}", exception=exception, file=file, line=line,
                  world=as_text(world))  # fmt: skip
