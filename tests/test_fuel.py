"""A block ends after counted calls, whatever the machine."""

import contextlib
import cProfile
import math

import pytest
from flint import fmpq

from boundcheck.fuel import OutOfFuel, limit


def _loops(times):
    for _ in range(times):
        math.sqrt(2)


def test_a_block_ends_after_its_calls():
    with limit(10**4) as fuel:
        _loops(1000)
    assert 10**4 - 3000 < fuel.left < 10**4 - 2000
    with limit(10**4) as again:
        _loops(1000)
    assert again.left == fuel.left
    with pytest.raises(OutOfFuel), limit(1000):
        _loops(10**9)


def test_what_hides_that_it_was_stopped_is_stopped():
    with pytest.raises(OutOfFuel), limit(100), contextlib.suppress(BaseException):
        _loops(1000)


def test_a_profiler_of_c_does_not_end_the_block():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        with limit(10**4) as fuel:
            _loops(10)
    finally:
        profiler.disable()
    assert 0 < fuel.left < 10**4


def _squared(number):
    return number * number


def _squares(times):
    number = fmpq(3, 7)
    for _ in range(times):
        number = _squared(number)


def _repeated(number):
    return [number] * 2


def test_long_numbers_cost_calls_where_they_are_weighed():
    with limit(100) as fuel:
        _squares(20)
    assert fuel.left > 50
    with pytest.raises(OutOfFuel), limit(100, long_numbers=True):
        _squares(40)  # beyond the memory of any machine
    with pytest.raises(OutOfFuel), limit(100, long_numbers=True):
        _repeated(fmpq(3, 7) ** 40_000)
    with limit(100, long_numbers=True) as short:
        _squares(10)  # at most 2875 binary digits
    assert short.left > fuel.left - 20


def _stubborn():
    try:
        yield
    finally:
        _loops(100)


@pytest.mark.parametrize("long_numbers", [False, True])
def test_what_is_stopped_in_the_end_of_a_generator_is_stopped_and_silent(long_numbers, capsys):
    with pytest.raises(OutOfFuel), limit(1000, long_numbers=long_numbers):
        for _ in range(10**6):
            generator = _stubborn()
            next(generator)
            del generator
    assert not capsys.readouterr().err
