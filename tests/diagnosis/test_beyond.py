"""Walks out of the range of search: they stay in the domain and where the statement fails."""

import numpy
from flint import fmpq
from sympy import sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis.beyond import carried
from boundcheck.expressions import parameter
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Real

WORK = Source("Folklore", 1900, "Statements")
n = parameter("n", Integer(1, searched=3))
level = parameter("level", Real(0, 1, open_low=True, open_high=True))
START = {"n": 3, "level": fmpq(1, 2)}


def walked(statement):
    claim = Claim(source=WORK.at("1"), statement=Holds(statement))
    found = carried(claim, [START], 64, numpy.random.default_rng(1), 60.0)
    return claim, found


def test_a_growing_failure_is_followed_beyond_the_range_of_search():
    claim, found = walked(n * level <= sqrt(n))
    assert max(values["n"] for values in found) > 30
    assert not any(Setting(claim, values).misfit() for values in found)
    assert all(values["n"] ** 2 * values["level"] ** 2 > values["n"] for values in found)


def test_a_failure_at_one_size_is_not_carried_elsewhere():
    _, found = walked((n - 3) ** 2 * 100 >= level)
    assert {values["n"] for values in found} == {3}
    assert len({values["level"] for values in found}) > 1


def test_without_a_failing_world_there_is_nowhere_to_start():
    claim = Claim(source=WORK.at("1"), statement=Holds(n <= n + level))
    assert carried(claim, [], 64, numpy.random.default_rng(1), 60.0) == []
