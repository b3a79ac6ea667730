"""Equations that hold in one direction: where nothing else mends one, `<=` or `>=` was meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.change import COSTS
from boundcheck.diagnosis.edits import with_relation
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.turned import TOUCHES

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case


def relaxed(case: Case) -> Iterator[Candidate]:
    """The claim with one equation of numbers as an inequality that some world attains.

    Of an inequality that no world comes near nobody would have printed that the sides are equal.
    """
    form, table = case.claim.statement, case.table
    relation = form.relation
    whole = relation if isinstance(relation, sympy.And) else None
    for part in (relation,) if whole is None else whole.args:
        if not isinstance(part, sympy.Eq) or not table.kept:
            continue
        if any(not isinstance(side, sympy.Expr) or not side.is_commutative for side in part.args):
            continue
        for weaker in (sympy.Le, sympy.Ge):
            node = weaker(*part.args, evaluate=False)
            alone, changed = with_relation(form, node), node
            if whole is not None:
                changed = sympy.And(*(node if each is part else each for each in whole.args),
                                    evaluate=False)  # fmt: skip
            statement = with_relation(form, changed)
            if statement is None or alone is None or table.slack(alone) > TOUCHES:
                continue
            failing = table.violated(statement, case.claim.given)
            if failing is None or failing.any():
                continue
            place = "" if whole is None else f" between {part.lhs} and {part.rhs}"
            yield Candidate(f"{node.rel_op} for ={place}", "symbol", COSTS["direction"],
                            replace(case.claim, statement=statement), turned=True)  # fmt: skip
