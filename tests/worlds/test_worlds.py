"""Worlds: exact weights, faithful encodings, hostile coverage, draws whose law is exact."""

import math

import numpy
import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings

from boundcheck.encoding import decode, encode
from boundcheck.errors import Undecided
from boundcheck.quantities.operators import is_positive_semidefinite
from boundcheck.worlds import (
    Counts,
    Indices,
    Jointly,
    Signs,
    as_floats,
    classification_worlds,
    feature_worlds,
    gram_matrices,
    noisy_regression_worlds,
    regression_worlds,
    scalar_laws,
    symmetric_matrices,
)

SPACES = {
    "features": feature_worlds(), "gram": gram_matrices(),
    "regression": regression_worlds(), "noisy": noisy_regression_worlds(),
    "classification": classification_worlds(), "laws": scalar_laws(),
    "matrices": symmetric_matrices(),
}  # fmt: skip


def exact(world):
    for name, value in world.items():
        if name in ("rho", "tau", "p", "noise_weights"):
            assert sum(value) == 1 and min(value) >= 0
        if name == "gram":
            assert is_positive_semidefinite(value)
        assert decode(encode(value)) == value and type(decode(encode(value))) is type(value)


@pytest.mark.parametrize("name", SPACES)
def test_random_worlds_are_exact_and_rebuilt_by_their_coordinates(name):
    rng = numpy.random.default_rng(1)
    for _ in range(200):
        world, vector = SPACES[name].sample(rng)
        exact(world)
        assert SPACES[name].decode(vector) == world


@pytest.mark.parametrize("name", SPACES)
def test_hypothesis_draws_the_same_kind_of_worlds(name):
    @settings(max_examples=30, deadline=None)
    @given(SPACES[name].strategy())
    def check(world):
        exact(world)
        floats = as_floats(world)
        for key, value in world.items():
            if isinstance(value, fmpq_mat):
                assert floats[key].shape == (value.nrows(), value.ncols())

    check()


def test_float_strategy_gives_arrays():
    @settings(max_examples=10, deadline=None)
    @given(SPACES["features"].float_strategy())
    def check(world):
        assert world["phi"].dtype == float and abs(world["rho"].sum() - 1) < 1e-12

    check()


def test_hostile_worlds_occur():
    rng = numpy.random.default_rng(2)
    worlds = [SPACES["features"].sample(rng)[0] for _ in range(2000)]
    several = [w for w in worlds if w["n"] > 1]
    assert any(max(w["rho"]) / min(w["rho"]) > 10**4 for w in several)
    assert any(w["phi"].rank() < min(w["n"], w["K"]) for w in worlds)
    assert any(w["n"] == w["K"] == 1 for w in worlds)
    assert any(len(set(map(tuple, w["phi"].tolist()))) < w["n"] for w in several)
    assert any(all(e == 0 for e in w["phi"].entries()) for w in worlds)


WORLD = {"tau": (fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)), "M": 4, "n": 3,
         "degenerate": (fmpq(1, 4), fmpq(0), fmpq(3, 4))}  # fmt: skip
DRAWS = {
    "counts": Counts("counts", "tau", "M"), "indices": Indices("indices", "tau", "M"),
    "counts of some": Counts("counts", "degenerate", "M"),
    "indices of some": Indices("indices", "degenerate", "M"),
    "signs": Signs("signs", "n"),
    "jointly": Jointly(Counts("counts", "tau", "n"), Signs("signs", "n")),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_enumerated_law_sums_to_one_and_matches_its_count(name):
    outcomes = list(DRAWS[name].outcomes(WORLD.__getitem__))
    assert sum(p for p, _ in outcomes) == 1
    assert len(outcomes) == DRAWS[name].count(WORLD.__getitem__)


@pytest.mark.parametrize("name", DRAWS)
def test_sampled_law_is_the_enumerated_one(name):
    draw, size = DRAWS[name], 20_000
    law = {repr(o): float(p.p) / float(p.q) for p, o in draw.outcomes(WORLD.__getitem__)}
    batch = draw.sample(WORLD.__getitem__, numpy.random.default_rng(3), size)
    seen = {}
    for position in range(size):
        key = repr(draw.single(batch, position))
        seen[key] = seen.get(key, 0) + 1
    assert set(seen) <= set(law)
    # Hoeffding and a union over at most 100 outcomes: all within tol but for probability 1e-9.
    tol = math.sqrt(math.log(200 / 1e-9) / (2 * size))
    for key, probability in law.items():
        assert abs(seen.get(key, 0) / size - probability) < tol


def test_more_draws_than_the_sampler_takes_are_undecided_and_no_crash():
    """Search moves the number of draws as far as a hypothesis asks: such a world is not sampled."""
    draw = Counts("counts", "p", "M")
    world = {"p": (fmpq(1, 2), fmpq(1, 2)), "M": 2**40}
    rng = numpy.random.default_rng(0)
    assert draw.sample(world.__getitem__, rng, 3)["counts"].sum(-1).tolist() == [2**40] * 3
    with pytest.raises(Undecided, match="beyond 2\\^40 draws"):
        draw.sample({**world, "M": 2**40 + 1}.__getitem__, rng, 3)


@pytest.mark.parametrize("draw", [Counts("drawn", "p", "M"), Indices("drawn", "p", "M")])
def test_atoms_without_mass_are_not_counted_and_long_probabilities_are_not_written(draw):
    """A power of 2^40 digits ends the process, and no exception tells of it."""
    point = {"p": (fmpq(0), fmpq(1), fmpq(0)), "M": 5}
    assert draw.count(point.__getitem__) == 1
    ((chance, outcome),) = draw.outcomes(point.__getitem__)
    assert chance == 1 and outcome["drawn"] in ((0, 5, 0), (1,) * 5)
    for p in ((fmpq(1, 2), fmpq(1, 2)), (fmpq(1, 2),)):
        with pytest.raises(Undecided, match=r"bits|places"):
            next(draw.outcomes({"p": p, "M": 10**7}.__getitem__))


def test_one_atom_may_be_drawn_without_end():
    point = {"p": (fmpq(1), fmpq(0)), "M": 10**40}
    draw = Counts("drawn", "p", "M")
    assert draw.count(point.__getitem__) == 1
    assert list(draw.outcomes(point.__getitem__)) == [(1, {"drawn": (10**40, 0)})]
    assert Indices("drawn", "p", "M").count(point.__getitem__) == math.inf
