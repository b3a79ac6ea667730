"""Growth that no family of powers shows: proposals of copies, dense lines, rare atoms."""

from dataclasses import replace

from sympy import Abs, log, sqrt

from boundcheck import Claim, Source, witness
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.claim import UpToConstant
from boundcheck.expressions import greatest, index, norm, operator_norm, parameter, total, world
from boundcheck.settings.matrices import c, r, square
from boundcheck.settings.online import K as experts, T, hedge_regret, losses
from boundcheck.settings.scalar_laws import E, P, k, values
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
    (operator_norm(M) <= columns, operator_norm(M) ** 2 <= columns * rows, []),
    (hedge_regret(losses, sqrt(log(experts) / T)) <= log(experts),
     hedge_regret(losses, sqrt(log(experts) / T)) <= sqrt(T * log(experts)), []),
    (left / sqrt(E(X**2)) <= P(X > theta * E(X)),
     left * E(X) / E(X**2) <= P(X > theta * E(X)), [E(X) > 0]),
]  # fmt: skip


def verdict_of(relation, given):
    claim = Claim(PLACE, UpToConstant(relation), given=given)
    return claim, run(Task("k", claim, SHORT))


def test_false_orders_fall_by_what_is_proposed_and_true_ones_stand():
    for false, true, given in PAIRS:
        claim, found = verdict_of(false, given)
        assert (found.outcome, found.kind) == ("refuted", "trend"), (false, found.detail)
        assert witness.confirm(witness.seal(found.witness.as_json()), {"k": claim})
        assert verdict_of(true, given)[1].outcome != "refuted", true
