"""What a claim states: the sides of its comparison, the premises of its implications, its level."""

from __future__ import annotations

import sympy

from boundcheck.claim import Claim, UpToConstant, WithProbability
from boundcheck.errors import InvalidArgument
from boundcheck.setting import flatten, parts, sides


def statement_parts(claim: Claim) -> tuple[sympy.Basic, sympy.Basic]:
    """Left and right side of what the claim asserts; of the first comparison if of several.

    The left side is the smaller one. Raises: InvalidArgument if it asserts no comparison.
    """
    found = parts(claim.statement.relation)
    if not found:
        raise InvalidArgument(
            f"the statement {claim.statement.relation} is no comparison; it has no right side"
        )
    return sides(found[0])


def premises(relation: sympy.Basic) -> list[sympy.Basic]:
    """Premises of the implications in a relation."""
    if isinstance(relation, sympy.Implies):
        return [*flatten(relation.args[0]), *premises(relation.args[1])]
    if isinstance(relation, sympy.And):
        return [item for arg in relation.args for item in premises(arg)]
    return []


def level(claim: Claim) -> sympy.Expr | None:
    """The probability a claim states, or None."""
    form = claim.statement
    if isinstance(form, UpToConstant):
        form = form.inner
    return form.level if isinstance(form, WithProbability) else None
