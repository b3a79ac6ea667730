"""Conditions that are rational in a symbol, against values asked one by one."""

import math
import operator
import random
from fractions import Fraction

import pytest
from flint import fmpq
from sympy import Eq, Ge, Gt, Le, Lt, Max, Mul, Rational, ceiling, exp, floor, log, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.explore import require
from boundcheck.explore.ranges import Range
from boundcheck.explore.rational import solved_exactly
from boundcheck.explore.steps import without_step
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
n, v = symbols("n v", real=True)
COMPARED = {Ge: operator.ge, Gt: operator.gt, Le: operator.le, Lt: operator.lt}


def asked(*given, low=0, high=None, **more):
    ranges = {n: Integer(1, searched=9), v: Real(low, high)}
    return require(Claim(PLACE, Holds(n <= 1), given=given, parameters=ranges), v, **more)


def known(expr):
    return fmpq(int(expr.p), int(expr.q)) if expr.is_Rational else None


@pytest.mark.parametrize(("given", "low", "high", "sense", "intervals"), [
    ((v - 5) * (v - 6) * (v - 7) >= 0, 0, None, "least", [(5, 6), (7, None)]),
    ((v - 1100) * (v - 1500) * (v - 2000) >= 0, 0, None, "least", [(1100, 1500), (2000, None)]),
    ((v - Rational(11, 20)) * (v - Rational(53, 100)) * (v - Rational(51, 100)) >= 0, 0, 1,
     "least", [(fmpq(51, 100), fmpq(53, 100)), (fmpq(11, 20), None)]),
    ((v - 13) * (v - 5) * (v - 2) >= 0, None, 50, "least", [(2, 5), (13, None)]),
    ((v - 13) * (v + 2) * (v + 11) >= 0, None, None, "least", [(-11, -2), (13, None)]),
    ((v - 5) * (v - 6) * (v - 7) <= 0, 0, None, "greatest", [(None, 5), (6, 7)]),
    (v * (v + 1) >= 0, -10, 50, "least", [(None, -1), (0, None)]),
    (floor(v) - v / 2 >= 1, 0, None, "least", [(2, 2), (3, None)]),
    (ceiling(v / 2) - v <= 1, None, None, "least", [(-2, -2), (-1, None)]),
    (ceiling(v / 2) - v <= 1, -30, None, "least", [(-2, -2), (-1, None)]),
    (ceiling(v) - 2 * v <= 1, -10, None, "least", [(-1, -1), (-fmpq(1, 2), None)]),
])  # fmt: skip
def test_all_of_the_line_is_told_exactly_where_a_condition_is_rational(
    given, low, high, sense, intervals
):
    """Of the first one it was said that v is at least 5: between 6 and 7 it fails."""
    found = asked(given, low=low, high=high)
    assert found.sense == sense and list(found.intervals) == intervals
    assert str(found.answer) in {str(end) for pair in intervals for end in pair}


def test_roots_that_are_not_rational_are_ends_on_the_safe_side():
    found = asked(v * (v - 5) * (v - 6) * (v - 7) >= 1)
    (low, high), (last, end) = found.intervals
    assert end is None
    for inside, side in ((low, -1), (high, 1), (last, -1)):
        beyond = inside + fmpq(side, 2**60)
        met = [x * (x - 5) * (x - 6) * (x - 7) >= 1 for x in (inside, beyond)]
        assert met == [True, False]


def test_what_has_no_value_at_the_zero_of_a_divisor_is_not_met_there():
    found = asked(1 / (v + 1) <= 1, low=-10, high=50)
    (_, high), (low, _) = found.intervals
    assert -1 - fmpq(1, 2**60) < high < -1 and low == 0
    assert solved_exactly(1 / (v - 3) + 1 >= 1, "v", known, Range(low=fmpq(0))) == (
        (3 + 3 * fmpq(1, 2**64), None),)  # fmt: skip
    ranges = {n: Integer(1, searched=9), v: Real(0, None)}
    claim = Claim(PLACE, Holds(v <= 1), given=[5 / n > Rational(1, 11)], parameters=ranges)
    found = require(claim, n)
    assert (found.sense, found.answer, found.intervals) == ("greatest", 54, ((None, 54),))


