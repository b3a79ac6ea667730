"""Sums over atoms from below, whatever is drawn: more atoms than draws leave some undrawn.

Of m atoms at most n are drawn, and a sum of terms none of which is negative is at least that of the
atoms that are not: (m - n) times the least term of an atom with no draw.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from boundcheck.checker.writing import COPIES, Parts, Unwritten, Writing
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Total
from boundcheck.worlds.draws import Counts
from boundcheck.worlds.fields import Integer, Weights, number_at


def is_positive(low: object) -> bool:
    """Whether the lower end of a domain is a number above zero."""
    end = None if low is None else number_at(low)
    return end is not None and end > 0


class Undrawn(Writing):
    """Expressions over numbers alone, those that read the counts of a draw from below.

    Args: least: what must not be negative for that.
    """

    def __init__(self, claim: Claim, parts: Parts) -> None:
        super().__init__(claim, parts)
        draw = claim.draw
        if not isinstance(draw, Counts) or type(claim.fields.get(draw.weights)) is not Weights or (
            type(claim.fields.get(draw.trials)) is not Integer
            or not is_positive(claim.fields[draw.trials].low)
        ):
            raise Unwritten(f"the draw {draw}")
        self.draw, self.key_of_atoms = draw, claim.fields[draw.weights].size
        if self.key_of_atoms != parts.grown:
            raise Unwritten("atoms that stay")
        names = [f"{draw.counts} of {atom}" for atom in range(parts.count(self.key_of_atoms))]
        self.any = [sympy.Symbol(name, real=True) for name in names]
        self.drawn = {draw.counts: (self.key_of_atoms, self.any)}
        atoms = sympy.Add(*parts.times(self.key_of_atoms))
        self.spare = atoms - sympy.Symbol(draw.trials, real=True)
        counted = [COPIES, sympy.Symbol(draw.trials, real=True)]
        self.positive = {number: sympy.Dummy(positive=True) for number in counted}
        self.least: list[sympy.Expr] = [self.spare]

    def below(self, expr: sympy.Expr) -> sympy.Expr:
        """A lower limit of a number. Raises: Unwritten where no rule gives it."""
        try:
            return self.free(expr)
        except Unwritten:
            pass
        quantity = self.claim.measured.get(getattr(expr, "name", ""))
        if isinstance(expr, Named):
            return self.below(expr.body)
        if isinstance(quantity, Definition):
            return self.below(quantity.whole)
        if isinstance(expr, Total):
            return self._sum(expr)
        if isinstance(expr, sympy.Add):
            return sympy.Add(*map(self.below, expr.args))
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and expr.exp.is_positive:
            base = self.below(expr.base)
            self.least.append(base)
            return base**expr.exp
        if isinstance(expr, sympy.Mul):
            found = list(map(self.below, expr.args))
            self.least += found
            return sympy.Mul(*found)
        raise Unwritten(str(expr))

    def free(self, expr: sympy.Expr) -> sympy.Expr:
        """What does not read the counts. Raises: Unwritten where it does."""
        found = self.number(expr)
        if set(self.any) & found.free_symbols:
            raise Unwritten(f"{expr} reads what is drawn")
        return found

    def _sum(self, expr: Total) -> sympy.Expr:
        (index, *more) = expr.indices
        if more or self.key(index.meaning.size) != self.key_of_atoms:
            raise Unwritten(str(expr))
        terms = [self.number(expr.body, {index: atom}) for atom in range(len(self.any))]
        own: list[Mapping[sympy.Symbol, int]] = [{count: 0} for count in self.any]
        empty = [term.subs(each) for term, each in zip(terms, own, strict=True)]
        alone = not any(set(self.any) & term.free_symbols for term in empty)
        if not alone or not all(term.xreplace(self.positive).is_nonnegative for term in terms):
            raise Unwritten(f"a term of {expr} that may be negative")
        return self.spare * sympy.Min(*empty)
