"""Many diagnoses: every failing claim among some keys, in parallel, the same for any workers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from boundcheck.diagnosis import FAILING, NotFailing, diagnose
from boundcheck.diagnosis.record import Diagnosis
from boundcheck.library import Library, load_library
from boundcheck.runner import require_options, settle_environment


def diagnose_all(
    library: Library, keys: Iterable[str], *, budget: str = "quick", seed: int = 0,
    jobs: int | None = None, known: Mapping[str, str] | None = None,
) -> dict[str, Diagnosis]:  # fmt: skip
    """Diagnoses by key of those claims that fail, in order of keys.

    Args: known: verdicts by key, where they are known. jobs: processes, default all cores.

    Raises: InvalidArgument for options out of range, NotFailing if none of the claims fails.
    """
    require_options(budget, seed, jobs)
    settle_environment()
    verdicts = dict(known or {})
    chosen = sorted(key for key in keys if verdicts.get(key, FAILING[0]) in FAILING)
    tasks = [(str(library.root), key, budget, seed, verdicts) for key in chosen]
    workers = min(jobs or os.cpu_count() or 1, max(len(tasks), 1))
    if workers == 1:
        results = [_one(*task) for task in tasks]
    else:
        from joblib import Parallel, delayed

        results = Parallel(n_jobs=workers, batch_size=1)(delayed(_one)(*task) for task in tasks)
    found = {key: item for key, item in zip(chosen, results, strict=True) if item is not None}
    if not found:
        given = ", ".join(sorted(keys)[:3])
        raise NotFailing(
            f"none of the claims chosen fails ({given}); a diagnosis needs one that is refuted or "
            "malformed (`boundcheck verify` shows which are)"
        )
    return found


def _one(
    root: str, key: str, budget: str, seed: int, known: Mapping[str, str]
) -> Diagnosis | None:
    """The diagnosis of one claim in whatever process this runs; None if it does not fail."""
    try:
        return diagnose(key, load_library(root, [key.partition("/")[0] + "/"]), budget=budget,
                        seed=seed, known=known)  # fmt: skip
    except NotFailing:
        return None
