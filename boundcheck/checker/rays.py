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
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.arithmetic import PRECISIONS, Value, precision, to_ball
from boundcheck.checker.along import UNKNOWN, Along
from boundcheck.checker.germs import Germ, NoGerm, added, constant, is_nonnegative, negated
from boundcheck.checker.incode import names_in_code
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.nearing import end_of
from boundcheck.checker.ray import MOST_MOVED, Ray, entries_of, motions_of
from boundcheck.claim import Claim, Holds, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Node
from boundcheck.setting import flatten, guarded
from boundcheck.worlds.composed import Custom
from boundcheck.worlds.domains import is_name
from boundcheck.worlds.fields import Choice, Field, Gram, Integer, Matrix, Real, Symmetric, Vector

FAR = 64  # octaves from which on a law is looked for


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

    Only where nothing is drawn and the level does not move.
    """
    inner = getattr(claim.statement, "inner", None)
    try:
        if isinstance(inner, WithProbability) and Along(claim, ray).moves(inner.level):
            return False
        return claim.draw is None and _law(claim, ray) is not None
    except (NoGerm, *UNKNOWN):
        return False


def law(claim: Claim, ray: Ray) -> str:
    """How left over right grows without end along a ray that stays, in words; "" if that is not
    certain. No constant serves then, however slow the growth is.

    Enclosures of both sides for every t from 2^FAR on, left / right >= c t^a (1 + log t)^b with
    c > 0 and (a, b) above (0, 0), are a closed form that tends to infinity; so is the same of
    log(left / right). For statements about numbers alone, in every world. The values themselves
    must rise, too, where they are computed.
    """
    form = claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.inner, Holds):
        return ""
    if not is_of_numbers(claim) or not stays(claim, ray):
        return ""
    found = _law(claim, ray)
    return found[0] if found and _seen(claim, ray, found[1]) else ""


def _law(claim: Claim, ray: Ray) -> tuple[str, sympy.Rel] | None:
    """The first comparison, under premises that hold, whose left side outgrows the right one."""
    far = ray.at(FAR)
    if far is None:
        return None
    with precision(PRECISIONS[-1]):
        along = Along(claim, Ray(far, ray.powers, ray.ends))
        for premises, part in guarded(claim.statement.relation):
            if all(exact.decide(premise, along.place) is True for premise in premises):
                words = _outgrows(along, part)
                if words:
                    return words, part
    return None


def _outgrows(along: Along, part: sympy.Rel) -> str:
    if not isinstance(part, exact.INEQUALITIES):
        return ""
    try:
        left, right = along.germ(part.lts), along.germ(part.gts)
        if left.ball > 0 and left.scale > right.scale:
            power, logs = left.power - right.power, left.logs - right.logs
            return f"left / right grows {_order(power, logs)}"
    except (NoGerm, *UNKNOWN):
        pass
    try:
        gap = added([along.logarithm(part.lts), negated(along.logarithm(part.gts))])
    except (NoGerm, *UNKNOWN):
        return ""
    grows = gap.ball > 0 and gap.grows
    return f"log(left / right) grows {_order(gap.power, gap.logs)}" if grows else ""


def _order(power: fmpq, logs: fmpq) -> str:
    powers = [("t", power), ("log(t)", logs)]
    shown = [name if exponent == 1 else f"{name}^{exponent}" if exponent.q == 1
             else f"{name}^({exponent})" for name, exponent in powers if exponent]  # fmt: skip
    return f"at least as {' '.join(shown)}"


def _seen(claim: Claim, ray: Ray, part: sympy.Rel) -> bool:
    """Whether left over right is larger where it is computed further out."""
    with precision(PRECISIONS[-1]):
        try:
            near, far = (_quotient(claim, ray.at(octaves), part) for octaves in (FAR, 2 * FAR))
        except (Undefined, Undecided, ArithmeticError):
            return False
    return bool(far > near > 0)


def _quotient(claim: Claim, values: Mapping[str, Value] | None, part: sympy.Rel) -> arb:
    if values is None:
        raise Undefined("no world of the ray has rational numbers here")
    place = Place(claim, values)
    left, right = (to_ball(place.value(side)) for side in (part.lts, part.gts))
    return left / right


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
