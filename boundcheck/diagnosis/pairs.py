"""Two slips in one statement: pairs of cheap edits, offered where no single one stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.change import Change, Local
from boundcheck.diagnosis.changes import local_changes
from boundcheck.diagnosis.edits import Edit, changed_relation, with_relation
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.relaxed import relaxed
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.turned import touches
from boundcheck.setting import parts

FIRST = 40  # edits that another one is added to
MOST = 3000  # pairs that are offered
CHEAP = 2.35  # a sign, a power, a symbol for another one, a factor two
BOTH = 0.75  # of the cost of both: slips come together


@dataclass(frozen=True)
class _Pairs:
    """What the pairs of one relation share."""

    relation: sympy.Basic
    local: Local

    def cheapest(self, relation: sympy.Basic) -> list[Change]:
        """The cheapest slips of a relation, one for each that they lead to."""
        found: dict[sympy.Basic, Change] = {}
        for change in changed_relation(relation, self.local):
            slip = change.cost <= CHEAP and change.kind in ("symbol", "constant")
            better = change.node not in found or found[change.node].cost > change.cost
            if slip and better:
                found[change.node] = change
        return sorted(found.values(), key=lambda change: (change.cost, change.words))

    def __iter__(self) -> Iterator[tuple[Change, Change]]:
        firsts = self.cheapest(self.relation)
        seen = {self.relation, *(first.node for first in firsts)}
        for first in firsts[:FIRST]:
            for second in () if says_nothing(first.node) else self.cheapest(first.node):
                same = second.words == first.words or says_nothing(second.node)
                if second.node not in seen and not same:
                    seen.add(second.node)
                    yield first, second


def says_nothing(relation: sympy.Basic) -> bool:
    """Whether some comparison has one formula on both sides, as it is spelled."""
    return any(str(part.args[0]) == str(part.args[1]) for part in parts(relation)
               if isinstance(part, sympy.Rel))  # fmt: skip


def pairs(claim: Claim) -> Iterator[Edit]:
    """Statements with two slips of the pen mended, at most `MOST`."""
    relation = claim.statement.relation
    both = _Pairs(relation, local_changes(claim, relation))
    for _, (first, second) in zip(range(MOST), both, strict=False):
        statement = with_relation(claim.statement, second.node)
        if statement is not None:
            words = f"{first.words} and {second.words}"
            yield Edit(words, "symbols", BOTH * (first.cost + second.cost), statement,
                       tuple(claim.given))  # fmt: skip


def may_be_two(case: Case, found: list[Repair]) -> bool:
    """Whether two slips are looked for: where no change stands, of an equation no single edit."""
    plain = case.explicit and not case.concrete and not case.claim.undefined
    if case.has_inequality:
        return plain and not found
    return plain and all(repair.kind == "hypothesis" and not repair.written for repair in found)


def of_pairs(case: Case) -> Iterator[Candidate]:
    """Two slips mended at once, of an inequality only to one that some world attains; last of all
    an inequality for an equation."""
    yield from relaxed(case)
    for item in screened(case, pairs(case.claim)):
        if not case.has_inequality or touches(case, item.claim.statement):
            yield item
