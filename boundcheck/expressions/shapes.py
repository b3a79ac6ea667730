"""The shape reading: whether products and sums of vectors and matrices fit, before any world.

Shapes are tuples of sizes, names or numbers; None is a size that is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from itertools import pairwise
from typing import Any

import sympy

from boundcheck.errors import MalformedStatement
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Binder, Table
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.draws import Counts, Indices, Signs
from boundcheck.worlds.fields import Field, Weights
from boundcheck.worlds.kinds import Hermitian, SemidefiniteHermitian

Size = Any  # a name, an integer, an expression, or None
Shape = tuple[Size, ...]
# Of a claim whose sizes must be the same in every world; None while statements are written.
FIELDS: ContextVar[Mapping[str, Any] | None] = ContextVar("fields", default=None)


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


def fits_everywhere(expr: sympy.Basic, fields: Mapping[str, Any]) -> bool:
    """Whether sizes that must be the same are written the same, by the fields that a claim has.

    A number beside a name fits in some worlds only, and so may what has no known shape.
    """
    token = FIELDS.set(fields)
    try:
        for part in sympy.preorder_traversal(expr):
            sides = part.args if isinstance(part, sympy.Rel) and 0 not in part.args else ()
            if sides and clash(*map(shape_of, sides)):
                return False
            if isinstance(part, sympy.Expr):
                shape_of(part)
    except MalformedStatement:
        return False
    finally:
        FIELDS.reset(token)
    return True


def _of_symbol(symbol: Known) -> Shape | None:
    meaning, fields = symbol.meaning, FIELDS.get()
    if meaning.rank == 0:
        return ()
    if meaning.definition is not None:
        return shape_of(meaning.definition)
    if meaning.draw is not None:
        return _of_draw(meaning.draw, fields or {})
    own = fields is not None and meaning.role in ("world", "parameter")
    domain = fields.get(symbol.name, meaning.domain) if own and fields else meaning.domain
    return shape_of_field(domain, meaning.rank)


def _of_draw(draw: Any, fields: Mapping[str, Any]) -> Shape | None:
    """The shape of an outcome: a draw for each member of a sample, or how often each atom is."""
    if type(draw) in (Indices, Signs):
        return (draw.length,)
    atoms = fields.get(draw.weights) if type(draw) is Counts else None
    return (atoms.size,) if type(atoms) is Weights else None


def shape_of_field(field: Any, rank: int | None) -> Shape | None:
    """The shape of what a field of this package holds, None for one that is code."""
    if rank == 0:
        return ()
    field = promised_field(field) if isinstance(field, Field) else field
    if type(field) in (Hermitian, SemidefiniteHermitian):  # as real matrices
        size = 2 * field.d if isinstance(field.d, int) else f"2*{field.d}"
        return (size, size)
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
            _refuse_unknown(expr)
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
    if shape is None:
        _refuse_unknown(expr)
    elif (len(shape) != 2 or differ(*shape)):
        raise MalformedStatement(
            f"{expr} is a power of {said(shape)}; only square matrices have one"
        )
    return shape


def _refuse_unknown(expr: sympy.Basic) -> None:
    """Raises: MalformedStatement where every shape must be known."""
    if FIELDS.get() is not None:
        raise MalformedStatement(f"{expr} has parts of unknown shape; give them one")


def differ(one: Size, other: Size) -> bool:
    """Whether two sizes cannot be the same: two numbers, or two names; where `fits_everywhere`
    asks, a number beside a name too."""
    if one is None or other is None:
        return False
    if isinstance(one, int) != isinstance(other, int):
        return FIELDS.get() is not None
    return str(one) != str(other)


def clash(one: Shape | None, other: Shape | None) -> bool:
    """Whether two shapes cannot be added. Numbers (shape ()) beside matrices clash too."""
    if one is None or other is None:
        return FIELDS.get() is not None
    return len(one) != len(other) or any(map(differ, one, other))


def said(shape: Shape | None) -> str:
    """A shape in words."""
    if shape is None:
        return "something of unknown shape"
    if not shape:
        return "a number"
    sizes = " x ".join(str(size) for size in shape)
    return f"a vector of length {sizes}" if len(shape) == 1 else f"a {sizes} matrix"
