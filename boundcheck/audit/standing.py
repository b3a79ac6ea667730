"""What is known of an audited claim: its last verdict, or the golden one, and its grade."""

from __future__ import annotations

from boundcheck.describe import LEDGER, golden_verdict
from boundcheck.errors import BoundcheckError
from boundcheck.library import Library


def standing(library: Library, key: str) -> str:
    """Verdict and grade in one line; a bound that is refuted is no bound whatever the data show."""
    entry = _last(library, key)
    if entry is not None:
        return entry
    golden = golden_verdict(library, key)
    if not golden:
        return f"no verdict yet; run boundcheck verify {key}"
    failing = golden.startswith(("refuted", "malformed"))
    return golden + (f"; its grade: boundcheck diagnose {key}" if failing else "")


def _last(library: Library, key: str) -> str | None:
    """What the last report of this folder said."""
    if not LEDGER.is_file():
        return None
    from boundcheck.ledger import Ledger

    try:
        ledger = Ledger(LEDGER, library.root, reading=True)
        entry = ledger.last(key)
        ledger.close()
    except BoundcheckError:
        return None
    if entry is None:
        return None
    grade = (entry.get("diagnosis") or {}).get("grade")
    kind = f" ({entry['evidence']})" if entry.get("evidence") else ""
    return f"{entry['verdict']}{kind}" + (f", grade {grade}" if grade else "")
