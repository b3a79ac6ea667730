"""Malformed only with a genuine demonstration: inside every domain, and where it is asserted."""

import pytest
from flint import arb, fmpq
from sympy import Abs, Implies, Max, Ne, Piecewise, Rational, floor, log, sign, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks import definedness
from boundcheck.checks.base import Task, budget_named
from boundcheck.engine import verify
from boundcheck.expressions import define, index, parameter, primitive, total, world
from boundcheck.search.poles import Poles
from boundcheck.setting import Setting
from boundcheck.settings.concentration import P, S, t
from boundcheck.worlds import Integer, Real, Vector

PLACE = Source("A", 2000, "T").at("here")
a, b, x = symbols("a b x", real=True)


def outcome(statement, parameters, given=()):
    claim = Claim(source=PLACE, statement=statement, parameters=parameters, given=given)
    found = definedness.run(Task("k", claim, budget_named("quick"))).outcome
    return found, verify("mine/one:printed", claim, controls=False).outcome


def test_the_end_of_one_range_may_leave_another():
    """At a = 1 most b of [0, a] that were drawn for a larger a are out of range."""
    statement = Holds(sqrt(a - b) >= 0)
    assert "malformed" not in outcome(statement, {a: Real(1, 2), b: Real(0, "a")})
    assert outcome(statement, {a: Real(1, 2), b: Real(0, 2)})[0] == "malformed"


@pytest.mark.parametrize(("premise", "expected"), [(x > 0, None), (x >= 0, "malformed")])
def test_a_conclusion_needs_a_value_only_under_its_premise(premise, expected):
    _, verdict = outcome(Holds(Implies(premise, log(x) <= x)), {x: Real(-1, 3)})
    assert (verdict == "malformed") == (expected == "malformed")


def test_a_moved_parameter_takes_no_other_out_of_its_domain():
    """The hypothesis moves a; b was drawn in [0, a] and must still be there."""
    domains = {a: Real(0, 9), b: Real(0, "a")}
    claim = Claim(source=PLACE, statement=Holds(b <= a), given=[a <= Rational(1, 100)],
                  parameters=domains)  # fmt: skip
    assert verify("mine/one:printed", claim, controls=False).outcome in ("proved", "supported")


y, n, m = symbols("y n m", real=True)
ANY, WHOLE = Real(None, None), Integer(1, searched=9)
POLES = {
    "at a plain number": (1 / (x - 1) ** 2 >= -1, {x: ANY}),
    "at a fraction": (1 / (x - Rational(1, 3)) ** 2 >= -(x**2), {x: ANY}),
    "inside a range": (1 / (x - 1) ** 2 >= -1, {x: Real(0, 2)}),
    "on a line": (1 / (x + y - 1) ** 2 >= -1, {x: ANY, y: ANY}),
    "on a curve": (1 / (x * y - 2) ** 2 >= -1, {x: ANY, y: ANY}),
    "at a root of a quadratic": (1 / (x**2 - 5 * x + 6) ** 2 >= -1, {x: ANY}),
    "of a logarithm": (log(Abs(x - 1)) <= x**2 + 1, {x: ANY}),
    "inside a fraction": (1 / (1 - 5 / (1 + x**2)) ** 2 >= -1, {x: Real(0, 9)}),
    "at a number beyond those searched": (1 / (n - 17) ** 2 >= -1, {n: WHOLE}),
    "of two moduli": (1 / (Abs(x - 3) + 2 * Abs(y - 7)) >= -1, {x: ANY, y: ANY}),
    "of two squares": (1 / (x**2 + (y - Rational(1, 2)) ** 4) >= -1, {x: ANY, y: ANY}),
    "of a quadratic": (1 / (x**2 + y**2 - y + Rational(1, 4)) >= -1, {x: ANY, y: ANY}),
    "of distances of whole numbers":
        (1 / (Abs(n - 17) + Abs(m - 19)) >= -1, {n: WHOLE, m: WHOLE}),
    "of a high power": (1 / (x**9 - 512) ** 2 >= -1, {x: ANY}),
    "of a modulus": (1 / (Abs(x) - 3) ** 2 >= -1, {x: ANY}),
    "of an extreme": (1 / (Max(x, y) - 4) ** 2 >= -1, {x: ANY, y: ANY}),
    "of a floor": (1 / (floor(x) - 40) ** 2 >= -1, {x: ANY}),
    "of two whole numbers": (1 / (n**2 - m - 1000) ** 2 >= -1, {n: WHOLE, m: WHOLE}),
    "between cases": (Piecewise((1, x < 4), (2, x > 4)) <= 2, {x: ANY}),
}  # fmt: skip


