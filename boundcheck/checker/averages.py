"""Means over draws inside a world, written out over numbers alone.

Of sums of fair signs times vectors `boundcheck.checker.moments` says how large they are. A sum of
independent variables has the mean and the variance that its terms add up to. Of few draws counted
every outcome is listed; of ever more draws, from atoms whose probabilities stay, what is of degree
two in the counts has the mean of that polynomial, and of what has mean zero lengths are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.checker.counted import Counted
from boundcheck.checker.moments import OfSigns, apart
from boundcheck.expressions.nodes import Average, Total
from boundcheck.worlds.composed import Tuples
from boundcheck.worlds.draws import Counts, Each, Signs
from boundcheck.worlds.fields import Weights

if TYPE_CHECKING:
    from boundcheck.checker.writing import Places, Writing


def number(writing: Writing, expr: Average, at: Places) -> sympy.Expr:
    """A mean written out. Raises: Unwritten where no rule does."""
    draw = expr.drawn.meaning.draw
    if isinstance(expr.body, sympy.Add):
        return sympy.Add(*(number(writing, Average(each, expr.drawn), at)
                           for each in expr.body.args))  # fmt: skip
    if isinstance(draw, Counts):
        return Counted(writing, expr.drawn).mean(expr.body, at)
    outside, inside = apart(expr.body, expr.drawn)
    if not inside:
        return writing.number(expr.body, at)
    factor = writing.number(outside, at)
    if len(inside) == 1 and type(draw) is Signs:
        return factor * OfSigns(writing, expr.drawn).mean(inside[0], at)
    if len(inside) == 1 and type(draw) is Each:
        return factor * _of_independent(writing, inside[0], expr.drawn, at)
    raise writing.unwritten(expr)


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
    field, (index,) = writing.fields.get(name), node.indices
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
