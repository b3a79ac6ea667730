"""Which hypotheses of a statement that stands are needed, by what holds where each one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import sympy

from boundcheck.claim import Claim
from boundcheck.explore.halving import STANDING, follows, judged, without_families
from boundcheck.explore.leaving import hypotheses, without_end

if TYPE_CHECKING:
    from boundcheck.explore.bracketing import Work

SPENT = "the fuel was spent"


class Hypotheses(NamedTuple):
    """Hypotheses without which the claim fails, without which it stood, those that are proved from
    the rest, and those of which nothing is known, with the reason."""

    needed: tuple[sympy.Basic, ...] = ()
    superfluous: tuple[sympy.Basic, ...] = ()
    implied: tuple[sympy.Basic, ...] = ()
    unknown: tuple[tuple[sympy.Basic, str], ...] = ()


def without(work: Work, claim: Claim) -> Hypotheses:
    """Which hypotheses are needed."""
    needed, superfluous, implied, unknown = [], [], [], []
    for condition, changed in hypotheses(claim):
        with work.fuel.part():
            if work.fuel.over:
                unknown.append((condition, SPENT))
                continue
            trial = judged(work, without_families(changed), f"without {condition}")
        if trial.outcome in ("refuted", "malformed"):
            needed.append(condition)
            continue
        if trial.outcome == "supported" and (far := without_end(claim, condition)):
            trial = trial._replace(doubt=f"{far[0]} may be larger than search looks at")
        if trial.outcome in STANDING and not trial.doubt:
            superfluous.append(condition)
        elif follows(work, claim, condition):
            implied.append(condition)
        else:
            unknown.append((condition, trial.doubt or "undecided where it fails"))
    return Hypotheses(tuple(needed), tuple(superfluous), tuple(implied), tuple(unknown))
