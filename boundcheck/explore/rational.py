"""Conditions that are rational in one symbol, solved exactly, floors of it included.

The real roots of all factors of its polynomials are isolated: between two neighbours nothing
changes, and at each of them the factors tell what is zero. Floors stay between two jumps; beyond
the last jump that is looked at, the condition has to be the same whatever they leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

import sympy
from flint import arb, fmpq, fmpq_poly, fmpz_poly

from boundcheck import exact
from boundcheck.exact import precision
from boundcheck.explore.ranges import Range, clipped
from boundcheck.explore.steps import STEPS
from boundcheck.setting import INEQUALITIES, sides

MOST_DEGREE, MOST_BITS, MOST_JUMPS, MOST_ATOMS = 48, 20_000, 600, 3
ROOT_BITS = (192, 768, 3072)
NUDGE = fmpq(1, 2**64)  # of its size, a value beyond an end that is left out
Root = tuple[fmpq, fmpq]  # both the root itself, or around one that is irrational
Interval = tuple[fmpq | None, fmpq | None]
Sign = Callable[[fmpq_poly], int]
X, ONE = fmpq_poly([0, 1]), fmpq_poly([1])


class _Unread(Exception):
    """Not rational, or too large."""


@dataclass
class _Form:
    """A condition as signs of polynomials, without a value where a divisor is zero."""

    relation: sympy.Basic
    polys: dict[sympy.Basic, fmpq_poly] = field(default_factory=dict)
    divisors: list[fmpq_poly] = field(default_factory=list)

    def holds(self, sign: Sign) -> bool:
        return all(map(sign, self.divisors)) and self._met(self.relation, sign)

    def _met(self, relation: sympy.Basic, sign: Sign) -> bool:
        if isinstance(relation, (sympy.And, sympy.Or)):
            met = [self._met(part, sign) for part in relation.args]
            return all(met) if isinstance(relation, sympy.And) else any(met)
        found = sign(self.polys[relation])
        if isinstance(relation, sympy.Eq):
            return found == 0
        return found > 0 or (found == 0 and not isinstance(relation, (sympy.Lt, sympy.Gt)))


class _Reader:
    """Reads conditions on one symbol, all others having rational values.

    Args: constant: the exact value of an expression without the symbol, or None. fixed: what
    stands for floors.
    """

    def __init__(
        self, name: str, constant: Callable[[sympy.Basic], Any],
        fixed: Mapping[sympy.Basic, fmpq_poly] | None = None,
    ) -> None:  # fmt: skip
        self.name, self.constant, self.fixed = name, constant, fixed or {}
        self.divisors: list[fmpq_poly] = []

    def form(self, relation: sympy.Basic) -> _Form:
        form, waiting = _Form(relation), [relation]
        while waiting:
            part = waiting.pop()
            if isinstance(part, (sympy.And, sympy.Or)):
                waiting += part.args
                continue
            if not isinstance(part, (sympy.Eq, *INEQUALITIES)):
                raise _Unread
            small, large = part.args if isinstance(part, sympy.Eq) else sides(part)
            num, den = self._sum([self.ratio(large), self.ratio(sympy.S.NegativeOne, small)])
            form.polys[part] = num * den
            self.divisors.append(den)
        form.divisors = [poly for poly in self.divisors if poly.degree() > 0]
        return form

    def ratio(self, *factors: sympy.Basic) -> tuple[fmpq_poly, fmpq_poly]:
        """Numerator and denominator of a product."""
        num, den = ONE, ONE
        for expr in factors:
            top, bottom = self._one(expr)
            num, den = _reduced(num * top, den * bottom)
        return num, den

    def _one(self, expr: sympy.Basic) -> tuple[fmpq_poly, fmpq_poly]:
        if expr in self.fixed:
            return self.fixed[expr], ONE
        if getattr(expr, "name", None) == self.name:
            return X, ONE
        if self.name not in {symbol.name for symbol in expr.free_symbols}:
            value = self.constant(expr)
            if value is None or fmpq(value).height_bits() > MOST_BITS:
                raise _Unread
            return fmpq_poly([fmpq(value)]), ONE
        if expr.is_Add:
            return self._sum([self._one(arg) for arg in expr.args])
        if expr.is_Mul:
            return self.ratio(*expr.args)
        if expr.is_Pow and expr.exp.is_Integer and abs(expr.exp) <= MOST_DEGREE:
            num, den = self._one(expr.base)
            power = int(expr.exp)
            if power < 0:
                if not num:
                    raise _Unread
                self.divisors.append(num)
                num, den, power = den, num, -power
            if max(num.degree(), den.degree()) * power > MOST_DEGREE:
                raise _Unread
            return num**power, den**power
        raise _Unread

    def _sum(self, terms: list[tuple[fmpq_poly, fmpq_poly]]) -> tuple[fmpq_poly, fmpq_poly]:
        num, den = terms[0]
        for top, bottom in terms[1:]:
            num, den = _reduced(num * bottom + top * den, den * bottom)
        return num, den


def _reduced(num: fmpq_poly, den: fmpq_poly) -> tuple[fmpq_poly, fmpq_poly]:
    if den.degree() > 0:
        common = num.gcd(den)
        num, den = num // common, den // common
    if max(num.degree(), den.degree()) > MOST_DEGREE:
        raise _Unread
    return num, den


@dataclass
class _Line:
    """Where a condition holds on the line: at some points, and between and beside them."""

    points: list[Root]
    at: list[bool]
    between: list[bool]  # one more than there are points


def solved_exactly(
    relation: sympy.Basic, name: str, constant: Callable[[sympy.Basic], Any], allowed: Range
) -> tuple[Interval, ...] | None:
    """All values of a range that meet a condition, as disjoint intervals, increasing; None where it
    is not rational in the symbol. An end that the range sets is none.

    Args: constant: the exact value of an expression without the symbol, or None.

    >>> v = sympy.Symbol("v", real=True)
    >>> known = lambda expr: fmpq(int(expr.p), int(expr.q)) if expr.is_Rational else None
    >>> solved_exactly((v - 5) * (v - 6) * (v - 7) >= 0, "v", known, Range(low=fmpq(0)))
    ((5, 6), (7, None))
    >>> solved_exactly(sympy.floor(v) - v / 2 >= 1, "v", known, Range(low=fmpq(0)))
    ((2, 2), (3, None))
    """
    try:
        atoms = {part for part in relation.atoms(*STEPS)
                 if name in {symbol.name for symbol in part.free_symbols}}  # fmt: skip
        if not atoms:
            line = _line(_Reader(name, constant).form(relation))
        else:
            line = _stepped(relation, name, constant, allowed, sorted(atoms, key=str))
    except _Unread:
        return None
    if allowed.whole:
        return tuple(clipped(_whole(line), allowed))
    zero = all(held for (low, high), held in zip(line.points, line.at, strict=True)
               if low == high == 0)  # fmt: skip
    return tuple(clipped(_runs(line), allowed, zero=zero))


def _line(form: _Form, extra: Sequence[fmpq] = ()) -> _Line:
    """Args: extra: further points that are to be told apart."""
    factors = [factor for poly in (*form.polys.values(), *form.divisors) if poly
               for factor in _factors(poly)]  # fmt: skip
    factors += [fmpz_poly([-int(value.p), int(value.q)]) for value in extra]
    roots = _roots({tuple(map(int, factor)): factor for factor in factors}.values())
    samples = _samples([root for root, _ in roots])
    at = [form.holds(lambda poly, factor=factor, near=near: 0 if _divides(factor, poly)  # type: ignore[misc]
                     else _sign(poly(near)))
          for (_, factor), near in zip(roots, samples, strict=False)]  # fmt: skip
    between = [form.holds(lambda poly, x=x: _sign(poly(x))) for x in samples]  # type: ignore[misc]
    return _Line([root for root, _ in roots], at, between)


def _factors(poly: fmpq_poly) -> Iterable[fmpz_poly]:
    return (factor for factor, _ in poly.numer().factor()[1] if factor.degree() > 0)


def _divides(factor: fmpz_poly, poly: fmpq_poly) -> bool:
    return not poly or (poly.degree() >= factor.degree() and not poly % fmpq_poly(factor))


def _sign(value: fmpq) -> int:
    return (value > 0) - (value < 0)


def _roots(factors: Iterable[fmpz_poly]) -> list[tuple[Root, fmpz_poly]]:
    """All real roots, increasing, each with its factor."""
    factors = list(factors)
    for bits in ROOT_BITS:
        found: list[tuple[Root, fmpz_poly]] = []
        with precision(bits):
            for factor in factors:
                if factor.degree() == 1:
                    own = [(fmpq(-factor[0], factor[1]),) * 2]
                else:  # those that are real have no imaginary part at all
                    roots: Any = factor.complex_roots()
                    own = [_around(root.real) for root, _ in roots if root.imag == 0]
                found += [(root, factor) for root in own]
        found.sort(key=lambda item: item[0])
        if all(one[0][1] < two[0][0] for one, two in pairwise(found)):
            return found
    raise _Unread


def _around(root: arb) -> Root:
    """Rationals below and above a real root."""
    return exact.midpoint(root.lower()), exact.midpoint(root.upper())


def _samples(roots: Sequence[Root]) -> list[fmpq]:
    """A value below all roots, between each two and above all."""
    if not roots:
        return [fmpq(0)]
    between = [(one[1] + two[0]) / 2 for one, two in pairwise(roots)]
    return [roots[0][0] - 1, *between, roots[-1][1] + 1]


def _stepped(
    relation: sympy.Basic, name: str, constant: Callable[[sympy.Basic], Any], allowed: Range,
    atoms: Sequence[sympy.Basic],
) -> _Line:  # fmt: skip
    """A condition with floors and ceilings, from one of their jumps to the next."""
    inner = {}
    for atom in atoms:
        num, den = _Reader(name, constant).ratio(atom.args[0])
        if den.degree() > 0 or num.degree() != 1 or not isinstance(atom, STEPS):
            raise _Unread
        inner[atom] = num / den[0]

    def form(fixed: Mapping[sympy.Basic, fmpq_poly]) -> _Form:
        return _Reader(name, constant, fixed).form(relation)

    low, high = allowed.low, allowed.high
    below = above = False
    if low is None or high is None:
        if len(atoms) > MOST_ATOMS or not isinstance(relation, INEQUALITIES) or not all(
            _is_affine(side, atoms) for side in relation.args
        ):
            raise _Unread
        left_out = [(-1, 0) if isinstance(atom, sympy.floor) else (0, 1) for atom in atoms]
        lines = [_line(form({a: inner[a] + s for a, s in zip(atoms, shifts, strict=True)}))
                 for shifts in product(*left_out)]  # fmt: skip
        points = [point for line in lines for point in line.points] or [(fmpq(0), fmpq(0))]
        if low is None:
            low, below = min(point[0] for point in points), _agreed(lines, 0)
        if high is None:
            high, above = max(point[1] for point in points), _agreed(lines, -1)
    low, high = min(low, high) - 1, max(low, high) + 1
    jumps = sorted({low, high}.union(*(_jumps(poly, low, high) for poly in inner.values())))
    if len(jumps) > MOST_JUMPS:
        raise _Unread
    whole = _Line([], [], [below])
    for position, jump in enumerate(jumps):
        there = form({a: fmpq_poly([_step(a, inner[a](jump))]) for a in atoms})
        whole.points.append((jump, jump))
        whole.at.append(there.holds(lambda poly, x=jump: _sign(poly(x))))  # type: ignore[misc]
        if position + 1 < len(jumps):
            after = jumps[position + 1]
            steps = {a: fmpq_poly([_step(a, inner[a]((jump + after) / 2))]) for a in atoms}
            piece = _line(form(steps), [jump, after])
            one, two = piece.points.index((jump, jump)), piece.points.index((after, after))
            whole.points += piece.points[one + 1 : two]
            whole.at += piece.at[one + 1 : two]
            whole.between += piece.between[one + 1 : two + 1]
    return _Line(whole.points, whole.at, [*whole.between, above])


def _is_affine(expr: sympy.Basic, atoms: Sequence[sympy.Basic]) -> bool:
    """Whether floors enter an expression by sums and multiples only."""
    if expr in atoms or not expr.has(*atoms):
        return True
    if expr.is_Add:
        return all(_is_affine(arg, atoms) for arg in expr.args)
    own = [arg for arg in expr.args if arg.has(*atoms)]
    return bool(expr.is_Mul) and len(own) == 1 and _is_affine(own[0], atoms)


def _agreed(lines: Sequence[_Line], place: int) -> bool:
    """What all lines say of one end. Raises: _Unread where they differ."""
    found = {line.between[place] for line in lines}
    if len(found) != 1:
        raise _Unread
    return found.pop()


def _step(atom: sympy.Basic, value: fmpq) -> fmpq:
    return fmpq(value.floor() if isinstance(atom, sympy.floor) else value.ceil())


def _jumps(poly: fmpq_poly, low: fmpq, high: fmpq) -> set[fmpq]:
    """Where a linear function is an integer between two values."""
    ends = sorted((poly(low), poly(high)))
    first, last = int(ends[0].ceil()), int(ends[1].floor())
    if last - first > MOST_JUMPS:
        raise _Unread
    return {(k - poly[0]) / poly[1] for k in range(first, last + 1)}


def _spans(line: _Line) -> Iterable[tuple[int, int]]:
    """Maximal runs of what holds, by place: 2k + 1 for the k-th point, even ones beside them."""
    held = [flag for pair in zip(line.between, [*line.at, False], strict=True) for flag in pair]
    start = None
    for place, flag in enumerate(held):
        if flag and start is None:
            start = place
        if not flag and start is not None:
            yield start, place - 1
            start = None


def _runs(line: _Line) -> list[Interval]:
    """Where it holds as intervals whose ends will do, but for a zero that is left out."""
    found: list[Interval] = []
    points, last = line.points, 2 * len(line.points)
    for start, stop in _spans(line):
        if start == stop and start % 2:
            middle = (points[start // 2][0] + points[start // 2][1]) / 2
            found.append((middle, middle))
            continue
        low = None if start == 0 else _beside(points, (start - 1) // 2, 1, start % 2 == 1)
        high = None if stop == last else _beside(points, stop // 2, -1, stop % 2 == 1)
        found.append((low, high))
    return found


def _beside(points: Sequence[Root], place: int, side: int, held: bool) -> fmpq:
    """The value next to a point on one side of it, or the point itself where it is met."""
    one, two = points[place]
    if one != two:
        return two if side == 1 else one
    if held or one == 0:
        return one
    other = place + side
    room = abs(points[other][side == -1] - one) / 4 if 0 <= other < len(points) else abs(one)
    return one + side * min(NUDGE * abs(one), room)


def _whole(line: _Line) -> list[Interval]:
    """Where it holds as runs of integers."""
    found: list[Interval] = []
    points, last = line.points, 2 * len(line.points)
    for start, stop in _spans(line):
        low = None if start == 0 else _integer(points[(start - 1) // 2], 1, start % 2 == 1)
        high = None if stop == last else _integer(points[stop // 2], -1, stop % 2 == 1)
        if low is not None and high is not None and low > high:
            continue
        before = found[-1][1] if found else None
        if before is not None and low is not None and low <= before + 1:
            found[-1] = found[-1][0], high
        else:
            found.append((low, high))
    return found


def _integer(point: Root, side: int, held: bool) -> fmpq:
    """The first integer at a point, where it is met, or beyond it."""
    one, two = point
    if one != two:  # irrational
        if one.floor() != two.floor():
            raise _Unread
        return fmpq(two.ceil() if side == 1 else one.floor())
    near = fmpq(one.ceil() if side == 1 else one.floor())
    return near if held or near != one else near + side
