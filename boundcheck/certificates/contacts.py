"""Points of a domain, and places at which an expression that is to be nonnegative touches zero.

Points tell in balls what is not worth a proof; places are tried by the rules of the checker.
Nothing here is trusted.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import flint
from flint import arb

from boundcheck.certificates.balls import NoValue, ball
from boundcheck.certificates.facts import Context
from boundcheck.certificates.points import BITS, Points
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import COMPARISONS, Relation, Term, symbols

Values = Mapping[str, arb]
STEPS, ENOUGH, LEAST = 300, 40, 3  # draws, points that are enough, points that tell something
NEAR, DENOMINATOR = 1e-12, 24
NUMBERS = ("0", "1", "1/2", "2", "-1")


def points_of(context: Context, term: Term, before: int | None = None) -> list[Values]:
    """Points at which the facts of a context hold, with values for the symbols of a term too.

    Args: before: only facts before this place count.
    """
    facts = context.facts[:before]
    plain = tuple(fact for fact in facts if fact[0] in (*COMPARISONS, "or"))
    powers: list[Relation] = [("=", ("x", x), root) for x, root in context.signs.letters.items()]
    problem = Problem(tuple(sorted(context.integers)), (*powers, *plain), (), ("<=", "0", term))
    with flint.ctx.workprec(BITS):
        return list(Points(problem).admissible(random.Random("a domain"), STEPS, ENOUGH))


def value(term: Term, values: Values) -> arb | None:
    """The ball of a term at a point, None if it has none."""
    try:
        with flint.ctx.workprec(BITS):
            return ball(term, values)
    except NoValue:
        return None


def negative_somewhere(term: Term, points: Sequence[Values], side: int = 1) -> bool:
    """Whether a term (side -1: its negative) is surely below zero at a point."""
    found = (value(term, point) for point in points)
    return any(one is not None and one * side < 0 for one in found)


def contacts(f: Term, slope: Term, name: str, points: Sequence[Values]) -> list[Term]:
    """Places at which f vanishes, at all points as far as balls tell; those without slope first."""
    if len(points) < LEAST:
        return []
    few = points[:: max(1, len(points) // LEAST)][:LEAST]
    others = sorted(symbols(f) - {name})
    found = [c for c in _candidates(others, f, slope, name, points) if _zero(f, name, c, few)]
    return sorted(dict.fromkeys(found), key=lambda c: not _zero(slope, name, c, few))


def _zero(f: Term, name: str, place: Term, points: Sequence[Values]) -> bool:
    for point in points:
        here = value(place, point)
        found = None if here is None else value(f, {**point, name: here})
        if found is None or not abs(found) < NEAR:
            return False
    return True


def _candidates(
    others: list[str], f: Term, slope: Term, name: str, points: Sequence[Values]
) -> Iterator[Term]:
    yield from NUMBERS
    letters: list[Term] = [("x", other) for other in others]
    yield from letters
    if not others:
        yield from _roots(slope, name, points)
        yield from _roots(f, name, points)
    for letter in letters[:3]:
        yield ("*", "-1", letter)
        yield ("^", letter, "-1")
        yield ("+", "1", ("*", "-1", letter))
    for a, b in itertools.permutations(letters[:3], 2):
        yield ("*", a, ("^", b, "-1"))
        if a < b:  # type: ignore[operator]
            yield from (("*", a, b), ("+", a, b))


def _roots(g: Term, name: str, points: Sequence[Values]) -> Iterator[Term]:
    """Numbers of short form near which an expression in one symbol changes sign."""
    places = sorted({float(point[name].mid()) for point in points if name in point})
    signs = [(x, _sign(g, name, x)) for x in places]
    for (low, before), (high, after) in itertools.pairwise(signs):
        if before * after < 0:
            yield from _short(_bisected(g, name, low, high))


def _sign(g: Term, name: str, x: float) -> int:
    found = value(g, {name: arb(x)})
    return 0 if found is None else 1 if found > 0 else -1 if found < 0 else 0


def _bisected(g: Term, name: str, low: float, high: float) -> float:
    before = _sign(g, name, low)
    for _ in range(80):
        middle = (low + high) / 2
        same = _sign(g, name, middle) == before
        low, high = (middle, high) if same else (low, middle)
    return (low + high) / 2


def _short(x: float) -> Iterator[Term]:
    """A number as a fraction, an exponential or a logarithm of one."""
    import math

    ways: list[tuple[float, str]] = [(x, "")]
    if x > 0:
        ways += [(math.log(x), "exp"), (x * x, "root")]
    if abs(x) < 50:
        ways.append((math.exp(x), "log"))
    for number, way in ways:
        near = Fraction(number).limit_denominator(DENOMINATOR)
        if abs(near - number) < 1e-9 * max(1.0, abs(number)):
            plain = str(near)
            yield ("^", plain, "1/2") if way == "root" else (way, plain) if way else plain
