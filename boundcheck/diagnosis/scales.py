"""Whether failures reach any part of a number's range, where other numbers move with it.

A search of a part asks for hundreds of worlds and knows only those of its range. A failing world
moved along a law costs one look, and goes as far as one likes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.checks.invariance import movable, scaled_value
from boundcheck.claim import Claim
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.frontier import PUSHED, Values, fails
from boundcheck.search.admissible import Candidates
from boundcheck.search.growth import Immovable, grown, sizes
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Gram, Integer, Matrix, Real, Symmetric, Vector

SCALES = (-80, -40, -20, -10, -5, -2, 2, 5, 10, 20, 40, 80)  # octaves of all numbers of a world
ALONG, MOST_OTHERS = 4, 3  # failing worlds that are followed, and numbers beside the one that moves
POWERS = (4, 2, 1, 0, -1, -2)  # of the root of the factor of the one that moves
MOST_THINGS = 10**4  # an integer beyond it, as an exponent, asks for the memory of any machine
MOST_BITS = 10**6  # of a number that is taken to a power
MAGNIFIED, OCTAVES = 16, (1, 2, 4, 8)  # random worlds, and how many times as large
NEXT = 8  # integers next to an end
ARRAYS = (Vector, Matrix, Symmetric, Gram)  # fields whose numbers may be of any size
MOST_GROWN = 64  # of what is not only a number but how many there are


def fails_scaled(case: Case, claim: Claim) -> bool:
    """Whether a world that failed does so within a part, moved along the rescalings of the claim,
    together or each by itself, or with all its real numbers multiplied by a power of two, those of
    arrays with them or not: what scales fails at every size of its numbers."""
    numbers = [name for name, field in claim.fields.items() if isinstance(field, Real)]
    arrays = [name for name in claim.fields if any(
        isinstance(values.get(name), (tuple, fmpq_mat)) for values in case.failures[:1])]
    units = [dict(rescaling.powers) for rescaling in movable(claim)]
    moving = sorted({name for powers in units for name in powers})
    ways = [{name: sum(powers.get(name, 0) for powers in units) for name in moving}]
    ways += units if len(units) > 1 else []
    ways += [dict.fromkeys(numbers, 1), dict.fromkeys([*numbers, *arrays], 1)]
    worlds = [*case.failures, *case.killers][:PUSHED]
    return any(fails(case, claim, _scaled(values, powers, octaves))
               for powers in ways if powers for values in worlds for octaves in SCALES)  # fmt: skip


def fails_magnified(case: Case, claim: Claim, words: str) -> bool:
    """Whether a random world of a changed claim refutes it with all its arrays but laws, or one of
    them, many times as large: what search builds has numbers of a few units.

    Args: words: what was changed, which names the worlds.
    """
    arrays = [name for name, field in claim.fields.items() if isinstance(
        getattr(promised := promised_field(field), "like", promised), ARRAYS)]
    if not arrays or claim.draw is not None or not case.explicit:
        return False
    rng, candidates = case.bench.task(claim, f"magnified {words}").rng("worlds"), Candidates(claim)
    found = [candidates.random(rng) for _ in range(MAGNIFIED)]
    ways = [arrays, *([name] for name in arrays)] if len(arrays) > 1 else [arrays]
    for world, names, octaves in itertools.product(found, ways, OCTAVES):
        if world is None:
            continue
        values = _scaled(world.setting.values, dict.fromkeys(names, 1), octaves)
        if fails(case, claim, values):
            case.killers.append(dict(values))
            return True
    return False


def _scaled(values: Values, powers: Mapping[str, int], octaves: int) -> Values:
    return {**values, **{name: scaled_value(values[name], fmpq(2) ** (octaves * power))
                        for name, power in powers.items() if name in values}}


def fails_along(case: Case, claim: Claim, symbol: str, value: fmpq) -> bool:
    """Whether a world that failed does so within the part beyond a value, its numbers multiplied by
    powers of one factor: what fails for x near a and b near the root of a fails for any a, and what
    fails for n near 1 / x^2 fails for any x. A size takes equal copies with it. What fails for n
    near log x fails for any n where x is taken to a power as n is multiplied."""
    names = [name for name, field in claim.fields.items() if isinstance(field, (Integer, Real))]
    others = [name for name in names if name != symbol]
    if symbol not in names or not 0 < len(others) <= MOST_OTHERS or value <= 0:
        return False
    counted = set(sizes(claim.fields))
    for values in [*case.failures, *case.killers][:ALONG]:
        numbers: dict[str, Any] = {name: values[name] for name in names if name in values}
        if len(numbers) < len(names) or numbers[symbol] <= 0:
            continue
        way = value / fmpq(numbers[symbol])
        root = fmpq(math.isqrt(int(max(way, 1 / way).ceil())) + 1)
        main = root**2 if way > 1 else root**-2
        for powers in _powers(claim, others, rising=way > 1):
            factors = {name: root**power for name, power in zip(others, powers, strict=True)}
            moved = _moved(claim, counted, values, {symbol: main, **factors})
            if moved is not None and fails(case, claim, moved):
                return True
        if way > 1 and any(fails(case, claim, raised) for raised in _raised(
            claim, counted, values, symbol, int(way.ceil()), others)):  # fmt: skip
            return True
    return False


def _raised(
    claim: Claim, counted: set[str], values: Values, symbol: str, times: int, others: Sequence[str]
) -> Iterator[Values]:
    """A world with one number multiplied and positive real ones taken to that power, or one of
    them, as the logarithm of one is compared with the other."""
    positive = [name for name in others if isinstance(claim.fields[name], Real)
                and fmpq(values[name]) > 0]  # fmt: skip
    moved = {**values, symbol: scaled_value(values[symbol], fmpq(times))}
    bits = max((int(fmpq(values[name]).height_bits()) for name in positive), default=0)
    if symbol in counted or times * bits > MOST_BITS or times * values[symbol] > MOST_BITS:
        return
    for names in dict.fromkeys((tuple(positive), *((name,) for name in positive))):
        if names:
            yield {**moved, **{name: fmpq(values[name]) ** times for name in names}}


def fails_next(case: Case, claim: Claim, symbol: str, value: fmpq, way: int) -> bool:
    """Whether a world that failed does so within the part beyond a value with an integer moved to
    one next to that value, or to its double: a search far out meets few odd numbers."""
    known = [values for values in (*case.failures, *case.killers) if symbol in values][:ALONG]
    numbers = [int(start) + way * k for start in (value, 2 * value) for k in range(NEXT)]
    return any(fails(case, claim, {**values, symbol: number})
               for values in known for number in numbers)  # fmt: skip


def _powers(claim: Claim, others: Sequence[str], *, rising: bool) -> Iterator[tuple[int, ...]]:
    """Powers that other numbers move by, the same for all least; of integers none below zero."""
    ranges = [POWERS if isinstance(claim.fields[name], Real) and not rising
              else tuple(power for power in POWERS if power >= 0) for name in others]  # fmt: skip
    return (powers for powers in itertools.product(*ranges) if any(powers))


def _moved(
    claim: Claim, counted: set[str], values: Values, factors: Mapping[str, fmpq]
) -> Values | None:
    """A world with numbers multiplied; None where a number of things, `counted`, gets too large."""
    moved = dict(values)
    for name, factor in factors.items():
        if factor == 1:
            continue
        if name not in counted:
            moved[name] = scaled_value(moved[name], factor)
        elif factor.q > 1 or factor > MOST_GROWN:
            return None
        else:
            try:
                moved = grown(claim.fields, moved, name, "repeat", int(factor.p))
            except Immovable:
                return None
    wide = any(isinstance(each, int) and each > MOST_THINGS for each in moved.values())
    return None if wide else moved
