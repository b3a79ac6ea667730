"""What a draw may come to in a world that goes on, written over its numbers: kinds of outcomes.

Of few draws every outcome is listed, its probability being a product of weights that may move. Of
draws from two atoms whose number n moves, in order or counted, and of n variables of one law of two
values, the counts n p + sqrt(n) Y and n q - sqrt(n) Y are taken
where Y / sqrt(p q) lies in [1/B, B] or in [-B, -1/B]: by Berry and Esseen with constant 1 (0.4748
is known: Shevtsova 2011) and Chebyshev each weighs at least
1/2 - 1/(2 B) - (p^2 + q^2) / sqrt(n p q) - 1/B^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import comb, factorial, prod
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import Value, midpoint, to_ball
from boundcheck.checker.writing import COPIED, Key, Parts, Row, Tally, Unwritten
from boundcheck.claim import Claim
from boundcheck.worlds.composed import Tuples
from boundcheck.worlds.draws import Counts, Each, Indices, Signs
from boundcheck.worlds.fields import Integer, Weights

MOST_LISTED = 12
HALF = fmpq(1, 2)
BREADTH = 2**6  # B; the square of a ball so wide is still away from zero
MANY = 2**48  # draws, from which on a law is looked for
LEAST_SHARE = fmpq(1, 2**16)  # of an atom whose counts are followed
Numbers = Mapping[str, Value]
Outcome = dict[str, Value]


@dataclass(frozen=True)
class Reading:
    """An outcome, or all of a kind: a lower limit of its probability, and its counts by name.

    Args: unknown: ranges of numbers in the counts, and one in each; one: an outcome in a world of
        these numbers, with its unknown numbers; tallies: how often each value comes up, by name.
    """

    mass: sympy.Expr
    counts: Mapping[str, Row]
    unknown: Mapping[str, tuple[arb, Value]]
    one: Callable[[Numbers], tuple[Outcome, dict[str, Value]]]
    tallies: Mapping[str, Tally] = field(default_factory=dict)


def readings(
    claim: Claim, parts: Parts, start: Numbers, moves: Mapping[str, tuple[fmpq, fmpq]]
) -> list[Reading]:
    """The kinds of outcomes that are told apart. Raises: Unwritten where no rule says them."""
    draw, fields = claim.draw, claim.fields
    if isinstance(draw, (Each, Signs)):
        return list(_of_copies(draw, parts, fields, start, moves))
    weights = fields.get(getattr(draw, "weights", ""))
    if not isinstance(draw, (Counts, Indices)) or type(weights) is not Weights:
        raise Unwritten(f"the draw {draw}")
    number = _number_of(draw)
    if type(fields.get(number)) is not Integer:
        raise Unwritten(f"the draw {draw}")
    key = weights.size
    if key == parts.grown or number == parts.grown:
        raise Unwritten("copies of atoms that are drawn")
    names = [f"{draw.weights}[{atom}]" for atom in range(parts.count(key))]
    if number not in moves:
        if not isinstance(draw, Counts):
            raise Unwritten("a sequence that stays")
        return list(listed(draw.counts, key, names, int(start[number])))
    if len(names) != 2 or set(names) & set(moves) or moves[number][0] <= 0:
        raise Unwritten("many draws from atoms that move, or from more than two")
    held = [fmpq(start[name]) for name in names]
    if isinstance(draw, Indices):
        return list(_in_order(draw.indices, number, number, held))
    return list(_deviations(number, held, lambda counts: ({draw.counts: (key, counts)}, {}),
                            lambda count, place: {draw.counts: (count, 0) if place == 0
                                                  else (0, count)}))  # fmt: skip


def all_alike(
    claim: Claim, start: Numbers, grown: str, moves: Mapping[str, tuple[fmpq, fmpq]]
) -> Reading:
    """The outcome that all draws, ever more of them, come to the first value.

    Raises: Unwritten where no rule says it.
    """
    draw = claim.draw
    if isinstance(draw, (Counts, Indices)):
        law, number, key = draw.weights, _number_of(draw), draw.weights
        weights = start.get(law)
        grows = number in moves and moves[number][0] > 0 and not moves[number][1] and (
            grown != getattr(claim.fields.get(law), "size", None))  # fmt: skip
    elif isinstance(draw, Signs):
        law, number, weights, key = "", COPIED, (HALF, HALF), draw.length
        grows = grown == draw.length and start.get(grown) == 1
    elif isinstance(draw, Each):
        laws, field = start.get(draw.chances), claim.fields.get(draw.chances)
        law, number, key = draw.chances, COPIED, str(getattr(field, "size", ""))
        weights = laws[0] if isinstance(laws, tuple) and len(laws) == 1 else ()
        grows = bool(grown) and grown == key
    else:
        raise Unwritten(f"the draw {draw}")
    moving = {name for name in moves if name.startswith(f"{law}[")} if law else set()
    if not grows or not isinstance(weights, tuple) or len(weights) < 2 or moving or not (
        0 < fmpq(weights[0]) < 1
    ):
        raise Unwritten(f"ever more of the draw {draw}")
    first, times = fmpq(weights[0]), sympy.Symbol(number, real=True)
    counts = [times, *(sympy.Integer(0) for _ in weights[1:])]
    mass = sympy.Rational(int(first.p), int(first.q)) ** times
    values: tuple[sympy.Expr, ...] = ()
    if isinstance(draw, Signs):
        values = sympy.Integer(1), sympy.Integer(-1)
    (name,) = draw.names

    def one(numbers: Numbers) -> tuple[Outcome, dict[str, Value]]:
        count = int(numbers[number])
        if isinstance(draw, Counts):
            return {name: (count, *(0 for _ in weights[1:]))}, {}
        return {name: (1 if values else 0,) * count}, {}

    if isinstance(draw, Counts):
        size = claim.fields[law].size
        return Reading(mass, {name: (size, counts)}, {}, one)
    size = number if isinstance(draw, Indices) else key
    return Reading(mass, {}, {}, one, {name: Tally(size, counts, values)})


def _number_of(draw: Counts | Indices) -> str:
    return draw.trials if isinstance(draw, Counts) else draw.length


def _of_copies(
    draw: Each | Signs, parts: Parts, fields: Mapping[str, Any], start: Numbers,
    moves: Mapping[str, tuple[fmpq, fmpq]],
) -> Iterator[Reading]:  # fmt: skip
    """Of ever more variables with one law of two values."""
    if isinstance(draw, Signs):
        size: Key = draw.length
        names: list[str] = []
        held = [HALF, HALF]
        values: tuple[sympy.Expr, ...] = (sympy.Integer(1), sympy.Integer(-1))
    else:
        laws = fields.get(draw.chances)
        if type(laws) is not Tuples or type(laws.entry) is not Weights or (
            parts.count(laws.entry.size) != 2 or laws.entry.size == parts.grown
        ):
            raise Unwritten(f"the draw {draw}")
        size, values = laws.size, ()
        names = [f"{draw.chances}[0][{atom}]" for atom in (0, 1)]
        held = [fmpq(start[name]) for name in names]
    if size != parts.grown or parts.count(size) != 1 or set(names) & set(moves):
        raise Unwritten("other variables than copies of one")
    (name,) = draw.names
    yield from _in_order(name, size, COPIED, held, values)


def _in_order(
    name: str, size: str, number: str, weights: list[fmpq], values: tuple[sympy.Expr, ...] = ()
) -> Iterator[Reading]:
    """Of outcomes that say what each of them came to."""

    def one(count: int, place: int) -> Outcome:
        return {name: ((int(values[place]) if values else place),) * count}

    return _deviations(number, weights, lambda counts: ({}, {name: Tally(size, counts, values)}),
                       one)  # fmt: skip


def listed(name: str, key: Key, names: Sequence[str], trials: int) -> Iterator[Reading]:
    """Every outcome of few draws. Raises: Unwritten where they are too many."""
    if comb(trials + len(names) - 1, trials) > MOST_LISTED:
        raise Unwritten(f"{trials} draws")
    weights = [sympy.Symbol(name, real=True) for name in names]
    for counts in _compositions(trials, len(names)):
        ways = factorial(trials) // prod(map(factorial, counts))
        mass = ways * sympy.Mul(*(w**c for w, c in zip(weights, counts, strict=True)))
        entries: list[sympy.Expr] = list(map(sympy.Integer, counts))
        yield Reading(mass, {name: (key, entries)}, {}, partial(_itself, {name: counts}))


def _itself(outcome: Outcome, numbers: Numbers) -> tuple[Outcome, dict[str, Value]]:
    return outcome, {}


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _deviations(
    trials: str, weights: list[fmpq],
    told: Callable[[list[sympy.Expr]], tuple[dict[str, Row], dict[str, Tally]]],
    made: Callable[[int, int], Outcome],
) -> Iterator[Reading]:  # fmt: skip
    """Above and below the mean; the weights are those of the world.

    Args: told: what the counts of both atoms say. made: the outcome of so many draws of one atom.
    """
    first, second = weights
    if min(weights) < LEAST_SHARE or first + second != 1:
        raise Unwritten("an atom that is hardly drawn")
    far = (first**2 + second**2) / (arb(first * second) * MANY).sqrt()
    least = (arb("0.5") - arb(1) / (2 * BREADTH) - far - arb(1) / BREADTH**2).lower()
    mass, scale = midpoint(least), arb(first * second).sqrt()
    number, name = sympy.Symbol(trials, real=True), "part of a root"
    root = sympy.sqrt(number) * sympy.Symbol(name, real=True)
    shares = [sympy.Rational(int(each.p), int(each.q)) for each in weights]
    counts, tallies = told([number * shares[0] + root, number * shares[1] - root])

    def one(sign: int, numbers: Numbers) -> tuple[Outcome, dict[str, Value]]:
        count = int(numbers[trials])
        gap = to_ball(fmpq(count if sign > 0 else 0) - first * count)
        return made(count, 0 if sign > 0 else 1), {name: gap / arb(count).sqrt()}

    for sign in (1, -1):
        ends = [sign * scale / BREADTH, sign * scale * BREADTH]
        yield Reading(
            sympy.Rational(int(mass.p), int(mass.q)), counts,
            {name: (ends[0].union(ends[1]), sign * midpoint(scale))},
            partial(one, sign), tallies,
        )  # fmt: skip
