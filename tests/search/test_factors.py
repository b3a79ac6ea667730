"""Statements that fail at Hadamard matrices and their kin, which no step of search meets."""

import pytest
from flint import fmpq, fmpq_mat
from sympy import Abs, Rational, sqrt

from boundcheck import Claim, Holds, Source, verify
from boundcheck.expressions import determinant, operator_norm, table, total
from boundcheck.search.factors import LARGER, SIDES, hadamard, seeds
from boundcheck.settings import matrices as M
from boundcheck.worlds.fields import Gram, Matrix, Symmetric, Vector, Weights
from boundcheck.worlds.kinds import Binary, Independent, Projector

PLACE = Source("A", 2000, "T").at("1")
r, c, d = M.r, M.c, M.d
P, Z = M.projector("P"), M.binary("Z")
signs = 2 * Z - table(1, r, c)
FIELDS = [Matrix("d", "d"), Symmetric("d"), Gram("d"), Projector("d"), Binary("d", "d"),
          Independent("d", "d"), Vector("d"), Weights("d")]  # fmt: skip


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: type(field).__name__)
def test_known_arrays_are_of_their_field(field):
    for side in {*SIDES, *LARGER}:
        made = [each for each in seeds(field, side) if field.admits(each, {"d": side})]
        assert len(made) >= 2


def test_hadamard_matrices_have_orthogonal_rows_of_signs():
    for order in range(5):
        side, found = 1 << order, hadamard(order)
        assert found * found.transpose() == fmpq_mat(side, side, [
            fmpq(side * (a == b)) for a in range(side) for b in range(side)])  # fmt: skip
        assert set(found.entries()) <= {1, -1}


@pytest.mark.parametrize(("statement", "given"), [
    (total(Abs(P[r, c]), r, c) <= 2 * d - 1, []),
    (operator_norm(signs) >= Rational(11, 10) * sqrt(d), [d >= 8]),
])  # fmt: skip
def test_what_fails_at_known_matrices_alone_is_found(statement, given):
    verdict = verify("a/b:c", Claim(PLACE, Holds(statement), given=given), controls=False)
    assert verdict.outcome == "refuted"


@pytest.mark.parametrize(("statement", "given"), [
    (total(Abs(P[r, c]), r, c) <= sqrt(d) * d, []),
    (operator_norm(signs) >= sqrt(d), [d >= 2]),
    (Abs(determinant(signs)) <= sqrt(d) ** d, []),
])  # fmt: skip
def test_what_they_attain_stands(statement, given):
    verdict = verify("a/b:c", Claim(PLACE, Holds(statement), given=given), controls=False)
    assert verdict.outcome != "refuted"
