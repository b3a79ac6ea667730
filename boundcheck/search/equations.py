"""Worlds moved onto the equations among the hypotheses of a claim.

A random world meets an equation by chance only where it is degenerate: a law has third moment zero
when it is symmetric. So a world off the equations is moved onto them: by the entries of one field
in which all of them are affine, for which they are solved exactly; else, where there is one
equation between polynomials, from a degenerate world that meets it. There a line cuts a quadric,
and a tangent a cubic, in one more point, which is rational. Each field in turn is moved so, by
directions that the random world gives.
"""

from __future__ import annotations

import itertools
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import sympy
from flint import fmpq, fmpq_mat, fmpq_poly

from boundcheck.claim import Claim
from boundcheck.errors import Broken, Undecided, Undefined
from boundcheck.exact import MATRICES, PRECISIONS, add, is_exact, precision
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply
from boundcheck.search.rational import is_short, polynomial_through, rational_roots, solutions
from boundcheck.setting import Setting, fits, flatten
from boundcheck.worlds.fields import Gram, Matrix, Probabilities, Real, Symmetric, Vector, Weights

MOVABLE = (Real, Vector, Weights, Probabilities, Matrix, Symmetric, Gram)
SYMMETRIC = (Symmetric, Gram)
HOPELESS = 40  # worlds of one size in a row that could not be moved, after which none is
ENTRIES = 12  # of one field that are moved
DEGREE = 6  # of a polynomial along a line, at most
SCALES = (1, 2, 4)  # of values without ends: what they are to meet may be out of their reach
WAYS = 3  # points on one field, from which the others are moved
CLEARED = 60  # operations of an equation whose denominators are cleared
HEIGHT = 16  # denominators of the directions from degenerate worlds
OPPOSITE = {(sympy.Le, sympy.Ge), (sympy.Ge, sympy.Le)}

Entries = tuple[fmpq, ...]


