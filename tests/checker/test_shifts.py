"""Vectors that move to later places: factors against values, and what may not be concluded."""

from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, sqrt

from boundcheck import Claim, Source, UpToConstant
from boundcheck.checker.judge import Place
from boundcheck.checker.laws import NoLaw
from boundcheck.checker.shifts import SHIFT, _Steps, factors, fails_as_shifted, shifted
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.trend import run
from boundcheck.errors import WitnessError
from boundcheck.expressions import form, index, inner, norm, parameter, total, world
from boundcheck.quantities.rkhs import squared_norm_of_values
from boundcheck.witness import confirm, seal
from boundcheck.worlds import Family, Gram, Integer, Real, Vector, doublings

PLACE = Source("A", 2000, "T").at("here")
n = world("n", Integer(1, searched=3))
A, x, y = world("A", Gram(n, regular=True)), world("x", Vector(n)), world("y", Vector(n))
t, i = parameter("t", Real(0, None, open_low=True)), index("i", n)
KNOWN = [
    squared_norm_of_values(A, x), norm(x) ** 3, inner(x, y), form(A, x), t * norm(x) + t * norm(y),
    total(Abs(x[i]) / 2 ** (i + 1), i), total(x[i] ** 2 * 3 ** (2 * i), i) ** 2,
    t * total(y[i] * t, i), norm(x) / total(Abs(x[i]) / 2**i, i),
]  # fmt: skip
UNKNOWN = [
    n * norm(x), total(Abs(x[i]) / (i + 1), i), total(2 ** (-i), i), total(x[i] + 2 ** (-i), i),
    sqrt(total(Abs(x[i]) / 2**i, i)), norm(x) + total(Abs(x[i]) / 2**i, i), x[0],
    total(x[i] / Abs(y[i]), i), total(Abs(x[i]) / 2 ** (i**2), i), norm(A * x), total(x[i] * n, i),
    total(Abs(x[i]) / 2 ** (n - i), i),
]  # fmt: skip
WORLD = {"n": 2, "t": fmpq(3, 2), "A": fmpq_mat(2, 2, [2, 1, 1, 3]),
         "x": (fmpq(-1, 3), fmpq(5)), "y": (fmpq(2), fmpq(1))}  # fmt: skip


def of(relation, depends=(), **more):
    return Claim(PLACE, UpToConstant(relation, depends=depends), **more)


@pytest.mark.parametrize("expr", KNOWN)
def test_factors_are_those_of_values(expr):
    claim = of(expr <= n + t * norm(x) + norm(y) + form(A, x))
    found = _Steps(claim, "n", 2).of(claim.statement.relation.lhs)
    first = Place(claim, {name: WORLD[name] for name in claim.fields})
    for times in (2, 3):
        later = Place(claim, shifted(claim, first.values, "n", times))
        power = fmpq(found.numerator, found.denominator) ** (times - 1)
        gap = later.value(claim.statement.relation.lhs) - first.value(
            claim.statement.relation.lhs) * power  # fmt: skip
        assert gap == 0 or gap.contains(0)


@pytest.mark.parametrize("expr", UNKNOWN)
def test_what_has_no_rule_has_no_factor(expr):
    claim = of(expr <= n + t * norm(x) + norm(y) + form(A, x))
    with pytest.raises(NoLaw):
        _Steps(claim, "n", 2).of(claim.statement.relation.lhs)


FALLING = norm(x) <= total(Abs(x[i]) / 2 ** (i + 1), i)


def test_a_side_that_falls_block_by_block_refutes():
    claim = of(FALLING)
    start = {"n": 2, "x": (fmpq(0), fmpq(1))}
    assert fails_as_shifted(claim, start, "n") == (1, Fraction(1, 4))
    assert fails_as_shifted(claim, {"n": 1, "x": (fmpq(0),)}, "n") is None
    assert factors(of(total(Abs(x[i]) / 2**i, i) <= norm(x)), "n", 1) is None
    assert factors(of(FALLING, given=[norm(x) >= 1]), "n", 1) is None
    assert factors(of(FALLING, depends=("x",)), "n", 1) is None
    long = world("x", Vector(n, 1, None))
    assert factors(of(norm(long) <= total(Abs(long[i]) / 2**i, i)), "n", 1) is None


def along(rule):
    claim = of(sqrt(squared_norm_of_values(A, x)) <= total(Abs(x[i]) / 2**i, i), depends=("A",),
               families=[Family("later places", rule, doublings(1, 6))])  # fmt: skip
    return claim, run(Task("mine/it", claim, budget_named("quick")))


def unit(size):
    return fmpq_mat(size, size, [int(a == b) for a in range(size) for b in range(size)])


def test_a_kernel_that_goes_on_refutes_what_may_depend_on_it():
    claim, found = along(lambda size: {"n": size, "A": unit(size), "x": (0,) * (size - 1) + (1,)})
    assert found.outcome == "refuted" and found.witness.extra["move"] == SHIFT
    document = seal(found.witness.as_json())
    assert "confirmed" in str(confirm(document, {"mine/it": claim}))
    forged = {**document, "extra": {**document["extra"], "family": "another"}}
    with pytest.raises(WitnessError, match="no law says"):
        confirm(seal(forged), {"mine/it": claim})


def test_a_kernel_that_changes_refutes_nothing():
    rule = {"growing": lambda size: unit(size) * size, "later": lambda size: unit(size)}
    _, found = along(lambda size: {
        "n": size, "A": rule["growing"](size), "x": (0,) * (size - 1) + (1,)})  # fmt: skip
    assert found.outcome != "refuted"
    _, found = along(lambda size: {"n": size, "A": unit(size), "x": (1,) * size})
    assert found.outcome != "refuted"
