"""Walks out of the range of search: they stay in the domain and where the statement fails."""

import itertools
import sys

import numpy
import sympy
from flint import fmpq
from sympy import sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import beyond
from boundcheck.diagnosis.beyond import FAR, MOST, at_most, carried
from boundcheck.expressions import parameter
from boundcheck.search.ends import dimensions
from boundcheck.setting import Setting
from boundcheck.worlds import Integer, Real

WORK = Source("Folklore", 1900, "Statements")
n = parameter("n", Integer(1, searched=3))
level = parameter("level", Real(0, 1, open_low=True, open_high=True))
START = {"n": 3, "level": fmpq(1, 2)}


def walked(statement):
    claim = Claim(source=WORK.at("1"), statement=Holds(statement))
    found = carried(claim, [START], 64, numpy.random.default_rng(1))
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
    assert carried(claim, [], 64, numpy.random.default_rng(1)) == []


def test_numbers_that_nothing_is_as_long_as_are_pushed_far():
    _, found = walked(n * level <= sqrt(n))
    assert max(values["n"] for values in found) > FAR / 10
    assert min(values["level"] for values in found) < fmpq(1, 50)


def test_sizes_that_a_quantity_takes_stay_small():
    tall = sympy.Symbol("tall", real=True)
    claim = Claim(source=WORK.at("1"), statement=Holds(tall <= sqrt(n)), measure={tall: _tall},
                  parameters={n: Integer(1, searched=3)})  # fmt: skip
    assert dimensions(claim) == {"n"}
    found = carried(claim, [{"n": 3}], 64, numpy.random.default_rng(1))
    assert max(values["n"] for values in found) == MOST


def _tall(n):
    return n


def test_the_worlds_looked_at_are_counted_not_timed(monkeypatch):
    looked = []
    monkeypatch.setattr(beyond, "_fails", lambda _, values, __: bool(looked.append(values)))
    claim = Claim(source=WORK.at("1"), statement=Holds(n * level <= sqrt(n)))
    carried(claim, [START] * 8, 64, numpy.random.default_rng(1))
    assert 100 < len(looked) <= beyond.WALKS * beyond.STEPS
    first = [dict(values) for values in looked]
    looked.clear()
    carried(claim, [START] * 8, 64, numpy.random.default_rng(1))
    assert looked == first


def _dear(n):
    return sum(1 for signs in itertools.product((0, 1), repeat=int(n)) if sum(signs) == 1)


def test_a_size_whose_look_is_too_dear_is_left_alone():
    ones = sympy.Symbol("ones", real=True)
    claim = Claim(source=WORK.at("1"), statement=Holds(ones <= sqrt(n)), measure={ones: _dear},
                  parameters={n: Integer(1, searched=3)})  # fmt: skip
    found = carried(claim, [{"n": 3}], 64, numpy.random.default_rng(1))
    assert 3 < max(values["n"] for values in found) < 30


def _endless():
    for place in itertools.count():
        abs(place)


def _hiding():
    try:
        _endless()
    except BaseException:
        return True


def test_calls_are_counted_and_the_profiler_is_put_back():
    before = sys.getprofile()
    assert at_most(1000, _endless) is None
    assert at_most(1000, _hiding) is None
    assert at_most(1000, lambda: bool(abs(-1))) is True
    assert sys.getprofile() is before
