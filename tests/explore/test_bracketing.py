"""Brackets of constants whose best values are known by hand."""

import time
from dataclasses import replace

import pytest
import sympy
from flint import fmpq
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.checks.base import budget_named
from boundcheck.claim import UpToConstant
from boundcheck.diagnosis.trial import Bench
from boundcheck.explore import sharpen, sharpening
from boundcheck.explore.bracketing import Work
from boundcheck.explore.critical import Turning, stretched
from boundcheck.explore.fuel import DRAWS, Fuel, of_verdict
from boundcheck.explore.knobs import knobs
from boundcheck.explore.leaving import hypotheses
from boundcheck.explore.open_sizes import Growth
from boundcheck.explore.simple import simple_near
from boundcheck.expressions import index, total, world
from boundcheck.library import load_library
from boundcheck.verdict import Verdict
from boundcheck.worlds import Integer, Real, Vector

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


@pytest.mark.long
def test_a_part_of_a_condition_that_is_not_needed_is_left_out():
    claim = Claim(
        source=PLACE, statement=Holds(x <= 2 * y), parameters=UNIT,
        given=[y >= sympy.Max(3 * x / 4, 5 * x**2)],  # x / 2 would be enough
    )  # fmt: skip
    found = {k.beside: k for k in knobs(claim) if k.kind == "threshold"}
    assert {(k.printed, k.direction, k.spared) for k in found.values()} == {
        (sympy.Rational(3, 4), -1, True), (5, -1, True), (1, -1, False),
    }  # fmt: skip
    best = {b.knob.beside: b.proved for b in sharpen(claim, kinds=("threshold",)).brackets}
    assert best[x**2] == 0 and sympy.Rational(1, 2) <= best[x] <= sympy.Rational(3, 4)


def test_a_claim_with_conditions_is_judged_once(monkeypatch):
    asked = []
    verdict = Bench.verdict

    def noted(self, claim, purpose, share=1.0):
        asked.append(purpose)
        return verdict(self, claim, purpose, share)

    monkeypatch.setattr(Bench, "verdict", noted)
    claim = Claim(source=PLACE, statement=Holds(x <= 3 * y), given=[x <= 2 * y], parameters=UNIT)
    found = sharpen(claim)
    assert {b.knob.kind: b.proved for b in found.brackets} == {"factor": 2, "threshold": 3}
    assert asked[0] == "as printed" and not any(name.startswith("only") for name in asked)


def test_which_way_a_number_in_a_condition_goes():
    # Where the logarithm is negative the side says nothing, so that it does not count.
    claim = Claim(source=PLACE, statement=Holds(x <= y), given=[
        T >= sympy.log(3 / x) * sympy.Max(y, 2 * y**2), T <= y / (x + 4), T >= 1 / (x + 6 * y),
    ], parameters={T: Real(0, None), **UNIT})  # fmt: skip
    ways = {(k.printed, str(k.beside)): k.direction for k in knobs(claim) if k.kind == "threshold"}
    assert ways[2, "y**2"] == -1 == ways[3, "1/x"]
    assert ways[4, "1"] == -1 and ways[6, "y"] == 1


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
    assert lower * sympy.Rational(201, 200) <= simple_near(lower, top) < top
    assert simple_near(sympy.Rational(499999, 10**6), sympy.Integer(1)) == sympy.Rational(1, 2)


def test_the_search_climbs_to_the_world_where_a_constant_is_least():
    # Two-sided Hoeffding for one fair sign at its only deviation: 1 <= C exp(-1/2).
    key = "classical/hoeffding:printed"
    knob = next(knobs(load_library(None, [key])[key]))
    verdict = Verdict(key, "supported", "", None, 0.0, None, False, None, (), 0.0)
    work = Work(Bench(key, budget_named("quick")), verdict, Fuel(float("inf")))
    least = sympy.exp(sympy.Rational(1, 2))
    reached = 2 * work._ratio(knob, work._climbed(knob, []))
    assert least * (1 - sympy.Rational(1, 10**4)) < reached < least * (1 + sympy.Rational(1, 10**9))


def test_a_summand_and_an_irrational_factor_are_found_exactly():
    # x y <= a x^2 + b y^2 for all x, y >= 0 if and only if 4 a b >= 1.
    claim = Claim(source=PLACE, statement=Holds(x * y <= x**2 + y**2 / 2),
                  parameters={x: Real(0, None), y: Real(0, None)})  # fmt: skip
    found = sharpen(claim, kinds=("factor", "summand"))
    proved = {str(b.knob.beside): b.proved for b in found.brackets}
    assert proved == {
        "2*x**2 + y**2": sympy.sqrt(2) / 4, "x**2": sympy.Rational(1, 2),
        "y**2": sympy.Rational(1, 4),
    }  # fmt: skip
    assert all(b.best * sympy.Rational(99, 100) < b.lower < b.best for b in found.brackets)


