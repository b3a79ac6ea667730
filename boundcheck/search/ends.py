"""Worlds with one number far out, or, if it is real, next to an end of what it ranges over.

What grows as a logarithm fails only where a number is closer to its end, or further out, than any
steps of search go: 2^-8192 is tried as such, and 2^8192 of an integer that is a number only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.exact import ratio_of
from boundcheck.expressions.nodes import Node
from boundcheck.search.arena import Arena, Entry
from boundcheck.search.members import Steps
from boundcheck.setting import flatten
from boundcheck.worlds.draws import Counts
from boundcheck.worlds.fields import Real, as_rational

OCTAVES = (8, 16, 32, 64, 128, 256, 512, 2048, 8192)
OF_MATRICES = 4  # steps beside matrices, whose roots of long numbers take long
NAMES = 4  # real numbers of a claim that are moved, at most, and integers
BEYOND = 32  # octaves up to which other steps of search take integers


def near_ends(arena: Arena, bases: list[Entry]) -> Steps:
    """Each base with one real number moved next to each of its ends, or far out where it has none.

    Args: bases: worlds to start from.
    """
    claim = arena.candidates.claim
    names = [name for name, field in claim.fields.items() if type(field) is Real][:NAMES]
    for entry in bases:
        values = entry.candidate.setting.values
        for name in names:
            for place in places(claim, name, values):
                yield arena.with_value(values, name, place)


def far_out(arena: Arena, bases: list[Entry], integers: Sequence[str]) -> Steps:
    """Each base with one integer, of those without end that may be any number, moved far out."""
    for entry, name in product(bases, integers[:NAMES]):
        for octave in OCTAVES:
            if octave > BEYOND:
                yield arena.with_value(entry.candidate.setting.values, name, 2**octave)


def dimensions(claim: Claim) -> set[str]:
    """Names of numbers that something computed may be as long as; others are numbers only."""
    if claim.draw is not None and not isinstance(claim.draw, Counts):
        return set(claim.fields)
    used = {name for quantity in claim.measured.values() for name in claim.arguments(quantity)}
    for text in (claim.statement.relation, *claim.given):
        for part in sympy.preorder_traversal(text):
            if isinstance(part, (Node, sympy.Sum, sympy.Product, sympy.MatrixExpr)):
                used |= {symbol.name for symbol in part.free_symbols}
    return used


def places(claim: Claim, name: str, values: dict[str, Any]) -> Iterator[fmpq]:
    """Numbers inside the ends of a real field, ever closer to an end or ever further out.

    >>> from boundcheck import Holds, Source
    >>> x = sympy.Symbol("x")
    >>> claim = Claim(Source("A", 2000, "T").at("1"), Holds(x >= -1), given=[x > -1],
    ...               parameters={x: Real(None, None)})
    >>> list(places(claim, "x", {}))[:2]
    [-255/256, -65535/65536]
    """
    field = claim.fields[name]
    lows, highs = ends(claim, name)
    if field.low is not None:
        lows.append(as_rational(field.low, values))
    if field.high is not None:
        highs.append(as_rational(field.high, values))
    low, high = max(lows, default=None), min(highs, default=None)
    tables = any(isinstance(each, fmpq_mat) for each in values.values())
    octaves = OCTAVES[:OF_MATRICES] if tables else OCTAVES
    for octave in octaves:
        yield fmpq(2) ** octave * -1 if low is None else low + fmpq(2) ** -octave
    for octave in octaves:
        yield fmpq(2) ** octave if high is None else high - fmpq(2) ** -octave


def ends(claim: Claim, name: str) -> tuple[list[fmpq], list[fmpq]]:
    """Numbers below and above which a name is kept by hypotheses about it alone."""
    low: list[fmpq] = []
    high: list[fmpq] = []
    for relation in (part for given in claim.given for part in flatten(given)):
        if not isinstance(relation, (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)):
            continue
        symbols = relation.free_symbols
        if {symbol.name for symbol in symbols} != {name}:
            continue
        gap = (relation.gts - relation.lts).as_poly(*symbols)
        if gap is not None and gap.degree() == 1 and all(c.is_Rational for c in gap.coeffs()):
            slope, rest = gap.all_coeffs()
            (low if slope > 0 else high).append(ratio_of(-rest / slope))
    return low, high
