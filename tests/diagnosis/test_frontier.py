"""How far along a number failures reach: failing worlds are moved before search is asked."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Le, Rational, Symbol, log

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.frontier import Edge, between, fails_scaled, nearest
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import index, parameter, total, world
from boundcheck.library import Library
from boundcheck.worlds import Integer, Real, Vector

HERE = Source("Folklore", 1900, "Statements").at("1")
t = Symbol("t", real=True)


def at_most(value):
    return Le(t, Rational(int(value.p), int(value.q)), evaluate=False)


def test_the_middle_of_far_numbers_is_that_of_their_logarithms():
    assert between(fmpq(1), fmpq(10**6)) == 1000
    assert between(fmpq(-(10**6)), fmpq(-1)) == -1000
    assert between(fmpq(0), fmpq(1)) == fmpq(1, 2)


@pytest.mark.parametrize("limit", [fmpq(1, 3), fmpq(7, 8)])
def test_a_failing_number_is_moved_to_where_it_just_fails(limit):
    claim = Claim(HERE, Holds(at_most(limit)), parameters={t: Real(0, 1)})
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    case._met = [{"t": fmpq(99, 100)}]

    def on(value):
        return Claim(HERE, claim.statement, parameters=claim.parameters,
                     given=[at_most(value)])  # fmt: skip

    edge = Edge("t", False, claim, fmpq(1, 10), on, "test")
    value = nearest(case, edge, fmpq(1))
    assert limit - fmpq(1, 100) < value <= limit


def test_a_weak_inequality_that_the_least_size_attains_stands(tmp_path):
    n = parameter("n", Integer(1, searched=40))
    i = index("i", n)
    claim = Claim(HERE, Holds(total(1 / (i + 1), i) < log(n) + 1))
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert found.grade == "corner"
    assert next(repair for repair in found.repairs if repair.kind == "tie").stands


def test_what_scales_fails_at_every_size_of_its_numbers():
    """x y <= x^2 + y^2 / 8 fails wherever y = 2 x, however small both are."""
    x, y = (parameter(name, Real(0, None, searched=(0, 4))) for name in "xy")
    claim = Claim(HERE, Holds(x * y <= x**2 + y**2 / 8))
    found = SimpleNamespace(outcome="refuted", witness=None)
    case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
    case._met = [{"x": fmpq(1), "y": fmpq(2)}]
    for part, fails in ((x <= Rational(1, 10**6), True), (x >= 10**6, True), (y <= x, False)):
        assert fails_scaled(case, replace(claim, given=(part,))) is fails


def test_arrays_scale_with_the_numbers_beside_them():
    """|v[0]| <= t |v[1]| fails for v = (2, 1), t = 1 and, v alone multiplied, nowhere else;
    |v[0]| <= t fails with all of them multiplied."""
    t, v = parameter("t", Real(0, None, searched=(0, 4))), world("v", Vector(2))
    found = SimpleNamespace(outcome="refuted", witness=None)
    for relation, fails in ((abs(v[0]) <= t, True), (abs(v[0]) <= t * abs(v[1]), False)):
        claim = Claim(HERE, Holds(relation))
        case = Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))
        case._met = [{"t": fmpq(1), "v": (fmpq(2), fmpq(1))}]
        assert fails_scaled(case, replace(claim, given=(t >= 10**6,))) is fails


def test_failures_that_come_near_zero_end_there(tmp_path):
    """x^2 >= x fails for 0 < x < 1, x / y <= x with y >= 1 for x < 0."""
    x, y = (parameter(name, Real(None, None)) for name in "xy")
    for relation, given, where in (
        (x**2 >= x, [], "fails only for x > 0 and x < 1"),
        (x / y <= x, [y >= 1], "fails only for x < 0"),
    ):
        claim = Claim(HERE, Holds(relation), given=given)
        found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
        assert found.extent.fails_on == where
