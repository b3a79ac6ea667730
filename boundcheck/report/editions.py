"""Readings of one statement side by side: what the editions print, and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from boundcheck.report.prose import split_key
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
    assert first.claim and second.claim
    same = first.claim.fingerprint() == second.claim.fingerprint()
    notes = [] if same else _compared(first, second)
    one, two = (f"{sorted_text(view)}" for view in (first, second))
    if one != two:
        notes.append(f"hypotheses differ: {one or 'none'} against {two or 'none'}")
    return Difference(first, second, same, notes)


def sorted_text(view: ClaimView) -> str:
    """The hypotheses of a claim as one sorted line."""
    return ", ".join(sorted(str(given) for given in view.claim.given)) if view.claim else ""


def _compared(first: ClaimView, second: ClaimView) -> list[str]:
    """What the editions check says, from its evidence or from its own comparison."""
    name = split_key(second.key)[2]
    said = [c.detail for c in first.checks + second.checks if c.name == "editions" and c.detail]
    if said or find_spec("boundcheck.checks.editions") is None:
        return list(dict.fromkeys(said))
    compare: Any = getattr(import_module("boundcheck.checks.editions"), "compare", None)
    if compare is None:
        return []
    try:
        return [str(compare(first.claim, second.claim))]
    except Exception as error:  # a comparison that fails is said aloud, the page is still written
        return [f"the comparison with {name} failed: {' '.join(str(error).split())}"]
