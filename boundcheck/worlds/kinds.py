"""Fields of matrices of a kind: independent columns, 0-1, projectors, Hermitian, positive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.errors import InvalidArgument
from boundcheck.worlds.domains import has_shape, is_positive_semidefinite
from boundcheck.worlds.fields import Ends, Field, Matrix, Size, Symmetric, as_size
from boundcheck.worlds.sources import Coordinates


@dataclass(frozen=True)
class Independent(Field):
    """A rational matrix with independent columns, at most as many as rows.

    In search the first rows are a unit triangle: every span of columns has such a basis, up to the
    order of the rows.
    """

    rows: Size
    cols: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        table = Matrix(self.rows, self.cols).build(source, earlier)
        if table.ncols() > table.nrows():
            raise InvalidArgument(
                f"{table.ncols()} independent columns of {table.nrows()} entries; ask for "
                f"{self.cols} <= {self.rows}"
            )
        for i in range(table.ncols()):
            for j in range(i, table.ncols()):
                table[i, j] = fmpq(int(i == j))
        return table

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        return has_shape(value, rows, cols) and value.rank() == cols


@dataclass(frozen=True)
class Binary(Field):
    """A matrix of zeros and ones."""

    rows: Size
    cols: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        return fmpq_mat(rows, cols, [source.integer(0, 1) for _ in range(rows * cols)])

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        rows, cols = as_size(self.rows, earlier), as_size(self.cols, earlier)
        return has_shape(value, rows, cols) and all(entry in (0, 1) for entry in value.entries())


@dataclass(frozen=True)
class Projector(Field):
    """An orthogonal projector: a symmetric rational matrix equal to its square, of any rank."""

    size: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        size = as_size(self.size, earlier)
        found = fmpq_mat(size, size)
        for _ in range(source.integer(0, size)):
            # The part of a direction that is not covered yet; nothing is left of some.
            free = [source.integer(-2, 2) for _ in range(size)]
            column = fmpq_mat(size, 1, free)
            column -= found * column
            square = (column.transpose() * column)[0, 0]
            if square:
                found += column * column.transpose() / square
        return found

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        size = as_size(self.size, earlier)
        return has_shape(value, size, size) and value == value.transpose() == value * value


@dataclass(frozen=True)
class Hermitian(Field):
    """A Hermitian d x d matrix A + iB as the real symmetric 2d x 2d matrix [[A, -B], [B, A]].

    Products and functions of such matrices are again of this form; every eigenvalue and with it
    the trace counts twice. `searched` as of `Vector`, for real and imaginary parts of entries.
    """

    d: Size
    searched: Ends | None = None

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        d = as_size(self.d, earlier)
        real = Symmetric(d, searched=self.searched).build(source, earlier)
        free = Matrix(d, d, searched=self.searched).build(source, earlier)
        turned = (free - free.transpose()) / 2
        return _realified(real, turned)

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        d = as_size(self.d, earlier)
        if not has_shape(value, 2 * d, 2 * d) or value != value.transpose():
            return False
        return all(
            value[i, j] == value[i + d, j + d] and value[i, j + d] == -value[i + d, j]
            for i in range(d) for j in range(d)
        )  # fmt: skip


def _realified(real: fmpq_mat, imaginary: fmpq_mat) -> fmpq_mat:
    """[[A, -B], [B, A]] of A + iB."""
    above = [[*a, *b] for a, b in zip(real.tolist(), (-imaginary).tolist(), strict=True)]
    below = [[*b, *a] for a, b in zip(real.tolist(), imaginary.tolist(), strict=True)]
    return fmpq_mat([[fmpq(entry) for entry in row] for row in (*above, *below)])


@dataclass(frozen=True)
class SemidefiniteHermitian(Field):
    """A positive semi-definite Hermitian d x d matrix of any rank, in the form of `Hermitian`.

    In search it is C C^* / columns for a complex matrix C with up to d columns.
    """

    d: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        d = as_size(self.d, earlier)
        columns = source.integer(1, d)
        real, imaginary = (Matrix(d, columns).build(source, earlier) for _ in range(2))
        factor = _realified(real, imaginary)
        return factor * factor.transpose() / columns

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        return Hermitian(self.d).admits(value, earlier) and is_positive_semidefinite(value)
