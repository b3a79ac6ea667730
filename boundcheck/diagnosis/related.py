"""Fields of a world that stand in a relation: matrices that commute, steps without a drift.

A hypothesis of this kind replaces a field by one that builds nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.expressions.algebra import entry
from boundcheck.expressions.display import bare
from boundcheck.expressions.nodes import Apply, Total
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import Derived, Tuples, promised_field
from boundcheck.worlds.fields import Field, Gram, Matrix, Symmetric, Vector, Weights, as_rational
from boundcheck.worlds.kinds import Hermitian, Projector, SemidefiniteHermitian
from boundcheck.worlds.sources import Coordinates

SQUARE = (Gram, Hermitian, Projector, SemidefiniteHermitian, Symmetric)
DEGREE = 2  # of polynomials in a matrix; larger ones commute with it too, and are not searched


@dataclass(frozen=True)
class Commuting(Field):
    """A square matrix that commutes with one that comes before it in the space.

    In search it is a polynomial in that matrix, with coefficients that are not negative where the
    field asks for a semi-definite one; of projectors it is one of four.
    """

    like: Field
    other: str

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        return _polynomial(self.like, source, earlier[self.other])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        other = earlier[self.other]
        return self.like.admits(value, earlier) and value * other == other * value


@dataclass(frozen=True)
class CommutingList(Field):
    """A list of square matrices that commute, in search polynomials in the first of them."""

    like: Tuples

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw = self.like.build(source, earlier)
        return (*raw[:1], *(_polynomial(self.like.entry, source, raw[0]) for _ in raw[1:]))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and all(
            one * two == two * one for place, one in enumerate(value) for two in value[:place])


def _polynomial(like: Field, source: Coordinates, matrix: fmpq_mat) -> fmpq_mat:
    """A polynomial in a matrix; of one that is to be semi-definite with no coefficient below zero,
    or the square of any, which may be large where the matrix is small."""
    definite = isinstance(like, (Gram, SemidefiniteHermitian))
    squared = definite and source.choice((True, False))
    low = fmpq(0) if definite and not squared else fmpq(-2)
    size = matrix.nrows()
    power = fmpq_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])
    if isinstance(like, Projector):  # of a matrix that is none, zero and the identity alone
        known = [power, fmpq_mat(size, size)]
        known += [matrix, power - matrix] if matrix * matrix == matrix else []
        return known[source.integer(0, len(known) - 1)]
    found = fmpq_mat(size, size)
    for _ in range(DEGREE + 1):
        found += power * source.rational(low, fmpq(2))
        power *= matrix
    return found * found if squared else found


def commuting(fields: Mapping[str, Field]) -> Iterator[tuple[str, dict[str, Field]]]:
    """Every two matrices of one size, and the matrices of every list, as commuting ones."""
    names = list(fields)
    for place, name in enumerate(names):
        field = promised_field(fields[name])
        if isinstance(field, Tuples) and _size(field.entry) is not None:
            yield f"the matrices {name} commute", {name: CommutingList(field)}
        for other in names[:place] if _size(field) is not None else ():
            if _size(promised_field(fields[other])) == _size(field):
                yield f"{other} and {name} commute", {name: Commuting(field, other)}


def _size(field: Field) -> Any:
    """What says how many rows and columns a square matrix has, with its kind; None for others."""
    if isinstance(field, Matrix):
        return ("real", field.rows) if field.rows == field.cols else None
    if not isinstance(field, SQUARE):
        return None
    if isinstance(field, (Hermitian, SemidefiniteHermitian)):
        return "complex", field.d
    return "real", field.size


def invertible(claim: Claim) -> Iterator[tuple[str, dict[str, Field]]]:
    """Every semi-definite matrix that a statement inverts, as one that has an inverse."""
    bodies = [getattr(quantity, "expression", sympy.S.Zero) for quantity in claim.measure.values()]
    inverted = {str(part.base) for body in bodies for part in body.atoms(sympy.Pow)
                if part.exp == -1 and not part.is_commutative}  # fmt: skip
    for name, field in claim.fields.items():
        promised = promised_field(field)
        if isinstance(promised, Gram) and name in inverted and not promised.regular:
            yield f"{name} is regular", {name: Gram(promised.size, regular=True)}


@dataclass(frozen=True)
class Positive(Field):
    """A law all of whose atoms have mass."""

    like: Weights

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return replace(self.like, zeros=False).build(source, earlier)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and all(weight > 0 for weight in value)


def of_full_mass(claim: Claim) -> Iterator[tuple[str, dict[str, Field]]]:
    """Every law by whose weights a statement divides, or of which it takes logarithms, as one all
    of whose atoms have mass."""
    bodies = [getattr(quantity, "expression", sympy.S.Zero) for quantity in claim.measure.values()]
    parts = {part.args[0] for body in bodies for part in body.atoms(sympy.Pow, sympy.log)
             if isinstance(part, sympy.log) or part.exp.is_negative}  # fmt: skip
    divisors = {part.operands[0] for part in parts
                if isinstance(part, Apply) and part.primitive is entry}  # fmt: skip
    for name, field in claim.fields.items():
        promised = promised_field(field)
        if isinstance(promised, Weights) and any(str(law) == name for law in divisors):
            yield f"every weight of {name} is positive", {name: Positive(promised)}


@dataclass(frozen=True)
class NoDrift(Field):
    """Numbers in as many groups as there are laws, of mean zero, or at most one, under each.

    Args: laws: name of the laws, which come before the field in the space. at_most_one: of numbers
    that are not negative, means of at most one instead of zero.
    """

    like: Vector | Matrix
    laws: str
    at_most_one: bool = False

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw, laws = self.like.build(source, earlier), earlier[self.laws]
        entries = [self._moved(group, law) for group, law in _groups(raw, laws)]
        flat = _shrunk([entry for group in entries for entry in group], self.like, earlier)
        return fmpq_mat(raw.nrows(), raw.ncols(), flat) if isinstance(raw, fmpq_mat) else (*flat,)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        if not self.like.admits(value, earlier):
            return False
        groups = _groups(value, earlier[self.laws])
        means = [_mean(group, law) for group, law in groups]
        return all(mean <= 1 if self.at_most_one else mean == 0 for mean in means)

    def _moved(self, group: Sequence[fmpq], law: Sequence[fmpq]) -> list[fmpq]:
        mean = _mean(group, law)
        if self.at_most_one:
            return [entry / max(mean, fmpq(1)) for entry in group]
        return [entry - mean for entry in group]


def _shrunk(
    values: list[fmpq], like: Vector | Matrix, earlier: Mapping[str, Any]
) -> list[fmpq]:
    """Numbers divided by one number, so that they lie in the range around zero of a field."""
    ends = [as_rational(end, earlier) for end in (like.low, like.high) if end is not None]
    most = max((value / end for end in ends if end for value in values), default=fmpq(1))
    return [value / most for value in values] if most > 1 else values


def _groups(value: Any, laws: Any) -> Iterator[tuple[list[fmpq], Any]]:
    """The numbers of every law, in order."""
    flat = value.entries() if isinstance(value, fmpq_mat) else list(value)
    place = 0
    for law in laws:
        yield flat[place : place + len(law)], law
        place += len(law)


def _mean(values: Sequence[Any], weights: Sequence[fmpq]) -> fmpq:
    return sum((fmpq(value) * weight for value, weight in zip(values, weights, strict=True)),
               fmpq(0))  # fmt: skip


def without_drift(fields: Mapping[str, Field]) -> Iterator[tuple[str, dict[str, Field]]]:
    """Steps of processes, and independent variables, whose laws are those of a list."""
    names = list(fields)
    for place, name in enumerate(names):
        field = promised_field(fields[name])
        if not isinstance(field, (Vector, Matrix)):
            continue
        for laws in names[:place]:
            if not _is_drawn(field, promised_field(fields[laws]), fields):
                continue
            if field.low in (0, "0"):
                words = f"{name} has mean at most 1 under each of {laws}"
                yield words, {name: NoDrift(field, laws, at_most_one=True)}
            else:
                words = f"{name} has mean zero under each of {laws}"
                yield words, {name: NoDrift(field, laws)}


def _is_drawn(field: Vector | Matrix, laws: Field, fields: Mapping[str, Field]) -> bool:
    """Whether a field holds one number for every atom of every law of a list."""
    if not isinstance(laws, Tuples) or not isinstance(entry := laws.entry, Weights):
        return False
    if isinstance(field, Matrix):
        return (field.rows, field.cols) == (laws.size, entry.size)
    size = fields.get(str(field.size))
    if not isinstance(size, Derived):
        return False
    import inspect

    return [*inspect.signature(size.rule).parameters] == [str(laws.size), str(entry.size)]


@dataclass(frozen=True)
class MeanZero(Field):
    """A vector with mean zero under weights that come before it in the space."""

    like: Vector
    weights: str

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw = self.like.build(source, earlier)
        mean = _mean(raw, earlier[self.weights])
        return (*_shrunk([value - mean for value in raw], self.like, earlier),)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and not _mean(value, earlier[self.weights])


@dataclass(frozen=True)
class Uncorrelated(Field):
    """A vector without covariance, under weights, with one that comes before it in the space."""

    like: Vector
    weights: str
    other: str

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        raw, centred = self.like.build(source, earlier), self._centred(earlier)
        weights = earlier[self.weights]
        spread = _mean([value * value for value in centred], weights)
        if not spread:
            return raw
        slope = self._covariance(raw, earlier) / spread
        return tuple(value - slope * off for value, off in zip(raw, centred, strict=True))

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and not self._covariance(value, earlier)

    def _centred(self, earlier: Mapping[str, Any]) -> list[fmpq]:
        values = earlier[self.other]
        mean = _mean(values, earlier[self.weights])
        return [value - mean for value in values]

    def _covariance(self, values: Any, earlier: Mapping[str, Any]) -> fmpq:
        products = [a * b for a, b in zip(self._centred(earlier), values, strict=True)]
        return _mean(products, earlier[self.weights])


def uncorrelated(fields: Mapping[str, Field]) -> Iterator[tuple[str, dict[str, Field]]]:
    """Every two vectors under the same weights as uncorrelated ones."""
    names = list(fields)
    for place, name in enumerate(names):
        field = fields[name]
        if not isinstance(field, Vector):
            continue
        same = [other for other in names[:place]
                if getattr(fields[other], "size", None) == field.size]  # fmt: skip
        for weights in same:
            for other in same if isinstance(fields[weights], Weights) else ():
                if isinstance(fields[other], Vector):
                    related = Uncorrelated(field, weights, other)
                    yield f"{other} and {name} are uncorrelated", {name: related}


def signed_factors(relation: sympy.Basic) -> Iterator[sympy.Basic]:
    """That factors of a product that are differences of two terms are not negative.

    >>> a, b, x, y = sympy.symbols("a b x y", real=True)
    >>> list(signed_factors(sympy.Ge(a * b, (a**2 - x**2) * (b**2 - y**2))))
    [a**2 >= x**2, b**2 >= y**2]
    """
    for product in sorted(relation.atoms(sympy.Mul), key=str):
        for factor in sorted(product.args, key=str) if product.is_commutative else ():
            terms = factor.args if factor.is_Add and len(factor.args) == 2 else ()
            above = [term for term in terms if not term.could_extract_minus_sign()]
            below = [-term for term in terms if term.could_extract_minus_sign()]
            if above and below and all(term.free_symbols for term in terms):
                yield sympy.Ge(above[0], below[0], evaluate=False)


@dataclass(frozen=True)
class Normalised(Field):
    """Positive numbers that sum to one."""

    like: Vector

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> Any:
        return Positive(Weights(self.like.size)).build(source, earlier)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return self.like.admits(value, earlier) and sum(value, fmpq(0)) == 1


def normalised(claim: Claim) -> Iterator[tuple[str, dict[str, Field]]]:
    """Positive numbers by which a sum divides, or that others are multiplied by in it, as weights
    that sum to one."""
    weights = {str(thing) for thing, _ in weighing(claim)}
    for name, field in claim.fields.items():
        if isinstance(field, Vector) and name in weights:
            yield f"{name} sums to 1", {name: Normalised(field)}


def weighing(claim: Claim) -> Iterator[tuple[Known, sympy.Expr]]:
    """Positive vectors of any size by which, or times which, a sum takes its terms, and their sums.
    """
    found: dict[Known, sympy.Expr] = {}
    for quantity in claim.measure.values():
        body = getattr(quantity, "expression", sympy.S.Zero)
        for part in body.atoms(Total):
            for factor in sympy.Mul.make_args(bare(part.body)):
                base, power = factor.as_base_exp()
                entries = base.operands if isinstance(base, Apply) else ()
                plain = bool(entries) and abs(power) == 1 and base.primitive is entry
                if plain and list(entries[1:]) == list(part.indices) and base != bare(part.body):
                    found[entries[0]] = Total(base, *part.indices)
    for thing, whole in sorted(found.items(), key=str):
        field = claim.fields.get(str(thing))
        low = field.low if isinstance(field, Vector) else None
        if isinstance(field, Vector) and low in (0, "0") and field.high is None:
            yield thing, whole
