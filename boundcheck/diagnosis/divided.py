"""The largest part of a domain on one side of a number that a failing statement holds on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.changes import measured
from boundcheck.diagnosis.corners import SHARE, Corner, decided_in, holds_on, outlasts, without
from boundcheck.diagnosis.domain import ends
from boundcheck.diagnosis.enlarged import far_out
from boundcheck.diagnosis.frontier import Edge, lasting, plain_towards
from boundcheck.diagnosis.record import (
    MET,
    ONLY,
    Extent,
)
from boundcheck.diagnosis.scales import fails_along, fails_next, fails_scaled
from boundcheck.exact import ratio_of
from boundcheck.search.admissible import Candidates
from boundcheck.search.objective import assess
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Integer, Real

LARGEST = 12  # size of worlds up to which a part is searched
FURTHER = 60  # random worlds with large integers
THIN = 0.25  # failures for each world without on the side where a statement fails
FEWEST, SHARE_OF = 8, 0.05  # worlds without failure in a part, and their share of all of them
ABOUT = 0.9  # share of the worlds of parts on one side that one about zero has to have
MOST = 2  # numbers that are tried
FARTHEST = 10**4  # a real number beyond it is an end of the search
NEAR, CLOSE = 10, 100  # shares of an end that a number is off which is near it, or is it
FURTHEST = 1000  # an integer from which on all is said to hold beside real numbers at will
CLOSER = 50  # the same of a plain end
MOST_PARTS = 4  # numerator and denominator of a multiple of a constant that is such an end
SIMPLE = 12  # least part of one in a number that a hypothesis asks for
BESIDE = fmpq(1, 1000)  # of zero, up to which search tells no number from it
RANGES = (fmpq(1, 2), fmpq(1), fmpq(2))  # least exponents that are asked for
PLAIN = (fmpq(1, 4), fmpq(1, 3), fmpq(1, 2), fmpq(1), fmpq(2), fmpq(3), fmpq(4))  # ends of parts
NARROWEST = fmpq(1, 10**6)  # length of a part from the end of the domain, where search hardly goes


@dataclass(frozen=True)
class Side:
    """One side of a number: `sign` 1 where the failures lie above it, -1 where below.

    Args: bad: the failing value nearest to the part. inner: a value inside the part. last: the end
    of the domain on this side, None for no number. thin: whether few worlds fail on the other
    side: search meets such failures by chance. both: whether the values are those of the number
    without its sign: the part lies about zero, or beyond its two ends.
    """

    symbol: sympy.Symbol
    sign: int
    bad: fmpq
    inner: fmpq
    whole: bool
    count: int
    last: fmpq | None
    thin: bool = False
    both: bool = False

    @property
    def number(self) -> sympy.Expr:
        """What lies in the part."""
        return sympy.Abs(self.symbol) if self.both else self.symbol

    def is_narrow(self, value: fmpq) -> bool:
        """Whether the part that ends at a value is next to nothing."""
        return not self.whole and self.last is not None and abs(value - self.last) < NARROWEST

    def part(self, value: fmpq) -> sympy.Basic:
        """The condition that a number lies in the part that ends at a value."""
        return _up_to(self, sympy.Rational(int(value.p), int(value.q)))

    def is_next_to_zero(self, value: fmpq) -> bool:
        """Whether the statement fails at zero, and so near to it alone as search tells numbers."""
        return not self.whole and self.bad == 0 != value and abs(value) < BESIDE

    @property
    def up_to_zero(self) -> str:
        """Where the statement fails, if zero is the last place at which it does."""
        return f"{self.number} {'>=' if self.sign > 0 else '<='} 0"

    def text(self, value: fmpq | sympy.Expr) -> str:
        """Where the statement fails, if not in the part that ends at a value."""
        rational = isinstance(value, fmpq)
        number = value if not rational or value.q == 1 else f"{float(value):.3g}"
        return f"{self.number} {'>' if self.sign > 0 else '<'} {number}"


def _up_to(side: Side, end: sympy.Expr) -> sympy.Basic:
    """The condition that a number lies on the good side of an end."""
    relation = sympy.Le if side.sign > 0 else sympy.Ge
    return relation(side.number, end, evaluate=False)


def divided(case: Case) -> Extent | None:
    """The parts that nothing failed in, and that no longer look refutes; None for none.

    They are beside the values of one number, on one side of them or on both.
    """
    by_symbol: dict[sympy.Symbol, list[Side]] = {}
    for side in _sides(case):
        by_symbol.setdefault(side.symbol, []).append(side)
    most = sorted(by_symbol.values(), key=lambda sides: -sum(side.count for side in sides))
    found = list[tuple[Extent, dict[sympy.Basic, bool]]]()
    for sides in most[:MOST]:
        if any(len(extent.excluded) <= len(sides) for extent, _ in found):
            break  # no plainer than what is found already
        texts, shown, tested, sure = list[str](), list[str](), 0, True
        asked = dict[sympy.Basic, bool]()
        for side in sides:
            if _fails_moved(case, side, side.inner):
                continue
            value = _end(case, side)
            if value is None or (abs(value) > FARTHEST and not side.whole):
                continue
            if _is_not_searched(case, side, value):
                continue
            value = _plain_end(case, side, value)
            if _is_met(case, _on(case, side, value)) and not _fails_moved(case, side, value):
                texts.append(side.text(value))
                at_zero = side.is_next_to_zero(value) and _is_met(case, _off_zero(case, side))
                plain = next((end for end in PLAIN if _is_near(value, end)), value)
                plain = plain if side.sign * (value - plain) > 0 else value
                named = _named_end(case, side, value)
                told = side.text(plain) if named is None else side.text(named)
                shown.append(side.up_to_zero if at_zero else told)
                known = _is_told(case, side, value)
                sure &= at_zero or (known and not side.thin)
                if side.whole and side.sign < 0 and known:
                    case.kept_by.append(side.part(value))
                asked |= _asked(case, side, value, named)
                tested += side.count
        if texts:
            said = " and ".join(sorted(shown, key=lambda text: ">" not in text))
            told = ONLY if sure else MET
            extent = Extent(f"{told} {said}", corner=False, excluded=tuple(texts), tested=tested)
            found.append((extent, asked))
    if not found:
        return None
    plainest, asked = min(found, key=lambda each: len(each[0].excluded))
    case.parts |= asked
    return plainest


def _plain_end(case: Case, side: Side, value: fmpq) -> fmpq:
    """The plain number nearest to the failures up to which nothing fails either, where search
    stopped short of it; else the value."""
    dear = side.whole or case.claim.draw is not None  # a look at draws costs many
    for end in sorted(PLAIN, key=lambda end: -side.sign * end) if not dear else ():
        if not side.sign * value < side.sign * end < side.sign * side.bad:
            continue
        part = _on(case, side, end)
        if _is_met(case, part) and not _fails_moved(case, side, end) and (
            outlasts(case, part, f"part up to {end}", looks=1)
        ):
            return end
    return value


def _is_not_searched(case: Case, side: Side, value: fmpq) -> bool:
    """Whether the part that ends at a value lies where search does not go of its own, or has one
    integer of it alone: that nothing failed there says little. A statement about numbers is looked
    at everywhere."""
    field = promised_field(case.claim.fields[side.symbol.name])
    searched = getattr(field, "searched", None)
    if searched is None or case.claim.worlds is None:
        return False
    low, high = (None, searched) if side.whole else searched
    last = high if side.sign < 0 else low
    if not isinstance(last, (int, fmpq)):
        return False
    return bool(value >= last if side.whole else (value - last) * side.sign < 0)


def _is_told(case: Case, side: Side, value: fmpq) -> bool:
    """Whether a part ends where search found it to: a statement about one number is looked at
    everywhere; one about worlds, or an integer without end besides, fails up to simple numbers,
    where it does not end at random."""
    endless = any(isinstance(field, Integer) and field.high is None and symbol != side.symbol
                  for symbol, field in case.claim.parameters.items())  # fmt: skip
    if side.whole and value > FURTHEST and any(
        isinstance(field, Real) and field.high is None for field in case.claim.parameters.values()
    ):
        return False  # another number may be larger than search makes any
    if side.whole or not value or (case.claim.worlds is None and not endless):
        return True
    return any(_is_near(value, end) for end in PLAIN)


def _is_near(value: fmpq, end: fmpq) -> bool:
    """Whether search would tell a value from a plain end no better."""
    return abs(value - end) * CLOSER <= end


def _asked(
    case: Case, side: Side, value: fmpq, named: sympy.Expr | None = None
) -> dict[sympy.Basic, bool]:
    """The part as a hypothesis on a number at will, up to a simple one near the end of it, and
    whether that is the end as well as search tells; zero is an end that search tries first.

    In worlds of more than numbers such an end is told where it is one, from above: a number kept
    away from zero is seldom what was meant, unless it is an exponent, which has its range.

    Args: named: the end as a multiple of a constant that the statement names, where it is one.
    """
    if side.whole or not value:
        return {}
    if case.claim.worlds is not None:
        usual = (fmpq(1),) if side.sign > 0 else RANGES if _is_exponent(case, side.symbol) else ()
        return {side.part(end): True for end in usual if abs(value - end) * CLOSE <= end}
    if named is not None:
        return {_up_to(side, named): True}
    for parts in range(1, SIMPLE + 1):
        scaled = value * parts
        near = fmpq(int(scaled.floor() if side.sign > 0 else scaled.ceil()), parts)
        if abs(near - value) * NEAR <= abs(value):
            return {side.part(near): abs(near - value) * CLOSE <= abs(value)}
    return {}


def _named_end(case: Case, side: Side, value: fmpq) -> sympy.Expr | None:
    """The simple multiple of pi, e, a root or a logarithm of a number in the statement that search
    tells from a value no better, where nothing fails up to it; None for no such."""
    if side.whole or not value or case.claim.worlds is not None:
        return None
    texts = (case.claim.statement.relation, *case.claim.given)
    constants = {part for text in texts
                 for part in text.atoms(sympy.NumberSymbol, sympy.log, sympy.Pow)
                 if part.is_number and part.is_positive and not part.is_Rational
                 and (not part.is_Pow or part.exp in (sympy.S.Half, -sympy.S.Half))}  # fmt: skip
    size = float(abs(value))
    for constant in sorted(constants, key=str):
        multiple = Fraction(size / float(constant)).limit_denominator(MOST_PARTS)
        end = sympy.Rational(multiple.numerator, multiple.denominator) * constant
        if multiple.numerator <= MOST_PARTS and abs(float(end) - size) * CLOSE <= size:
            end = end if value > 0 else -end
            corner = Corner(str(side.symbol), (_up_to(side, end),), side.symbol)
            return end if _is_met(case, without(case.claim, [corner], ties=False)) else None
    return None


def _is_exponent(case: Case, symbol: sympy.Symbol) -> bool:
    """Whether the statement, or what it measures, has a power with a number in its exponent."""
    relation = case.claim.statement.relation
    printed = (relation, *measured(case.claim, relation).values())
    return any(symbol.name in {each.name for each in power.exp.free_symbols}
               for part in printed for power in part.atoms(sympy.Pow))  # fmt: skip


def _fails_moved(case: Case, side: Side, value: fmpq) -> bool:
    """Whether a failing world, its numbers moved, fails in the part that ends there."""
    part, name = _on(case, side, value), side.symbol.name
    if side.whole and fails_next(case, part, name, value, -side.sign):
        return True
    return fails_scaled(case, part) or fails_along(case, part, name, value)


def _sides(case: Case) -> Iterator[Side]:
    """Sides of numbers of the claim on which no world failed, and enough did not."""
    failing = [*case.failures, *(s.setting.values for s in case.worlds if s.violated)]
    holding = [s.setting.values for s in case.worlds
               if not s.violated and not s.undefined and math.isfinite(s.score)]  # fmt: skip
    for values, violated in _further(case):
        (failing if violated else holding).append(dict(values))
    for symbol, whole in _numbers(case.claim):
        bad = _numbers_at(symbol.name, failing)
        good = _numbers_at(symbol.name, holding)
        if len(bad) < len(failing) or len(good) < len(holding) or not bad:
            continue
        ends = [_last(case.claim, symbol, sign) for sign in (1, -1)]
        sides = [_side(Side(symbol, sign, bad[0], bad[0], whole, 0, end), bad, good)
                 for sign, end in zip((1, -1), ends, strict=True)]  # fmt: skip
        if not whole and min(bad) < 0 < max(bad):
            bad, good = [abs(value) for value in bad], [abs(value) for value in good]
            about = [_side(Side(symbol, sign, bad[0], bad[0], whole, 0, end, both=True), bad, good)
                     for sign, end in ((1, fmpq(0)), (-1, None))]  # fmt: skip
            one_sided = sum(side.count for side in sides if side)
            if any(side and side.count >= ABOUT * one_sided for side in about):
                sides = about
        yield from (side for side in sides if side)


def _side(side: Side, bad: list[fmpq], good: list[fmpq]) -> Side | None:
    """A side with the values on it; None where too few of those that hold are there."""
    sign = side.sign
    nearest = min(bad, key=lambda value: sign * value)
    inside = sorted((v for v in good if sign * v < sign * nearest and not side.is_narrow(v)),
                    key=lambda v: sign * v)  # fmt: skip
    if len(inside) < max(FEWEST, SHARE_OF * len(good)) or len(set(inside)) < 2:
        return None
    beyond = sum(sign * value >= sign * nearest for value in good)
    return replace(side, bad=nearest, inner=inside[len(inside) // 4], count=len(inside),
                   thin=len(bad) < THIN * beyond)  # fmt: skip


def _further(case: Case) -> Iterator[tuple[Mapping[str, object], bool]]:
    """Random worlds with integers beyond the range of search, and whether the statement fails."""
    wide = far_out(case.claim)
    if wide is None:
        return
    candidates, rng = Candidates(wide), case.bench.task(wide, "further").rng("random worlds")
    for _ in range(FURTHER):
        found = candidates.random(rng)
        if found is None:
            continue
        told = assess(found.setting, outcomes=case.bench.budget.outcomes)
        if not told.undefined and not told.undecided and math.isfinite(told.score):
            yield found.setting.values, told.violated


def _numbers(claim: Claim) -> Iterator[tuple[sympy.Symbol, bool]]:
    """Real numbers and integers of a claim, and whether they are integers."""
    known = {symbol.name: symbol for symbol in claim.parameters}
    for name, field in claim.fields.items():
        if isinstance(field, (Integer, Real)):
            symbol = known.get(name, sympy.Symbol(name, real=True))
            yield symbol, isinstance(field, Integer)


def _last(claim: Claim, symbol: sympy.Symbol, sign: int) -> fmpq | None:
    """The end of what a number may be, below failures (sign 1) or above."""
    low, high = ends(claim, symbol)
    end = low if sign > 0 else high
    return None if end is None else ratio_of(end)


def _end(case: Case, side: Side) -> fmpq | None:
    """The end of the part, moved towards the failures as far as short searches allow."""
    good, bad = side.inner, side.bad
    if side.sign > 0 and side.whole and far_out(case.claim) is None:
        bad = min(bad, fmpq(LARGEST + 1))  # larger worlds than search builds
    if not holds_on(case, _on(case, side, good), f"{side.number} inside"):
        return None
    edge = Edge(side.symbol.name, side.whole, far_out(case.claim) or case.claim, good,
                lambda value: _on(case, side, value), f"{side.number} {side.sign}",
                side.both)  # fmt: skip
    found = lasting(case, edge, bad, looks=1)
    if found is None:
        found = plain_towards(good, good - side.sign, whole=side.whole)
        if not outlasts(case, edge.on(found), f"part {side.sign}", looks=1):
            return None
    return None if side.is_narrow(found) else found


def _on(case: Case, side: Side, value: fmpq) -> Claim:
    """The claim on a part, searched as far as the part goes."""
    corner = Corner(str(side.symbol), (side.part(value),), side.symbol)
    claim = far_out(case.claim) or case.claim
    worlds, name = claim.worlds, side.symbol.name
    field = None if worlds is None else worlds.fields.get(name)
    if worlds is not None and isinstance(field, Integer) and side.sign > 0:
        reached = field.searched if isinstance(field.searched, int) else 0
        wider = replace(field, searched=max(reached, int(value)))
        claim = replace(claim, worlds=worlds.and_fields(**{name: wider}))
    return without(claim, [corner], ties=False)


def _off_zero(case: Case, side: Side) -> Claim:
    """The claim on the side of zero on which nothing failed, zero left out."""
    relation = sympy.Lt if side.sign > 0 else sympy.Gt
    corner = Corner(str(side.symbol), (relation(side.number, 0, evaluate=False),), side.symbol)
    return without(case.claim, [corner], ties=False)


def _is_met(case: Case, claim: Claim) -> bool:
    """Whether a search finds worlds enough in a part, and none that fails."""
    found = case.search(claim, "a part", SHARE)
    return found.violation is None and decided_in(found) >= FEWEST


def _numbers_at(name: str, worlds: Iterable[Mapping[str, object]]) -> list[fmpq]:
    found = (values.get(name) for values in worlds)
    return [fmpq(value) for value in found if isinstance(value, (int, fmpq))]


def is_about_zero(part: sympy.Rel) -> bool:
    """Whether a part of a domain is the usual one about zero, |x| <= 1, or what lies beyond it."""
    return part.lhs.func is sympy.Abs and part.rhs == 1


def is_half(case: Case, claim: Claim) -> bool:
    """Whether a hypothesis asks that x is large where it is enough that |x| is."""
    last = claim.given[-1] if claim.given else None
    return isinstance(last, sympy.Ge) and any(
        isinstance(part, sympy.Ge) and part.lhs == sympy.Abs(last.lhs) and last.rhs == part.rhs
        for part in case.parts)  # fmt: skip
