"""How far along one number a failure reaches: failing worlds are pushed before search is asked.

A search of a part costs hundreds of worlds; a failing world with one number moved costs one. So the
worlds that fail are pushed as far as they still fail, and a search looks just beyond.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from boundcheck.checks.invariance import movable, scaled_value
from boundcheck.claim import Claim
from boundcheck.diagnosis.beyond import CALLS, at_most
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.corners import SHARE, long_refutation
from boundcheck.diagnosis.trial import fails_at
from boundcheck.search.growth import MOVES, Immovable, grown, sizes
from boundcheck.setting import Setting

PUSHED = 6  # failing worlds
HALVINGS = 12  # of the way of one world
ENDS = 3  # that are looked at longer
SEARCHES = 8  # of a part: just beyond the failures met, a step farther, then halfway back
STEPS_BACK = (10**6, 64, 16)  # a share of the way from a failure to what holds, and of the number
SINGLE = 4  # worlds of one thing that are repeated
FEW = 8  # integers that are tried one by one
DIGITS = 2  # of a number, after the first
APART = 4  # ratio of numbers whose middle is that of their logarithms
FINE = 2**16  # largest denominator of a factor by which units change
LOOKED = 8 * CALLS  # calls that one look may take

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Edge:
    """Where a number of a claim passes from failures to a part without.

    Args: name: of the number. whole: whether it is an integer. claim: on the whole range of it.
    good: a value in the part. on: the claim on the part that ends at a value. purpose: names the
    searches. both: whether values are those of the number without its sign.
    """

    name: str
    whole: bool
    claim: Claim
    good: fmpq
    on: Callable[[fmpq], Claim]
    purpose: str
    both: bool = False

    def sign(self, number: Any) -> int:
        """What a number of a world is multiplied by for its value."""
        return -1 if self.both and number < 0 else 1

    def is_nearer(self, one: fmpq, two: fmpq) -> bool:
        """Whether one value is nearer to the part than another."""
        return abs(one - self.good) < abs(two - self.good)

    def inward(self, bad: fmpq, round_: int) -> fmpq:
        """A plain value between a failing one and the part, farther from it in each round; zero
        first, where it lies between them, for failures may come as near to it as one likes."""
        sign = 1 if bad < self.good else -1
        if not round_ and not self.whole and bad * self.good < 0:
            return fmpq(0)
        if self.whole and (not round_ or abs(bad - self.good) <= FEW):
            return bad + sign
        if round_ >= len(STEPS_BACK):
            return self._plain(between(self.good, bad))
        ways = (abs(self.good - bad), abs(bad) or abs(self.good))
        return self._plain(bad + sign * min(ways) / STEPS_BACK[round_])

    def _plain(self, value: fmpq) -> fmpq:
        return plain_towards(value, self.good, whole=self.whole)


def nearest(case: Case, edge: Edge, bad: fmpq) -> fmpq | None:
    """The value up to which a part reaches without a failure met; None for no more than `good`.

    Args: bad: a value at which the claim fails, or beyond all.
    """
    bad = _repeated(case, edge, _pushed(case, edge, _known(case, edge)[:PUSHED], bad))
    for round_ in range(SEARCHES):
        value = edge.inward(bad, round_)
        if not (edge.is_nearer(value, bad) and min(edge.good, bad) < value < max(edge.good, bad)):
            return None
        found = _failure(case, edge, value, f"{edge.purpose} {round_}")
        if found is None:
            return value
        bad = _pushed(case, edge, [found], value)
    return None


def lasting(case: Case, edge: Edge, bad: fmpq, looks: int) -> fmpq | None:
    """The same where longer looks refute nothing either; what they refute moves the end back."""
    for _ in range(ENDS):
        value = nearest(case, edge, bad)
        if value is None:
            return None
        found = long_refutation(case, edge.on(value), f"{edge.purpose} moved", looks)
        if found is None:
            return value
        case.remember(found)
        bad = value
    return None


def _known(case: Case, edge: Edge) -> list[Values]:
    """Worlds in which the claim or a change of it failed, those nearest to the part first."""
    worlds = {str(values): values for values in (*case.failures, *case.killers)}
    numbers = {text: edge.sign(value) * fmpq(value) for text, values in worlds.items()
               if isinstance(value := values.get(edge.name), (int, fmpq))}  # fmt: skip
    return [worlds[text] for text in sorted(numbers, key=lambda t: abs(numbers[t] - edge.good))]


def _repeated(case: Case, edge: Edge, bad: fmpq) -> fmpq:
    """The least size at which worlds of one thing, repeated and summed, fail; else what is given.

    A world does not follow its size, so sizes are not pushed like other numbers.
    """
    if not edge.whole or edge.name not in sizes(case.claim.fields) or bad < edge.good:
        return bad
    single = [seen.setting.values for seen in case.worlds if seen.setting(edge.name) == 1]
    for size in range(int(edge.good) + 1, min(int(bad), int(edge.good) + FEW)):
        for values, move in itertools.product(single[:SINGLE], MOVES):
            try:
                larger = grown(edge.claim.fields, dict(values), edge.name, move, size)
            except Immovable:
                continue
            if fails(case, edge.claim, larger):
                case.killers.append(larger)
                return fmpq(size)
    return bad


def _failure(case: Case, edge: Edge, value: fmpq, purpose: str) -> Values | None:
    """A world in which a part fails, by what is known or a short search."""
    claim = edge.on(value)
    if case.witness is not None and case.verdict.outcome == "refuted" and case.killed(claim):
        return next((values for values in _known(case, edge) if fails(case, claim, values)), {})
    found = case.search(claim, purpose, SHARE).violation
    if found is None:
        return None
    case.killers.append(dict(found.setting.values))
    return found.setting.values


def _pushed(case: Case, edge: Edge, worlds: Sequence[Values], bad: fmpq) -> fmpq:
    """The value nearest to the part at which one of some worlds fails, with that number moved,
    alone or with all that a change of its unit moves."""
    powers = [dict(rescaling.powers) for rescaling in movable(case.claim)]
    units = [each for each in powers if each.get(edge.name)] if not edge.whole else []
    for values, unit in itertools.product(worlds, [{}, *units]):
        start = values.get(edge.name)
        if start is None or not fails(case, edge.claim, values):
            continue
        sign = edge.sign(start)
        outer, inner = sign * fmpq(start), edge.good
        for _ in range(HALVINGS):
            middle = between(inner, outer)
            moved = int(middle.floor()) if edge.whole else middle
            if moved in (inner, outer):
                break
            world = _at(values, edge.name, sign * moved, unit)
            middle = fmpq(moved if world is None else sign * world[edge.name])
            if not min(inner, outer) < middle < max(inner, outer):
                break
            if world is not None and fails(case, edge.claim, world):
                outer = middle
            else:
                inner = middle
        bad = outer if edge.is_nearer(outer, bad) else bad
    return bad


def _at(
    values: Values, name: str, number: int | fmpq, unit: Mapping[str, int]
) -> dict[str, Any] | None:
    """A world with one of its numbers at another value, or near it where a change of unit moves
    others with it; None where no change of unit leads there."""
    if not unit:
        return {**values, name: number}
    ratio = float(fmpq(number) / fmpq(values[name])) if values[name] else 0.0
    if not 0 < ratio < math.inf:
        return None
    factor = fmpq(*Fraction(ratio ** (1 / unit[name])).limit_denominator(FINE).as_integer_ratio())
    if not factor:
        return None
    return {**values, **{other: scaled_value(values[other], factor**power)
                         for other, power in unit.items() if other in values}}  # fmt: skip


def fails(case: Case, claim: Claim, values: Values) -> bool:
    def look() -> bool:
        try:
            setting = Setting(claim, values)
            return not setting.misfit() and fails_at(setting, case.bench.budget.outcomes)
        except Exception:  # a quantity may fail in any way on what it was not made for
            return False

    return bool(at_most(LOOKED, look))


def between(one: fmpq, other: fmpq) -> fmpq:
    """A number in the middle of two, on a scale of powers if they are far apart."""
    low, high = sorted((abs(one), abs(other)))
    if one * other > 0 and low >= 1 and high > APART * low:
        root = fmpq(math.isqrt(int(low.floor()) * int(high.ceil())))
        return root if one > 0 else -root
    return (one + other) / 2


def plain_towards(value: fmpq, good: fmpq, *, whole: bool = False) -> fmpq:
    """A number of few digits between two, next to the first.

    >>> plain_towards(fmpq(2, 3), fmpq(0)), plain_towards(fmpq(2, 3), fmpq(1))
    (333/500, 667/1000)
    """
    if value == 0:
        return value
    unit = fmpq(1)
    if not whole:
        unit = fmpq(10) ** (math.floor(math.log10(abs(float(value.p) / float(value.q)))) - DIGITS)
    scaled = value / unit
    return fmpq(int(scaled.floor() if value > good else scaled.ceil())) * unit
