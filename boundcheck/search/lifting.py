"""Symmetric matrices of a world moved to where their least eigenvalue meets a hypothesis.

Random symmetric matrices of several rows are seldom positive definite, so that a theorem on those
would be looked at in one dimension alone. A multiple of the identity lifts every eigenvalue alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply
from boundcheck.setting import INEQUALITIES, Setting, flatten, sides
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Symmetric

PARTS = 16  # a lift is a whole number of so many parts: some matrices end close to the edge
MOST = 10**6  # lifts beyond it are no worlds to begin with


def liftable(claim: Claim) -> dict[sympy.Basic, list[str]]:
    """Comparisons among the hypotheses that ask for large least eigenvalues, with the matrices."""
    if any(isinstance(field, Derived) for field in claim.fields.values()):
        return {}  # what is built from a matrix would not follow it
    asked = [part for condition in claim.given for part in flatten(condition)
             if isinstance(part, INEQUALITIES)]  # fmt: skip
    found = {part: list(_matrices(claim, sides(part)[1])) for part in asked}
    return {part: names for part, names in found.items() if names}


def _matrices(claim: Claim, side: sympy.Expr) -> Iterator[str]:
    """Matrices of the world that stand alone or as a term in that whose eigenvalue a side is."""
    quantity = claim.measured.get(side.name) if isinstance(side, sympy.Symbol) else None
    whole = quantity.whole if isinstance(quantity, Definition) else side
    if isinstance(whole, Apply) and whole.primitive.standard == "smallest_eigenvalue":
        terms = sympy.Add.make_args(whole.operands[0])
        for term in terms:
            others = [other for other in terms if other is not term]
            alone = isinstance(term, sympy.Symbol) and term not in _symbols(others)
            if alone and type(claim.fields.get(term.name)) is Symmetric:
                yield term.name


def _symbols(terms: list[sympy.Basic]) -> set[sympy.Basic]:
    return {symbol for term in terms for symbol in term.free_symbols}


def lifted(setting: Setting, relation: sympy.Basic, name: str) -> Setting | None:
    """The setting with a matrix lifted until a comparison of `liftable` holds; None if it cannot.

    Whether the hypotheses hold there is left to be decided.
    """
    low, high = sides(relation)
    try:
        with precision(PRECISIONS[0]):
            gap = exact.to_float(setting.evaluate(low)) - exact.to_float(setting.evaluate(high))
    except (Undefined, Undecided):
        return None
    if not abs(gap) < MOST:
        return None
    matrix: Any = setting(name)
    lift = fmpq(max(int(gap * PARTS), 0) + 1, PARTS)
    side = matrix.nrows()
    identity = fmpq_mat(side, side, [int(i == j) for i in range(side) for j in range(side)])
    return setting.replaced(**{name: matrix + identity * lift})
