"""How far numbers can carry a value, counted at every place where one stands.

Five letters of [0, 100] multiply to 10^10, a power of a matrix with bounded entries to more, and
hypotheses in a chain to more again, while each of their numbers is printed once. One rule per kind
of node; what has none is bounded by its operands to the power of the largest number in sight.
"""

from __future__ import annotations

import builtins
import dataclasses
import dis
import math
from collections.abc import Callable, Iterator, Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz

from boundcheck import exact
from boundcheck.checker.nearing import drawn_by
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Binder, Multiplied, Table, Total
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Integer

MOST_BITS = 10**5  # of a constant that no world excludes
LINEAR = {
    "trace", "operator_norm", "frobenius_norm", "spectral_radius", "largest_eigenvalue",
    "smallest_eigenvalue", "eigenvalues", "norm", "transpose", "inner", "outer", "entrywise", "row",
    "block", "pick", "diagonal", "column", "identity", "ones", "largest_entry", "matrix_rank",
    "matrix_root",
}  # fmt: skip
STEEP = {"pow", "power", "prod", "exp", "exp2", "cosh", "sinh", "factorial", "comb", "exponential"}
SLOW_NAMES = {"log", "log1p", "log2", "log10", "root", "rsqrt", "lgamma", "atan", "tanh", *STEEP}
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
UNPROMISED = ("searched", "wide", "small", "ends", "log", "zeros", "over")
ENDS = ("low", "high")
Ends = tuple[fmpq | None, fmpq | None]


def raised(base: int, power: int) -> int:
    """A power, cut where no world excludes it."""
    if base <= 1 or power <= 0:
        return 1
    whole: int = 2**MOST_BITS if base.bit_length() * power > MOST_BITS else base**power
    return whole


