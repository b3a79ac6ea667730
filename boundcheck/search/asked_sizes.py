"""Integers drawn from where hypotheses allow them: from ten on for n >= 10, up to ten for n >= 2 p.

The sizes of a setting begin small, because each world costs. Where a statement asks for larger
ones, none of the worlds that are drawn so would be one of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import sympy

from boundcheck.claim import Claim
from boundcheck.search.growth import sizes
from boundcheck.setting import INEQUALITIES, flatten
from boundcheck.worlds.fields import Field, Integer

LARGEST, FARTHEST = 64, 10**6  # that a size, or another integer, is drawn from
BEYOND, OF_NUMBERS = 3, 24  # sizes that are drawn beyond the least one allowed, and numbers alone

Ranges = dict[str, tuple[int, int]]


@lru_cache(maxsize=512)
def asked_sizes(claim: Claim) -> Mapping[str, Field]:
    """The fields of a claim with integers drawn from where its hypotheses allow them.

    >>> from boundcheck import Holds, Source
    >>> from boundcheck.worlds import Integer
    >>> n = sympy.Symbol("n", integer=True)
    >>> at = Source("A", 2000, "T").at("here")
    >>> claim = Claim(at, Holds(n**2 >= 4 * n), given=[n >= 10],
    ...               parameters={n: Integer(1, searched=5)})
    >>> asked_sizes(claim)["n"]
    Integer(low=10, high=None, wide=False, searched=34, small=False)
    """
    fields = dict(claim.fields)
    ranges = {name: (field.low, field.top) for name, field in fields.items()
              if isinstance(field, Integer) and not field.wide
              and isinstance(field.low, int) and isinstance(field.top, int)}  # fmt: skip
    counted, found = set(sizes(fields)), dict(ranges)
    for relation in (part for condition in claim.given for part in flatten(condition)):
        names = {symbol.name for symbol in relation.free_symbols}
        if not isinstance(relation, INEQUALITIES) or not names <= {*ranges}:
            continue
        for name in sorted(names):
            farthest = LARGEST if name in counted else FARTHEST
            beyond = BEYOND if name in counted else OF_NUMBERS
            found[name] = _range(relation, name, found, farthest, beyond)
    for name, (low, top) in found.items():
        if (low, top) != ranges[name]:
            fields[name] = _drawn(fields[name], low, top)
    return fields


def _drawn(field: Field, low: int, top: int) -> Field:
    assert isinstance(field, Integer)
    end = field.high if isinstance(field.high, int) else top
    return replace(field, low=low, searched=max(min(top, end), low))


def _range(
    relation: sympy.Rel, name: str, ranges: Ranges, farthest: int, beyond: int
) -> tuple[int, int]:
    """The range of an integer from the least value that a condition leaves to it, with the others
    at either end of theirs: of a condition on that integer alone from there, of others up to there.
    """
    low, top = ranges[name]
    by_name = {symbol.name: symbol for symbol in relation.free_symbols}
    others = [each for each in by_name if each != name]
    ends = [{by_name[each]: ranges[each][place] for each in others} for place in (0, 1)]
    met = [value for end in ends if (value := _least(
        _put(relation, end), by_name[name], low, farthest)) is not None]  # fmt: skip
    least = min(met, default=low)
    if not others:
        return (least, max(top, least + beyond)) if least > low else (low, top)
    if farthest == FARTHEST:  # a number alone also meets the others where they are least
        top = max([top, *(value for value in met if value <= LARGEST)])
    return low, max(top, least + beyond) if least > top else top


def _put(condition: sympy.Basic, values: Mapping[sympy.Symbol, int]) -> sympy.Basic:
    """A comparison at some values; false where a side has no real value there, as 1/(n - 1) at one.

    >>> n = sympy.Symbol("n", integer=True)
    >>> [_put(1 / (n - 1) <= 1, {n: value}) for value in (1, 2)]
    [False, True]
    """
    sides = [side.subs(values) for side in condition.args]
    if any(side.is_number and not (side.is_real and side.is_finite) for side in sides):
        return sympy.false
    return condition.func(*sides) if sides else condition


def _least(
    condition: sympy.Basic, symbol: sympy.Symbol, low: int, farthest: int
) -> int | None:
    """The least integer that meets a condition, by powers of two and halving; None for none."""

    def met(value: int) -> bool:
        return bool(_put(condition, {symbol: value}) == sympy.true)

    if met(low):
        return low
    step, before = 1, low
    while not met(min(low + step, farthest)):
        if low + step >= farthest:
            return None
        before, step = low + step, 2 * step
    after = min(low + step, farthest)
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (before, middle) if met(middle) else (middle, after)
    return after
