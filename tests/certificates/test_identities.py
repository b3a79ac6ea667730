"""Identities of elementary functions are shown where both sides have values, and nowhere else."""

import json

import flint
import pytest
from flint import arb, fmpq
from sympy import (
    Abs,
    Eq,
    Max,
    Min,
    Ne,
    Rational,
    cos,
    cosh,
    exp,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tanh,
    true,
)

from boundcheck.certificates.balls import ball
from boundcheck.certificates.checker import check
from boundcheck.certificates.elementary import Elementary
from boundcheck.certificates.facts import Context, term_of
from boundcheck.certificates.polynomials import Signs
from boundcheck.certificates.problem import problem
from boundcheck.certificates.search import prove
from boundcheck.certificates.statement import read_problem, verify
from boundcheck.certificates.terms import Rejected
from boundcheck.checks.proofs.system import requirements

x, y, a, b = symbols("x y a b", real=True)
sigmoid = 1 / (1 + exp(-x))
TRUE = {
    "softplus": ([], log(1 + exp(x)) - log(1 + exp(-x)), x),
    "tanh of exponentials": ([], tanh(x), (exp(2 * x) - 1) / (exp(2 * x) + 1)),
    "tanh and sigmoid": ([], tanh(x), 2 / (1 + exp(-2 * x)) - 1),
    "sigmoid and tanh": ([], sigmoid, (1 + tanh(x / 2)) / 2),
    "derivative of tanh": ([], 1 - tanh(x) ** 2, 1 / cosh(x) ** 2),
    "three times": ([], cos(3 * x), 4 * cos(x) ** 3 - 3 * cos(x)),
    "circle": ([], sin(x) ** 2 + cos(x) ** 2, 1),
    "log of a sigmoid": ([], log(sigmoid), -log(1 + exp(-x))),
    "log odds": ([], log(sigmoid / (1 - sigmoid)), x),
    "log odds, given": ([Eq(a, sigmoid)], log(a / (1 - a)), x),
    "cosh of a logarithm": ([y > 0], cosh(log(y)), (y + 1 / y) / 2),
    "sine of a sum": ([], sin(x + y), sin(x) * cos(y) + cos(x) * sin(y)),
    "cosine of a difference": ([], cos(x - y), cos(x) * cos(y) + sin(x) * sin(y)),
    "half": ([], 2 * cos(x / 2) ** 2, 1 + cos(x)),
    "tanh of a sum": ([], tanh(x + y), (tanh(x) + tanh(y)) / (1 + tanh(x) * tanh(y))),
    "inverse of tanh": ([x > -1, x < 1], tanh(log((1 + x) / (1 - x)) / 2), x),
    "inverse from tanh": ([], log((1 + tanh(x)) / (1 - tanh(x))) / 2, x),
    "inverse of sinh": ([], sinh(log(x + sqrt(x**2 + 1))), x),
    "a square in a logarithm": ([], log(exp(2 * x) + 2 * exp(x) + 1), 2 * log(1 + exp(x))),
    "log of a sum": ([], log(exp(x) + exp(y)), x + log(1 + exp(y - x))),
    "halves and thirds": ([], cosh(x / 2) * cosh(x / 3), (cosh(5 * x / 6) + cosh(x / 6)) / 2),
    "a fourth power": ([], sin(x) ** 4, (3 - 4 * cos(2 * x) + cos(4 * x)) / 8),
    "away from a pole": ([x > 0], 1 / tanh(x), cosh(x) / sinh(x)),
    "where the cosine is not zero": ([Ne(cos(x), 0)], 1 / cos(x) ** 2,
                                     1 + sin(x) ** 2 / cos(x) ** 2),
    "a root": ([], sqrt(1 - tanh(x) ** 2), 1 / cosh(x)),
    "another root": ([], sqrt(1 + sinh(x) ** 2), cosh(x)),
    "an eighth of a turn": ([], sin(x + pi / 4), (sin(x) + cos(x)) / sqrt(2)),
    "a sixth of a turn": ([], cos(x + pi / 3), cos(x) / 2 - sqrt(3) / 2 * sin(x)),
    "entropy": ([a > 0, a < 1], -a * log(a) - (1 - a) * log(1 - a),
                -log(1 - a) - a * log(a / (1 - a))),
    "softplus, stably": ([], log(1 + exp(x)), Max(x, 0) + log(1 + exp(-Abs(x)))),
    "log of a sum, stably": ([], log(exp(x) + exp(y)), Max(x, y) + log(1 + exp(-Abs(x - y)))),
    "an even function": ([], cosh(Abs(x)), cosh(x)),
    "between two inequalities": ([x <= y, y <= x], x, y),
}  # fmt: skip
FALSE = {
    "tanh and sigmoid": ([], tanh(x), 2 / (1 + exp(-x)) - 1),
    "derivative of tanh": ([], 1 - tanh(x) ** 2, 1 / cosh(x)),
    "derivative of tanh, nearly": ([], 1 - tanh(x) ** 2, Rational(10**9 + 1, 10**9) / cosh(x) ** 2),
    "three times": ([], cos(3 * x), 4 * cos(x) ** 3 - 2 * cos(x)),
    "circle of two": ([], sin(x) ** 2 + cos(y) ** 2, 1),
    "hyperbola": ([], cos(x) ** 2 - sin(x) ** 2, 1),
    "softplus": ([], log(1 + exp(x)) - log(1 + exp(-x)), -x),
    "sine of a sum": ([], sin(x + y), sin(x) * cos(y) - cos(x) * sin(y)),
    "cosine of a sum": ([], cos(x + y), cos(x) * cos(y) + sin(x) * sin(y)),
    "logarithm of a square": ([], log(x**2), 2 * log(x)),
    "logarithm at zero": ([], log(sin(x) ** 2), log(1 - cos(x) ** 2)),
    "a pole": ([], sinh(x) ** 2 / (cosh(x) - 1), cosh(x) + 1),
    "a pole of 1 / tanh": ([], 1 / tanh(x), cosh(x) / sinh(x)),
    "a pole of 1 / cos": ([], 1 / cos(x) ** 2, 1 + sin(x) ** 2 / cos(x) ** 2),
    "log odds of any number": ([], log(a / (1 - a)), log(a) - log(1 - a)),
    "ends of a range": ([x >= -1, x <= 1], tanh(log((1 + x) / (1 - x)) / 2), x),
    "a negative root": ([], sqrt(1 - cos(x) ** 2), sin(x)),
    "another negative root": ([], sqrt(cosh(x) ** 2 - 1), sinh(x)),
    "cosh of a logarithm": ([], cosh(log(y)), (y + 1 / y) / 2),
    "another multiple": ([], cos(25 * x), cos(24 * x) * cos(x) + sin(24 * x) * sin(x)),
    "an eighth of a turn": ([], sin(x + pi / 4), (sin(x) - cos(x)) / sqrt(2)),
    "softplus of the wrong sign": ([], log(1 + exp(x)), Max(x, 0) + log(1 + exp(-x))),
    "the smaller of two": ([], log(exp(x) + exp(y)), Min(x, y) + log(1 + exp(-Abs(x - y)))),
    "an odd function": ([], sinh(Abs(x)), sinh(x)),
    "one inequality": ([x <= y, 2 * y <= x + y + 1], x, y),
    "a twelfth of a turn": ([], sin(x + pi / 6), (sin(x) + cos(x)) / 2),
}  # fmt: skip