@pytest.mark.parametrize("given", [
    (log(v) - log(5)) * (log(v) - log(6)) * (log(v) - log(7)) >= 0,
    Max(v, 2) * (v - 5) * (v - 6) * (v - 7) >= 0,
    (sqrt(v) - sqrt(5)) * (v - 6) * (v - 7) >= 0,
])  # fmt: skip
def test_changes_inside_one_cell_of_the_ladder_are_found(given):
    found = asked(given)
    told = [end for pair in found.intervals for end in pair]
    assert told[3] is None
    assert [round(float(end.p) / float(end.q), 9) for end in told[:3]] == [5, 6, 7]


def test_a_condition_with_one_change_between_two_values_is_bisected_there():
    (_, high), (low, end) = asked(exp(v) - 3 * v >= 0, low=-5, high=5).intervals
    assert end is None and float(high.p) / float(high.q) == pytest.approx(0.6190612867)
    assert float(low.p) / float(low.q) == pytest.approx(1.5121345517)


def test_floors_that_disagree_far_out_are_not_solved():
    part = v - floor(v) <= Rational(1, 2)
    assert solved_exactly(part, "v", known, Range(low=fmpq(0))) is None
    assert solved_exactly(part, "v", known, Range(low=fmpq(0), high=fmpq(2))) == (
        (0, fmpq(1, 2)), (1, fmpq(3, 2)), (2, None))  # fmt: skip


def test_points_that_are_met_alone_are_told():
    with pytest.raises(InvalidArgument, match="is not decided"):
        asked((v**2 - 2) ** 2 * (v - 5) >= 0)
    found = asked((v**2 - 2) ** 2 <= 0)
    assert found.sense == "exactly" and float(found.answer) == pytest.approx(math.sqrt(2))
    assert asked((v**2 - 4) ** 2 <= 0).answer == 2


