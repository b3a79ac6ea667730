"""Means over draws inside a world, written out over numbers alone.

A norm of a sum of vectors with independent fair signs has a mean between 1/sqrt(3) and 1 times the
root of the sum of their squared norms: E Z >= (E Z^2)^(3/2) / (E Z^4)^(1/2) by Hoelder, and
E Z^4 = (tr K)^2 + 2 sum_{i != j} K_ij^2 <= 3 (tr K)^2 for their Gram matrix K. A sum of independent
variables has the mean and the variance that its terms add up to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy
from flint import arb, fmpq

from boundcheck.expressions import trace
from boundcheck.expressions.nodes import Apply, Average, Total
from boundcheck.worlds.composed import Tuples
from boundcheck.worlds.draws import Each, Signs
from boundcheck.worlds.fields import Gram, Weights

if TYPE_CHECKING:
    from boundcheck.checker.writing import Places, Writing

HALF = sympy.Rational(1, 2)
OF_SIGNS = (1 / arb(3).sqrt()).union(arb(1)), fmpq(3, 4)  # of which a mean is that part, and one


def number(writing: Writing, expr: Average, at: Places) -> sympy.Expr:
    """A mean written out. Raises: Unwritten where no rule does."""
    draw = expr.drawn.meaning.draw
    if isinstance(expr.body, sympy.Add):
        return sympy.Add(*(number(writing, Average(each, expr.drawn), at)
                           for each in expr.body.args))  # fmt: skip
    outside, inside = _apart(expr.body, expr.drawn)
    if not inside:
        return writing.number(expr.body, at)
    factor = writing.number(sympy.Mul(*outside), at)
    if len(inside) == 1 and type(draw) is Signs:
        return factor * _of_signs(writing, inside[0], expr.drawn, at)
    if len(inside) == 1 and type(draw) is Each:
        return factor * _of_independent(writing, inside[0], expr.drawn, at)
    raise writing.unwritten(expr)


def _apart(expr: sympy.Expr, drawn: sympy.Symbol) -> tuple[list[sympy.Expr], list[sympy.Expr]]:
    """Factors without what is drawn, and with it."""
    factors = sympy.Mul.make_args(expr)
    inside = [each for each in factors if drawn in each.free_symbols]
    return [each for each in factors if each not in inside], inside


# Signs.


def _of_signs(
    writing: Writing, expr: sympy.Expr, signs: sympy.Symbol, at: Places
) -> sympy.Expr:
    """Of |c sum_i xi_i a_i| or (c xi^T K xi)^(1/2)."""
    if isinstance(expr, sympy.Abs):
        outside, inside = _apart(expr.args[0], signs)
        root = sympy.Abs(writing.number(sympy.Mul(*outside), at))
        square = _squares(writing, inside, signs)
    elif isinstance(expr, sympy.Pow) and expr.exp == HALF:
        outside, inside = _apart(expr.base, signs)
        root = sympy.sqrt(writing.number(sympy.Mul(*outside), at))
        square = _trace(writing, inside, signs)
    else:
        raise writing.unwritten(expr)
    part = writing.part_of((expr, tuple(at.items())), *OF_SIGNS)
    return part * root * sympy.sqrt(writing.number(square, at))


def _squares(
    writing: Writing, inside: list[sympy.Expr], signs: sympy.Symbol
) -> sympy.Expr:
    """The sum of the squares of what stands beside the signs."""
    if len(inside) != 1 or not isinstance(inside[0], Total) or len(inside[0].indices) != 1:
        raise writing.unwritten(sympy.Mul(*inside))
    (index,) = inside[0].indices
    beside, (*at_index,) = _apart(inside[0].body, signs)
    alone = len(at_index) == 1 and _is_entry(at_index[0], signs, index)
    if not alone or writing.key(index.meaning.size) != signs.meaning.draw.length:
        raise writing.unwritten(inside[0])
    return Total(sympy.Mul(*beside) ** 2, index)


def _trace(writing: Writing, inside: list[sympy.Expr], signs: sympy.Symbol) -> sympy.Expr:
    """The trace of a kernel matrix that stands between the signs."""
    node = inside[0] if len(inside) == 1 else None
    if not isinstance(node, Apply) or node.primitive.standard != "form":
        raise writing.unwritten(sympy.Mul(*inside))
    matrix, vector = node.operands
    field = writing.claim.fields.get(getattr(matrix, "name", ""))
    if vector != signs or type(field) is not Gram or field.size != signs.meaning.draw.length:
        raise writing.unwritten(node)
    return trace(matrix)


def _is_entry(expr: sympy.Basic, array: sympy.Symbol, index: sympy.Symbol) -> bool:
    return (isinstance(expr, Apply) and expr.primitive.standard == "entry"
            and expr.operands == (array, index))


# Sums of independent variables.


def _of_independent(
    writing: Writing, expr: sympy.Expr, drawn: sympy.Symbol, at: Places
) -> sympy.Expr:
    """Of sum_i g(i, X_i), and of its square."""
    power = int(expr.exp) if isinstance(expr, sympy.Pow) and expr.exp == 2 else 1
    node = expr.base if power == 2 else expr
    if not isinstance(node, Total) or len(node.indices) != 1:
        raise writing.unwritten(expr)
    mean, spread = sympy.Integer(0), sympy.Integer(0)
    for count, first, second in _moments(writing, node, drawn, at):
        mean += count * first
        spread += count * (second - first**2)
    return mean if power == 1 else mean**2 + spread


def _moments(
    writing: Writing, node: Total, drawn: sympy.Symbol, at: Places
) -> Iterator[tuple[sympy.Expr, sympy.Expr, sympy.Expr]]:
    """How often each term stands there, its mean and that of its square."""
    name = drawn.meaning.draw.chances
    field, (index,) = writing.claim.fields.get(name), node.indices
    if not isinstance(field, Tuples) or not isinstance(field.entry, Weights):
        raise writing.unwritten(node)
    if writing.key(index.meaning.size) != field.size:
        raise writing.unwritten(node)
    place = drawn[index]
    if drawn in node.body.xreplace({place: sympy.Dummy()}).free_symbols:
        raise writing.unwritten(node)
    for part, count in enumerate(writing.parts.times(field.size)):
        values = [writing.number(node.body, {**at, index: part, place: atom})
                  for atom in range(writing.parts.count(field.entry.size))]  # fmt: skip
        law = [sympy.Symbol(f"{name}[{part}][{atom}]", real=True) for atom in range(len(values))]
        pairs = list(zip(law, values, strict=True))
        yield count, *(sympy.Add(*(w * value**power for w, value in pairs)) for power in (1, 2))
