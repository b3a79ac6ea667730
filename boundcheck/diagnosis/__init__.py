"""What a failure means: how far, by which constant, the nearest statement that stands.

`run` goes through the questions, `case` is one failing claim, `record` what is said of it. May
import what lies below, `describe`, `engine`, `environment`, `ledger`, `library`, `supervision` and
`verification`, and `report` for a formula as it is shown.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from boundcheck.diagnosis.record import Diagnosis, Repair
from boundcheck.errors import InvalidArgument

if TYPE_CHECKING:
    from boundcheck.library import Library
    from boundcheck.verdict import Verdict

FAILING = ("refuted", "malformed")


class NotFailing(InvalidArgument):
    """A claim that is neither refuted nor malformed has no diagnosis."""


def diagnose(
    key: str, library: Library, *, budget: str = "quick", seed: int = 0,
    verdict: Verdict | None = None, known: Mapping[str, str] | None = None,
) -> Diagnosis:  # fmt: skip
    """The diagnosis of one failing claim.

    Args: budget: name of the budget of verdict and trials. seed: non-negative. verdict: of the
    claim, where it is known. known: outcomes of other claims by key, where they are known.

    Raises: NotFailing if the claim does not fail; UnknownKey for an unknown key.
    """
    from boundcheck.checks.base import budget_named
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.constant import constant
    from boundcheck.diagnosis.downstream import dependants
    from boundcheck.diagnosis.extent import extent, settled
    from boundcheck.diagnosis.grade import grade
    from boundcheck.diagnosis.offered import of_grade_first
    from boundcheck.diagnosis.outside import outside
    from boundcheck.diagnosis.repairs import repairs
    from boundcheck.diagnosis.telling import telling
    from boundcheck.diagnosis.trial import Bench
    from boundcheck.engine import verify

    start = time.perf_counter()
    claim = library[key]
    found = verdict
    if found is None:
        found = verify(key, claim, budget=budget, seed=seed, controls=False)
    if found.outcome not in FAILING:
        raise NotFailing(
            f"{key} is {found.outcome}; a diagnosis needs a claim that is refuted or malformed "
            "(`boundcheck verify` shows which are)"
        )
    bench = Bench(key, budget_named(budget), seed)
    case = Case(key, claim, found, bench)
    world = telling(case)
    how_far = extent(case)
    least = None if how_far.corner else constant(case)
    mended = repairs(case, library, known or {}, how_far)
    stated = [library[repair.written] for repair in mended
              if repair.written and repair.kind == "constant" and repair.stands]  # fmt: skip
    how_far = settled(case, how_far, stated)
    rests = dependants(key, library, bench, mended, known or {})
    conclusion, reason, of_grade = grade(case, how_far, least, mended, rests)
    mended = of_grade_first(mended, of_grade)
    how_far = outside(case, library, how_far, of_grade, mended)
    return Diagnosis(
        key, conclusion, reason, how_far, least, mended, _reading(library, mended), rests, world,
        time.perf_counter() - start,
    )  # fmt: skip


def _reading(library: Library, repairs: tuple[Repair, ...]) -> str:
    """The reading under which the print is true, where the library has such a claim that stands."""
    for repair in repairs:
        claim = library.claims.get(repair.written)
        name = repair.written.partition(":")[2]
        same = repair.kind in ("definition", "hypothesis") and not name.startswith("repaired")
        if claim is not None and same:
            return f"true as read in {repair.written}: {claim.reading or claim.source.where}"
    return ""
