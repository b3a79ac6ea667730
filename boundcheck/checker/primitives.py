"""Germs and degrees of primitives: by how they are made, by their units, between their bounds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.arithmetic import is_exact
from boundcheck.checker.bounds import BOUNDS, Moving
from boundcheck.checker.germs import Germ, NoGerm, hull
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.units import Units

if TYPE_CHECKING:
    from boundcheck.checker.along import Along

DEGREES = {  # of a primitive in each of its operands
    "entry": (1,), "trace": (1,), "operator_norm": (1,), "frobenius_norm": (1,),
    "spectral_radius": (1,), "largest_eigenvalue": (1,), "smallest_eigenvalue": (1,), "norm": (1,),
    "transpose": (1,), "diagonal": (1,), "largest_entry": (1,), "inner": (1, 1), "outer": (1, 1),
    "entrywise": (1, 1), "form": (1, 2), "bayes_norm": (fmpq(-1, 2),),
}  # fmt: skip
ALIKE = ("clipped", "direct_sum", "joined", "above")  # their operands stand side by side


def germ(along: Along, node: Apply) -> Germ:
    """Of a number between its bounds. Raises: NoGerm where no rule gives them."""
    low, high = _bounds(along, node)
    if isinstance(low, tuple):
        raise NoGerm(f"{node} is no number")
    return hull([along.germ(low), along.germ(high)]) if low != high else along.germ(low)


def _bounds(along: Along, node: Apply) -> tuple[Any, Any]:
    rule = BOUNDS.get(node.primitive.token.name)
    if rule is None or not node.primitive.standard:
        raise NoGerm(str(node))
    found = rule(*(_operand(along, operand) for operand in node.operands))
    if found is None:
        raise NoGerm(str(node))
    return found


def _operand(along: Along, operand: sympy.Basic) -> Any:
    """The value of an operand that stays, how it moves otherwise."""
    if not along.moves(operand):
        return exact.value_of(operand, along.place)
    name = getattr(operand, "name", "")
    start = along.ray.start.get(name)
    if name not in along.ray.powers or not is_exact(start) or not isinstance(start, (int, fmpq)):
        return Moving(operand)
    end = along.ray.ends.get(name, fmpq(0)) if along.ray.powers[name] < 0 else None
    return Moving(operand, fmpq(start), end)


def degree(along: Along, node: Apply) -> fmpq:
    """The power of t by which all entries of a value are multiplied. Raises: NoGerm."""
    name = node.primitive.standard
    degrees = DEGREES.get(name, ())
    if name and node.primitive.token.name in BOUNDS:
        return _by_bounds(along, node)
    if not degrees and name:
        return _by_units(along, node)
    if any(along.moves(operand) for operand in node.operands[len(degrees) :]):
        raise NoGerm(str(node))
    return sum((along.degree(operand) * times for operand, times
                in zip(node.operands, degrees, strict=False)), fmpq(0))  # fmt: skip


def _by_bounds(along: Along, node: Apply) -> fmpq:
    """Of a vector whose entries are known and move alike."""
    low, high = _bounds(along, node)
    if not isinstance(low, tuple) or low != high:
        raise NoGerm(str(node))
    found = {along.degree(entry) for entry in low if entry != 0}
    if len(found) != 1:
        raise NoGerm(str(node))
    return found.pop()


def _by_units(along: Along, node: Apply) -> fmpq:
    """As a primitive of this package says how its value scales with its operands."""
    name, rule = node.primitive.standard, node.primitive.units
    if name in ALIKE and len({along.degree(part) for part in node.operands if part != 0}) > 1:
        raise NoGerm(str(node))
    if name not in ALIKE and callable(rule) and _is_forgotten(along, node, rule):
        raise NoGerm(str(node))
    if name not in ALIKE and rule == "same" and any(map(along.moves, node.operands[1:])):
        raise NoGerm(str(node))
    found = [Units({"t": Fraction(int(d.p), int(d.q))}) for d in map(along.degree, node.operands)]
    if rule == "none" and not any(units.powers for units in found):
        return fmpq(0)
    if rule == "same":
        made = found[0]
    elif rule == "sum":
        made = sum(found, Units())
    elif callable(rule):
        made = rule(*found)
    else:
        raise NoGerm(str(node))
    power = made.powers.get("t", Fraction(0))
    return fmpq(power.numerator, power.denominator)


def _is_forgotten(along: Along, node: Apply, rule: Callable[..., Units]) -> bool:
    """Whether an operand moves of which the rule of units does not speak."""
    named = [Units({f"operand {place}": Fraction(1)}) for place in range(len(node.operands))]
    made = rule(*named).powers
    return any(along.degree(part) and f"operand {place}" not in made
               for place, part in enumerate(node.operands))  # fmt: skip
