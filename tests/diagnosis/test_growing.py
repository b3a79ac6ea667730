"""Numbers that only say how far was looked, worlds that attain, hypotheses that leave nothing."""

from pathlib import Path

import pytest
from flint import fmpq
from sympy import Abs, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.pool import _number
from boundcheck.expressions import frobenius_norm, trace
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.settings.matrices import square
from boundcheck.settings.scalar_laws import (
    E,
    P,
    Var,
    k,
    law,
    relative_entropy,
    t,
    total_variation,
    values,
)

WORK = Source("Folklore", 1900, "Statements")
M, x = square("M"), values()
q, r = law("q", zeros=False), law("r", zeros=False)


def found(statement, *given):
    claim = Claim(WORK.at("1"), Holds(statement), given=given)
    return diagnose("own/it:printed", Library(Path(), {"own/it:printed": claim}))


def test_a_number_is_doubted_where_failures_grow_with_a_size():
    seen = found(Abs(trace(M)) <= frobenius_norm(M))
    assert seen.grade == "slip"
    assert seen.constant is not None and not seen.constant.bounded
    assert seen.repairs[0].stands and "sqrt(d)" in seen.repairs[0].edit


def test_a_hypothesis_under_which_both_sides_are_zero_is_none():
    seen = found(E(x[k] ** 3) <= E(x[k]) ** 3)
    assert all("symmetric" not in repair.edit for repair in seen.repairs)


@pytest.mark.long
def test_a_repair_that_known_failures_attain_at_small_sizes_stands():
    seen = found(P(Abs(x[k] - E(x[k])) >= t) <= sqrt(Var(x[k])) / t**2)
    assert seen.grade == "slip"
    assert seen.repairs[0].stands and "sqrt" in seen.repairs[0].edit


def test_digits_of_a_divergence_near_zero_are_worked_out():
    divergence = relative_entropy(q, r)
    claim = Claim(WORK.at("1"), Holds(total_variation(q, r) <= divergence))
    near = fmpq(1, 2) + fmpq(1, 10**12)
    look = Setting(claim, {"K": 2, "q": (fmpq(1, 2),) * 2, "r": (near, 1 - near)})
    value = _number(look, lambda at: at.evaluate(divergence))
    assert value == pytest.approx(2e-24, rel=1e-9, abs=0)
