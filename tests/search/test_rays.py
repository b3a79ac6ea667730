"""Rays proposed along families: what is bounded by what moves, and what stands at its end."""

import pytest
from flint import fmpq
from sympy import Rational, exp

from boundcheck import Claim, Source
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import stays
from boundcheck.claim import UpToConstant
from boundcheck.expressions import parameter, world
from boundcheck.search.rays import at_ends, carried
from boundcheck.worlds import Integer, Real, Vector

PLACE = Source("A", 2024, "Example").at("1")
x, y, fall = (parameter(name, Real(0, None)) for name in ("x", "y", "fall"))
n = parameter("n", Integer(1, searched=10**6))
v = world("v", Vector(2))
ALONG = Ray({"x": fmpq(4), "y": fmpq(1), "n": 1}, {"x": fmpq(2)}, {})


def claim_of(relation, *given):
    return Claim(source=PLACE, statement=UpToConstant(relation), given=given)


@pytest.mark.parametrize("given, start, power", [
    (n >= x**2, 16, 4), (y >= 7 * x, fmpq(28), 2), (y <= 2 / x, fmpq(1, 2), -2),
    (n >= x ** Rational(3, 4), 3, 2),
])  # fmt: skip
def test_what_is_bounded_by_what_moves_moves_along(given, start, power):
    claim = claim_of(x <= y + n, given)
    first = next(carried(claim, ALONG))
    name = "n" if n in given.free_symbols else "y"
    assert (first.start[name], first.powers[name]) == (start, power)
    assert stays(claim, first) and not stays(claim, ALONG)
    later = [ray.start[name] for ray in carried(claim, ALONG) if not ray.ends]
    assert later == sorted(later, reverse=power < 0) and len(set(later)) == 3


@pytest.mark.parametrize("given", [y >= 2, y >= exp(x), y >= v[0] / x])
def test_what_is_bounded_by_what_stays_or_has_no_power_stays(given):
    claim = claim_of(x <= y + n + v[0], given)
    assert not list(carried(claim, Ray({**ALONG.start, "v": (fmpq(0),) * 2}, ALONG.powers, {})))


def test_what_falls_stands_at_its_end_where_hypotheses_let_it():
    start = {"x": fmpq(3), "y": fmpq(1), "fall": fmpq(1), "v": (fmpq(1), fmpq(2))}
    powers = {"x": fmpq(1), "y": fmpq(-1), "fall": fmpq(-2), "v": fmpq(-1)}
    ray = Ray(start, powers, {"y": fmpq(1, 2)})
    all_at_once, *alone = at_ends(claim_of(x <= y + v[0], fall > 0), ray)
    assert all_at_once.powers == {"x": 1, "fall": -2} and not all_at_once.ends
    assert (all_at_once.start["y"], all_at_once.start["v"]) == (fmpq(1, 2), (0, 0))
    assert [set(powers) - set(each.powers) for each in alone] == [{"y"}, {"fall"}, {"v"}]


def test_an_integer_may_stand_next_to_what_bounds_it():
    k = parameter("k", Integer(1, searched=9))
    ray = Ray({"n": 4, "k": 1}, {"n": fmpq(2)}, {})
    for given, start, end in ((k <= n, 3, -1), (k >= n, 5, 1)):
        claim = claim_of(k <= n, given)
        *_, beside = carried(claim, ray)
        assert (beside.start["k"], beside.powers["k"], beside.ends) == (start, 2, {"k": end})
        assert beside.at(3)["k"] == beside.at(3)["n"] + end and stays(claim, beside)
    assert all(not each.ends for each in carried(claim_of(k <= n, k <= n / 3), ray))
