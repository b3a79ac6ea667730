"""Exact search: worlds in rationals, draws enumerated, violations certified before they count."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.certify import certified_below, certify, why_undefined
from boundcheck.checks import meetings
from boundcheck.checks.base import Task
from boundcheck.checks.levels import nothing_claimed
from boundcheck.checks.resolution import exact_slack, shrinkable
from boundcheck.claim import Expected, UpToConstant, WithProbability
from boundcheck.encoding import encode, show
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS
from boundcheck.scores import beyond
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.merging import merged
from boundcheck.search.portfolio import (
    CLEAR,
    SHARE_KEPT,
    Objective,
    Search,
    SearchResult,
    deterministic_objective,
)
from boundcheck.search.shrink import dimensions, shrink
from boundcheck.search.widening import violation
from boundcheck.setting import INEQUALITIES, Setting, parts
from boundcheck.verdict import CERTIFIED, Evidence, Witness

NAME = "enumeration"
NO_BOUND = "it states no bound that could be smaller"  # inequations, alternatives
SCREENED = 4  # raw worlds that floats look at for each one assessed exactly


def run(task: Task) -> Evidence:
    """Search the claim's worlds for a certified violation; report the tightest otherwise."""
    return concluded(task, merged(in_turn(task, search)))


def restarts(task: Task) -> int:
    """Number of searches of this check, each a shard of its own."""
    return task.restarts


def search(task: Task, shard: int = 0) -> SearchResult:
    """One of the independent searches, and a look at larger worlds, and where pieces of the
    statement meet, where it finds nothing."""
    objective = deterministic_objective(task.budget.outcomes)
    result = searched(
        task, purpose(NAME, shard), Candidates(task.claim), objective, task.evaluations,
        SCREENED * task.evaluations, task.least,
    )  # fmt: skip
    if result.violation is not None or result.undefined is not None or shard:
        return result
    rng, further = task.rng(purpose(f"{NAME} beyond", shard)), None
    if result.screened and not result.complete:
        further = violation(task.claim, objective, rng, SCREENED * task.evaluations)
    further = further or meetings.violation(task, objective)
    if further is None:
        return result
    world, found = further
    return replace(result, violation=world, best=world, assessment=found,
                   evaluated=result.evaluated + 1)  # fmt: skip


def purpose(name: str, shard: int) -> str:
    """The name of the random stream of a shard.

    >>> purpose("enumeration", 0), purpose("enumeration", 3)
    ('enumeration', 'enumeration shard 3')
    """
    return f"{name} shard {shard}" if shard else name


def in_turn(task: Task, search: Callable[[Task, int], SearchResult]) -> list[SearchResult]:
    """The searches one after another, up to the first that finds a violation."""
    results: list[SearchResult] = []
    for shard in range(task.restarts):
        results.append(search(task, shard))
        if results[-1].violation is not None:
            break
    return results


def concluded(task: Task, result: SearchResult) -> Evidence:
    """What the search says, its violation shrunk or its tightest world resolved."""
    found = _concluded(task, result)
    if found.outcome in CERTIFIED:
        return found
    least = task.budget.least
    needed = least if result.few is None else min(result.few, least)
    numbers = {"decided": result.decided, "needed": needed, "complete": result.complete}
    return replace(found, numbers={**found.numbers, **numbers})


def _concluded(task: Task, result: SearchResult) -> Evidence:
    claim, candidates = task.claim, Candidates(task.claim)
    if result.undefined is not None and result.violation is None:
        return _malformed(task, candidates, *result.undefined)
    if result.violation is not None:
        return _refuted(task, candidates, result)
    if isinstance(claim.statement, UpToConstant):
        return _constant(result)
    if claim.draw is not None and result.evaluated == result.silent:
        why = nothing_claimed(task)
        if why:
            return Evidence(NAME, "undecided", why, vacuous=True)
        return Evidence(NAME, None, f"{claim.draw.over} cannot be enumerated within this budget")
    return supported(NAME, result, _power(claim), *_resolution(task, result))


