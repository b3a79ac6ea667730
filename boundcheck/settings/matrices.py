"""Square matrices of one size d, a vector, and lists of matrices."""

from __future__ import annotations

from boundcheck.expressions import index, world
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import Gram, Integer, Matrix, Symmetric, Tuples, Vector
from boundcheck.worlds.fields import Ends

d = world("d", Integer(1, searched=3), says="Size of the matrices.")
r, c = index("r", d), index("c", d)
u = world("u", Vector(d), units={"u": 1}, says="Any vector.")


def symmetric(name: str, searched: Ends | None = None) -> Known:
    """Any symmetric matrix."""
    return world(name, Symmetric(d, searched=searched), units={"matrix": 1})


def semidefinite(name: str) -> Known:
    """Any positive semi-definite matrix."""
    return world(name, Gram(d), units={"matrix": 1}, facts=("positive semi-definite",))


def square(name: str) -> Known:
    """Any square matrix."""
    return world(name, Matrix(d, d), units={"matrix": 1})


def several(name: str, number: Known, searched: Ends | None = None) -> Known:
    """A list of symmetric matrices: `A[i]` is the one of index i."""
    return world(name, Tuples(number, Symmetric(d, searched=searched)), units={"matrix": 1})


A, B, C = (symmetric(name) for name in "ABC")
