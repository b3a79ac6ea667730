"""A claim without the hints of its file: what its domains alone give to the search.

A statement file may say where search should look: families of growing worlds, rules that build
values of a field, ranges inside its domain, sizes of worlds. None of it is part of the statement.
What the vocabulary of a setting says of its symbols is no such hint: it serves a whole field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument, Undefined
from boundcheck.search.admissible import Candidates, is_symbol
from boundcheck.worlds.composed import Custom, Tuples
from boundcheck.worlds.draws import Indices
from boundcheck.worlds.fields import Choice, Field, Integer, Real
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import Space

SMALL = 4  # points, features, atoms: sizes of other fields
DRAWN = 4096  # samples and draws, on a logarithmic scale: few can be listed, many are sampled
LARGE = 10**12  # other integers without a top
ORDERS = 64  # ratio of the ends of an interval that is searched on a logarithmic scale


def without_hints(claim: Claim) -> Claim:
    """The same claim for a search that knows its setting, its statement and its domains alone."""
    kept, counted = setting_fields(claim), set(counts(claim))
    drawn = set(_strings(claim.draw)) if claim.draw is not None else set()
    asked, listed = set(asked_to_be_large(claim)), set(_lengths(claim.draw))

    def searched(name: str, field: Field) -> Field:
        own = kept.get(name)
        if name in asked and isinstance(field, Integer) and field.high is None:
            most = DRAWN if name in listed else LARGE
            return dataclasses.replace(field, wide=True, small=True, searched=most)
        if own is not None and _serves(own, field) and (
            (name in counted and not getattr(own, "wide", False))
            or not isinstance(field, (Choice, Integer, Real))
        ):
            return own
        return plain(field, _top(name, own, counted, drawn))

    worlds = claim.worlds
    if worlds is not None:
        worlds = Space(**{name: searched(name, field) for name, field in worlds.fields.items()})
    parameters = {
        symbol: searched(symbol.name, field) for symbol, field in claim.parameters.items()
    }
    families = claim.families if _speaks_of_families(claim) else ()
    made = dataclasses.replace(claim, families=families, worlds=worlds, parameters=parameters)
    # Nothing that is promised has changed: a witness for the one is a witness for the other.
    vars(made)["_fingerprint"] = claim.fingerprint()
    return made


def setting_fields(claim: Claim) -> dict[str, Field]:
    """The fields of a claim's names as their setting has them, whatever its file puts there."""
    from boundcheck.expressions.binding import bound
    from boundcheck.expressions.symbols import known_symbols

    texts = [claim.statement.relation, *claim.given]
    texts += [part for part in (getattr(_inner(claim), "level", None), claim.trivial)
              if part is not None]  # fmt: skip
    if not any(known_symbols(text) for text in texts):
        return {}
    meant = {symbol: stand for symbol, stand in claim.domains.items()
             if isinstance(stand, sympy.Symbol)}  # fmt: skip
    found = bound(texts, meant)
    return {**found.fields, **{symbol.name: field for symbol, field in found.parameters.items()}}


def asked_to_be_large(claim: Claim) -> Iterator[str]:
    """Parameters that a hypothesis bounds from below by what rests on others: search moves them
    to their bound, wherever it is, so that no range of theirs may stand in the way."""
    for name, relation in Candidates(claim).isolating:
        if is_symbol(relation.gts, name) and relation.lts.free_symbols:
            yield name


def _inner(claim: Claim) -> Any:
    return getattr(claim.statement, "inner", claim.statement)


def _serves(own: Field, field: Field) -> bool:
    """Whether a field promises what another one does."""
    return bool(_promise(own) == _promise(field))


def _promise(field: Field) -> Any:
    promised = field.domain if isinstance(field, Custom) else field
    return plain(promised, SMALL) if isinstance(promised, Field) else promised


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
    if not dataclasses.is_dataclass(field) or not hasattr(field, "searched"):
        return field
    names = {item.name: item for item in dataclasses.fields(field)}
    changes = {name: names[name].default for name in ("searched", "log", "ends") if name in names}
    if isinstance(field, Real):
        changes["log"] = _spans_orders(field)
    return dataclasses.replace(field, **changes)


