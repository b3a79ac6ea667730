"""How large a constant the numbers of a statement up to a constant can make by themselves.

`q <= C q exp(100)` needs no growth to beat every constant up to a million. Before a world refutes,
it excludes a constant above all that the statement's own numbers make: those printed in it, in its
hypotheses, domains and definitions, and the values of powers, exponentials, factorials and products
where their arguments are bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import precision
from boundcheck.checker.along import Along, above
from boundcheck.checker.box import BITS, LONGEST, Box, leaves
from boundcheck.checker.gains import Gains, ceiling, raised
from boundcheck.checker.incode import MOST_BITS, size_of
from boundcheck.checker.nearing import end_of, levels, outermost, texts_of
from boundcheck.checker.ray import Ray
from boundcheck.checker.turning import Turning, turned_along
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Multiplied, Node
from boundcheck.setting import flatten
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import (
    Choice,
    Gram,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Symmetric,
    Vector,
    Weights,
)
from boundcheck.worlds.kinds import Independent

FLOOR = 10**6  # constants up to here are excluded before a statement up to a constant is false
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
    box = Box(claim, start=start)
    turning = Turning(claim, box.moves, lambda name: fmpq(1), lambda expr: None,
                      lambda expr: None, counted)  # fmt: skip
    free = independent(claim)
    if free is None or (free > 1 and _curved(claim)):
        return 1 << (MOST_BITS + 1)
    power: int = _degree(claim) ** max(free - 1, 0)
    return int(FLOOR * max(raised(counted * height, power), turning.of(_asserted(claim))))


def independent(claim: Claim) -> int | None:
    """How many numbers without an end move by themselves; None for entries of an array without
    ends, each of which does.

    What one of them turns at, the next may bound: `|v| max(0, 1 - |v| / w^30) max(0, 1 - w / 4)` is
    at most about 4^30, and 4^900 with three of them.
    """
    depends = set(getattr(claim.statement, "depends", ()))
    box, found = Box(claim), 0
    for name, field in claim.fields.items():
        low, high = box.range_of(sympy.Symbol(name))
        near = name in box.nearing
        if name in depends or isinstance(field, (Choice, Derived)) or (
            low is not None and high is not None and not near
        ):
            continue
        number = isinstance(field, (Integer, Real)) or (low, high) != (None, None)
        number = number and not isinstance(field, LAWS)
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
    box = Box(claim, start=start)
    for size in {*_numbers(claim), *box.fixed.values()}:
        printed *= size_of(size)
    amplifiers = _amplifiers(texts_of(claim))
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
    box = Box(claim, ray)
    known = Along(claim, ray).size
    gains = Gains(claim, box.range_of, lambda part: _amplified(part, box), known)
    stated: int = math.prod(map(gains.of, (claim.statement.relation, *levels(claim))))
    printed = math.prod(size_of(size) for size in set(_numbers_of(texts_of(claim, given=False))))
    parts = _amplifiers(texts_of(claim, given=False))
    made = printed * math.prod(_factor(part, box) for part in parts)
    height = max((_height(part, box) for part in parts), default=0)
    counted = min(max(made, stated), 2**MOST_BITS)
    turned = turned_along(claim, ray, counted, _asserted(claim))
    return int(FLOOR * max(counted * printed**height, turned))


def _asserted(claim: Claim) -> list[sympy.Basic]:
    """Statement and level with definitions put in."""
    return [_written_out(claim, text) for text in (claim.statement.relation, *levels(claim))]


def _gained(claim: Claim, box: Box) -> int:
    """What numbers make where each counts at every place, hypotheses to the powers in them."""
    gains = Gains(claim, box.range_of, lambda part: _amplified(part, box), box.made)
    conditions = [condition for condition in chain.from_iterable(map(flatten, claim.given))
                  if not _is_end(condition)]  # fmt: skip
    stated: int = math.prod(map(gains.of, (claim.statement.relation, *levels(claim))))
    power = math.prod(_steepest(condition) for condition in conditions)
    return min(stated * raised(math.prod(map(gains.of, conditions)), power), 1 << MOST_BITS)


def _is_end(condition: sympy.Basic) -> bool:
    """Whether a hypothesis is an end of one symbol or node, which counts where that one stands."""
    return end_of(condition) is not None or (isinstance(condition, sympy.Rel) and (
        (condition.rhs.is_Rational and isinstance(condition.lhs, (sympy.Symbol, Node)))
        or (condition.lhs.is_Rational and isinstance(condition.rhs, (sympy.Symbol, Node)))))


def _steepest(condition: sympy.Basic) -> int:
    """The largest power, or root, of what a hypothesis may bound."""
    powers = [part.exp for part in condition.atoms(sympy.Pow)
              if part.exp.is_Rational and part.base.free_symbols]  # fmt: skip
    return max((ceiling(max(abs(e), 1 / abs(e))) for e in powers), default=1)


def _amplified(part: sympy.Basic, box: Box) -> int:
    return _factor(part, box) if isinstance(part, AMPLIFIERS) and part.is_commutative else 1


def told(constant: int) -> str:
    """A constant in words, one of many digits by its power of two."""
    return str(constant) if constant < 10**30 else f"2^{constant.bit_length() - 1}"


def _numbers(claim: Claim) -> Iterator[fmpq]:
    """Numbers printed, and ends of domains."""
    yield from _numbers_of(texts_of(claim))
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


def _height(part: sympy.Basic, box: Box) -> int:
    """By how much a number above one outgrows a base without ends, which a hypothesis may bound."""
    if not isinstance(part, sympy.Pow) or not part.exp.is_Rational or not part.base.free_symbols:
        return 0
    bounded = all(None not in box.range_of(leaf) for leaf in leaves(part)) and not box.near(part)
    return 0 if bounded else int(abs(part.exp)) - 1 if abs(part.exp) > 1 else 0


def _factor(part: sympy.Basic, box: Box) -> int:
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
        return max(map(above, apart), default=1)


# What hypotheses bound through slow functions: log(1/y) <= 40 is y >= exp(-40).


def _written_out(claim: Claim, condition: sympy.Basic) -> sympy.Basic:
    """A hypothesis with definitions put in."""
    whole = {symbol: q.whole for symbol, q in claim.measure.items() if isinstance(q, Definition)}
    for _ in range(len(whole)):
        if not condition.free_symbols & set(whole):
            break
        condition = condition.xreplace(whole)
    return condition


def _undone(condition: sympy.Basic, box: Box) -> int:
    """What logarithms and roots in a hypothesis allow where all else in it is bounded."""
    slow = list(_slow(condition, box))
    marks = {part: sympy.Dummy(real=True) for part in slow}
    rest = [leaf for leaf in outermost(condition.xreplace(marks)) if leaf not in marks.values()]
    ends = [end for leaf in rest for end in box.range_of(leaf)]
    known = [end for end in ends if end is not None]
    if not slow or len(known) < len(ends):
        return 1
    numbers = [exact.ratio_of(n) for n in condition.atoms(sympy.Number) if n.is_finite]
    made = 2
    for size in {*numbers, *known}:
        made *= size_of(size)
    return max(_inverted(part, made, box) for part in slow)


def _slow(expr: sympy.Basic, box: Box) -> Iterator[sympy.Basic]:
    """Outermost logarithms and roots of what has no ends."""
    root = isinstance(expr, sympy.Pow) and not (expr.exp.is_Rational and abs(expr.exp) >= 1)
    if isinstance(expr, sympy.log) or (root and expr.base is not sympy.E):
        if any(None in box.range_of(leaf) for leaf in outermost(expr)) or box.near(expr):
            yield expr
        return
    for arg in () if isinstance(expr, Node) else expr.args:
        yield from _slow(arg, box)


def _inverted(part: sympy.Basic, made: int, box: Box) -> int:
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
