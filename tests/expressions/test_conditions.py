"""What a statement may join comparisons by, and that nothing it says goes unread."""

from __future__ import annotations

import pytest
from sympy import And, Equivalent, Implies, Or, Xor

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.engine import verify
from boundcheck.errors import MalformedStatement
from boundcheck.expressions import parameter
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
