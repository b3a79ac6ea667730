"""Trials: one changed claim put to the checks of the engine, cheaply first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from boundcheck.certify import LISTED, certify, why_undefined
from boundcheck.checks import check_named
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim
from boundcheck.diagnosis.record import HELD, held
from boundcheck.engine import admitted, guarded, verify
from boundcheck.errors import Undecided, Undefined
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence, Verdict, Witness

SEARCHES = ("definedness", "enumeration", "invariance", "sampling", "trend")
STANDING = {"proved", "supported"}
PATIENCE = 6  # trials get this fraction of the seconds that cap a check
EFFORT = 600_000.0  # of the worlds of one search, some seconds of any machine
FRESH = 7919  # added to the seed, so that no trial repeats the worlds of the verdict


@dataclass(frozen=True)
class Bench:
    """What trials of one claim share.

    Args: key: of the failing claim. budget: of a full trial. seed: of the run. alpha: error
    probability a single trial may spend. effort: at which the search of a full trial ends, that of
    a share of it at the root of the share.
    """

    key: str
    budget: Budget
    seed: int = 0
    alpha: float = 1e-9
    effort: float = EFFORT

    def task(self, claim: Claim, purpose: str, share: float = 1.0) -> Task:
        """A task on a changed claim with a random stream of its own and a share of the budget."""
        budget = replace(
            self.budget, evaluations=max(int(self.budget.evaluations * share), 12), shrinks=0,
            seconds=self.budget.seconds / PATIENCE, least=self.budget.least if share >= 1 else 0,
            capped=True, effort=self.effort * math.sqrt(min(share, 1.0)), share=min(share, 1.0),
        )  # fmt: skip
        return Task(f"{self.key} {purpose}", claim, budget, self.seed + FRESH, self.alpha)

    def refutation(self, claim: Claim, purpose: str, share: float = 1.0) -> Evidence | None:
        """The first evidence against a claim, or None; a crash of a check is one too."""
        return self.searched(claim, purpose, share)[0]

    def searched(
        self, claim: Claim, purpose: str, share: float = 1.0, *, first: str = ""
    ) -> tuple[Evidence | None, int]:
        """(evidence against a claim or None, worlds that were tested).

        Args: first: the check that is likely to find some; ends without a value come last then.
        """
        task, tested = self.task(claim, purpose, share), 0
        task = replace(task, budget=replace(task.budget, resolved=False))
        order = sorted(SEARCHES, key=lambda check: (check != first, check == SEARCHES[0]))
        for name in order if first else SEARCHES:
            found = guarded(name, lambda name=name: _run(name, task))  # type: ignore[misc]
            if found.fault is not None:  # a changed claim may ask what no quantity was made for
                return found, tested
            tested = max(tested, int(found.numbers.get("tested", 0)))
            if found.outcome in ("refuted", "malformed"):
                return found, tested
        return None, tested

    def proved(self, claim: Claim, purpose: str) -> bool:
        """Whether the provers alone show a claim."""
        task = self.task(claim, purpose)
        found = guarded("proof", lambda: _run("proof", task))
        return found.outcome == "proved"

    def verdict(self, claim: Claim, purpose: str, share: float = 1.0) -> Verdict:
        """The verdict of the engine on a changed claim, controls included."""
        task = self.task(claim, purpose, share)
        return verify(
            task.key, claim, budget=task.budget, seed=task.seed, alpha=self.alpha, controls=True
        )

    def stated(self, key: str, claim: Claim) -> str:
        """The outcome of a claim of the library, as a report of this budget and seed has it."""
        verdict = verify(key, claim, budget=self.budget, seed=self.seed)
        return HELD if held_where_looked(verdict) else verdict.outcome


def _run(name: str, task: Task) -> Evidence:
    return admitted(task, check_named(name).run(task))


def held_where_looked(verdict: Verdict) -> bool:
    """Whether an undecided claim held wherever it was looked at."""
    checks = [(item.outcome, item.numbers) for item in verdict.evidence]
    return held(verdict.outcome, verdict.slack, checks)


def nearly_enough(verdict: Verdict) -> bool:
    """Whether an undecided claim held in fewer different worlds than are asked for, of which there
    may be no more that are small, and in half of them at least."""
    return verdict.outcome == "undecided" and any(
        item.outcome == "supported" and 2 * int(item.numbers.get("decided", 0))
        >= int(item.numbers.get("needed", 0)) > int(item.numbers.get("decided", 0))
        for item in verdict.evidence)


def stands(verdict: Verdict) -> bool:
    """Whether a changed claim counts as true: proved, or supported with something tested.

    A bound that no smaller one would do is what "supported" must have been able to lose: where
    nothing was tested, or every mutant survives, it could not.
    """
    if verdict.outcome == "proved":
        return True
    crashed = any(item.fault is not None for item in verdict.evidence)
    return verdict.outcome == "supported" and not crashed and _could_fail(verdict)


def _could_fail(verdict: Verdict) -> bool:
    controls = [item for item in verdict.evidence if item.check == "controls"]
    rows = [row for item in controls for row in item.numbers.get("mutants", [])]
    telling = [row for row in rows if "hypothesis" not in row["mutant"] and "owed" not in row]
    return not telling or any(row["caught"] for row in telling)


def fails_at(setting: Setting, outcomes: int = LISTED) -> bool:
    """Whether the statement of a setting's claim is certified false, or has no value, there.

    Args: outcomes: of the draw beyond which they are not listed, and only a missing value counts.
    """
    try:
        if not setting.admissible():
            return False
        if setting.claim.draw is not None and setting.draw.count(setting) > outcomes:
            return bool(why_undefined(setting, outcomes))
        if certify(setting)[0]:
            return True
    except Undefined:
        return bool(why_undefined(setting, outcomes))
    except Undecided:
        return False
    return False


def setting_of(claim: Claim, witness: Witness) -> Setting:
    """The world of a witness as a setting of a (changed) claim."""
    from boundcheck.encoding import decode

    return Setting(claim, {name: decode(value) for name, value in witness.values.items()})
