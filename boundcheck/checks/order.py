"""Negative controls for statements up to a constant: the order of the right side made smaller.

A statement up to a constant has no constant to shrink. What it asserts is an order, so its control
is the same statement with one larger side divided by a power of a parameter or size: the rule that
refutes by growth must refute that at one of the worlds seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.setting import Setting, parts, sides

if TYPE_CHECKING:
    from boundcheck.checks.curves import Point

POWERS = tuple(sympy.Rational(*power) for power in ((1, 4), (1, 2), (1, 1), (2, 1), (4, 1)))
TRIED = 2  # worlds for each power


Rule = Callable[[Claim, "Point"], bool]


def smallest_power_refuted(claim: Claim, points: list[Point], refuted: Rule) -> str | None:
    """The smallest power of a parameter that no larger side can lose, in words; None if none.

    Of several comparisons the one that is hardest to refute decides.

    Args: points: worlds seen, with the constant that each needs. refuted: the rule that would
    have refuted the claim, for a claim like it at one of these worlds.
    """
    worst: tuple[sympy.Rational, str] | None = None
    for place in range(len(parts(claim.statement.relation))):
        found = _of_part(claim, place, points, refuted)
        if found is None:
            return None
        worst = found if worst is None else max(worst, found, key=lambda pair: pair[0])
    return None if worst is None else f"{worst[1]}^{worst[0]}"


def _of_part(
    claim: Claim, place: int, points: list[Point], refuted: Rule
) -> tuple[sympy.Rational, str] | None:
    scored = [
        (abs(logarithm), point, name, logarithm > 0)
        for point in points
        for name, logarithm in _logarithms(point.setting)
        if 0 < point.value < math.inf
    ]
    for power in POWERS:
        ranked = sorted(scored, key=lambda row: -float(power) * row[0] - math.log(row[1].value))
        for _, point, name, large in ranked[:TRIED]:
            factor = sympy.Symbol(name, real=True) ** (power if large else -power)
            if refuted(_with_smaller_side(claim, place, factor), point):
                return power, name if large else f"1/{name}"
    return None


def _logarithms(setting: Setting) -> list[tuple[str, float]]:
    """Logarithms of the positive numbers among the values of a setting, by name."""
    numbers = [(n, fmpq(v)) for n, v in setting.values.items() if isinstance(v, (int, fmpq))]
    # Of top and bottom apart: the quotient may be no float.
    return [(n, math.log(int(v.p)) - math.log(int(v.q))) for n, v in numbers if v > 0 and v != 1]


def _with_smaller_side(claim: Claim, place: int, factor: sympy.Expr) -> Claim:
    relation = divided(claim.statement.relation, place, factor)
    return replace(claim, statement=claim.statement.with_relation(relation))


def divided(relation: sympy.Basic, place: int, factor: sympy.Expr) -> sympy.Basic:
    """The relation with the larger side of one comparison (by its place) divided by a factor.

    >>> x, y, n = sympy.symbols("x y n", real=True)
    >>> divided(sympy.And(x <= 1, x <= y, evaluate=False), 1, n)
    (x <= 1) & (x <= y/n)
    """
    part = parts(relation)[place]
    smaller, larger = sides(part)
    strict = isinstance(part, (sympy.Lt, sympy.Gt))
    compare = sympy.Lt if strict else sympy.Le
    return _replaced(relation, part, compare(smaller, larger / factor, evaluate=False))


def _replaced(relation: sympy.Basic, part: sympy.Basic, other: sympy.Basic) -> sympy.Basic:
    if relation == part:
        return other
    if isinstance(relation, sympy.And):
        return sympy.And(*(_replaced(arg, part, other) for arg in relation.args), evaluate=False)
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return sympy.Implies(premise, _replaced(conclusion, part, other), evaluate=False)
    return relation
