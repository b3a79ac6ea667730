"""Divergences of finite laws, by hand and inside a statement."""

import math

import numpy
import pytest
from flint import fmpq
from sympy import Abs, Eq, Piecewise, Rational, exp, log, sqrt

from boundcheck import Claim, Holds, Source, exact
from boundcheck.at import at
from boundcheck.checks import proof
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.errors import Undefined
from boundcheck.expressions import batch
from boundcheck.expressions.nodes import Indicator
from boundcheck.settings import scalar_laws as laws

HALF, QUARTER = fmpq(1, 2), fmpq(1, 4)
q = laws.law("q")
x, k = laws.values(), laws.k


def value(expr, q, p):
    world = {"K": 3, "q": q, "p": p}
    return exact.to_float(exact.compiled(expr)(world.__getitem__))


def test_divergences_by_hand():
    left, right = (HALF, HALF, fmpq(0)), (QUARTER, QUARTER, HALF)
    assert value(laws.relative_entropy(q, laws.p), left, right) == pytest.approx(math.log(2))
    assert value(laws.relative_entropy(q, laws.p), right, right) == 0
    assert value(laws.total_variation(q, laws.p), left, right) == 0.5


@pytest.mark.parametrize("p, words", [
    (["1/4", "3/4"], "holds here"), (["0", "1"], "a hypothesis fails"),
])  # fmt: skip
def test_a_change_of_measure_asks_for_a_dominated_law(p, words):
    f = laws.values(name="f")
    bound = laws.relative_entropy(q, laws.p) + log(laws.E(exp(f[laws.k])))
    claim = Claim(Source("Author", 2000, "Title").at("1"),
                  Holds(laws.mean(f[laws.k], laws.k, q) <= bound),
                  given=[laws.dominated(q, laws.p)])  # fmt: skip
    found = at("mine/measure:printed", claim, {"p": p, "q": ["1/2", "1/2"], "f": [2, -1]})
    assert words in str(found)


PARTIAL = {  # with values 4 and 0 of weights 1 and 0
    "a logarithm": (log(x[k]), math.log(4)),
    "an inverse": (1 / x[k], 0.25),
    "a power": (x[k] ** Rational(-1, 2), 0.5),
    "a root of what may be negative": (sqrt(x[k] - 1), math.sqrt(3)),
    "inside a condition": (Indicator(log(x[k]) > 1), 1.0),
    "the inverse weight": (1 / laws.p[k], 1.0),
}


@pytest.mark.parametrize("name", PARTIAL)
def test_an_atom_of_weight_zero_counts_for_nothing_where_the_body_has_no_value(name):
    """E f(X) = f(4) for X = 4 almost surely, in both readings; no hand-written sum has a value."""
    body, expected = PARTIAL[name]
    world = {"K": 2, "p": (fmpq(1), fmpq(0)), "x": (fmpq(4), fmpq(0))}
    floats = {"K": 2, "p": numpy.array([[1.0, 0.0]]), "x": numpy.array([[4.0, 0.0]])}
    for expr in (laws.E(body), laws.mean(body, k, laws.counts)):
        here, there = {**world, "counts": (1, 0)}, {**floats, "counts": numpy.array([[1, 0]])}
        assert exact.to_float(exact.compiled(expr)(here.__getitem__)) == pytest.approx(expected)
        with numpy.errstate(all="ignore"):
            assert float(batch.compiled(expr)(there.__getitem__)[0]) == pytest.approx(expected)
    if name != "the inverse weight":
        with pytest.raises(Undefined):
            exact.compiled(laws.total(laws.p[k] * body, k))(world.__getitem__)


def test_an_atom_of_some_weight_needs_a_value():
    with pytest.raises(Undefined):
        exact.compiled(laws.E(log(x[k])))({"K": 2, "p": (HALF, HALF), "x": (1, 0)}.__getitem__)


def test_what_is_defined_everywhere_is_averaged_as_a_plain_sum():
    for body in (x[k] ** 2, exp(x[k]), sqrt(1 + x[k] ** 2), Abs(x[k]) ** Rational(3, 2)):
        assert not laws.E(body).has(Piecewise)


def test_a_sample_mean_asks_for_values_of_what_was_drawn():
    here = {"K": 2, "n": 3, "counts": (3, 0), "x": (fmpq(1), fmpq(0))}
    assert exact.compiled(laws.sample_mean(1 / x[k]))(here.__getitem__) == 1


def test_no_proof_takes_values_of_possible_atoms_for_those_of_all():
    """E 1/X exists for X = 1 with weights (1, 0) and values (1, 0), of which one is zero."""
    zeros = laws.total(Indicator(Eq(x[k], 0)), k)
    claim = Claim(Source("Author", 2000, "Title").at("1"),
                  Holds(zeros * (1 + laws.E(1 / x[k]) ** 2) <= 0),
                  given=[laws.P(x[k] <= 0) <= 0])  # fmt: skip
    assert proof.run(Task("a/b:c", claim, BUDGETS["quick"])).outcome != "proved"
    found = at("a/b:c", claim, {"p": ["1", "0"], "x": ["1", "0"]})
    assert "fails" in str(found)