def searched(
    task: Task, name: str, candidates: Candidates, objective: Objective, evaluations: int,
    screened: int = 0, least: int = 0,
) -> SearchResult:  # fmt: skip
    """A search from the worlds given to the task or kept from earlier runs, which are updated."""
    memory, warm, key = task.memory, list(task.warm), f"{task.key} {name}"
    fingerprint = task.claim.fingerprint()
    if memory is not None:
        warm += memory.recall(key, fingerprint)
    result = Search(
        candidates, objective, task.rng(name), warm=warm, evaluations=evaluations,
        seconds=task.seconds, effort=task.budget.effort,
        database=memory.database(key) if memory is not None else None, screened=screened,
        least=least, listed=task.budget.outcomes,
    ).run()  # fmt: skip
    if memory is not None:
        vectors = [candidate.vector for _, candidate in result.pool if candidate.vector]
        memory.keep(key, fingerprint, vectors)
    return result


def _resolution(task: Task, result: SearchResult) -> tuple[float | None, str]:
    """Slack at the tightest world, certified, and what it says."""
    if result.best is None or result.assessment is None or not task.budget.resolved:
        return None, ""
    score = min(result.assessment.score, 1.0)
    if not shrinkable(task.claim):
        if not any(isinstance(part, sympy.Eq) for part in parts(task.claim.statement.relation)):
            return None, NO_BOUND
        return (1.0, "an identity has none to spare") if score == 1 else (None, "")
    slack = slack_at(task, result.best.setting, score)
    if slack is None:
        return None, "no smaller bound of the same sign is refuted by it"
    return slack, "a bound smaller by more than that is certified to fail there"


def slack_at(task: Task, setting: Setting, score: float) -> float | None:
    """Slack in one world, certified; score: a guess of left over right there."""
    objective = deterministic_objective(task.budget.outcomes)
    return exact_slack(
        task.claim, setting, score,
        lambda other: objective(Candidate(other, ())).violated,
    )  # fmt: skip


def _constant(result: SearchResult) -> Evidence:
    """What single worlds say on a statement up to a constant: a lower bound on the constant."""
    if result.assessment is None:
        return supported(NAME, result, "exact", None, "")
    score = result.assessment.score
    excluded = certified_below(result.best.setting, score) if result.best is not None else fmpq(0)
    numbers = {
        "evaluated": result.evaluated, "silent": result.silent, "constant": score,
        "excluded": [int(excluded.p), int(excluded.q)],
    }  # fmt: skip
    if result.best is not None:
        values = result.best.setting.values
        numbers["world"] = {name: encode(value) for name, value in values.items()}
        numbers["coordinates"] = list(result.best.vector)
    return Evidence(
        NAME, None, f"any constant must be at least {score:.6g} "
        f"(largest left/right in {result.evaluated} worlds)", numbers=numbers,
    )  # fmt: skip


def _refuted(task: Task, candidates: Candidates, result: SearchResult) -> Evidence:
    if result.violation is None or result.assessment is None:
        raise ValueError("a search without a violation refutes nothing")
    objective = deterministic_objective(task.budget.outcomes)
    least = _kept(result.assessment.score)

    def still_fails(candidate: Candidate) -> bool:
        found = objective(candidate)
        return found.violated and found.score >= least

    small = shrink(result.violation, candidates, still_fails, attempts=task.budget.shrinks)
    violated, shown = certify(small.setting)
    if not violated:
        raise AssertionError(f"{task.key}: a shrunk violation is not certified")
    score = objective(small).score
    witness = task.witness("exact", small.setting, shown)
    numbers = {
        "evaluated": result.evaluated,
        "score": score,
        "largest score": result.assessment.score,
        **dimensions(small.setting.values),
    }
    return Evidence(
        NAME, "refuted", failure(witness, shown), kind="exact",
        slack=1 / score if score > 0 else None, witness=witness, numbers=numbers,
    )  # fmt: skip


def _kept(score: float) -> float:
    """Score that shrinking must keep: the stated share of the violation, or a clear one."""
    if not math.isfinite(score):
        return 1.0
    return min(math.exp(SHARE_KEPT * math.log(max(score, 1.0))), CLEAR)


