"""Many claims to one document: in parallel processes, resumable, the same for any worker count."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from boundcheck import __version__
from boundcheck.errors import InvalidArgument
from boundcheck.ledger import Ledger
from boundcheck.library import Library, load_library

ERROR_PROBABILITY = 1e-6
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
Progress = Callable[[str, dict[str, Any]], None]


def verify_one(root: str, key: str, budget: str, seed: int, alpha: float) -> dict[str, Any]:
    """The document entry of one claim, in whatever process this runs.

    A contradiction inside the machinery is reported as undecided with its reason, loudly.
    """
    from boundcheck.engine import verify
    from boundcheck.verdict import Evidence, conclude

    claim = _library(root)[key]
    try:
        verdict = verify(key, claim, budget=budget, seed=seed, alpha=alpha)
    except Exception as error:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        item = Evidence("engine", "undecided", f"the machinery failed here: {text}",
                        numbers={"crash": text})  # fmt: skip
        verdict = conclude(key, [item], 0.0)
    return verdict.as_json()


_LIBRARIES: dict[str, Library] = {}


def _library(root: str) -> Library:
    if root not in _LIBRARIES:
        _LIBRARIES[root] = load_library(root)
    return _LIBRARIES[root]


def run(
    library: Library,
    keys: Iterable[str],
    *,
    budget: str = "quick",
    seed: int = 0,
    jobs: int | None = None,
    ledger: Ledger | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Verify claims and return the document of `verify --json`.

    Args:
        keys: which; jobs: processes, default all cores; ledger: where finished results are kept
            and taken from; progress: called with (key, entry) as each is known.
    Raises: InvalidArgument for a negative seed, jobs below one or an unknown budget.
    """
    from boundcheck.checks.base import budget_named
    from boundcheck.statistics import Account

    budget_named(budget)
    if seed < 0:
        raise InvalidArgument(f"--seed {seed} is negative; give 0 or a positive integer")
    if jobs is not None and jobs < 1:
        raise InvalidArgument(f"--jobs {jobs} is below 1; give the number of processes")
    chosen = sorted(keys)
    # One level for every key, whatever else runs: half the budget over 1024 places.
    level = Account(ERROR_PROBABILITY).level("any key")
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
    for entry in _verified(library.root, stale, budget, seed, level, jobs):
        entries[entry["key"]] = entry
        if ledger is not None:
            ledger.put(entry["key"], budget, seed, entry)
        if progress:
            progress(entry["key"], entry)
    return _document(library, chosen, entries, budget, seed, level)


def _verified(
    root: Path, keys: list[str], budget: str, seed: int, level: float, jobs: int | None
) -> Iterable[dict[str, Any]]:
    for name in THREADS:
        os.environ.setdefault(name, "1")
    workers = min(jobs or os.cpu_count() or 1, max(len(keys), 1))
    if workers == 1:
        for key in keys:
            yield verify_one(str(root), key, budget, seed, level)
        return
    from joblib import Parallel, delayed

    tasks = (delayed(verify_one)(str(root), key, budget, seed, level) for key in keys)
    yield from Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)(tasks)


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
        "schema": 1,
        "version": __version__,
        "seed": seed,
        "budget": budget,
        "error_probability": ERROR_PROBABILITY,
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
            if check["check"] == "controls":
                rows += [{"key": key, **row} for row in check["numbers"].get("mutants", [])]
    return rows
