"""Places of entries: indices, sequences of places, given points; and the sizes of arrays.

A place is the name of an index, "i" or, where a sequence X of places is followed, "i@X": the place
X[i]. An array at places of sequences is an array of its own, read at the indices: psi[X[i], v] is
the entry (i, v) of a matrix "psi[X, ]" of which no more is known than of psi.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import sympy

from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Binder, Table
from boundcheck.expressions.shapes import shape_of_field
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Custom, Index, Tuples
from boundcheck.worlds.draws import Counts, Indices
from boundcheck.worlds.fields import Field

if TYPE_CHECKING:
    from boundcheck.checks.proofs.sums import Sums

Sizes = tuple[str, ...]


class NoSum(Exception):
    """A node that is no sum of entries."""


def field_of(fields: Mapping[str, Field], name: str) -> Field | None:
    """What the values of a field are promised to be; None where a rule in Python says so."""
    found = fields.get(name)
    while isinstance(found, Custom):
        found = found.domain if isinstance(found.domain, Field) else None
    return found


def sequence_of(fields: Mapping[str, Field], array: sympy.Basic) -> tuple[str, str] | None:
    """Length of a sequence of places, and the size that its entries lie below; else None."""
    if not isinstance(array, Known):
        return None
    draw = array.meaning.draw
    if isinstance(draw, Indices) and array.name == draw.indices:
        size = getattr(field_of(fields, draw.weights), "size", None)
        return None if size is None else (str(draw.length), str(size))
    found = field_of(fields, array.name)
    if isinstance(found, Tuples) and isinstance(found.entry, Index):
        return str(found.size), str(found.entry.size)
    return None


def sizes_of(fields: Mapping[str, Field], array: sympy.Basic) -> Sizes:
    """The sizes of a vector or matrix. Raises: NoSum where they are not known."""
    if isinstance(array, Named):
        return sizes_of(fields, array.body)
    if isinstance(array, Known):
        return _of_symbol(fields, array)
    if isinstance(array, Table):
        return tuple(str(each.meaning.size) for each in array.indices)
    if isinstance(array, Binder):
        return sizes_of(fields, array.body)
    if isinstance(array, sympy.Add):
        return sizes_of(fields, array.args[0])
    if isinstance(array, sympy.Pow):
        return sizes_of(fields, array.base)
    if isinstance(array, sympy.Mul):
        found = [sizes_of(fields, arg) for arg in array.args if not arg.is_commutative]
        return (found[0][0], *found[-1][1:])
    return _of_primitive(fields, array)


def _of_symbol(fields: Mapping[str, Field], array: Known) -> Sizes:
    if array.meaning.definition is not None:
        return sizes_of(fields, array.meaning.definition)
    sequence, draw = sequence_of(fields, array), array.meaning.draw
    if sequence is not None:
        return sequence[:1]
    if isinstance(draw, Counts) and array.name == draw.counts:
        size = getattr(field_of(fields, draw.weights), "size", None)
        found = None if size is None else (size,)
    else:
        found = shape_of_field(field_of(fields, array.name), array.rank)
    if found is None or None in found or len(found) != array.rank:
        raise NoSum(f"the sizes of {array}")
    return tuple(map(str, found))


def _of_primitive(fields: Mapping[str, Field], node: sympy.Basic) -> Sizes:
    if not isinstance(node, Apply):
        raise NoSum(f"the sizes of {node}")
    if node.primitive.standard in ("identity", "ones"):
        return (str(node.operands[0]),) * int(node.rank or 1)
    rule = node.primitive.shape
    if rule is None:
        raise NoSum(f"the sizes of {node}")
    arrays = [() if getattr(o, "is_commutative", True) else sizes_of(fields, o)
              for o in node.operands]  # fmt: skip
    found = rule(*arrays)
    if found is None or None in found:
        raise NoSum(f"the sizes of {node}")
    return tuple(map(str, found))


def place_in(sums: Sums, place: sympy.Basic, size: str, here: Mapping[Known, str]) -> str:
    """The place that an expression is: an index bound, one written down, or one followed.

    Raises: NoSum for what may lie outside.
    """
    fields = sums.knowledge.fields
    if place in here:
        return here[place]
    if isinstance(place, Known) and place.rank == 0:
        found = field_of(fields, place.name)
        if isinstance(found, Index) and str(found.size) == size:
            return sums.given_place(f"place_{place.name}", size)
    if place == 0:
        return sums.given_place(f"first_of_{size}", size)
    if place == _size_symbol(place, size) - 1:
        return sums.given_place(f"last_of_{size}", size)
    inside = isinstance(place, Apply) and place.primitive.standard == "entry"
    if inside and len(place.operands) == 2:
        array, inner = place.operands
        sequence = sequence_of(fields, array)
        if sequence is not None and sequence[1] == size:
            below = place_in(sums, inner, sequence[0], here)
            if "@" in below:
                raise NoSum(f"the place {place}, which two sequences follow")
            sums.sequences[array.name] = sequence
            return f"{below}@{array.name}"
    raise NoSum(f"the place {place}")


def _size_symbol(place: sympy.Basic, size: str) -> sympy.Expr:
    return next((s for s in place.free_symbols if s.name == size), sympy.nan)


def followed(sums: Sums, place: str, array: sympy.Basic) -> str:
    """The place that a sequence has at a place. Raises: NoSum."""
    sequence = sequence_of(sums.knowledge.fields, array)
    if sequence is None or "@" in place:
        raise NoSum(f"places by {array}")
    sums.sequences[array.name] = sequence
    return f"{place}@{array.name}"


def placed(sums: Sums, name: str, at: Sizes, sizes: Sizes) -> tuple[str, Sizes, Sizes]:
    """The array that stands for one at places, its indices and its sizes. Raises: NoSum."""
    indices, own, through = [], [], []
    for place, size in zip(at, sizes, strict=True):
        index, _, sequence = place.partition("@")
        length, below = sums.sequences[sequence] if sequence else (size, size)
        if sums.named.get(index) != length or below != size:
            raise NoSum(f"{name} at a place of another size")
        indices.append(index)
        own.append(length)
        through.append(sequence)
    made = f"{name}[{', '.join(through)}]" if any(through) else name
    return made, tuple(indices), tuple(own)
