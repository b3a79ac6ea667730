"""Closed forms of continuous laws against quadrature, and statements about them."""

import math

import numpy
import pytest
import sympy
from flint import fmpq
from sympy import Abs, And, Max, Min, Or, Piecewise, exp, log, sqrt

from boundcheck import Claim, Holds, Source, WithProbability, exact, verify
from boundcheck.checks.base import Budget
from boundcheck.errors import MalformedStatement, Undefined
from boundcheck.expressions import define, parameter
from boundcheck.expressions.batch import compiled
from boundcheck.expressions.names import seen_through
from boundcheck.expressions.nodes import Indicator
from boundcheck.settings.continuous import E, P, Var, chi_square_tail, exponential, normal, uniform
from boundcheck.worlds import Real

m, a, b, c, t = (parameter(name, Real(None, None)) for name in "mabct")
s, r = (parameter(name, Real(0, None, open_low=True)) for name in "sr")
X, U, Z = normal("X", m, s), uniform("U", a, b), exponential("Z", r)
VALUES = {"m": "1/3", "s": "3/2", "c": "1/2", "t": "1/5", "r": "2", "a": "-1", "b": "2"}
EXACT = {name: fmpq(*map(int, (value + "/1").split("/")[:2])) for name, value in VALUES.items()}
SIDE = sympy.Symbol("x", real=True)


def density(variable):
    from scipy import stats

    return {X: stats.norm(1 / 3, 1.5), U: stats.uniform(-1, 3), Z: stats.expon(0, 0.5)}[variable]


def exact_value(expr):
    return exact.to_float(exact.compiled(seen_through(expr))(EXACT.__getitem__))


def by_quadrature(body, variable):
    from scipy.integrate import quad

    numbers = {symbol: sympy.Rational(VALUES[symbol.name]) for symbol in (m, a, b, c, t, s, r)}
    plain = body.xreplace(numbers).xreplace({variable: SIDE})
    plain = plain.replace(
        lambda e: isinstance(e, Indicator), lambda e: Piecewise((1, e.condition), (0, True))
    )
    run, law = sympy.lambdify(SIDE, plain, "math"), density(variable)
    low, high = (min(max(end, -30), 30) for end in law.support())
    # Conditions change at these points.
    return quad(lambda x: run(x) * law.pdf(x), low, high, points=[-1.5, 0, 0.25, 0.5, 1.5],
                limit=200)[0]  # fmt: skip


BODIES = {
    "powers": lambda V: V**3 - 2 * V + 1,
    "generating": lambda V: (V - c) ** 2 * exp(t * V),
    "deviation": lambda V: Abs(V - c),
    "larger": lambda V: V * Max(V, c),
    "smaller": lambda V: Min(2 * V, c) * exp(-t * V),
    "event": lambda V: Indicator(V >= c) * V,
    "inside": lambda V: Indicator(And(V > -c, 2 * V < 1)),
    "outside": lambda V: Indicator(Abs(V - c) >= s),
    "near": lambda V: Indicator(Abs(V) <= s) * V**2,
    "either": lambda V: Indicator(Or(V > 0, V > c, V < -1)),
    "nowhere": lambda V: Indicator(And(V > 1, V < 0)),
}