def root_of_two(n):
    return arb(2) ** (1 / n) * 2**-n * 2**n


@pytest.mark.parametrize("name", POLES)
def test_an_isolated_point_without_a_value_is_found(name):
    relation, parameters = POLES[name]
    assert outcome(Holds(relation), parameters) == ("malformed", "malformed")


d = world("d", Integer(1, searched=3))
v, i = world("v", Vector(d)), index("i", d)


@pytest.mark.parametrize("relation", [
    1 / (v[0] - 2) ** 2 >= -1, total(1 / (v[i] - 2) ** 2, i) >= -1,
], ids=str)  # fmt: skip
def test_a_pole_at_an_entry_of_a_vector_is_found(relation):
    assert outcome(Holds(relation), {})[0] == "malformed"


def test_no_entry_is_moved_that_a_vector_lacks():
    assert outcome(Holds(1 / (v[0] - 2) ** 2 >= -1), {}, [v[0] >= 3])[0] is None
    claim = Claim(PLACE, Holds(Implies(d > 5, 1 / (v[5] - 2) ** 2 >= -1)))
    assert definedness.run(Task("k", claim, budget_named("quick"))).outcome is None


MEETINGS = {
    "of powers": (Ne(n**2, m**3), {n: Integer(2, searched=9), m: WHOLE}),
    "of a product": ((n * m - 9991) ** 2 >= 1, {n: WHOLE, m: WHOLE}),
    "of a sign": (sign(x - 5) ** 2 >= 1, {x: ANY}),
    "at a whole number": (floor(n / 97) * 97 < n, {n: WHOLE}),
    "of a strict comparison": ((x - 7) ** 2 * (x - Rational(1, 3)) ** 2 > 0, {x: ANY}),
}  # fmt: skip


@pytest.mark.parametrize("name", MEETINGS)
def test_a_statement_that_fails_only_where_pieces_meet_is_refuted(name):
    relation, parameters = MEETINGS[name]
    assert outcome(Holds(relation), parameters) == (None, "refuted")


@pytest.mark.parametrize(("relation", "given"), [
    (Ne(n**2, m**3), [n < 8]), (sign(x - 5) ** 2 >= 1, [x > 5]), (Ne(Abs(x - 7), y), [y < 0]),
])  # fmt: skip
def test_where_pieces_meet_and_it_holds_nothing_is_said(relation, given):
    parameters = {n: Integer(2, searched=9), m: WHOLE, x: ANY, y: ANY}
    used = {s: parameters[s] for c in (relation, *given) for s in c.free_symbols}
    assert outcome(Holds(relation), used, given)[0] is None


def test_what_is_drawn_is_no_number_of_a_part():
    claim = Claim(PLACE, Holds(P(Abs(S) >= t) <= 2), given=[t >= 1])
    assert definedness.run(Task("k", claim, budget_named("quick"))).outcome is None


def test_a_pole_of_a_definition_is_found():
    z = parameter("z", ANY)
    assert outcome(Holds(1 / define("h", z - 4) ** 2 >= -1), {})[0] == "malformed"


@pytest.mark.parametrize(("relation", "parameters", "given"), [
    (1 / (x - 1) ** 2 >= -1, {x: Real(0, 1, open_high=True)}, []),
    (1 / (x - 1) ** 2 >= -1, {x: ANY}, [x > 1]),
    (Implies(x > 1, 1 / (x - 1) ** 2 >= -1), {x: ANY}, []),
    (1 / (x**2 - x + 1) >= -1, {x: ANY}, []),
    (1 / (x**2 - 2) ** 2 >= -1, {x: ANY}, []),  # at no rational number
    (1 / (2 * n - 5) ** 2 >= -1, {n: WHOLE}, []),
])  # fmt: skip
def test_no_pole_is_found_where_nothing_is_said(relation, parameters, given):
    assert outcome(Holds(relation), parameters, given)[0] is None


def test_a_primitive_is_not_asked_at_numbers_beyond_its_domain():
    """For whole n it has a value at every one, and at n = 1/2 it would fail."""
    root = primitive()(root_of_two)(parameter("n", Integer(1, 5)))
    assert outcome(Holds(1 / (root - 1) ** 2 >= 0), {})[0] is None


def test_the_settings_at_poles_are_zeros_of_a_part():
    claim = Claim(PLACE, Holds(1 / (x * y - 2) ** 2 >= -1), parameters={x: ANY, y: ANY})
    found = list(Poles(claim).near(Setting(claim, {"x": fmpq(3), "y": fmpq(5)})))
    assert [(s("x"), s("y")) for s in found] == [
        (2, 1), (1, 2), (fmpq(2, 5), 5), (3, fmpq(2, 3))]  # fmt: skip