def stated(premises, left, right):
    goal = Eq(left, right, evaluate=False)
    needed = [condition for condition in requirements(goal) if condition != true]
    return problem(premises, needed, goal, [])


def through_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", TRUE)
def test_identities_have_certificates(name):
    what = stated(*TRUE[name])
    proofs = through_json(prove(what, work=30_000))
    assert proofs is not None
    assert verify(read_problem(through_json(what.as_json())), proofs) > 0


@pytest.mark.parametrize("name", FALSE)
def test_what_is_no_identity_everywhere_has_none(name):
    assert prove(stated(*FALSE[name]), work=10_000) is None


def test_steps_of_an_identity_show_no_other():
    what = stated(*TRUE["derivative of tanh"])
    proofs = through_json(prove(what))
    for name in ("derivative of tanh", "derivative of tanh, nearly"):
        with pytest.raises(Rejected):
            verify(stated(*FALSE[name]), proofs)
    for parts in (0, -1, True, None, 13, "1", 1.0):
        edited = [[{**s, "parts": parts} if s["rule"] == "elementary" else s for s in steps]
                  for steps in proofs]  # fmt: skip
        with pytest.raises(Rejected):
            verify(what, edited)


def test_a_bottom_of_unknown_sign_is_kept_in_an_inequality():
    """1/x >= 0 wherever x is not zero: false, though -1 > 0 is what 1/x < 0 is without its x."""
    what = problem([Ne(x, 0)], [], 1 / x >= 0, [])
    shown, forged = [{"rule": "evident", "fact": 1}], [
        {"rule": "elementary", "fact": 2, "parts": 1}, {"rule": "evident", "fact": 3}]  # fmt: skip
    with pytest.raises(Rejected, match="fact 3 contradicts no sign"):
        verify(what, [shown, forged])


def test_logarithms_of_what_differs_need_two_positive_sides():
    what = problem([a > 0], [], Eq(a, b), [])
    with pytest.raises(Rejected, match="not known to be positive"):
        verify(what, [[{"rule": "logarithm", "fact": 1}]])
    what = problem([a > 0], [], Eq(b, a), [])
    with pytest.raises(Rejected, match="not known to be positive"):
        verify(what, [[{"rule": "logarithm", "fact": 1}]])


