"""The exact route on statements that balls, ties, ends and null outcomes make hard to judge."""

import pytest
import sympy
from flint import arb, fmpq, fmpq_mat
from sympy import And, Eq, Implies, Ne, Or, cos, exp, log, sin, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source, WithProbability, exact
from boundcheck.arithmetic import integer_power, power, precision, sign, square_root
from boundcheck.certify import (
    certify,
    decide_expected,
    expectation,
    violation_probability,
    why_undefined,
)
from boundcheck.claim import UpToConstant
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions import define, indicator, outcome, world
from boundcheck.setting import Setting, met
from boundcheck.worlds import Draw, Indices, Integer, Listed, Real, Signs, Space, Weights

PLACE = Source("A", 2000, "T").at("here")
x, y, n, size, other = symbols("x y n size other", real=True)
HALF = fmpq(1, 2)
q = define("q", log(x))
LINE = {"parameters": {x: Real(None, None), y: Real(None, None)}}


def setting(statement, values, **fields):
    fields = {**LINE, **fields} if "worlds" not in fields else {"parameters": {}, **fields}
    return Setting(Claim(source=PLACE, statement=statement, **fields), values)


TIE = sin(x) ** 2 + cos(x) ** 2  # one, which no ball can tell from one
TRUE_OR_OPEN = {
    "a tie that balls straddle": (Holds(TIE <= 1), {"x": fmpq(1, 3)}),
    "an identity that balls straddle": (Holds(Eq(TIE, 1)), {"x": fmpq(1, 3)}),
    "a strict tie from the other side": (Holds(TIE > 1 - y), {"x": fmpq(1, 3), "y": fmpq(0)}),
    "an undecided premise": (Holds(Implies(TIE >= 1, x > 5)), {"x": fmpq(1, 3)}),
    "a false premise": (Holds(Implies(x > 1, log(x - 1) > 9)), {"x": fmpq(0)}),
    "an undecided alternative": (Holds(Or(x > 5, TIE <= 1)), {"x": fmpq(1, 3)}),
    "an undecided member": (Holds(And(x < 5, TIE >= 1)), {"x": fmpq(1, 3)}),
    "an end that belongs": (Holds(x <= 1), {"x": fmpq(1)}),
    "exact cancellation": (Holds((x + 10**30) ** 2 - x**2 - 10**60 <= y), {"x": fmpq(0)}),
    "a difference below a double": (Holds(exp(x) >= 1 + x), {"x": fmpq(1, 10**30)}),
    "huge numbers": (Holds(x < y), {"x": fmpq(10**400), "y": fmpq(10**400 + 1)}),
    "tiny numbers": (Holds(x > 0), {"x": fmpq(1, 10**400)}),
    "a root of a square": (Holds(sqrt(x**2) <= 7), {"x": fmpq(-7)}),
    "up to a constant": (UpToConstant(x <= y), {"x": fmpq(10**9), "y": fmpq(1, 10**9)}),
    "up to a constant at a tie with zero": (
        UpToConstant(TIE - 1 <= 0 * x), {"x": fmpq(1, 3)}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE_OR_OPEN)
def test_nothing_is_certified_false_that_is_not(name):
    statement, values = TRUE_OR_OPEN[name]
    values = {"x": fmpq(0), "y": fmpq(0), **values}
    assert certify(setting(statement, values))[0] is False


FALSE = {
    "a strict inequality at a tie": (Holds(x < 1), {"x": fmpq(1)}),
    "an identity off by a little": (Holds(Eq(x, 1)), {"x": 1 + fmpq(1, 10**300)}),
    "a difference of equals": (Holds(Ne(x, y)), {"x": HALF, "y": HALF}),
    "a member that is false": (Holds(And(x <= 1, y <= 1)), {"x": fmpq(0), "y": fmpq(2)}),
    "a conclusion": (Holds(Implies(x >= 0, y > 0)), {"x": fmpq(0), "y": fmpq(0)}),
    "an exponential tie broken": (Holds(exp(x) > 1 + x + x**2), {"x": fmpq(1, 10**9)}),
    "no constant": (UpToConstant(x <= y), {"x": fmpq(1), "y": fmpq(0)}),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_certified(name):
    statement, values = FALSE[name]
    assert certify(setting(statement, {"x": fmpq(0), "y": fmpq(0), **values}))[0] is True


def drawn(statement, definition, weights, **fields):
    claim = Claim(
        source=PLACE, statement=statement, worlds=Space(n=Integer(1, 3), p=Weights(3, zeros=True)),
        draw=Indices("i", "p", "n"), measure={size: definition}, **fields,
    )
    return Setting(claim, {"n": 1, "p": weights})


def at(*values):
    return lambda p, i: values[i[0]]


QUARTERS = (HALF, fmpq(1, 4), fmpq(1, 4))


def test_outcomes_of_probability_zero_refute_nothing():
    null = (HALF, HALF, fmpq(0))
    for form in (Holds, lambda r: WithProbability(1, r), lambda r: Expected(r)):
        assert certify(drawn(form(size <= 1), at(1, 1, 10**9), null))[0] is False
    listed = Claim(
        source=PLACE, statement=Holds(size <= 1), worlds=Space(p=Weights(2, zeros=True)),
        draw=Listed(("v",), lambda p: [(p[0], {"v": 1}), (p[1], {"v": 9})]),
        measure={size: lambda v: v},
    )
    assert certify(Setting(listed, {"p": (fmpq(1), fmpq(0))}))[0] is False
    assert certify(Setting(listed, {"p": (HALF, HALF)}))[0] is True


class Null(Draw):
    """A law that lists an outcome of probability zero."""

    names, over = ("v",), "the coin"

    def count(self, look):
        return 2

    def outcomes(self, look):
        yield fmpq(0), {"v": 10**9}
        yield fmpq(1), {"v": 1}


def test_a_listed_outcome_of_probability_zero_refutes_nothing():
    claim = Claim(source=PLACE, statement=Holds(size <= 1), draw=Null(),
                  measure={size: lambda v: v})  # fmt: skip
    assert certify(Setting(claim, {}))[0] is False


def test_a_mean_under_a_premise_of_the_draw_is_open():
    here = drawn(Expected(Implies(size > 0, size <= 1)), at(1, 1, 1), QUARTERS)
    assert decide_expected(here, here.claim.statement.relation)[0] is None


def test_a_probability_is_compared_with_what_is_allowed():
    for level, refuted in (("1/2", False), ("3/4", False), ("4/5", True), ("1", True)):
        statement = WithProbability(sympy.Rational(level), size <= 1)
        assert certify(drawn(statement, at(1, 1, 2), QUARTERS))[0] is refuted


def test_outcomes_that_balls_cannot_decide_are_no_violations():
    tie = arb(1).sin() ** 2 + arb(1).cos() ** 2
    here = drawn(WithProbability(1, size <= 1), at(tie, tie, tie), QUARTERS)
    assert violation_probability(here, size <= 1) == 0 and certify(here)[0] is False


def test_probabilities_add_up_over_the_failing_outcomes():
    here = drawn(WithProbability(1, size <= 1), at(2, 1, 2), QUARTERS)
    assert violation_probability(here, size <= 1) == fmpq(3, 4)


def test_a_mean_is_weighted():
    here = drawn(Expected(size <= 1), at(0, 0, 4), QUARTERS)
    assert expectation(here, size) == 1 and certify(here)[0] is False
    assert certify(drawn(Expected(size < 1), at(0, 0, 4), QUARTERS))[0] is True


def test_masses_that_are_no_law_have_no_mean():
    here = drawn(Expected(size <= 1), at(1, 1, 1), (HALF, HALF, HALF))
    with pytest.raises(Undecided, match="sum to 3/2"):
        certify(here)


def test_a_premise_with_an_open_outcome_is_not_met():
    here = drawn(Expected(Implies(size > 0, size <= 1)), at(1, 1, 1), QUARTERS)
    assert met((size > 0,), here) is None
    plain = setting(Holds(x <= 1), {"x": fmpq(1, 3), "y": fmpq(0)})
    assert met((TIE >= 1,), plain) is None and met((x > 5, TIE >= 1), plain) is False
    assert met((x > 0,), plain) is True


@pytest.mark.parametrize("condition", [TIE >= 1, log(x) > 0, sympy.Ge(1 / y, 0)])
def test_a_hypothesis_that_is_open_or_without_value_is_not_met(condition):
    here = setting(Holds(x <= 1), {"x": fmpq(-1), "y": fmpq(0)}, given=[condition])
    assert here.failed_hypothesis() is not None and not here.admissible()


def test_no_value_is_told_from_a_wide_ball():
    values = {"x": fmpq(0), "y": fmpq(0)}
    assert why_undefined(setting(Holds(log(x) <= 1), values)) == "logarithm of zero"
    assert why_undefined(setting(Holds(1 / x <= 1), values)) == "division by zero"
    assert why_undefined(setting(Holds(1 / (TIE - 1) <= 1), {**values, "x": HALF})) == ""
    assert why_undefined(setting(Holds(Implies(x > 1, log(x) <= 1)), values)) == ""


# Balls: does each contain the value at many more bits?

POINTS = [fmpq(1, 3), fmpq(7, 5), fmpq(10**20, 3), fmpq(1, 10**20)]
FUNCTIONS = {
    "a root": square_root, "a power": lambda v: power(v, fmpq(3, 7)),
    "a power of a ball": lambda v: integer_power(square_root(v), 5),
    "an exponential": lambda v: exact.exponential(-v), "a logarithm": exact.logarithm,
    "a quotient": lambda v: exact.reciprocal(square_root(v)),
    "a difference": lambda v: square_root(v + 1) - square_root(v),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_ball_contains_the_value_at_640_bits(name):
    for point in POINTS:
        with precision(640):
            fine = arb(FUNCTIONS[name](point))
        with precision(64):
            coarse = arb(FUNCTIONS[name](point))
            assert coarse.contains(fine.mid()) and float(coarse.rad()) >= 0


def test_signs_of_balls_are_three_valued():
    with precision(64):
        assert sign(arb(2).sqrt() ** 2 - 2) is None
        assert sign(arb(0)) == 0 and sign(arb(1, HALF_BALL)) == 1 and sign(-arb(1)) == -1
        assert sign(arb("nan")) is None and sign(arb.pos_inf()) is None


HALF_BALL = 0.5


def test_powers_and_roots_at_the_edge():
    with pytest.raises(Undefined, match="negative"):
        square_root(fmpq(-1))
    with pytest.raises(Undefined):
        power(fmpq(-1), fmpq(1, 3))
    with pytest.raises(Undecided):
        power(arb(0, 1), fmpq(-1, 3))
    with pytest.raises(Undefined, match="division by zero"):
        power(fmpq(0), fmpq(-1, 3))
    with pytest.raises(Undefined, match="singular"):
        exact.reciprocal(fmpq_mat(2, 2, [1, 1, 1, 1]))
    assert integer_power(fmpq(0), 0) == 1 and power(fmpq(0), fmpq(1, 3)) == 0


def test_a_setting_forgets_balls_of_a_lower_precision():
    here = setting(Holds(size <= x), {"x": fmpq(2), "y": fmpq(0)},
                   measure={size: lambda x: square_root(x)})  # fmt: skip
    with precision(64):
        coarse = here("size").rad()
    with precision(640):
        assert here("size").rad() < coarse
    once = here.with_outcome({})
    with precision(64):
        once("size")
    with precision(640):
        assert once("size").rad() < coarse


def test_a_named_outcome_never_stands_for_a_world_value():
    here = drawn(Holds(size <= 1), at(1, 2, 3), QUARTERS)
    assert here.with_outcome({"i": (2,)})("size") == 3
    assert here.with_outcome({"i": (0,)})("size") == 1


# A root of what may be negative by less than a ball is wide.

DIPS = {
    "a square root": sqrt(TIE - 1 - y / 10**400),
    "a third root": (TIE - 1 - y / 10**400) ** sympy.Rational(1, 3),
    "a high power": sqrt(TIE - 1 - y**200 / 10**9),
}


@pytest.mark.parametrize("name", DIPS)
def test_a_root_of_what_may_be_negative_decides_nothing(name):
    met_by = setting(Holds(y <= 0), {"x": fmpq(1, 3), "y": fmpq(1, 10)}, given=[DIPS[name] <= 1])
    assert not met_by.admissible()
    said = setting(Holds(DIPS[name] >= 1), {"x": fmpq(1, 3), "y": fmpq(1, 10)})
    assert certify(said)[0] is False or why_undefined(said)


def test_a_root_of_what_is_nonnegative_by_form_has_a_value():
    square = setting(Holds(sqrt((TIE - 1) ** 2 + (TIE - 1) ** 4) > 1), {"x": fmpq(1, 3)})
    assert certify(square)[0] is True


LAZY = {
    "a piece": sympy.Piecewise((1, x <= 0), (q, True)) <= 1 + x**2,
    "an indicator": indicator(And(x > 0, q > 1)) <= 1 + x**2,
}


@pytest.mark.parametrize("name", LAZY)
def test_what_is_not_asked_for_needs_no_value(name):
    claim = Claim(PLACE, Holds(LAZY[name]), parameters={x: Real(None, None)})
    assert not why_undefined(Setting(claim, {"x": fmpq(-2)}))


def test_what_is_asked_for_beside_a_draw_needs_one():
    one = world("one", Integer(1, 1))
    coin = outcome("coin", Signs("coin", one))
    here = {"x": fmpq(-2), "one": 1}
    claim = Claim(PLACE, Holds(coin[0] * q <= 1 + x**2), parameters={x: Real(None, None)})
    assert "logarithm" in why_undefined(Setting(claim, here), listed=0)
    pieces = coin[0] * sympy.Piecewise((1, x <= 0), (q, True)) <= 1 + x**2
    lazy = Claim(PLACE, Holds(pieces), parameters={x: Real(None, None)})
    assert not why_undefined(Setting(lazy, here), listed=0)
