"""Claims with a symbol that nothing defines, with a known one in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sympy.logic.boolalg import BooleanAtom

from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.screen import Candidate


def named(case: Case) -> Iterator[Candidate]:
    """Known symbols of the claim, its parameters first, in the place of an undefined one."""
    claim = case.claim
    rest = sorted(claim.statement.free_symbols() - set(claim.undefined), key=str)
    for unknown in sorted(claim.undefined, key=str):
        for symbol in dict.fromkeys([*claim.parameters, *claim.measure, *rest]):
            if symbol.is_commutative != unknown.is_commutative:
                continue
            given = [condition.xreplace({unknown: symbol}) for condition in claim.given]
            if any(isinstance(condition, BooleanAtom) for condition in given):
                continue  # x >= x asks nothing
            statement = claim.statement.with_relation(
                claim.statement.relation.xreplace({unknown: symbol})
            )
            left = frozenset(claim.undefined) - {unknown}
            changed = replace(claim, given=given, statement=statement, undefined=left)
            yield Candidate(f"{symbol} for the undefined {unknown}", "symbol", 2.0, changed)
