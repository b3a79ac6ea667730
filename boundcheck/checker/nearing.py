"""Bounded numbers that a claim takes to where something has no end.

`1/x max(0, 1 - log(1/x) / 100)` is at most e^100 for x in (0, 1], and no number near x tells so: as
a divisor or in a logarithm a bounded number that may come close to zero is one without an end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import precision
from boundcheck.checker.incode import is_steep_or_slow
from boundcheck.claim import Claim, WithProbability
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Average, Binder, Node, Total
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.draws import Draw
from boundcheck.worlds.fields import Choice, Integer

BITS = 128
CONTINUOUS = (
    sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.tanh, sympy.erf, sympy.atan,
    sympy.asinh, sympy.Abs, sympy.Max, sympy.Min, sympy.floor, sympy.ceiling, sympy.sign,
    sympy.Piecewise,
)  # fmt: skip
CLEAR = {  # of bounded operands their values are bounded, and fall to zero by powers alone
    "trace", "operator_norm", "frobenius_norm", "norm", "transpose", "inner", "outer", "entrywise",
    "row", "block", "pick", "diagonal", "column", "identity", "ones", "largest_entry", "entry",
    "form", "joined", "direct_sum", "above", "zeros", "clipped", "largest_eigenvalue",
    "spectral_radius", "matrix_rank", "exponential",
}  # fmt: skip
Ends = tuple[fmpq | None, fmpq | None]


def neared(
    claim: Claim, texts: list[sympy.Basic], range_of: Callable[[sympy.Basic], Ends]
) -> set[str]:
    """Names of the bounded fields that divisors, logarithms, inverses, right sides or code read
    and that are not certified to keep these away from zero.

    Args: texts: statement, level and definitions; range_of: ends of a symbol or node.
    """
    looked = _Looked(claim, range_of)
    asked = [part for text in texts for part in looked.asked(text)]
    names = {name for part in asked for name in read_by(claim, part)}
    return {name for name in names & set(claim.fields)
            if not isinstance(claim.fields[name], (Integer, Choice))}  # fmt: skip


def end_of(condition: sympy.Basic) -> tuple[sympy.Symbol, fmpq, fmpq] | None:
    """The symbol x, c and d of a comparison that says c x + d <= 0 (or < 0, != 0, = 0) of it alone.

    >>> x = sympy.Symbol("x", real=True)
    >>> end_of(2 * x >= 1)
    (x, -2, 1)
    """
    if not isinstance(condition, (*exact.INEQUALITIES, sympy.Ne, sympy.Eq)):
        return None
    small, large = ((condition.lts, condition.gts) if isinstance(condition, exact.INEQUALITIES)
                    else condition.args)  # fmt: skip
    gap = small - large
    if len(gap.free_symbols) != 1 or gap.has(Node):
        return None
    (symbol,) = gap.free_symbols
    slope = gap.diff(symbol)
    rest = (gap - slope * symbol).expand()
    if not (symbol.is_commutative and slope.is_Rational and rest.is_Rational and slope):
        return None
    return symbol, exact.ratio_of(slope), exact.ratio_of(rest)


def read_by(claim: Claim, expr: sympy.Basic) -> set[str]:
    """Names of all that a value reads, through definitions, code and derived fields."""
    found: set[str] = set()
    todo = [symbol for symbol in expr.atoms(sympy.Symbol) | expr.free_symbols]
    while todo:
        symbol = todo.pop()
        if symbol.name in found:
            continue
        found.add(symbol.name)
        todo += behind(claim, symbol)
    return found


def behind(claim: Claim, symbol: sympy.Symbol) -> list[sympy.Symbol]:
    """The symbols that one stands for or is made from."""
    quantity = claim.measured.get(symbol.name)
    if isinstance(quantity, Definition):
        return list(quantity.whole.atoms(sympy.Symbol) | quantity.whole.free_symbols)
    if quantity is not None:
        return list(map(sympy.Symbol, Claim.arguments(quantity)))
    field = claim.fields.get(symbol.name)
    if isinstance(field, Derived):
        return list(map(sympy.Symbol, Claim.arguments(field.rule)))
    if isinstance(symbol, Known) and symbol.meaning.role == "outcome":
        return list(symbol.meaning.needs)
    return []


def texts_of(claim: Claim, *, given: bool = True) -> list[sympy.Basic]:
    """Statement, level, hypotheses if they count, and definitions."""
    defined = [q.whole for q in claim.measured.values() if isinstance(q, Definition)]
    return [claim.statement.relation, *levels(claim), *(claim.given if given else ()), *defined]


def levels(claim: Claim) -> list[sympy.Basic]:
    """The level of a statement with probability."""
    inner = getattr(claim.statement, "inner", claim.statement)
    return [inner.level] if isinstance(inner, WithProbability) else []


def drawn_by(claim: Claim) -> dict[str, Draw]:
    """The draw of each outcome."""
    whole = [claim.draw] if claim.draw is not None else []
    whole += [symbol.meaning.draw for text in texts_of(claim) for symbol in text.atoms(Known)
              if symbol.meaning.draw is not None]  # fmt: skip
    return {name: draw for each in whole
            for draw in getattr(each, "members", (each,)) for name in draw.names}  # fmt: skip


class _Looked:
    def __init__(self, claim: Claim, range_of: Callable[[sympy.Basic], Ends]) -> None:
        self.claim, self.range_of = claim, range_of

    def asked(self, text: sympy.Basic) -> Iterator[sympy.Basic]:
        """The parts that must keep away from where something has no end, and may not."""
        for part in text.atoms(*exact.INEQUALITIES):
            yield from self._divided(part)
        lone = self._lone
        for part in sympy.preorder_traversal(text):
            if isinstance(part, sympy.Pow) and not self._is_nonnegative(part.exp):
                if not self.is_away(part.base):
                    yield part.base
            elif isinstance(part, sympy.log):
                if not self.is_away(part.args[0]):
                    yield part.args[0]
            elif isinstance(part, sympy.Function) and not isinstance(part, CONTINUOUS):
                yield part
            elif isinstance(part, Apply):
                plain = part in lone and not is_steep_or_slow(part.primitive.exact)
                if part.primitive.standard not in CLEAR and not plain:
                    yield part
            elif isinstance(part, sympy.Symbol):
                code = self._code(part.name)
                if code is not None and (part not in lone or is_steep_or_slow(code)):
                    yield part

    @cached_property
    def _lone(self) -> set[sympy.Basic]:
        """The factors of sides: code among them is a value by itself, which nothing cuts."""
        parts = self.claim.statement.relation.atoms(*exact.INEQUALITIES)
        return {factor for part in parts for side in part.args for factor in self._factors(side)}

    def _factors(self, expr: sympy.Basic) -> Iterator[sympy.Basic]:
        """Factors of a side, without their powers and written out."""
        if isinstance(expr, sympy.Mul):
            for arg in expr.args:
                yield from self._factors(arg)
        elif isinstance(expr, sympy.Pow) and expr.exp.is_Rational:
            yield from self._factors(expr.base)
        elif (whole := self._whole(expr)) is not None:
            yield from self._factors(whole)
        else:
            yield expr

    def _divided(self, part: sympy.Rel) -> Iterator[sympy.Basic]:
        """What a right side reads that may fall to zero, where a side is no product of powers."""
        factors = [*self._factors(part.lts), *self._factors(part.gts)]
        mixed = set[str]().union(*(read_by(self.claim, factor) for factor in factors
                                   if not self._is_homogeneous(factor)))  # fmt: skip
        for factor in self._factors(part.gts):
            if not mixed.isdisjoint(read_by(self.claim, factor)) and not self.is_away(factor):
                yield factor

    def _is_homogeneous(self, expr: sympy.Basic) -> bool:
        """Whether a value is a product of powers of numbers, norms and the like, or a sum of it
        over places."""
        if (whole := self._whole(expr)) is not None:
            return self._is_homogeneous(whole)
        if isinstance(expr, (sympy.Symbol, sympy.Number, Apply)):
            return not isinstance(expr, Apply) or all(map(self._is_homogeneous, expr.operands))
        if self._bounded.isdisjoint(read_by(self.claim, expr)):
            return True
        if isinstance(expr, sympy.Pow):
            return bool(expr.exp.is_Rational) and self._is_homogeneous(expr.base)
        if isinstance(expr, (Binder, Average)):
            return self._is_homogeneous(expr.body)
        return isinstance(expr, (sympy.Mul, sympy.Abs)) and all(
            map(self._is_homogeneous, expr.args))  # fmt: skip

    @cached_property
    def _bounded(self) -> set[str]:
        """Names of the fields that count where a divisor reads them."""
        return {name for name, field in self.claim.fields.items()
                if not isinstance(field, (Integer, Choice))
                and None not in self.range_of(sympy.Symbol(name))}  # fmt: skip

    def _whole(self, expr: sympy.Basic) -> sympy.Basic | None:
        """What a defined symbol stands for."""
        quantity = self.claim.measured.get(expr.name) if isinstance(expr, sympy.Symbol) else None
        return quantity.whole if isinstance(quantity, Definition) else None

    def _code(self, name: str) -> object | None:
        """The code behind a quantity that is no definition, or a derived field."""
        quantity, field = self.claim.measured.get(name), self.claim.fields.get(name)
        if isinstance(field, Derived):
            return field.rule
        return None if isinstance(quantity, Definition) else quantity

    def _is_nonnegative(self, expr: sympy.Basic) -> bool:
        if expr.is_Number:
            return bool(expr.is_nonnegative)
        return isinstance(expr, sympy.Expr) and "nonnegative" in facts_of(expr, self.claim.stands)

    def is_away(self, expr: sympy.Basic) -> bool:
        """Whether a value is certain to keep away from zero, whatever bounded numbers it reads."""
        if isinstance(expr, sympy.Expr) and not expr.free_symbols and expr.is_commutative:
            return True
        return self._is_positive(expr) or self._by_ball(expr)

    def _is_positive(self, expr: sympy.Basic) -> bool:
        """Whether a value is above some positive number wherever its bounded numbers are."""
        if isinstance(expr, sympy.Number):
            return bool(expr > 0)
        if (whole := self._whole(expr)) is not None:
            return self._is_positive(whole)
        if isinstance(expr, (sympy.Symbol, Apply)):
            low = self.range_of(expr)[0]
            return low is not None and low > 0
        if isinstance(expr, sympy.exp):
            return True
        if isinstance(expr, sympy.Pow):
            return self._is_positive(expr.base)
        if isinstance(expr, (sympy.Mul, sympy.Min)):
            return all(map(self._is_positive, expr.args))
        if isinstance(expr, sympy.Max):
            return any(map(self._is_positive, expr.args))
        if isinstance(expr, sympy.Add):
            rest = [arg for arg in expr.args if not self._is_positive(arg)]
            return len(rest) < len(expr.args) and all(map(self._is_nonnegative, rest))
        if isinstance(expr, Average) or (isinstance(expr, Binder) and not isinstance(expr, Total)):
            return self._is_positive(expr.body)
        return False

    def _by_ball(self, expr: sympy.Basic) -> bool:
        """Whether a ball over all that a bounded value reads keeps away from zero."""
        letters = {node: sympy.Dummy(real=True) for node in outermost(expr)}
        ends = {letter.name: self.range_of(node) for node, letter in letters.items()}
        balls = {name: exact.to_ball(low).union(exact.to_ball(high)) for name, (low, high)
                 in ends.items() if low is not None and high is not None}  # fmt: skip
        if len(balls) < len(ends):
            return False
        try:
            with precision(BITS):
                run = exact.compiled(expr.xreplace(letters))
                ball = exact.to_ball(run(balls.__getitem__))
        except (ArithmeticError, ValueError, TypeError, KeyError, NotImplementedError):
            return False
        return bool(ball.is_finite() and not ball.contains(0))


def outermost(expr: sympy.Basic) -> Iterator[sympy.Basic]:
    """Symbols and nodes that no other node holds."""
    if isinstance(expr, (sympy.Symbol, Node)):
        yield expr
        return
    for arg in expr.args:
        yield from outermost(arg)