def test_a_number_inside_the_smaller_side_is_found():
    claim = Claim(source=PLACE, statement=Holds(x - x**2 <= sympy.log(1 + x)),
                  parameters={x: Real(0, None)})  # fmt: skip
    found = sharpen(claim, kinds=("inside",))
    bracket = next(b for b in found.brackets if b.knob.beside == x**2)
    assert bracket.proved == sympy.Rational(1, 2) and bracket.knob.direction == -1
    assert sympy.Rational(499, 1000) < bracket.lower < bracket.proved
    assert found.claim.statement.relation.subs(x, 1) == sympy.true


def test_sizes_beyond_the_search_range_are_heeded():
    # The least factor is the supremum 1 of n / (n + 1); up to n = 4 it would be 4/5.
    n = symbols("n", integer=True)
    claim = Claim(
        source=PLACE, statement=Holds(n * x / (n + 1) <= 2 * x),
        parameters={n: Integer(1, searched=4), x: Real(0, 1, open_low=True)},
    )  # fmt: skip
    assert stretched(claim, 4).parameters[n].searched == 16
    assert stretched(stretched(claim, 4), 4).fingerprint() == claim.fingerprint()
    bracket = sharpen(claim, kinds=("factor",)).brackets[0]
    assert bracket.lower > sympy.Rational(9, 10) and bracket.best >= 1


def test_the_direction_of_a_number_is_seen_in_worlds():
    claim = Claim(source=PLACE, statement=Holds(x <= 1 + y**2),
                  parameters={x: Real(0, 1), y: Real(0, None)})  # fmt: skip
    turning = Turning(next(k for k in knobs(claim) if k.kind == "exponent"), 100)
    small, large = ({"x": fmpq(1, 2), "y": fmpq(v)} for v in (fmpq(1, 2), fmpq(3)))
    assert (turning.direction([small]), turning.direction([large])) == (1, -1)
    assert turning.direction([small, large]) == 0 == turning.direction([])


@pytest.mark.long
def test_a_rate_is_not_called_sharper_from_few_sizes():
    # (1 - 1/n)^n <= exp(-c) holds up to n = 4 with c = 1.15 and for every n with c = 1 alone.
    n = symbols("n", integer=True)
    claim = Claim(
        source=PLACE, statement=Holds((1 - 1 / n) ** n * y <= y * sympy.exp(-x / 2)),
        parameters={n: Integer(2, searched=4), **UNIT},
    )  # fmt: skip
    found = sharpen(claim, kinds=("inside",))
    assert all(not bracket.sharper for bracket in found.brackets)
    assert any(bracket.lower is not None and bracket.lower > 1 for bracket in found.brackets)


@pytest.mark.long
def test_a_sharpening_spends_counted_fuel_and_each_constant_its_part(monkeypatch):
    claim = Claim(source=PLACE, statement=Holds(x * y <= 3 * x**2 + 2 * y**2), parameters=UNIT)
    whole = [b.knob.kind for b in sharpen(claim).brackets]
    assert {"factor", "summand"} <= set(whole)
    monkeypatch.setattr(sharpening, "FUEL", {"quick": 1})
    begun = sharpen(claim)
    assert len(begun.brackets) <= 1 < len(whole)  # what was begun is ended, nothing else begun
    fuel = Fuel(100, parts=2)
    with fuel.part():
        fuel.spend(60)
        assert fuel.over  # the second constant keeps its half, and has no more
    with fuel.part():
        assert fuel.left == 40


def test_the_clock_decides_no_bracket(monkeypatch):
    claim = Claim(source=PLACE, statement=Holds(x * y <= 3 * x**2 + 2 * y**2), parameters=UNIT)
    plain = [str(b) for b in sharpen(claim, kinds=("factor",)).brackets]
    now = time.process_time
    monkeypatch.setattr(time, "process_time", lambda: now() * 40)  # a machine so much slower
    assert [str(b) for b in sharpen(claim, kinds=("factor",)).brackets] == plain


def test_a_search_of_sharpen_assesses_no_more_worlds_than_it_paid_for():
    n = symbols("n", integer=True)
    claim = Claim(source=PLACE, statement=Holds(x * n <= 3 * n),
                  parameters={n: Integer(1, searched=4), **UNIT})  # fmt: skip
    work = Work(Bench("x", budget_named("quick")), None, Fuel(10_000))
    assert work._searched(claim, "look", []).evaluated <= 1_200 == 10_000 - work.fuel.left


@pytest.mark.long
def test_a_negative_exponent_says_more_towards_zero_where_its_base_is_below_one():
    # x <= y^-2 for x and y in (0, 1]: the right side is at least 1 whatever the exponent.
    claim = Claim(source=PLACE, statement=Holds(x <= y**-2),
                  parameters={x: Real(0, 1), y: Real(0, 1, open_low=True)})  # fmt: skip
    knob = next(k for k in knobs(claim) if k.kind == "exponent")
    values = {"x": fmpq(1, 2), "y": fmpq(1, 2)}
    assert knob.printed == -2 and Turning(knob, 100).direction([values]) == 1
    bracket = sharpen(claim, kinds=("exponent",)).brackets[0]
    assert -2 < bracket.best < 0 and bracket.sharper


