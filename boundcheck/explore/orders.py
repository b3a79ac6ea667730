"""What a changed order of numbers needs, along curves out to 2^2048.

A family written for a statement obeys its hypotheses and moves some of its symbols. Where a
hypothesis is left out or an exponent changed, that shows nothing: the worlds that matter may be
others. So a statement up to a constant about numbers alone is followed along every curve on which
one to three of them go to an end of their domain, as powers of t, or one as t and one as log t,
the others bound as hypotheses say; far enough out that even a power of a logarithm is told from
what stays.

>>> from boundcheck import Claim, UpToConstant
>>> from boundcheck.worlds import Integer
>>> t, n = sympy.symbols("t n", integer=True)
>>> sizes = {t: Integer(1, searched=100), n: Integer(1, searched=100)}
>>> obeyed = Claim("a page", UpToConstant(t <= n), given=[t <= n], parameters=sizes)
>>> both = followed(obeyed, [{"t": 1, "n": 1}], watched=t)
>>> both.rising, both.moved
(None, True)
>>> free = Claim("a page", UpToConstant(t <= n), parameters=sizes)
>>> followed(free, [{"t": 1, "n": 1}]).rising.words
't = t'
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.checker.ray import Ray
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.search.rays import carried
from boundcheck.setting import INEQUALITIES, Setting, guarded
from boundcheck.worlds import Integer, Real
from boundcheck.worlds.composed import promised_field

OCTAVES = tuple(64 << place for place in range(6))
SHRINKING = 0.75  # what a rise is to the one before it where a ratio settles
STILL = 1e-9  # a rise of a logarithm that is none
POWERS = {1: ((1,),), 2: ((1, 1), (1, 2), (2, 1)), 3: ((1, 1, 1),)}
MOST_OF_THREE = 5  # numbers of which three move at once
FINEST = 4 * OCTAVES[-1]  # bits at which so large a number is rounded up
BASES = 3  # worlds from which curves begin
UNKNOWN = (Undefined, Undecided, ArithmeticError, ValueError, TypeError, KeyError)
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Curve:
    """Numbers that move along powers of t, and others along log t."""

    ray: Ray
    slow: Mapping[str, fmpq] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """How the numbers move."""
        told = [f"{n} = {_power(p)}" if not self.ray.ends.get(n) else
                f"{n} = {self.ray.ends[n]} {'-' if self._below(n) else '+'} {_power(p)}"
                for n, p in self.ray.powers.items()]  # fmt: skip
        return ", ".join([*told, *(f"{name} = log t" for name in self.slow)])

    def _below(self, name: str) -> bool:
        return bool(fmpq(self.ray.start[name]) < self.ray.ends[name])

    def at(self, octaves: int) -> dict[str, Any] | None:
        """The world at t = 2^octaves, or None where that is no rational number."""
        values = self.ray.at(octaves)
        if values is not None:
            for name, start in self.slow.items():
                values[name] = type(values[name])(start * octaves)
        return values


def _power(power: fmpq) -> str:
    return "t" if power == 1 else f"t^{power}"


@dataclass(frozen=True)
class Followed:
    """What curves show of an order.

    Args: rising: one along which no constant is seen to be enough. tried: how many curves could be
    followed. moved: whether some of them moved what was watched.
    """

    rising: Curve | None
    tried: int
    moved: bool


def followed(claim: Claim, bases: Sequence[Values], watched: sympy.Basic | None = None) -> Followed:
    """An order along all curves from some worlds, until one of them needs more than any constant.

    Args: bases: worlds that the claim admits, or nearly. watched: what some curve is to move.
    """
    tried, moved = 0, watched is None
    for curve in curves(claim, bases):
        needed = list(_needed(claim, curve))
        if len(needed) < len(OCTAVES):
            continue
        tried += 1
        if not settles(needed):
            return Followed(curve, tried, moved)
        moved = moved or _moves(claim, curve, watched)
    return Followed(None, tried, moved)


def _moves(claim: Claim, curve: Curve, expression: sympy.Basic | None) -> bool:
    """Whether an expression has other values far out than nearer; where it has none, it may."""
    if expression is None:
        return False
    try:
        near, far = (Setting(claim, curve.at(octaves) or {}).evaluate(expression)
                     for octaves in (OCTAVES[0], OCTAVES[-1]))  # fmt: skip
        return bool(near != far)
    except UNKNOWN:
        return True


def settles(logarithms: Sequence[float]) -> bool:
    """Whether a ratio, seen by its logarithm at octaves that double, stays below some constant.

    What rises like a logarithm of a logarithm rises by as much from each to the next.

    >>> settles([math.log(k / (k + 5)) for k in OCTAVES]), settles([k / 6 for k in OCTAVES])
    (True, False)
    >>> settles([math.log(math.log(k)) for k in OCTAVES])
    False
    """
    before, last = (second - first for first, second in
                    zip(logarithms[-3:-1], logarithms[-2:], strict=True))  # fmt: skip
    if math.isnan(last) or math.isnan(before):  # from -inf to -inf
        return logarithms[-1] == -math.inf
    return last <= STILL or last <= SHRINKING * before


def _needed(claim: Claim, curve: Curve) -> Iterator[float]:
    """Logarithms of the least constant along a curve, as far as it stays among the worlds."""
    depends = [sympy.Symbol(name) for name in getattr(claim.statement, "depends", ())]
    for octaves in reversed(OCTAVES):  # what leaves the domain does so far out
        values = curve.at(octaves)
        if values is None or not _admits(claim, values):
            return
    if any(_moves(claim, curve, each) for each in depends):
        return
    for octaves in OCTAVES:
        here = curve.at(octaves)
        found = None if here is None else least_constant(Setting(claim, here))
        if found is None:
            return
        yield found


def _admits(claim: Claim, values: Values) -> bool:
    try:
        return bool(Setting(claim, values).admissible())
    except UNKNOWN:
        return False


def least_constant(setting: Setting) -> float | None:
    """The logarithm of the least constant of an order in a world; None where it is not known."""
    found = (_least_constant(setting, bits) for bits in (PRECISIONS[1], FINEST))
    return next((value for value in found if value is not None), None)


def _least_constant(setting: Setting, bits: int) -> float | None:
    most = -math.inf
    try:
        with precision(bits):
            for premises, part in guarded(setting.claim.statement.relation):
                if not isinstance(part, INEQUALITIES):
                    return None
                if not all(exact.decide(premise, setting) for premise in premises):
                    continue
                left, right = (exact.to_ball(setting.evaluate(side)) for side in
                               (part.lts, part.gts))  # fmt: skip
                if left <= 0 and right >= 0:
                    continue
                if not (left > 0 and right > 0):
                    return math.inf if left > 0 and right <= 0 else None
                most = max(most, float((left / right).log().mid()))
    except UNKNOWN:
        return None
    return most


def curves(claim: Claim, bases: Sequence[Values]) -> Iterator[Curve]:
    """Curves from each world along which up to three numbers move, and what hypotheses carry."""
    for base in bases:
        ways = {name: list(_ways(promised_field(each), base[name]))
                for name, each in claim.fields.items() if name in base}  # fmt: skip
        ways = {name: found for name, found in ways.items() if found}
        for count in (1, 2, 3) if len(ways) <= MOST_OF_THREE else (1, 2):
            for names in combinations(sorted(ways), count):
                for chosen in product(*(ways[name] for name in names)):
                    yield from _together(claim, base, dict(zip(names, chosen, strict=True)))


@dataclass(frozen=True)
class Way:
    """One way in which a number goes to an end of its domain: e + c t^power."""

    power: int
    start: fmpq
    end: fmpq


def _ways(field: object, value: Any) -> Iterator[Way]:
    """To infinity where the domain has no end, to each end it has and, where it has none on
    either side, to zero."""
    if not isinstance(field, (Integer, Real)) or isinstance(value, bool):
        return
    try:
        number = fmpq(value)
        low, high = (None if end is None else exact.ratio_of(sympy.Rational(str(end)))
                     for end in (field.low, field.high))  # fmt: skip
    except (TypeError, ValueError):  # an end that another number of the world says
        return
    size = abs(number) or fmpq(1)
    if high is None:
        yield Way(1, max(size, low or fmpq(0)), fmpq(0))
    if low is None:
        yield Way(1, -size, fmpq(0))
    if isinstance(field, Integer):
        return
    for end, side in ((low, 1), (high, -1)):
        if end is not None:
            apart = abs(number - end) or fmpq(1, 2)
            yield Way(-1, end + side * apart, end)
    if low is None and high is None:
        yield from (Way(-1, side * size, fmpq(0)) for side in (1, -1))


def _together(claim: Claim, base: Values, chosen: dict[str, Way]) -> Iterator[Curve]:
    """Curves along which some numbers move in their ways, at some powers of each other."""
    starts = {name: _as(base[name], way.start) for name, way in chosen.items()}
    ends = {name: way.end for name, way in chosen.items() if way.end}
    for powers in POWERS[len(chosen)]:
        moving = {name: fmpq(way.power * times)
                  for (name, way), times in zip(chosen.items(), powers, strict=True)}  # fmt: skip
        ray = Ray({**base, **starts}, moving, ends)
        yield Curve(ray)
        yield from (Curve(each) for each in carried(claim, ray))
    for slow, way in chosen.items() if len(chosen) == 2 else ():
        if way.power == 1:
            fast = {name: fmpq(other.power) for name, other in chosen.items() if name != slow}
            still = {name: end for name, end in ends.items() if name != slow}
            yield Curve(Ray({**base, **starts}, fast, still), {slow: way.start})


def _as(value: Any, number: fmpq) -> Any:
    """A number in the type of the one whose place it takes."""
    return int(number.ceil()) if isinstance(value, int) else number
