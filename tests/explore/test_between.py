"""Values that no ladder of magnitudes meets: between neighbouring ones, next to poles, at roots."""

import pytest
from sympy import Abs, And, Integer as Whole, Or, Rational, cos, exp, log, sin, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.errors import InvalidArgument
from boundcheck.explore.requirement import require
from boundcheck.expressions import parameter
from boundcheck.worlds import Integer, Real

PLACE = Source("A", 2024, "Example").at("1")
x = parameter("x", Real(0, None, open_low=True))
n = parameter("n", Integer(1, searched=40))


def asked(symbol, *given):
    return require(Claim(PLACE, Holds(x + n >= 0), given=given), symbol)


@pytest.mark.parametrize("condition, low, high", [
    (x**2 - 3 * x + 2 < 0, Whole(1), Whole(2)),
    (1 / (x - 1) >= 2, Whole(1), Rational(3, 2)),
    ((x - 1000001) ** 2 < Rational(1, 4), Rational(2000001, 2), Rational(2000003, 2)),
    (log(x - 3) <= -2, Whole(3), Rational(3135335, 10**6)),
    (sqrt(Rational(1, 100) - (x - Rational(27, 10)) ** 2) >= 0,
     Rational(13, 5), Rational(14, 5)),
])  # fmt: skip
def test_a_condition_that_holds_between_magnitudes_is_found(condition, low, high):
    found = asked(x, condition)
    assert found.sense == "least"
    assert float(found.answer) == pytest.approx(float(low), abs=1e-4)
    assert float(found.other_end) == pytest.approx(float(high), abs=1e-4)


def test_whole_numbers_between_magnitudes_are_found():
    found = asked(n, (n - 77) ** 2 < 2)
    assert (found.answer, found.other_end) == (76, 78)


def test_that_nothing_meets_a_condition_is_said_only_where_it_is_shown():
    with pytest.raises(InvalidArgument, match="it is false for every value"):
        asked(x, exp(-x) > 1)
    with pytest.raises(InvalidArgument, match="it is false for every value"):
        asked(x, cos(x) > 1 + 1 / (1 + x))
    with pytest.raises(InvalidArgument, match="none was found"):
        asked(x, cos(x) + sin(x) > sqrt(2) + 1 / (1 + x))


def test_parts_end_where_the_range_does():
    text = str(asked(x, Abs(x - 2) >= 1))
    assert "admits   (0, 1] and [3, oo)" in text


def test_a_range_by_hypotheses_is_told():
    with pytest.raises(InvalidArgument, match=r"beyond its range, \[2, 3\)"):
        asked(x, x >= 2, x < 3)


y = parameter("y", Real(None, None))


@pytest.mark.parametrize("condition, told", [
    (Or(y > 2, y < -3), "y more than 2.0"),
    (1 / (y - 1) >= 0, "y more than 1.0"),
    (exp(y) > 1, "y more than 0"),
    (1 / y < 0, "y less than 0"),
    (exp(y) >= 1, "y at least 0"),
    (log(y) < 3, "y less than 20.08553692318767"),
    (Or(y >= Rational(1, 3), y < -3), "y at least 0.3333333333333333"),
])  # fmt: skip
def test_an_end_that_is_left_out_is_told_from_one_that_is_met(condition, told):
    found = require(Claim(PLACE, Holds(y**2 >= sin(y) - 1), given=[condition]), y)
    assert str(found).splitlines()[0].endswith(told)
    assert all(trial.holds for trial in found.trials[:1])


def test_parts_say_which_ends_belong_to_them():
    given = [Or(And(y > 2, y < 5), y >= 7)]
    text = str(require(Claim(PLACE, Holds(y**2 >= sin(y) - 1), given=given), y))
    assert "admits   (2.0, 5.0) and [7, oo)" in text
    assert "less than 5.0" not in text  # an end of one part is none of the whole


def test_the_least_value_of_what_goes_on_below_is_refused():
    claim = Claim(PLACE, Holds(y**2 >= sin(y) - 1), given=[1 / y < 0])
    with pytest.raises(InvalidArgument, match="limits y from below; ask for the greatest"):
        require(claim, y, sense="least")


def test_values_at_which_a_condition_has_no_value_are_not_admitted():
    """Of 21 and 22 there is no logarithm; every n up to 169 was said to do."""
    found = asked(n, log((n - 20) * (n - 23)) <= 10)
    assert found.answer == 169 and "[1, 19] and [24, 169]" in str(found)
