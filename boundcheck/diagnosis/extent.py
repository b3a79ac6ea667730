"""How far a statement fails: without the ends of its domain, and the largest part that stands."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import KNOWN, Case, weakened
from boundcheck.diagnosis.corners import (
    LEVELS,
    LOOKS,
    SHARE,
    Corner,
    closed_ends,
    corners_of,
    decided_in,
    holds_on,
    levels,
    open_worlds,
    outlasts,
    without,
)
from boundcheck.diagnosis.divided import divided
from boundcheck.diagnosis.frontier import Edge, lasting
from boundcheck.diagnosis.growing import LEAST_SIZES
from boundcheck.diagnosis.record import (
    EVERYWHERE,
    MET,
    ONLY,
    Extent,
)
from boundcheck.diagnosis.trial import fails_at, stands
from boundcheck.diagnosis.written import in_symbols_of
from boundcheck.encoding import show
from boundcheck.search.growth import MOVES, Immovable, grown
from boundcheck.setting import Setting, parts, sides
from boundcheck.verdict import Verdict

ORDER = 100.0  # bounds at most so many times another one are of its order
MOST_ENDS = 2  # of a domain; what fails at more of them fails elsewhere too
TIES = "sides equal"
VALUES = "values of the statement"


def extent(case: Case) -> Extent:
    """The largest stated part of the domain without failure, or `EVERYWHERE`."""
    if case.claim.undefined:
        return Extent(EVERYWHERE, corner=False)
    if not case.explicit:
        return _up_to_constant(case)
    if case.concrete:
        return _single(case)
    if case.verdict.outcome == "malformed" and (ends := _without_value(case)) is not None:
        return ends
    found = _without_corners(case)
    return found if found.excluded or found.undefined else divided(case) or found


def _without_corners(case: Case) -> Extent:
    """How far a statement fails on its domain without its ends."""
    corners = list(corners_of(case.claim))
    missing = case.verdict.outcome == "malformed"
    inside = without(case.claim, corners, ties=True)
    if case.verdict.outcome == "refuted" and case.killed(inside):
        return Extent(_where(case), corner=False, tested=len(case.failures))
    found = case.search(inside, "without corners", SHARE)
    tested = decided_in(found)
    if found.violation is not None or tested < 8:
        return Extent(_where(case), corner=False, tested=tested)
    how_far = _least(case, corners, missing, tested)
    if found.doubtful and how_far.fails_on.startswith(ONLY):
        how_far = replace(how_far, fails_on=how_far.fails_on.replace(ONLY, MET, 1))
    if len(how_far.excluded) > MOST_ENDS:
        return Extent(_where(case), corner=False, tested=tested)
    named = [corner for corner in corners if corner.name in how_far.excluded]
    if not named:
        return how_far
    # Larger worlds hold the small ones, and a level is seldom met: both need a longer look.
    rest = without(case.claim, named, ties=TIES in how_far.excluded)
    if _fails_enlarged(case, rest, named) or not outlasts(case, rest, "without corners, again"):
        return Extent(_where(case), corner=False, tested=tested)
    if any("=" in corner.name for corner in named):
        return replace(how_far, proved=case.bench.proved(rest, "larger sizes"))
    return how_far


def _fails_enlarged(case: Case, rest: Claim, named: Sequence[Corner]) -> bool:
    """Whether a world in which the claim fails, twice as large, refutes it without small sizes."""
    sizes = [str(corner.symbol) for corner in named if corner.symbol and "=" in corner.name]
    for values in case.failures[:KNOWN]:
        for size, move in itertools.product(sizes, MOVES):
            try:
                larger = grown(rest.fields, values, size, move, 2)
            except Immovable:
                continue
            setting = Setting(rest, larger)
            if not setting.misfit() and fails_at(setting):
                return True
    return False


def _without_value(case: Case) -> Extent | None:
    """Ends of the domain at which alone the statement has no value; None if it has none inside."""
    ends = list(closed_ends(case.claim))
    inside = without(case.claim, ends, ties=False)
    if not ends or case.search(inside, "inside", SHARE, missing=True).violation is not None:
        return None
    found = case.search(inside, "inside, failing", SHARE)
    if found.violation is not None:
        return None
    for end in list(ends):
        rest = [other for other in ends if other != end]
        again = case.search(without(case.claim, rest, ties=False), f"{end.name} back", SHARE,
                            missing=True)  # fmt: skip
        if rest and again.violation is None:
            ends = rest
    named = tuple(end.name for end in ends)
    return Extent("has no value for " + " or ".join(named), True, named, found.evaluated)


def _up_to_constant(case: Case) -> Extent:
    """Levels of a statement up to a constant that have to stay inside, if that is all it lacks."""
    corners = levels(case.claim)
    if not corners:
        return Extent(EVERYWHERE, corner=False)
    inside = without(case.claim, corners, ties=False)
    verdict = case.bench.verdict(inside, "some constant inside")
    if not stands(verdict) and not bounded(verdict):
        return Extent(EVERYWHERE, corner=False)
    for corner in list(corners):
        rest = [other for other in corners if other != corner]
        if rest and not _refuted(case, rest):
            corners = rest
    named = tuple(corner.name for corner in corners)
    return Extent(f"{ONLY} " + " or ".join(named), True, named)


def settled(case: Case, found: Extent, stated: Sequence[Claim]) -> Extent:
    """The extent of a statement up to a constant, by those that stand with other numbers in them.

    Where one of their bounds is at most a constant times the printed one for levels inside, the
    print holds there too.
    """
    corners = levels(case.claim)
    if case.explicit or found.corner or not corners:
        return found
    if not any(_within(case, other, corners) for other in stated):
        return found
    for corner in list(corners):
        rest = [other for other in corners if other != corner]
        if rest and any(_within(case, other, rest) for other in stated):
            corners = rest
    named = tuple(corner.name for corner in corners)
    return Extent(f"{ONLY} " + " or ".join(named), True, named, found.tested)


def bounded(verdict: Verdict) -> bool:
    """Whether no constant was seen to grow along families followed as far as growth is judged.

    Such a statement is undecided, for no smaller bound would have been refuted either.
    """
    growing = any(item.numbers.get("growing") for item in verdict.evidence)
    curves = [sizes for item in verdict.evidence if item.check == "trend"
              for sizes in item.numbers.get("curves", {}).values()]  # fmt: skip
    followed = any(len(sizes) >= LEAST_SIZES for sizes in curves)
    return verdict.outcome == "undecided" and followed and not growing


def _within(case: Case, other: Claim, corners: list[Corner]) -> bool:
    """Whether the bounds of another claim are of the printed order without the corners."""
    import numpy

    pairs = list(zip(parts(case.claim.statement.relation), parts(other.statement.relation),
                     strict=False))  # fmt: skip
    keep = numpy.ones(case.free.rows, bool)
    for condition in (condition for corner in corners for condition in corner.conditions):
        truth = case.free.evaluate(condition)
        keep &= False if truth is None else truth.astype(bool)
    for one, two in pairs:
        values = [case.free.evaluate(in_symbols_of(case.claim, sides(part)[1]))
                  for part in (one, two)]  # fmt: skip
        if any(value is None for value in values):
            return False
        with numpy.errstate(all="ignore"):
            ratio = values[1][keep] / values[0][keep]
        if not len(ratio) or not (ratio <= ORDER).all():
            return False
    return bool(pairs)


def _refuted(case: Case, corners: list[Corner]) -> bool:
    """Whether no constant serves without the corners."""
    names = ", ".join(corner.name for corner in corners)
    claim = without(case.claim, corners, ties=False)
    return case.bench.refutation(claim, f"constant without {names}", SHARE) is not None


def _single(case: Case) -> Extent:
    """A statement about given numbers fails, or fails only because both sides are equal."""
    tie = weakened(case.claim.statement)
    if tie.relation != case.claim.statement.relation:
        found = case.search(replace(case.claim, statement=tie), "tie", SHARE)
        if found.violation is None and decided_in(found):
            return Extent("fails only because both sides are equal", True, (TIES,), 1)
    return Extent("fails at the values stated", corner=False, tested=1)


def _least(case: Case, corners: list[Corner], missing: bool, tested: int) -> Extent:
    """The corners that have to go: each comes back into the search if nothing fails with it."""
    needed = list(corners)
    strict = weakened(case.claim.statement).relation != case.claim.statement.relation
    equal = without(case.claim, needed, ties=False)
    left_open = open_worlds(case, equal, "ties back") if strict else 0
    ties = left_open is None
    for corner in corners:
        rest = [other for other in needed if other != corner]
        if holds_on(case, without(case.claim, rest, ties=ties), f"{corner.name} back"):
            needed = rest
    texts = [_bisected(case, corner, needed, ties) for corner in needed]
    inner = not ties and [corner.name for corner in needed] != texts and _is_inner(case, texts)
    if ties:
        texts.append("equal sides")
    if not texts:
        if missing:
            return Extent("has no value on a part of the domain and holds where it has one",
                          True, (VALUES,), tested, undefined=True)  # fmt: skip
        return Extent(_where(case), corner=False, tested=tested)
    excluded = tuple(corner.name for corner in needed) + ((TIES,) if ties else ())
    shared = _shared(case, needed[0]) if len(needed) == 1 and not ties else ""
    # Of a bound of the largest that forgets how many there are, small sizes show corners only.
    levels_alone = bool(needed) and all(corner.end is not None for corner in needed)
    said = MET if left_open or (levels_alone and case.lost_sizes) else ONLY
    return Extent(f"{said} " + " or ".join(texts) + shared, not inner, excluded, tested)


def _is_inner(case: Case, texts: Sequence[str]) -> bool:
    """Whether the one integer for which a statement about numbers fails has others on either side:
    it is no end of the domain."""
    return case.claim.worlds is None and len(texts) == 1 and texts[0].endswith(" = 1")


def _shared(case: Case, corner: Corner) -> str:
    """Another size, named by the statement, that is 1 in all failures met, as text."""
    printed = {symbol.name for symbol in case.claim.statement.free_symbols()}
    printed -= {str(corner.symbol)}
    failing = case.failures
    for name in sorted(printed & set(failing[0] if failing else ())):
        values = {str(values[name]) for values in failing if isinstance(values[name], int)}
        if values == {"1"} and len(failing) > 1:
            return f" with {name} = 1"
    return ""


def _bisected(case: Case, corner: Corner, needed: list[Corner], ties: bool) -> str:
    """The corner with its end moved as far out as nothing fails, as text."""
    symbol, end = corner.symbol, corner.end
    if symbol is None or end is None:
        return _without_none(case, corner, needed, ties)
    above = end != LEVELS[0]
    rest = [other for other in needed if other != corner]

    def on(value: fmpq) -> Claim:
        limit = sympy.Rational(int(value.p), int(value.q))
        moved = Corner(corner.name, (symbol <= limit if above else symbol >= limit,), symbol)
        return without(case.claim, [*rest, moved], ties=ties)

    if _at_its_end(case, corner, symbol, rest, ties):
        return f"{symbol} = {int(above)}"
    whole = without(case.claim, rest, ties=ties)
    edge = Edge(symbol.name, False, whole, fmpq(end.p, end.q), on, corner.name)
    value = lasting(case, edge, fmpq(int(above)), LOOKS)
    return corner.name if value is None else f"{symbol} {'>' if above else '<'} {_decimal(value)}"


def _without_none(case: Case, corner: Corner, needed: list[Corner], ties: bool) -> str:
    """The corner of none or one thing, as text, of one alone where nothing fails of none."""
    if corner.symbol is None or not corner.name.endswith(" = 0 or 1"):
        return corner.name
    none = Corner(corner.name, (sympy.Le(corner.symbol, 0, evaluate=False),), corner.symbol)
    rest = [other for other in needed if other != corner]
    claim = without(case.claim, [*rest, none], ties=ties)
    failing = {values.get(str(corner.symbol)) for values in case.failures}
    if failing == {1} and holds_on(case, claim, f"{corner.symbol} none"):
        return f"{corner.symbol} = 1"
    return corner.name


def _at_its_end(
    case: Case, corner: Corner, symbol: sympy.Symbol, rest: list[Corner], ties: bool
) -> bool:
    """Whether all that fails of a number between 0 and 1 lies at the end of it alone."""
    last = int(corner.end != LEVELS[0])
    if not any(values.get(symbol.name) == last for values in (*case.failures, *case.killers)):
        return False
    inside = sympy.Lt(symbol, 1) if last else sympy.Gt(symbol, 0)
    claim = without(case.claim, [*rest, Corner(corner.name, (inside,), symbol)], ties=ties)
    purpose = f"{corner.name}, beside the end"
    return holds_on(case, claim, purpose) and outlasts(case, claim, purpose, 1)


def _decimal(value: fmpq) -> str:
    return f"{float(value.p) / float(value.q):.3g}"


def _where(case: Case) -> str:
    """Where the violations met lie, by the sizes and parameters that all of them share."""
    failing = [*(seen.setting.values for seen in case.worlds if seen.violated), *case.failures]
    holding = [seen.setting.values for seen in case.worlds if not seen.violated]
    if len(failing) < 5 or not holding:
        return EVERYWHERE
    for name, value in failing[0].items():
        same = isinstance(value, int) and all(other[name] == value for other in failing)
        if same and any(other.get(name) != value for other in holding):
            return f"{MET} {name} = {show(value)}"
    return EVERYWHERE
