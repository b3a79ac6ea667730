"""Arrangements of entries: what they are, where they stand, and that worlds have them."""

import numpy
import pytest

from boundcheck.worlds import Matrix, Vector
from boundcheck.worlds.columns import Columns, build
from boundcheck.worlds.patterns import NAMES, arranges, pattern, positions


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 3), (2, 4)])
def test_arrangements_lie_in_their_range(name, shape):
    made = pattern(name, *shape)
    assert made.shape == shape and (abs(made) <= 1).all() and made.dtype == float


def test_signs_of_a_power_of_two_have_orthogonal_rows():
    signs = pattern("signs", 8, 8)
    assert (signs @ signs.T == 8 * numpy.eye(8)).all()


@pytest.mark.parametrize("ends", [(-1, 1), (0, 1), (2, 5), (-3, 1), (4, 4)])
def test_entries_stay_in_the_range_and_reach_the_end_farther_from_zero(ends):
    rng = numpy.random.default_rng(0)
    low, high = ends
    for _ in range(30):
        found = low + (high - low) * positions(rng, 1, 3, 3, low, high)
        assert (found >= low).all() and (found <= high).all()
        assert abs(found).max() == pytest.approx(max(map(abs, ends)))


def test_tables_without_entries_and_large_ones_are_left_alone():
    for field, size in ((Vector(0), 0), (Matrix(65, 64), 4160)):
        source = Columns(numpy.random.default_rng(0), 3)
        found = build({"v": field}, source, frozenset())["v"]
        assert found.shape[0] == 3 and found[0].size == size and not source.ahead
    assert arranges(64, 64) and not arranges(65, 64) and not arranges(0, 5)


def test_batches_have_them_in_several_fields_at_once():
    fields, both = {"A": Matrix(2, 2), "B": Matrix(2, 2)}, 0
    for seed in range(40):
        source = Columns(numpy.random.default_rng(seed), 4_000)
        values = build(fields, source, frozenset())
        plain = [(value == numpy.eye(2)).all(axis=(1, 2)) for value in values.values()]
        both += int((plain[0] & plain[1]).sum())
        given = Columns(numpy.random.default_rng(1), 4_000, source.vectors)
        again = build(fields, given, frozenset())
        assert all((again[name] == values[name]).all() for name in fields)
    assert 2 < both < 16_000
