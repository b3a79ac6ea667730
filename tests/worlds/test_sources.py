"""A table that no memory holds is refused before it is made."""

import numpy
import pytest
from flint import fmpq
from sympy import symbols

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.search.admissible import Candidates
from boundcheck.worlds import Integer, Matrix, Space, Vector, Weights
from boundcheck.worlds.sources import (
    MOST_COORDINATES,
    MOST_ENTRIES,
    Coordinates,
    Latin,
    Randomness,
)


def test_a_table_beyond_memory_is_refused_with_its_size():
    with pytest.raises(InvalidArgument, match=f"2000 x 1000 numbers.*{MOST_ENTRIES}"):
        Coordinates([]).entries(2000, 1000, fmpq(0), fmpq(1))


def test_a_vector_of_a_billion_numbers_is_no_candidate():
    n = symbols("n", integer=True)
    worlds = Space(n=Integer(10**9, searched=10**9), steps=Vector("n", -1, 1))
    claim = Claim(Source("A", 2000, "T").at("here"), Holds(n >= 1), worlds=worlds)
    assert Candidates(claim).build(Randomness(numpy.random.default_rng(0))) is None


@pytest.mark.parametrize("field", [Matrix(10**5, 10**5), Weights(10**9)])
def test_no_field_makes_a_table_that_no_memory_holds(field):
    claim = Claim(Source("A", 2000, "T").at("here"), Holds(symbols("n") >= 1),
                  worlds=Space(n=Integer(1, 2), table=field))  # fmt: skip
    assert Candidates(claim).build(Randomness(numpy.random.default_rng(0))) is None


@pytest.mark.parametrize(
    "kind", [Randomness, lambda rng: Latin(rng, [], 0), lambda _: Coordinates([])]
)
def test_a_world_of_many_tables_is_refused(kind):
    """A tree that branches 24 times at each of 16 rounds is no world that search builds."""
    source = kind(numpy.random.default_rng(0))
    with pytest.raises(InvalidArgument, match=f"more than {MOST_COORDINATES} numbers"):
        for _ in range(MOST_COORDINATES // 1000 + 1):
            source.entries(1, 1000, fmpq(0), fmpq(1))
