"""Claims of one statement that come from different editions, compared; and claims with their
repairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from boundcheck.claim import Claim

if TYPE_CHECKING:
    from boundcheck.explore.comparison import Comparison
    from boundcheck.library import Library

NAME = "editions"


def compare(first: Claim, second: Claim, names: tuple[str, str] | None = None) -> Comparison:
    """Two claims compared part by part; see `boundcheck.explore.compare`."""
    from boundcheck.explore import comparison

    return comparison.compare(first, second, names=names)


def pairs(library: Library) -> Iterator[tuple[str, str]]:
    """Pairs of keys of one statement whose claims come from different editions of one work."""
    keys = list(library.claims)
    for position, first in enumerate(keys):
        for second in keys[position + 1 :]:
            if first.partition(":")[0] == second.partition(":")[0] and _editions_differ(
                library[first], library[second]
            ):
                yield first, second


def _editions_differ(first: Claim, second: Claim) -> bool:
    one, two = first.source.source, second.source.source
    return one.edition != two.edition and (one.authors, one.year) == (two.authors, two.year)


def edition_differences(library: Library, keys: list[str] | None = None) -> list[Comparison]:
    """Every pair of editions of the given (or all) keys compared, in order of keys.

    Pairs of `printed` claims only: a repair differs from another edition on purpose.
    """
    wanted = set(keys if keys is not None else library.claims)
    found = []
    for first, second in pairs(library):
        names = {key.rpartition(":")[2] for key in (first, second)}
        editions = {library[key].source.source.edition.lower() for key in (first, second)}
        if {first, second} <= wanted and names <= editions | {"printed"}:
            found.append(compare(library[first], library[second], names=(first, second)))
    return found
