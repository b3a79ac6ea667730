"""One claim to a verdict: which checks run, in which order, and what they may spend."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from boundcheck.certify import certify, why_undefined
from boundcheck.checks import check_named
from boundcheck.checks.base import Budget, Task, budget_named
from boundcheck.claim import Claim
from boundcheck.contract import as_text, require_repeatable, require_shapes
from boundcheck.encoding import decode
from boundcheck.environment import settle_environment
from boundcheck.errors import Broken, WitnessError
from boundcheck.faults import Fault, fault_of, is_ours
from boundcheck.setting import Setting, printed_symbols
from boundcheck.shards import (
    CHALLENGE,
    CHECKS,
    CONTRACT,
    CONTROLS,
    MUTANT,
    SEARCH,
    Result,
    Shards,
    evidence_as_json,
    evidence_of,
    failed,
    first_fault,
)
from boundcheck.verdict import CERTIFIED, Evidence, Verdict, Witness

TWICE = 3  # worlds of a claim in which every quantity is evaluated twice


def verify(
    key: str, claim: Claim, *, budget: str | Budget = "quick", seed: int = 0, alpha: float = 1e-9,
    controls: bool = True, memory: Any = None,
) -> Verdict:
    """All checks on one claim, in order, until one refutes it, finds it malformed or broken.

    With one BLAS thread, as in workers: small matrices take many times longer with more.

    Args: budget: name or Budget; seed: non-negative; alpha: error probability it may spend;
    controls: whether mutants of an unrefuted claim are searched too; memory: a
    `boundcheck.search.memory.Memory` to resume searches from, or None.
    """
    chosen = budget_named(budget) if isinstance(budget, str) else budget
    task, shards = Task(key, claim, chosen, seed, alpha, memory=memory), Shards(key, controls)
    settle_environment()  # for libraries that are not loaded yet
    with threadpool_limits(1):
        while (verdict := shards.verdict()) is None:
            shard = next(shards.ready())
            shards.done[shard.name] = perform(task, shard.name, shard.given)
    return verdict


def perform(task: Task, name: str, given: Mapping[str, Any]) -> Result:
    """One shard of a claim: its result as JSON.

    Args: given: what `Shards.ready` hands out with the name.
    Returns: "seconds", "fault" (null if all is well) and, by the kind of shard, the "evidence" of
    a check, with the "layout" of the claim beside the contract; the "search"; the "row" of a
    mutant; a comparison "alone"; the "rows" of the mutants of a check.
    """
    before = time.perf_counter()
    kind, _, place = name.partition(SEARCH)
    if place:
        result = _searched(task, kind, int(place))
    elif name == CONTRACT or name in CHECKS:
        # After a proof the search still runs: it measures the slack and would contradict a bug.
        item = guarded(name, lambda: _checked(name, task, given))
        fault = None if item.fault is None else item.fault.as_json()
        result = {"evidence": evidence_as_json(item), "fault": fault}
        if name == CONTRACT:
            result["layout"] = _layout(task)
    else:
        result = _controlled(task, name, given)
    return {**result, "seconds": time.perf_counter() - before}


def _layout(task: Task) -> dict[str, Any]:
    """How many shards of each kind a claim has, and what its measurements say."""
    from boundcheck.checks import challenges, controls, enumeration, sampling

    restarts = {check.NAME: check.restarts(task) for check in (enumeration, sampling)}
    plain = {"restarts": restarts, "mutants": 0, "separate": 0, "compared": [], "fault": None,
             "told": "", "challenged": []}  # fmt: skip
    found, fault = caught(controls.NAME, lambda: {
        "mutants": controls.count(task.claim), "separate": len(controls.separate(task.claim)),
        "compared": controls.compared(task.claim), "told": told(task.claim),
        "challenged": challenges.challenged(task.claim) if task.budget.informed else [],
    })  # fmt: skip
    return {**plain, **(found or {}), "fault": fault}


def told(claim: Claim) -> str:
    """What runs left of the quantities of an experiment: the numbers behind its sentence."""
    from boundcheck.experiments import evidence

    words = ((symbol, evidence.told(quantity)) for symbol, quantity in claim.measure.items())
    return "; ".join(f"{symbol}: {found}" for symbol, found in words if found is not None)


def _searched(task: Task, check: str, place: int) -> Result:
    from boundcheck.search.merging import result_as_json

    search = check_named(check).search
    found, fault = caught(check, lambda: result_as_json(search(task, place)))
    return {"search": found, "fault": fault}


def _controlled(task: Task, name: str, given: Mapping[str, Any]) -> Result:
    """A mutant, or a comparison alone, searched from the tightest worlds of the claim; or what
    another check says of its own mutants."""
    from boundcheck.checks import challenges, controls

    kind, _, place = name.partition(" ")
    if kind == CHALLENGE:
        rows, fault = caught(place, lambda: challenges.rows(task, place, given))
        return {"rows": rows, "fault": fault}
    warm = tuple(tuple(vector) for vector in given["warm"])
    task = replace(task, warm=warm, memory=None)
    if kind == MUTANT:
        row, fault = caught(CONTROLS, lambda: controls.row(task, int(place), given["slack"]))
        return {"row": row, "fault": fault}
    found, fault = caught(CONTROLS, lambda: controls.alone(task, int(place)))
    return {"alone": found, "fault": fault}


T = TypeVar("T")


def caught(name: str, work: Callable[[], T]) -> tuple[T | None, dict[str, Any] | None]:
    """(what work returns, null) or (null, the fault that it met, as JSON)."""
    try:
        return work(), None
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ours(error):
            raise
        return None, fault_of(error, name).as_json()


def guarded(name: str, work: Callable[[], Evidence]) -> Evidence:
    """The evidence of a check, timed; whatever it raises is a fault, said aloud, and no verdict."""
    before = time.perf_counter()
    item, fault = caught(name, work)
    if item is None or fault is not None:
        item = failed(name, Fault(**(fault or {})))
    return replace(item, seconds=time.perf_counter() - before)


def _checked(name: str, task: Task, given: Mapping[str, Any]) -> Evidence:
    if name == CONTRACT:
        return _repeatable(task)
    fault = first_fault(given.get("searches", ()))
    if fault is not None:
        return failed(name, fault)
    task = replace(task, seen=tuple(map(evidence_of, given.get("seen", ()))))
    item = admitted(task, _found(name, task, given.get("searches", ())))
    if item.outcome in CERTIFIED and item.witness is not None:
        _require_again(task, item.witness)
        item = _confirmed(task, item)
    return item


def _confirmed(task: Task, item: Evidence) -> Evidence:
    """The evidence, or what is left of it if the re-check of its witness does not confirm it."""
    from boundcheck.witness import confirm_of

    assert item.witness is not None
    if item.witness.kind == "statistical":  # drawn anew it may, once in a million times, differ
        return item
    try:
        confirm_of(task.key, task.claim, item.witness.as_json())
    except WitnessError as error:
        detail = f"no refutation, for its re-check says: {error}; {item.detail}"
        return Evidence(item.check, "undecided", detail, numbers=item.numbers)
    return item


def _found(name: str, task: Task, searches: Sequence[Result]) -> Evidence:
    """What a check says, from searches made elsewhere if there are any."""
    from boundcheck.search.merging import merged, result_from_json

    check = check_named(name)
    if not searches:
        found: Evidence = check.run(task)
        return found
    results = [result_from_json(task.claim, row["search"]) for row in searches]
    concluded: Evidence = check.concluded(task, merged(results))
    return concluded


def _repeatable(task: Task) -> Evidence:
    """A few admissible worlds assessed twice, before anything rests on values of quantities."""
    from boundcheck.search.admissible import Candidates

    candidates, rng, seen = Candidates(task.claim), task.rng(CONTRACT), 0
    require_shapes(candidates.any(task.rng("shapes")), printed_symbols(task.claim))
    for _ in range(4 * TWICE):
        candidate = candidates.random(rng) if seen < TWICE else None
        if candidate is not None:
            require_shapes(_drawn(task, candidate.setting), printed_symbols(task.claim))
            _require_same(task, candidate.setting)
            seen += 1
    return Evidence(CONTRACT, None, f"every quantity repeats its value in {seen} worlds")


def _drawn(task: Task, setting: Setting) -> Setting:
    """The setting at one outcome of its draw, if these can be listed."""
    draw = task.claim.draw
    if draw is None or not 0 < draw.count(setting) <= task.budget.outcomes:
        return setting
    return setting.with_outcome(next(iter(draw.outcomes(setting)))[1])


def _require_same(task: Task, setting: Setting) -> None:
    """Raises: Broken if a world is not assessed the same a second time."""
    from boundcheck.search.objective import assess

    first, second = setting.afresh(), setting.afresh()
    found = assess(first, outcomes=task.budget.outcomes)
    require_repeatable(first)
    again = assess(second, outcomes=task.budget.outcomes)
    if repr(found) != repr(again):
        raise Broken(
            f"the statement scores {found.score:.17g} and then {again.score:.17g} in the same "
            "world; a quantity must depend on its arguments alone", exception="impure",
            world=as_text(setting.values),
        )  # fmt: skip


def _require_again(task: Task, witness: Witness) -> None:
    """What a refutation rests on, computed once more from the values in its witness.

    Raises: Broken for a quantity that gives another value, AssertionError if the failure is gone.
    """
    if task.claim.undefined:
        return
    values = {name: decode(value) for name, value in witness.values.items()}
    setting = Setting(task.claim, values)
    if witness.kind == "exact":
        failed = setting.failed_hypothesis()
        require_repeatable(setting)
        violated, shown = certify(setting)
        require_repeatable(setting)
        if not violated or shown != witness.shown or failed is not None:
            raise AssertionError("a violation is not found again at its own witness")
    elif witness.kind == "malformed":
        if not why_undefined(setting, task.budget.outcomes):
            raise AssertionError("a missing value is not found again at its own witness")
        require_repeatable(setting)
    else:
        _require_same(task, setting)


def admitted(task: Task, item: Evidence) -> Evidence:
    """The evidence, or what is left of it if its world is none that the claim speaks of.

    Stops the refutation of a statement about numbers in [0, 1] by one that was rescaled out of
    it, and of any claim by a field that does not say what it promises.
    """
    if item.witness is None or task.claim.undefined:
        return item
    values = {name: decode(value) for name, value in item.witness.values.items()}
    why = Setting(task.claim, values).misfit()
    if not why:
        return item
    detail = f"no refutation, because {why}: {item.detail}"
    return Evidence(item.check, "undecided", detail, numbers=item.numbers)
