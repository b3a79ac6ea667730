"""Independent searches of one claim put together, and what one saw as JSON for another process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from boundcheck.claim import Claim
from boundcheck.encoding import decode, encode
from boundcheck.search.admissible import Candidate
from boundcheck.search.arena import KEPT
from boundcheck.search.objective import Assessment
from boundcheck.search.portfolio import SearchResult
from boundcheck.setting import Setting

COUNTS = ("evaluated", "silent", "undecided", "screened", "decided")


def merged(results: Sequence[SearchResult]) -> SearchResult:
    """One result of searches in the order of their shards: what stands after the first violation
    is not looked at, so that it makes no difference whether it was finished.
    """
    ends = [place for place, found in enumerate(results) if found.violation is not None]
    seen = results[: ends[0] + 1] if ends else results
    if len(seen) == 1:
        return seen[0]
    tops = [found for found in seen if found.assessment is not None]
    top = max(tops, key=lambda found: found.assessment.score, default=seen[-1])  # type: ignore[union-attr]
    leader = seen[-1] if ends else top
    pool = sorted((pair for found in seen for pair in found.pool), key=lambda pair: -pair[0])
    counts = {name: sum(getattr(found, name) for found in seen) for name in COUNTS}
    return replace(
        leader, **counts,
        undefined=next((f.undefined for f in seen if f.undefined is not None), None),
        informative=any(found.informative for found in seen),
        complete=all(found.complete for found in seen),
        out_of_time=any(found.out_of_time for found in seen),
        rejected=dict(sum((Counter(found.rejected) for found in seen), Counter())),
        equations={text: sum(found.equations.get(text, 0) for found in seen)
                   for one in seen for text in one.equations},
        turns=dict(sum((Counter(found.turns) for found in seen), Counter())),
        pool=pool[:KEPT],
    )  # fmt: skip


def result_as_json(result: SearchResult) -> dict[str, Any]:
    """A result as another process can read it, its worlds in full."""
    plain = {field.name: getattr(result, field.name) for field in fields(result)}
    undefined = result.undefined
    return {
        **plain,
        "best": _world(result.best),
        "violation": _world(result.violation),
        "assessment": None if result.assessment is None else asdict(result.assessment),
        "undefined": None if undefined is None else [_world(undefined[0]), undefined[1]],
        "pool": [[score, _world(candidate)] for score, candidate in result.pool],
    }


def result_from_json(claim: Claim, data: Mapping[str, Any]) -> SearchResult:
    """The result of a search of a claim that `result_as_json` wrote."""
    undefined, found = data["undefined"], data["assessment"]
    return SearchResult(**{
        **data,
        "best": _candidate(claim, data["best"]),
        "violation": _candidate(claim, data["violation"]),
        "assessment": None if found is None else Assessment(**found),
        "undefined": None if undefined is None else (
            _candidate(claim, undefined[0]), undefined[1]),
        "pool": [(score, _candidate(claim, world)) for score, world in data["pool"]],
    })  # fmt: skip


def _world(candidate: Candidate | None) -> dict[str, Any] | None:
    if candidate is None:
        return None
    values = {name: encode(value) for name, value in candidate.setting.values.items()}
    return {"values": values, "vector": candidate.vector, "whole": candidate.whole}


def _candidate(claim: Claim, data: Mapping[str, Any] | None) -> Candidate | None:
    if data is None:
        return None
    values = {name: decode(value) for name, value in data["values"].items()}
    return Candidate(Setting(claim, values), tuple(data["vector"]), tuple(data["whole"]))
