"""One claim to a verdict: which checks run, in which order, and what they may spend."""

from __future__ import annotations

import time
from dataclasses import replace
from importlib import import_module
from typing import Any

from boundcheck.checks.base import Budget, Task, budget_named
from boundcheck.claim import Claim
from boundcheck.encoding import decode
from boundcheck.errors import BoundcheckError
from boundcheck.setting import Setting
from boundcheck.verdict import Evidence, Verdict, conclude

CHECKS = ("definedness", "proof", "enumeration", "invariance", "sampling", "trend")
DECISIVE = {"malformed", "refuted"}


def verify(
    key: str, claim: Claim, *, budget: str | Budget = "quick", seed: int = 0, alpha: float = 1e-9,
    controls: bool = True, memory: Any = None,
) -> Verdict:
    """All checks on one claim, in order, until one refutes it or finds it malformed.

    Args: budget: name or Budget; seed: non-negative; alpha: error probability it may spend;
    controls: whether mutants of an unrefuted claim are searched too; memory: a
    `boundcheck.search.memory.Memory` to resume searches from, or None.
    """
    chosen = budget_named(budget) if isinstance(budget, str) else budget
    task = Task(key, claim, chosen, seed, alpha, memory=memory)
    start = time.perf_counter()
    evidence: list[Evidence] = []
    for name in CHECKS:
        before = time.perf_counter()
        item = _run_one(name, task)
        evidence.append(_timed(item, time.perf_counter() - before))
        # After a proof the search still runs: it measures the slack and would contradict a bug.
        if item.outcome in DECISIVE:
            break
    verdict = conclude(key, evidence, time.perf_counter() - start)
    if controls and verdict.outcome in ("proved", "supported"):
        before = time.perf_counter()
        evidence.append(_timed(_controls(task, verdict), time.perf_counter() - before))
        verdict = conclude(key, evidence, time.perf_counter() - start)
    return verdict


def _run_one(name: str, task: Task) -> Evidence:
    check = import_module(f"boundcheck.checks.{name}")
    try:
        return admitted(task, check.run(task))
    except (BoundcheckError, AssertionError):
        raise
    except Exception as error:
        # A crash of one check is a defect of the tool, said aloud; it is never a verdict.
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Evidence(name, None, f"the check failed to run: {text}", numbers={"crash": text})


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
    try:
        return controls.run(replace(task, warm=warm, memory=None), verdict.slack)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        return Evidence(controls.NAME, None, f"the check failed to run: {text}")


def _timed(item: Evidence, seconds: float) -> Evidence:
    return replace(item, seconds=seconds)
