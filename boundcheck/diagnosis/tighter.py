"""Of two changes about as near to the print, the one that says more comes first."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import sympy

from boundcheck.claim import Form
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.changes import measured
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import level_of
from boundcheck.diagnosis.grade import SETTLED
from boundcheck.diagnosis.hypotheses import NUMBERS
from boundcheck.diagnosis.kin import OTHER_EXTREME, exchanges_extremes, extreme, replaced_in
from boundcheck.diagnosis.pointless import SAME_THING
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.turned import lasts, touches, touches_where_fails
from boundcheck.expressions.nodes import Indicator
from boundcheck.setting import INEQUALITIES, sides

ABOUT = 0.35  # of costs, as near
AHEAD = 0.01
AS_FAR = 1.2  # the same of one that is attained where the print fails, and one that is not
NEARLY = 0.2  # the same, where neither says more
COMPARED = 24  # the nearest changes
KINDS = ("symbol", "factor", "constant")
FITTED = 0.6  # farther, as near as a number that is fitted to the smallest size
BETTER = 0.65  # farther than a hypothesis under which it says more
FOLLOWED, LEFT = 1.2, 1.3  # right over left at the least sizes: with a size; with a number
LEAST = 2  # sizes, of which worlds of all kinds are known
MOST_PLAIN = 3.2  # cost of a number up to which larger worlds were not seen to ask more
ROUNDING = 1e-9
SEEN = 1e-5  # of a bound, what floats tell apart
NOTABLY = 0.01  # of a bound
MOVED = 0.25  # of what a change moves the printed bound by


def tighter_first(case: Case, offered: Iterable[Candidate]) -> list[Candidate]:
    """Candidates by cost; a lost symbol or another number before what is as near and nowhere says
    more; of two that say the same, the one that is no longer than the print. A number that is
    only near the least which serves says more than any plain one: it is compared with others
    where it is as short as the printed one."""
    found = sorted(offered, key=lambda item: item.cost)
    bounds = {place: bound for place, item in enumerate(found[:COMPARED])
              if (not item.near or _is_plain(case, item))
              and (bound := _bound(case, item)) is not None}  # fmt: skip
    failing = {place for place in bounds if _is_refuted(case, found[place])}
    bounds = {place: bound for place, bound in bounds.items() if place not in failing}
    printed = {side: _printed(case, side) for side in {side for side, _ in bounds.values()}}
    for place in [place for place in bounds if _says_the_same(case, found[place])]:
        found[place] = replace(found[place], cost=found[place].cost + SAME_THING)
        del bounds[place]
    best = {place for place in bounds if _is_best(case, found[place])}
    clearly = {place for place in best if _is_best(case, found[place], clearly=True)}
    lasting = {place for place in best if lasts(case, _whole(case, found[place]))}

    def before(place: int, other: int) -> bool:
        far, better = found[place].cost - found[other].cost, place in best and other not in best
        (side, bound), (its_side, its) = bounds[place], bounds[other]
        fitted = found[other].kind == "constant" and other not in lasting
        if fitted and place in lasting and found[place].kind == "symbol" and 0 <= far <= FITTED:
            return True
        if side != its_side:
            return False
        if found[other].near or (found[place].near and found[other].kind != "constant"):
            return False
        more = _measures_more(case, found[place]) and not _measures_more(case, found[other])
        if more and place not in lasting:
            return False
        as_far = better or (place in clearly and other not in clearly)
        old = printed[side]
        if -ABOUT <= far <= (AS_FAR if as_far else ABOUT) and _says_more(bound, its, old):
            return True
        if better and 0 <= far <= NEARLY and not _says_more(its, bound, old):
            return True
        shorter = _is_plain(case, found[place]) and not _is_plain(case, found[other])
        return shorter and abs(far) <= ABOUT and _agree(bound, its)

    behind = {
        place: [other for other in bounds if other != place and before(place, other)]
        for place in bounds if found[place].kind in KINDS
    }  # fmt: skip
    costs = [item.cost for item in found]
    for _ in behind:  # what comes before one comes before all that this one comes before
        for place, others in behind.items():
            first = min((found[other].cost for other in others), default=math.inf) - AHEAD
            if found[place].cost > first:
                found[place] = replace(found[place], cost=first)
    for place, others in behind.items():  # of two that neither says more, the nearer stays first
        passed = [found[other].cost for other in behind if costs[place] < costs[other] - AHEAD
                  and found[other].cost <= found[place].cost and place not in behind[other]]
        passed = passed if others else []
        first = min(passed, default=math.inf) - AHEAD / 2
        if passed and not any(place in behind[other] and found[other].cost > first
                              for other in behind):  # fmt: skip
            found[place] = replace(found[place], cost=first)
    # A lost factor and the other extreme are likelier than an inequality that is turned round.
    lost = min((found[place].cost for place in best if found[place].kind == "factor"
                or (place in lasting and _is_other_extreme(case, found[place]))),
               default=math.inf)  # fmt: skip
    for place, item in enumerate(found):
        if item.turned and lost - ABOUT <= item.cost <= lost:
            found[place] = replace(item, cost=lost + AHEAD)
    found = _numbers_first(case, found)
    for place in best:
        found[place] = _before_hypotheses(case, found[place], found)
    found = _wider_first(case, _signs_first(found))
    left = [item for place, item in enumerate(found) if place not in failing]
    return _turned_first(case, sorted(left, key=lambda item: item.cost))


def _numbers_first(case: Case, found: list[Candidate]) -> list[Candidate]:
    """A number of which larger worlds ask no more, before a size that is as near: a bound that may
    have a constant needs no dimension. Not where failures follow the size, from the least on, nor
    before a changed symbol that is attained and was nearer."""
    roots = {f"a factor {text} ": size for size in sizes(case.claim)
             for text in (str(size), f"sqrt({size})")}  # fmt: skip
    near = [(item, size) for item in found if item.kind == "factor" and not item.written
            for words, size in roots.items() if item.words.startswith(words)]  # fmt: skip

    def first(item: Candidate) -> Candidate:
        beside = [pair for pair in near if 0 <= item.cost - pair[0].cost <= ABOUT]
        if item.kind != "constant" or item.written or item.cost >= MOST_PLAIN or not beside:
            return item
        if any(_follows(case, item, *pair) for pair in beside):
            return item
        ahead = min(other.cost for other, _ in beside) - AHEAD
        nearer = any(other.kind == "symbol" and ahead <= other.cost < item.cost
                     and _is_best(case, other) for other in found)  # fmt: skip
        return item if nearer else replace(item, cost=ahead)

    return [first(item) for item in found]


def _follows(case: Case, number: Candidate, item: Candidate, size: sympy.Symbol) -> bool:
    """Whether a bound with a lost size is all but attained at each of the least sizes at which the
    print fails, and one with a number at none of them."""
    failing, values = case.failing, case.table.evaluate(size)
    if failing is None or values is None:
        return False
    rows = failing[case.table.index]
    least = [rows & (values == level) for level in sorted({*values[rows].tolist()})[:LEAST]]
    mended, numbered = _whole(case, item), _whole(case, number)
    return len(least) == LEAST and all(
        case.table.slack(mended, level) <= FOLLOWED and case.table.slack(numbered, level) >= LEFT
        for level in least)


def _before_hypotheses(case: Case, item: Candidate, found: list[Candidate]) -> Candidate:
    """A changed symbol before a hypothesis on a number as near under which its bound still says
    more than the printed one: it is the better theorem of both."""
    costs = [other.cost for other in found
             if item.kind == "symbol" and other.kind == "hypothesis" and not other.written
             and other.cost <= item.cost <= other.cost + BETTER
             and len(other.claim.given) > len(case.claim.given)
             and _compares(case, item, other.claim.given[-1], stronger=True)]  # fmt: skip
    return replace(item, cost=min(costs) - AHEAD) if costs else item


def _signs_first(found: list[Candidate]) -> list[Candidate]:
    """A hypothesis that settles the sign of a difference, where the square of that difference is
    the nearest change: had print lost a square, the hypothesis would mend nothing."""
    first = min(found, key=lambda item: item.cost, default=None)
    square, _, base = (first.words if first else "").partition(" for ")
    if first is None or square != f"({base})**2":
        return found

    def settles(item: Candidate) -> bool:
        condition = item.claim.given[-1] if item.kind == "hypothesis" and item.claim.given else None
        if not isinstance(condition, INEQUALITIES) or item.cost > first.cost + ABOUT:
            return False
        gap = condition.gts - condition.lts
        return base in (str(gap), str(-gap)) and len(gap.free_symbols) > 1

    return [replace(item, cost=SETTLED) if settles(item) else item for item in found]


def _wider_first(case: Case, found: list[Candidate]) -> list[Candidate]:
    """Of hypotheses as near, one that holds wherever another does, and elsewhere, before that."""
    asked = {place: truth.astype(bool) for place, item in enumerate(found[:COMPARED])
             if item.kind == "hypothesis" and not item.written
             and len(item.claim.given) == len(case.claim.given) + 1
             and (truth := case.table.evaluate(item.claim.given[-1])) is not None}  # fmt: skip
    for place, other in itertools.permutations(asked, 2):
        wider = (asked[place] >= asked[other]).all() and (asked[place] > asked[other]).any()
        if wider and 0 <= found[place].cost - found[other].cost <= NEARLY:
            found[place] = replace(found[place], cost=found[other].cost - AHEAD)
    return found


def _turned_first(case: Case, found: list[Candidate]) -> list[Candidate]:
    """An inequality turned round that some world attains, before changed formulas that are as near
    and that none does: they say too little to be what was meant."""
    for place, item in enumerate(found):
        nearer = found[:place]
        loose = all(other.kind == "symbol" and item.cost - other.cost <= ABOUT
                    and not touches(case, _whole(case, other)) for other in nearer)  # fmt: skip
        if item.turned and nearer and loose and touches(case, item.claim.statement):
            first = replace(item, cost=nearer[0].cost - AHEAD)
            return [first, *nearer, *found[place + 1 :]]
    return found


def _is_refuted(case: Case, item: Candidate) -> bool:
    """Whether a change that measures something anew fails in a known world, now that it is told."""
    if not _made(case, item):
        return False
    failing = case.table.violated(_whole(case, item), item.claim.given)
    return failing is not None and bool(failing.any())


def _says_the_same(case: Case, item: Candidate) -> bool:
    """Whether what a change measures anew makes both sides the same wherever the print fails, or
    any change of a formula of numbers alone does; another number wherever the print holds too."""
    if not _made(case, item) and case.claim.worlds is not None:
        return False
    failing = case.failing
    low, high = (case.table.evaluate(side) for side in sides(_whole(case, item).relation))
    if failing is None or low is None or high is None:
        return False
    rows = failing[case.table.index]
    if item.kind == "constant" and not _made(case, item):
        rows = rows | rows.any()
    return bool(rows.any()) and _agree(low[rows], high[rows])


def _measures_more(case: Case, item: Candidate) -> bool:
    """Whether a changed statement measures something that the print does not."""
    return not {*item.claim.measured} <= {*case.claim.measured}


def weaker_marked(case: Case, offered: Iterable[Candidate]) -> Iterator[Candidate]:
    """Changes, marked as slower where under one hypothesis on a number, outside of which alone the
    print fails, the printed bound says more than the changed one: then its formula was meant."""
    for item in offered:
        weaker = item.kind in ("symbol", "factor") and any(
            exact and condition.rhs in NUMBERS and _compares(case, item, condition, stronger=False)
            for condition, exact in case.parts.items())
        yield replace(item, slower=item.slower or weaker)


def _is_best(case: Case, item: Candidate, *, clearly: bool = False) -> bool:
    """Whether some world in which the print fails, clearly if that is asked, attains a changed
    formula: where it fails by a little, so do formulas that are all but the print there."""
    plain = item.kind in KINDS and not item.turned
    return plain and touches_where_fails(case, _whole(case, item), clearly=clearly)


def _whole(case: Case, item: Candidate) -> Form:
    """A changed statement with the bodies of what it measures anew."""
    relation = item.claim.statement.relation
    return item.claim.statement.with_relation(replaced_in(relation, _made(case, item)))


def _made(case: Case, item: Candidate) -> dict[sympy.Symbol, sympy.Expr]:
    bodies = measured(item.claim, item.claim.statement.relation)
    return {symbol: body for symbol, body in bodies.items() if symbol not in case.claim.measure}


def _is_other_extreme(case: Case, item: Candidate) -> bool:
    """Whether the largest of something stands in a changed bound for the least of it, or the least
    for the largest, and nothing else in the printed one is an extreme of that kind."""
    relation, changed = case.claim.statement.relation, item.claim.statement.relation
    if exchanges_extremes(relation, changed):
        return True
    printed, kept = measured(case.claim, relation), measured(item.claim, changed)
    gone = [kind for symbol, body in printed.items()
            if symbol not in kept and (kind := extreme(body))]  # fmt: skip
    came = [kind for body in _made(case, item).values() if (kind := extreme(body))]
    same = sum(extreme(body) == kind for body in printed.values() for kind in gone)
    return len(gone) == len(came) == same == 1 and came[0] == OTHER_EXTREME[gone[0]]


def _compares(
    case: Case, item: Candidate, condition: sympy.Basic, *, stronger: bool
) -> bool:
    """Whether the bound of a change says more than the printed one under a condition, or less."""
    changed, truth = _bound(case, item), case.table.evaluate(condition)
    relation = case.claim.statement.relation
    if changed is None or truth is None or not isinstance(relation, INEQUALITIES):
        return False
    printed = _printed(case, changed[0])
    if printed is None:
        return False
    inside = truth.astype(bool)
    pair = (changed[1][inside], printed[inside])
    return _says_more(*pair) if stronger else bool(changed[0]) and _says_more(*pair[::-1])


def _bound(case: Case, item: Candidate) -> tuple[int, Any] | None:
    """(1, the larger side over the worlds) of an inequality whose smaller side, level and
    hypotheses are as printed, or (0, minus the smaller side) where that alone has changed; not a
    number where the hypotheses do not hold."""
    import numpy

    if not case.explicit or item.written or item.kind in ("hypothesis", "tie"):
        return None
    claim, changed = case.claim, item.claim
    if claim.given != changed.given or level_of(claim.statement) != level_of(changed.statement):
        return None
    old, new = case.claim.statement.relation, item.claim.statement.relation
    inequality = isinstance(old, INEQUALITIES) and type(old) is type(new)
    if not inequality or all(one != two for one, two in zip(sides(old), sides(new), strict=True)):
        return None
    larger = int(sides(old)[0] == sides(new)[0])
    bounded, bound = sides(_whole(case, item).relation)
    case.table.tell(bound if larger else bounded)
    values = _told(case, bound, bounded) if larger else case.table.evaluate(-bounded)
    if values is None:
        return None
    return larger, numpy.where(case.table.admitted(claim.given), values, numpy.nan)


def _printed(case: Case, larger: int) -> Any:
    """What `_bound` says of the print itself, its larger side or minus its smaller one."""
    bounded, bound = sides(case.claim.statement.relation)
    return _told(case, bound, bounded) if larger else case.table.evaluate(-bounded)


def _told(case: Case, bound: sympy.Expr, bounded: sympy.Expr) -> Any:
    """Values of a bound over the worlds; of a probability, bounds above one are alike."""
    import numpy

    values, below = case.table.evaluate(bound), case.table.evaluate(bounded)
    if values is None or below is None:
        return values
    below = below[numpy.isfinite(below)]
    stands = [case.claim.stands.get(symbol.name) for symbol in bounded.free_symbols]
    counts = any(isinstance(each, sympy.Basic) and each.has(Indicator) for each in stands)
    is_share = counts and below.size and below.min() >= 0 and below.max() <= 1
    return numpy.minimum(values, 1) if is_share else values


def _says_more(bound: Any, other: Any, printed: Any = None) -> bool:
    """Whether a bound is nowhere above another one and clearly below it in some world: by a share
    of the other, or of what that one moves the printed bound by."""
    import numpy

    both = numpy.isfinite(bound) & numpy.isfinite(other)
    if not both.any():
        return False
    room = abs(other[both])
    clearly = NOTABLY * room
    if printed is not None:
        moved = numpy.nan_to_num(abs(other[both] - printed[both]), nan=math.inf, posinf=math.inf)
        clearly = numpy.minimum(clearly, numpy.maximum(MOVED * moved, SEEN * room))
    return bool((bound[both] <= other[both] + ROUNDING * room).all()
                and (bound[both] < other[both] - clearly).any())  # fmt: skip


def _agree(bound: Any, other: Any) -> bool:
    """Whether two bounds are the same in every world."""
    import numpy

    return bool(numpy.allclose(bound, other, rtol=ROUNDING, atol=0, equal_nan=True))


def _is_plain(case: Case, item: Candidate) -> bool:
    """Whether a changed statement is no longer as text than the print."""
    return len(str(item.claim.statement.relation)) <= len(str(case.claim.statement.relation))
