"""Edits that are no repairs are seen in floats: rates turned round, bounds far from the print."""

from types import SimpleNamespace

import pytest
import sympy
from sympy import sqrt, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import Edit
from boundcheck.diagnosis.moved import keeps_falling
from boundcheck.diagnosis.screen import screened
from boundcheck.diagnosis.trial import Bench
from boundcheck.worlds import Integer, Real

n, x, y = symbols("n x y", real=True)
WORK = Source("Folklore", 1900, "Statements")


def failing(right, **bounds):
    fields = {n: Integer(**({"low": 1, "searched": 50} | bounds)), x: Real(1, 2), y: Real(1, 2)}
    claim = Claim(source=WORK.at("1"), statement=Holds(sympy.Le(x, right, evaluate=False)),
                  parameters=fields)  # fmt: skip
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", claim, found, Bench("a/b:c", budget_named("quick")))


def to(right, kind="symbol"):
    statement = Holds(sympy.Le(x, right, evaluate=False))
    return Edit("an edit", kind, 2.0, statement, ())


@pytest.mark.parametrize(
    ("changed", "kept"),
    [(y / sqrt(n), True), (2 * y / n, True), (y * n, False), (y, False), (y * sqrt(n) + y, False),
     (y / sqrt(sqrt(n)), False)],
)
def test_a_rate_is_not_turned_round(changed, kept):
    assert keeps_falling(failing(y / n), to(changed)) is kept


def test_a_bound_that_does_not_fall_may_grow():
    assert keeps_falling(failing(y), to(y * n))


def test_a_bound_is_not_moved_by_more_than_a_factor_one_hundred():
    case = failing(y / 10, low=400, searched=900)
    assert len(list(screened(case, [to(2 * y, "constant")]))) == 1
    assert list(screened(case, [to(y * n)])) == []
