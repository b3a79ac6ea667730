"""What a largest or least value says of every entry that it is taken over.

Of places that sequences follow the same is said: they are places as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import sympy

from boundcheck.certificates.problem import Inexpressible
from boundcheck.certificates.terms import Relation, Term, needs
from boundcheck.checks.proofs.places import NoSum, sizes_of
from boundcheck.expressions.nodes import Apply, Greatest, Least, Node
from boundcheck.expressions.symbols import Known

if TYPE_CHECKING:
    from boundcheck.checks.proofs.sums import Sums

Ways = Sequence[tuple[tuple[str, str], ...]]  # (place, size of its index) of every index
Say = Callable[[Term], list[Relation]]


def say_extremes(sums: Sums) -> None:
    """What the letters of largest and least values say of every entry."""
    for letter, node in list(sums.extremes.items()):
        try:
            _say(sums, letter, node)
        except (NoSum, Inexpressible):
            continue


def _say(sums: Sums, letter: str, node: Node) -> None:
    name = node.primitive.standard if isinstance(node, Apply) else ""
    if name in ("least_value", "greatest_value"):
        _of_law(sums, letter, *node.operands, least=name == "least_value")
    elif name == "largest_entry":
        (array,) = node.operands
        sizes = sizes_of(sums.knowledge.fields, array)
        for way in _ways(sums, sizes):
            _everywhere(sums, way, lambda at: sums.entry(array, at, {}), _within(letter))
    elif isinstance(node, (Greatest, Least)):
        sizes = tuple(str(each.meaning.size) for each in node.indices)
        say = _below(letter) if isinstance(node, Greatest) else _above(letter)
        for way in _ways(sums, sizes):
            _everywhere(sums, way, lambda at: sums.scalar(
                node.body, dict(zip(node.indices, at, strict=True))), say)  # fmt: skip


def _of_law(
    sums: Sums, letter: str, x: sympy.Basic, p: sympy.Basic, *, least: bool
) -> None:
    """No value of positive probability lies beyond the least and the greatest one."""
    if not (isinstance(x, Known) and isinstance(p, Known)):
        return
    weight: list[Term] = []
    sizes = sizes_of(sums.knowledge.fields, x)
    say = _above(letter) if least else _below(letter)

    def value(at: tuple[str, ...]) -> Term:
        weight.append(sums.entry(p, at, {}))
        return sums.entry(x, at, {})

    _everywhere(sums, (("_0", sizes[0]),), value, lambda term: [
        ("or", ("=", weight[0], "0"), relation) for relation in say(term)])  # fmt: skip


def _below(letter: str) -> Say:
    return lambda value: [("<=", value, ("x", letter))]


def _above(letter: str) -> Say:
    return lambda value: [("<=", ("x", letter), value)]


def _within(letter: str) -> Say:
    return lambda value: [
        ("<=", value, ("x", letter)), ("<=", ("*", "-1", value), ("x", letter))]  # fmt: skip


def _ways(sums: Sums, sizes: Sequence[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Every place as an index, or as one that a sequence follows."""
    each = []
    for number, size in enumerate(sizes):
        through = [(f"_{number}@{name}", length) for name, (length, below)
                   in sums.sequences.items() if below == size]  # fmt: skip
        each.append([(f"_{number}", size), *through])
    yield from itertools.product(*each)


def _everywhere(
    sums: Sums, way: tuple[tuple[str, str], ...],
    value: Callable[[tuple[str, ...]], Term], say: Say,
) -> None:  # fmt: skip
    """Keep what is said of a value at places, if it speaks of rows that are met elsewhere."""
    rows, each = dict(sums.rows), dict(sums.each)
    own = {place.partition("@")[0]: length for place, length in way}
    sums.named.update(own)
    try:
        term = value(tuple(place for place, _ in way))
    finally:
        for name in own:
            del sums.named[name]
    if set(sums.rows) > set(rows) or needs(term):
        sums.rows, sums.each = rows, each
        return
    for relation in say(term):
        sums.each[(tuple(own.values()), relation)] = None
