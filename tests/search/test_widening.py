"""Floats look at worlds larger than those that search draws from."""

import numpy
import pytest

from boundcheck import Claim, Holds, Source, UpToConstant, verify
from boundcheck.expressions import determinant, index, norm, total, world
from boundcheck.search.admissible import Candidates
from boundcheck.search.portfolio import deterministic_objective
from boundcheck.search.widening import MOST, violation, wider
from boundcheck.worlds import Integer, Vector
from boundcheck.worlds.kinds import Binary

PLACE = Source("A", 2000, "T").at("here")
d = world("d", Integer(1, searched=3))
SIZE = Claim(PLACE, Holds(determinant(world("B", Binary(d, d))) <= d))


def rng(seed=0):
    return numpy.random.default_rng(seed)


def drawn(claim, seeds=60):
    candidates = Candidates(claim)
    return [found for found in (candidates.random(rng(seed)) for seed in range(seeds)) if found]


def test_what_fails_from_six_rows_on_falls_to_worlds_drawn_as_large():
    """The largest determinants of zeros and ones are 1, 1, 2, 3, 5, 9: no pair of ones adds up."""
    assert verify("a/b:c", SIZE).outcome == "refuted"


def test_sizes_are_drawn_beyond_their_range_and_within_their_domain():
    sizes = {found.setting.values["d"] for found in drawn(wider(SIZE))}
    assert max(sizes) > 6 and max(sizes) <= MOST
    n = world("n", Integer(1, 5, searched=3))
    bounded = Claim(PLACE, Holds(norm(world("x", Vector(n))) >= 0))
    assert max(found.setting.values["n"] for found in drawn(wider(bounded))) == 5


def test_constants_and_sizes_that_are_searched_in_full_are_not_widened():
    n = world("n", Integer(1, 3))
    x = world("x", Vector(n))
    assert wider(Claim(PLACE, Holds(norm(x) >= 0))) is None
    y, i = world("y", Vector(d)), index("i", d)
    assert wider(Claim(PLACE, Holds(total(y[i], i) <= norm(y)))) is not None
    assert wider(Claim(PLACE, UpToConstant(total(y[i], i) <= norm(y)))) is None


def test_a_violation_in_a_wider_world_is_one_of_the_claim():
    world, found = violation(SIZE, deterministic_objective(100), rng(), 8_000)
    assert world.setting.claim is SIZE and world.setting.admissible()
    assert world.vector == () and found.violated


def test_only_worlds_that_fail_in_floats_are_looked_at_exactly():
    true = Claim(PLACE, Holds(determinant(world("B", Binary(d, d))) <= d**d))

    def objective(candidate):
        raise AssertionError(candidate)

    assert violation(true, objective, rng(), 2_000) is None


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_seed_finds_the_same_world(seed):
    first, second = (verify("a/b:c", SIZE, seed=seed) for _ in range(2))
    assert first.outcome == second.outcome and str(first) == str(second)
