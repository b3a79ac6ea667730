"""How far along a number failures reach: failing worlds are moved before search is asked."""

from types import SimpleNamespace

import pytest
from flint import fmpq
from sympy import Le, Rational, Symbol, log

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.frontier import Edge, between, nearest
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import index, parameter, total
from boundcheck.library import Library
from boundcheck.worlds import Integer, Real

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


@pytest.mark.long
def test_a_weak_inequality_that_the_least_size_attains_stands(tmp_path):
    n = parameter("n", Integer(1, searched=40))
    i = index("i", n)
    claim = Claim(HERE, Holds(total(1 / (i + 1), i) < log(n) + 1))
    found = diagnose("a/b:c", Library(tmp_path, {"a/b:c": claim}))
    assert found.grade == "corner"
    assert next(repair for repair in found.repairs if repair.kind == "tie").stands


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