def ceiling(number: sympy.Rational | fmpq) -> int:
    """The whole number above the size of a number."""
    return -(-abs(int(number.p)) // int(number.q))


def size_of(number: fmpq) -> int:
    """Numerator times denominator: how far from one a number is, or a difference with it."""
    return max(abs(int(number.p)), 1) * int(number.q)


class Gains:
    """How far numbers can carry the expressions of a claim.

    Args: range_of: ends of a symbol or node; factor: what one amplifier makes of bounded arguments;
    known: what an expression makes where its value is known, else None.
    """

    def __init__(
        self, claim: Claim, range_of: Callable[[sympy.Basic], Ends],
        factor: Callable[[sympy.Basic], int],
        known: Callable[[sympy.Basic], int | None] = lambda expr: None,
    ) -> None:  # fmt: skip
        self.claim, self.range_of, self.factor = claim, range_of, factor
        self.known, self.drawn = known, drawn_by(claim)
        self.found: dict[sympy.Basic, int] = {}

    def of(self, expr: sympy.Basic) -> int:
        """How far from one the numbers of an expression can carry it, each where it stands."""
        if expr not in self.found:
            known = self.known(expr)
            self.found[expr] = min(self._of(expr) if known is None else known, 2**MOST_BITS)
        return self.found[expr]

    def _of(self, expr: sympy.Basic) -> int:
        if isinstance(expr, sympy.Number):
            return size_of(exact.ratio_of(expr)) if expr.is_finite else 1
        if isinstance(expr, sympy.Symbol):
            return self._symbol(expr)
        if isinstance(expr, sympy.Pow):
            return self._power(expr)
        if isinstance(expr, Apply):
            return self._primitive(expr)
        if isinstance(expr, Multiplied):
            return raised(self.of(expr.body), self._tops(expr.indices))
        if isinstance(expr, Binder):
            counted = isinstance(expr, (Total, Table))
            return self.of(expr.body) * (self._tops(expr.indices) if counted else 1)
        if isinstance(expr, (sympy.sin, sympy.cos)):
            return 1
        if isinstance(expr, sympy.And):  # each has a constant of its own
            return max(map(self.of, expr.args))
        if isinstance(expr, sympy.Piecewise):
            branches, conditions = zip(*expr.args, strict=True)
            return max(map(self.of, branches)) * math.prod(map(self.of, conditions))
        return self.factor(expr) * math.prod(map(self.of, expr.args))

    def _symbol(self, symbol: sympy.Symbol) -> int:
        quantity = self.claim.measured.get(symbol.name)
        if isinstance(quantity, Definition):
            return self.of(quantity.whole)
        if quantity is not None:
            return self._opaque(quantity, list(map(sympy.Symbol, Claim.arguments(quantity))))
        field = self.claim.fields.get(symbol.name)
        ends = self._ends(symbol)
        if isinstance(field, Derived):
            return self._opaque(field.rule, list(map(sympy.Symbol, Claim.arguments(field.rule))))
        if symbol.name in self.drawn:
            return ends * _promises(self.drawn[symbol.name], self._length)
        if field is None:
            return ends
        return ends * _promises(field, self._length, ENDS if ends > 1 else ())

    def _ends(self, leaf: sympy.Basic) -> int:
        return math.prod(size_of(end) for end in self.range_of(leaf) if end)

    def _length(self, size: str) -> int:
        """The largest value of a size by its name, 1 where there is none."""
        top = self.range_of(sympy.Symbol(size))[1]
        return 1 if top is None else max(int(top), 1)

    def _tops(self, indices: tuple[Known, ...]) -> int:
        tops = [self.range_of(index)[1] for index in indices]
        return math.prod(int(top) + 1 for top in tops if top is not None)

    def _power(self, expr: sympy.Pow) -> int:
        base, exponent = expr.args
        ends = [exact.ratio_of(exponent)] if exponent.is_Rational else self.range_of(exponent)
        power = max((ceiling(end) for end in ends if end), default=1)
        divided = [part for part in base.atoms(sympy.sin, sympy.cos)
                   if not exponent.is_nonnegative]  # fmt: skip
        near_zero = math.prod(self.of(arg) for part in divided for arg in part.args)
        return max(raised(self.of(base) * near_zero, power), self.factor(expr))

    def _primitive(self, node: Apply) -> int:
        name, operands = node.primitive.standard, node.operands
        if name == "entry":
            return self.of(operands[0])
        each = math.prod(map(self.of, operands))
        if name in LINEAR:
            return each
        if name == "form":
            return each * self.of(operands[1])
        if name == "exponential":
            return raised(3, each)
        return self._opaque(node.primitive.exact, list(operands))

    def _opaque(self, code: Callable[..., object], operands: list[sympy.Basic]) -> int:
        """What no rule knows: operands and numbers of the code to the largest power in sight."""
        written, power = in_code(code)
        named = {symbol for operand in operands for symbol in operand.free_symbols}
        sizes = {each.name for symbol in named for each in (symbol, *_needs(symbol))}
        tops = [self._length(name) for name in sizes
                if isinstance(self.claim.fields.get(name), Integer)]  # fmt: skip
        return raised(math.prod(map(self.of, operands)) * written, max([power, *tops]))


def _needs(symbol: sympy.Symbol) -> Iterator[sympy.Symbol]:
    for each in symbol.meaning.needs if isinstance(symbol, Known) else ():
        yield each
        yield from _needs(each)


def _promises(field: object, length: Callable[[str], int], counted: tuple[str, ...] = ()) -> int:
    """What the numbers of a domain make: its ends, lengths, and those in its code."""
    found = 1
    for part in dataclasses.fields(field) if dataclasses.is_dataclass(field) else ():
        looked_at = part.name == "rule" and hasattr(field, "domain")  # by search alone
        if not looked_at and part.name not in (*UNPROMISED, *counted):
            found *= _promise(getattr(field, part.name), length, getattr(field, "names", ()))
    return found if type(field).__module__.startswith("boundcheck.") else (
        found * raised(*in_code(getattr(type(field), "admits", None))))  # fmt: skip


def _promise(value: object, length: Callable[[str], int], names: Sequence[str] = ()) -> int:
    if isinstance(value, bool) or value is None:
        return 1
    if isinstance(value, (int, fmpq)):
        return size_of(fmpq(value))
    if isinstance(value, str):
        return length(value) if value.isidentifier() else _written(value)
    if isinstance(value, (tuple, list)):
        return math.prod(_promise(item, length) for item in value)
    if callable(value):
        return raised(*in_code(value, names))
    return _promises(value, length)


def _written(text: str) -> int:
    try:
        return size_of(fmpq(*map(int, text.split("/"))))
    except (ValueError, TypeError):  # a name
        return 1


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
    operations = 1 + found.count(OPERATION)
    winds = WINDS in found or (operations > 1 and bool(texts))
    power = operations * (numbers if winds else 1)
    return numbers, min(power, MOST_BITS)


def names_in_code(function: object) -> set[str]:
    """The texts in the code of a function, by which it may read values of a world."""
    nested = _nested(function.__code__) if isinstance(function, FunctionType) else ()
    constants = [constant for code in nested for constant in code.co_consts]
    return names_used(function) | {text for text in constants if isinstance(text, str)}


def names_used(function: object) -> set[str]:
    """The names that code outside this package calls or reads, its own and of what it calls."""
    return {name for code in _codes(function, set()) for name in code if type(name) is str}


OPERATION, WINDS, UNREAD = object(), object(), object()
Found = object  # a number, a text, a name that code uses, or one of the three above


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
        yield [*numbers, *_operations(code), *code.co_names]
        for name in code.co_names:
            if name in function.__globals__:
                yield from _codes(function.__globals__[name], seen)
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


def _operations(code: CodeType) -> Iterator[Found]:
    for step in dis.get_instructions(code):
        if step.opname == "BINARY_OP":
            shifts = "<<" in step.argrepr or ">>" in step.argrepr
            yield UNREAD if shifts else WINDS if "**" in step.argrepr else OPERATION
        elif "BACKWARD" in step.opname or step.opname == "FOR_ITER" or step.argval in STEEP:
            yield WINDS
        elif step.opname in ("IMPORT_NAME", "STORE_GLOBAL", "LOAD_BUILD_CLASS", "LOAD_NAME"):
            yield UNREAD
