"""What a pen gets wrong of matrices: transposes, squares, the order of a product."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from boundcheck.diagnosis.change import COSTS, Change
from boundcheck.expressions.algebra import transpose
from boundcheck.expressions.matrix_words import SYMMETRIC
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.symbols import Known


def transposed(node: sympy.Basic) -> Iterator[Change]:
    """A matrix for its transpose and back."""
    if isinstance(node, Known) and node.rank == 2:
        yield Change(f"the transpose of {node}", "symbol", COSTS["power"], node.T)
    if isinstance(node, Apply) and node.primitive is transpose:
        (inner,) = node.operands
        yield Change(f"no transpose of {inner}", "symbol", COSTS["power"], inner)


def squared(matrix: sympy.Expr) -> Iterator[Change]:
    """The square of a matrix, or the product with its transpose, for the matrix."""
    if isinstance(matrix, Known) and matrix.rank == 2:
        symmetric = isinstance(matrix.meaning.domain, SYMMETRIC)
        for product in dict.fromkeys((matrix * matrix if symmetric else matrix.T * matrix,
                                      matrix * matrix)):
            yield Change(f"{product} for {matrix}", "symbol", COSTS["power"], product)


def half_transposed(matrix: sympy.Expr) -> Iterator[Change]:
    """A matrix times its transpose for its square."""
    if isinstance(matrix, Known) and matrix.rank == 2:
        for product in (matrix * matrix.T, matrix.T * matrix):
            words = f"{product} for {matrix**2}"
            yield Change(words, "symbol", COSTS["power"], product)


def reordered(node: sympy.Mul) -> Iterator[Change]:
    """A product of matrices with two neighbours exchanged."""
    for place in range(len(node.args) - 1):
        first, second = node.args[place : place + 2]
        if not (first.is_commutative or second.is_commutative):
            product = sympy.Mul(*node.args[:place], second, first, *node.args[place + 2 :])
            yield Change(f"{second*first} for {first*second}", "symbol", COSTS["order"], product)
