"""Products over a size that moves: logarithms from below, for every size."""

import pytest
from flint import arb, fmpq
from sympy import Abs, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.arithmetic import precision, to_ball
from boundcheck.checker.along import Along
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.growing import law
from boundcheck.checker.judge import Place
from boundcheck.checker.products import least_logarithm
from boundcheck.checker.ray import Ray
from boundcheck.expressions import define, index, multiplied, parameter
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
k, n = parameter("k", Integer(1, searched=9)), parameter("n", Integer(1, searched=9))
w = parameter("w", Real(0, None, open_low=True))
j, i = index("j", k), index("i", n)
GROWING = [
    multiplied((w * (j + 1)) ** 2 / (2 * j + 1), j), multiplied(sqrt(2 + j * 0), j),
    3 * multiplied((1 + w) * (1 + 1 / (j + 1)), j) ** 2, define("named", multiplied(j + w, j)),
]  # fmt: skip
BOUNDED = [
    multiplied(1 + 0 * j, j), multiplied((j + 1) / (j + 2), j), multiplied(w / (j + 1), j),
    multiplied(j, j), 1 / multiplied(2 + j, j), multiplied(2 + 0 * i, i),
    multiplied(9999 * w / (j + 1), j),
]  # fmt: skip


def ray_of(start, **powers):
    world = {"k": start, "n": 3, "w": fmpq(1, 2)}
    return Ray(world, {name: fmpq(power) for name, power in powers.items()}, {})


@pytest.mark.parametrize("expr", GROWING)
def test_logarithms_lie_above_their_germs(expr):
    claim = Claim(PLACE, UpToConstant(expr <= n + w))
    with precision(192):
        germ = least_logarithm(Along(claim, ray_of(64, k=1)), expr)
        assert germ.power == 1
        for octaves in (0, 1, 4):
            value = to_ball(Place(claim, ray_of(64, k=1).at(octaves)).value(expr)).log()
            assert not value < germ.ball.lower() * arb(2) ** octaves


@pytest.mark.parametrize("expr", GROWING)
def test_products_without_end_refute(expr):
    claim = Claim(PLACE, UpToConstant(Abs(w) * expr <= w * n))
    assert law(claim, ray_of(3, k=1)) == "log(left / right) grows at least as t"
    assert not law(claim, ray_of(3, n=1))


@pytest.mark.parametrize("expr", BOUNDED)
def test_products_that_are_not_seen_to_grow_refute_nothing(expr):
    claim = Claim(PLACE, UpToConstant(expr <= n + w + k * 0))
    assert not law(claim, ray_of(100, k=1))


def test_a_factor_that_moves_by_itself_has_no_rule():
    expr = multiplied(w + j + 1, j)
    claim = Claim(PLACE, UpToConstant(expr <= n))
    with pytest.raises(NoGerm):
        least_logarithm(Along(claim, ray_of(100, k=1, w=1)), expr)
