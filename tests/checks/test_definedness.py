"""Malformed only with a genuine demonstration: inside every domain, and where it is asserted."""

import pytest
from sympy import Implies, Rational, log, sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks import definedness
from boundcheck.checks.base import Task, budget_named
from boundcheck.engine import verify
from boundcheck.worlds import Real

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