def _malformed(
    task: Task, candidates: Candidates, candidate: Candidate, reason: str
) -> Evidence:
    objective = deterministic_objective(task.budget.outcomes)
    small = shrink(
        candidate, candidates, lambda trial: bool(objective(trial).undefined),
        attempts=task.budget.shrinks,
    )  # fmt: skip
    reason = why_undefined(small.setting, task.budget.outcomes) or reason
    witness = task.witness("malformed", small.setting, {"reason": reason})
    return Evidence(
        NAME, "malformed", f"has no value at {describe(witness)}: {reason}", witness=witness
    )


def _beyond_floats(result: SearchResult) -> str:
    """Right over left where no float holds it, as a power of ten of the world that is shown.

    It need not be the tightest: scores that are zero as floats do not tell worlds apart.
    """
    setting = None if result.best is None else result.best.setting
    relation = None if setting is None else setting.claim.statement.relation
    if setting is None or setting.claim.draw is not None or not isinstance(relation, INEQUALITIES):
        return "unbounded"
    try:
        power = beyond(setting.evaluate(relation.lts), setting.evaluate(relation.gts))
    except (Undecided, Undefined):
        return "unbounded"
    return "unbounded" if power is None else f"beyond floats, 10^{power} in one world"


def supported(
    name: str, result: SearchResult, power: str, slack: float | None, resolution: str
) -> Evidence:
    """Evidence after a search without violation: what was searched and how close it came.

    Args: slack: right over left up to which the same test refutes a smaller bound, or None.
    resolution: what that says.
    """
    tested = result.evaluated - result.silent - result.undecided
    rejected = sum(result.rejected.values())
    if tested == 0:
        worst = max(result.rejected.items(), key=lambda item: item[1], default=("", 0))
        why = (
            f"{rejected} worlds failed a hypothesis, most often {worst[0]}"
            if rejected
            else f"the statement said nothing on {result.silent} worlds"
        )
        if result.undecided:
            bits = PRECISIONS[-1]
            why = f"{_open(result)} by balls of {bits} bits; sides that are equal stay so"
        return Evidence(
            name, "undecided", f"no world could be tested: {why}",
            numbers={"rejected": dict(result.rejected), "silent": result.silent,
                     "left undecided": result.undecided},
        )  # fmt: skip
    factor = f"{slack:.6g}" if slack else _beyond_floats(result)
    if result.screened:
        power += f", chosen among {result.screened} more in floats"
    said = f"; {resolution}" if resolution else ""
    left = f", {_open(result)}" if result.undecided else ""
    left += ", all in the ranges searched" if result.complete else ""
    told = f"tightest right/left {factor}{said}" if resolution != NO_BOUND else NO_BOUND
    detail = f"held in {tested} worlds{left} ({power}); {told}"
    numbers: dict[str, Any] = {
        "evaluated": result.evaluated, "tested": tested, "rejected": dict(result.rejected),
        "left undecided": result.undecided, "out_of_time": result.out_of_time,
    }  # fmt: skip
    if result.equations:
        numbers["equations"] = result.equations
    if result.best is not None:
        numbers["tightest"] = {
            name: show(value) for name, value in result.best.setting.values.items()
        }
        numbers["coordinates"] = list(result.best.vector)
    return Evidence(
        name, "supported", detail, slack=slack, vacuous=not result.informative, numbers=numbers
    )


def _open(result: SearchResult) -> str:
    return f"{result.undecided} left undecided"


def _power(claim: Any) -> str:
    if claim.draw is None:
        return "exact"
    if isinstance(claim.statement, (WithProbability, Expected)):
        return f"exact enumeration over {claim.draw.over}"
    return f"every outcome of {claim.draw.over}"


def describe(witness: Witness) -> str:
    """The witness values in one line."""
    from boundcheck.encoding import decode

    shown = [f"{name} = {show(decode(value))}" for name, value in witness.values.items()]
    line = ", ".join(shown) or "the values stated"
    return line if len(line) <= 300 else line[:297] + "..."


def reading(shown: Mapping[str, str]) -> str:
    """What both sides are; nothing where none was worked out."""
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def failure(witness: Witness, shown: Mapping[str, str]) -> str:
    """Where a statement fails, and what both sides are there."""
    return ": ".join(filter(None, (f"fails at {describe(witness)}", reading(shown))))