def test_elementary_functions_in_sums_are_refused():
    sum_of = ("sum", "m", "i", ("tanh", ("at", "v", "i")))
    context = Context(set(), signs=Signs(sizes=frozenset({"m"})))
    context.add(("<", "0", sum_of))
    with pytest.raises(Rejected, match="in a sum"):
        check(context, [{"rule": "elementary", "fact": 0, "parts": 1}])


def test_what_is_put_in_is_an_equation_and_nothing_is_put_into_a_sum():
    context = Context(set(), signs=Signs(sizes=frozenset({"m"})))
    inside = ("sum", "m", "i", ("at", "v", "i"))
    context.add(("<", X, Y), ("=", X, "1"), ("<", inside, X), ("<=", X, Y))
    for fact, equation in ((0, 0), (0, 3), (2, 1)):
        with pytest.raises(Rejected, match="put in"):
            check(context, [{"rule": "put", "fact": fact, "equation": equation}])
    check(context, [{"rule": "put", "fact": 0, "equation": 1}])
    assert context.facts[-1] == ("<", "1", Y)


def test_what_differs_is_ordered_by_its_own_inequality_only():
    context = Context(set())
    context.add(("!=", X, Y), ("<=", X, ("*", "2", Y)), ("<=", Y, X), ("<", Y, "3"))
    for order in (1, 3):
        with pytest.raises(Rejected):
            check(context, [{"rule": "apart", "fact": 0, "order": order}])
    check(context, [{"rule": "apart", "fact": 0, "order": 2}])
    assert context.facts[-1] == ("<", Y, X)


X, Y = ("x", "x"), ("x", "y")


def of(term, *facts, parts=1):
    context = Context(set())
    context.add(*facts)
    normal = Elementary(context.table, context.signs, parts)
    return normal, normal.of(term)


def test_what_may_be_zero_cancels_nothing():
    normal, quotient = of(("*", X, ("^", X, "-1")))
    assert quotient != normal.of("1")
    assert normal.fraction(quotient)[1] == []
    normal, quotient = of(("^", ("+", ("^", X, "-1"), "1"), "-1"))
    assert normal.fraction(quotient)[1] == []
    normal, quotient = of(("^", ("^", ("+", X, "1"), "-1"), "-2"))  # 1/(1/0) is 0, too
    assert quotient == normal.of(("^", ("+", X, "1"), "2"))


def test_logarithms_of_what_may_be_negative_are_not_taken_apart():
    square = ("^", ("+", "1", ("^", Y, "2")), "-1")
    term = ("log", ("*", ("+", X, Y), square))
    apart = ("+", ("log", ("+", X, Y)), ("*", "-1", ("log", ("+", "1", ("^", Y, "2")))))
    normal, found = of(term)
    assert found != normal.of(apart)
    normal, found = of(term, ("<", "0", ("+", X, Y)))
    assert found == normal.of(apart)


@pytest.mark.parametrize("parts", [1, 2, 3, 12])
@pytest.mark.parametrize("term", [
    ("tanh", ("+", ("*", "1/3", X), ("*", "-5/2", Y))), ("sin", ("+", ("*", "7", X), "1", Y)),
    ("cos", ("+", ("*", "-30", X), ("*", "2/3", Y))), ("cos", ("*", "23/6", ("pi",))),
    ("sin", ("+", ("*", "-5/4", ("pi",)), ("*", X, Y))), ("cos", ("*", "2/5", ("pi",))),
    ("log", ("+", ("exp", X), ("exp", ("*", "-1/2", Y)))), ("^", ("tanh", X), "-3"),
    ("^", ("+", "1", ("*", "-1", ("^", ("tanh", X), "2"))), "1/3"),
    ("tanh", ("*", "1/2", ("log", ("+", "1", ("exp", X))))), ("sin", ("cos", ("*", "2", X))),
    ("^", ("sin", X), "5"), ("log", ("+", "1", ("tanh", X))), ("exp", ("*", "40", X)),
])  # fmt: skip
def test_values_stay_what_they_are(term, parts):
    """Balls of 200 bits of a term and of its normal form have a point in common, and are small."""
    normal, found = of(term, parts=parts)
    again = term_of(normal.table, found)
    before, flint.ctx.prec = flint.ctx.prec, 200
    try:
        for at in ((fmpq(3, 7), fmpq(-2, 5)), (fmpq(-9, 8), fmpq(5, 4))):
            values = {"x": arb(at[0]), "y": arb(at[1])}
            one, other = ball(term, values), ball(again, values)
            assert one.overlaps(other)
            assert float((one - other).rad()) < 1e-30 * (1 + abs(float(one.mid())))
    finally:
        flint.ctx.prec = before
