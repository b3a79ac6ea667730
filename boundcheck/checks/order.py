"""Negative controls for statements up to a constant: the order of the right side made smaller.

A statement up to a constant has no constant to shrink. What it asserts is an order, so its controls
make one comparison false by a little: its larger side divided by a power of a parameter, which must
be refuted by a law along one of the families or called growing there; and its ratio times a small
power of the size, which must be called growing. A ratio known to be bounded must not be, along any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import sympy
from flint import fmpq

from boundcheck.checks.curves import Point, judge
from boundcheck.claim import Claim
from boundcheck.setting import Setting, parts, sides

POWERS = tuple(sympy.Rational(*power) for power in ((1, 4), (1, 2), (1, 1), (2, 1), (4, 1)))
LARGEST_RISE = 900  # octaves of a constant that floats can still tell
TRIED = 3  # numbers that move along families

GROWTHS = tuple(sympy.Rational(1, below) for below in (8, 4, 2, 1))
Rule = Callable[[Claim], bool]
Curves = Sequence[tuple[str, list[Point]]]
FASTER, SMALLER = "left/right times a power of the size", "right side over a power of a parameter"


@dataclass(frozen=True)
class Control:
    """What would have been noticed of one comparison of a statement up to a constant.

    Args: relation: the comparison. growth: the least power of the size by which its ratio could
    grow faster and be called growing, with the family; None of those in `GROWTHS`. power: the
    least power of a parameter that its larger side cannot lose, with the parameter. untested:
    no world of any family decides it.
    """

    relation: str
    growth: tuple[sympy.Rational, str] | None
    power: tuple[sympy.Rational, str] | None
    untested: bool

    @property
    def shown(self) -> bool:
        """Whether a comparison that is false by a little would not have passed."""
        return self.growth is not None and self.power is not None

    @property
    def missing(self) -> str:
        """Why it is not shown, in words."""
        if self.power is None:
            return "no right side smaller by a power of a parameter would have been noticed either"
        return f"growth of {self.relation} like the size would not have been noticed either"

    def rows(self, place: int) -> list[dict[str, object]]:
        """The mutants behind it, as rows of the report."""
        made = ((FASTER, self.growth, f"no growth up to size^{GROWTHS[-1]} is noticed"),
                (SMALLER, self.power, f"no power up to {POWERS[-1]} is noticed"))  # fmt: skip
        return [{"mutant": name, "caught": found is not None, "part": place,
                 "reason": "" if found else why, "relation": self.relation}
                for name, found, why in made]  # fmt: skip

    def as_part(self) -> dict[str, object]:
        """The row of this comparison among all comparisons of the claim."""
        return {"relation": self.relation, "slack": None, "control": self.shown,
                "untested": self.untested,
                "growth noticed": None if self.growth is None else f"size^{self.growth[0]}"}


def controls(claim: Claim, curves: Sequence[Curves], refuted: Rule) -> list[Control]:
    """What would have been noticed of every comparison.

    Args: curves: of each comparison, the constants that it alone needs along every family.
    refuted: whether a law refutes a claim like it along a family.
    """
    return [
        Control(str(part), _least_growth(found), _least_power(claim, place, found, refuted),
                not any(points for _, points in found))
        for place, (part, found) in enumerate(zip(parts(claim.statement.relation), curves,
                                                  strict=True))
    ]  # fmt: skip


def _least_growth(curves: Curves) -> tuple[sympy.Rational, str] | None:
    return next(((power, name) for power in GROWTHS for name, points in curves
                 if judge(_faster(points, power))[0]), None)  # fmt: skip


def _faster(points: list[Point], power: sympy.Rational) -> list[Point]:
    """The points with their constants times (size / first size)^power, as far as floats reach."""
    octaves = [math.log2(point.size) - math.log2(points[0].size) for point in points]
    return [point._replace(value=point.value * 2.0**rise, upper=point.upper * 2.0**rise)
            for point, rise in zip(points, (each * float(power) for each in octaves), strict=True)
            if rise < LARGEST_RISE]  # fmt: skip


def tells_apart(points: list[Point]) -> bool:
    """Whether known growth is called growing at these sizes and widths, and a bounded ratio not.

    The first is the size; the second is size / (size + first size), which rises by a factor 2.
    """
    first = points[0].size
    points = [point for point in points if point.size < first << LARGEST_RISE]
    widths = [point.upper / point.value if point.value > 0 else 1.0 for point in points]

    def judged(rule: Callable[[int], float]) -> bool:
        return judge([point._replace(value=rule(point.size), upper=rule(point.size) * width)
                      for point, width in zip(points, widths, strict=True)])[0]  # fmt: skip

    return judged(lambda size: size / first) and not judged(lambda size: size / (size + first))


def _least_power(
    claim: Claim, place: int, curves: Curves, refuted: Rule
) -> tuple[sympy.Rational, str] | None:
    moved = [(rise, name, points) for _, points in curves for name, rise in _rises(points)]
    ranked = sorted(moved, key=lambda row: -abs(row[0]))[:TRIED]
    for power in POWERS:
        for rise, name, points in ranked:
            shown = name if rise > 0 else f"1/{name}"
            if judge(_smaller(points, name, power if rise > 0 else -power))[0]:
                return power, shown
            factor = sympy.Symbol(name, real=True) ** (power if rise > 0 else -power)
            if refuted(_with_smaller_side(claim, place, factor)):
                return power, shown
    return None


def _rises(points: list[Point]) -> list[tuple[str, float]]:
    """By how many e-folds positive numbers of a world move along a family, by name."""
    if len(points) < 2:
        return []
    first, last = (_logarithms(point.setting) for point in (points[0], points[-1]))
    return [(name, last[name] - first[name]) for name in first
            if name in last and first[name] != last[name]]  # fmt: skip


def _smaller(points: list[Point], name: str, power: sympy.Rational) -> list[Point]:
    """The points with right sides divided by a power of a number, as far as floats reach."""
    found = []
    for point in points:
        logarithm = _logarithms(point.setting).get(name)
        octaves = math.inf if logarithm is None else logarithm * float(power) / math.log(2)
        if abs(octaves) < LARGEST_RISE:
            factor = 2.0**octaves
            found.append(point._replace(value=point.value * factor, upper=point.upper * factor))
    return found


def _logarithms(setting: Setting) -> dict[str, float]:
    """Logarithms of the positive numbers among the values of a setting, by name."""
    numbers = [(n, fmpq(v)) for n, v in setting.values.items() if isinstance(v, (int, fmpq))]
    # Of top and bottom apart: the quotient may be no float.
    return {n: math.log(int(v.p)) - math.log(int(v.q)) for n, v in numbers if v > 0}


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
