"""Who plays in a search, from which budget on, and with what weight in the bandit."""

from __future__ import annotations

from dataclasses import dataclass

from boundcheck.search.evolution import cma_es, differential_evolution
from boundcheck.search.members import (
    Member,
    corner_worlds,
    local_moves,
    plain_worlds,
    random_worlds,
)
from boundcheck.search.polish import polish


@dataclass(frozen=True)
class Entrant:
    """A member and its rules.

    Args:
        member: None for Hypothesis, which runs its own loop.
        least: smallest budget of a search in which it plays. credit: what it starts with.
        floor, floor_tight: weight without credit, before and after the bound is tight somewhere.
    """

    name: str
    member: Member | None
    least: int
    credit: float
    floor: float
    floor_tight: float


# Model-free members come first: below a few hundred evaluations a population learns nothing.
PORTFOLIO = (
    Entrant("random", random_worlds, 0, 0.45, 0.1, 0.8),
    Entrant("moves", local_moves, 0, 0.4, 0.08, 0.15),
    Entrant("polish", polish, 100, 0.35, 0.08, 0.1),
    Entrant("evolution", differential_evolution, 400, 0.2, 0.08, 0.08),
    Entrant("cma", cma_es, 400, 0.4, 0.08, 0.05),
    Entrant("hypothesis", None, 1000, 0.03, 0.03, 0.02),
)

# What is wide open falls to uniform worlds first, what is tied or at an end to the others.
BESIDE = (Entrant("plain", plain_worlds, 0, 0.0, 0.0, 0.0),
          Entrant("corners", corner_worlds, 0, 0.0, 0.0, 0.0))  # fmt: skip
GENERIC = "random", "plain"
