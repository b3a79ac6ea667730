"""The shape reading: whether products and sums of vectors and matrices fit, before any world.

Shapes are tuples of sizes, names or numbers; None is a size that is not known.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy

from boundcheck.errors import MalformedStatement
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Binder, Table
from boundcheck.expressions.symbols import Known

Size = Any  # a name, an integer, an expression, or None
Shape = tuple[Size, ...]


def shape_of(expr: sympy.Basic) -> Shape | None:
    """The shape of a value; () of a scalar, None where it is not known.

    Raises: MalformedStatement naming the node whose operands do not fit.
    """
    if isinstance(expr, Known):
        return _of_symbol(expr)
    if isinstance(expr, Apply):
        return _of_primitive(expr)
    if isinstance(expr, Table):
        shape_of(expr.body)
        return tuple(str(each.meaning.size) for each in expr.indices)
    if isinstance(expr, (Binder, Average, Named)):
        return shape_of(expr.body)
    if getattr(expr, "is_commutative", True):
        for arg in expr.args:
            shape_of(arg)
        return ()
    if isinstance(expr, sympy.Add):
        shapes = [shape_of(arg) for arg in expr.args]
        for one, other in pairwise(shapes):
            if clash(one, other):
                raise MalformedStatement(
                    f"{expr} adds {said(one)} to {said(other)}; transpose one or mend a size"
                )
        return next((shape for shape in shapes if shape is not None), None)
    if isinstance(expr, sympy.Mul):
        return _of_product(expr)
    if isinstance(expr, sympy.Pow):
        return _of_power(expr)
    return None


def _of_symbol(symbol: Known) -> Shape | None:
    meaning = symbol.meaning
    if meaning.rank == 0:
        return ()
    if meaning.definition is not None:
        return shape_of(meaning.definition)
    return shape_of_field(meaning.domain, meaning.rank)


def shape_of_field(field: Any, rank: int | None) -> Shape | None:
    if rank == 0:
        return ()
    if type(field).__name__ == "Tuples":
        inner = shape_of_field(field.entry, None if rank is None else rank - 1)
        return None if inner is None else (field.size, *inner)
    parts = [getattr(field, name) for name in ("rows", "cols", "size") if hasattr(field, name)]
    if rank == 2 and len(parts) == 1:
        parts = parts * 2
    return tuple(parts) if len(parts) == rank else None


def _of_primitive(node: Apply) -> Shape | None:
    shapes = [shape_of(arg) for arg in node.operands]
    rule = node.primitive.shape
    if node.rank == 0:
        return ()
    if node.primitive.standard in ("identity", "ones"):
        size = node.operands[0]
        size = int(size) if size.is_Integer else str(size)
        return (size, size) if node.rank == 2 else (size,)
    if rule is None or None in shapes:
        return None
    try:
        found: Shape | None = rule(*shapes)
        return found
    except (IndexError, TypeError) as error:
        given = ", ".join(said(shape) for shape in shapes)
        raise MalformedStatement(
            f"{node} does not fit its operands ({given}); it takes "
            f"{', '.join(node.primitive.parameters)}"
        ) from error


def _of_product(expr: sympy.Mul) -> Shape | None:
    shapes = [shape_of(arg) for arg in expr.args if not arg.is_commutative]
    result = shapes[0]
    for place, shape in enumerate(shapes[1:], 1):
        if result is None or shape is None:
            return None
        if len(result) != 2 or differ(result[-1], shape[0]):
            raise MalformedStatement(
                f"{expr} multiplies {said(result)} by {said(shape)}; write inner(u, v) for "
                "vectors, or transpose a factor"
            )
        result = (*result[:-1], *shape[1:])
        if len(result) < 2 and place < len(shapes) - 1:
            raise MalformedStatement(f"{expr} multiplies a vector from the right; write form(A, v)")
    return result


def _of_power(expr: sympy.Pow) -> Shape | None:
    shape = shape_of(expr.base)
    if shape is not None and (len(shape) != 2 or differ(*shape)):
        raise MalformedStatement(
            f"{expr} is a power of {said(shape)}; only square matrices have one"
        )
    return shape


def differ(one: Size, other: Size) -> bool:
    """Whether two sizes cannot be the same: two numbers, or two names."""
    if one is None or other is None:
        return False
    if isinstance(one, int) != isinstance(other, int):
        return False
    return str(one) != str(other)


def clash(one: Shape | None, other: Shape | None) -> bool:
    """Whether two shapes cannot be added. Numbers (shape ()) beside matrices clash too."""
    if one is None or other is None:
        return False
    return len(one) != len(other) or any(map(differ, one, other))


def said(shape: Shape | None) -> str:
    """A shape in words."""
    if shape is None:
        return "something of unknown shape"
    if not shape:
        return "a number"
    sizes = " x ".join(str(size) for size in shape)
    return f"a vector of length {sizes}" if len(shape) == 1 else f"a {sizes} matrix"
