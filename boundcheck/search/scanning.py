"""Whole numbers looked at one after the other in floats, far beyond those that are drawn.

What holds at most numbers and fails at one in a thousand, as where n meets a remainder, a square or
the neighbourhood of a multiple of pi, shows no growth that other steps could follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError
from boundcheck.search.arena import Arena, Entry
from boundcheck.search.members import Steps
from boundcheck.search.screening import SUSPICIOUS
from boundcheck.search.stacked import Stacked
from boundcheck.setting import guarded, sides
from boundcheck.worlds.fields import as_rational
from boundcheck.worlds.space import float_value

IN_A_ROW = 1 << 16  # numbers from the least on
OCTAVES, AROUND, WITHIN = range(17, 41), 2, 64  # powers of two beyond, what is next to each, random
SQUARE = 1 << 8  # numbers in a row of each of two
NAMES = 3  # integers of a claim, alone and in pairs
MOST_NUMBERS = 1 << 21  # of all worlds together
LOOKED = 6  # worlds that are asked exactly


def scanned(arena: Arena, bases: Sequence[Entry], names: Sequence[str]) -> Steps:
    """Each base with one or two integers at the places that floats take for the worst.

    Args: names: of integers without end that nothing else of a world rests on.
    """
    looked: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    for entry in bases:
        values = entry.candidate.setting.values
        for chosen in _together(names[:NAMES]):
            beside = {name: value for name, value in values.items() if name not in chosen}
            if (chosen, beside) in looked:  # bases may differ in what is moved alone
                continue
            looked.append((chosen, beside))
            for found in worst(arena.candidates.claim, beside, chosen):
                yield arena.candidates.from_values({**beside, **found})


def _together(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    yield from ((name,) for name in names)
    yield from combinations(names, 2)


def worst(
    claim: Claim, values: Mapping[str, Any], names: tuple[str, ...]
) -> list[dict[str, int]]:
    """Of many values of one or two integers the least that fail in floats, and then those with the
    largest scores; none where floats do not follow the claim.

    Args: values: of all other fields.

    >>> from boundcheck import Holds, Source
    >>> from boundcheck.worlds import Integer
    >>> n = sympy.Symbol("n", integer=True)
    >>> left = n - 4099 * sympy.floor(n / 4099)
    >>> claim = Claim(Source("A", 2000, "T").at("here"), Holds(left <= 4097),
    ...               parameters={n: Integer(1, searched=9)})
    >>> worst(claim, {}, ("n",))[0]
    {'n': 4098}
    """
    import numpy

    grids = numpy.meshgrid(*(_places(claim, values, name, len(names)) for name in names))
    count = int(grids[0].size)
    try:
        fixed = {name: float_value(value) for name, value in values.items()}
        numbers = sum(int(numpy.size(value)) for value in fixed.values()) + len(names)
        if numbers * count > MOST_NUMBERS:
            return []
        stacked = {name: numpy.broadcast_to(value, (count, *numpy.shape(value)))
                   for name, value in fixed.items()}  # fmt: skip
        moved = {name: grid.ravel() for name, grid in zip(names, grids, strict=True)}
        with numpy.errstate(all="ignore"):
            scores = _scores(Stacked(claim, {**stacked, **moved}, count))
    except (BoundcheckError, TypeError, ValueError, ArithmeticError, AttributeError):
        return []  # a quantity, or a function of SymPy, that was not meant for arrays
    scores = numpy.where(numpy.isnan(scores), -numpy.inf, scores)
    size = sum(abs(grid) for grid in moved.values())
    order = numpy.lexsort((size, numpy.where(scores > SUSPICIOUS, -numpy.inf, -scores)))[:LOOKED]
    return [{name: int(grid[place]) for name, grid in moved.items()}
            for place in order if scores[place] > -numpy.inf]  # fmt: skip


def _places(claim: Claim, values: Mapping[str, Any], name: str, beside: int) -> Any:
    """The values of one integer, as floats that hold them exactly, those in a row first."""
    import numpy

    low = int(as_rational(claim.fields[name].low or 0, values).ceil())
    if beside > 1:
        return numpy.arange(low, low + SQUARE, dtype=float)
    row = numpy.arange(low, low + IN_A_ROW, dtype=float)
    rng = numpy.random.default_rng(0)
    far = [float(2**octave + step) for octave in OCTAVES for step in range(-AROUND, AROUND + 1)]
    drawn = [float(rng.integers(2**octave, 2 ** (octave + 1))) for octave in OCTAVES
             for _ in range(WITHIN)]  # fmt: skip
    return numpy.concatenate([row, low + numpy.array(far), low + numpy.array(drawn)])


def _scores(worlds: Stacked) -> Any:
    """The score of each world, equations that fail in floats included."""
    import numpy

    found, equations = worlds.scores(), False
    for premises, part in guarded(worlds.claim.statement.relation):
        if premises or not isinstance(part, sympy.Eq):
            continue
        equations = True
        low, high = (worlds.evaluate(side).astype(float) for side in sides(part))
        size = numpy.maximum(abs(low), abs(high))
        apart = numpy.where(size > 0, abs(low - high) / size, 0.0)
        found = numpy.fmax(found, numpy.where(numpy.isfinite(apart), 1 + apart, numpy.nan))
    return worlds.admitted(found) if equations else found
