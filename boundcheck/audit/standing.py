"""What is known of an audited claim: its last verdict, or the reference one, and its grade."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundcheck.boundary.documents import Misshapen, Unreadable, read_json
from boundcheck.describe import LEDGER, golden_verdict, stale
from boundcheck.errors import BoundcheckError
from boundcheck.library import Library, root_option

SHIPPED = Path(__file__).parents[1] / "_reports" / "report.json"


def standing(library: Library, key: str) -> str:
    """Verdict and grade in one line; a bound that is refuted is no bound whatever the data show.

    They are those of the last report of this folder, with a word where something has changed
    since, else of the reference report as far as it speaks of the claim as it reads now, else the
    golden verdict, which has no grade.
    """
    command = f"{key}{root_option(library.root)}"
    entry = _last(library, key)
    if entry is not None:
        since = f" ({stale(f'boundcheck verify {command}')})" if entry["stale"] else ""
        return _told(entry) + since
    entry = _reference(library, key)
    if entry is not None:
        return f"{_told(entry)} (reference report, budget {entry['budget']})"
    golden = golden_verdict(library, key)
    if not golden:
        return f"no verdict yet; run boundcheck verify {command}"
    failing = golden.startswith(("refuted", "malformed"))
    return golden + (f"; its grade: boundcheck diagnose {command}" if failing else "")


def _told(entry: Mapping[str, Any]) -> str:
    grade = (entry.get("diagnosis") or {}).get("grade")
    kind = f" ({entry['evidence']})" if entry.get("evidence") else ""
    return f"{entry['verdict']}{kind}" + (f", grade {grade}" if grade else "")


def _last(library: Library, key: str) -> Mapping[str, Any] | None:
    """What the last report of this folder said."""
    if not LEDGER.is_file():
        return None
    from boundcheck.ledger import Ledger

    try:
        ledger = Ledger(LEDGER, library.root, library.claims, reading=True)
        entry = ledger.last(key)
        ledger.close()
    except BoundcheckError:
        return None
    return entry


def _reference(library: Library, key: str) -> Mapping[str, Any] | None:
    """A failing claim in the report beside the library or inside the package.

    Its witness carries the fingerprint of the claim that it was found for; where the claim reads
    otherwise now, the report is not about it.
    """
    beside = library.root.parent / "reports" / "report.json"
    for path in (beside, SHIPPED):
        try:
            found = read_json(path)
            entry = next(each for each in found["claims"] if each["key"] == key)
            if entry["witness"]["fingerprint"] == library[key].fingerprint():
                return {**entry, "budget": found["budget"]}
        except (Unreadable, Misshapen, StopIteration, KeyError, TypeError):
            continue
    return None
