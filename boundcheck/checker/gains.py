"""How far numbers can carry a value, counted at every place where one stands.

Five letters of [0, 100] multiply to 10^10, a power of a matrix with bounded entries to more, and
hypotheses in a chain to more again, while each of their numbers is printed once. One rule per kind
of node; what has none is bounded by its operands to the power of the largest number in sight.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Sequence

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.checker.incode import MOST_BITS, in_code, is_steep, size_of
from boundcheck.checker.nearing import behind, drawn_by, outermost
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Binder, Multiplied, Table, Total
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.draws import Draw
from boundcheck.worlds.fields import Integer, Real

LINEAR = {
    "trace", "operator_norm", "frobenius_norm", "spectral_radius", "largest_eigenvalue", "norm",
    "transpose", "inner", "outer", "entrywise", "row", "block", "pick", "diagonal", "column",
    "identity", "ones", "largest_entry", "matrix_rank", "matrix_root",
}  # fmt: skip
TAILS = {  # of bounded operands as small, or as large, as an exponential makes them
    "binomial_tail", "poisson_tail", "chi_square_tail", "normal_quantile", "variance_proxy",
    "largest_proxy", "hedge_regret",
}  # fmt: skip
UNPROMISED = ("searched", "wide", "small", "ends", "log", "zeros", "over")
EVEN = (sympy.sin, sympy.cos, sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling,
        sympy.sign, sympy.atan, sympy.tanh, sympy.erf, sympy.Piecewise)  # fmt: skip
ENDS = ("low", "high", "items")
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
        each = math.prod(map(self.of, expr.args))
        steep = isinstance(expr, sympy.Function) and not isinstance(expr, sympy.log)
        made = self._steep(each, expr) if steep and not isinstance(expr, EVEN) else 1
        return max(self.factor(expr) * each, made)

    def _steep(self, made: int, expr: sympy.Basic) -> int:
        """What an exponential or factorial makes of nodes whose ends nobody knows."""
        known = all(None not in self.range_of(leaf) or self._is_number(leaf)
                    for leaf in outermost(expr))  # fmt: skip
        return 1 if known else raised(made + 2, made)

    def _is_number(self, leaf: sympy.Basic) -> bool:
        """Whether it is a number of the world, which moves where it has no end."""
        return isinstance(leaf, sympy.Symbol) and isinstance(
            self.claim.fields.get(leaf.name), (Integer, Real))  # fmt: skip

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
            return ends * self._law(self.drawn[symbol.name], symbol)
        if field is None:
            return ends
        return ends * _promises(field, self._length, ENDS if ends > 1 else ())

    def _law(self, draw: Draw, outcome: sympy.Symbol) -> int:
        """What the numbers of a draw make, its probabilities among them."""
        rule, needs = getattr(draw, "rule", None), behind(self.claim, outcome)
        promised = _promises(draw, self._length)
        if rule is None:
            return promised
        if needs and is_steep(rule):
            return 1 << MOST_BITS
        return promised * math.prod(map(self.of, needs))

    def _top(self, symbol: sympy.Symbol) -> int:
        """The largest value of a whole number, 1 of anything else."""
        whole = isinstance(self.claim.fields.get(symbol.name), Integer)
        return self._length(symbol.name) if whole else 1

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
        made = 1 if exponent.is_Rational else self._steep(
            self.of(base) * self.of(exponent), exponent)  # fmt: skip
        return max(raised(self.of(base) * near_zero, power), self.factor(expr), made)

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
        if name in TAILS:
            return 1 << MOST_BITS
        return self._opaque(node.primitive.exact, list(operands))

    def _opaque(self, code: Callable[..., object], operands: list[sympy.Basic]) -> int:
        """What no rule knows: operands and numbers of the code to the largest power in sight."""
        if operands and is_steep(code):
            return 1 << MOST_BITS
        written, power = in_code(code)
        named = {symbol for operand in operands for symbol in operand.free_symbols}
        sizes = {each.name for symbol in named for each in (symbol, *_needs(symbol))}
        tops = [self._top(sympy.Symbol(name)) for name in sizes]
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
