"""Many diagnoses in supervised processes: every failing claim among some keys."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from boundcheck.diagnosis import FAILING, NotFailing, diagnose
from boundcheck.errors import WitnessError
from boundcheck.library import Library, load_library, shipped_root
from boundcheck.runner import require_options, settle_environment
from boundcheck.supervision import Batch, Execute, Pool, Unit, limits_for
from boundcheck.verdict import Verdict, Witness
from boundcheck.verification import named

Entries = Mapping[str, Mapping[str, Any]]


def diagnose_all(
    library: Library, keys: Iterable[str], *, budget: str = "quick", seed: int = 0,
    jobs: int | None = None, entries: Entries | None = None, execute: Execute | None = None,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """What `diagnose_one` says of those claims that fail, by key in order.

    Args: entries: of `verify --json` by key, where they are known already. jobs: processes,
    default all cores; execute: what runs them, default processes on this machine.

    Raises: InvalidArgument for options out of range.
    """
    require_options(budget, seed, jobs)
    settle_environment()
    verdicts = {key: str(entry["verdict"]) for key, entry in (entries or {}).items()}
    chosen = sorted(key for key in keys if verdicts.get(key, FAILING[0]) in FAILING)
    units = []
    for key in chosen:
        entry = (entries or {}).get(key)
        kept = None if entry is None else {"verdict": entry["verdict"], "witness": entry["witness"]}
        units.append(Unit(key, (named(library.root), key, budget, seed, verdicts, kept)))
    pool = execute or Pool(jobs or os.cpu_count() or 1, limits_for(budget))
    found: dict[str, dict[str, Any]] = {}
    for done in pool(Batch("boundcheck.diagnosis.run:diagnose_one", units)):
        if done.fault is not None:
            found[done.name] = {"diagnosis": None, "text": f"{done.name}: {done.fault}",
                                "fault": done.fault.as_json()}  # fmt: skip
        elif done.value is not None and done.value["text"]:
            found[done.name] = done.value
    return dict(sorted(found.items()))


def diagnose_one(
    root: str, key: str, budget: str, seed: int, known: Mapping[str, str],
    entry: Mapping[str, Any] | None,
) -> dict[str, Any]:  # fmt: skip
    """The diagnosis of one claim and its text, in whatever process this runs; empty text for none.

    Args: known: verdicts by key. entry: verdict and witness of the claim, where they are known.
    """
    library = load_library(root or shipped_root(), [key.partition("/")[0] + "/"])
    try:
        found = diagnose(key, library, budget=budget, seed=seed, known=known,
                         verdict=None if entry is None else verdict_of(key, entry))  # fmt: skip
    except NotFailing:
        return {"diagnosis": None, "text": ""}
    return {"diagnosis": found.as_json(), "text": str(found)}


def verdict_of(key: str, entry: Mapping[str, Any]) -> Verdict:
    """The verdict of an entry of `verify --json`, with its witness and without its evidence.

    Raises: WitnessError for a witness without the fields of one.
    """
    witness, kept = entry["witness"], None
    if witness is not None:
        try:
            kept = Witness(witness["claim"], witness["fingerprint"], witness["kind"],
                           witness["values"], witness["shown"], witness["extra"])  # fmt: skip
        except KeyError as error:
            text = f"{key}: the witness lacks {error}; verify the claim again"
            raise WitnessError(text) from error
    return Verdict(key, entry["verdict"], "", None, 0.0, None, False, kept, (), 0.0)
