"""A constant that search supports only because it looks at numbers so far is not called sharper."""

import pytest
import sympy
from flint import fmpq

from boundcheck import Claim, Holds, Source
from boundcheck.explore import sharpen
from boundcheck.explore.critical import turning_of
from boundcheck.explore.farther import broken_beyond, onward
from boundcheck.explore.knobs import knobs
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("Lemma 1")
x, y, n = sympy.symbols("x y n", real=True)
SLOW = sympy.Rational(1, 100)


def stated(relation, given=(), **fields):
    named = {"x": x, "y": y, "n": n}
    return Claim(PLACE, Holds(relation), given=list(given),
                 parameters={named[name]: field for name, field in fields.items()})  # fmt: skip


def beyond(claim, value, *worlds):
    return broken_beyond(turning_of(next(knobs(claim)), 1), value, worlds)


# log(y) <= c y^(1/100) needs c = 36.788 at y = e^100, 36.5 at 2^127; so does -log(x) near zero.
ABOVE = stated(sympy.log(y) <= 100 * y**SLOW, y=Real(1, None))
NEAR_ZERO = stated(-sympy.log(x) <= 100 * x**-SLOW, x=Real(0, 1, open_low=True))
TOGETHER = stated(sympy.log(y) <= 100 * y**SLOW, [y <= x], x=Real(1, None), y=Real(1, None))
BEFORE = fmpq(2) ** 127


@pytest.mark.parametrize(("claim", "world", "names"), [
    (ABOVE, {"y": BEFORE}, "y"), (NEAR_ZERO, {"x": 1 / BEFORE}, "x"),
    (TOGETHER, {"x": BEFORE, "y": BEFORE}, "x, y"),
])  # fmt: skip
def test_numbers_go_on_towards_the_ends_of_their_domains(claim, world, names):
    assert beyond(claim, 36.75, world) == names
    assert not beyond(claim, 36.79, world)  # 2^144 = e^99.8 needs less
    assert not beyond(claim, 36.75, {}) and beyond(claim, 36.75, {}, world) == names


def test_what_no_world_beyond_breaks_stays():
    claim = stated(sympy.log(y) <= 10 * sympy.sqrt(y), y=Real(1, None))
    assert not beyond(claim, 20 / 27, {"y": fmpq(73890561, 10**7)})  # e^2, where 2/e is needed


def test_a_number_of_a_world_stays_in_its_domain():
    claim = stated(y * n <= 3 * x, x=Real(None, None), y=Real(0, 1), n=Integer(1, 10, wide=True))
    moved = [found for _, found in onward(claim, {"x": fmpq(-3), "y": fmpq(1), "n": 4})]
    assert {name for each in moved for name in each} == {"x", "y"}
    assert all(each["x"] < -3 for each in moved if "x" in each)
    assert all(0 < each["y"] < 1 for each in moved if "y" in each)


@pytest.mark.parametrize("claim", [ABOVE, NEAR_ZERO])
def test_what_worlds_beyond_search_may_break_is_not_called_supported(claim):
    bracket = sharpen(claim, kinds=("factor",)).brackets[0]
    assert bracket.lower < 100 / sympy.E and bracket.supported == 100 and not bracket.sharper
    assert "goes beyond what search looks at" in bracket.doubt
