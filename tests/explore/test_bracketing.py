"""Brackets of constants whose best values are known by hand."""

import sympy
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.checks.base import budget_named
from boundcheck.claim import UpToConstant
from boundcheck.diagnosis.trial import Bench
from boundcheck.explore import sharpen
from boundcheck.explore.bracketing import Work, _simple
from boundcheck.explore.knobs import knobs
from boundcheck.library import load_library
from boundcheck.verdict import Verdict
from boundcheck.worlds import Integer, Real

from .conftest import PLACE

x, y, T, epsilon = symbols("x y T epsilon", real=True)
UNIT = {x: Real(0, 1), y: Real(0, 1)}


def test_a_threshold_that_limits_from_above_is_raised():
    claim = Claim(source=PLACE, statement=Holds(x <= y), given=[x <= y / 2], parameters=UNIT)
    bracket = sharpen(claim, kinds=("threshold",)).brackets[0]
    assert bracket.best == 1 == bracket.proved and bracket.sharper and bracket.lower > 1


def test_thresholds_say_more_where_they_exclude_less():
    claim = Claim(source=PLACE, statement=Holds(x <= y), parameters=UNIT,
                  given=[y >= 4 * x, x <= 2 * y * (1 - x)])  # fmt: skip
    found = [(k.printed, k.direction) for k in knobs(claim) if k.kind == "threshold"]
    assert found == [(4, -1), (2, 1)]


def test_the_exponent_of_a_statement_up_to_a_constant_is_bracketed():
    claim = Claim(
        source=PLACE, statement=UpToConstant(sympy.sqrt(T + 1) <= T),
        parameters={T: Integer(1, None, searched=50)},
    )  # fmt: skip
    bracket = sharpen(claim).brackets[0]
    assert bracket.best == sympy.Rational(1, 2) == bracket.proved and bracket.sharper
    assert bracket.lower < bracket.best and bracket.evidence == "trend"


def test_exponents_say_more_towards_the_smaller_side():
    claim = Claim(
        source=PLACE, statement=UpToConstant(x <= T / epsilon**2 * y),
        parameters={T: Integer(1, None, searched=50), epsilon: Real(0, 1, open_low=True),
                    x: Real(0, 1), y: Real(0, None)},
    )  # fmt: skip
    found = {str(k.beside): (k.printed, k.direction) for k in knobs(claim)}
    assert found == {"T": (1, -1), "epsilon**(-2)": (-2, 1), "y": (1, 0)}


def test_a_factor_of_what_is_at_least_zero_says_nothing():
    claim = Claim(source=PLACE, statement=Holds(0 <= x * y), parameters=UNIT)
    assert [knob.kind for knob in knobs(claim)] == []


def test_values_to_try_are_where_the_search_came_to_or_clear_of_it():
    lower, top = sympy.Rational(190456, 10**6), sympy.Rational(1, 5)
    # 4/21 is a part in ten thousand above what failed: support there would be luck.
    assert lower * sympy.Rational(101, 100) <= _simple(lower, top) < top
    assert _simple(sympy.Rational(499999, 10**6), sympy.Integer(1)) == sympy.Rational(1, 2)


def test_the_search_climbs_to_the_world_where_a_constant_is_least():
    # Two-sided Hoeffding for one fair sign at its only deviation: 1 <= C exp(-1/2).
    key = "classical/hoeffding:printed"
    knob = next(knobs(load_library(None, [key])[key]))
    verdict = Verdict(key, "supported", "", None, 0.0, None, False, None, (), 0.0)
    work = Work(Bench(key, budget_named("quick")), verdict, float("inf"))
    least = sympy.exp(sympy.Rational(1, 2))
    reached = 2 * work._ratio(knob, work._climbed(knob, []))
    assert least * (1 - sympy.Rational(1, 10**4)) < reached < least * (1 + sympy.Rational(1, 10**9))
