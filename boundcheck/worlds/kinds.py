"""Fields of matrices of a kind: 0-1 matrices, orthogonal projectors, Hermitian matrices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.worlds.domains import has_shape
from boundcheck.worlds.fields import Field, Matrix, Size, Symmetric, as_size
from boundcheck.worlds.sources import Coordinates


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
    the trace counts twice.
    """

    d: Size

    def build(self, source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
        d = as_size(self.d, earlier)
        real = Symmetric(d).build(source, earlier)
        free = Matrix(d, d).build(source, earlier)
        turned = (free - free.transpose()) / 2
        return fmpq_mat(2 * d, 2 * d, [
            fmpq(entry) for i in range(2 * d) for entry in (
                [*real.tolist()[i], *(-turned).tolist()[i]] if i < d
                else [*turned.tolist()[i - d], *real.tolist()[i - d]])
        ])  # fmt: skip

    def admits(self, value: Any, earlier: Mapping[str, Any]) -> bool:
        d = as_size(self.d, earlier)
        if not has_shape(value, 2 * d, 2 * d) or value != value.transpose():
            return False
        return all(
            value[i, j] == value[i + d, j + d] and value[i, j + d] == -value[i + d, j]
            for i in range(d) for j in range(d)
        )  # fmt: skip
