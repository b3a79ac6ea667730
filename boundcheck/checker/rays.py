"""Rays of worlds without end, on which hypotheses that couple numbers hold for every t >= 1.

Where hypotheses couple numbers, as q <= r^4 and r <= s^4 and s <= 100 do, one world that excludes a
large constant says nothing: a true statement may need more than its own numbers tell. So growth
then refutes only along a ray: some numbers of a world move as e + c t^p, whole vectors and matrices
as c t^p, the others stay, and every hypothesis and domain is certified for all t >= 1. No
hypothesis bounds anything there, and only numbers of the statement and of the ray are left to
count. Where the statement is about numbers alone, both
sides are followed along the ray for every t, and the left one must outgrow the right one there.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision
from boundcheck.checker.along import UNKNOWN, Along
from boundcheck.checker.germs import Germ, NoGerm, added, constant, is_nonnegative, negated
from boundcheck.checker.incode import names_in_code
from boundcheck.checker.judge import is_admissible
from boundcheck.checker.nearing import end_of
from boundcheck.checker.ray import MOST_MOVED, Ray, entries_of, motions_of
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Node
from boundcheck.setting import flatten, guarded
from boundcheck.worlds.composed import Custom
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Choice, Field, Gram, Integer, Matrix, Real, Symmetric, Vector

# Which hypotheses couple.


@lru_cache(maxsize=1024)
def needs_ray(claim: Claim) -> bool:
    """Whether one world that excludes a constant is not enough: hypotheses or conditions couple
    numbers, or the statement is about numbers alone, which a ray follows to the end."""
    return couples(claim) or is_of_numbers(claim)


def couples(claim: Claim) -> bool:
    """Whether a hypothesis, domain or premise is more than an end of one number of the world, or
    a condition within sides or definitions compares numbers that are no sizes."""
    stated = chain(chain.from_iterable(map(flatten, claim.given)), _premises(claim))
    return (
        not all(_is_end(claim, part) for part in stated)
        or any(_reads_others(claim, name, field) for name, field in claim.fields.items())
        or any(_compares(claim, condition) for condition in _conditions(claim))
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


def _compares(claim: Claim, condition: sympy.Basic) -> bool:
    """Whether a condition reads a number that is no size, or two sizes, and is not an end of one
    number alone."""
    read = {symbol.name for symbol in condition.free_symbols}
    sizes = {name for name, field in claim.fields.items() if isinstance(field, Integer)}
    known = {*claim.fields, *claim.measured, *claim.random_names}
    two = len(read & sizes) > 1
    return (two or bool(read & known - sizes)) and not _is_end(claim, condition)


def _is_end(claim: Claim, condition: sympy.Basic) -> bool:
    """Whether a hypothesis says c x <= d of one symbol x that has a field."""
    end = None if isinstance(condition, sympy.Eq) else end_of(condition)
    return end is not None and end[0].name in claim.fields


def _reads_others(claim: Claim, name: str, field: object) -> bool:
    """Whether a domain has ends or a predicate that read other numbers of the world."""
    others = set(claim.fields) - {name}
    for part in dataclasses.fields(field) if dataclasses.is_dataclass(field) else ():
        value = getattr(field, part.name)
        if part.name in ("low", "high", "scale") and is_name(value) and value in others:
            return True
        if isinstance(value, Field) and _reads_others(claim, name, value):
            return True
    named = names_in_code(field.domain) if isinstance(field, Custom) else set()
    return bool(named & others)


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


def is_endless(claim: Claim, ray: Ray) -> bool:
    """Whether a ray stays among the worlds of the claim, and the left side of a statement about
    numbers alone is certain to outgrow every multiple of the right one."""
    return stays(claim, ray) and (not is_of_numbers(claim) or outgrows(claim, ray))


def outgrows(claim: Claim, ray: Ray) -> bool:
    """Whether a comparison that is asserted along a ray is certain to need more than any constant.
    """
    from boundcheck.checker.growing import found_law

    return found_law(claim, ray) is not None


def stays(claim: Claim, ray: Ray) -> bool:
    """Whether every world of a ray is certain to be one of the claim, its hypotheses met.

    Conditions within the statement are met, or not, as they are at t = 1.

    What the constant may depend on does not move.
    """
    depends = set(getattr(claim.statement, "depends", ()))
    if not ray.powers or not is_admissible(claim, ray.start):
        return False
    with precision(PRECISIONS[-1]):
        try:
            along = Along(claim, ray)
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
    if name not in ray.powers:
        return field.admits(ray.start[name], fixed)
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
