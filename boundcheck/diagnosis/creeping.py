"""Whether the worst failures creep up with a size, too slowly for search to see where they end.

Left over right of Hilbert's, Hardy's and Carleman's inequalities comes near its supremum only along
vectors that fall like powers of their place, and there like a power of a logarithm; harmonic
numbers have none. A number just above what search met says nothing of larger worlds then. So known
worlds are looked at in such arrangements, at sizes of which each doubles the one before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_mat

from boundcheck.diagnosis.beyond import CALLS
from boundcheck.diagnosis.growing import endless, score
from boundcheck.search.growth import Immovable, grown
from boundcheck.search.screening import averaged
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Integer, Matrix, Real, Vector

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case

POWERS = (0.0, -0.5, -1.0)  # of the place of an entry
GRID = 2**12  # denominator of entries
LEAST, MOST, MOST_OF_MATRICES = 8, 2**13, 32  # sizes
LONG = 32  # times the calls of a look
NOTABLE = 0.002  # of the worst, from which on a gain is one
SLOWS = 0.78  # of the gain before, from which on gains do not add up to an end in sight


def creeping_up(case: Case) -> float:
    """The largest left over right of the print that is met along families of worlds without draws
    in which it goes on rising, by gains that hardly fall; 0 if nothing does."""
    claim = case.claim
    if not (case.explicit and case.has_inequality) or claim.draw is not None or averaged(claim):
        return 0.0
    return max((found[-1] for found in _families(case) if is_creeping(found)), default=0.0)


def is_creeping(scores: Sequence[float]) -> bool:
    """Whether scores at doubling sizes rise beyond one, and by no less from step to step.

    >>> is_creeping([1.809, 1.945, 2.062, 2.164]), is_creeping([1.5, 1.75, 1.875, 1.9375])
    (True, False)
    """
    if len(scores) < 3 or scores[-1] <= 1:
        return False
    before, gain = scores[-2] - scores[-3], scores[-1] - scores[-2]
    return gain > NOTABLE * scores[-1] and gain >= SLOWS * before


def _families(case: Case) -> Iterator[list[float]]:
    """Scores at doubling sizes, as far as they can be looked at, of each family."""
    for size, start in itertools.product(endless(case), case.failures[:1]):
        shapes = _shapes(case.claim.fields, size)
        for power in POWERS if shapes else POWERS[:1]:
            scores = list(_scores(case, start, size, shapes, power))
            if scores:
                yield scores


def _scores(
    case: Case, start: Mapping[str, Any], size: str, shapes: Mapping[str, int], power: float
) -> Iterator[float]:
    rest = {name: field for name, field in case.claim.fields.items() if name not in shapes}
    many, most = LEAST, MOST_OF_MATRICES if 2 in shapes.values() else MOST
    while many <= most:
        values = _at(rest, start, size, many)
        if values is None:
            return
        values |= {name: _entries(many, rank, power) for name, rank in shapes.items()}
        found = score(case, values, LONG * CALLS)
        if not found:
            return
        yield found
        many *= 2


def _at(
    rest: Mapping[str, Field], start: Mapping[str, Any], size: str, many: int
) -> dict[str, Any] | None:
    """A world with some of its fields at another size; None if one has no rule to grow."""
    if all(isinstance(promised_field(field), (Integer, Real)) for field in rest.values()):
        return {**start, size: many}
    if not start.get(size) or many % start[size]:
        return None
    try:
        return dict(grown(rest, dict(start), size, "repeat", many // start[size]))
    except Immovable:
        return None


def _shapes(fields: Mapping[str, Field], size: str) -> dict[str, int]:
    """The ranks of vectors and square matrices of a size, by name."""
    found = {}
    for name, field in fields.items():
        inner = promised_field(field)
        if isinstance(inner, Vector) and str(inner.size) == size:
            found[name] = 1
        elif type(inner) is Matrix and str(inner.rows) == size == str(inner.cols):
            found[name] = 2
    return found


def _entries(many: int, rank: int, power: float) -> Any:
    """Powers of the place of each entry, of a matrix of the sum of both places."""
    entry = [fmpq(round((1 + at) ** power * GRID), GRID) for at in range(2 * many)]
    if rank == 1:
        return tuple(entry[:many])
    return fmpq_mat(many, many, [entry[row + col] for row in range(many) for col in range(many)])