def _spans_orders(field: Real) -> bool:
    """Whether a positive interval reaches over orders of magnitude."""
    ends = field.literal_ends()
    if field.low is None or field.high is None or len(ends) < 2:
        return False
    return ends[0] > 0 and ends[1] >= ORDERS * ends[0]


def _top(name: str, own: Field | None, counted: set[str], drawn: set[str]) -> int:
    if name in drawn:
        return DRAWN
    if name not in counted:
        return LARGE
    if isinstance(own, Integer) and isinstance(own.top, int) and not own.wide:
        return own.top
    return SMALL


def counts(claim: Claim) -> Iterator[str]:
    """Names whose value says how much there is to compute: sizes, draws, indices, rounds."""
    from boundcheck.expressions.nodes import Apply, Binder, nodes

    yield from field_sizes(claim)
    yield from read_by_rules(claim)
    if claim.draw is not None:
        yield from _strings(claim.draw)
    yield from drawn_from(claim)
    for quantity in claim.measured.values():
        for node in nodes(getattr(quantity, "whole", sympy.S.Zero)):
            if isinstance(node, Binder):
                sizes = [each.meaning.size for each in node.indices]
            elif isinstance(node, Apply):
                sizes = list(node.operands)
            else:
                continue
            yield from (symbol.name for size in sizes for symbol in _outside_logarithms(size))


def _outside_logarithms(size: sympy.Basic) -> Iterator[sympy.Symbol]:
    """Symbols by which a size may become large: a logarithm stays small."""
    from boundcheck.expressions.nodes import Node

    if isinstance(size, Node):
        yield from size.free_symbols
    elif isinstance(size, sympy.Symbol):
        yield size
    elif not isinstance(size, sympy.log):
        for part in size.args:
            yield from _outside_logarithms(part)


def drawn_from(claim: Claim) -> Iterator[str]:
    """Names that outcomes of the claim's draw need."""
    from boundcheck.expressions.symbols import known_symbols

    texts = [claim.statement.relation, *claim.given]
    texts += [getattr(quantity, "whole", sympy.S.Zero) for quantity in claim.measured.values()]
    for symbol in {symbol for text in texts for symbol in known_symbols(text)}:
        if symbol.meaning.role == "outcome":
            yield from (needed.name for needed in symbol.meaning.needs)


class _Read(dict[str, Any]):
    """A world that remembers which of its values were asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.names.add(name)
        return super().__getitem__(name)


def read_by_rules(claim: Claim) -> Iterator[str]:
    """Names that rules of fields ask for, seen on the world in the middle of every range."""
    fields: Mapping[str, Field] = {} if claim.worlds is None else claim.worlds.fields
    world: dict[str, Any] = {}
    for name, field in fields.items():
        seen = _Read(world)
        try:
            world[name] = field.build(Coordinates(()), seen)
        except (InvalidArgument, Undefined):
            return  # there is no world in the middle
        if isinstance(field, Custom):
            yield from seen.names


def field_sizes(claim: Claim) -> Iterator[str]:
    """Names by which fields, and the entries of their lists, say their sizes."""
    fields: Mapping[str, Field] = {} if claim.worlds is None else claim.worlds.fields
    for field in fields.values():
        yield from _sizes(field)


def _sizes(field: Any) -> Iterator[str]:
    for attribute in ("size", "rows", "cols", "atoms", "d"):
        name = getattr(field, attribute, None)
        if isinstance(name, str):
            yield name
    for inside in (getattr(field, "domain", None), getattr(field, "entry", None)):
        if inside is not None:
            yield from _sizes(inside)


def _lengths(draw: Any) -> Iterator[str]:
    """Names of numbers of draws of which every single one is held in memory."""
    members = getattr(draw, "members", (draw,))
    return (member.length for member in members if isinstance(member, Indices))


def _strings(draw: Any) -> Iterator[str]:
    """Names that a draw reads."""
    for member in getattr(draw, "members", (draw,)):
        yield from (value for value in vars(member).values() if isinstance(value, str))
