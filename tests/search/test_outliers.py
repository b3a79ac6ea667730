"""Statements that fail only where one part of a world stands out: a rare atom, or one entry."""

import pytest
from sympy import Abs, Eq, exp, sqrt

from boundcheck import Claim, Holds, Source, verify
from boundcheck.expressions import greatest, index, largest_eigenvalue, total, trace, world
from boundcheck.settings.matrices import A, d
from boundcheck.settings.scalar_laws import E, Var, k, largest, values
from boundcheck.worlds import Integer, Vector

PLACE = Source("A", 2000, "T").at("1")
X, Y = values(), values(name="y", unit="other value")
Z = values(low=0, name="z", open_low=True)
N = world("N", Integer(1, searched=4))
v = world("v", Vector(N))
i = index("i", N)
SQUARES, UNIT = total(v[i] ** 2, i), E(X[k] ** 2) <= 1


@pytest.mark.parametrize(("statement", "given"), [
    (E(exp(X[k])) <= 1 + E(X[k]) + E(X[k] ** 2), [UNIT]),
    (E(exp(X[k])) <= 1 + E(X[k]) + E(X[k] ** 2), [UNIT, Eq(E(X[k]), 0)]),
    (largest(X) <= 3, [Var(X[k]) <= 1, Eq(E(X[k]), 0)]),
    (E(Z[k] ** 2) <= 5, [E(Z[k]) <= 1]),
    (E(X[k] * Y[k]) <= 1, [UNIT, E(Abs(Y[k])) <= 1]),
])  # fmt: skip
def test_a_rare_atom_with_a_large_value_is_found(statement, given):
    verdict = verify("a/b:c", Claim(PLACE, Holds(statement), given=given), controls=False)
    assert verdict.outcome == "refuted"


@pytest.mark.parametrize(("statement", "given"), [
    (greatest(v[i], i) <= 3, [SQUARES <= N]),
    (total(v[i] ** 4, i) <= 5 * N, [SQUARES <= N]),
    (largest_eigenvalue(A) <= 3, [trace(A * A) <= d]),
])  # fmt: skip
def test_one_entry_as_large_as_all_of_them_allow_is_found(statement, given):
    verdict = verify("a/b:c", Claim(PLACE, Holds(statement), given=given), controls=False)
    assert verdict.outcome == "refuted"


@pytest.mark.parametrize(("statement", "given"), [
    (E(X[k]) ** 2 <= 1, [UNIT]),
    (greatest(v[i], i) <= sqrt(N), [SQUARES <= N]),
])  # fmt: skip
def test_what_moments_do_imply_stands(statement, given):
    verdict = verify("a/b:c", Claim(PLACE, Holds(statement), given=given), controls=False)
    assert verdict.outcome in ("proved", "supported")
