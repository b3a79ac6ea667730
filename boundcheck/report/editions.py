"""Readings of one statement side by side: what the editions print, and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise

from boundcheck.claim import Claim
from boundcheck.report.views import ClaimView


@dataclass(frozen=True)
class Difference:
    """Two readings of a statement; `same` says whether relation and hypotheses coincide."""

    first: ClaimView
    second: ClaimView
    same: bool
    notes: list[str]


def differences(group: Sequence[ClaimView]) -> list[Difference]:
    """Consecutive pairs among the readings of one statement, proof steps left out."""
    readings = [view for view in group if view.claim and not view.is_step]
    return [_difference(first, second) for first, second in pairwise(readings)]


def _difference(first: ClaimView, second: ClaimView) -> Difference:
    one, two = first.claim, second.claim
    assert one and two
    if one.fingerprint() == two.fingerprint():
        return Difference(first, second, True, [])
    aspects = {
        "the relation": one.statement.relation != two.statement.relation,
        "the kind of statement or its level": _form(one) != _form(two),
        "the hypotheses": set(one.given) != set(two.given),
    }
    apart = ", ".join(name for name, differs in aspects.items() if differs) or "the order of parts"
    return Difference(first, second, False, [f"They differ in {apart}.", *_compared(first, second)])


def _form(claim: Claim) -> tuple[str, str, str]:
    inner = getattr(claim.statement, "inner", claim.statement)
    return claim.statement.name, inner.name, str(getattr(inner, "level", ""))


def _compared(first: ClaimView, second: ClaimView) -> list[str]:
    """Ratio of the right sides and points of difference, for readings from two editions.

    What is printed stands beside it as formulas, so only these lines of a comparison are kept.
    """
    one, two = first.claim, second.claim
    if one is None or two is None or one.source.source == two.source.source:
        return []
    if find_spec("boundcheck.checks.editions") is None:
        return []
    try:
        text = str(import_module("boundcheck.checks.editions").compare(one, two))
    except Exception as error:  # a comparison that fails is said aloud, the page is still written
        return [f"The comparison failed: {' '.join(str(error).split())}"]
    return [line[:1].upper() + line[1:] for line in text.splitlines()
            if line.startswith(("ratio ", "at "))]  # fmt: skip
