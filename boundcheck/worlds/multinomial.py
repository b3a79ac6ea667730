"""How often each atom comes up in very many independent draws, sampled in doubles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from boundcheck.encoding import nearest_float

MOST_TRIALS = 2**40  # beyond them doubles lose the logarithms of chances that a sampler compares


def multinomial(rng: Any, trials: int, weights: Sequence[fmpq], size: int) -> Any:
    """Counts of atoms in so many trials, shape (size, atoms), off their law by at most 2^-20.

    The rarest atom is drawn first, so that no chance is what large ones leave in doubles.
    """
    import numpy

    found = numpy.zeros((size, len(weights)), dtype=numpy.int64)
    left, rest = numpy.full(size, trials, dtype=numpy.int64), sum(weights, fmpq(0))
    for place in sorted(range(len(weights)), key=lambda atom: weights[atom]):
        chance = nearest_float(weights[place] / rest) if rest else 0.0
        found[:, place] = rng.binomial(left, chance)
        left, rest = left - found[:, place], rest - weights[place]
    return found