class Equations:
    """The equations among the hypotheses of a claim that numbers of its worlds are subject to.

    Args: claim: whose hypotheses these are.

    `missed` counts the worlds that were off them.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.missed = 0
        self._failures: Counter[tuple[int, ...]] = Counter()
        asked = [part for condition in claim.given for part in flatten(condition)]
        found = {part: list(self._numbers(part)) for part in (*asked, *_squeezed(asked))
                 if isinstance(part, sympy.Eq)}  # fmt: skip
        self.relations = [part for part, names in found.items() if names]
        self.names = list(dict.fromkeys(n for part in self.relations for n in found[part]))
        self.sides = [_cleared(self._without_roots(part)) for part in self.relations]

    def __str__(self) -> str:
        return " and ".join(map(str, self.relations))

    def _without_roots(self, relation: sympy.Eq) -> tuple[sympy.Expr, ...]:
        """Both sides, squared where one of them is a root or a norm."""
        squares = [self._squared(side) for side in relation.args]
        if squares == [None, None]:
            left, right = relation.args
            return left, right
        both = zip(relation.args, squares, strict=True)
        return tuple(side**2 if square is None else square for side, square in both)

    def _squared(self, side: sympy.Expr) -> sympy.Expr | None:
        """The square of a root or norm without it; None for anything else."""
        from boundcheck.expressions import inner, trace

        quantity = self.claim.measured.get(side.name) if isinstance(side, sympy.Symbol) else None
        whole = quantity.whole if isinstance(quantity, Definition) else side
        if isinstance(whole, sympy.Pow) and whole.exp == sympy.S.Half:
            return whole.base
        standard = whole.primitive.standard if isinstance(whole, Apply) else ""
        if standard == "norm":
            return inner(whole.operands[0], whole.operands[0])
        if standard == "frobenius_norm":
            return trace(whole.operands[0].T * whole.operands[0])
        return None

    def missed_by(self, setting: Setting) -> bool:
        """Whether a world is off the equations, as far as exact numbers tell."""
        residual = self._residual(setting) if self.relations else None
        return residual is not None and any(residual)

    def _numbers(self, condition: sympy.Basic) -> Iterator[str]:
        """Names of the movable numbers that a condition is about, directly or by definitions."""
        names, queue = set(), sorted(symbol.name for symbol in condition.free_symbols)
        while queue:
            name = queue.pop(0)
            if name in names:
                continue
            names.add(name)
            if isinstance(self.claim.fields.get(name), MOVABLE):
                yield name
            quantity = self.claim.measured.get(name)
            queue += self.claim.arguments(quantity) if quantity is not None else ()

    def solved(self, setting: Setting) -> Setting | None:
        """The setting moved onto the equations in generic numbers, or None."""
        self.missed += 1
        lengths = tuple(self._length(setting, name) for name in self.names)
        if self._failures[lengths] >= HOPELESS:
            return None
        found = next(self._moved(setting), None)
        self._failures[lengths] = 0 if found is not None else self._failures[lengths] + 1
        return found

    def _moved(self, setting: Setting) -> Iterator[Setting]:
        order = self._order(setting)
        for scale in SCALES:
            larger = setting if scale == 1 else self._scaled(setting, scale)
            if larger is None:
                break
            for name in order:
                yield from self._affine(larger, name, range(self._length(setting, name)))
        if len(self.relations) > 1:
            return
        for name in order:
            if not self._is_law(name):
                yield from self._stretched(setting, name)
            if self._length(setting, name) > 1 and not self._is_law(name):
                for place in range(min(self._length(setting, name), ENTRIES)):
                    yield from self._affine(setting, name, [place])
        for anchor, names in itertools.product(self._anchors(setting), (order, order[::-1])):
            yield from self._from_anchor(anchor, setting, names)

    def _order(self, setting: Setting) -> list[str]:
        """Names of the fields, another first for each world."""
        if not self.names:
            return []
        first = zlib.crc32(str([setting(name) for name in self.names]).encode()) % len(self.names)
        return self.names[first:] + self.names[:first]

    def _is_law(self, name: str) -> bool:
        return isinstance(self.claim.fields[name], Weights)

    def _length(self, setting: Setting, name: str) -> int:
        return len(entries_of(setting(name), self.claim.fields[name]))

    def _residual(self, setting: Setting) -> Entries | None:
        """Left less right of every equation, entry by entry; None where they are not exact."""
        found: list[fmpq] = []
        try:
            with precision(PRECISIONS[0]):
                for sides in self.sides:
                    left, right = (setting.evaluate(side) for side in sides)
                    gap = add(left, right * -1)
                    many: list[Any] = list(gap.entries()) if isinstance(gap, MATRICES) else [gap]
                    if not all(is_exact(entry) and is_short(entry) for entry in many):
                        return None
                    found += [fmpq(entry) for entry in many]
        except (Undefined, Undecided, ArithmeticError, TypeError, ValueError):
            return None
        except Broken:
            if setting.outside():  # beyond the domains a definition owes no value
                return None
            raise
        return tuple(found)

    def _at(self, setting: Setting, name: str, entries: Sequence[fmpq]) -> Setting:
        value = with_entries(setting(name), entries, self.claim.fields[name])
        return setting.replaced(**{name: value})

    def _met(self, setting: Setting, name: str) -> bool:
        """Whether a moved value is one of its field and the equations hold."""
        if not fits(self.claim.fields[name], name, setting.values):
            return False
        residual = self._residual(setting)
        return residual is not None and not any(residual)

    def _affine(self, setting: Setting, name: str, places: Sequence[int]) -> Iterator[Setting]:
        """The equations solved for some entries of one field, where they are affine in these."""
        start = entries_of(setting(name), self.claim.fields[name])
        if not 0 < len(places) <= ENTRIES:
            return

        def moved(steps: Sequence[fmpq]) -> Setting:
            entries = list(start)
            for place, step in zip(places, steps, strict=True):
                entries[place] += step
            return self._at(setting, name, entries)

        base = self._residual(setting)
        if base is None:
            return
        count, columns = len(places), []
        for one in range(count):
            found = self._residual(moved([fmpq(int(i == one)) for i in range(count)]))
            if found is None or len(found) != len(base):
                return
            columns.append([a - b for a, b in zip(found, base, strict=True)])
        rows = [list(row) for row in zip(*columns, strict=True)]
        mixed = [fmpq(i + 2, i + 3) * (-1) ** i for i in range(count)]
        if self._residual(moved(mixed)) != tuple(
            r + sum((a * b for a, b in zip(row, mixed, strict=True)), fmpq(0))
            for r, row in zip(base, rows, strict=True)
        ):  # fmt: skip
            return
        asked = [-value for value in base]
        if self._is_law(name):
            rows, asked = [*rows, [fmpq(1)] * count], [*asked, fmpq(0)]
        for steps in solutions(rows, asked):
            found_world = moved(steps)
            if self._met(found_world, name):
                yield found_world

    def _scaled(self, setting: Setting, scale: int) -> Setting | None:
        """The setting with values that have no ends so many times as large; None without any."""
        free = [name for name in self.names if self._is_endless(self.claim.fields[name])]
        changed = {name: with_entries(setting(name), [
            scale * entry for entry in entries_of(setting(name), self.claim.fields[name])
        ], self.claim.fields[name]) for name in free}  # fmt: skip
        return setting.replaced(**changed) if changed else None

    @staticmethod
    def _is_endless(field: Any) -> bool:
        return isinstance(field, (Vector, Matrix, Symmetric)) and field.low is field.high is None

    def _stretched(self, setting: Setting, name: str) -> Iterator[Setting]:
        """One field times a number; what is zero then meets equations in no generic way."""
        field = self.claim.fields[name]
        start = entries_of(setting(name), field)
        ray = self._along(setting, name, start, start) if any(start) else None
        if ray is not None:
            found = self._roots(setting, name, start, start, ray)
            yield from (each for each in found if any(entries_of(each(name), field)))

    def _anchors(self, setting: Setting) -> Iterator[Setting]:
        """Degenerate worlds of the same sizes that meet the equation."""
        for shape in (_mirrored, _single, _equal, _nothing):
            changed = {}
            for name in self.names:
                field = self.claim.fields[name]
                start = _rounded(entries_of(setting(name), field), field)
                changed[name] = with_entries(setting(name), shape(start, field), field)
            anchor = setting.replaced(**changed)
            if all(self._met(anchor, name) for name in self.names):
                yield anchor

    def _from_anchor(self, anchor: Setting, goal: Setting, order: list[str]) -> Iterator[Setting]:
        """A world in which each field has been moved from a degenerate one."""
        if not order:
            yield anchor
            return
        name, *rest = order
        field = self.claim.fields[name]
        start = entries_of(anchor(name), field)
        end = _rounded(entries_of(goal(name), field), field)
        for further in itertools.islice(self._cut(anchor, name, start, end), WAYS):
            yield from self._from_anchor(further, goal, rest)

    def _cut(
        self, anchor: Setting, name: str, start: Entries, end: Entries
    ) -> Iterator[Setting]:  # fmt: skip
        """Further points of the equation on lines and tangents through a point on it."""
        count = len(start)
        turned = [end[place:] + end[:place] for place in range(min(count, ENTRIES))]
        ways = [tuple(b - a for a, b in zip(start, goal, strict=True)) for goal in turned]
        ways = [way for way in ways if any(way)]
        lines = [(way, self._along(anchor, name, start, way)) for way in ways]
        known = [(way, line) for way, line in lines if line is not None]
        for way, line in known:
            yield from self._roots(anchor, name, start, way, line)
        for (one, first), (two, second) in itertools.combinations(known, 2):
            slope, other = first[1], second[1]
            if not slope or not other:
                continue
            tangent = tuple(other * a - slope * b for a, b in zip(one, two, strict=True))
            touching = self._along(anchor, name, start, tangent) if any(tangent) else None
            if touching is not None:
                yield from self._roots(anchor, name, start, tangent, touching)

    def _along(self, anchor: Setting, name: str, start: Entries, way: Entries) -> fmpq_poly | None:
        """The residual along a line as a polynomial, or None where it is none of low degree."""
        values: list[fmpq] = []
        for step in range(DEGREE + 2):
            point = [a + step * b for a, b in zip(start, way, strict=True)]
            residual = self._residual(self._at(anchor, name, point))
            if residual is None or len(residual) != 1:
                return None
            values.append(residual[0])
            found = polynomial_through(values)
            if found is not None:
                return found
        return None

    def _roots(
        self, anchor: Setting, name: str, start: Entries, way: Entries, line: fmpq_poly
    ) -> Iterator[Setting]:
        for root in rational_roots(line):
            if root and is_short(root):
                moved = [a + root * b for a, b in zip(start, way, strict=True)]
                setting = self._at(anchor, name, moved)
                if self._met(setting, name):
                    yield setting


def _cleared(sides: tuple[sympy.Expr, ...]) -> tuple[sympy.Expr, ...]:
    """The sides of an equation without denominators that vary: 1/p + 1/q = 1 is affine in q then.

    >>> p, q = sympy.symbols("p q", positive=True)
    >>> _cleared((1 / p + 1 / q, sympy.S.One))
    (-p*q + p + q, 0)
    """
    divided = any(power.exp.is_Integer and power.exp < 0 and power.base.free_symbols
                  for side in sides for power in side.atoms(sympy.Pow))  # fmt: skip
    plain = all(symbol.is_commutative for side in sides for symbol in side.free_symbols)
    if not divided or not plain or sum(side.count_ops() for side in sides) > CLEARED:
        return sides
    return sympy.fraction(sympy.together(sides[0] - sides[1]))[0].expand(), sympy.S.Zero


def _squeezed(conditions: Sequence[sympy.Basic]) -> Iterator[sympy.Eq]:
    """Equations that two opposite inequalities make together."""
    for one, two in itertools.combinations(conditions, 2):
        if (type(one), type(two)) in OPPOSITE and one.args == two.args:
            yield sympy.Eq(*one.args, evaluate=False)


def entries_of(value: Any, field: Any) -> Entries:
    """The numbers of a value that may move: of a symmetric matrix those on and above its diagonal.

    >>> from boundcheck.worlds import Real
    >>> entries_of(fmpq(1, 2), Real(0, 1))
    (1/2,)
    """
    if isinstance(field, SYMMETRIC):
        size = value.nrows()
        return tuple(value[i, j] for i in range(size) for j in range(i, size))
    if isinstance(field, Matrix):
        return tuple(value.entries())
    return tuple(map(fmpq, value)) if isinstance(value, tuple) else (fmpq(value),)


def with_entries(value: Any, entries: Sequence[fmpq], field: Any) -> Any:
    """A value of the same shape with other numbers, the inverse of `entries_of`."""
    if isinstance(field, SYMMETRIC):
        size, given = value.nrows(), iter(entries)
        upper = {(i, j): next(given) for i in range(size) for j in range(i, size)}
        return fmpq_mat(size, size, [upper[min(i, j), max(i, j)]
                                     for i in range(size) for j in range(size)])  # fmt: skip
    if isinstance(field, Matrix):
        return fmpq_mat(value.nrows(), value.ncols(), list(entries))
    return tuple(entries) if isinstance(value, tuple) else entries[0]


def _rounded(entries: Entries, field: Any) -> Entries:
    """Entries as fractions with a small denominator, those of a law still a law."""
    plain = [fmpq(round(HEIGHT * float(e.p) / float(e.q)), HEIGHT) for e in entries]
    total = sum(plain, fmpq(0))
    if isinstance(field, Weights):
        return tuple(entry / total for entry in plain) if total else entries
    return tuple(plain)


def _mirrored(entries: Entries, field: Any) -> Entries:
    """Symmetric about zero: a law the same from either end, values but for their sign."""
    if len(entries) == 1 and not isinstance(field, Weights):
        return entries
    sign = 1 if isinstance(field, (Weights, Probabilities)) else -1
    return tuple((a + sign * b) / 2 for a, b in zip(entries, entries[::-1], strict=True))


def _single(entries: Entries, field: Any) -> Entries:
    """One at the first place, zero elsewhere; a law as it is."""
    if isinstance(field, (Weights, Real)):
        return entries
    return tuple(fmpq(int(place == 0)) for place in range(len(entries)))


def _equal(entries: Entries, field: Any) -> Entries:
    """All entries equal; a law as it is."""
    return entries if isinstance(field, Weights) else entries[:1] * len(entries)


def _nothing(entries: Entries, field: Any) -> Entries:
    """All entries zero; a law as it is."""
    return entries if isinstance(field, Weights) else (fmpq(0),) * len(entries)
