"""Rays of worlds without end, on which hypotheses and domains hold for every t >= 1.

Some numbers of a world move as e + c t^p, whole vectors and matrices as c t^p, the others stay, and
every hypothesis and domain is certified for all t >= 1. What becomes of the sides of the statement
there is followed in `boundcheck.checker.growing`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision
from boundcheck.checker.along import UNKNOWN, Along
from boundcheck.checker.germs import Germ, NoGerm, added, constant, is_nonnegative, negated
from boundcheck.checker.judge import is_admissible
from boundcheck.checker.ray import MOST_MOVED, Ray, entries_of, motions_of
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Node
from boundcheck.setting import flatten, guarded
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import (
    Choice,
    Field,
    Gram,
    Integer,
    Matrix,
    Real,
    Symmetric,
    Vector,
)


def is_of_numbers(claim: Claim) -> bool:
    """Whether numbers alone, combined by functions of SymPy, make up the statement."""
    fields = (Real, Integer, Choice)
    whole = [q.whole for q in claim.measured.values() if isinstance(q, Definition)]
    return (
        claim.draw is None and len(whole) == len(claim.measured)
        and all(type(field) in fields for field in claim.fields.values())
        and all(isinstance(node, Named) for text in (claim.statement.relation, *whole)
                for node in sympy.preorder_traversal(text) if isinstance(node, Node))
    )  # fmt: skip


def _premises(claim: Claim) -> Iterator[sympy.Basic]:
    for premises, _ in guarded(claim.statement.relation):
        yield from chain.from_iterable(map(flatten, premises))


def _conditions(claim: Claim) -> set[sympy.Basic]:
    """The comparisons within sides and definitions."""
    sides = [side for _, part in guarded(claim.statement.relation) for side in part.args]
    whole = [q.whole for q in claim.measured.values() if isinstance(q, Definition)]
    return {part for text in (*sides, *whole) for part in text.atoms(sympy.Rel)}


# A ray.


class _Fixed(Mapping[str, Value]):
    """The values of a world to a domain that must not read one that moves."""

    def __init__(self, ray: Ray) -> None:
        self.ray = ray

    def __getitem__(self, name: str) -> Value:
        if name in self.ray.powers:
            raise NoGerm(f"a domain reads {name}, which moves")
        return self.ray.start[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.ray.start)

    def __len__(self) -> int:
        return len(self.ray.start)


def stays(claim: Claim, ray: Ray, known: Mapping[str, arb] | None = None) -> bool:
    """Whether every world of a ray is certain to be one of the claim, its hypotheses met.

    Args: known: numbers that are only known to lie in a ball, whatever t is.

    Conditions within the statement are met, or not, as they are at t = 1.

    What the constant may depend on does not move.
    """
    depends = set(getattr(claim.statement, "depends", ()))
    if not ray.powers or not is_admissible(claim, ray.start):
        return False
    with precision(PRECISIONS[-1]):
        try:
            along = Along(claim, ray, known=known)
            return (
                not any(map(along.moves, map(sympy.Symbol, depends)))
                and all(_keeps_domain(along, name, field) for name, field in claim.fields.items())
                and all(along.keeps(part) for given in claim.given for part in flatten(given))
                and all(along.settles(part) for part in (*_premises(claim), *_conditions(claim)))
            )
        except (NoGerm, *UNKNOWN):
            return False


def _keeps_domain(along: Along, name: str, field: Field) -> bool:
    """Whether a value stays in its domain for every t."""
    ray, fixed = along.ray, _Fixed(along.ray)
    if not field.admits(ray.start[name], fixed):  # an array of a size that moves is none of it
        return False
    if name not in ray.powers:
        return True
    if type(field) is Integer and not along.is_whole(name):
        return False
    if type(field) is Gram:
        return field.scale is None and not field.regular and name not in ray.ends
    arrays = type(field) in (Vector, Matrix, Symmetric) and name not in ray.ends
    if not arrays and type(field) not in (Real, Integer):
        return False
    low, high = getattr(field, "low", None), getattr(field, "high", None)
    if is_name(low) or is_name(high):
        return False
    opens = getattr(field, "open_low", False), getattr(field, "open_high", False)
    for entry in {*entries_of(ray.start[name])}:
        germ = along.number(name, entry)
        below = low is None or is_nonnegative(added([germ, _less(low)]), strictly=opens[0])
        above = high is None or is_nonnegative(
            negated(added([germ, _less(high)])), strictly=opens[1])  # fmt: skip
        if not (below and above):
            return False
    return True


def _less(end: Any) -> Germ:
    return constant(-exact.ratio_of(sympy.Rational(str(end))))


# As part of a witness.


def as_extra(ray: Ray, octaves: int) -> dict[str, Any]:
    """How a witness at t = 2^octaves says its ray."""
    moves = {name: [str(power), str(ray.ends.get(name, 0))] for name, power in ray.powers.items()}
    return {"ray": moves, "scale": f"2^{octaves}"}


def from_extra(extra: Mapping[str, Any], values: Mapping[str, Value]) -> tuple[Ray, int]:
    """The ray that a witness says, from its world back to t = 1.

    Raises: ValueError where that is no world of a ray.
    """
    scale = re.fullmatch(r"2\^([0-9]{1,7})", str(extra["scale"]))
    octaves = int(scale[1]) if scale else 0
    moves = motions_of(extra["ray"])
    if max((abs(power) for power, _ in moves.values()), default=fmpq(0)) * octaves > MOST_MOVED:
        raise ValueError(f"numbers move by more than {MOST_MOVED} octaves")
    ends = {name: end for name, (_, end) in moves.items() if end}
    there = Ray(values, {name: power for name, (power, _) in moves.items()}, ends)
    start = there.at(-octaves) if set(moves) <= set(values) else None
    if octaves < 1 or start is None:
        raise ValueError("no ray leads to this world")
    ray = Ray(start, there.powers, ends)
    if ray.at(octaves) != dict(values):
        raise ValueError("the ray leads to another world")
    return ray, octaves
