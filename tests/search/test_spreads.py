"""Growth that no family of powers shows: proposals of copies, dense lines, rare atoms."""

from dataclasses import replace

import pytest
from flint import fmpq
from sympy import Abs, exp, log, sqrt

from boundcheck import Claim, Source, witness
from boundcheck.checker.spreads import law_of
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.expressions import (
    greatest,
    index,
    least,
    norm,
    operator_norm,
    parameter,
    total,
    world,
)
from boundcheck.search.spreads import meeting
from boundcheck.settings.matrices import c, r, square
from boundcheck.settings.online import K as experts, T, hedge_regret, losses
from boundcheck.settings.scalar_laws import (
    E,
    K,
    P,
    Var,
    k,
    law,
    p,
    relative_entropy,
    total_variation,
    values,
)
from boundcheck.worlds import Integer, Real, Vector

SHORT = replace(budget_named("quick"), share=0.125)
PLACE = Source("A", 2024, "Example").at("1")
n = world("n", Integer(1, searched=4))
a, i = world("a", Vector(n)), index("i", n)
M, X = square("M"), values(low=0)[k]
columns = greatest(total(Abs(M[r, c]), r), c)
rows = greatest(total(Abs(M[r, c]), c), r)
theta = parameter("theta", Real(0, 1))
left = (1 - theta) ** 2 * E(X)
PAIRS = [  # a false order and a true one beside it
    (total(Abs(a[i]), i) <= log(n + 1) * norm(a), total(Abs(a[i]), i) <= sqrt(n) * norm(a), []),
    pytest.param(operator_norm(M) <= columns, operator_norm(M) ** 2 <= columns * rows, [],
                 marks=pytest.mark.long),
    (hedge_regret(losses, sqrt(log(experts) / T)) <= log(experts),
     hedge_regret(losses, sqrt(log(experts) / T)) <= sqrt(T * log(experts)), []),
    pytest.param(left / sqrt(E(X**2)) <= P(X > theta * E(X)),
                 left * E(X) / E(X**2) <= P(X > theta * E(X)), [E(X) > 0], marks=pytest.mark.long),
]  # fmt: skip


def verdict_of(relation, given):
    claim = Claim(PLACE, UpToConstant(relation), given=given)
    return claim, run(Task("k", claim, SHORT))


@pytest.mark.parametrize("false, true, given", PAIRS, ids=("vector", "matrix", "regret", "law"))
def test_false_orders_fall_by_what_is_proposed_and_true_ones_stand(false, true, given):
    claim, found = verdict_of(false, given)
    assert (found.outcome, found.kind) == ("refuted", "trend"), (false, found.detail)
    assert witness.confirm(witness.seal(found.witness.as_json()), {"k": claim})
    assert verdict_of(true, given)[1].outcome != "refuted", true


def test_what_comes_closer_is_proposed_and_its_law_is_that_of_what_is_left():
    """Leading terms cancel: relative entropies fall as squares of distances, entropies near the
    largest one and logarithms of means, too."""
    q = law("q", zeros=False)
    dense = [least(p[k], k) > 0, least(q[k], k) > 0]
    share, other = (parameter(name, Real(0, 1, open_low=True, open_high=True)) for name in "ab")
    near, distance = relative_entropy(q, p), total_variation(q, p)
    entropy = -total(p[k] * log(p[k]), k)
    apart = total(Abs(p[k] - 1 / K), k)
    value = values()[k]
    rise = log(E(exp(value))) - E(value)
    third, half = Var(value) ** 2, Var(value)
    base = {"K": 3, "p": (fmpq(1, 3),) * 3, "q": (fmpq(1, 3),) * 3, "x": (fmpq(1),) * 3,
            "a": fmpq(1, 3), "b": fmpq(1, 3)}  # fmt: skip
    binary = share * log(share / other) + (1 - share) * log((1 - share) / (1 - other))
    for given, left, false, true in (
        (dense, distance, near, sqrt(near)), (dense[:1], log(K) - entropy, apart**3, apart**2),
        ([], Abs(share - other), binary, sqrt(binary)), ([], rise, third, half),
        (dense, total((sqrt(q[k]) - sqrt(p[k])) ** 2, k), near**2, near),
    ):  # fmt: skip
        for right, falls in ((false, True), (true, False)):
            claim = Claim(PLACE, UpToConstant(left <= right), given=given)
            world = {name: base[name] for name in claim.fields}
            assert any(law_of(claim, spread) for spread in meeting(claim, world)) == falls, right
