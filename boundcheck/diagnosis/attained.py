"""Whether a small world in which the print fails attains a changed bound."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import sympy

from boundcheck.claim import Claim, Holds
from boundcheck.diagnosis.case import KNOWN, Case
from boundcheck.diagnosis.pool import size_of
from boundcheck.diagnosis.trial import fails_at
from boundcheck.search.admissible import Candidates
from boundcheck.setting import INEQUALITIES, Setting, guarded, sides
from boundcheck.verdict import Verdict
from boundcheck.worlds.fields import Field, Integer

SMALL = 4  # sizes whose bounds speak for larger ones
CLEARLY = sympy.Rational(11, 10)  # left over right of a bound that fails by more than a little
TOUCHES = sympy.Rational(101, 100)  # right over left of one that is attained
SHARE = 0.25  # of a trial's evaluations


def attained_where_fails(
    case: Case, changed: Claim, sizes: Collection[str], verdict: Verdict
) -> bool:
    """Whether right is at most a hundredth above left in a world in which the print fails clearly.

    What is equal there owes it to its formula: neither to both sides being trivial nor to how far
    search goes. Args: sizes: names of those that are at most `SMALL`. verdict: of the changed
    claim, whose tightest world is asked first.
    """
    known = [*tightest(changed, verdict), *case.failures]
    pairs = zip(guarded(changed.statement.relation), guarded(case.claim.statement.relation),
                strict=False)  # fmt: skip
    for (premises, part), (_, printed) in pairs:
        if not isinstance(part, INEQUALITIES) or type(part) is not type(printed):
            continue
        (low, high), (was_low, was_high) = sides(part), sides(printed)
        failing = sympy.Ge(was_low, CLEARLY * was_high, evaluate=False)
        apart = sympy.Le(TOUCHES * low, high, evaluate=False)
        try:
            claim = replace(
                _small(changed, sizes), statement=Holds(apart),
                given=(*changed.given, *premises, failing, sympy.Gt(low, 0, evaluate=False)),
            )  # fmt: skip
        except Exception:  # SymPy settled a comparison
            continue
        if any(_fails_small(claim, values, sizes) for values in known):
            return True
        warm = [seen.candidate.vector for seen in case.worlds[:KNOWN] if seen.violated]
        if case.search(claim, f"attained {apart}", SHARE, warm=warm).violation is not None:
            return True
    return False


def tightest(claim: Claim, verdict: Verdict) -> list[Mapping[str, object]]:
    """The worlds in which the searches of a verdict found a claim tightest."""
    vectors = [item.numbers["coordinates"] for item in verdict.evidence
               if "coordinates" in item.numbers]  # fmt: skip
    found = (Candidates(claim).decode(vector) for vector in vectors)
    return [candidate.setting.values for candidate in found if candidate is not None]


def _fails_small(claim: Claim, values: Mapping[str, object], sizes: Collection[str]) -> bool:
    """Whether a claim fails in a known world whose sizes are at most `SMALL`."""
    if any(size_of(values.get(name)) > SMALL for name in sizes):
        return False
    try:
        return fails_at(Setting(claim, values))
    except Exception:  # the world may be none of the narrower claim
        return False


def _small(claim: Claim, sizes: Collection[str]) -> Claim:
    """The claim for small sizes."""
    parameters = {symbol: _at_most(field) if symbol.name in sizes else field
                  for symbol, field in claim.parameters.items()}  # fmt: skip
    if claim.worlds is None:
        return replace(claim, parameters=parameters)
    fields = {name: _at_most(field) for name, field in claim.worlds.fields.items()
              if name in sizes}  # fmt: skip
    return replace(claim, parameters=parameters, worlds=claim.worlds.and_fields(**fields))


def _at_most(field: Field) -> Field:
    if not isinstance(field, Integer) or not isinstance(field.searched, int):
        return field
    return replace(field, searched=min(field.searched, SMALL), wide=False)
