"""Independent Hermitian matrices with finitely many values, each with a law of its own.

Matrix i takes the value A[K i + k] with probability chances[i, k]; X[i] is the place k that was
drawn. A Hermitian d x d matrix stands as a real symmetric one of size 2 d with every eigenvalue
twice, so extreme eigenvalues and norms are those of the complex matrix. Every independent sequence
of mean zero with K values is a sequence of `centred(A, i)`.

>>> from boundcheck.expressions import trace
>>> A = values("A")
>>> moments = trace(variance(A)) <= trace(total(E(drawn(A, i) ** 2), i))
"""

from __future__ import annotations

import sympy

from boundcheck.expressions import index, total, world
from boundcheck.expressions.symbols import Known
from boundcheck.settings.concentration import E, K, P, X, chances, i, n
from boundcheck.settings.matrices import d
from boundcheck.worlds import Derived, Tuples
from boundcheck.worlds.fields import Ends, Field
from boundcheck.worlds.kinds import Hermitian, SemidefiniteHermitian

__all__ = (
    "E", "K", "P", "X", "atom", "atoms", "centred", "chances", "d", "deviation", "drawn", "i",
    "mean", "n", "owner", "place", "positive_values", "values", "variance",
)  # fmt: skip

atoms = world(
    "atoms", Derived(lambda n, K: n * K), rank=0, needs=(n, K),
    says="Number of values of all matrices together.",
)  # fmt: skip
atom, place = index("a", atoms), index("k", K)


def values(name: str, searched: Ends | None = None) -> Known:
    """The values of n random Hermitian matrices in a list, K of each."""
    return _listed(name, Hermitian(d, searched), "Values of the random Hermitian matrices.")


def positive_values(name: str) -> Known:
    """The values of n random positive semi-definite Hermitian matrices in a list, K of each."""
    return _listed(name, SemidefiniteHermitian(d), "Values of the random matrices.")


def _listed(name: str, kind: Field, says: str) -> Known:
    return world(name, Tuples(atoms, kind), units={"matrix": 1}, says=says)


def drawn(A: Known, i: sympy.Expr) -> sympy.Expr:
    """Matrix i as it was drawn: random, through `X`."""
    return A[K * i + X[i]]


def mean(A: Known, i: sympy.Expr) -> sympy.Expr:
    """Expectation of matrix i."""
    return total(chances[i, place] * A[K * i + place], place)


def owner(atom: sympy.Expr) -> sympy.Expr:
    """Which matrix a value belongs to."""
    return sympy.floor(atom / K)


def deviation(A: Known, atom: sympy.Expr) -> sympy.Expr:
    """A value less the expectation of its matrix: a value of a matrix of mean zero."""
    return A[atom] - mean(A, owner(atom))


def centred(A: Known, i: sympy.Expr) -> sympy.Expr:
    """Matrix i as it was drawn less its expectation."""
    return drawn(A, i) - mean(A, i)


def variance(A: Known) -> sympy.Expr:
    """sum_i E (A_i - E A_i)^2, a matrix."""
    return total(chances[i, place] * (A[K * i + place] - mean(A, i)) ** 2, i, place)
