"""Whether a statement up to a constant fails without end as vectors move to ever later places.

Zeros are set in front of the vectors of one size, matrices go on as they began, block by block: by
every step a value is multiplied by one factor, or no rule says so. Where the factor of left is
above that of right, no constant serves all N. The factors are not taken on trust: hypotheses,
domains and both sides are computed two and three blocks long, and must agree with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import sympy
from flint import fmpq

from boundcheck.arithmetic import PRECISIONS, Value, precision, sign
from boundcheck.checker.judge import Place, is_admissible
from boundcheck.checker.laws import BLOCKS, Laws, NoLaw, governed
from boundcheck.checker.repetition import (
    CHECKED,
    agrees,
    may_be_zero,
    members,
    repeated,
    sides,
)
from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Total
from boundcheck.worlds.families import Family
from boundcheck.worlds.fields import Choice, Gram, Integer, Matrix, Real, Symmetric, Vector

SHIFT = "zeros in front"
KEPT = {"squared_norm_of_values": (2, 1), "norm": (1,), "inner": (1, 1), "form": (2, 1)}


class Factors(NamedTuple):
    """By which both sides of one comparison are multiplied with every block of zeros."""

    left: Fraction
    right: Fraction


def said(factors: Factors, size: str) -> dict[str, str]:
    """The law in words."""
    return {"growth": f"{size} by zeros in front of its vectors, block by block",
            "left": f"is multiplied by {factors.left}",
            "right": f"is multiplied by {factors.right}"}  # fmt: skip


class _Steps:
    """Factors of the expressions of a claim as one more block of zeros is set in front."""

    def __init__(self, claim: Claim, size: str, block: int) -> None:
        self.claim, self.size, self.block = claim, size, block
        self.laws = Laws(claim, size, BLOCKS)

    def of(self, expr: sympy.Basic) -> Fraction:
        """Raises: NoLaw where no rule gives it."""
        if not self._touched(expr):
            return Fraction(1)
        if isinstance(expr, Named):
            return self.of(expr.body)
        if isinstance(expr, sympy.Symbol):
            quantity = self.claim.measured.get(expr.name)
            if not isinstance(quantity, Definition):
                raise NoLaw(str(expr))
            return self.of(quantity.whole)
        if isinstance(expr, Apply):
            return self._primitive(expr)
        if isinstance(expr, Total):
            return self._total(expr)
        if isinstance(expr, sympy.Abs):
            return self.of(expr.args[0])
        if isinstance(expr, sympy.Mul):
            found = Fraction(1)
            for arg in expr.args:
                found *= self.of(arg)
            return found
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational:
            base = self.of(expr.base)
            if base != 1 and not expr.exp.is_Integer:
                raise NoLaw(str(expr))
            return base ** int(expr.exp) if base != 1 else base
        if isinstance(expr, sympy.Add) and len({self.of(arg) for arg in expr.args}) == 1:
            return self.of(expr.args[0])
        raise NoLaw(str(expr))

    def _touched(self, expr: sympy.Basic) -> bool:
        names = {symbol.name for symbol in expr.free_symbols}
        fields = {name for name, field in self.claim.fields.items() if governed(field, self.size)}
        measured = names & set(self.claim.measured)
        return bool(names & (fields | {self.size}) or measured)

    def _primitive(self, node: Apply) -> Fraction:
        """A norm or form of vectors of the world: zeros before them change nothing."""
        ranks = KEPT.get(node.primitive.standard)
        if ranks is None or len(ranks) != len(node.operands) or not all(
            self._is_field(operand, rank)
            for operand, rank in zip(node.operands, ranks, strict=True)
        ):
            raise NoLaw(str(node))
        return Fraction(1)

    def _is_field(self, operand: sympy.Basic, rank: int) -> bool:
        field = self.claim.fields.get(getattr(operand, "name", ""))
        kinds = (Vector,) if rank == 1 else (Gram, Matrix, Symmetric)
        return field is not None and type(field) in kinds and governed(field, self.size)

    def _total(self, expr: Total) -> Fraction:
        """Over one index: places of zeros add nothing, the others are later by a block."""
        (index, *more) = expr.indices
        if more or not self.laws.over_size(index) or not self._vanishes(expr.body, index):
            raise NoLaw(str(expr))
        found = Fraction(1)
        for factor in sympy.Mul.make_args(expr.body):
            found *= self._later(factor, index)
        return found

    def _vanishes(self, body: sympy.Expr, index: sympy.Symbol) -> bool:
        return any(self._at(factor, index) for factor in sympy.Mul.make_args(body))

    def _at(self, factor: sympy.Expr, index: sympy.Symbol) -> bool:
        """Whether a factor is an entry of a vector at the index, its size, or a power of that."""
        if isinstance(factor, sympy.Abs):
            return self._at(factor.args[0], index)
        if isinstance(factor, sympy.Pow):
            return bool(factor.exp.is_positive) and not factor.exp.free_symbols and self._at(
                factor.base, index)  # fmt: skip
        return (isinstance(factor, Apply) and factor.primitive.standard == "entry"
                and factor.operands[1:] == (index,) and self._is_field(factor.operands[0], 1))

    def _later(self, factor: sympy.Expr, index: sympy.Symbol) -> Fraction:
        """By which a factor is multiplied at a place that is later by a block."""
        if self._at(factor, index) or not self._reads(factor, index):
            return Fraction(1)
        steep = isinstance(factor, sympy.Pow) and factor.base.is_Rational and factor.base > 0
        if not steep or self._touched(factor.exp):
            raise NoLaw(str(factor))
        step = sympy.expand(factor.exp.xreplace({index: index + self.block}) - factor.exp)
        if not step.is_Integer:
            raise NoLaw(str(factor))
        return Fraction(int(factor.base.p), int(factor.base.q)) ** int(step)

    def _reads(self, factor: sympy.Expr, index: sympy.Symbol) -> bool:
        return index in factor.free_symbols or self._touched(factor)


def factors(claim: Claim, size: str, block: int) -> tuple[Factors, sympy.Rel] | None:
    """The first comparison whose left side has the larger factor; None where none is known to."""
    form = claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.inner, Holds):
        return None
    if claim.draw is not None or claim.undefined or claim.given or not _shifts(claim, form, size):
        return None
    for part in members(form.relation):
        steps = _Steps(claim, size, block)
        try:
            small, large = sides(part)
            found = Factors(steps.of(small), steps.of(large))
        except NoLaw:
            continue
        if found.left > found.right:
            return found, part
    return None


def _shifts(claim: Claim, form: UpToConstant, size: str) -> bool:
    """Whether every field keeps its promise, and what the constant may depend on goes on as it
    began."""
    grown = claim.fields.get(size)
    if not isinstance(grown, Integer) or grown.high is not None or size in form.depends:
        return False
    for name, field in claim.fields.items():
        if not governed(field, size):
            if type(field) not in (Integer, Real, Choice) or getattr(field, "low", None) == size:
                return False
            continue
        vector = type(field) is Vector
        sides_of = {getattr(field, each, size) for each in ("size", "rows", "cols")}
        if type(field) not in (Vector, Gram, Matrix, Symmetric) or sides_of != {size} or (
            not may_be_zero(field) or (vector and name in form.depends)
        ):
            return False
    return set(form.depends) <= set(claim.fields)


def shifted(claim: Claim, values: Mapping[str, Value], size: str, times: int) -> dict[str, Value]:
    """The world some blocks long, with its vectors in the last one."""
    made = repeated(claim, values, size, BLOCKS, times)
    for name, field in claim.fields.items():
        if type(field) is Vector and governed(field, size):
            made[name] = ((fmpq(0),) * (len(values[name]) * (times - 1)) + tuple(values[name]))
    return made


def fails_as_shifted(
    claim: Claim, values: Mapping[str, Value], size: str, family: Family | None = None
) -> Factors | None:
    """The factors if they are certain at this world and seen again where it is shifted.

    Args: family: that shows these worlds, where the constant may depend on something.
    """
    found = factors(claim, size, int(values[size]))
    if found is None or not is_admissible(claim, values):
        return None
    worlds = {n: shifted(claim, values, size, n) for n in CHECKED}
    if getattr(claim.statement, "depends", ()) and (family is None or not all(
        {name: family.at(int(values[size]) * n).get(name) for name in claim.fields} == world
        for n, world in {1: dict(values), **worlds}.items()
    )):
        return None
    made, part = found
    with precision(PRECISIONS[-1]):
        try:
            first = Place(claim, values)
            if sign(first.value(sides(part)[0])) != 1:
                return None
            agree = all(agrees(first, part, _powers(made, n), world)
                        for n, world in worlds.items())  # fmt: skip
        except (Undefined, Undecided):
            return None
    return made if agree else None


def _powers(made: Factors, n: int) -> list[Value]:
    """By which a world of n blocks multiplies the sides."""
    return [fmpq(factor.numerator, factor.denominator) ** (n - 1) for factor in made]
