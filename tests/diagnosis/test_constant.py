"""The bracket of the least factor says to fail only what fails."""

from types import SimpleNamespace

import pytest
import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import constant
from boundcheck.diagnosis.record import Constant
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

x = parameter("x", Real(0, 1))
LEAST = sympy.Rational(401, 200)  # between 2 and 1% more


@pytest.fixture
def case(monkeypatch):
    """A case whose worlds refute every factor below the least one, when it is tried."""
    for name in ("bounds_no_chance", "fails_enlarged", "fails_far_out", "grows", "is_unlike"):
        monkeypatch.setattr(constant, name, lambda *given: False)
    monkeypatch.setattr(constant, "thinned", lambda case: (0.0, False))
    claim = Claim(Source("A", 2024, "Example").at("1"), Holds(LEAST * x <= x + 0 * x**2))
    worlds = [SimpleNamespace(violated=True, score=1.9)]

    def killed(scaled):
        return scaled.statement.relation.subs(x, 1) == sympy.false

    return SimpleNamespace(
        told=None,
        claim=claim, explicit=True, has_inequality=True, worlds=worlds, killed=killed,
        bench=SimpleNamespace(searched=lambda *given: (None, None)),
    )  # fmt: skip


def test_a_factor_that_was_not_tried_is_not_said_to_fail(case):
    assert constant.constant(case) == Constant(2.0, 3.0)


def test_a_least_factor_beyond_a_hundred_is_not_said_to_serve(case):
    case.worlds = [SimpleNamespace(violated=True, score=150.0)]
    assert constant.constant(case) == Constant(150.0, None)


def test_what_fails_is_told_rounded_down():
    assert str(Constant(1.22474, 1.25)).startswith("no factor below 1.224 serves")
    assert str(Constant(16.1599, None)) == "no factor up to 16.15 serves"
