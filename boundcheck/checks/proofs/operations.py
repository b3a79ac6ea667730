"""How primitives are read as sums of entries: entries, products, norms, rows and blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import sympy

from boundcheck.certificates.terms import Term
from boundcheck.checks.proofs.definite import bare, is_a, is_power, is_unit, semidefinite
from boundcheck.checks.proofs.places import NoSum, followed, place_in, sizes_of
from boundcheck.expressions.names import Named
from boundcheck.expressions.symbols import Known

if TYPE_CHECKING:
    from boundcheck.checks.proofs.sums import Sums

Places = tuple[str, ...]


def flat(factors: Sequence[sympy.Basic]) -> tuple[list[sympy.Basic], list[sympy.Basic]]:
    """Scalars and matrices of a product, names seen through, identities left out."""
    scalars: list[sympy.Basic] = []
    found: list[sympy.Basic] = []
    for factor in factors:
        while isinstance(factor, Named):
            factor = factor.body
        if factor.is_commutative:
            scalars.append(factor)
        elif isinstance(factor, sympy.Mul):
            inner = flat(factor.args)
            scalars += inner[0]
            found += inner[1]
        elif is_power(factor):
            inner = flat([factor.base] * int(factor.exp))
            scalars += inner[0]
            found += inner[1]
        else:
            found.append(factor)
    kept = [factor for factor in found if not is_unit(factor)]
    return scalars, kept or found[:1]


Operands = Sequence[sympy.Basic]
Here = Mapping[Known, str]


def _places(sums: Sums, places: Operands, array: sympy.Basic, here: Here) -> Places:
    sizes = sizes_of(sums.knowledge.fields, array)
    return tuple(place_in(sums, p, s, here) for p, s in zip(places, sizes, strict=False))


def _entry(sums: Sums, operands: Operands, here: Here) -> Term:
    array, *places = operands
    return sums.entry(array, _places(sums, places, array, here), here)


def _inner(sums: Sums, operands: Operands, here: Here) -> Term:
    left, right = operands
    return sums.over(sizes_of(sums.knowledge.fields, left)[0], lambda index: (
        "*", sums.entry(left, (index,), here), sums.entry(right, (index,), here)))  # fmt: skip


def _form(sums: Sums, operands: Operands, here: Here) -> Term:
    matrix, vector = operands
    return _inner(sums, (vector, sympy.Mul(matrix, vector)), here)


def _norm(sums: Sums, operands: Operands, here: Here) -> Term:
    return ("^", _inner(sums, (operands[0], operands[0]), here), "1/2")


def _trace(sums: Sums, operands: Operands, here: Here) -> Term:
    (matrix,) = operands
    return sums.over(
        sizes_of(sums.knowledge.fields, matrix)[0], lambda i: sums.entry(matrix, (i, i), here)
    )


def _norm_of_values(sums: Sums, operands: Operands, here: Here) -> Term:
    """||f||^2 = c^T K c of a function with the values K c: sums of K v and rows of K."""
    gram, values = operands
    sums.require(semidefinite(sums.knowledge.fields, gram))
    members = [_coefficients(sums, gram, member) for member in sympy.Add.make_args(bare(values))]
    return ("+", *[("*", a, b, _crossed(sums, gram, one, other, here))
                   for a, one in members for b, other in members])  # fmt: skip


def _coefficients(
    sums: Sums, gram: sympy.Basic, member: sympy.Basic
) -> tuple[Term, sympy.Basic]:
    """The factor and vector v, or place, of values K v, or of a row of K. Raises: NoSum."""
    scalars, factors = flat([member])
    factor: Term = ("*", "1", *[sums.scalar(s, {}) for s in scalars])
    if len(factors) == 1 and is_a(factors[0], "row") and bare(factors[0].operands[0]) == bare(gram):
        return factor, factors[0].operands[1]
    own_scalars, own = flat([gram])
    if own_scalars or len(factors) != len(own) + 1 or factors[:-1] != own:
        raise NoSum(f"{member} is not seen to be in the range")
    return factor, factors[-1]


def _crossed(
    sums: Sums, gram: sympy.Basic, one: sympy.Basic, other: sympy.Basic, here: Here
) -> Term:
    """v^T K w, for vectors or places."""
    if one.is_commutative and other.is_commutative:
        return _entry(sums, (gram, one, other), here)
    if one.is_commutative:
        one, other = other, one
    if other.is_commutative:
        return _entry(sums, (sympy.Mul(gram, one), other), here)
    return _inner(sums, (one, sympy.Mul(gram, other)), here)


def _one(sums: Sums, size: sympy.Basic, place: str) -> Term:
    """An entry of the vector of ones of a size. Raises: NoSum at a place of another."""
    if sums.named.get(place) != str(size):
        raise NoSum(f"ones({size}) at a place of another size")
    return "1"


SCALARS: dict[str, Callable[[Sums, Operands, Here], Term]] = {
    "entry": _entry, "inner": _inner, "form": _form, "norm": _norm, "trace": _trace,
    "squared_norm_of_values": _norm_of_values,
}  # fmt: skip
ARRAYS: dict[str, Callable[[Sums, Operands, Places, Here], Term]] = {
    "transpose": lambda s, o, at, here: s.entry(o[0], at[::-1], here),
    "row": lambda s, o, at, here: s.entry(o[0], (*_places(s, o[1:], o[0], here), *at), here),
    "outer": lambda s, o, at, here: (
        "*", s.entry(o[0], at[:1], here), s.entry(o[1], at[1:], here)),
    "entrywise": lambda s, o, at, here: ("*", s.entry(o[0], at, here), s.entry(o[1], at, here)),
    "ones": lambda s, o, at, here: _one(s, o[0], at[0]),
    "pick": lambda s, o, at, here: s.entry(o[0], (followed(s, at[0], o[1]),), here),
    "block": lambda s, o, at, here: s.entry(
        o[0], (followed(s, at[0], o[1]), followed(s, at[1], o[2])), here),
}  # fmt: skip