@pytest.mark.parametrize("variable", [X, U, Z], ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_means_are_those_of_quadrature(name, variable):
    body = BODIES[name](variable)
    # Adaptive quadrature of piecewise analytic functions of order ten: 1e-8 is its default.
    assert exact_value(E(body, variable)) == pytest.approx(by_quadrature(body, variable), abs=1e-7)
    floats = {name: numpy.array([float(fmpq(v).p) / float(fmpq(v).q)]) for name, v in EXACT.items()}
    batch = compiled(seen_through(E(body, variable)))(floats.__getitem__)
    assert float(numpy.ravel(batch)[0]) == pytest.approx(exact_value(E(body, variable)), abs=1e-9)


def test_moments_are_formulas():
    assert seen_through(Var(X, X)).expand() == s**2
    assert seen_through(E(E(X * Z, X), Z)).expand() == sympy.expand(m / r)
    assert sympy.latex(P(X >= c, X)) == r"\mathbb{P}[X \geq c]"
    assert exact_value(E(exp(X**2 / 9), X)) == pytest.approx(by_quadrature(exp(X**2 / 9), X))


def test_what_is_infinite_is_infinite():
    assert exact_value(E(exp(X**2), X)) == math.inf and exact_value(E(exp(3 * Z), Z)) == math.inf
    assert exact_value(E(Indicator(Z <= c) * exp(2 * Z), Z)) == pytest.approx(1)


def test_no_mean_is_infinite_that_has_no_tails_or_two_that_cancel():
    Y = normal("Y")
    for event in (And(Y > 0, Y < 1), Y > 0, Y < 0):  # 1/2, infinite for other factors only
        with pytest.raises(MalformedStatement, match="no closed form"):
            E(exp(Y**2) * Indicator(event), Y)
    for factor in (1, sympy.Rational(1, 2), c):
        with pytest.raises(MalformedStatement, match="no closed form"):
            E(Y * exp(factor * Y**2), Y)
    small = E(Y * exp(Y**2 / 3) * Indicator(Y > 0), Y)
    assert exact_value(small) == pytest.approx(3 / math.sqrt(2 * math.pi))


@pytest.mark.parametrize("body", [
    (X - m) * log(c), X / c + X * (c - 1) / c, (sqrt(c) + X) * (sqrt(c) - X),
    log(c) * Indicator(And(X > 1, X < 0)), (X - m) * define("part", log(c)),
    (X - m) * chi_square_tail(c, 1),
], ids=str)  # fmt: skip
def test_a_mean_does_not_forget_what_may_have_no_value(body):
    with pytest.raises(MalformedStatement, match=r"may have no value for .*outside of the mean"):
        E(body, X)
    assert exact_value(E(sqrt(r) * (X - m), X)) == 0 and exact_value(E(X / c, X)) > 0


@pytest.mark.parametrize("made, value", [
    (lambda: normal("Y", 0, t), {"t": -1}), (lambda: exponential("Y", t), {"t": -1}),
    (lambda: uniform("Y", a, b), {"a": 1, "b": 0}), (lambda: uniform("Y", a, b), {"a": 1, "b": 1}),
])  # fmt: skip
def test_what_is_no_law_has_no_means(made, value):
    Y = made()
    value = {name: fmpq(number) for name, number in value.items()}
    for mean in (E(Abs(Y), Y), E(Y**2, Y), P(Y > 0, Y)):
        with pytest.raises(Undefined, match="branch"):
            exact.compiled(seen_through(mean))(value.__getitem__)


def test_a_chi_square_tail_is_that_of_its_law():
    from scipy import stats

    assert exact.to_float(chi_square_tail(3, fmpq(5))) == pytest.approx(stats.chi2(3).sf(5))
    assert chi_square_tail(2, 0) == 1
    with pytest.raises(Undefined, match="0 degrees"):
        chi_square_tail(0, 1)
    k = sympy.Symbol("k", real=True)
    batch = compiled(chi_square_tail(k, 2 * k))({"k": numpy.array([1.0, 4.0])}.__getitem__)
    assert batch == pytest.approx([stats.chi2(1).sf(2), stats.chi2(4).sf(8)])


@pytest.mark.parametrize("wrong, words", [
    (lambda: E(sympy.sin(X), X), "no closed form"), (lambda: E(1 / X, X), "no closed form"),
    (lambda: P(m * X >= 1, X), "write X alone"), (lambda: P(X**2 >= 1, X), "write X alone"),
    (lambda: E(m, m), "no continuous law"), (lambda: normal("Y", m + 1), "write define"),
    (lambda: E(exp(U**2), U), "use a normal one"),
])  # fmt: skip
def test_what_has_no_closed_form_is_named(wrong, words):
    with pytest.raises(MalformedStatement, match=words):
        wrong()


PLACE = Source("Author", 2000, "Tails").at("here")
u = parameter("u", Real(0, None, open_low=True, searched=(0, 4)))
G = normal("G", 0, s)
SMALL = Budget("quick", 40, 64, 3_000, 10, 2.0)


@pytest.mark.parametrize("factor, outcome", [(2, "supported"), (1, "refuted")])
def test_the_tail_of_a_normal_variable(factor, outcome):
    claim = Claim(PLACE, Holds(P(G >= u, G) <= exp(-(u**2) / (factor * s**2)) / 2))
    assert verify("a/b:c", claim, budget=SMALL).outcome == outcome


def test_draws_are_of_the_law():
    delta = parameter("delta", Real("1/100", "1/2"))
    level = define("level", s * sqrt(2 * log(1 / delta)))
    claim = Claim(PLACE, WithProbability(1 - delta, G <= level / 3))
    found = verify("a/b:c", claim, budget=SMALL)
    assert found.outcome == "refuted" and found.kind == "statistical"
