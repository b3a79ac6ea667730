"""Means of powers of the length of a sum of independent vectors, between multiples of its spread.

For S a sum of independent vectors of mean zero, q = E |S|^2 and E |S|^4 <= M q^2, Jensen and
Hoelder give E |S|^p between c q^(p/2) and C q^(p/2): c = 1 for p >= 2, else M^(-(2 - p) / 2), and
C = 1 for p <= 2. Of fair signs M = 3, and C = ((2 m - 1)!!)^(p / (2 m)) for the least m with
2 m >= p: the mean of |S|^(2 m) does not fall as signs give way to normal variables one by one, and
that of normal variables follows from Minkowski's inequality for their squares. Of draws from atoms
that weigh w or more M = 3 + 1 / w, and C = M^(p / 4) for p <= 4.

The largest of m such lengths has a mean of at least that of each, and at most that of their sum.
The largest of m numbers S_k of mean zero has that of the largest S_k - S_1, which is not below
zero: at least E |S_k - S_1| / 2 for each k, and at most the sum of all E |S_k - S_1|.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, TypeVar

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import midpoint, to_ball
from boundcheck.checker.writing import Key, Places, Row, Unwritten
from boundcheck.expressions import trace
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Greatest, Total, rank_of
from boundcheck.worlds.fields import Gram

if TYPE_CHECKING:
    from boundcheck.checker.writing import Writing

MOST_POWER = 12
T = TypeVar("T")
FOURTH = fmpq(3)  # M of fair signs
Sized = tuple[sympy.Expr, sympy.Rational]  # E |S|^2 of a sum S, and the power of |S| that is meant


def between(power: sympy.Rational, fourth: fmpq = FOURTH) -> arb:
    """Where E |S|^p / q^(p/2) lies."""
    p = fmpq(int(power.p), int(power.q))
    if p == 2:
        return arb(1)
    if p < 2:
        return _raised(fourth, (p - 2) / 2).union(arb(1))
    if fourth != FOURTH:
        return arb(1).union(_raised(fourth, p / 4))
    half = -(-p.p // (2 * p.q))  # m
    return arb(1).union(_raised(fmpq(prod(range(1, 2 * int(half), 2))), p / (2 * half)))


def _raised(base: fmpq, power: fmpq) -> arb:
    return (to_ball(base).log() * to_ball(power)).exp()


def apart(expr: sympy.Expr, drawn: sympy.Symbol) -> tuple[sympy.Expr, list[sympy.Expr]]:
    """The product of the factors without what is drawn, and the factors with it."""
    factors = sympy.Mul.make_args(expr)
    inside = [each for each in factors if drawn in each.free_symbols]
    return sympy.Mul(*(each for each in factors if each not in inside)), inside


class OfSigns:
    """Lengths of sums of fair signs times vectors, in a world that is written out."""

    def __init__(self, writing: Writing, signs: sympy.Symbol) -> None:
        self.writing, self.signs = writing, signs
        self.length = signs.meaning.draw.length

    def mean(self, expr: sympy.Expr, at: Places) -> sympy.Expr:
        """Raises: Unwritten where no rule gives it."""
        if isinstance(expr, Named):
            return self.mean(expr.body, at)
        if isinstance(expr, Greatest):
            return self._greatest(expr, at)
        square, power = self.sized(expr, at)
        return self._part(expr, at, between(power)) * square ** (power / 2)

    def _same(self, expr: sympy.Basic, values: list[T]) -> T:
        """What all have. Raises: Unwritten where they differ."""
        if len(set(values)) != 1:
            raise self.writing.unwritten(expr)
        return values[0]

    def _part(self, expr: sympy.Expr, at: Places, ball: arb) -> sympy.Expr:
        if ball.is_exact() and ball == 1:
            return sympy.Integer(1)
        return self.writing.part_of((expr, tuple(at.items())), ball, midpoint(ball))

    def _greatest(self, expr: Greatest, at: Places) -> sympy.Expr:
        places = [here for _, here in self.writing.counted(expr.indices, at)]
        try:
            rows = [self.coefficients(expr.body, each) for each in places]
        except Unwritten:
            found = [self.sized(expr.body, each) for each in places]
            power = self._same(expr, [power for _, power in found])
            ball = between(power)
            ball = ball.union(len(found) * ball)
            largest = sympy.Max(*(square for square, _ in found))
            return self._part(expr, at, ball) * largest ** (power / 2)
        if len(rows) == 1:
            return sympy.Integer(0)
        gaps = sympy.Add(*(self.square([a - b for a, b in zip(row, rows[0], strict=True)])
                           for row in rows[1:]))  # fmt: skip
        root = arb(len(rows) - 1).sqrt()
        ball = (between(sympy.Integer(1)).lower() / (2 * root)).union(root)
        return self._part(expr, at, ball) * sympy.sqrt(gaps)

    def sized(self, expr: sympy.Expr, at: Places) -> Sized:
        """Of what is a power of the length of a sum. Raises: Unwritten for anything else."""
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and expr.exp.is_positive:
            outside, inside = apart(expr.base, self.signs)
            if expr.exp.is_Integer and expr.exp % 2 == 0:
                square, power = self._of_any(expr.base, at)
            elif len(inside) == 1:
                square, power = self.sized(inside[0], at)
                if outside != 1 and power != 2:
                    raise self.writing.unwritten(expr)
                square *= self.writing.number(outside, at)
            else:
                raise self.writing.unwritten(expr)
            power *= expr.exp
        elif isinstance(expr, sympy.Abs):
            square, power = self._of_any(expr.args[0], at)
        elif isinstance(expr, Apply) and expr.primitive.standard in ("norm", "inner", "form"):
            square, power = self._of_primitive(expr, at)
        else:
            raise self.writing.unwritten(expr)
        if power > MOST_POWER:
            raise self.writing.unwritten(expr)
        return square, power

    def _of_any(self, expr: sympy.Expr, at: Places) -> Sized:
        """Of what stands in bars, or under an even power."""
        outside, inside = apart(expr, self.signs)
        factor = self.writing.number(outside, at)
        if len(inside) == 1:
            try:
                square, power = self.sized(inside[0], at)
                return square * sympy.Abs(factor) ** (2 / power), power
            except Unwritten:
                pass
        return self.square(self.coefficients(expr, at)), sympy.Integer(1)

    def _of_primitive(self, node: Apply, at: Places) -> Sized:
        name, operands = node.primitive.standard, node.operands
        if name == "form":
            return self._trace(node, at), sympy.Integer(2)
        if name == "inner" and operands[0] != operands[1]:
            raise self.writing.unwritten(node)
        key, grid = self._lines(operands[0], at)
        times = self.writing.parts.times(key)
        found = sympy.Add(*(m * self.square(line) for m, line in zip(times, grid, strict=True)))
        return found, sympy.Integer(1 if name == "norm" else 2)

    def _trace(self, node: Apply, at: Places) -> sympy.Expr:
        """Of a kernel matrix that stands between the signs."""
        matrix, vector = node.operands
        field = self.writing.fields.get(getattr(matrix, "name", ""))
        if vector != self.signs or type(field) is not Gram or field.size != self.length:
            raise self.writing.unwritten(matrix)
        return self.writing.number(trace(matrix), at)

    # Sums of signs: each sign of copied parts stands by itself, with the factor of its part.

    def square(self, row: list[sympy.Expr]) -> sympy.Expr:
        """E S^2 of a number with these factors beside the signs."""
        times = self.writing.parts.times(self.length)
        return sympy.Add(*(m * a**2 for m, a in zip(times, row, strict=True)))

    def coefficients(self, expr: sympy.Expr, at: Places) -> list[sympy.Expr]:
        """What stands beside the sign of each part in a number that is a sum of signs.

        Raises: Unwritten for what is none.
        """
        if isinstance(expr, Named):
            return self.coefficients(expr.body, at)
        if isinstance(expr, sympy.Add):
            rows = [self.coefficients(arg, at) for arg in expr.args]
            return [sympy.Add(*each) for each in zip(*rows, strict=True)]
        outside, inside = apart(expr, self.signs)
        if len(inside) != 1:
            raise self.writing.unwritten(expr)
        factor = self.writing.number(outside, at)
        if outside != 1:
            return [factor * each for each in self.coefficients(inside[0], at)]
        (node,) = inside
        if isinstance(node, Total):
            return self._of_sum(node, at)
        if isinstance(node, Apply) and node.primitive.standard == "inner":
            others = [each for each in node.operands if each != self.signs]
            if len(others) == 1 and self.signs not in others[0].free_symbols:
                return self._beside(self.writing.vector(others[0], at))
        raise self.writing.unwritten(expr)

    def _beside(self, row: Row) -> list[sympy.Expr]:
        key, entries = row
        if key != self.length:
            raise self.writing.unwritten(self.signs)
        return entries

    def _of_sum(self, node: Total, at: Places) -> list[sympy.Expr]:
        index = self._own(node)
        others = [each for each in node.indices if each != index]
        if index is None:
            found = [sympy.Integer(0)] * self.writing.parts.count(self.length)
            for times, here in self.writing.counted(node.indices, at):
                row = self.coefficients(node.body, here)
                found = [a + times * b for a, b in zip(found, row, strict=True)]
            return found
        beside, inside = apart(node.body, self.signs)
        if inside != [self.signs[index]] or self.signs in beside.free_symbols:
            raise self.writing.unwritten(node)
        weights = Total(beside, *others) if others else beside
        return [self.writing.number(weights, {**at, index: part})
                for part in range(self.writing.parts.count(self.length))]  # fmt: skip

    def _own(self, node: Total) -> sympy.Symbol | None:
        """The index at which the signs are added."""
        own = [index for index in node.indices if self.signs[index] in node.body.atoms(Apply)]
        if len(own) > 1 or {self.writing.key(each.meaning.size) for each in own} - {self.length}:
            raise self.writing.unwritten(node)
        return own[0] if own else None

    def _lines(self, vector: sympy.Basic, at: Places) -> tuple[Key, list[list[sympy.Expr]]]:
        """The coefficients of each entry of a vector that is a sum of signs times vectors."""
        if isinstance(vector, Named):
            return self._lines(vector.body, at)
        if isinstance(vector, sympy.Mul):
            *factors, last = [arg for arg in vector.args if rank_of(arg) != 0]
            scalar = sympy.Mul(*(arg for arg in vector.args if rank_of(arg) == 0))
            if last == self.signs and factors and self.signs not in sympy.Mul(
                scalar, *factors).free_symbols:  # fmt: skip
                rows, cols, grid = self.writing.matrix(sympy.Mul(*factors), at)
                factor = self.writing.number(scalar, at)
                return rows, [self._beside((cols, [factor * each for each in line]))
                              for line in grid]  # fmt: skip
        if isinstance(vector, Total) and len(vector.indices) == 1:
            return self._sum_of_rows(vector, at)
        raise self.writing.unwritten(vector)

    def _sum_of_rows(self, node: Total, at: Places) -> tuple[Key, list[list[sympy.Expr]]]:
        index = self._own(node)
        beside, inside = apart(node.body, self.signs)
        if index is None or inside != [self.signs[index]] or rank_of(beside) != 1:
            raise self.writing.unwritten(node)
        found = [self.writing.vector(beside, {**at, index: part})
                 for part in range(self.writing.parts.count(self.length))]  # fmt: skip
        key = self._same(node, [key for key, _ in found])
        return key, [list(each) for each in zip(*(row for _, row in found), strict=True)]
