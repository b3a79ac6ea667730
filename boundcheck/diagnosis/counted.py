"""The logarithm of a number of things, which the bound of the largest of them lost.

What bounds the largest of N sums of random terms grows with the root of log N; print that names no
N has lost that factor more often than N itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.change import COSTS, Change
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import Edit, changed_relation, with_relation
from boundcheck.setting import INEQUALITIES, sides

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.screen import Candidate

NEARER = 0.01  # than the number itself


def lost_counts(case: Case) -> Iterator[Edit]:
    """Bounds with the logarithm, or its root, of the number of things of whose largest they are."""
    form, relation = case.claim.statement, case.claim.statement.relation
    if not isinstance(relation, INEQUALITIES):
        return
    names = sorted(case.lost_sizes)
    logarithms = [sympy.log(sympy.Symbol(name, real=True)) for name in names]

    whole = sides(relation)[1]

    def local(node: sympy.Basic) -> Iterator[Change]:
        factors = [*map(sympy.sqrt, logarithms), *logarithms] if node == whole else logarithms
        for factor in factors if node.is_commutative and not node.is_number else ():
            yield Change(f"a factor {factor} at {node}", "factor", COSTS["symbol"] - NEARER,
                         factor * node)  # fmt: skip

    for change in changed_relation(relation, local):
        if change.kind != "factor" or sides(change.node)[0] != sides(relation)[0]:
            continue
        statement = with_relation(form, change.node)
        if statement is not None:
            yield Edit(change.words, "factor", change.cost, statement, tuple(case.claim.given))


def less_by_one(case: Case, found: Iterable[Candidate]) -> Iterator[Edit]:
    """One less than a size as a lost factor where the size itself may be one: of n points there are
    n - 1 steps."""
    form, relation = case.claim.statement, case.claim.statement.relation
    lost = {item.words for item in found if item.kind == "factor"}
    lengths = sizes(case.claim) if lost and isinstance(relation, INEQUALITIES) else []

    def local(node: sympy.Basic) -> Iterator[Change]:
        for size in lengths if node.is_commutative and not node.is_number else ():
            if node != size and f"a factor {size} at {node}" in lost:
                yield Change(f"a factor {size - 1} at {node}", "factor", COSTS["symbol"] - NEARER,
                             (size - 1) * node, "lasting")  # fmt: skip

    for change in changed_relation(relation, local) if lengths else ():
        statement = with_relation(form, change.node) if change.kind == "factor" else None
        if statement is not None:
            yield Edit(change.words, "factor", change.cost, statement, tuple(case.claim.given),
                       change.action)  # fmt: skip
