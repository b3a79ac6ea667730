"""What the symbols and nodes of a claim range over, as far as numbers say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain, filterfalse, islice, product
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import precision
from boundcheck.checker.along import UNKNOWN, largest
from boundcheck.checker.judge import Place
from boundcheck.checker.nearing import (
    behind,
    drawn_by,
    end_of,
    neared,
    outermost,
    read_by,
    texts_of,
)
from boundcheck.checker.ray import Ray, entries_of
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.boxes import Extreme
from boundcheck.expressions.nodes import Apply, Multiplied, Node
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.symbols import Known
from boundcheck.setting import flatten
from boundcheck.worlds.draws import Each, Indices, Signs
from boundcheck.worlds.fields import Choice, Probabilities, Weights, number_at

MOST_CORNERS = 81
BITS = 128
LONGEST = 4000  # bits of a magnitude: beyond it nothing is excluded
FAR = 10**40  # in the place of a missing end where a value there is none: of n / (n + 1)
Ends = tuple[fmpq | None, fmpq | None]


class Box:
    """What the symbols of a claim range over, as far as numbers say, or along a ray."""

    def __init__(
        self, claim: Claim, ray: Ray | None = None, start: Mapping[str, Any] | None = None
    ) -> None:
        self.claim, self.stands = claim, claim.stands
        self.start = None if start is None else Place(claim, start)
        self.fixed: dict[str, fmpq] = {}
        self.drawn = drawn_by(claim)
        self.depends = set(getattr(claim.statement, "depends", ()))
        if ray is not None:
            self.ends = {name: ray.range_of(name) for name in claim.fields}
            self.nearing = set(ray.powers)
            return
        self.ends = {name: _ends(field) for name, field in claim.fields.items()}
        for condition in chain.from_iterable(map(flatten, claim.given)):
            self._narrow(condition)
        for name in self.depends if start is not None else ():
            value = start.get(name) if start is not None else None
            entries = list(entries_of(value))
            if entries:
                self.ends[name] = min(entries), max(entries)
            if isinstance(value, (int, fmpq)):
                self.fixed[name] = fmpq(value)
        self.nearing = neared(claim, texts_of(claim, given=False), self.range_of) - self.depends

    def _narrow(self, condition: sympy.Basic) -> None:
        if not isinstance(condition, (*exact.INEQUALITIES, sympy.Eq)):
            return
        end = end_of(condition)
        if end is not None and not isinstance(condition, sympy.Eq):
            symbol, slope, rest = end
            low, high = self.range_of(symbol)
            at = -rest / slope
            self.ends[_name(symbol)] = (low, at) if slope > 0 else (at, high)
            return
        equal = isinstance(condition, sympy.Eq)
        small, large = (condition.lhs, condition.rhs) if equal else (condition.lts, condition.gts)
        for one, other in ((small, large), (large, small)) if equal else ((small, large),):
            if other.is_Rational:
                low, _ = self.range_of(one)
                self.ends[_name(one)] = low, exact.ratio_of(other)
            if one.is_Rational:
                _, high = self.range_of(other)
                self.ends[_name(other)] = exact.ratio_of(one), high

    def range_of(self, expr: sympy.Basic) -> Ends:
        """Ends of a symbol, an entry or another node."""
        if _name(expr) in self.ends:
            return self.ends[_name(expr)]
        if self.start is not None and self._is_fixed(expr):
            return self._value(expr)
        if isinstance(expr, Apply) and expr.primitive.standard == "entry":
            return self.ends.get(_name(expr.operands[0]), (None, None))
        if isinstance(expr, Known) and expr.meaning.role == "variable":
            return self._between(expr)
        if isinstance(expr, Known) and expr.meaning.role == "index":
            size = sympy.sympify(expr.meaning.size)
            most = fmpq(int(size)) if size.is_Integer else self.range_of(size)[1]
            return fmpq(0), None if most is None else most - 1
        if isinstance(expr, sympy.Expr):
            facts = facts_of(expr, self.stands)
            low = fmpq(0) if "nonnegative" in facts else None
            return low, fmpq(1) if "probability" in facts else None
        return None, None

    @cached_property
    def _limits(self) -> dict[sympy.Basic, list[sympy.Tuple]]:
        """The limits of each variable that an extreme value binds."""
        found: dict[sympy.Basic, list[sympy.Tuple]] = {}
        for text in texts_of(self.claim):
            for node in text.atoms(Extreme):
                for limit in node.limits:
                    found.setdefault(limit[0], []).append(limit)
        return found

    def _ends_of(self, variable: sympy.Basic) -> list[sympy.Basic]:
        """The ends between which extreme values look at a variable."""
        return [end for limit in self._limits.get(variable, []) for end in limit[1:]]

    def _between(self, variable: sympy.Basic) -> Ends:
        ends = [(fmpq(exact.ratio_of(end)),) * 2 if end.is_Rational else self.range_of(end)
                for end in self._ends_of(variable)]  # fmt: skip
        known = [end for pair in ends for end in pair if end is not None]
        if not ends or len(known) < 2 * len(ends):
            return None, None
        return min(known), max(known)

    def _is_fixed(self, expr: sympy.Basic) -> bool:
        """Whether a node reads nothing but what the constant may depend on."""
        read = {symbol for symbol in expr.atoms(sympy.Symbol) | expr.free_symbols
                if not _is_bound(symbol)}  # fmt: skip
        return bool(read) and all(
            symbol.name in self.depends
            or (bool(made := behind(self.claim, symbol))
                and all(map(self._is_fixed, filterfalse(_is_bound, made))))
            for symbol in read
        )  # fmt: skip

    def made(self, expr: sympy.Basic) -> int | None:
        """How far from one the value at the start of what reads `depends` alone is; None of all
        else."""
        if self.start is None or not isinstance(expr, sympy.Expr) or not self._is_fixed(expr):
            return None
        try:
            with precision(BITS):
                return largest(self.start.value(expr))
        except UNKNOWN:
            return None

    def _value(self, expr: sympy.Basic) -> Ends:
        """Ends of a value at the start. Arrays, and what has none, have no ends."""
        assert self.start is not None
        try:
            with precision(BITS):
                ball = exact.to_ball(self.start.value(expr))
        except (Undefined, Undecided, ArithmeticError, ValueError, TypeError, KeyError):
            return None, None
        if not ball.is_finite():
            return None, None
        return fmpq(ball.lower().mid().fmpq()), fmpq(ball.upper().mid().fmpq())

    def sizes(self, part: sympy.Basic) -> Iterator[arb]:
        """Sizes of an amplifier at ends and middles of its arguments, and over all of them."""
        letters = {node: sympy.Dummy(real=True) for node in leaves(part)}
        body = part.xreplace(letters)
        ranges = {letter.name: self.range_of(node) for node, letter in letters.items()}
        try:
            run = exact.compiled(body)
        except NotImplementedError:
            return
        names = sorted(ranges)
        corners = [_places(ranges[name]) for name in names]
        with precision(BITS):
            for values in islice(product(*corners), MOST_CORNERS):
                yield from _corner(run, dict(zip(names, values, strict=True)))
            if None not in chain.from_iterable(ranges.values()):
                balls = {name: arb(low).union(arb(high))
                         for name, (low, high) in ranges.items()}  # fmt: skip
                yield from _size(run, balls)

    def moves(self, expr: sympy.Basic) -> bool:
        """Whether a value reads a number without an end that may not change the constant."""
        return any(map(self._moved, expr.atoms(sympy.Symbol) | expr.free_symbols))

    def _moved(self, symbol: sympy.Symbol) -> bool:
        name = symbol.name
        if name in self.depends:
            return False
        role = symbol.meaning.role if isinstance(symbol, Known) else ""
        if role == "index":
            return self.moves(sympy.sympify(symbol.meaning.size))
        if role == "variable":
            return None in self._between(symbol) or any(map(self.moves, self._ends_of(symbol)))
        if name in self.claim.measured or name in self.drawn:
            return any(map(self._moved, self._behind(symbol)))
        if name not in self.claim.fields:
            return False
        endless = None in self.range_of(symbol) or name in self.nearing
        return endless or any(map(self._moved, _sizes(symbol)))

    def _behind(self, symbol: sympy.Symbol) -> list[sympy.Symbol]:
        """What a definition or the outcome of a draw reads; nothing for signs and places."""
        draw = self.drawn.get(symbol.name)
        if symbol.name not in self.drawn:
            return behind(self.claim, symbol)
        if isinstance(draw, (Signs, Indices, Each)):
            return []
        return behind(self.claim, symbol) or list(map(sympy.Symbol, self.claim.fields))

    def near(self, expr: sympy.Basic) -> bool:
        """Whether a value reads a bounded number that is taken to where something has no end."""
        return bool(self.nearing) and not self.nearing.isdisjoint(read_by(self.claim, expr))

    def times(self, part: Multiplied) -> int:
        """How many factors a product has at most; none are counted where there is no end."""
        sizes = [sympy.sympify(each.meaning.size) for each in part.indices]
        tops = [fmpq(int(size)) if size.is_Integer else self.range_of(size)[1] for size in sizes]
        count = fmpq(1)
        for top in tops:
            count *= 0 if top is None else top
        return min(int(count), LONGEST)


def _sizes(symbol: sympy.Symbol) -> tuple[Known, ...]:
    """The lengths of a vector or matrix."""
    array = isinstance(symbol, Known) and bool(symbol.rank)
    return symbol.meaning.needs if array else ()


def _is_bound(symbol: sympy.Basic) -> bool:
    """Whether a symbol stands for every value in a range."""
    return isinstance(symbol, Known) and symbol.meaning.role in ("index", "variable")


def _corner(
    run: Callable[[Callable[[str], Any]], Any], values: dict[str, Any]
) -> Iterator[arb]:
    """The size at a corner; far out where there is none at a missing end and none is neared."""
    ends = {name for name, value in values.items()
            if isinstance(value, arb) and not value.is_finite()}  # fmt: skip
    found = list(_size(run, values))
    if found or not ends:
        yield from found
        return
    near, far = (
        [*_size(run, {**values, **{n: fmpq(scale if values[n] > 0 else -scale) for n in ends}})]
        for scale in (FAR, FAR**2)
    )
    yield from (b for a, b in zip(near, far, strict=False) if a <= 2 * b and b <= 2 * a)


def _name(expr: sympy.Basic) -> str:
    return expr.name if isinstance(expr, sympy.Symbol) else str(expr)


def _places(ends: Ends) -> list[fmpq | arb]:
    """The ends, and a whole number between them: a binomial is largest there."""
    low, high = ends
    found = [arb.neg_inf() if low is None else low, arb.pos_inf() if high is None else high]
    return found if low is None or high is None else [*found, fmpq(((low + high) / 2).floor())]


def _ends(field: Any) -> Ends:
    """Ends of the numbers that a field holds, where they are numbers."""
    if isinstance(field, (Weights, Probabilities)):
        return fmpq(0), fmpq(1)
    if isinstance(field, Choice):
        numbers = [exact.ratio_of(item) for item in field.items if isinstance(item, (int, fmpq))]
        whole = len(numbers) == len(field.items)
        return (min(numbers), max(numbers)) if whole else (None, None)
    return number_at(getattr(field, "low", None)), number_at(getattr(field, "high", None))


def leaves(part: sympy.Basic) -> list[sympy.Basic]:
    """Free symbols and outermost nodes of an amplifier."""
    if isinstance(part, Multiplied):
        return [node for node in outermost(part.body) if not isinstance(node, Known)] + sorted(
            part.free_symbols, key=str)  # fmt: skip
    if isinstance(part, (sympy.Symbol, Node)):
        return [part]
    bound = part.bound_symbols if isinstance(part, (sympy.Sum, sympy.Product)) else []
    return [leaf for arg in part.args for leaf in outermost(arg) if leaf not in bound]


def _size(run: Callable[[Callable[[str], Any]], Any], values: dict[str, Any]) -> Iterator[arb]:
    """The size of a value, both ends of a ball."""
    try:
        found = run(values.__getitem__)
    except (Undefined, Undecided, ArithmeticError, ValueError, TypeError, KeyError):
        return
    if isinstance(found, (tuple, *exact.MATRICES)):
        return
    ball = exact.to_ball(found)
    if ball.is_finite():
        yield abs(ball).upper()
        yield abs(ball).lower()
