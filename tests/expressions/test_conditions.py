"""What a statement may join comparisons by, and that nothing it says goes unread."""

from __future__ import annotations

import pytest
from sympy import And, Equivalent, Implies, Or, Rational, Xor, exp, sin

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.checks import controls
from boundcheck.engine import verify
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import parameter
from boundcheck.settings.continuous import normal
from boundcheck.settings.scalar_laws import counts, n, p
from boundcheck.worlds import Real

PLACE = Source("Test", 2026, "Conditions").at("here")
x = parameter("x", Real(0, 1))
FALSE = Or(counts[0] <= n * p[0] / 2, counts[0] <= n * p[0] / 3, evaluate=False)


@pytest.mark.parametrize("relation", [
    FALSE, And(counts[0] <= n, FALSE, evaluate=False), Implies(n >= 2, FALSE)])  # fmt: skip
@pytest.mark.parametrize("form", [Expected, UpToConstant, lambda r: UpToConstant(Expected(r)),
                                  lambda r: UpToConstant(WithProbability(x, r))])  # fmt: skip
def test_alternatives_that_no_check_would_read_are_refused(form, relation):
    with pytest.raises(MalformedStatement, match="is no comparison"):
        Claim(PLACE, form(relation))


def test_alternatives_with_probability_are_read():
    found = verify("test/or:printed", Claim(PLACE, WithProbability(1, FALSE)))
    assert found.outcome == "refuted"


@pytest.mark.parametrize("condition", [Equivalent(x <= n / 2, x >= n / 4), Xor(x < 1, n > 2)])
def test_conditions_without_a_rule_are_refused_where_they_are_written(condition):
    with pytest.raises(MalformedStatement, match="has no rule"):
        Claim(PLACE, Holds(condition))
    with pytest.raises(MalformedStatement, match="has no rule"):
        Claim(PLACE, Holds(x <= n), given=[condition])


z = normal("z")
NONE = Or(x <= Rational(1, 5), x >= Rational(4, 5))
OUTSIDE = Or(z <= -1, z >= 1)


@pytest.mark.parametrize("form", [
    Holds(And(sin(x) <= 2 * x + 1, Or(exp(x) <= Rational(6, 5), sin(x) >= Rational(7, 10)))),
    Holds(And(counts[0] <= n, Or(counts[0] <= n / 2, counts[0] >= n))),
    Holds(Implies(x >= 0, And(sin(x) <= 2, NONE))),
    WithProbability(Rational(1, 2), And(z <= 100, OUTSIDE)),
    WithProbability(Rational(1, 2), Implies(x >= 0, And(z <= 100, OUTSIDE))),
    WithProbability(Rational(1, 2), OUTSIDE),
])  # fmt: skip
def test_alternatives_beside_a_comparison_are_decided(form):
    assert verify("test/beside:printed", Claim(PLACE, form), controls=False).outcome == "refuted"


def test_alternatives_have_a_control_of_their_own():
    claim = Claim(PLACE, Holds(And(sin(x) <= 2 * x + 1, Or(x <= Rational(1, 2), x > sin(x) / 2))))
    assert controls.compared(claim)[1] == "(x <= 1/2) | (x > sin(x)/2)"
    reversed_, = (m for m in controls.mutants(claim) if m.part == 1)
    assert reversed_.control and verify("test/turned:printed", reversed_.claim).outcome == "refuted"
