"""One claim to a verdict: which checks run, in which order, and what they may spend."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from boundcheck.certify import certify, why_undefined
from boundcheck.checks.base import Budget, Task, budget_named
from boundcheck.claim import Claim
from boundcheck.contract import as_text, require_repeatable, require_shapes
from boundcheck.encoding import decode
from boundcheck.errors import Broken
from boundcheck.faults import Fault, fault_of, is_ours
from boundcheck.setting import Setting, printed_symbols
from boundcheck.verdict import CERTIFIED, Evidence, Verdict, Witness, conclude

CHECKS = ("definedness", "proof", "enumeration", "invariance", "sampling", "trend")
CONTRACT = "contract"
TWICE = 3  # worlds of a claim in which every quantity is evaluated twice


def verify(
    key: str, claim: Claim, *, budget: str | Budget = "quick", seed: int = 0, alpha: float = 1e-9,
    controls: bool = True, memory: Any = None,
) -> Verdict:
    """All checks on one claim, in order, until one refutes it, finds it malformed or broken.

    Args: budget: name or Budget; seed: non-negative; alpha: error probability it may spend;
    controls: whether mutants of an unrefuted claim are searched too; memory: a
    `boundcheck.search.memory.Memory` to resume searches from, or None.
    """
    chosen = budget_named(budget) if isinstance(budget, str) else budget
    task = Task(key, claim, chosen, seed, alpha, memory=memory)
    start = time.perf_counter()
    evidence: list[Evidence] = []
    for name in (CONTRACT, *CHECKS):
        item = guarded(name, lambda name=name: _checked(name, replace(task, seen=tuple(evidence))))  # type: ignore[misc]
        if name != CONTRACT or item.fault is not None:
            evidence.append(item)
        # After a proof the search still runs: it measures the slack and would contradict a bug.
        if item.outcome in CERTIFIED or (item.fault is not None and _final(item.fault)):
            break
    verdict = conclude(key, evidence, time.perf_counter() - start)
    if controls and verdict.outcome in ("proved", "supported"):
        evidence.append(guarded("controls", lambda: _controls(task, verdict)))
        verdict = conclude(key, evidence, time.perf_counter() - start)
    told = measured(claim) if verdict.fault is None else ""
    return replace(verdict, summary=f"{told}; {verdict.summary}") if told else verdict


def measured(claim: Claim) -> str:
    """What runs left of the quantities of an experiment: the numbers behind its sentence."""
    return "; ".join(
        f"{symbol}: {quantity.told()}" for symbol, quantity in claim.measure.items()
        if hasattr(quantity, "told")
    )  # fmt: skip


def _final(fault: Fault) -> bool:
    """Whether further checks would meet the same."""
    return fault.state == "broken" or fault.exception == "memory limit"


def guarded(name: str, work: Callable[[], Evidence]) -> Evidence:
    """The evidence of a check, timed; whatever it raises is a fault, said aloud, and no verdict."""
    before = time.perf_counter()
    try:
        item = work()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ours(error):
            raise
        fault = fault_of(error, name)
        item = Evidence(name, None, f"the check failed to run: {fault}", fault=fault)
    return replace(item, seconds=time.perf_counter() - before)


def _checked(name: str, task: Task) -> Evidence:
    if name == CONTRACT:
        return _repeatable(task)
    item = admitted(task, import_module(f"boundcheck.checks.{name}").run(task))
    if item.outcome in CERTIFIED and item.witness is not None:
        _require_again(task, item.witness)
    return item


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


def _controls(task: Task, verdict: Verdict) -> Evidence:
    from boundcheck.checks import controls

    # A mutant is most likely to fail where the claim itself is tightest.
    tightest = [item.numbers.get("coordinates") for item in verdict.evidence]
    warm = tuple(tuple(vector) for vector in tightest if vector)
    return controls.run(replace(task, warm=warm, memory=None), verdict.slack)
