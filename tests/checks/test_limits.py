"""A block ends after counted calls, whatever the machine."""

import contextlib
import math

import pytest

from boundcheck.checks.proofs.limits import OutOfFuel, limit


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
