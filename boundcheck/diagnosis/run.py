"""Many diagnoses in supervised processes: every failing claim among some keys."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from boundcheck.diagnosis import FAILING, NotFailing, diagnose
from boundcheck.diagnosis.record import HELD, held
from boundcheck.environment import settle_environment
from boundcheck.errors import WitnessError
from boundcheck.library import Library, load_library, shipped_root
from boundcheck.supervision import Batch, Execute, Pool, Unit, limits_for
from boundcheck.verdict import Verdict, Witness
from boundcheck.verification import Stage, named, require_options, silent

if TYPE_CHECKING:
    from boundcheck.ledger import Ledger

Entries = Mapping[str, Mapping[str, Any]]


def diagnose_all(
    library: Library, keys: Iterable[str], *, budget: str = "quick", seed: int = 0,
    jobs: int | None = None, entries: Entries | None = None, execute: Execute | None = None,
    ledger: Ledger | None = None, stage: Stage = silent,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """What `diagnose_one` says of those claims that fail, by key in order.

    Args: entries: of `verify --json` by key, where they are known already. jobs: processes,
    default all cores; execute: what runs them, default processes on this machine. ledger: where
    each diagnosis is kept as soon as it is known, and taken from; faults are tried again. stage:
    begins that of the diagnoses, which is told of each as it is known.

    Raises: InvalidArgument for options out of range; OutputError of the ledger.
    """
    require_options(budget, seed, jobs)
    settle_environment()
    verdicts = {key: str(entry["verdict"]) for key, entry in (entries or {}).items()}
    chosen = sorted(key for key in keys if verdicts.get(key, FAILING[0]) in FAILING)
    found: dict[str, dict[str, Any]] = {}
    units, bases = [], {}
    for key in chosen:
        bases[key] = _basis(key, entries or {}, verdicts)
        known = None if ledger is None else ledger.diagnosis(key, budget, seed, bases[key])
        if known is not None:
            found[key] = known
        else:
            units.append(Unit(key, (named(library.root), key, budget, seed, *bases[key])))
    say = stage("diagnosed", len(chosen))
    for key, item in found.items():
        say(key, item)
    pool = execute or Pool(jobs or os.cpu_count() or 1, limits_for(budget))
    for done in pool(Batch("boundcheck.diagnosis.run:diagnose_one", units)):
        say(done.name, done.value or {})
        if done.fault is not None:
            found[done.name] = {"diagnosis": None, "text": f"{done.name}: {done.fault}",
                                "fault": done.fault.as_json()}  # fmt: skip
        elif done.value is not None and done.value["text"]:
            found[done.name] = done.value
            if ledger is not None:
                ledger.keep_diagnosis(done.name, budget, seed, bases[done.name], done.value)
    return dict(sorted(found.items()))


def _basis(
    key: str, entries: Entries, verdicts: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Any] | None]:
    """(verdicts of the source, verdict and witness of the claim): what a diagnosis is told."""
    source = key.partition("/")[0] + "/"
    known = {other: verdict for other, verdict in verdicts.items() if other.startswith(source)}
    known |= {other: HELD for other in known if _held(entries[other])}
    entry = entries.get(key)
    if entry is None:
        return known, None
    return known, {"verdict": entry["verdict"], "witness": entry["witness"]}


def _held(entry: Mapping[str, Any]) -> bool:
    checks = [(check["outcome"], check["numbers"]) for check in entry.get("checks", ())]
    return held(str(entry["verdict"]), entry.get("slack"), checks)


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
