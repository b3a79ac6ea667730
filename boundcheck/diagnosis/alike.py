"""Which changes make the sides of a statement change alike along its rescalings, as print did not.

A lost square, root or factor often leaves two sides in different units. Of the changes that no
world refutes those that bring the units together are likelier what was meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from boundcheck.checks.invariance import movable, rescaled, side_ratio
from boundcheck.claim import Claim, Rescaling
from boundcheck.diagnosis.beyond import at_most
from boundcheck.errors import Undecided, Undefined
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Gram, Matrix, Symmetric, Vector

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.screen import Candidate

TOLD = 12  # worlds whose sides are compared along a rescaling
TRIED = 48  # of the pool, from the worst violation to what holds
OCTAVES = 3
SAME = 1e-9  # of a logarithm
CALLS = 20_000  # of functions that one look may take
MOST_DEAR = 6  # such worlds, after which no more are looked at
NEARER = 0.75  # what a change costs less that makes the sides change alike
SINGLY = 0.1  # what it costs less besides where they do so along each array alone
ARRAYS = (Vector, Matrix, Symmetric, Gram)
LEAST = 1.75  # what it costs at least: what the library states comes first
DEAREST = 3.4  # of the changes that are looked at

Look = tuple[Rescaling, Mapping[str, object]]


def of_units(case: Case, offered: Iterable[Candidate]) -> Iterator[Candidate]:
    """Candidates, nearer to the print those whose sides change alike where its own do not, a little
    more so along each array alone."""
    looks, alone = _looks(case, movable(case.claim)), _looks(case, _each_array(case.claim))
    unlike = bool(looks) and not _alike(case.claim, looks)
    singly = bool(alone) and not _alike(case.claim, alone)
    for item in offered:
        mends = item.kind in ("symbol", "factor") and not (item.written or item.turned)
        if unlike and mends and item.cost <= DEAREST and _alike(item.claim, looks):
            nearer = NEARER + SINGLY * (singly and _alike(item.claim, alone))
            item = replace(item, cost=max(item.cost - nearer, LEAST + item.cost / 100))
        yield item


def _each_array(claim: Claim) -> list[Rescaling]:
    """Each of several vectors and matrices whose entries may be of any size, multiplied alone."""
    names = [name for name, field in claim.fields.items() if isinstance(field, ARRAYS)
             and getattr(field, "low", None) in (None, 0) and getattr(field, "high", None) is None]
    return [Rescaling(f"{name} by s", {name: 1}) for name in names] if len(names) > 1 else []


def is_unlike(case: Case) -> bool:
    """Whether the sides of the print change differently along its rescalings."""
    looks = _looks(case, movable(case.claim))
    return bool(looks) and not _alike(case.claim, looks)


def _looks(case: Case, rescalings: Iterable[Rescaling]) -> list[Look]:
    """Worlds of the pool whose sides have a ratio, with a rescaling to move them along."""
    if case.claim.draw is not None or not case.explicit or case.claim.undefined:
        return []
    found: list[Look] = []
    dear = 0
    for rescaling in rescalings:
        told = 0
        for seen in case.worlds[:: max(len(case.worlds) // TRIED, 1)]:
            look = rescaling, dict(seen.setting.values)
            moved = moved_cheaply(case.claim, look)
            if not moved:
                dear += 1  # too dear to be looked at for every change
                if dear > MOST_DEAR:
                    return found
                continue
            if told < TOLD and moved[0] is not None:
                found.append(look)
                told += 1
    return found


def moved_cheaply(claim: Claim, look: Look) -> list[float | None]:
    """By how much left over right grows along a rescaling, in a list; empty where that is dear."""
    found: list[float | None] = []

    def keep() -> bool:
        found.append(_moved(claim, look))
        return True

    return found if at_most(CALLS, keep) else []


def _alike(claim: Claim, looks: Sequence[Look]) -> bool:
    """Whether left over right is what it was in every world that tells; False where none does."""
    moved = [found for look in looks if (found := _moved(claim, look)) is not None]
    return bool(moved) and all(abs(by) <= SAME for by in moved)


def _moved(claim: Claim, look: Look) -> float | None:
    """Octaves by which left over right grows along a rescaling; None where it has no value."""
    rescaling, values = look
    try:
        setting = Setting(claim, values)
        after = rescaled(setting, rescaling, OCTAVES)
        if setting.misfit() or after.misfit():
            return None
        by = side_ratio(after) - side_ratio(setting)
    except (Undefined, Undecided, NotImplementedError):
        return None
    return by if math.isfinite(by) else None
