"""Matrices made of parts: direct sums, zeros, products of two vectors."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy
from flint import arb_mat, fmpq_mat

from boundcheck.arithmetic import FUNCTIONS, whole
from boundcheck.errors import ShapeMismatch
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.expressions.nodes import primitive


def rows_of(size: Any) -> int:
    """A number of rows. Raises: ShapeMismatch for a negative one."""
    if (rows := whole(size)) < 0:
        raise ShapeMismatch(f"a block of {rows} rows")
    return rows


@primitive(
    ranks=(0,), rank=2, units="none", latex="0",
    batch=lambda n: numpy.zeros((int(numpy.asarray(n).flat[0]),) * 2),
)  # fmt: skip
def zeros(size: Any) -> Any:
    """Square matrix of zeros; none of a negative size."""
    return fmpq_mat(rows_of(size), rows_of(size))


def _batch_direct_sum(a: Any, b: Any) -> Any:
    batch = numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    rows, cols = a.shape[-2:]
    made = numpy.zeros((*batch, rows + b.shape[-2], cols + b.shape[-1]))
    made[..., :rows, :cols], made[..., rows:, cols:] = a, b
    return made


@primitive(
    ranks=(2, 2), rank=2,
    units=lambda a, b: a, shape=lambda a, b: (None, None),
    batch=_batch_direct_sum,
    latex=r"{0:b} \oplus {1:b}",
)
def direct_sum(first: Any, second: Any) -> Any:
    """Two matrices as blocks on the diagonal."""
    rows, cols = first.nrows(), first.ncols()
    high, wide = rows + second.nrows(), cols + second.ncols()
    made = arb_mat if arb_mat in (type(first), type(second)) else fmpq_mat
    values = [
        first[i, j] if i < rows and j < cols
        else second[i - rows, j - cols] if i >= rows and j >= cols else 0
        for i in range(high) for j in range(wide)
    ]  # fmt: skip
    return made(high, wide, values)


@primitive(
    ranks=(2, 2), rank=2,
    units=lambda a, b: a, shape=lambda a, b: (None, a[1]),
    batch=lambda a, b: numpy.concatenate(_alike(a, b, 2), axis=-2),
    latex=r"\begin{{pmatrix}}{0}\\ {1}\end{{pmatrix}}",
)
def above(first: Any, second: Any) -> Any:
    """The rows of two matrices, those of the first above those of the second.

    Raises: ShapeMismatch for matrices of unequal width.
    """
    if first.ncols() != second.ncols():
        raise ShapeMismatch(f"{first.ncols()} columns above {second.ncols()}")
    made = arb_mat if arb_mat in (type(first), type(second)) else fmpq_mat
    values = [*first.entries(), *second.entries()]
    return made(first.nrows() + second.nrows(), first.ncols(), values)


def beside(first: sympy.Expr, second: sympy.Expr) -> sympy.Expr:
    """The columns of two matrices, those of the first left of those of the second."""
    from boundcheck.expressions.algebra import transpose

    return transpose(above(transpose(first), transpose(second)))


@primitive(
    ranks=(1, 1), rank=1,
    units=lambda a, b: a, shape=lambda a, b: (None,),
    batch=lambda a, b: numpy.concatenate(_alike(a, b, 1), axis=-1),
    latex=r"\left({0},\ {1}\right)",
)
def joined(first: Any, second: Any) -> Any:
    """The entries of two vectors, one after the other."""
    return (*first, *second)


def _alike(a: Any, b: Any, rank: int) -> tuple[Any, Any]:
    """Two stacks with one batch axis, if either has one."""
    batch = numpy.broadcast_shapes(a.shape[:-rank], b.shape[:-rank])
    one, two = (numpy.broadcast_to(v, (*batch, *v.shape[-rank:])) for v in (a, b))
    return one, two


def _batch_minor(a: Any) -> Any:
    found = [numpy.linalg.det(a[..., kept, :][..., kept]) for kept in _blocks(a.shape[-1])]
    return numpy.min(found, axis=0)


def _blocks(size: int) -> list[list[int]]:
    kept = [combinations(range(size), length) for length in range(1, size + 1)]
    return [list(places) for some in kept for places in some]


@primitive(
    ranks=(2,), shape=lambda a: (),
    latex=r"\min_S \det\left({0}_{{S,S}}\right)", batch=_batch_minor,
)
def least_principal_minor(matrix: Any) -> Any:
    """Least determinant of a principal block: not negative iff positive semi-definite.

    Raises: ShapeMismatch for a matrix that is not square, or has no rows.
    """
    if matrix.nrows() != matrix.ncols() or not matrix.nrows():
        raise ShapeMismatch(f"principal minors of a {matrix.nrows()} x {matrix.ncols()} matrix")
    return FUNCTIONS[sympy.Min](*[_minor(matrix, kept) for kept in _blocks(matrix.nrows())])


def _minor(matrix: Any, kept: list[int]) -> Any:
    return type(matrix)(len(kept), len(kept), [matrix[i, j] for i in kept for j in kept]).det()


def norm_of_rank_one(matrix: sympy.Expr) -> sympy.Expr | None:
    """||c u v^T|| = |c| ||u|| ||v||, a rational number where u = v."""
    from boundcheck.expressions.algebra import inner

    numbers, rest = matrix.args_cnc()
    if len(rest) != 1 or getattr(getattr(rest[0], "primitive", None), "name", "") != "outer":
        return None
    left, right = rest[0].operands
    return sympy.Abs(sympy.Mul(*numbers)) * sympy.sqrt(inner(left, left) * inner(right, right))


def at(array: sympy.Expr, *places: Any) -> sympy.Expr:
    """The entry of an expression: of a sum the sum of the entries, of a multiple the multiple."""
    from boundcheck.expressions.algebra import entry

    if isinstance(array, sympy.Add):
        return sympy.Add(*[at(term, *places) for term in array.args])
    if isinstance(array, sympy.Mul):
        scalars = [arg for arg in array.args if arg.is_commutative]
        rest = sympy.Mul(*[arg for arg in array.args if not arg.is_commutative])
        return sympy.Mul(*scalars, entry(rest, *places))
    return entry(array, *places)
