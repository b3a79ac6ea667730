"""Functions of numbers that a statement applies to vectors or matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.arithmetic import FUNCTIONS
from boundcheck.errors import MalformedStatement

if TYPE_CHECKING:
    from boundcheck.claim import Claim

INSTEAD = {sympy.Abs: "norm(...)", sympy.exp: "exponential(...)"}


def require_numbers(claim: Claim) -> None:
    """Refuse |v| of a vector, its square, and powers of matrices that are no whole numbers.

    Raises: MalformedStatement naming the part, and what to write for it.
    """
    from boundcheck.expressions.nodes import KINDS, rank_of

    for text in _texts(claim):
        for part in sympy.preorder_traversal(text):
            if isinstance(part, sympy.Pow) and not part.base.is_commutative:
                if rank_of(part.base) == 1:
                    raise MalformedStatement(
                        f"{part} is a power of a vector; write inner({part.base}, {part.base}) "
                        "for its square, or table(...) for powers of its entries"
                    )
                if not _whole(part.exp, claim):
                    raise MalformedStatement(
                        f"{part} is a power of a matrix that is no whole number; write "
                        "matrix_root(...) for a root, or an Integer for the exponent"
                    )
            elif type(part) in FUNCTIONS:
                for argument in part.args:
                    if argument.is_commutative is False and rank_of(argument) in (1, 2):
                        instead = INSTEAD.get(type(part), "norm(...)")
                        raise MalformedStatement(
                            f"{part} is a function of a number at {KINDS[rank_of(argument)]}; "
                            f"write {instead}, or table(...) for its entries"
                        )


def _texts(claim: Claim) -> Iterator[sympy.Basic]:
    """All expressions of a claim that say what a number is."""
    yield from (claim.statement.relation, *claim.given)
    for quantity in claim.measure.values():
        expression = getattr(quantity, "expression", None)
        if isinstance(expression, sympy.Basic):
            yield expression


def _whole(exponent: sympy.Expr, claim: Claim) -> bool:
    """Whether an exponent may be a whole number in every world: none of its symbols is real."""
    from boundcheck.worlds.fields import Real

    real = any(isinstance(claim.fields.get(s.name), Real) for s in exponent.free_symbols)
    return not real and exponent.is_integer is not False
