"""Paths in trees whose nodes have laws of their own: randomness that depends on its past."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from boundcheck.worlds.draws import Draw, Look, Outcome, probabilities, require_room


@dataclass(frozen=True)
class Walk(Draw):
    """A path in a tree whose every node has a law of its own: a process and its past.

    Node v has the edges K v, ..., K v + K - 1, and edge e leads to node e + 1, so that the root is
    node 0. The outcome is a tuple of the edges taken; the node before edge e is floor(e / K).

    Args: path: outcome name; chances: name of the laws, one for each node; length: name of the
    number of steps.
    """

    path: str
    chances: str
    length: str
    over: str = "the path"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.path,)

    def count(self, look: Look) -> float:
        length = int(fmpq(look(self.length)))
        branches = len(look(self.chances)[0])
        return branches**length if length * math.log(branches) < 40 else math.inf

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, Outcome]]:
        laws, length = look(self.chances), int(fmpq(look(self.length)))
        for probability, edges in _walks(laws, 0, length):
            yield probability, {self.path: edges}

    def sample(self, look: Look, rng: Any, size: int) -> Outcome:
        import numpy

        laws, length = look(self.chances), int(fmpq(look(self.length)))
        require_room(length, size)
        branches = len(laws[0])
        ends = numpy.cumsum([probabilities(law) for law in laws], axis=1)[:, :-1]
        edges, node = numpy.zeros((size, length), int), numpy.zeros(size, int)
        for step in range(length):
            branch = (rng.random(size)[:, None] >= ends[node]).sum(1)
            edges[:, step] = branches * node + branch
            node = edges[:, step] + 1
        return {self.path: edges}


def _walks(laws: Any, node: int, left: int) -> Iterator[tuple[fmpq, tuple[int, ...]]]:
    if left == 0:
        yield fmpq(1), ()
        return
    for branch, chance in enumerate(laws[node]):
        if chance:
            edge = len(laws[node]) * node + branch
            for probability, rest in _walks(laws, edge + 1, left - 1):
                yield chance * probability, (edge, *rest)
