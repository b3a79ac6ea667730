"""What a draw may come to in a world that goes on, written over its numbers: kinds of outcomes.

Of few draws every outcome is listed, its probability being a product of weights that may move. Of
draws from two atoms whose number n moves, the counts n p + sqrt(n) Y and n q - sqrt(n) Y are taken
where Y / sqrt(p q) lies in [1/B, B] or in [-B, -1/B]: by Berry and Esseen with constant 1 (0.4748
is known: Shevtsova 2011) and Chebyshev each weighs at least
1/2 - 1/(2 B) - (p^2 + q^2) / sqrt(n p q) - 1/B^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, factorial, prod

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import Value, to_ball
from boundcheck.checker.writing import Key, Parts, Row, Unwritten
from boundcheck.claim import Claim
from boundcheck.worlds.draws import Counts
from boundcheck.worlds.fields import Integer, Weights

MOST_LISTED = 12
BREADTH = 2**8  # B
MANY = 2**48  # draws, from which on a law is looked for
LEAST_SHARE = fmpq(1, 2**16)  # of an atom whose counts are followed
Numbers = Mapping[str, Value]
Outcome = dict[str, Value]


@dataclass(frozen=True)
class Reading:
    """An outcome, or all of a kind: a lower limit of its probability, and its counts by name.

    Args: unknown: ranges of numbers in the counts, and one in each; one: an outcome in a world of
        these numbers, with its unknown numbers.
    """

    mass: sympy.Expr
    counts: Mapping[str, Row]
    unknown: Mapping[str, tuple[arb, Value]]
    one: Callable[[Numbers], tuple[Outcome, dict[str, Value]]]


def readings(
    claim: Claim, parts: Parts, start: Numbers, moves: Mapping[str, tuple[fmpq, fmpq]]
) -> list[Reading]:
    """The kinds of outcomes that are told apart. Raises: Unwritten where no rule says them."""
    draw = claim.draw
    if not isinstance(draw, Counts) or type(claim.fields.get(draw.weights)) is not Weights or (
        type(claim.fields.get(draw.trials)) is not Integer
    ):
        raise Unwritten(f"the draw {draw}")
    key = claim.fields[draw.weights].size
    if key == parts.grown or draw.trials == parts.grown:
        raise Unwritten("copies of atoms that are drawn")
    names = [f"{draw.weights}[{atom}]" for atom in range(parts.count(key))]
    if draw.trials not in moves:
        return list(listed(draw.counts, key, names, int(start[draw.trials])))
    if len(names) != 2 or set(names) & set(moves) or moves[draw.trials][0] <= 0:
        raise Unwritten("many draws from atoms that move, or from more than two")
    return list(_deviations(draw, key, [fmpq(start[name]) for name in names]))


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


def _deviations(draw: Counts, key: Key, weights: list[fmpq]) -> Iterator[Reading]:
    """Above and below the mean; the weights are those of the world."""
    first, second = weights
    if min(weights) < LEAST_SHARE or first + second != 1:
        raise Unwritten("an atom that is hardly drawn")
    far = (first**2 + second**2) / (arb(first * second) * MANY).sqrt()
    mass = (arb("0.5") - arb(1) / (2 * BREADTH) - far - arb(1) / BREADTH**2).lower().fmpq()
    scale = arb(first * second).sqrt()
    number, name = sympy.Symbol(draw.trials, real=True), "part of a root"
    root = sympy.sqrt(number) * sympy.Symbol(name, real=True)
    shares = [sympy.Rational(int(each.p), int(each.q)) for each in weights]
    counts: list[sympy.Expr] = [number * shares[0] + root, number * shares[1] - root]

    def one(sign: int, numbers: Numbers) -> tuple[Outcome, dict[str, Value]]:
        count = int(numbers[draw.trials])
        found = (count, 0) if sign > 0 else (0, count)
        gap = to_ball(fmpq(found[0]) - first * count)
        return {draw.counts: found}, {name: gap / arb(count).sqrt()}

    for sign in (1, -1):
        ends = [sign * scale / BREADTH, sign * scale * BREADTH]
        yield Reading(
            sympy.Rational(int(mass.p), int(mass.q)), {draw.counts: (key, counts)},
            {name: (ends[0].union(ends[1]), sign * scale.mid().fmpq())},
            partial(one, sign),
        )  # fmt: skip
