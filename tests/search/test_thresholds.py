"""Thresholds of events moved to where the events are just met."""

from itertools import combinations

import pytest
from flint import fmpq
from sympy import exp

from boundcheck import Claim, Holds, Source, verify
from boundcheck.expressions import index, outcome, parameter, probability, total, world
from boundcheck.search.thresholds import thresholds
from boundcheck.worlds import Integer, Listed, Real, Vector

PLACE = Source("Nobody", 2000, "Thresholds").at("1")


def subsets(N, n, x):
    """All samples of n of N numbers without replacement."""
    rows = list(combinations(range(int(N)), int(n)))
    return [(fmpq(1, len(rows)), {"drawn": tuple(x[k] for k in row)}) for row in rows]


N, n = world("N", Integer(2, searched=5)), world("n", Integer(1, searched=4))
x, t = world("x", Vector(N, 0, 1)), parameter("t", Real(0, None))
drawn = outcome("drawn", Listed(("drawn",), subsets))
i, j = index("i", n), index("j", N)
excess = total(drawn[i], i) / n - total(x[j], j) / N
tail = probability(excess >= t, drawn)


@pytest.mark.parametrize("seed", range(3))
def test_a_tail_that_is_too_heavy_at_a_jump_alone_is_refuted(seed):
    # Near t = 0 the bound is nearly tight in other worlds, from which no small step leads here.
    claim = Claim(PLACE, Holds(tail <= exp(-2 * n * t**2 / (1 - n / N))), given=[n < N, t > 0])
    found = verify("a/b:c", claim, seed=seed, controls=False)
    assert found.outcome == "refuted"


def test_numbers_that_no_event_compares_with_are_no_thresholds():
    c = parameter("c", Real(0, 1))
    claim = Claim(PLACE, Holds(tail <= c + exp(-2 * n * t**2)), given=[n < N])
    assert thresholds(claim) == ("t",)
    assert thresholds(Claim(PLACE, Holds(excess <= t + c), given=[n < N])) == ()