def value(expr, x):
    if expr.is_Rational:
        return Fraction(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        return x
    args = [value(arg, x) for arg in expr.args]
    if expr.is_Add or expr.is_Mul:
        return sum(args) if expr.is_Add else math.prod(args)
    if expr.is_Pow:
        return args[0] ** int(expr.exp)
    return Fraction((math.floor if isinstance(expr, floor) else math.ceil)(args[0]))


def drawn(rng):
    def number():
        return Rational(rng.randint(-12, 12), rng.choice([1, 1, 2, 3]))

    left = rng.choice([
        Mul(*[v - number() for _ in range(rng.randint(1, 4))]) + rng.choice([0, number()]),
        (v**2 + number() * v + number()) * (v + number()),
        number() / (v + number()) + number() * v + number(),
        rng.choice([floor, ceiling])(v * rng.choice([1, Rational(2, 3), -1])) - v * number(),
        floor(v) * rng.choice([1, -1, 2]) + ceiling(v / 2 + number()) - number() * v,
        (v - floor(v / 3) * 3) * number() + number() + floor(v) * number(),
    ])  # fmt: skip
    return rng.choice(list(COMPARED))(left, number())


@pytest.mark.parametrize("seed", range(4))
def test_rational_conditions_agree_with_brute_force(seed):
    rng, solved = random.Random(seed), 0
    for _ in range(40):
        relation, whole = drawn(rng), rng.random() < 0.4
        allowed = Range(low=rng.choice([None, fmpq(-10), fmpq(0), fmpq(2)]),
                        high=rng.choice([None, None, fmpq(17), fmpq(5)]), whole=whole)  # fmt: skip
        if not relation.free_symbols:
            continue
        found = solved_exactly(relation, "v", known, allowed)
        solved += found is not None
        for x in range(-25, 60) if whole else [Fraction(k, 12) for k in range(-150, 300)]:
            at = fmpq(*Fraction(x).as_integer_ratio())
            if found is None or at == 0 or not allowed.contains(at):
                continue  # an end at zero that is left out is told as zero
            try:
                met = COMPARED[type(relation)](*(value(arg, Fraction(x)) for arg in relation.args))
            except ZeroDivisionError:
                met = False
            told = any((low is None or low <= at) and (high is None or at <= high)
                       for low, high in found)  # fmt: skip
            assert told is met, (relation, str(allowed), found, x)
    assert solved > 20


@pytest.mark.parametrize(("relation", "low", "high"), [
    (v * (v - 5) > 0, 0, 5), (1 / v <= -1, 0, None), (v**3 < 0, 0, None), (v / (v - 5) > 0, 0, 3),
    (1 / v >= 1, -5, 0), (v**3 > 0, -5, 0),
])  # fmt: skip
def test_zero_that_fails_at_the_end_of_a_range_is_no_run(relation, low, high):
    """Of each every value was said to do, for zero alone was left of a run beyond the range."""
    claim = Claim(PLACE, Holds(n <= 1), given=[relation],
                  parameters={n: Integer(1, searched=9), v: Real(low, high)})  # fmt: skip
    with pytest.raises(InvalidArgument, match="it is false for every value"):
        require(claim, v)


@pytest.mark.parametrize(("relation", "low", "sense", "answer", "other"), [
    (floor(sqrt(v)) >= 3, 0, "least", 9, None), (Eq(floor(v), 3), 0, "least", 3, None),
    (ceiling(8 / v**2) <= 50, 0, "least", Rational(2, 5), None),
    (1 / v >= Rational(1, 9), None, "greatest", 9, 0),
    (v * (v + 3) < 0, None, "greatest", 0, -3),
])  # fmt: skip
def test_a_first_value_is_no_last_one_and_zero_is_an_end(relation, low, sense, answer, other):
    """They were said to be at least 9 and no more than 9; of 1/v >= 1/9 zero was not told."""
    claim = Claim(PLACE, Holds(n <= 1), given=[relation],
                  parameters={n: Integer(1, searched=9), v: Real(low, None)})  # fmt: skip
    found = require(claim, v)
    assert found.sense == sense and float(found.answer) == pytest.approx(float(answer))
    assert found.other_end is None if other is None else (
        float(found.other_end) == pytest.approx(other))


@pytest.mark.parametrize("step", [floor, ceiling])
@pytest.mark.parametrize("compare", [Ge, Gt, Le, Lt])
@pytest.mark.parametrize("factor", [-3, 2, Rational(1, 2)])
def test_a_step_alone_says_the_same_as_what_is_inside(step, compare, factor):
    """Read off at all sixths: numbers inside, at and beside the jumps."""
    for bound in (-2, 0, Rational(5, 2), 3):
        given = compare(factor * step(2 * v**2 - 3) + 1, bound, evaluate=False)
        plain = without_step(given)
        assert not plain.has(step)
        for place in range(-18, 19):
            value = Rational(place, 6)
            assert plain.xreplace({v: value}).doit() == given.xreplace({v: value}).doit()


def test_beside_other_terms_a_step_stays():
    for given in (floor(v) - v / 2 >= 1, floor(v) * ceiling(v) >= 1, floor(v) >= sqrt(2) * v):
        assert without_step(given) is given


@pytest.mark.parametrize(("given", "answer", "word"), [
    (floor(1 / v) >= 2, fmpq(1, 2), "at most"), (floor(1 / v) <= 2, fmpq(1, 3), "more than"),
    (5 - 2 * ceiling(1 / v) > 0, fmpq(1, 2), "at least"), (ceiling(v**2) > 4, 2, "more than"),
])  # fmt: skip
def test_a_step_of_what_turns_has_the_ends_of_what_is_inside(given, answer, word):
    """That of 1/v was refused, since it comes and goes in floats."""
    found = asked(given)
    assert found.word == word and abs(found.answer / answer - 1) < fmpq(1, 10**8)


def test_floors_of_logarithms_of_long_integers_are_not_factored():
    """SymPy factored 2^8000 + 1, which does not end."""
    for given, answer in (
        (floor(log(n) / log(2)) >= 7, 128), (floor(log(n) / log(3)) <= 4, 242),
        (floor(log(n) / log(2)) ** 2 >= 49, 128),
    ):  # fmt: skip
        claim = Claim(PLACE, Holds(n <= 1), given=[given], parameters={n: Integer(1, searched=9)})
        assert require(claim, n).answer == answer
