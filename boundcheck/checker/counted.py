"""Means over the counts of draws from atoms, written out over numbers alone.

Of few draws every outcome is listed, its probability being a product of weights that may move. Of
n draws, n moving, a polynomial of degree two in the counts has its mean by E c_k c_l =
n (n - 1) p_k p_l, and n p_k besides where k = l; a power of the modulus of a sum of mean zero is
between multiples of that of its standard deviation: of n draws E S^4 = n m + 3 n (n - 1) s^4, where
the fourth moment m of one is at most s^4 / w, as each atom weighs w or more. The largest of some
sums is between multiples of the root of what their squares add up to.
"""

from __future__ import annotations

from copy import copy

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import is_exact, midpoint
from boundcheck.checker.chance import listed
from boundcheck.checker.moments import apart, between
from boundcheck.checker.writing import Places, Writing
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Greatest
from boundcheck.worlds.fields import Integer, Weights

HIGHEST = 4  # power of a modulus, by its fourth moment
FOURTH = fmpq(3)


class Counted:
    """Means over the counts of one draw. Raises: Unwritten where atoms are copied."""

    def __init__(self, writing: Writing, drawn: sympy.Symbol) -> None:
        self.writing, self.drawn, draw = writing, drawn, drawn.meaning.draw
        fields = writing.fields
        if type(fields.get(draw.weights)) is not Weights or type(
            fields.get(draw.trials)
        ) is not Integer or draw.trials == writing.parts.grown:
            raise writing.unwritten(drawn)
        self.key, self.trials = fields[draw.weights].size, draw.trials
        if self.key == writing.parts.grown:
            raise writing.unwritten(drawn)
        self.names = [f"{draw.weights}[{atom}]" for atom in range(writing.parts.count(self.key))]
        self.weights = [sympy.Symbol(name, real=True) for name in self.names]
        self.number = writing.put.get(draw.trials, sympy.Symbol(draw.trials, real=True))

    def mean(self, expr: sympy.Expr, at: Places) -> sympy.Expr:
        """Raises: Unwritten where no rule gives it."""
        held = self.writing.held.get(self.trials)
        if held is not None:
            return sympy.Add(*(
                each.mass * self._at(list(each.counts[self.drawn.name][1])).number(expr, at)
                for each in listed(self.drawn.name, self.key, self.names, int(held))
            ))  # fmt: skip
        dummies = [sympy.Dummy(real=True) for _ in self.names]
        while isinstance(expr, Named):
            expr = expr.body
        factor, parts = apart(expr, self.drawn)
        if len(parts) == 1 and isinstance(parts[0], Greatest):
            return self.writing.number(factor, at) * self._greatest(parts[0], dummies, at)
        factor, inside, power = self._modulus(expr)
        before = set(self.writing.unknown)
        written = self._at(dummies).number(inside, at)
        if any(symbol.name in self.writing.unknown and symbol.name not in before
               for symbol in written.free_symbols):  # fmt: skip
            raise self.writing.unwritten(inside)  # it would be one number for all counts
        if power is None:
            return self._polynomial(written, dummies)
        ball, square = self._length(written, dummies, power)
        part = self.writing.part_of((expr, tuple(at.items())), ball, midpoint(ball))
        length = (part if power != 2 else 1) * square ** (power / 2)
        return self.writing.number(factor, at) * length

    def _at(self, counts: list[sympy.Expr]) -> Writing:
        """The same world with these counts."""
        made = copy(self.writing)
        made.drawn = {**self.writing.drawn, self.drawn.name: (self.key, counts)}
        return made

    def _modulus(self, expr: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr, sympy.Rational | None]:
        """c, S and p of c |S|^p; else 1, the whole and None."""
        if isinstance(expr, Named):
            return self._modulus(expr.body)
        outside, inside = apart(expr, self.drawn)
        if len(inside) == 1:
            base, power = inside[0].as_base_exp()
            if isinstance(base, sympy.Abs) and power.is_Rational and 0 < power <= HIGHEST:
                return outside, base.args[0], power
        return sympy.Integer(1), expr, None

    def _greatest(
        self, expr: Greatest, counts: list[sympy.Symbol], at: Places
    ) -> sympy.Expr:
        """Of numbers S_k of one mean: with D_k = S_k - S_0 and g = E D_1^2 + ... + E D_N^2,
        E max_k D_k lies between c sqrt(g / N) / 2 and sqrt(g), where E |D| >= c sqrt(E D^2), as
        E max(0, D) = E |D| / 2; the largest modulus |S_k| between c sqrt(g / N) and sqrt(g),
        S_k in the place of D_k."""
        body = expr.body
        while isinstance(body, Named):
            body = body.body
        moduli = isinstance(body, sympy.Abs)
        places = [here for _, here in self.writing.counted(expr.indices, at)]
        first, *others = (self._at(counts).number(body.args[0] if moduli else body, here)
                          for here in places)  # fmt: skip
        gaps = [first, *others] if moduli else [other - first for other in others]
        lengths = [self._length(gap, counts, sympy.Integer(1)) for gap in gaps]
        level = sympy.Integer(0) if moduli else self._polynomial(first, counts)
        if not lengths:
            return level
        least = min(ball.lower() for ball, _ in lengths)
        share = least / arb(len(lengths)).sqrt() / (1 if moduli else 2)
        ball = share.union(arb(1))
        part = self.writing.part_of((expr, tuple(at.items())), ball, midpoint(ball))
        return level + part * sympy.sqrt(sympy.Add(*(square for _, square in lengths)))

    def _polynomial(self, written: sympy.Expr, counts: list[sympy.Symbol]) -> sympy.Expr:
        found = _terms(written, counts)
        if found is None or max(map(sum, found)) > 2:
            raise self.writing.unwritten(written)
        return sympy.Add(*(factor * self._moment(powers) for powers, factor in found.items()))

    def _moment(self, powers: tuple[int, ...]) -> sympy.Expr:
        n = self.number
        places = [k for k, power in enumerate(powers) for _ in range(power)]
        product = sympy.Mul(*(self.weights[k] for k in places))
        if len(places) < 2:
            return n ** len(places) * product
        same = n * self.weights[places[0]] if places[0] == places[1] else 0
        return n * (n - 1) * product + same

    def _length(
        self, written: sympy.Expr, counts: list[sympy.Symbol], power: sympy.Rational
    ) -> tuple[arb, sympy.Expr]:
        """Where E |S|^p / (E S^2)^(p/2) lies, of mean zero and weights that stay, and E S^2."""
        weights = [fmpq(self.writing.held.get(name, 0)) for name in self.names]
        found = _terms(written, counts)
        if found is None or max(map(sum, found)) > 1 or sum(weights) != 1:
            raise self.writing.unwritten(written)
        known = {sympy.Symbol(name, real=True): sympy.Rational(str(fmpq(value)))
                 for name, value in self.writing.held.items() if is_exact(value)}  # fmt: skip
        mean = sum(factor * self._moment(powers) for powers, factor in found.items())
        if sympy.expand(mean.xreplace(known)) != 0:
            raise self.writing.unwritten(written)
        rows = [(w, factor) for powers, factor in found.items() if any(powers)
                for w, at_atom in zip(self.weights, powers, strict=True) if at_atom]  # fmt: skip
        first, second = (sum((w * c**k for w, c in rows), sympy.Integer(0)) for k in (1, 2))
        least = min(w for w in weights if w > 0)
        square = sympy.expand((self.number * (second - first**2)).xreplace(known))
        return between(power, FOURTH + 1 / least), square


def _terms(
    written: sympy.Expr, counts: list[sympy.Symbol]
) -> dict[tuple[int, ...], sympy.Expr] | None:
    """Factors of a polynomial in the counts by their powers; None of what is none."""
    if not written.is_polynomial(*counts):
        return None
    found = sympy.Poly(written, *counts).as_dict(native=False)
    return found or {(0,) * len(counts): sympy.Integer(0)}
