"""Sums whose parts may cancel: logarithms, roots and exponentials side by side.

Where l is the first term of an x, log x is log l + log(x / l), a root of x is that of l times that
of x / l, and e^x is e^l e^(x - l). Parts of one l are summed before they meet what they have in
common, so that what cancels there has terms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import sympy
from flint import fmpq

from boundcheck.checker.germs import (
    Germ,
    added,
    constant,
    exponential,
    leading,
    logarithm,
    multiplied,
    negated,
    of_terms,
    raised,
)

if TYPE_CHECKING:
    from boundcheck.checker.along import Along

ONE = fmpq(1)
Pairs = list[tuple[Germ, Germ]]  # of a share and what stands under the function


def side_by_side(along: Along, expr: sympy.Add) -> Germ:
    """The germ of a sum. Raises: NoGerm where a part has none, or none of its first term."""
    parts = _Parts(along)
    for arg in expr.args:
        parts.take(arg)
    return added(parts.summed())


def is_steep(expr: sympy.Basic) -> bool:
    """Whether an expression is an exponential, or a power that is no rational one."""
    power = isinstance(expr, sympy.Pow) and not expr.exp.is_Rational
    return power or isinstance(expr, sympy.exp)


def _is_root(expr: sympy.Basic) -> bool:
    """Whether an expression is a power that is a fraction."""
    return isinstance(expr, sympy.Pow) and expr.exp.is_Rational and not expr.exp.is_Integer


@dataclass
class _Parts:
    """The parts of a sum by what they have in common; `rest`: those that are germs already."""

    along: Along
    rest: list[Germ] = field(default_factory=list)
    logs: dict[tuple[fmpq, fmpq], Pairs] = field(default_factory=dict)
    roots: dict[fmpq, Pairs] = field(default_factory=dict)
    exponentials: dict[tuple[fmpq, fmpq], Pairs] = field(default_factory=dict)

    def take(self, arg: sympy.Expr) -> None:
        """Sort one part in."""
        factors = sympy.Mul.make_args(arg)
        rules = [(f, rule) for f in factors if (rule := self._rule(f)) is not None]
        if len(rules) != 1:
            self.rest.append(self.along.germ(arg))
            return
        (factor, rule), = rules
        rule(factor, self.along.germ(sympy.Mul(*(f for f in factors if f is not factor))))

    def _rule(self, factor: sympy.Expr) -> Callable[[sympy.Expr, Germ], None] | None:
        if isinstance(factor, sympy.log):
            return self._take_log
        if _is_root(factor):
            return self._take_root
        return self._take_exponential if factor is sympy.E or is_steep(factor) else None

    def _base(self, factor: sympy.Expr) -> Germ:
        return self.along.germ(self.along.opened(factor.args[0]))

    def _take_log(self, factor: sympy.Expr, share: Germ) -> None:
        """For a first coefficient above one, the logarithm of 1 / x."""
        base = self._base(factor)
        if leading(base)[1] > 1:
            share, base = negated(share), raised(base, fmpq(-1))
        self.logs.setdefault(leading(base), []).append((share, base))

    def _take_root(self, factor: sympy.Expr, share: Germ) -> None:
        power = fmpq(int(factor.exp.p), int(factor.exp.q))
        self.roots.setdefault(power, []).append((share, self._base(factor)))

    def _take_exponential(self, factor: sympy.Expr, share: Germ) -> None:
        exponent = constant(ONE) if factor is sympy.E else self.along.logarithm(factor)
        self.exponentials.setdefault(leading(exponent), []).append((share, exponent))

    def summed(self) -> list[Germ]:
        """What is to be added: the rest, and what each kind of part comes to."""
        return [*self.rest, *self._logs(), *self._roots(), *self._exponentials()]

    def _logs(self) -> list[Germ]:
        """a log(x / l), a log c and a p log t for a log x and l = c t^p."""
        found, orders = list[Germ](), list[Germ]()
        for (power, number), pairs in self.logs.items():
            over = raised(of_terms({power: number}), fmpq(-1))
            shares = added([share for share, _ in pairs])
            orders.append(multiplied(constant(power), shares))
            found += [multiplied(share, logarithm(multiplied(base, over))) for share, base in pairs]
            found.append(multiplied(shares, logarithm(constant(number))))
        return [*found, multiplied(added(orders), logarithm(of_terms({ONE: ONE})))]

    def _roots(self) -> list[Germ]:
        """l^r times the sum of a (x / l)^r for a x^r, where l is that of the first part."""
        found = list[Germ]()
        for power, pairs in self.roots.items():
            first = of_terms(dict([leading(pairs[0][1])]))
            over = raised(first, fmpq(-1))
            ratios = [multiplied(share, raised(multiplied(base, over), power))
                      for share, base in pairs]  # fmt: skip
            found.append(multiplied(raised(first, power), added(ratios)))
        return found

    def _exponentials(self) -> list[Germ]:
        """e^l times the sum of a e^(x - l) for a e^x."""
        found = list[Germ]()
        for term, pairs in self.exponentials.items():
            first = of_terms(dict([term]))
            beside = [multiplied(share, exponential(added([exponent, negated(first)])))
                      for share, exponent in pairs]  # fmt: skip
            found.append(multiplied(exponential(first), added(beside)))
        return found
