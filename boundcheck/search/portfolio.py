"""The search for the tightest or violating setting of a claim under one budget of evaluations."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.objective import Assessment, assess

SHARE_KEPT = 0.5  # of log(score) that shrinking must keep


@dataclass
class SearchResult:
    """What a search saw.

    Args:
        best, assessment: the highest-scoring admissible setting, or None.
        violation: a certified violation, unshrunk, or None.
        undefined: the first admissible setting without a value, or None.
        evaluated, silent: admissible settings assessed, and those the statement said nothing on.
        rejected: hypothesis text to number of worlds given up.
    """

    best: Candidate | None = None
    assessment: Assessment | None = None
    violation: Candidate | None = None
    undefined: tuple[Candidate, str] | None = None
    evaluated: int = 0
    silent: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    out_of_time: bool = False
    pool: list[tuple[float, Candidate]] = field(default_factory=list)


Objective = Callable[[Candidate], Assessment]


class Search:
    """Hostile random worlds first, then local moves around the best, until a violation is certain.

    Args:
        candidates: builder of admissible settings.
        objective: assessment of one of them.
        rng: numpy Generator; evaluations: attempts in total; seconds: safety cap.
    """

    def __init__(
        self,
        candidates: Candidates,
        objective: Objective,
        rng: Any,
        *,
        evaluations: int,
        seconds: float = math.inf,
    ) -> None:
        self.candidates = candidates
        self.objective = objective
        self.rng = rng
        self.evaluations = evaluations
        self.deadline = time.monotonic() + seconds
        self.result = SearchResult(rejected=candidates.rejected)

    def run(self) -> SearchResult:
        """Search until a certified violation, the budget, or the deadline."""
        for step in range(self.evaluations):
            explore = step < self.evaluations // 2 or not self.result.pool
            if not explore:
                explore = self.rng.random() < 0.3
            candidate = self.candidates.random(self.rng) if explore else self._neighbour()
            if candidate is not None and self._consider(candidate):
                break
            if time.monotonic() > self.deadline:
                self.result.out_of_time = True
                break
        return self.result

    def _consider(self, candidate: Candidate) -> bool:
        """Assess one candidate; True ends the search."""
        found = self.objective(candidate)
        result = self.result
        result.evaluated += 1
        if found.undefined:
            if result.undefined is None:
                result.undefined = (candidate, found.undefined)
            return False
        if math.isnan(found.score):
            result.silent += 1
            return False
        if result.assessment is None or found.score > result.assessment.score:
            result.best, result.assessment = candidate, found
        result.pool.append((found.score, candidate))
        if len(result.pool) > 40:
            result.pool.sort(key=lambda item: -item[0])
            del result.pool[12:]
        if found.violated:
            result.best, result.assessment, result.violation = candidate, found, candidate
            return True
        return False

    def _neighbour(self) -> Candidate | None:
        rng, pool = self.rng, self.result.pool
        pool.sort(key=lambda item: -item[0])
        rank = min(int(rng.geometric(0.35)) - 1, len(pool) - 1)
        vector = list(pool[rank][1].vector)
        if not vector:
            return self.candidates.random(rng)
        moves = 1 + int(rng.integers(3))
        scale = 10.0 ** -float(rng.uniform(0.3, 4))
        for _ in range(moves):
            position = int(rng.integers(len(vector)))
            if rng.random() < 0.25:
                vector[position] = float(rng.choice((0.0, 0.5, 1.0, rng.random())))
            else:
                vector[position] = min(max(vector[position] + scale * rng.normal(), 0.0), 1.0)
        return self.candidates.decode(vector)


def deterministic_objective(outcomes: int) -> Objective:
    """Assessment by exact enumeration up to the given number of outcomes."""
    return lambda candidate: assess(candidate.setting, outcomes=outcomes)
