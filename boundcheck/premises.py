"""What the claims of a library rest on: claims that there are, and nothing that rests on itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boundcheck.claim import Claim


def unfounded(claims: Mapping[str, Claim], roots: Iterable[Path]) -> dict[str, str]:
    """Statement (source/statement) to the reason why a claim of it cannot rest on what it names.

    Args: claims: those read. roots: of libraries that may hold statements which were not.
    """
    import difflib

    found: dict[str, str] = {}
    read = set(map(_statement, claims))
    for key, claim in claims.items():
        texts = isinstance(claim.uses, tuple) and all(isinstance(used, str) for used in claim.uses)
        if not texts:
            found[_statement(key)] = f'{key}: write keys, uses=("source/statement:name",)'
            continue
        for used in claim.uses:
            unread = _statement(used) not in read and any(_is_file(root, used) for root in roots)
            if used not in claims and not unread:
                near = difflib.get_close_matches(used, claims, n=1)
                hint = f"did you mean {near[0]}?" if near else "write source/statement:name"
                found.setdefault(_statement(key), f"{key} uses {used!r}, which is no claim; {hint}")
    rests = {key: set(claim.uses) & set(claims) for key, claim in claims.items()
             if _statement(key) not in found}  # fmt: skip
    while circle := _circle(rests):
        said = " uses ".join(circle)
        for key in circle:
            found.setdefault(_statement(key), f"{said}: no claim can rest on itself")
            rests.pop(key, None)
    return found


def _statement(key: str) -> str:
    return key.partition(":")[0]


def _is_file(root: Path, key: str) -> bool:
    """Whether a key is of a statement file of the library."""
    source, _, rest = key.partition("/")
    statement, _, name = rest.partition(":")
    named = all(part.isidentifier() for part in (source, statement, name))
    return named and (root / source / f"{statement}.py").is_file()


def _circle(rests: Mapping[str, Iterable[str]]) -> list[str]:
    """Claims each of which uses the next, the first and the last the same; none where there is no
    such circle."""
    try:
        TopologicalSorter(rests).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []
