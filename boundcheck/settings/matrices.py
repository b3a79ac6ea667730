"""Matrices of one size d and of many kinds, a vector, and lists of matrices.

>>> from boundcheck.expressions import frobenius_norm, greatest, norm, total, trace
>>> from boundcheck.settings.concentration import i, n
>>> from boundcheck.worlds import Gram
>>> contraction = norm(projector("P") * u) <= norm(u)
>>> B, H = binary("B"), hermitian("H")
>>> entries = trace(B * B.T) <= d**2
>>> spectrum = trace(H) ** 2 <= 2 * d * trace(H * H)
>>> A = several("A", n, kind=Gram(d))
>>> traces = trace(total(A[i], i)) <= n * greatest(trace(A[i]), i)
>>> C, D = semidefinite("C"), symmetric("D")
>>> product = trace(C * D) <= frobenius_norm(C) * frobenius_norm(D)
"""

from __future__ import annotations

from boundcheck.expressions import index, world
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import Gram, Integer, Matrix, Symmetric, Tuples, Vector
from boundcheck.worlds.fields import Ends, Field
from boundcheck.worlds.kinds import Binary, Hermitian, Projector

d = world("d", Integer(1, searched=3), says="Size of the matrices.")
r, c = index("r", d), index("c", d)
u = world("u", Vector(d), units={"u": 1}, says="Any vector.")


def symmetric(name: str, searched: Ends | None = None) -> Known:
    """Any symmetric matrix."""
    return world(name, Symmetric(d, searched=searched), units={"matrix": 1})


def semidefinite(name: str, latex: str = "") -> Known:
    """Any positive semi-definite matrix."""
    facts = ("positive semi-definite",)
    return world(name, Gram(d), units={"matrix": 1}, facts=facts, latex=latex)


def square(name: str) -> Known:
    """Any square matrix."""
    return world(name, Matrix(d, d), units={"matrix": 1})


def projector(name: str) -> Known:
    """Any orthogonal projector, of any rank."""
    return world(name, Projector(d), facts=("positive semi-definite",))


def binary(name: str) -> Known:
    """Any matrix of zeros and ones."""
    return world(name, Binary(d, d))


def hermitian(name: str) -> Known:
    """Any Hermitian matrix, as a real symmetric one of size 2 d with every eigenvalue twice."""
    return world(name, Hermitian(d), units={"matrix": 1})


def several(
    name: str, number: Known, searched: Ends | None = None, kind: Field | None = None
) -> Known:
    """A list of matrices: `A[i]` is the one of index i.

    Args: kind: a field of the matrices, as `Gram(d)`, `Projector(d)`, `Binary(d, d)`,
    `Hermitian(d)`; symmetric ones if none is given.
    """
    return world(name, Tuples(number, kind or Symmetric(d, searched=searched)),
                 units={"matrix": 1})  # fmt: skip


A, B, C = (symmetric(name) for name in "ABC")
