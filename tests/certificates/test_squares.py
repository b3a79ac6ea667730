"""Quadratic polynomials as weighted squares, exactly."""

import random

from flint import fmpq

from boundcheck.certificates.polynomials import added, scaled
from boundcheck.certificates.squares import _squared, squares


def quadratic(rng, count, sign):
    total = {}
    for _ in range(3):
        side = {((atom, 1),): fmpq(rng.randint(-3, 3)) for atom in range(count)}
        side[()] = fmpq(rng.randint(-3, 3))
        total = added(total, _squared({m: c for m, c in side.items() if c}))
    return added(total, {(): fmpq(sign, 100)})


def test_what_is_found_adds_up():
    rng = random.Random(1)
    for _ in range(60):
        poly = quadratic(rng, 3, 1)
        found = squares(poly)
        assert found is not None and all(weight > 0 for weight, _ in found)
        assert added(*[scaled(_squared(side), w) for w, side in found]) == poly


def test_what_is_negative_somewhere_is_no_sum():
    rng = random.Random(2)
    for _ in range(60):
        # Two unknowns and three squares vanish together at most by accident; one square does.
        side = {((0, 1),): fmpq(rng.randint(1, 4)), ((1, 1),): fmpq(rng.randint(-3, 3)),
                (): fmpq(rng.randint(-3, 3))}  # fmt: skip
        poly = added(_squared({m: c for m, c in side.items() if c}), {(): fmpq(-1, 10**9)})
        assert squares(poly) is None
    assert squares({((0, 1), (1, 1)): fmpq(1)}) is None
    assert squares({((0, 3),): fmpq(1)}) is None
    assert squares({((0, -2),): fmpq(1)}) is None
