"""Normal forms: a term as a polynomial with rational coefficients in atoms.

An atom is a symbol or what no polynomial says: inverse, root, exponential, logarithm, power with a
free exponent, absolute value and so on, of normal forms in turn. Two terms with one normal form are
equal for all values that the known signs allow. Powers of atoms known not to be zero may be
negative; roots of what is known to be nonnegative are reduced.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from flint import fmpq

from boundcheck.certificates.terms import Term

Monomial = tuple[tuple[int, int], ...]
Key = tuple[tuple[Monomial, tuple[int, int]], ...]
Atom = tuple[object, ...]
Poly = dict[Monomial, fmpq]
ONE: Monomial = ()
MOST_TERMS, HIGHEST = 6_000, 200
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)


def rational(text: str) -> fmpq:
    """A number from its text."""
    top, _, bottom = text.partition("/")
    return fmpq(int(top), int(bottom or 1))


def number(value: fmpq | int) -> Poly:
    """A constant."""
    return {ONE: fmpq(value)} if value else {}


def constant(poly: Poly) -> fmpq | None:
    """The number that a polynomial is, if it is one."""
    if not poly:
        return fmpq(0)
    return poly.get(ONE) if len(poly) == 1 else None


def added(*polys: Poly) -> Poly:
    """Sum."""
    total: Poly = {}
    for poly in polys:
        add_to(total, poly)
    return total


def add_to(total: Poly, poly: Poly) -> None:
    """A polynomial added to a total that is still being made."""
    for monomial, value in poly.items():
        found = total.get(monomial)
        value = value if found is None else found + value
        if value:
            total[monomial] = value
        else:
            del total[monomial]


def scaled(poly: Poly, factor: fmpq | int) -> Poly:
    """A polynomial times a number."""
    return {m: c * factor for m, c in poly.items()} if factor else {}


def minus(left: Poly, right: Poly) -> Poly:
    """Difference."""
    return added(left, scaled(right, -1))


def key_of(poly: Poly) -> Key:
    """A polynomial as a value that can be looked up."""
    return tuple(sorted((m, (int(c.p), int(c.q))) for m, c in poly.items()))


def poly_of(key: Key) -> Poly:
    """The polynomial of a key."""
    return {m: fmpq(*c) for m, c in key}


def content(poly: Poly) -> fmpq:
    """Coefficient of the last monomial: what a polynomial is divided by to compare it."""
    return poly[max(poly)]


def common_powers(poly: Poly) -> dict[int, int]:
    """Powers above zero of the atoms that stand in every product of a polynomial.

    >>> common_powers({((0, 2), (1, 1)): fmpq(1), ((0, 3),): fmpq(2)})
    {0: 2}
    """
    first, *others = [dict(monomial) for monomial in poly]
    least = {a: min([p, *[other.get(a, 0) for other in others]]) for a, p in first.items()}
    return {atom: power for atom, power in least.items() if power > 0}


def divided(poly: Poly, powers: dict[int, int]) -> Poly:
    """A polynomial divided by powers that stand in all its products."""
    return {tuple((a, p - powers.get(a, 0)) for a, p in m if p != powers.get(a, 0)): c
            for m, c in poly.items()}  # fmt: skip


@dataclass
class Signs:
    """What is known of atoms and polynomials by sign; polynomials are kept up to a factor.

    Args: entries: row to the sign of all its entries, 2 positive, 1 nonnegative. laws: row whose
    entries add up to one to its size. sizes: of rows and sums; nothing is known of others.
    """

    nonnegative: set[Key] = field(default_factory=set)
    positive: set[Key] = field(default_factory=set)
    nonzero: set[Key] = field(default_factory=set)
    low: dict[int, fmpq] = field(default_factory=dict)
    high: dict[int, fmpq] = field(default_factory=dict)
    letters: dict[str, Term] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    laws: dict[str, str] = field(default_factory=dict)
    sizes: frozenset[str] = frozenset()

    def copy(self) -> Signs:
        """The same, to be extended apart."""
        return Signs(set(self.nonnegative), set(self.positive), set(self.nonzero),
                     dict(self.low), dict(self.high), dict(self.letters),
                     self.entries, self.laws, self.sizes)  # fmt: skip

    def fresh(self, without: str = "") -> Signs:
        """Only what holds of rows, whatever else does; without: a size that may be any number."""
        return Signs(entries=self.entries, laws=self.laws, sizes=self.sizes - {without})

    def state(self) -> tuple[int, ...]:
        """Grows with what is known."""
        parts = (self.nonnegative, self.positive, self.nonzero, self.letters)
        return tuple(len(part) for part in parts)


class Table:
    """Atoms by number, shared by all normal forms of one check."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._numbers: dict[Atom, int] = {}
        self.places: dict[int, frozenset[str]] = {}
        self.joints: dict[tuple[Monomial, Monomial], tuple[Monomial, bool]] = {}

    def number(self, atom: Atom) -> int:
        """The number of an atom."""
        if atom not in self._numbers:
            self._numbers[atom] = len(self.atoms)
            self.atoms.append(atom)
        return self._numbers[atom]


def degree(monomial: Monomial) -> int:
    """Sum of powers, negative ones by size."""
    return sum(abs(power) for _, power in monomial)


def atoms_of(polys: Iterable[Poly]) -> set[int]:
    """Numbers of the atoms in some polynomials."""
    return {atom for poly in polys for monomial in poly for atom, _ in monomial}
