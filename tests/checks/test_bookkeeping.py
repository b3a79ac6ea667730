"""What is true by definition is told from what a proof shows of quantities."""

import pytest
from sympy import And, Eq

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.expressions import define, parameter
from boundcheck.verdict import conclude
from boundcheck.worlds import Real

POSITIVE = Real(0, None, open_low=True)
a, b = parameter("a", POSITIVE), parameter("b", POSITIVE)
cost = define("cost", a * b)
bound = define("bound", a * b + b)


def proved(relation, **fields):
    claim = Claim(source=Source("A", 2024, "Example").at("1"), statement=Holds(relation), **fields)
    found = run(Task("a/b:c", claim, BUDGETS["quick"]))
    assert found.outcome == "proved"
    return found


@pytest.mark.parametrize(("relation", "given", "same"), [
    (cost <= a * b, [], 1),
    (Eq(cost, a * b), [], 1),
    (cost <= 2 * cost + b, [cost >= 0], 1),
    (cost <= bound, [], 0),
    (cost > 0, [], 0),
    (a <= a + b, [], 0),
    (And(cost <= a * b, cost <= bound), [], 1),
])  # fmt: skip
def test_bookkeeping_is_counted(relation, given, same):
    found = proved(relation, given=given)
    assert len(found.numbers["same"]) == same
    assert found.numbers["by_definition"] is (same == 1 and not isinstance(relation, And))
    assert ("by definition" in found.detail) is bool(same)


def test_the_flag_is_part_of_the_verdict():
    for relation, flag in ((cost <= a * b, True), (cost <= bound, False)):
        assert conclude("a/b:c", [proved(relation)], 0.0).as_json()["by_definition"] is flag
