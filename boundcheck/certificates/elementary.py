"""Normal forms in which elementary functions are written by few of their values.

tanh(u) is a fraction of exp(2u); cos and sin of sums and multiples are polynomials in cos and sin
of their parts, with sin^2 = 1 - cos^2; inverses, roots and logarithms of fractions are those of top
and bottom. Every rewriting is an equation between values at all reals that the known signs allow.
"""

from __future__ import annotations

from flint import fmpq

from boundcheck.certificates.normal import Normal
from boundcheck.certificates.polynomials import (
    Key,
    Monomial,
    Poly,
    Signs,
    Table,
    add_to,
    added,
    content,
    key_of,
    minus,
    number,
    poly_of,
    scaled,
)
from boundcheck.certificates.terms import Rejected, Term

PARTS, MULTIPLE, SUMMANDS = 12, 24, 6  # of an argument that is taken apart
SQUARES = {0: fmpq(1), 2: fmpq(3, 4), 3: fmpq(1, 2), 4: fmpq(1, 4), 6: fmpq(0)}  # of cos(k pi / 12)
Bases = list[tuple[Poly, int]]


class Elementary(Normal):
    """Normal forms with elementary functions rewritten.

    Args: parts: exponentials, sines and cosines are written by those of this part of a product.
    """

    def __init__(self, table: Table, signs: Signs, parts: object = 1) -> None:
        if isinstance(parts, bool) or not isinstance(parts, int) or not 1 <= parts <= PARTS:
            raise Rejected(f"an argument is cut into no number of parts up to {PARTS}")
        super().__init__(table, signs)
        self.unit = fmpq(1, parts)

    def sign(self, poly: Poly) -> int:
        """The same; of a fraction that of its top."""
        found = super().sign(poly)
        if found < 2 and len(poly) > 1:
            top, bottom = self.fraction(poly, positive=True)
            found = max(found, super().sign(top)) if bottom else found
        return found

    def fraction(self, poly: Poly, *, positive: bool = False) -> tuple[Poly, Bases]:
        """Top and powers in the bottom, whose product is not zero, or positive."""
        powers: dict[int, int] = {}
        for monomial in poly:
            for atom, power in monomial:
                size = power if self.table.atoms[atom][0] == "inv" else -power
                powers[atom] = max(powers.get(atom, 0), size)
        bottom: Bases = []
        for atom, power in powers.items():
            kind = self.table.atoms[atom]
            base: Poly = {((atom, 1),): fmpq(1)}
            if kind[0] == "inv":
                base = poly_of(kind[1])  # type: ignore[arg-type]
            if power < 1 or not (self.sign(base) == 2 if positive else self.nonzero(base)):
                continue
            poly = _cancelled(self, poly, atom, base, power) if kind[0] == "inv" else (
                self.product(poly, self.power(base, power)))  # fmt: skip
            bottom.append((base, power))
        return poly, bottom

    def product(self, left: Poly, right: Poly) -> Poly:
        """The same, with squares of sines written by cosines."""
        total = super().product(left, right)
        for monomial in [m for m in total if self._circled(m)]:
            add_to(total, scaled(self._by_cosines(monomial), total.pop(monomial)))
        return total

    def _circled(self, monomial: Monomial) -> bool:
        return any(power > 1 and self.table.atoms[a][0] == "sin" for a, power in monomial)

    def _by_cosines(self, monomial: Monomial) -> Poly:
        total: Poly = number(1)
        for atom, power in monomial:
            kind = self.table.atoms[atom]
            factor: Poly = {((atom, power),): fmpq(1)}
            if kind[0] == "sin" and power > 1:
                cosine = self.table.number(("cos", *kind[1:]))
                square: Poly = {(): fmpq(1), ((cosine, 2),): fmpq(-1)}
                factor = {((atom, 1),): fmpq(1)} if power % 2 else number(1)
                factor = self.product(factor, self.power(square, power // 2))
            total = self.product(total, factor)
        return total

    def inverse(self, poly: Poly) -> Poly:
        """1 / poly, of a fraction upside down; 1/0 is 0."""
        if len(poly) > 1:
            top, bottom = self.fraction(poly)
            result = self.inverse(top) if bottom else self._upward(top)
            for base, power in bottom:
                result = self.product(result, self.power(base, power))
            return result
        inverses = {a: p for monomial in poly for a, p in monomial
                    if p > 0 and self.table.atoms[a][0] == "inv"}  # fmt: skip
        rest: Poly = {tuple(pair for pair in m if pair[0] not in inverses): c
                      for m, c in poly.items()}  # fmt: skip
        result = super().inverse(rest)
        for atom, power in inverses.items():
            base = poly_of(self.table.atoms[atom][1])  # type: ignore[arg-type]
            result = self.product(result, self.power(base, power))
        return result

    def _upward(self, poly: Poly) -> Poly:
        """1 / poly by the inverse of what is positive, if that is seen."""
        scale = content(poly)
        base = scaled(poly, -1 / scale)
        if self.sign(base) != 2:
            return super().inverse(poly)
        return {((self.table.number(("inv", key_of(base))), 1),): -1 / scale}

    def root(self, order: int, poly: Poly) -> Poly:
        """The same, of a fraction with a positive bottom that of top and bottom."""
        top, bottom = self.fraction(poly, positive=True) if len(poly) > 1 else (poly, [])
        result = super().root(order, top)
        for base, power in bottom:
            whole, left = divmod(power, order)
            below = self.power(base, whole)
            if left:
                below = self.product(below, super().root(order, self.power(base, left)))
            result = self.product(result, self.inverse(below))
        return result

    def logarithm(self, poly: Poly) -> Poly:
        """The same, of a positive fraction with a positive bottom as a difference."""
        if len(poly) < 2 or self.sign(poly) != 2:
            return super().logarithm(poly)
        top, bottom = self.fraction(poly, positive=True)
        parts = [scaled(super(Elementary, self).logarithm(base), -power) for base, power in bottom]
        return added(super().logarithm(top), *parts)

    def _exp_of(self, monomial: Monomial, value: fmpq) -> Poly:
        count = value / self.unit
        single = self.table.atoms[monomial[0][0]][0] if monomial else ""
        if single == "log" or count.q != 1 or abs(count.p) > 5 * MULTIPLE:
            return super()._exp_of(monomial, value)
        base = self.table.number(("exp", key_of({monomial: self.unit})))
        return {((base, int(count.p)),): fmpq(1)}

    def _other(self, head: str, args: list[Term]) -> Poly:
        if head == "tanh":
            double = self.exponential(scaled(self.of(args[0]), 2))
            return self.product(minus(double, number(1)), self.inverse(added(double, number(1))))
        if head not in ("cos", "sin"):
            return super()._other(head, args)
        inner = self.of(args[0])
        if len(inner) > SUMMANDS:
            return super()._other(head, args)
        found = number(1), Poly()
        for monomial, value in inner.items():
            found = self._turned(found, self._turn(monomial, value))
        return found[head == "sin"]

    def _turned(self, left: tuple[Poly, Poly], right: tuple[Poly, Poly]) -> tuple[Poly, Poly]:
        """Cosine and sine of a sum."""
        cosines = minus(self.product(left[0], right[0]), self.product(left[1], right[1]))
        return cosines, added(self.product(left[0], right[1]), self.product(left[1], right[0]))

    def _turn(self, monomial: Monomial, value: fmpq) -> tuple[Poly, Poly]:
        """Cosine and sine of a number times a product."""
        if monomial == ((self.table.number(("pi",)), 1),) and 1 in ((value * 4).q, (value * 6).q):
            return self._known(value), self._known(fmpq(1, 2) - value)
        count = value / self.unit
        part, often = (self.unit, abs(int(count.p))) if (
            count.q == 1 and abs(count.p) <= MULTIPLE) else (abs(value), 1)  # fmt: skip
        key: Key = key_of({monomial: part})
        base: tuple[Poly, Poly] = tuple(  # type: ignore[assignment]
            {((self.table.number((head, key)), 1),): fmpq(1)} for head in ("cos", "sin")
        )
        found = base
        for _ in range(often - 1):
            found = self._turned(found, base)
        return found[0], scaled(found[1], 1 if value > 0 else -1)

    def _known(self, turns: fmpq) -> Poly:
        """The cosine of a multiple of pi / 4 or pi / 6."""
        turns = abs(turns - 2 * ((turns + 1) / 2).floor())
        if turns > fmpq(1, 2):
            return scaled(self._known(1 - turns), -1)
        return self.root(2, number(SQUARES[int(12 * turns)]))


def times(normal: Normal, poly: Poly, base: Poly, power: int) -> Poly:
    """poly times base^power, inverses of base cancelled; base is not zero."""
    scale = content(base)
    base = scaled(base, 1 / scale)
    atom = normal.table.number(("inv", key_of(base)))
    return scaled(_cancelled(normal, poly, atom, base, power), scale**power)


def _cancelled(normal: Normal, poly: Poly, atom: int, base: Poly, power: int) -> Poly:
    """poly times base^power, where an atom is the inverse of base, which is not zero."""
    total: Poly = {}
    for monomial, value in poly.items():
        powers = dict(monomial)
        there = powers.pop(atom, 0)
        both = min(there, power)
        rest: Poly = {tuple(sorted(powers.items())): value}
        if there > power:
            rest = normal.product(rest, {((atom, there - power),): fmpq(1)})
        add_to(total, normal.product(rest, normal.power(base, power - both)))
    return total
