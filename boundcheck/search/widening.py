"""Worlds of larger sizes than those that search draws from, looked at in floats.

The sizes of a setting begin small, because each world costs. What fails from six rows on may hold
in all smaller worlds and in every one that grows out of them: it falls to worlds drawn as large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from boundcheck.claim import Claim, UpToConstant
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.growth import sizes
from boundcheck.search.objective import Assessment
from boundcheck.search.portfolio import Objective
from boundcheck.search.screening import SUSPICIOUS, Screen, averaged
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Field, Integer
from boundcheck.worlds.space import Space

TIMES, MOST = 4, 12  # as far as search draws a size, and no further
USUAL = 1.0  # cost of worlds that are drawn larger; dearer ones may take time without end
KEPT = 4  # worlds that are decoded at most


def wider(claim: Claim) -> Claim | None:
    """The claim with its sizes drawn from a larger range; None where there is none.

    Up to a constant, families are followed instead. Outcomes of draws grow with what is drawn, so
    that worlds with any are dear, in floats too.
    """
    if claim.worlds is None or claim.cost > USUAL or isinstance(claim.statement, UpToConstant):
        return None
    if claim.draw is not None or averaged(claim):
        return None
    names = set(sizes(claim.fields))
    found = {name: _wider(field) if name in names else field
             for name, field in claim.worlds.fields.items()}  # fmt: skip
    if found == dict(claim.worlds.fields):
        return None
    return replace(claim, worlds=Space(**found))


def _wider(field: Field) -> Field:
    top = getattr(field, "top", None)
    if not isinstance(field, Integer) or field.wide or not isinstance(top, int) or top >= MOST:
        return field
    ends = [min(TIMES * top, MOST), *([] if field.high is None else [field.high])]
    if not all(isinstance(end, int) for end in ends) or min(ends) <= top:
        return field
    return replace(field, searched=min(ends))


def violation(
    claim: Claim, objective: Objective, rng: Any, worlds: int
) -> tuple[Candidate, Assessment] | None:
    """A larger world that floats chose among so many and that breaks the claim; None without one.

    What an exact look takes may grow without bound with the size: few worlds get one, and only
    those that fail in floats, which are held against the definitions where worlds are small.
    """
    wide = wider(claim)
    screen = None if wide is None else Screen(Candidates(claim), rng)
    if wide is None or screen is None or not screen.works:
        return None
    screen.candidates = Candidates(wide)
    for vector in screen.populations().best(rng, worlds, KEPT, hurried=True) or []:
        candidate = screen.candidates.decode(vector)
        values = None if candidate is None else candidate.setting.values
        if candidate is None or values is None or not _fails(screen, values):
            continue
        own = replace(candidate, setting=Setting(claim, values), vector=(), whole=())
        found = objective(own)
        if found.violated:
            return own, found
    return None


def _fails(screen: Screen, values: Mapping[str, Any]) -> bool:
    return any(score > SUSPICIOUS for score in screen._scores([values]) or ())
