"""Normal forms of terms under known signs, and the arithmetic that knows them."""

from __future__ import annotations

from flint import fmpq

from boundcheck.certificates.polynomials import (
    HIGHEST,
    MOST_TERMS,
    PRIMES,
    Atom,
    Monomial,
    Poly,
    Signs,
    Table,
    add_to,
    added,
    atoms_of,
    common_powers,
    constant,
    content,
    divided,
    key_of,
    number,
    poly_of,
    rational,
    scaled,
)
from boundcheck.certificates.sums import summed
from boundcheck.certificates.terms import Rejected, Term

AT_ZERO = {"sin": 0, "cos": 1, "tanh": 0, "erf": 0, "abs": 0}
MOST_JOINTS = 200_000  # products of monomials that are kept
LONGEST = 200_000  # bits of a number


class Normal:
    """Normal forms under known signs."""

    def __init__(self, table: Table, signs: Signs) -> None:
        self.table, self.signs = table, signs
        self._found: dict[Term, Poly] = {}

    # Signs.

    def atom_sign(self, atom: int) -> int:
        """2 positive, 1 nonnegative, 0 unknown."""
        kind = self.table.atoms[atom]
        if kind[0] in ("exp", "pi") or (kind[0] == "at" and self._entries(kind) == 2):
            return 2
        single = key_of({((atom, 1),): fmpq(1)})
        if single in self.signs.positive or self.signs.low.get(atom, fmpq(0)) > 0:
            return 2
        if kind[0] in ("inv", "root"):
            inner = self.sign(poly_of(kind[-1]))  # type: ignore[arg-type]
            if inner:
                return inner
        if kind[0] == "at" and self._entries(kind):
            return 2 if single in self.signs.nonzero else 1
        if single in self.signs.nonnegative or kind[0] == "abs" or (atom in self.signs.low and (
            self.signs.low[atom] >= 0
        )):  # fmt: skip
            return 1
        return 0

    def _entries(self, kind: Atom) -> int:
        return self.signs.entries.get(str(kind[1]), 0)

    def nonzero_atom(self, atom: int) -> bool:
        """Whether an atom is known not to be zero."""
        single = key_of({((atom, 1),): fmpq(1)})
        high = self.signs.high.get(atom)
        return (self.atom_sign(atom) == 2 or single in self.signs.nonzero
                or (high is not None and high < 0))  # fmt: skip

    def nonzero(self, poly: Poly) -> bool:
        """Whether a polynomial is known not to be zero."""
        if not poly:
            return False
        known = key_of(scaled(poly, 1 / content(poly))) in self.signs.nonzero
        return known or self.sign(poly) == 2 or self.sign(scaled(poly, -1)) == 2

    def sign(self, poly: Poly) -> int:
        """2 if surely positive, 1 if surely nonnegative, 0 if it does not show."""
        value = constant(poly)
        if value is not None:
            return 2 if value > 0 else 1 if value == 0 else 0
        if content(poly) > 0 or len(poly) > 1:
            scale = content(poly)
            key = key_of(scaled(poly, 1 / abs(scale)))
            if key in self.signs.positive:
                return 2
            known = key in self.signs.nonnegative
        else:
            known = False
        found = self.by_coefficients(poly)
        if found < 2 and len(poly) <= 60:
            found = max(found, self.by_coefficients(self._shifted(poly)))
        return max(found, int(known))

    def by_coefficients(self, poly: Poly) -> int:
        """The same, by signs of coefficients and atoms alone."""
        best = 1
        for monomial, value in poly.items():
            if value < 0:
                return 0
            signs = [self._power_sign(atom, power) for atom, power in monomial]
            if 0 in signs:
                return 0
            if 1 not in signs:
                best = 2
        return best

    def _power_sign(self, atom: int, power: int) -> int:
        if power % 2:
            return self.atom_sign(atom)
        return 2 if self.nonzero_atom(atom) else 1

    def _shifted(self, poly: Poly) -> Poly:
        """Every atom as its bound plus or minus a nonnegative letter, where bounds tell more."""
        for atom in atoms_of([poly]):
            low, high = self.signs.low.get(atom), self.signs.high.get(atom)
            if low or (low is None and high is not None):
                return self._with_letters(poly)
        return poly

    def _with_letters(self, poly: Poly) -> Poly:
        total: Poly = {}
        for monomial, value in poly.items():
            part = number(value)
            for atom, power in monomial:
                low, high = self.signs.low.get(atom), self.signs.high.get(atom)
                end = high if low is None else low
                if power < 0 or power > 12 or end is None:
                    factor: Poly = {((atom, power),): fmpq(1)}
                else:
                    letter = self.table.number(("letter", atom))
                    self.signs.low[letter] = fmpq(0)
                    moved: Poly = {((letter, 1),): fmpq(1 if low is not None else -1)}
                    moved = added(moved, number(end))
                    factor = self.power(moved, power)
                part = self.product(part, factor)
            add_to(total, part)
        return total

    # Arithmetic that knows signs.

    def product(self, left: Poly, right: Poly) -> Poly:
        """Product, with powers of roots and of what is not zero reduced."""
        if len(left) * len(right) > 50 * MOST_TERMS:
            raise Rejected("a polynomial has too many terms")
        total: Poly = {}
        again: list[tuple[Monomial, fmpq]] = []
        joints = self.table.joints
        for m, a in left.items():
            for k, b in right.items():
                joint, rooted = joints.get((m, k)) or self._joint(m, k)
                if rooted and self._reducible(joint):
                    again.append((joint, a * b))
                    continue
                before = total.get(joint)
                value = a * b if before is None else before + a * b
                if value:
                    total[joint] = value
                else:
                    total.pop(joint, None)
        for monomial, value in again:
            add_to(total, scaled(self._reduced(monomial), value))
        if len(total) > MOST_TERMS:
            raise Rejected("a polynomial has too many terms")
        if any(value.height_bits() > LONGEST for value in total.values()):
            raise Rejected(f"a number of more than {LONGEST} bits")
        return total

    def _joint(self, left: Monomial, right: Monomial) -> tuple[Monomial, bool]:
        """Product of monomials, and whether a root in it has its order or more; kept."""
        joint, rooted = _joined(left, right), False
        for atom, power in joint:
            if abs(power) > HIGHEST:
                raise Rejected(f"a power above {HIGHEST}")
            kind = self.table.atoms[atom]
            rooted |= kind[0] == "root" and abs(power) >= int(kind[1])  # type: ignore[call-overload]
        if len(self.table.joints) >= MOST_JOINTS:
            self.table.joints.clear()
        self.table.joints[left, right] = joint, rooted
        return joint, rooted

    def _reducible(self, monomial: Monomial) -> bool:
        """Whether a root in it has its order or more, and is of something known."""
        kinds = ((self.table.atoms[atom], power) for atom, power in monomial)
        return any(kind[0] == "root" and abs(power) >= int(kind[1]) and self._root_of_known(kind)  # type: ignore[call-overload]
                   for kind, power in kinds)  # fmt: skip

    def _root_of_known(self, kind: Atom) -> bool:
        return self.sign(poly_of(kind[2])) > 0  # type: ignore[arg-type]

    def _reduced(self, monomial: Monomial) -> Poly:
        rest: list[tuple[int, int]] = []
        found: list[Poly] = []
        for atom, power in monomial:
            kind = self.table.atoms[atom]
            if kind[0] == "root" and abs(power) >= int(kind[1]) and self._root_of_known(kind):  # type: ignore[call-overload]
                whole = power // int(kind[1])  # type: ignore[call-overload]
                power -= whole * int(kind[1])  # type: ignore[call-overload]
                inner = poly_of(kind[2])  # type: ignore[arg-type]
                found.append(self.power(inner if whole > 0 else self.inverse(inner), abs(whole)))
            if power:
                rest.append((atom, power))
        total: Poly = {tuple(rest): fmpq(1)}
        for factor in found:
            total = self.product(total, factor)
        return total

    def power(self, poly: Poly, exponent: int) -> Poly:
        """A power with exponent at least zero."""
        if exponent > HIGHEST:
            raise Rejected(f"a power above {HIGHEST}")
        result = number(1)
        for _ in range(exponent):
            result = self.product(result, poly)
        return result

    def inverse(self, poly: Poly) -> Poly:
        """1 / poly; 1/0 is 0."""
        value = constant(poly)
        if value is not None:
            return number(1 / value) if value else {}
        if len(poly) > 1:
            scale = content(poly)
            atom = self.table.number(("inv", key_of(scaled(poly, 1 / scale))))
            return {((atom, 1),): 1 / scale}
        ((monomial, scale),) = poly.items()
        result = number(1 / scale)
        for atom, power in monomial:
            kind = self.table.atoms[atom]
            if self.nonzero_atom(atom):
                factor: Poly = {((atom, -power),): fmpq(1)}
            elif kind[0] == "inv":
                factor = self.power(poly_of(kind[1]), power)  # type: ignore[arg-type]
            else:
                inner = self.table.number(("inv", key_of({((atom, 1),): fmpq(1)})))
                factor = {((inner, power),): fmpq(1)}
            result = self.product(result, factor)
        return result

    def root(self, order: int, poly: Poly) -> Poly:
        """Root with the sign of its argument."""
        if not poly:
            return {}
        if order > 60:
            raise Rejected(f"a root of order {order}")
        if len(poly) > 1:
            scale = content(poly)
            atom = self.table.number(("root", order, key_of(scaled(poly, 1 / abs(scale)))))
            return self.product(self._number_root(order, abs(scale)), {((atom, 1),): fmpq(1)})
        ((monomial, scale),) = poly.items()
        result = self._number_root(order, abs(scale))
        for atom, power in monomial:
            result = self.product(result, self._atom_root(order, atom, power))
        return result if scale > 0 else scaled(result, -1)

    def _atom_root(self, order: int, atom: int, power: int) -> Poly:
        whole = power // order if self.atom_sign(atom) else 0
        left = power - whole * order
        result: Poly = {((atom, whole),): fmpq(1)} if whole else number(1)
        if left:
            kind = self.table.atoms[atom]
            if kind[0] == "root":
                inner, deeper = kind[2], int(kind[1]) * order  # type: ignore[call-overload]
            else:
                inner, deeper = key_of({((atom, 1),): fmpq(1)}), order
            below = self.table.number(("root", deeper, inner))
            result = self.product(result, {((below, left),): fmpq(1)})
        return result

    def _number_root(self, order: int, value: fmpq) -> Poly:
        inside = int(value.p) * int(value.q) ** (order - 1)
        if inside.bit_length() > 20_000:
            raise Rejected("a root of too large a number")
        outside = 1
        for prime in PRIMES:
            while inside % prime**order == 0:
                inside //= prime**order
                outside *= prime
        exact = _whole_root(inside, order)
        if exact is not None:
            return number(fmpq(outside * exact, int(value.q)))
        atom = self.table.number(("root", order, key_of(number(inside))))
        return {((atom, 1),): fmpq(outside, int(value.q))}

    def raised(self, poly: Poly, exponent: fmpq) -> Poly:
        """A power with a rational exponent."""
        top, order = int(exponent.p), int(exponent.q)
        if order != 1:
            poly = self.root(order, poly)
        return self.power(poly if top >= 0 else self.inverse(poly), abs(top))

    def exponential(self, poly: Poly) -> Poly:
        """exp of a sum as a product."""
        result = number(1)
        for monomial, value in poly.items():
            result = self.product(result, self._exp_of(monomial, value))
        return result

    def _exp_of(self, monomial: Monomial, value: fmpq) -> Poly:
        if value.q > 60 or abs(value.p) > 60:  # no root and no power of exp(monomial)
            atom = self.table.number(("exp", key_of({monomial: value})))
            return {((atom, 1),): fmpq(1)}
        return self.raised(self._exp_whole(monomial), value)

    def _exp_whole(self, monomial: Monomial) -> Poly:
        if len(monomial) == 1 and monomial[0][1] == 1:
            kind = self.table.atoms[monomial[0][0]]
            if kind[0] == "log":
                inner = poly_of(kind[1])  # type: ignore[arg-type]
                if self.sign(inner) == 2:
                    return inner
        return {((self.table.number(("exp", key_of({monomial: fmpq(1)}))), 1),): fmpq(1)}

    def logarithm(self, poly: Poly) -> Poly:
        """log of a product of positive factors as a sum."""
        if self.sign(poly) != 2:
            return {((self.table.number(("log", key_of(poly))), 1),): fmpq(1)}
        if len(poly) > 1:
            common = {a: p for a, p in common_powers(poly).items() if self.atom_sign(a) == 2}
            if common:
                parts = [scaled(self._log_atom(atom), power) for atom, power in common.items()]
                return added(self.logarithm(divided(poly, common)), *parts)
            scale = abs(content(poly))
            atom = self.table.number(("log", key_of(scaled(poly, 1 / scale))))
            return added(self._log_number(scale), {((atom, 1),): fmpq(1)})
        ((monomial, scale),) = poly.items()
        if any(self.atom_sign(atom) != 2 for atom, _ in monomial) or scale < 0:
            return {((self.table.number(("log", key_of(poly))), 1),): fmpq(1)}
        parts = [scaled(self._log_atom(atom), power) for atom, power in monomial]
        return added(self._log_number(scale), *parts)

    def _log_atom(self, atom: int) -> Poly:
        kind = self.table.atoms[atom]
        if kind[0] == "exp":
            return poly_of(kind[1])  # type: ignore[arg-type]
        if kind[0] == "root":
            return scaled(self.logarithm(poly_of(kind[2])), fmpq(1, int(kind[1])))  # type: ignore[call-overload,arg-type]
        if kind[0] == "inv" and self.sign(poly_of(kind[1])) == 2:  # type: ignore[arg-type]
            return scaled(self.logarithm(poly_of(kind[1])), -1)  # type: ignore[arg-type]
        single = key_of({((atom, 1),): fmpq(1)})
        return {((self.table.number(("log", single)), 1),): fmpq(1)}

    def _log_number(self, value: fmpq) -> Poly:
        total: Poly = {}
        for part, side in ((int(value.p), 1), (int(value.q), -1)):
            for prime in PRIMES:
                count = 0
                while part % prime == 0:
                    part, count = part // prime, count + 1
                if count:
                    add_to(total, scaled(self._log_whole(prime), side * count))
            if part != 1:
                add_to(total, scaled(self._log_whole(part), side))
        return total

    def _log_whole(self, value: int) -> Poly:
        return {((self.table.number(("log", key_of(number(value)))), 1),): fmpq(1)}

    def symbolic_power(self, base: Poly, exponent: Poly) -> Poly:
        """A power whose exponent is free."""
        if self.sign(base) == 2:
            return self.exponential(self.product(exponent, self.logarithm(base)))
        atom = self.table.number(("pow", key_of(base), key_of(exponent)))
        return {((atom, 1),): fmpq(1)}

    # Terms.

    def of(self, term: Term) -> Poly:
        """The normal form of a term."""
        if term not in self._found:
            self._found[term] = self._of(term)
        return self._found[term]

    def _of(self, term: Term) -> Poly:
        if isinstance(term, str):
            return number(rational(term))
        head, *args = term
        if head == "x":
            letter = self.signs.letters.get(str(args[0]))
            if letter is not None:
                return self.of(letter)
            return {((self.table.number(("x", args[0])), 1),): fmpq(1)}
        if head == "at":
            return {((self.table.number(term), 1),): fmpq(1)}
        if head == "sum":
            return summed(self, *args)  # type: ignore[arg-type]
        if head == "+":
            return added(*[self.of(arg) for arg in args])
        if head == "*":
            result = number(1)
            for arg in args:
                result = self.product(result, self.of(arg))
            return result
        if head == "^":
            exponent = self.of(args[1])
            value = constant(exponent)
            if value is not None:
                return self.raised(self.of(args[0]), value)
            return self.symbolic_power(self.of(args[0]), exponent)
        if head == "exp":
            return self.exponential(self.of(args[0]))
        if head == "log":
            return self.logarithm(self.of(args[0]))
        return self._other(str(head), args)

    def _other(self, head: str, args: list[Term]) -> Poly:
        if head == "piecewise":
            atom: Atom = (head, *args)
        else:
            inner = [self.of(arg) for arg in args]
            if head in AT_ZERO and not inner[0]:
                return number(AT_ZERO[head])
            atom = (head, *map(key_of, inner))
        return {((self.table.number(atom), 1),): fmpq(1)}


def _joined(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted((atom, power) for atom, power in powers.items() if power))


def _whole_root(value: int, order: int) -> int | None:
    low, high = 0, 1 << (value.bit_length() // order + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**order < value:
            low = middle + 1
        else:
            high = middle
    return low if low**order == value else None
