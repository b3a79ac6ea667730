"""The numbers in code outside this package, and how it may grow.

Code that hides numbers, in texts, containers, objects or other modules, may hold any.
"""

from __future__ import annotations

import builtins
import dis
import math
from collections.abc import Iterator, Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz

MOST_BITS = 10**5  # of a constant that no world excludes
STEEP = {"pow", "power", "prod", "exp", "exp2", "cosh", "sinh", "factorial", "comb", "exponential"}
PLAIN = {  # names that code may use without growing otherwise than by powers
    "abs", "min", "max", "sum", "len", "zip", "enumerate", "fmpq", "fmpz", "fmpq_mat", "arb",
    "float", "int", "bool", "all", "any", "isinstance", "tuple", "list", "numer", "denom", "p",
    "q", "nrows", "ncols", "transpose", "entries", "shape", "random", "integers", "uniform",
    "math", "flint", "numpy",
}  # fmt: skip
FASTEST = {  # of methods and of modules: what makes numbers that nothing in the code tells
    "gamma", "fac", "rising", "perm", "bin", "zeta", "reduce", "accumulate", "cumprod", "logspace",
    "geomspace", "ldexp", "__pow__", "__lshift__", "__mul__", "__getattribute__", "gamma_upper",
}  # fmt: skip
MODULES = {"math", "numpy", "flint", "sympy", "boundcheck"}
KNOWN = set(map(id, (
    abs, all, any, bool, divmod, enumerate, filter, float, int, isinstance, len, list, map, max,
    min, next, pow, range, reversed, round, set, slice, sorted, sum, tuple, zip, ValueError,
    arb, arb_mat, fmpq, fmpq_mat, fmpz,
)))  # fmt: skip


def size_of(number: fmpq) -> int:
    """Numerator times denominator: how far from one a number is, or a difference with it."""
    return max(abs(int(number.p)), 1) * int(number.q)


def in_code(function: object, names: Sequence[str] = ()) -> tuple[int, int]:
    """The numbers in the code of a function outside this package, multiplied, and a power for them.

    The power counts arithmetic, to what loops, powers and calls make of it. Code that hides
    numbers, in texts, containers, objects or other modules, may hold any. Texts that are `names`
    of outcomes are no numbers.
    """
    found = [each for code in _codes(function, set()) for each in code]
    if UNREAD in found:
        return 2**MOST_BITS, 1
    texts = [each for each in found if isinstance(each, _Text) and each not in names]
    numbers: int = math.prod(256 ** len(text) for text in texts)  # their letters as digits
    for each in found:
        numbers = min(numbers * (size_of(each) if isinstance(each, fmpq) else 1), 2**MOST_BITS)
    operations, powers = found.count(OPERATION), found.count(POWER)
    if WINDS in found or (operations + powers > 0 and texts):
        turns = (1 + operations + powers * numbers.bit_length()) * numbers
        return numbers, 1 << min(turns, MOST_BITS.bit_length())
    # Each operation may be of a product with itself.
    return numbers, min(max(numbers, 2) ** powers << operations, 2 * MOST_BITS)


def is_steep(function: object) -> bool:
    """Whether code outside this package raises to powers, loops or calls itself."""
    found = [each for code in _codes(function, set()) for each in code]
    return WINDS in found or POWER in found


def is_steep_or_slow(function: object) -> bool:
    """Whether code outside this package may grow otherwise than by powers: it loops, calls itself,
    or uses what is not known to be plain."""
    found = [each for code in _codes(function, set()) for each in code]
    return not {WINDS, UNREAD, POWER}.isdisjoint(found) or any(
        type(each) is str and each not in PLAIN for each in found)  # fmt: skip


def names_in_code(function: object) -> set[str]:
    """The texts in the code of a function, by which it may read values of a world."""
    nested = _nested(function.__code__) if isinstance(function, FunctionType) else ()
    constants = [constant for code in nested for constant in code.co_consts]
    return names_used(function) | {text for text in constants if isinstance(text, str)}


def names_used(function: object) -> set[str]:
    """The names that code outside this package calls or reads, its own and of what it calls."""
    return {name for code in _codes(function, set()) for name in code if type(name) is str}