@pytest.mark.long
def test_the_bound_of_one_symbol_is_asked():
    # exp(x) <= 1 + x + x^2 holds up to x = 1.7933; 2^n >= n^2 fails at n = 3 alone.
    claim = Claim(source=PLACE, statement=Holds(sympy.exp(x) <= 1 + x + x**2), given=[x <= 1],
                  parameters={x: Real(None, None, searched=(-5, 5))})  # fmt: skip
    found = sharpen(claim, kinds=("threshold", "hypothesis"))
    (bracket,) = found.brackets
    assert bracket.knob.alone and bracket.knob.direction == 1 and found.needed == (x <= 1,)
    assert bracket.best > sympy.Rational(17, 10) and bracket.best < bracket.lower < 2
    n = symbols("n", integer=True)
    claim = Claim(source=PLACE, statement=Holds(2**n >= n**2), given=[n >= 10],
                  parameters={n: Integer(1, searched=40)})  # fmt: skip
    found = sharpen(claim, kinds=("threshold",))
    (bracket,) = found.brackets
    assert bracket.knob.whole and bracket.best == 4 and bracket.lower == 3
    assert str(found.claim.given[0]) == "n >= 4"


def test_what_a_domain_says_is_no_hypothesis():
    n = symbols("n", integer=True)
    claim = Claim(source=PLACE, statement=Holds(1 <= n), given=[n >= 1, n >= 2, x > 0, x < 1],
                  parameters={n: Integer(1, searched=40), **UNIT})  # fmt: skip
    assert [str(c) for c, _ in hypotheses(claim)] == ["n >= 2", "x < 1"]


def test_constants_that_are_not_asked_are_told(monkeypatch):
    claim = Claim(source=PLACE, statement=Holds(x * y <= 3 * x**2 + 2 * y**2), parameters=UNIT)
    monkeypatch.setattr(sharpening, "MOST", 1)
    found = sharpen(claim)
    assert "only 1 constants are" in str(found) and found.as_json()["unasked"]
    monkeypatch.setattr(sharpening, "MOST", 8)
    monkeypatch.setattr(sharpening, "FUEL", {"quick": 1})
    assert any(why == "the fuel was spent" for _, why in sharpen(claim).unasked)


def test_a_rate_that_worlds_attain_in_the_limit_is_found_whatever_the_sizes():
    # cosh(x / 2) <= exp(x^2 / 8), and nothing less near x = 0.
    n = symbols("n", integer=True)
    claim = Claim(
        source=PLACE, statement=Holds(sympy.cosh(x / 2) * n <= n * sympy.exp(x**2 / 2)),
        parameters={x: Real(None, None, searched=(-4, 4)), n: Integer(1, searched=4)},
    )  # fmt: skip
    bracket = next(b for b in sharpen(claim, kinds=("inside",)).brackets if b.knob.beside == x**2)
    assert bracket.supported == sympy.Rational(1, 8) and bracket.sharper


def test_where_growing_worlds_lead_is_a_question():
    textbook = Growth(("N",), {n: n / (2 * n + 1) for n in (1, 2, 4)})  # of L D^2 / (2 N)
    assert textbook.unbroken(sympy.Rational(1, 2), None) == sympy.Rational(1, 4)
    assert textbook.unbroken(sympy.Rational(1, 2), sympy.Rational(3, 10)) is None  # refuted there
    assert Growth(("N",), {1: 0.2, 2: 0.3, 4: 0.5}).unbroken(sympy.S.One, None) is None


def test_larger_worlds_take_more_fuel_and_none_is_judged_twice():
    def of(size):
        n = world("n", Integer(size, size))
        v, j = world("v", Vector(n, 0, 1)), index("j", n)
        return Claim(PLACE, Holds(total(v[j], j) <= 2 * n))

    work = Work(Bench("x", budget_named("quick")), None, Fuel(10_000))
    # A hundred and one numbers take 101 * isqrt(101) = 1010 of effort, and 200 are a unit.
    assert work.units(of(2)) == 1 and work.units(of(100)) == 1010 / 200
    assert work.judged(of(2), "once") is work.judged(of(2), "twice")
    spent = 10_000 - work.fuel.left
    work.judged(of(2), "again")
    assert spent == 10_000 - work.fuel.left > 0


def test_fresh_draws_count_as_fuel():
    key = "livni2017/corollary_1:repaired_sharp"
    task = Bench(key, budget_named("quick")).task(load_library(None, [key])[key], "trial")
    without = replace(task, budget=replace(task.budget, draws=0))
    assert of_verdict(task, 1.0) - of_verdict(without, 1.0) == 20_000 * task.claim.cost / DRAWS
