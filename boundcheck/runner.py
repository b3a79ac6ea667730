"""Many claims to one document: in supervised processes, resumable, the same for any number."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck import __version__
from boundcheck.environment import environment, settle_environment
from boundcheck.errors import InvalidArgument
from boundcheck.library import Library, command_path, root_option
from boundcheck.supervision import Execute, Limits, Pool, limits_for
from boundcheck.verdict import ERROR_PROBABILITY, file_name
from boundcheck.verification import (
    Orders,
    Progress,
    Stage,
    Verification,
    level_of_each,
    named,
    require_options,
)

if TYPE_CHECKING:
    from boundcheck.ledger import Ledger



@contextlib.contextmanager
def executor(
    library: Library, budget: str, *, jobs: int | None = None, cluster: str | None = None,
    limits: Limits | None = None,
) -> Iterator[Execute]:  # fmt: skip
    """What runs the work of one command: processes here, or the workers of a cluster.

    Args: jobs: processes, default all cores; cluster: address of a scheduler, or None; limits: of
    each unit, default those of the budget.
    Raises: InvalidArgument for both; MissingExtra or ClusterError as `supervision.cluster`.
    """
    most = limits or limits_for(budget)
    if cluster is None:
        yield Pool(jobs or os.cpu_count() or 1, most)
        return
    if jobs is not None:
        raise InvalidArgument(
            f"--jobs {jobs} and --cluster exclude each other; the workers of the cluster decide"
        )
    from boundcheck.supervision.cluster import Cluster

    with Cluster(cluster, most, named(library.root)) as workers:
        yield workers


def run(
    library: Library,
    keys: Iterable[str],
    *,
    budget: str = "quick",
    seed: int = 0,
    jobs: int | None = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
    witnesses: Path | None = None,
    memory: Path | None = None,
    limits: Limits | None = None,
    execute: Execute | None = None,
    diagnosed: Stage | None = None,
    hints: bool = True,
) -> dict[str, Any]:
    """Verify claims and return the document of `verify --json`.

    Args:
        keys: which; jobs: processes, default all cores; limits: of each claim, default those of
            the budget; execute: what runs them, default processes on this machine.
        ledger: where finished results are kept and taken from; a fault is tried again next time.
        progress: called with (key, entry) as each is known; witnesses: the folder that will hold
            the witness files, for the replay lines.
        memory: a folder in which searches find the best worlds of earlier runs and leave theirs.
            Results then depend on those runs, so it goes with no ledger.
        diagnosed: where every failing claim gets its diagnosis, called with the stage and the
            number of diagnoses for the callback that is told of each.
        hints: whether search may use families, rules and ranges of statement files; a run without
            them goes with no ledger either.
    Raises: InvalidArgument for a negative seed, jobs below one or an unknown budget.
    """
    require_options(budget, seed, jobs)
    chosen, level = sorted(keys), level_of_each()
    entries: dict[str, dict[str, Any]] = {}
    stale = []
    for key in chosen:
        kept = ledger.get(key, budget, seed) if ledger is not None else None
        if kept is None:
            stale.append(key)
        else:
            entries[key] = kept
            if progress:
                progress(key, kept)
    settle_environment()
    pool = execute or Pool(jobs or os.cpu_count() or 1, limits or limits_for(budget))
    folder = None if memory is None else str(memory)
    orders = Orders(named(library.root), budget, seed, level, folder, hints)
    found = pool(Verification(orders, stale, ledger))
    with contextlib.closing(found):
        for entry in found:
            entries[entry["key"]] = entry
            if ledger is not None and entry["fault"] is None:
                ledger.put(entry["key"], budget, seed, entry)
            if progress:
                progress(entry["key"], entry)
    if diagnosed is not None:
        _diagnose(library, entries, budget, seed, pool, ledger, diagnosed)
    _seal(entries)
    root = root_option(library.root)
    if memory is not None:
        root = f" --memory {command_path(memory)}{root}"
    for key, entry in entries.items():
        blind = "" if hints else " --no-hints"
        command = f"boundcheck verify {key} --budget {budget} --seed {seed}{blind}{root}"
        if witnesses is not None and entry["witness"]:
            command = f"boundcheck replay {command_path(witnesses / file_name(key))}{root}"
        elif witnesses is not None and entry.get("certificate"):
            path = witnesses.parent / "certificates" / file_name(key)
            command = f"boundcheck replay {command_path(path)}{root}"
        entries[key] = {**entry, "replay": command}
    return _document(library, chosen, entries, budget, seed, level)


def _seal(entries: dict[str, dict[str, Any]]) -> None:
    """Witnesses as `boundcheck replay` reads them, wherever the document goes."""
    from boundcheck.witness import seal

    for key, entry in entries.items():
        if entry["witness"]:
            entries[key] = {**entry, "witness": seal(entry["witness"])}


def _diagnose(
    library: Library, entries: dict[str, dict[str, Any]], budget: str, seed: int, pool: Execute,
    ledger: Ledger | None, stage: Stage,
) -> None:  # fmt: skip
    """A diagnosis beside every failing entry, null beside the others."""
    from boundcheck.diagnosis.run import diagnose_all

    found = diagnose_all(library, entries, budget=budget, seed=seed, entries=entries, execute=pool,
                         ledger=ledger, stage=stage)  # fmt: skip
    for key, entry in entries.items():
        entry["diagnosis"] = found[key]["diagnosis"] if key in found else None


def _document(
    library: Library,
    keys: list[str],
    entries: dict[str, dict[str, Any]],
    budget: str,
    seed: int,
    level: float,
) -> dict[str, Any]:
    from boundcheck.statistics import Account

    account = Account(ERROR_PROBABILITY)
    for key in keys:
        if entries[key]["error_probability"] > 0:
            account.spend(key)
    return {
        "schema": 2,
        "version": __version__,
        "seed": seed,
        "budget": budget,
        "error_probability": ERROR_PROBABILITY,
        "environment": environment(),
        "claims": [entries[key] for key in keys],
        "account": [
            {"key": row.key, "spent": entries[row.key]["error_probability"], "allowed": level}
            for row in account.rows()
        ],
        "controls": _controls(keys, entries),
        "broken": dict(library.broken),
    }


def _controls(keys: list[str], entries: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for key in keys:
        for check in entries[key]["checks"]:
            rows += [{"key": key, **row} for row in check["numbers"].get("mutants", [])]
    return rows
