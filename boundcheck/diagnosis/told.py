"""Rules of the commands that ask for diagnoses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from boundcheck.diagnosis import NotFailing
from boundcheck.errors import UnknownKey
from boundcheck.library import Library


def require_some(found: Mapping[str, Any], keys: Iterable[str]) -> None:
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
