"""Worlds at which a divisor or the argument of a logarithm in a statement is zero.

Such points are isolated where the part is a polynomial, (x - 1)^2 at x = 1, and no random number
meets them. One symbol is moved to a rational root while the others stay; the exact checker says
whether the world is admissible and whether the statement has no value there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, is_exact, partial_parts, precision, value_of
from boundcheck.expressions.binding import Definition
from boundcheck.search.rational import is_short, polynomial_through, rational_roots
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Integer, Real

PARTS = 6  # of one statement
LONG = 60  # operations of a part that is not looked at
POINTS = 8  # values through which a polynomial goes: of degree 6 at most


class Poles:
    """The parts of a claim, polynomials in its numbers, that must not be zero.

    Args: claim: whose statement they stand in, itself or through definitions.
    """

    def __init__(self, claim: Claim) -> None:
        self.fields = {name: field for name, field in claim.fields.items()
                       if isinstance(field, (Integer, Real))}  # fmt: skip
        meant = _meant(claim)
        found = dict[sympy.Expr, None]()
        for expr in (claim.statement.relation, *meant.values()):
            asked = sorted(partial_parts(expr), key=sympy.default_sort_key)
            for part in (part for what, part in asked if what != "value"):
                whole = part.xreplace({s: meant[s.name] for s in part.free_symbols
                                       if s.name in meant})  # fmt: skip
                found |= dict.fromkeys(factor for factor in _factors(whole) if self._fits(factor))
        self.parts = list(found)[:PARTS]

    def _fits(self, part: sympy.Expr) -> bool:
        # A primitive may take whole numbers alone, or those of its domain; polynomials take all.
        return bool(part.is_polynomial()) and all(s.name in self.fields for s in part.free_symbols)

    def near(self, setting: Setting) -> Iterator[Setting]:
        """Settings at which a part is zero: its other numbers are 1, or as in the one given."""
        for part in self.parts:
            names = sorted(symbol.name for symbol in part.free_symbols)
            plain = setting.replaced(**{name: self._number(name, fmpq(1)) for name in names})
            for base in (plain, setting):
                for name in names:
                    yield from self._moved(base, part, name)

    def _number(self, name: str, number: fmpq) -> int | fmpq:
        return int(number.p) if isinstance(self.fields[name], Integer) else number

    def _moved(self, setting: Setting, part: sympy.Expr, name: str) -> Iterator[Setting]:
        start, values = fmpq(setting(name)), list[fmpq]()
        if not is_short(start):
            return
        with precision(PRECISIONS[0]):
            for step in range(POINTS):
                here = {**setting.values, name: start + step}
                try:
                    value = value_of(part, here.__getitem__)
                except (Undefined, Undecided):
                    return
                if not is_exact(value):
                    return
                values.append(fmpq(value))
        line = polynomial_through(values)
        for root in rational_roots(line) if line is not None else ():
            number = start + root
            if number.q == 1 or isinstance(self.fields[name], Real):
                yield setting.replaced(**{name: self._number(name, number)})


def _meant(claim: Claim) -> Mapping[str, sympy.Expr]:
    """What the names stand for that are defined by a formula in others."""
    return {name: quantity.whole for name, quantity in claim.measured.items()
            if isinstance(quantity, Definition) and quantity.whole.is_commutative}  # fmt: skip


def _factors(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """What a part is zero with: factors, and what stands under powers and moduli.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> list(_factors(sympy.Abs(x - 1) * (x + y) ** 2))
    [x + y, x - 1]
    """
    for factor in sympy.Mul.make_args(part):
        inner = factor.args[0] if isinstance(factor, sympy.Abs) else factor.as_base_exp()[0]
        if inner != factor:
            yield from _factors(inner)
        elif factor.free_symbols and sympy.count_ops(factor) <= LONG:
            yield sympy.fraction(sympy.together(factor))[0]
