"""A claim without the hints of its file: what its domains alone give to the search.

A statement file may say where search should look: families of growing worlds, rules that build
values of a field, ranges inside its domain, sizes of worlds. None of it is part of the statement.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from boundcheck.claim import Claim
from boundcheck.worlds.composed import Custom, Tuples
from boundcheck.worlds.fields import Field, Integer
from boundcheck.worlds.space import Space

SMALL = 4  # points, features, atoms: sizes of other fields
DRAWN = 4096  # samples and draws, on a logarithmic scale: few can be listed, many are sampled
LARGE = 10**12  # other integers without a top


def without_hints(claim: Claim) -> Claim:
    """The same claim for a search that knows nothing but its statement and its domains."""
    named = set(field_sizes(claim))
    drawn = set(_strings(claim.draw)) if claim.draw is not None else set()
    worlds = claim.worlds
    if worlds is not None:
        worlds = Space(**{
            name: plain(field, _top(name, named, drawn)) for name, field in worlds.fields.items()
        })  # fmt: skip
    parameters = {
        symbol: plain(field, _top(symbol.name, named, drawn))
        for symbol, field in claim.parameters.items()
    }
    families = claim.families if _speaks_of_families(claim) else ()
    return dataclasses.replace(claim, families=families, worlds=worlds, parameters=parameters)


def kept_hints(claim: Claim) -> list[str]:
    """What has to stay: rules of fields whose domain is a predicate, which builds nothing, and
    families where the statement is about growing parts of one object."""
    fields = {} if claim.worlds is None else dict(claim.worlds.fields)
    fields |= {symbol.name: field for symbol, field in claim.parameters.items()}
    kept = [name for name, field in fields.items() if plain(field, SMALL) is field]
    return [name for name in kept if isinstance(fields[name], Custom)] + (
        ["families"] if _speaks_of_families(claim) else []
    )


def _speaks_of_families(claim: Claim) -> bool:
    return bool(getattr(claim.statement, "depends", ()))


def plain(field: Field, top: int) -> Field:
    """A field that is built from its domain alone.

    Args: top: how far search goes where an integer has no end.

    >>> plain(Integer(1, searched=3, wide=True, small=True), 4) == Integer(1, searched=4)
    True
    >>> from boundcheck.worlds.fields import Real
    >>> plain(Real(0, 1, searched=("9/10", 1), ends=True), 4) == Real(0, 1)
    True
    """
    if isinstance(field, Custom):
        if not isinstance(field.domain, Field):
            return field
        built = plain(field.domain, top)
        return Custom(lambda source, earlier: built.build(source, earlier), field.domain)
    if isinstance(field, Tuples):
        return dataclasses.replace(field, entry=plain(field.entry, top))
    if isinstance(field, Integer):
        low = field.low if isinstance(field.low, int) else 0
        end = top if low < top else low + top
        searched = end if field.high is None else None
        wide = searched is None or top > SMALL
        return dataclasses.replace(field, wide=wide, small=False, searched=searched)
    names = {item.name: item for item in dataclasses.fields(field)} if _is_data(field) else {}
    if "searched" not in names:
        return field
    changes = {name: names[name].default for name in ("searched", "log", "ends") if name in names}
    return dataclasses.replace(field, **changes)  # type: ignore[type-var]


def _is_data(field: Field) -> bool:
    return dataclasses.is_dataclass(field)


def _top(name: str, sizes: set[str], drawn: set[str]) -> int:
    if name in sizes:
        return SMALL
    return DRAWN if name in drawn else LARGE


def field_sizes(claim: Claim) -> Iterator[str]:
    """Names by which fields say their sizes."""
    fields: Mapping[str, Field] = {} if claim.worlds is None else claim.worlds.fields
    for field in fields.values():
        for attribute in ("size", "rows", "cols", "atoms"):
            name = getattr(field, attribute, None) or getattr(
                getattr(field, "domain", None), attribute, None
            )
            if isinstance(name, str):
                yield name


def _strings(draw: Any) -> Iterator[str]:
    """Names that a draw reads."""
    for member in getattr(draw, "members", (draw,)):
        yield from (value for value in vars(member).values() if isinstance(value, str))
