"""Ends of a domain, and whether a statement holds on the part without them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import sympy

from boundcheck.claim import Claim, Form
from boundcheck.diagnosis.case import Case, weakened
from boundcheck.diagnosis.domain import ends as ends_of
from boundcheck.diagnosis.edits import level_of
from boundcheck.diagnosis.record import Extent
from boundcheck.diagnosis.trial import EFFORT
from boundcheck.expressions.binding import Definition
from boundcheck.search.portfolio import SearchResult
from boundcheck.setting import sides
from boundcheck.verdict import Evidence
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Integer, Real

LEVELS = (sympy.Rational(1, 1000), sympy.Rational(1, 2))
NEAR_ONE = sympy.Rational(9, 10)  # where the end of a share begins that is no level
LOOKS, LONGER = 2, 2  # whole trials of what is said to hold, and how much longer than usual ones
SHARE = 0.25  # of a trial's evaluations, in each search of a part


@dataclass(frozen=True)
class Corner:
    """One end of the domain: the conditions that leave it out, and what it is."""

    name: str
    conditions: tuple[sympy.Basic, ...]
    symbol: sympy.Symbol | None = None
    end: sympy.Rational | None = None  # where it begins, of a number between 0 and 1


def without(claim: Claim, corners: list[Corner], *, ties: bool) -> Claim:
    """The claim on the domain without some corners, its strict signs weak if ties are left out."""
    given = [condition for corner in corners for condition in corner.conditions]
    statement: Form = weakened(claim.statement) if ties else claim.statement
    return replace(claim, given=(*claim.given, *given), statement=statement)


def corners_of(claim: Claim) -> Iterator[Corner]:
    """Sizes that the statement does not name, then those that it names, then levels.

    Corners come back into the search in this order, so that the last to stay out is what a reader
    of the statement would name.
    """
    printed = {symbol.name for symbol in claim.statement.free_symbols()}
    yield from sorted(_sizes(claim), key=lambda corner: str(corner.symbol) in printed)
    yield from _meetings(claim)
    for symbol, field in claim.parameters.items():
        if isinstance(field, Real) and ends_of(claim, symbol) == (0, 1):
            high = LEVELS[1] if _is_level(claim, symbol) else NEAR_ONE
            yield Corner(f"{symbol} above {high}", (symbol <= high,), symbol, high)
            yield Corner(f"{symbol} below {LEVELS[0]}", (symbol >= LEVELS[0],), symbol, LEVELS[0])


def _is_level(claim: Claim, symbol: sympy.Symbol) -> bool:
    """Whether a number between 0 and 1 is a level: that of the claim, or one that is neither and
    divides within a logarithm."""
    level, field = level_of(claim.statement), claim.parameters[symbol]
    of_claim = level is not None and symbol in level.free_symbols
    if of_claim or field.high is None:
        return True
    quantities = claim.measure.values()
    opaque = any(not isinstance(quantity, Definition) for quantity in quantities)
    texts = [claim.statement.relation, *claim.given]
    texts += [quantity.shown for quantity in quantities if isinstance(quantity, Definition)]
    logarithms = (part.args[0] for text in texts for part in text.atoms(sympy.log))
    divides = any(symbol in inner.as_numer_denom()[1].free_symbols for inner in logarithms)
    return bool((opaque or divides) and field.open_low and field.open_high)


def _sizes(claim: Claim) -> Iterator[Corner]:
    """Sizes of one thing; where there may be none, those too, then sizes of none alone."""
    symbols = {symbol.name: symbol for symbol in claim.parameters}
    named = {symbol.name: symbol for condition in claim.given for symbol in condition.free_symbols}
    for name, field in claim.fields.items():
        if not isinstance(field, Integer) or field.high == field.low:
            continue
        symbol = symbols.get(name, sympy.Symbol(name, real=True))
        least, _ = ends_of(claim, named.get(name, symbol))
        if least is None or least < 0:
            continue
        first = math.ceil(least)
        for last in (1, 0) if first == 0 else (first,):
            said = "0 or 1" if last > first else str(first)
            condition = sympy.Ge(symbol, last + 1, evaluate=False)
            yield Corner(f"{name} = {said}", (condition,), symbol)


def _meetings(claim: Claim) -> Iterator[Corner]:
    """Where two numbers meet of which one is at most the other: k = n of 1 <= k <= n. Of worlds
    that hold more than numbers no reader asks so."""
    if claim.worlds is not None:
        return
    known = {symbol.name: symbol for symbol in claim.parameters}
    pairs = [(symbol, known[str(field.high)]) for symbol, field in claim.parameters.items()
             if isinstance(field, (Integer, Real)) and str(field.high) in known
             and not getattr(field, "open_high", False)]  # fmt: skip
    pairs += [(one, two) for condition in claim.given if isinstance(condition, (sympy.Le, sympy.Ge))
              for one, two in [sides(condition)] if {one, two} <= {*known.values()}]  # fmt: skip
    for one, two in dict.fromkeys(pairs):
        yield Corner(f"{one} = {two}", (sympy.Lt(one, two, evaluate=False),))


def holds_on(case: Case, claim: Claim, purpose: str) -> bool:
    """Whether a short search does not refute a part of the claim; what does is kept."""
    return open_worlds(case, claim, purpose) is not None


def open_worlds(case: Case, claim: Claim, purpose: str) -> int | None:
    """How many worlds in which a part may fail a short search leaves open; None where it refutes
    the part, which is kept."""
    if case.witness is not None and case.verdict.outcome == "refuted" and case.killed(claim):
        return None
    found = case.search(claim, purpose, SHARE)
    if found.violation is None:
        return found.doubtful
    case.killers.append(dict(found.violation.setting.values))
    return None


def decided_in(found: SearchResult) -> int:
    """Worlds of a part that a search has decided; none where it left more of them open.

    Where balls are too wide to tell nothing is seen to fail, and nothing to hold.
    """
    decided = found.evaluated - found.silent - found.undecided
    return decided if decided >= found.undecided else 0


def outlasts(case: Case, claim: Claim, purpose: str, looks: int = LOOKS) -> bool:
    """Whether whole trials of more than the usual effort do not refute a claim."""
    return long_refutation(case, claim, purpose, looks) is None


def long_refutation(case: Case, claim: Claim, purpose: str, looks: int = LOOKS) -> Evidence | None:
    """What whole trials of more than the usual effort find against a claim, or None."""
    for seed in range(looks):
        bench = replace(case.bench, seed=case.bench.seed + seed, effort=LONGER * EFFORT)
        found = bench.refutation(claim, purpose)
        if found is not None:
            return found
    return None


def closed_ends(claim: Claim) -> Iterator[Corner]:
    """Sizes of one thing, and ends that belong to the domain of a parameter."""
    yield from _sizes(claim)
    yield from _meetings(claim)
    for symbol, field in claim.parameters.items():
        if not isinstance(field, Real):
            continue
        for end, closed, inside in ((field.low, not field.open_low, sympy.Gt),
                                    (field.high, not field.open_high, sympy.Lt)):  # fmt: skip
            if end is not None and closed and symbol.name in _numbers_of(claim):
                condition = inside(symbol, sympy.Rational(str(end)), evaluate=False)
                yield Corner(f"{symbol} = {end}", (condition,), symbol)


def _numbers_of(claim: Claim) -> set[str]:
    """Names in the statement whose ends are numbers."""
    literal = {symbol.name for symbol, field in claim.parameters.items()
               if isinstance(field, Real) and not is_name(field.low) and not is_name(field.high)
               }  # fmt: skip
    return literal & {symbol.name for symbol in claim.statement.free_symbols()}


def left_out(claim: Claim, extent: Extent) -> Iterator[sympy.Basic]:
    """Conditions that leave out the end of the domain at which alone a statement fails, if it is
    one: at least two things, a number below the end that belongs to its domain."""
    if not extent.corner or len(extent.excluded) != 1:
        return
    (name,) = extent.excluded
    for corner in closed_ends(claim):
        if corner.name == name or (" = " not in name and name.split()[0] == str(corner.symbol)):
            yield from corner.conditions


def levels(claim: Claim) -> list[Corner]:
    """Corners of numbers between 0 and 1."""
    return [corner for corner in corners_of(claim) if corner.end is not None]
