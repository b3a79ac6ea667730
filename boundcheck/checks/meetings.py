"""Worlds at which pieces of a statement meet, where alone it may fail: n^2 != m^3 at 8 and 4."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from boundcheck.checks.base import Task
from boundcheck.claim import Holds
from boundcheck.errors import Undecided, Undefined
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.objective import Assessment
from boundcheck.search.poles import Poles
from boundcheck.search.portfolio import Objective
from boundcheck.setting import Setting

MEETINGS = 256  # settings of a claim of cost 1
PATIENCE = 8  # worlds that are drawn while none is admissible


def violation(task: Task, objective: Objective) -> tuple[Candidate, Assessment] | None:
    """A world at which pieces meet and the statement fails, and how; None where none was met."""
    if not _has_points(task):
        return None
    rng, candidates = task.rng("where pieces meet"), Candidates(task.claim)
    drawn = (candidates.random(rng) for _ in range(PATIENCE))
    start = next((found for found in drawn if found is not None), None)
    for point in points(task, Poles(task.claim), start.setting) if start is not None else ():
        candidate = Candidate(point, ())
        found = objective(candidate)
        if found.violated:
            return candidate, found
    return None


def points(task: Task, poles: Poles, setting: Setting) -> Iterator[Setting]:
    """Admissible settings at which pieces meet, as many as the cost of a claim allows."""
    met = chain(poles.meeting(setting), poles.counted(setting)) if _has_points(task) else iter(())
    for point in islice(met, max(int(MEETINGS / task.claim.cost), 1)):
        try:
            if point.admissible():
                yield point
        except (Undefined, Undecided):
            continue


def _has_points(task: Task) -> bool:
    """Whether a statement has constants of its own and speaks of nothing drawn."""
    return type(task.claim.statement) is Holds and task.claim.draw is None
