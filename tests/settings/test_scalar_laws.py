"""Divergences of finite laws, by hand and inside a statement."""

import math

import pytest
from flint import fmpq
from sympy import exp, log

from boundcheck import Claim, Holds, Source, exact
from boundcheck.at import at
from boundcheck.settings import scalar_laws as laws

HALF, QUARTER = fmpq(1, 2), fmpq(1, 4)
q = laws.law("q")


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
