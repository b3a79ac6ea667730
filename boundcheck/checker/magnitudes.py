"""How large a constant the numbers of a statement up to a constant can make by themselves.

`q <= C q exp(100)` needs no growth to beat every constant up to a million. Before a world refutes,
it excludes a constant above all that the statement's own numbers make: those printed in it, in its
hypotheses, domains and definitions, and the values of powers, exponentials, factorials and products
where their arguments are bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice, product
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import precision
from boundcheck.checker.along import Along
from boundcheck.checker.gains import MOST_BITS, Gains, ceiling, raised, size_of
from boundcheck.checker.judge import Place
from boundcheck.checker.ray import Ray
from boundcheck.checker.turning import Turning, turned_along
from boundcheck.claim import Claim, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Multiplied, Node
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.symbols import Known
from boundcheck.setting import flatten
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import (
    Choice,
    Gram,
    Independent,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Symmetric,
    Vector,
    Weights,
    number_at,
)

FLOOR = 10**6  # constants up to here are excluded before a statement up to a constant is false
MOST_CORNERS = 81
BITS = 128
LONGEST = 4000  # bits of a magnitude: beyond it nothing is excluded
FAR = 10**40  # in the place of a missing end where a value there is none: of n / (n + 1)
AMPLIFIERS = (
    sympy.Pow, sympy.exp, sympy.sinh, sympy.cosh, sympy.tan, sympy.gamma, sympy.factorial,
    sympy.binomial, sympy.Sum, sympy.Product, Multiplied,
)  # fmt: skip
ARRAYS = (Vector, Matrix, Symmetric, Gram, Independent)
LAWS = (Weights, Probabilities)
Ends = tuple[fmpq | None, fmpq | None]


@lru_cache(maxsize=1024)
def least_excluded(claim: Claim) -> int:
    """The least constant to exclude before a statement up to a constant counts as false.

    FLOOR times the numbers printed and times what bounded amplifiers make of them, or what turning
    far out makes of them, if that is more. Where hypotheses
    couple numbers of the world that is not enough, see `excluded_along`.

    >>> from boundcheck.claim import Claim, Source, UpToConstant
    >>> x = sympy.Symbol("x", real=True)
    >>> place = Source("A", 2000, "T").at("here")
    >>> statement = UpToConstant(1000 * x <= x / 7)
    >>> least_excluded(Claim(source=place, statement=statement, undefined={x}))
    7000000000
    """
    return _least(claim, None)


def least_excluded_from(claim: Claim, start: Mapping[str, Any]) -> int:
    """The same where the constant may depend on what `start` holds, whose numbers count then."""
    return _least(claim, start)


def _least(claim: Claim, start: Mapping[str, Any] | None) -> int:
    counted, height = _counted(claim, start)
    box = _Box(claim, start=start)
    turning = Turning(claim, box.moves, lambda name: fmpq(1), lambda expr: None,
                      lambda expr: None, counted)  # fmt: skip
    free = independent(claim)
    if free is None or (free > 1 and _curved(claim)):
        return 2 ** (MOST_BITS + 1)
    power: int = _degree(claim) ** max(free - 1, 0)
    return int(FLOOR * max(raised(counted * height, power), turning.of(_asserted(claim))))


def independent(claim: Claim) -> int | None:
    """How many numbers without an end move by themselves; None for entries of an array without
    ends, each of which does.

    What one of them turns at, the next may bound: `|v| max(0, 1 - |v| / w^30) max(0, 1 - w / 4)` is
    at most about 4^30, and 4^900 with three of them.
    """
    depends = set(getattr(claim.statement, "depends", ()))
    box, found = _Box(claim), 0
    for name, field in claim.fields.items():
        low, high = box.range_of(sympy.Symbol(name))
        if name in depends or isinstance(field, (Choice, Derived, *LAWS)) or (
            low is not None and high is not None
        ):
            continue
        number = isinstance(field, (Integer, Real)) or (low, high) != (None, None)
        if not number or isinstance(field, ARRAYS):
            return None
        found += 1
    return found


def _curved(claim: Claim) -> bool:
    """Whether a side reads what is no power of numbers, by which one bounds no power of another."""
    return any(text.has(sympy.log, *AMPLIFIERS[1:]) or any(
        part.exp.free_symbols for part in text.atoms(sympy.Pow)) for text in _asserted(claim))


def _degree(claim: Claim) -> int:
    """The largest power of one number that another may bound."""
    parts = {part for text in _asserted(claim) for part in sympy.preorder_traversal(text)}
    found = math.prod(
        ceiling(max(abs(e), 1 / abs(e)))
        for e in {p.exp for p in parts if isinstance(p, sympy.Pow) and p.exp.is_Rational}
    )
    return max(int(found), 2)


def made_by_numbers(claim: Claim) -> int:
    """FLOOR times what numbers make of a statement that turns nowhere."""
    counted, height = _counted(claim)
    return int(FLOOR * counted * height)


def _counted(claim: Claim, start: Mapping[str, Any] | None = None) -> tuple[int, int]:
    """What numbers make, and what powers without ends make of it."""
    printed = 1
    box = _Box(claim, start=start)
    for size in {*_numbers(claim), *box.fixed.values()}:
        printed *= size_of(size)
    amplifiers = _amplifiers(_texts(claim))
    made = printed * math.prod(_factor(part, box) for part in amplifiers)
    made = max(made, _gained(claim, box))
    for condition in chain.from_iterable(map(flatten, claim.given)):
        made *= _undone(_written_out(claim, condition), box)
    height = max((_height(part, box) for part in amplifiers), default=0)
    return int(min(made, 2**MOST_BITS)), printed**height


def excluded_along(claim: Claim, ray: Ray) -> int:
    """The least constant to exclude along a ray on which no hypothesis bounds anything.

    FLOOR times what the numbers of the statement, of definitions and of the ray make, each at every
    place where it stands, and its amplifiers where their arguments are bounded along the ray. What
    does not move is one number.
    """
    box = _Box(claim, ray)
    known = Along(claim, ray).size
    gains = Gains(claim, box.range_of, lambda part: _amplified(part, box), known)
    stated: int = math.prod(map(gains.of, (claim.statement.relation, *_levels(claim))))
    printed = math.prod(size_of(size) for size in set(_numbers_of(_texts(claim, given=False))))
    parts = _amplifiers(_texts(claim, given=False))
    made = printed * math.prod(_factor(part, box) for part in parts)
    height = max((_height(part, box) for part in parts), default=0)
    counted = min(max(made, stated), 2**MOST_BITS)
    turned = turned_along(claim, ray, counted, _asserted(claim))
    return int(FLOOR * max(counted * printed**height, turned))


def _asserted(claim: Claim) -> list[sympy.Basic]:
    """Statement and level with definitions put in."""
    return [_written_out(claim, text) for text in (claim.statement.relation, *_levels(claim))]


def _gained(claim: Claim, box: _Box) -> int:
    """What numbers make where each counts at every place, hypotheses to the powers in them."""
    gains = Gains(claim, box.range_of, lambda part: _amplified(part, box))
    conditions = [condition for condition in chain.from_iterable(map(flatten, claim.given))
                  if not _is_end(condition)]  # fmt: skip
    stated: int = math.prod(map(gains.of, (claim.statement.relation, *_levels(claim))))
    power = math.prod(_steepest(condition) for condition in conditions)
    return min(stated * raised(math.prod(map(gains.of, conditions)), power), 1 << MOST_BITS)


def _is_end(condition: sympy.Basic) -> bool:
    """Whether a hypothesis is an end of one symbol or node, which counts where that one stands."""
    return isinstance(condition, sympy.Rel) and (
        (condition.rhs.is_Rational and isinstance(condition.lhs, (sympy.Symbol, Node)))
        or (condition.lhs.is_Rational and isinstance(condition.rhs, (sympy.Symbol, Node))))


def _steepest(condition: sympy.Basic) -> int:
    """The largest power, or root, of what a hypothesis may bound."""
    powers = [part.exp for part in condition.atoms(sympy.Pow)
              if part.exp.is_Rational and part.base.free_symbols]  # fmt: skip
    return max((ceiling(max(abs(e), 1 / abs(e))) for e in powers), default=1)


def _amplified(part: sympy.Basic, box: _Box) -> int:
    return _factor(part, box) if isinstance(part, AMPLIFIERS) and part.is_commutative else 1


def told(constant: int) -> str:
    """A constant in words, one of many digits by its power of two."""
    return str(constant) if constant < 10**30 else f"2^{constant.bit_length() - 1}"


def _texts(claim: Claim, *, given: bool = True) -> list[sympy.Basic]:
    """Statement, hypotheses if they count, and definitions."""
    defined = [q.whole for q in claim.measure.values() if isinstance(q, Definition)]
    return [claim.statement.relation, *_levels(claim), *(claim.given if given else ()), *defined]


def _levels(claim: Claim) -> list[sympy.Basic]:
    inner = getattr(claim.statement, "inner", claim.statement)
    return [inner.level] if isinstance(inner, WithProbability) else []


def _numbers(claim: Claim) -> Iterator[fmpq]:
    """Numbers printed, and ends of domains."""
    yield from _numbers_of(_texts(claim))
    for field in claim.fields.values():
        yield from (abs(end) for end in field.literal_ends())
        listed = field.items if isinstance(field, Choice) else ()
        yield from (exact.ratio_of(item) for item in listed if isinstance(item, (int, fmpq)))


def _numbers_of(texts: list[sympy.Basic]) -> Iterator[fmpq]:
    for text in texts:
        found = [number for number in text.atoms(sympy.Number) if number.is_finite]
        yield from map(exact.ratio_of, found)


# Amplifiers.


def _amplifiers(texts: list[sympy.Basic]) -> list[sympy.Basic]:
    """Every part of a kind that makes much of little, once."""
    found = [part for text in texts for part in sympy.preorder_traversal(text)
             if isinstance(part, AMPLIFIERS) and part.is_commutative]  # fmt: skip
    return list(dict.fromkeys(found))


def _height(part: sympy.Basic, box: _Box) -> int:
    """By how much a number above one outgrows a base without ends, which a hypothesis may bound."""
    if not isinstance(part, sympy.Pow) or not part.exp.is_Rational or not part.base.free_symbols:
        return 0
    bounded = all(None not in box.range_of(leaf) for leaf in _leaves(part))
    return 0 if bounded else int(abs(part.exp)) - 1 if abs(part.exp) > 1 else 0


def _factor(part: sympy.Basic, box: _Box) -> int:
    """How far from one the size of an amplifier can be where its arguments are bounded."""
    if isinstance(part, Multiplied):
        body: int = _apart(box.sizes(part.body)) ** box.times(part)
        return max(_apart(box.sizes(part)), body)
    return _apart(box.sizes(part))


def _apart(sizes: Iterator[arb]) -> int:
    """How far from one the sizes are, at most."""
    found = [size for size in sizes if size.is_finite() and size > 0]
    apart = [size if size > 1 else 1 / size for size in found]
    with precision(BITS):
        return max(map(_whole, apart), default=1)


def _whole(size: arb) -> int:
    """The integer above a size, cut where no world excludes it."""
    if not size < arb(2) ** MOST_BITS:
        return 1 << MOST_BITS
    return int(size.upper().ceil().unique_fmpz() or 1)


# What hypotheses bound through slow functions: log(1/y) <= 40 is y >= exp(-40).


def _written_out(claim: Claim, condition: sympy.Basic) -> sympy.Basic:
    """A hypothesis with definitions put in."""
    whole = {symbol: q.whole for symbol, q in claim.measure.items() if isinstance(q, Definition)}
    for _ in range(len(whole)):
        if not condition.free_symbols & set(whole):
            break
        condition = condition.xreplace(whole)
    return condition


def _undone(condition: sympy.Basic, box: _Box) -> int:
    """What logarithms and roots in a hypothesis allow where all else in it is bounded."""
    slow = list(_slow(condition, box))
    marks = {part: sympy.Dummy(real=True) for part in slow}
    rest = [leaf for leaf in _outermost(condition.xreplace(marks)) if leaf not in marks.values()]
    ends = [end for leaf in rest for end in box.range_of(leaf)]
    known = [end for end in ends if end is not None]
    if not slow or len(known) < len(ends):
        return 1
    numbers = [exact.ratio_of(n) for n in condition.atoms(sympy.Number) if n.is_finite]
    made = 2
    for size in {*numbers, *known}:
        made *= size_of(size)
    return max(_inverted(part, made, box) for part in slow)


def _slow(expr: sympy.Basic, box: _Box) -> Iterator[sympy.Basic]:
    """Outermost logarithms and roots of what has no ends."""
    root = isinstance(expr, sympy.Pow) and not (expr.exp.is_Rational and abs(expr.exp) >= 1)
    if isinstance(expr, sympy.log) or (root and expr.base is not sympy.E):
        if any(None in box.range_of(leaf) for leaf in _outermost(expr)):
            yield expr
        return
    for arg in () if isinstance(expr, Node) else expr.args:
        yield from _slow(arg, box)


def _inverted(part: sympy.Basic, made: int, box: _Box) -> int:
    """How large an argument is at which a slow function has the size `made`."""
    for inner in part.args[:1]:
        if isinstance(part, sympy.log):
            if made > LONGEST:
                return 1 << MOST_BITS
            made = 3**made
        else:
            power = _apart(box.sizes(part.exp)) if part.exp.free_symbols else 1
            power *= int(abs(part.exp.q)) if part.exp.is_Rational else 1
            made = made ** min(power, LONGEST)
        return max([made, *[_inverted(deeper, made, box) for deeper in _slow(inner, box)]])
    return made


class _Box:
    """What the symbols of a claim range over, as far as numbers say, or along a ray."""

    def __init__(
        self, claim: Claim, ray: Ray | None = None, start: Mapping[str, Any] | None = None
    ) -> None:
        self.claim, self.stands = claim, claim.stands
        self.start = None if start is None else Place(claim, start)
        self.fixed: dict[str, fmpq] = {}
        if ray is not None:
            self.ends = {name: ray.range_of(name) for name in claim.fields}
            return
        self.ends = {name: _ends(field) for name, field in claim.fields.items()}
        for condition in chain.from_iterable(map(flatten, claim.given)):
            self._narrow(condition)
        for name in getattr(claim.statement, "depends", ()) if start is not None else ():
            value = start.get(name) if start is not None else None
            if isinstance(value, (int, fmpq)):
                self.fixed[name] = fmpq(value)
                self.ends[name] = fmpq(value), fmpq(value)

    def _narrow(self, condition: sympy.Basic) -> None:
        if not isinstance(condition, (*exact.INEQUALITIES, sympy.Eq)):
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
        if isinstance(expr, Known) and expr.meaning.role == "index":
            size = sympy.sympify(expr.meaning.size)
            most = fmpq(int(size)) if size.is_Integer else self.range_of(size)[1]
            return fmpq(0), None if most is None else most - 1
        if isinstance(expr, sympy.Expr):
            facts = facts_of(expr, self.stands)
            low = fmpq(0) if "nonnegative" in facts else None
            return low, fmpq(1) if "probability" in facts else None
        return None, None

    def _is_fixed(self, expr: sympy.Basic) -> bool:
        """Whether a node reads nothing but what the constant may depend on."""
        read = {symbol.name for symbol in expr.atoms(sympy.Symbol) | expr.free_symbols
                if not (isinstance(symbol, Known) and symbol.meaning.role == "index")}  # fmt: skip
        return bool(read) and read <= set(getattr(self.claim.statement, "depends", ()))

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
        letters = {node: sympy.Dummy(real=True) for node in _leaves(part)}
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
        """Whether a value reads a symbol that has no end and may not change the constant."""
        for symbol in expr.atoms(sympy.Symbol) | expr.free_symbols:
            name = symbol.name
            quantity = self.claim.measured.get(name)
            if isinstance(symbol, Known) and symbol.meaning.role == "index":
                moves = self.moves(sympy.sympify(symbol.meaning.size))
            elif isinstance(quantity, Definition):
                moves = self.moves(quantity.whole)
            elif quantity is not None:
                moves = any(map(self.moves, map(sympy.Symbol, Claim.arguments(quantity))))
            else:
                moves = name in self.claim.fields and None in self.range_of(symbol)
            if moves and name not in getattr(self.claim.statement, "depends", ()):
                return True
        return False

    def times(self, part: Multiplied) -> int:
        """How many factors a product has at most; none are counted where there is no end."""
        sizes = [sympy.sympify(each.meaning.size) for each in part.indices]
        tops = [fmpq(int(size)) if size.is_Integer else self.range_of(size)[1] for size in sizes]
        count = fmpq(1)
        for top in tops:
            count *= 0 if top is None else top
        return min(int(count), LONGEST)


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
    return number_at(getattr(field, "low", None)), number_at(getattr(field, "high", None))


def _leaves(part: sympy.Basic) -> list[sympy.Basic]:
    """Free symbols and outermost nodes of an amplifier."""
    if isinstance(part, Multiplied):
        return [node for node in _outermost(part.body) if not isinstance(node, Known)] + sorted(
            part.free_symbols, key=str)  # fmt: skip
    if isinstance(part, (sympy.Symbol, Node)):
        return [part]
    bound = part.bound_symbols if isinstance(part, (sympy.Sum, sympy.Product)) else []
    return [leaf for arg in part.args for leaf in _outermost(arg) if leaf not in bound]


def _outermost(expr: sympy.Basic) -> Iterator[sympy.Basic]:
    if isinstance(expr, (sympy.Symbol, Node)):
        yield expr
        return
    for arg in expr.args:
        yield from _outermost(arg)


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
