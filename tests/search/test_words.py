"""Tables of all words: where a bound forgot the logarithm of how many there are."""

import math

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.expressions import greatest, index, total, trace, world
from boundcheck.quantities.lasso import lasso_value
from boundcheck.search.admissible import Candidates
from boundcheck.search.arena import Arena
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.search.words import all_words
from boundcheck.settings import classes
from boundcheck.settings.online import K, T, hedge_regret, losses
from boundcheck.worlds import Integer, Matrix, Real, Vector, Weights

PLACE = Source("A", 2000, "T").at("here")
a = world("a", Integer(1, searched=3), says="Rows.")
b = world("b", Integer(1, searched=3), says="Columns.")
i, j = index("i", a), index("j", b)
scale = world("c", Real(0, None, open_low=True), says="Scale.")
w = world("w", Weights(b), says="Weights.")


def table(low=None, high=None, searched=None):
    return world("M", Matrix(a, b, low, high, searched), units={"entry": 1}, says="Entries.")


def proposed(claim, most=math.inf, within=lambda values: True):
    arena = Arena(Candidates(claim), numpy.random.default_rng(0))
    steps, value, found = all_words(arena, most, within), None, []
    while True:
        try:
            found.append(steps.send(value))
        except StopIteration:
            return [each for each in found if each is not None]
        value = 0.0


def test_a_regret_that_lost_its_logarithm_fails_with_all_words():
    claim = Claim(PLACE, Holds(hedge_regret(losses, sqrt(8 * log(K) / T)) <= sqrt(T)))
    for seed in range(2):
        found = Search(
            Candidates(claim), deterministic_objective(1), numpy.random.default_rng(seed),
            evaluations=60,
        ).run()  # fmt: skip
        assert found.violation is not None and found.violation.setting("K") == 32


@pytest.mark.parametrize(
    ("low", "high", "searched", "letters"),
    [(0, 1, None, {0, 1}), (None, None, None, {-1, 1}), (-2, None, (-2, 3), {-2, 3})],
)
def test_words_of_both_ends_stand_in_rows_and_in_columns(low, high, searched, letters):
    M = table(low, high, searched)
    claim = Claim(PLACE, Holds(greatest(total(w[j] * M[i, j], j), i) <= scale))
    seen = set()
    for candidate in proposed(claim):
        M_, sizes = candidate.setting("M"), (candidate.setting("a"), candidate.setting("b"))
        assert (M_.nrows(), M_.ncols()) == sizes
        assert {int(entry) for entry in M_.entries()} == letters
        words = M_.tolist() if sizes[0] > sizes[1] else M_.transpose().tolist()
        assert len({tuple(word) for word in words}) == max(sizes) == 2 ** min(sizes)
        seen.add(sizes)
    assert {(4, 2), (2, 4), (64, 6), (6, 64)} <= seen


def test_other_numbers_follow_a_world_that_pays():
    """The first world of a table has equal weights, and the scale is moved while that pays."""
    M = table(0, 1)
    claim = Claim(PLACE, Holds(greatest(total(w[j] * M[i, j], j), i) <= scale))
    arena = Arena(Candidates(claim), numpy.random.default_rng(0))
    steps, value, worlds = all_words(arena, math.inf), None, []
    while len(worlds) < 12:
        found = steps.send(value)
        worlds.append(found)
        value = -1e9 if found is None else -abs(math.log(float(found.setting("c"))))
    assert worlds[0].setting("w") == (fmpq(1, 4),) * 4
    scales = [abs(math.log(float(each.setting("c")))) for each in worlds if each is not None]
    assert min(scales[3:]) < min(scales[:3])


@pytest.mark.parametrize(
    "statement", [
        Holds(trace(world("S", Matrix(a, a), says="Square.")) <= scale),
        Holds(greatest(total(world("F", Matrix(3, b), says="Fixed.")[0, j], j), i) <= scale),
    ],
)  # fmt: skip
def test_tables_without_two_free_sizes_are_left_alone(statement):
    assert proposed(Claim(PLACE, statement)) == []


def test_it_ends_with_its_share():
    claim = Claim(PLACE, Holds(classes.distinct_rows(classes.patterns()) <= classes.H))
    assert proposed(claim) and not proposed(claim, most=-1)


def test_tables_of_noughts_and_ones_are_filled_too():
    claim = Claim(PLACE, Holds(classes.distinct_rows(classes.patterns()) <= classes.H))
    assert any(found.setting("B") == fmpq_mat([[0, 0], [0, 1], [1, 0], [1, 1]])
               for found in proposed(claim))  # fmt: skip


def test_tables_that_take_too_long_are_passed_over():
    claim = Claim(PLACE, Holds(classes.distinct_rows(classes.patterns()) <= classes.H))
    found = proposed(claim, within=lambda values: values["B"].nrows() < 9)
    assert {each.setting("H") for each in found} == {2, 3, 4, 5, 6, 8}


def test_what_counts_subsets_of_columns_ends():
    """A best of 2^64 subsets is stopped, and longer words are not tried after one that was."""
    design = world("Phi", Matrix(a, b, 0, 1), says="Design.")
    y = world("y", Vector(a), says="Responses.")
    claim = Claim(PLACE, Holds(lasso_value(design, y, scale) >= -1))
    found = Search(
        Candidates(claim), deterministic_objective(1), numpy.random.default_rng(0), evaluations=60,
    ).run()  # fmt: skip
    assert found.violation is None
