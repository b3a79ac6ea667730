"""Vectors, matrices and spectra as primitives of the language.

Exact values are tuples (vectors) and flint matrices, float values are arrays (..., d) and
(..., n, d) with a batch axis first on what varies.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import MATRICES, square_root, whole
from boundcheck.balls import solved
from boundcheck.errors import ShapeMismatch, Undecided
from boundcheck.expressions.blocks import norm_of_rank_one, rows_of
from boundcheck.expressions.lazy_imports import numpy
from boundcheck.expressions.nodes import primitive, rank_of
from boundcheck.quantities import operators


def _single(number: Any) -> int:
    """A size as an int; in a batch all worlds have one shape."""
    return int(numpy.asarray(number).flat[0]) if not isinstance(number, int) else number


def _batch_entry(array: Any, *places: Any, ranks: list[int]) -> Any:
    places = tuple(numpy.asarray(place).astype(int) for place in places)
    if array.ndim == ranks[0]:
        return array[places]
    if all(place.ndim == 0 for place in places):
        return array[(slice(None), *(int(place) for place in places))]
    return array[(numpy.arange(array.shape[0]), *places)]


@primitive(
    degrees=(1,), batch=_batch_entry, ranked=True, units=lambda first, *_: first,
    rank=lambda array, *places: (rank_of(array) or 0) - len(places),
    shape=lambda array, *places: array[len(places) :],
    latex=lambda shown: f"{{{shown[0]}}}_{{{','.join(shown[1:])}}}",
    text=lambda shown: f"{shown[0]}[{', '.join(shown[1:])}]",
)  # fmt: skip
def entry(array: Any, *places: Any) -> Any:
    """The entry of a vector, matrix or nested tuple at indices that count from zero.

    Raises: Undefined where there is no such entry.
    """
    if len(places) == 1 and type(array) is tuple and isinstance(places[0], int):  # most of them
        if not 0 <= places[0] < len(array):
            operators.places(places, len(array))
        return array[places[0]]
    left = [whole(place) for place in places]
    if len(left) == 1 and isinstance(array, MATRICES) and array.ncols() == 1:
        left.append(0)
    while left:
        if isinstance(array, MATRICES):
            if len(left) != 2:
                raise ShapeMismatch(f"{len(left)} indices on a matrix")
            if not (0 <= left[0] < array.nrows() and 0 <= left[1] < array.ncols()):
                operators.places(left[:1], array.nrows()), operators.places(left[1:], array.ncols())
            return array[left[0], left[1]]
        if not isinstance(array, tuple):
            raise ShapeMismatch("an index on a number")
        operators.places(left[:1], len(array))
        array, left = array[left[0]], left[1:]
    return array


@primitive(
    degrees=(1,), ranks=(None,), rank=2,
    units="same", shape=lambda a: (a[1], a[0]) if len(a) == 2 else (1, a[0]),
    batch=lambda a: numpy.swapaxes(a, -1, -2),
    latex="{{{0:b}}}^{{\\top}}",
    text=lambda shown: f"{shown[0]}.T",
)
def transpose(matrix: Any) -> Any:
    """The transposed matrix; of a vector, its row."""
    if not isinstance(matrix, (tuple, *MATRICES)):
        raise ShapeMismatch("the transpose of a number; leave it out")
    return (operators.column(matrix) if isinstance(matrix, tuple) else matrix).transpose()


@primitive(
    degrees=(1,), ranks=(1,), rank=2, units="same", shape=lambda v: (v[0], v[0]),
    latex=r"\operatorname{{diag}}({0})",
    batch=lambda v: v[..., None] * numpy.eye(v.shape[-1]),
)
def diagonal(values: Any) -> Any:
    """Diagonal matrix of a vector."""
    if any(isinstance(value, arb) for value in values):
        size = len(values)
        return arb_mat(
            size, size, [values[i] if i == j else 0 for i in range(size) for j in range(size)]
        )
    return operators.diagonal(values)


@primitive(ranks=(0,), rank=2, units="none", latex="I", batch=lambda n: numpy.eye(_single(n)))
def identity(size: Any) -> Any:
    """Identity matrix of a size; none of a negative one."""
    return operators.identity(rows_of(size))


@primitive(
    ranks=(0,), rank=1, units="none", latex=r"\mathbf{{1}}", batch=lambda n: numpy.ones(_single(n))
)
def ones(size: Any) -> Any:
    """Vector of ones; none of a negative size."""
    return (fmpq(1),) * rows_of(size)


@primitive(
    degrees=(1,), ranks=(2,), units="same", shape=lambda a: (),
    latex=r"\operatorname{{tr}}\left({0}\right)",
    batch=lambda a: numpy.trace(a, axis1=-2, axis2=-1),
)
def trace(matrix: Any) -> Any:
    """Sum of the diagonal."""
    return operators.trace(matrix)


@primitive(
    degrees=(1, 1), ranks=(1, 1), units="sum", shape=lambda a, b: (),
    latex=r"\langle {0}, {1} \rangle",
    batch=lambda a, b: (a * b).sum(-1),
)
def inner(left: Any, right: Any) -> Any:
    """Inner product of two vectors."""
    return operators.dot(left, right)


@primitive(
    degrees=(1, 2), ranks=(2, 1), units=lambda a, v: a + 2 * v, shape=lambda a, v: (),
    latex=r"{{{1:b}}}^\top {0:b} {1:b}",
    batch=lambda a, v: numpy.einsum("...i,...ij,...j->...", v, a, v),
)
def form(matrix: Any, vector: Any) -> Any:
    """Quadratic form v^T A v."""
    return operators.quadratic_form(matrix, vector)


@primitive(
    ranks=(1,), facts=("nonnegative",), units="same", shape=lambda v: (),
    latex=r"\left\|{0}\right\|",
    batch=lambda v: numpy.sqrt((v * v).sum(-1)),
)
def norm(vector: Any) -> Any:
    """Euclidean norm of a vector; rational if it is one."""
    return square_root(operators.dot(vector, vector))


@primitive(
    degrees=(1, 1), ranks=(1, 1), rank=2, units="sum", shape=lambda a, b: (a[0], b[0]),
    latex=r"{0:b} {{{1:b}}}^\top",
    batch=lambda a, b: a[..., :, None] * b[..., None, :],
)
def outer(left: Any, right: Any) -> Any:
    """The matrix u v^T."""
    return operators.column(left) * operators.column(right).transpose()


@primitive(
    degrees=(1, 1), ranks=(2, 2), rank=2, units="sum", shape=lambda a, b: a,
    latex=r"{0:b} \circ {1:b}",
    batch=lambda a, b: a * b,
)
def entrywise(left: Any, right: Any) -> Any:
    """Entrywise product of two matrices."""
    if (left.nrows(), left.ncols()) != (right.nrows(), right.ncols()):
        raise ShapeMismatch("entrywise product of matrices of two shapes")
    values = [a * b for a, b in zip(left.entries(), right.entries(), strict=True)]
    made = arb_mat if arb_mat in (type(left), type(right)) else fmpq_mat
    return made(left.nrows(), left.ncols(), values)


def _batch_block(a: Any, rows: Any, cols: Any) -> Any:
    rows, cols = numpy.asarray(rows).astype(int), numpy.asarray(cols).astype(int)
    if a.ndim == 2:
        return a[rows[..., :, None], cols[..., None, :]]
    batch = numpy.arange(len(a))[:, None, None]
    rows, cols = numpy.atleast_2d(rows), numpy.atleast_2d(cols)
    return a[batch, rows[..., :, None], cols[..., None, :]]


@primitive(
    degrees=(1,), ranks=(2, 1, 1), rank=2, units="same", shape=lambda a, r, c: (r[0], c[0]),
    batch=_batch_block,
    latex="{0:b}_{{{1},{2}}}",
)
def block(matrix: Any, rows: Any, cols: Any) -> Any:
    """Rows and columns picked by vectors of indices, repeats allowed."""
    rows, cols = operators.places(rows, matrix.nrows()), operators.places(cols, matrix.ncols())
    return type(matrix)(len(rows), len(cols), [matrix[i, j] for i in rows for j in cols])


def _batch_pick(v: Any, places: Any) -> Any:
    places = numpy.asarray(places).astype(int)
    if v.ndim == 1:
        return v[places]
    return numpy.take_along_axis(v, numpy.atleast_2d(places), -1)


@primitive(
    degrees=(1,), ranks=(1, 1), rank=1, units="same", shape=lambda v, p: p,
    batch=_batch_pick,
    latex="{0}_{{{1}}}",
)
def pick(vector: Any, places: Any) -> Any:
    """Entries of a vector at a vector of indices: the targets of a sample."""
    if isinstance(vector, tuple):
        return tuple([vector[place] for place in operators.places(places, len(vector))])
    return tuple([entry.exact(vector, place) for place in places])


def _batch_row(a: Any, place: Any) -> Any:
    place = numpy.asarray(place).astype(int)
    if a.ndim == 2:
        return a[place]
    return a[numpy.arange(len(a)), place] if place.ndim else a[:, int(place)]


@primitive(
    degrees=(1,), ranks=(2, 0), rank=1, units="same", shape=lambda a, i: (a[1],),
    batch=_batch_row,
    latex="{0}_{{{1}}}",
)
def row(matrix: Any, place: Any) -> Any:
    """One row of a matrix as a vector."""
    (here,) = operators.places((place,), matrix.nrows())
    return tuple([matrix[here, j] for j in range(matrix.ncols())])


def _batch_solve(a: Any, b: Any, ranks: list[int]) -> Any:
    solve = numpy.linalg.solve
    return solve(a, b) if ranks[1] == 2 else solve(a, b[..., None])[..., 0]


@primitive(
    ranks=(2, None), rank=lambda a, b: rank_of(b),
    units=lambda a, b: b - a, shape=lambda a, b: b,
    batch=_batch_solve, ranked=True,
    latex=r"{{{0:b}}}^{{-1}} {1:b}",
)
def solution(matrix: Any, right: Any) -> Any:
    """The vector or matrix x with A x = b; where balls are meant, narrower than by an inverse.

    Raises: Undefined for a singular rational matrix, Undecided for balls that may hold one.
    """
    _square(matrix, "inverse")
    if isinstance(right, MATRICES):
        return solved(matrix, right)
    return operators.entries(solved(matrix, operators.column(right)))


def _square(matrix: Any, what: str) -> None:
    if matrix.nrows() != matrix.ncols():
        raise ShapeMismatch(f"{what} of a {matrix.nrows()} x {matrix.ncols()} matrix")


@primitive(
    ranks=(2,), shape=lambda a: (),
    latex=r"\det\left({0}\right)",
    batch=lambda a: numpy.linalg.det(a),
)
def determinant(matrix: Any) -> Any:
    """Determinant of a square matrix."""
    _square(matrix, "determinant")
    return matrix.det()


@primitive(
    ranks=(2,), facts=("nonnegative", "integer"), units="none",
    latex=r"\operatorname{{rank}}\left({0}\right)",
    batch=lambda a: numpy.linalg.matrix_rank(a, tol=1e-9),
)
def matrix_rank(matrix: Any) -> int:
    """Rank of a rational matrix.

    Raises: Undecided for balls.
    """
    if not isinstance(matrix, fmpq_mat):
        raise Undecided("the rank of a matrix that is not rational")
    return matrix.rank()


@primitive(
    rewrite=norm_of_rank_one, ranks=(2,), facts=("nonnegative",),
    units="same", shape=lambda a: (),
    latex=r"\left\|{0}\right\|_{{op}}",
    batch=operators.batched_operator_norm,
)
def operator_norm(matrix: Any) -> Any:
    """Largest singular value; zero for a matrix without rows or columns."""
    if matrix.nrows() == matrix.ncols() == 1:
        return abs(matrix[0, 0])
    return operators.operator_norm(matrix)


@primitive(
    ranks=(2,), facts=("nonnegative",), units="same", shape=lambda a: (),
    latex=r"\left\|{0}\right\|_{{F}}",
    batch=lambda a: numpy.linalg.norm(a, axis=(-2, -1)),
)
def frobenius_norm(matrix: Any) -> Any:
    """Root of the sum of squared entries; rational if it is one."""
    return square_root(sum((entry * entry for entry in matrix.entries()), fmpq(0)))


@primitive(
    ranks=(2,), units="same", shape=lambda a: (),
    latex=r"\lambda_{{\max}}\left({0}\right)",
    batch=lambda a: numpy.linalg.eigvalsh(a).max(-1, initial=-numpy.inf),
)
def largest_eigenvalue(matrix: Any) -> Any:
    """Largest eigenvalue of a symmetric matrix."""
    if matrix.nrows() == matrix.ncols() == 1:
        return matrix[0, 0]
    return operators.largest_eigenvalue(matrix)


@primitive(
    ranks=(2,), units="same", shape=lambda a: (),
    latex=r"\lambda_{{\min}}\left({0}\right)",
    batch=lambda a: numpy.linalg.eigvalsh(a).min(-1, initial=numpy.inf),
)
def smallest_eigenvalue(matrix: Any) -> Any:
    """Smallest eigenvalue of a symmetric matrix."""
    if matrix.nrows() == matrix.ncols() == 1:
        return matrix[0, 0]
    return operators.smallest_eigenvalue(matrix)


@primitive(
    ranks=(2,), rank=1, units="same", shape=lambda a: (a[0],),
    latex=r"\lambda\left({0}\right)",
    batch=lambda a: numpy.linalg.eigvalsh(a),
)
def eigenvalues(matrix: Any) -> Any:
    """Eigenvalues of a symmetric matrix, ascending."""
    return tuple(operators.eigenvalues(matrix))


@primitive(
    ranks=(2,), facts=("nonnegative",), units="same", shape=lambda a: (),
    latex=r"\rho\left({0}\right)",
    batch=lambda a: abs(numpy.linalg.eigvals(a)).max(-1, initial=0),
)
def spectral_radius(matrix: Any) -> Any:
    """Largest modulus of the eigenvalues, complex ones included."""
    from boundcheck.quantities.matrices import spectral_radius as of_any

    _square(matrix, "spectrum")
    return abs(matrix[0, 0]) if matrix.nrows() == 1 else of_any(matrix)


@primitive(
    ranks=(2,), facts=("nonnegative",), units="same", shape=lambda a: (),
    latex=r"\max |{0}|",
    batch=lambda a: abs(a).max((-2, -1), initial=0),
)
def largest_entry(matrix: Any) -> Any:
    """Largest modulus of the entries of a matrix."""
    top: Any = fmpq(0)
    for size in map(abs, matrix.entries()):
        top = arb(top).max(size) if isinstance(size, arb) else max(top, size)
    return top


@primitive(
    degrees=(1,), ranks=(1,), rank=2, units="same", shape=lambda v: (v[0], 1),
    batch=lambda v: v[..., None], latex="{0}",
)
def column(vector: Any) -> Any:
    """A vector as a matrix of one column."""
    return operators.column(vector)


@primitive(
    ranks=(2,), rank=2, units=lambda a: a * Fraction(1, 2), shape=lambda a: a,
    facts=("positive semi-definite",),
    latex=r"{{{0:b}}}^{{1/2}}",
    batch=lambda a: _batch_root(a),
)
def matrix_root(matrix: Any) -> Any:
    """The positive semi-definite root of a positive semi-definite matrix."""
    from boundcheck.quantities.matrices import matrix_square_root

    return matrix_square_root(matrix)


def _batch_root(matrix: Any) -> Any:
    values, vectors = numpy.linalg.eigh(matrix)
    return (vectors * numpy.sqrt(numpy.maximum(values, 0))[..., None, :]) @ vectors.swapaxes(-1, -2)


@primitive(
    ranks=(2,), rank=2, units="none",
    latex=r"e^{{{0}}}",
    shape=lambda a: a,
    batch=lambda a: _batch_exponential(a),
)
def exponential(matrix: Any) -> Any:
    """Matrix exponential. Raises: Undecided where it is too large for a ball."""
    _square(matrix, "exponential")
    found = arb_mat(matrix).exp()
    if not all(entry.is_finite() for entry in found.entries()):
        raise Undecided("an exponential of large entries")
    return found


def _batch_exponential(matrix: Any) -> Any:
    from scipy.linalg import expm

    return expm(matrix)
