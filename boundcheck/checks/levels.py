"""Whether a statement with a probability claims anything at all: its level against zero."""

from __future__ import annotations

from boundcheck.checks.base import Task
from boundcheck.claim import WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision, sign
from boundcheck.search.admissible import Candidates
from boundcheck.setting import Setting

LOOKED = 60  # worlds whose level is computed


def nothing_claimed(task: Task) -> str:
    """Why nothing is claimed in any world looked at; "" where something is in one of them."""
    form = getattr(task.claim.statement, "inner", task.claim.statement)
    if not isinstance(form, WithProbability):
        return ""
    rng, candidates = task.rng("levels"), Candidates(task.claim)
    found = [candidates.random(rng) for _ in range(LOOKED)]
    settings = [candidate.setting for candidate in found if candidate is not None]
    if not settings or any(_positive(setting, form) for setting in settings):
        return ""
    return (
        f"the stated probability, {form.level}, is zero or less in each of {len(settings)} worlds "
        "looked at, where nothing is claimed: vacuous"
    )


def _positive(setting: Setting, form: WithProbability) -> bool:
    """Whether the level is above zero, or not seen to be at most zero."""
    with precision(PRECISIONS[0]):
        try:
            return sign(setting.evaluate(form.level)) not in (0, -1)
        except (Undefined, Undecided):
            return True
