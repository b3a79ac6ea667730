"""Rules of the commands that ask for diagnoses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from typing import Any

from boundcheck.describe import LEDGER
from boundcheck.diagnosis import NotFailing
from boundcheck.diagnosis.run import diagnose_all
from boundcheck.errors import UnknownKey
from boundcheck.ledger import Ledger
from boundcheck.library import Library
from boundcheck.supervision import Execute
from boundcheck.verification import Stage


def diagnosed(
    library: Library, keys: list[str], *, budget: str, seed: int, execute: Execute, stage: Stage
) -> dict[str, dict[str, Any]]:
    """The diagnoses of the failing claims among some keys, as of `diagnose_all`.

    Where a report of this folder knows every claim of their sources by the present code, its
    verdicts and diagnoses are taken, and new ones kept beside them.

    Raises: NotFailing if none of the claims fails; OutputError of the ledger.
    """
    with ExitStack() as open_files:
        entries, ledger = None, None
        if LEDGER.is_file():
            ledger = open_files.enter_context(closing(Ledger(LEDGER, library.root, library.claims)))
            entries = _known(library, keys, ledger, budget, seed)
        found = diagnose_all(
            library, keys, budget=budget, seed=seed, entries=entries, execute=execute,
            ledger=None if entries is None else ledger, stage=stage,
        )  # fmt: skip
    _require_some(found, keys)
    return found


def _known(
    library: Library, keys: list[str], ledger: Ledger, budget: str, seed: int
) -> dict[str, dict[str, Any]] | None:
    """The entries of all claims of the sources of some keys, None if one is missing or stale."""
    sources = {key.partition("/")[0] for key in keys}
    found: dict[str, dict[str, Any]] = {}
    for key in library.claims:
        if key.partition("/")[0] in sources:
            entry = ledger.get(key, budget, seed)
            if entry is None:
                return None
            found[key] = entry
    return found


def _require_some(found: Mapping[str, Any], keys: Iterable[str]) -> None:
    """Refuse an answer without any failing claim.

    Raises: NotFailing.
    """
    if not found:
        given = ", ".join(sorted(keys)[:3])
        raise NotFailing(
            f"none of the claims chosen fails ({given}); a diagnosis needs one that is refuted or "
            "malformed (`boundcheck verify` shows which are)"
        )


def keys_of(library: Library, source: str) -> list[str]:
    """The claims of a source.

    Raises: UnknownKey for a name that no source has.
    """
    names = sorted({key.partition("/")[0] for key in library.claims})
    if source not in names:
        raise UnknownKey(f"no source {source!r}; the library has {', '.join(names)}")
    return [key for key in library.claims if key.startswith(f"{source}/")]