OPERATION, POWER, WINDS, UNREAD = object(), object(), object(), object()
Found = object  # a number, a text, a name that code uses, or one of those above


class _Text(str):
    """A text in code that may be a name."""


def _codes(function: object, seen: set[int]) -> Iterator[list[Found]]:
    """What stands in the code of a function, of what it closes over and of what it calls."""
    function = getattr(function, "exact", function)
    function = getattr(function, "__wrapped__", function)
    if function is None or isinstance(function, bool):
        return
    if isinstance(function, (int, float, fmpq, tuple)):
        yield list(_numbers_in(function))
    elif isinstance(function, ModuleType):
        yield [] if _root(function.__name__) in MODULES else [UNREAD]
    elif _root(getattr(function, "__module__", "")) == "boundcheck" or id(function) in KNOWN:
        return
    elif _root(getattr(function, "__module__", "")) in MODULES and isinstance(
        function, (type, BuiltinFunctionType, FunctionType)
    ):
        name = function.__name__
        yield [UNREAD] if name in FASTEST else [WINDS] if name in STEEP else []
    elif not isinstance(function, FunctionType):
        yield [UNREAD]
    elif id(function) in seen:
        yield [WINDS]  # it may call itself
    else:
        seen.add(id(function))
        yield from _codes_of_function(function, seen)


def _codes_of_function(function: FunctionType, seen: set[int]) -> Iterator[list[Found]]:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    for code in _nested(function.__code__):
        constants = [constant for constant in code.co_consts
                     if constant is not None and not isinstance(constant, CodeType)]  # fmt: skip
        if constants and constants[0] == function.__doc__ and code is function.__code__:
            del constants[0]
        numbers = [number for constant in constants for number in _numbers_in(constant)]
        named = {name: function.__globals__[name] for name in code.co_names
                 if name in function.__globals__}  # fmt: skip
        followed = [name for name, value in named.items()
                    if isinstance(value, (FunctionType, int, float, fmpq, tuple))]  # fmt: skip
        used = [name for name in code.co_names if name not in followed]
        calls = any(isinstance(each, (CodeType, FunctionType))
                    and _root(getattr(each, "__module__", "")) != "boundcheck"
                    for each in (*code.co_consts, *named.values(), *cells))  # fmt: skip
        yield [*numbers, *_operations(code, calls=calls), *used]
        for name in code.co_names:
            if name in named:
                yield from _codes(named[name], seen)
            elif hasattr(builtins, name):
                yield from _codes(getattr(builtins, name), seen)
            elif name in FASTEST:
                yield [UNREAD]
    for value in (*cells, *defaults):
        yield from _codes(value, seen)


def _root(module: object) -> str:
    return str(module).partition(".")[0]


def _numbers_in(constant: object) -> Iterator[Found]:
    """The numbers of a constant; a text or another container may hold any."""
    if isinstance(constant, tuple) and not (constant and set(map(type, constant)) == {str}):
        for each in constant:  # names of arguments are a tuple of texts
            yield from _numbers_in(each)
    elif isinstance(constant, fmpq):
        yield constant
    elif isinstance(constant, (int, float)):
        yield fmpq(*constant.as_integer_ratio()) if abs(constant) < math.inf else UNREAD
    elif isinstance(constant, str) and constant.isidentifier():
        yield _Text(constant)
    elif not isinstance(constant, tuple) and constant is not Ellipsis:
        yield UNREAD


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _operations(code: CodeType, *, calls: bool) -> Iterator[Found]:
    for step in dis.get_instructions(code):
        if step.opname == "BINARY_OP":
            shifts = "<<" in step.argrepr or ">>" in step.argrepr
            yield UNREAD if shifts else POWER if "**" in step.argrepr else OPERATION
        elif step.opname.startswith("CALL") and calls:
            yield OPERATION
        elif "BACKWARD" in step.opname or step.opname == "FOR_ITER" or step.argval in STEEP:
            yield WINDS
        elif step.opname in ("IMPORT_NAME", "STORE_GLOBAL", "LOAD_BUILD_CLASS", "LOAD_NAME"):
            yield UNREAD
