"""Matrices that are positive semi-definite by their form, and sums with c I that are regular."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from boundcheck.checks.proofs.places import NoSum, field_of
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.draws import Counts
from boundcheck.worlds.fields import Field, Gram, Probabilities, Symmetric, Weights

Fields = Mapping[str, Field]


def bare(expr: sympy.Basic) -> sympy.Basic:
    """An expression behind its name."""
    while isinstance(expr, Named) or (
        isinstance(expr, Known) and expr.meaning.definition is not None
    ):
        expr = expr.body if isinstance(expr, Named) else expr.meaning.definition
    return expr


def regular(fields: Fields, base: sympy.Basic) -> list[sympy.Basic]:
    """What must hold for c I + P, P positive semi-definite by its form, to be regular.

    Raises: NoSum for any other form.
    """
    found = field_of(fields, getattr(bare(base), "name", ""))
    if type(found) is Gram and found.regular:
        return []
    shift: list[sympy.Expr] = []
    needed: list[sympy.Basic] = []
    for member in sympy.Add.make_args(bare(base)):
        scalar, factors = _factors(member)
        if len(factors) == 1 and is_unit(factors[0]):
            shift.append(scalar)
        else:
            needed += _of_word(fields, scalar, factors)
    if not shift:
        raise NoSum(f"{base} is not seen to be regular")
    return [sympy.Gt(sympy.Add(*shift), 0, evaluate=False), *needed]


def semidefinite(fields: Fields, expr: sympy.Basic) -> list[sympy.Basic]:
    """What must hold for a matrix to be positive semi-definite by its form. Raises: NoSum."""
    needed: list[sympy.Basic] = []
    for member in sympy.Add.make_args(bare(expr)):
        needed += _of_word(fields, *_factors(member))
    return needed


def _of_word(
    fields: Fields, scalar: sympy.Expr, factors: list[sympy.Basic]
) -> list[sympy.Basic]:
    """What must hold for a product c A^T P A with P semi-definite or 1. Raises: NoSum."""
    while len(factors) > 1 and _turned(fields, factors[0]) == factors[-1]:
        factors = factors[1:-1]
    sign = [] if scalar == 1 else [sympy.Ge(scalar, 0, evaluate=False)]
    if not factors:
        return sign
    if len(factors) > 1:
        raise NoSum("a product that is not seen to be semi-definite")
    return [*sign, *_letter(fields, factors[0])]


def _letter(fields: Fields, expr: sympy.Basic) -> list[sympy.Basic]:
    if isinstance(expr, sympy.Add):
        return semidefinite(fields, expr)
    known = isinstance(expr, Known) and type(field_of(fields, expr.name)) is Gram
    name = expr.primitive.standard if isinstance(expr, Apply) else ""
    operands = expr.operands if isinstance(expr, Apply) else ()
    if known or is_unit(expr) or (name == "outer" and operands[0] == operands[1]):
        return []
    if name == "diagonal":
        return _weights(fields, operands[0])
    if name == "block" and operands[1] == operands[2]:
        return semidefinite(fields, operands[0])
    raise NoSum(f"{expr} is not seen to be semi-definite")


def _weights(fields: Fields, values: sympy.Basic) -> list[sympy.Basic]:
    scalar, factors = _factors(bare(values))
    row = factors[0] if len(factors) == 1 else None
    if not isinstance(row, Known):
        raise NoSum(f"{values} may be negative")
    law = isinstance(field_of(fields, row.name), (Weights, Probabilities))
    if not law and not isinstance(row.meaning.draw, Counts):
        raise NoSum(f"{values} may be negative")
    return [] if scalar == 1 else [sympy.Ge(scalar, 0, evaluate=False)]


def _turned(fields: Fields, expr: sympy.Basic) -> sympy.Basic | None:
    """The transpose of a letter, if it has one that can stand in a product."""
    if isinstance(expr, Apply) and expr.primitive.standard == "transpose":
        return bare(expr.operands[0])
    symmetric = isinstance(expr, Known) and type(
        field_of(fields, expr.name)) in (Gram, Symmetric)  # fmt: skip
    if symmetric or is_a(expr, "diagonal"):
        return expr
    return None if expr.is_commutative else getattr(expr, "T", None)


def _factors(expr: sympy.Basic) -> tuple[sympy.Expr, list[sympy.Basic]]:
    """Scalar and matrices of a product, behind their names, powers written out."""
    scalar: sympy.Expr = sympy.S.One
    found: list[sympy.Basic] = []
    for factor in sympy.Mul.make_args(bare(expr)):
        factor = bare(factor)
        if factor.is_commutative:
            scalar *= factor
        elif isinstance(factor, sympy.Mul):
            inner = _factors(factor)
            scalar *= inner[0]
            found += inner[1]
        elif is_power(factor):
            found += [bare(factor.base)] * int(factor.exp)
        else:
            found.append(factor)
    return scalar, found


def is_power(expr: sympy.Basic) -> bool:
    """Whether a matrix is a small power of another, without an inverse."""
    return isinstance(expr, sympy.Pow) and expr.exp.is_Integer and 2 <= expr.exp <= 4


def is_a(node: sympy.Basic, name: str) -> bool:
    """Whether a node applies a primitive of a name."""
    return isinstance(node, Apply) and node.primitive.standard == name


def is_unit(expr: sympy.Basic) -> bool:
    """Whether a node is the identity of a size by name: one of a number need not fit."""
    return is_a(expr, "identity") and not expr.operands[0].is_Integer
