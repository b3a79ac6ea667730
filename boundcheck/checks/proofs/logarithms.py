"""Products and powers, real exponents included: comparisons taken to logarithms for Z3.

A product of powers of positive numbers becomes a sum of exponents times logarithms. Of a sum it is
only said that it lies between its largest term and that times the number of terms; of a minimum
that it is one of its parts and no larger than any.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import sympy
import z3

from boundcheck.checks.proofs.reals import Translation, Untranslatable, enclosure
from boundcheck.exact import INEQUALITIES

PRIMES = 1_000


class Logarithms:
    """Logarithms of expressions as Z3 terms.

    Args:
        positive: whether an expression is known to be positive.
        numbers: the translation that exponents are read by.
    """

    def __init__(self, positive: Callable[[sympy.Expr], bool], numbers: Translation) -> None:
        self.positive, self.numbers = positive, numbers
        self.axioms: list[Any] = []
        self._known: dict[sympy.Expr, Any] = {}
        self._primes: dict[int, Any] = {}

    def relation(self, condition: sympy.Basic) -> Any | None:
        """The comparison of logarithms that says the same as one of positive numbers, or None."""
        if not isinstance(condition, (*INEQUALITIES, sympy.Eq)):
            return None
        equal = isinstance(condition, sympy.Eq)
        small = condition.lhs if equal else condition.lts
        large = condition.rhs if equal else condition.gts
        try:
            low, high = self.term(small), self.term(large)
        except Untranslatable:
            return None
        if equal:
            return low == high
        return low < high if isinstance(condition, (sympy.Lt, sympy.Gt)) else low <= high

    def term(self, expr: sympy.Expr) -> Any:
        """log of an expression. Raises: Untranslatable unless it is known to be positive."""
        if expr not in self._known:
            self._known[expr] = self._term(expr)
        return self._known[expr]

    def _term(self, expr: sympy.Expr) -> Any:
        if expr.is_Rational:
            return self._number(expr)
        if expr is sympy.E:
            return z3.RealVal(1)
        if isinstance(expr, sympy.exp):
            return self.numbers.term(expr.args[0])
        if expr.is_Mul:
            return z3.Sum([self.term(arg) for arg in expr.args])
        if isinstance(expr, sympy.Abs) and self.positive(expr.args[0]):
            return self.term(expr.args[0])
        if expr.is_Pow and self.positive(expr.base):
            return self.term(expr.base) * self.numbers.term(expr.exp)
        if isinstance(expr, (sympy.Min, sympy.Max)):
            return self._extreme(expr)
        if expr.is_Add:
            return self._sum(expr)
        return self._letter(expr)

    def _letter(self, expr: sympy.Expr) -> Any:
        if not self.positive(expr):
            raise Untranslatable(f"{expr} may be no positive number")
        return z3.FreshReal("log")

    def _number(self, value: sympy.Rational) -> Any:
        if value <= 0:
            raise Untranslatable("the logarithm of no positive number")
        if max(value.p, value.q) > PRIMES**6:
            return self._constant(value)
        parts = [
            int(power) * self._prime(int(prime))
            for prime, power in sympy.factorrat(value).items()
        ]
        return z3.Sum(parts) if parts else z3.RealVal(0)

    def _prime(self, prime: int) -> Any:
        if prime not in self._primes:
            self._primes[prime] = self._constant(sympy.Integer(prime))
        return self._primes[prime]

    def _constant(self, value: sympy.Expr) -> Any:
        letter = z3.FreshReal("constant")
        low, high = enclosure(sympy.log(value))
        self.axioms += [letter >= low, letter <= high]
        return letter

    def _extreme(self, expr: sympy.Expr) -> Any:
        least, parts = isinstance(expr, sympy.Min), [self.term(arg) for arg in expr.args]
        letter = z3.FreshReal("extreme")
        self.axioms += [letter <= part if least else letter >= part for part in parts]
        self.axioms.append(z3.Or([letter == part for part in parts]))
        return letter

    def _sum(self, expr: sympy.Expr) -> Any:
        whole = sympy.factor_terms(expr)
        if whole.is_Mul:
            return self.term(whole)
        letter = self._letter(expr)
        if all(self.positive(arg) for arg in expr.args):
            parts = [self.term(arg) for arg in expr.args]
            count = self._number(sympy.Integer(len(parts)))
            self.axioms += [letter > part for part in parts]
            self.axioms.append(z3.Or([letter <= part + count for part in parts]))
        return letter


def small_powers(relations: list[sympy.Basic]) -> bool:
    """Whether all numbers in some relations are of a size that logarithms are taken of."""
    return all(
        math.log10(max(abs(number.p), number.q) + 1) < 60
        for relation in relations for number in relation.atoms(sympy.Rational)
    )  # fmt: skip
