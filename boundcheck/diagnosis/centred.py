"""Whether a statement forgot that a variable is centred: one side knows its origin, the other not.

A bound by a variance, or by the length of a range, stays where all values are shifted; a moment or
the probability of a tail does not. Then mean zero is likelier what was meant than another number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy
from flint import fmpq

from boundcheck.arithmetic import sign, to_ball
from boundcheck.claim import Claim
from boundcheck.diagnosis.beyond import at_most
from boundcheck.diagnosis.grade import CENTRED
from boundcheck.diagnosis.related import MeanZero
from boundcheck.exact import INEQUALITIES
from boundcheck.setting import Setting, sides
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Real, Vector, Weights

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.screen import Candidate

WORLDS = 6  # of several values, in which sides are looked at
SHIFTS = (fmpq(1), fmpq(-7, 3))
CALLS = 20_000  # of functions that one look may take
OFF_CENTRE = 0.75  # what a change costs more whose bound knows the origin where the printed did not

Worlds = Sequence[Mapping[str, object]]


def of_origins(case: Case, offered: Iterable[Candidate]) -> Iterator[Candidate]:
    """Candidates, nearer to the print mean zero of a variable whose origin one side alone knows,
    and farther from it what lets the other side know it."""
    found = [(name, side, worlds) for name, worlds in _laws(case)
             if (side := _centred(case, name, worlds)) is not None]  # fmt: skip
    for item in offered:
        for name, side, worlds in found:
            if isinstance(item.claim.fields.get(name), MeanZero):
                item = replace(item, cost=min(item.cost, CENTRED))
            elif item.kind in ("constant", "symbol", "factor") and not _is_kept(
                case.claim, item.claim, side, name, worlds
            ):
                item = replace(item, cost=item.cost + OFF_CENTRE)
        yield item


def _laws(case: Case) -> Iterator[tuple[str, Worlds]]:
    """Values of a variable under a law, with worlds in which they differ."""
    fields = case.claim.fields
    if not case.explicit or case.claim.undefined or not _is_one(case.claim):
        return
    for name, field in fields.items():
        if type(field) is Vector and any(
            isinstance(other, Weights) and other.size == field.size for other in fields.values()
        ):
            worlds = [seen.setting.values for seen in case.worlds
                      if len(set(map(str, seen.setting.values[name]))) > 1]  # fmt: skip
            if worlds:
                yield name, worlds[:: max(len(worlds) // WORLDS, 1)][:WORLDS]


def _is_one(claim: Claim) -> bool:
    return claim.draw is None and isinstance(claim.statement.relation, INEQUALITIES)


def _centred(case: Case, name: str, worlds: Worlds) -> int | None:
    """Which side stays where the values that it reads are shifted, where the other does not."""
    both = sides(case.claim.statement.relation)
    read = [case.claim.reached(symbol.name for symbol in side.free_symbols) for side in both]
    if any({name, *_moved(case.claim, name)}.isdisjoint(names) for names in read):
        return None  # a number stays whatever is shifted
    stays = [_stays(case.claim, side, name, worlds) for side in both]
    return stays.index(True) if None not in stays and len(set(stays)) == 2 else None


def _is_kept(printed: Claim, changed: Claim, side: int, name: str, worlds: Worlds) -> bool:
    """Whether the side that stays in print still does; what cannot be told is."""
    if not _is_one(changed):
        return True
    old, new = (sides(claim.statement.relation)[side] for claim in (printed, changed))
    return new == old or _stays(changed, new, name, worlds) is not False


def _stays(claim: Claim, side: sympy.Basic, name: str, worlds: Worlds) -> bool | None:
    """Whether a side is what it was where the values, and numbers that bound them, are shifted;
    None where it has no value, or none in time."""
    told: list[bool] = []

    def look() -> bool:
        told.extend(_same(claim, side, name, values) for values in worlds)
        return True

    try:
        return all(told) if at_most(CALLS * len(worlds), look) else None
    except Exception:  # a quantity may fail in any way on what it was not made for
        return None


def _same(claim: Claim, side: sympy.Basic, name: str, values: Mapping[str, object]) -> bool:
    moved = _moved(claim, name)
    before = to_ball(Setting(claim, values).evaluate(side))
    for shift in SHIFTS:
        world = {**values, name: tuple(value + shift for value in values[name])}  # type: ignore[attr-defined]
        world |= {end: values[end] + shift for end in moved}  # type: ignore[operator]
        by = to_ball(Setting(claim, world).evaluate(side)) - before
        if sign(by) != 0 and not by.contains(0):
            return False
    return True


def _moved(claim: Claim, name: str) -> list[str]:
    """Numbers between which the values lie."""
    field = claim.fields[name]
    like = field.like if isinstance(field, MeanZero) else field
    ends = (getattr(like, "low", None), getattr(like, "high", None))
    return [str(end) for end in ends
            if is_name(end) and isinstance(claim.fields.get(str(end)), Real)]  # fmt: skip
