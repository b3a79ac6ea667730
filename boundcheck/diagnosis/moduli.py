"""The modulus that a number of either sign has lost: exp(t) for exp(|t|)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.change import AS_GOOD, COSTS, Change
from boundcheck.diagnosis.edits import Edit, changed_relation, with_relation
from boundcheck.setting import INEQUALITIES
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Real

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case


def lost_moduli(case: Case) -> Iterator[Edit]:
    """Inequalities with the modulus of a number of either sign in one of its places."""
    form, relation = case.claim.statement, case.claim.statement.relation
    if not isinstance(relation, INEQUALITIES):
        return
    signed = {symbol for symbol in relation.free_symbols if _takes_either_sign(case, symbol)}

    def local(node: sympy.Basic) -> Iterator[Change]:
        if node in signed:
            size = sympy.Abs(node)
            yield Change(f"{size} for {node}", "symbol", COSTS["sign"] + AS_GOOD, size, "sign")

    words = {change.words for symbol in signed for change in local(symbol)}
    for change in changed_relation(relation, local):
        statement = with_relation(form, change.node) if change.words in words else None
        if statement is not None:
            yield Edit(change.words, "symbol", change.cost, statement, tuple(case.claim.given),
                       "sign")  # fmt: skip


def _takes_either_sign(case: Case, symbol: sympy.Basic) -> bool:
    """Whether a real number has no end on either side, or ends on both sides of zero."""
    known = case.claim.fields.get(str(symbol))
    field = promised_field(known) if isinstance(known, Field) else None
    if not isinstance(field, Real):
        return False
    low, high = field.low, field.high
    below = low is None or (not isinstance(low, str) and low < 0)
    return bool(below and (high is None or (not isinstance(high, str) and high > 0)))
