"""Numbers that balls cannot tell apart are equal where their normal forms are."""

import pytest
from flint import fmpq
from sympy import Eq, Le, Lt, Rational, Symbol, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checker.judge import is_false
from boundcheck.engine import verify
from boundcheck.expressions import least, multiplied, total
from boundcheck.expressions.closed_forms import equal
from boundcheck.setting import Setting
from boundcheck.settings.scalar_laws import E, K, k, p, values

PLACE = Source("Test", 2026, "Logarithms").at("here")
NOTHING = {}.__getitem__
t = Symbol("t", real=True)
ENTROPY = -total(p[k] * log(p[k]), k)
X = values(low=0, open_low=True)[k]
POSITIVE = least(p[k], k) > 0


@pytest.mark.parametrize(("left", "right"), [
    (log(8, evaluate=False), 3 * log(2)),
    (log(Rational(9, 4), evaluate=False), 2 * log(3) - 2 * log(2)),
    (sqrt(2) * sqrt(3), sqrt(6)),
    (exp(log(5, evaluate=False) / 2, evaluate=False), sqrt(5)),
    (log(exp(2, evaluate=False) * 3, evaluate=False), 2 + log(3)),
    ((1 + sqrt(2)) ** 2, 3 + 2 * sqrt(2)),
    (1 / sqrt(2), sqrt(2) / 2),
])  # fmt: skip
def test_the_same_number_is_recognised(left, right):
    assert equal(left, right, NOTHING)
    assert not equal(left + Rational(1, 10**40), right, NOTHING)


@pytest.mark.parametrize(("left", "right"), [
    (log(2), log(3)), (sqrt(2), Rational(1414, 1000)), (exp(1), 3), (sqrt(2), -sqrt(2)),
    (sqrt(sqrt(2) - 1), sqrt(sqrt(2) - 1)), (log(sqrt(2) + 1), log(1 + sqrt(2))),
    (log(1 + sqrt(2)), log(1)), (log(1 + sqrt(2)), log(2) / 2),
])  # fmt: skip
def test_of_other_numbers_nothing_is_said(left, right):
    assert not equal(left, right, NOTHING)


def entropy(relation):
    return Claim(PLACE, Holds(relation), given=[POSITIVE, K >= 2])


def at(claim, *weights):
    return Setting(claim, {"K": len(weights), "p": tuple(map(fmpq, weights))})


def test_a_strict_inequality_is_refuted_where_logarithms_meet():
    verdict = verify("a/b:c", entropy(ENTROPY < log(K)))
    assert verdict.outcome == "refuted" and verdict.kind == "exact"


def test_the_second_judge_sees_equal_logarithms_too():
    claim = entropy(ENTROPY < log(K))
    uniform = {"K": 4, "p": (fmpq(1, 4),) * 4}
    assert is_false(claim, uniform)
    assert not is_false(claim, {"K": 2, "p": (fmpq(1, 3), fmpq(2, 3))})
    assert not is_false(entropy(ENTROPY <= log(K)), uniform)


def test_equal_logarithms_settle_every_comparison():
    setting = at(entropy(ENTROPY <= log(K)), "1/4", "1/4", "1/4", "1/4")
    relations = [relation(ENTROPY, log(K), evaluate=False) for relation in (Le, Lt, Eq)]
    truths = [setting.decide(relation) for relation in relations]
    assert truths == [True, False, True]


def test_weights_that_differ_a_little_are_no_tie():
    share = fmpq(1, 2) + fmpq(1, 2**80)
    setting = Setting(entropy(ENTROPY <= log(K)), {"K": 2, "p": (share, 1 - share)})
    assert setting.decide(Eq(ENTROPY, log(K), evaluate=False)) is False


def test_means_of_equal_values_are_equal():
    geometric = Claim(PLACE, Holds(exp(E(log(X))) < E(X)))
    assert verify("a/b:c", geometric).outcome == "refuted"
    product = Claim(PLACE, Holds(multiplied(X ** p[k], k) < E(X)))
    assert verify("a/b:c", product).outcome == "refuted"
