"""Hypotheses on least eigenvalues are met by lifting the matrix."""

import numpy
import pytest
from flint import fmpq_mat

from boundcheck import Claim, Holds, Source
from boundcheck.expressions import identity, smallest_eigenvalue, trace
from boundcheck.search.admissible import Candidates
from boundcheck.search.lifting import liftable
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.settings.matrices import A, B, d, semidefinite

PLACE = Source("Test", 2026, "Lifting").at("here")
BOTH = [smallest_eigenvalue(A) > 0, smallest_eigenvalue(B) > 0]
ORDER = [smallest_eigenvalue(A) >= 0, smallest_eigenvalue(B - A) >= 0]


def claim(relation, given):
    return Claim(PLACE, Holds(relation), given=given)


def searched(tested, evaluations=400):
    return Search(
        Candidates(tested), deterministic_objective(0), numpy.random.default_rng(0),
        evaluations=evaluations,
    ).run()  # fmt: skip


def test_definite_matrices_of_every_size_are_found():
    candidates, rng = Candidates(claim(trace(A * B) >= 0, BOTH)), numpy.random.default_rng(0)
    found = [candidates.random(rng) for _ in range(40)]
    assert None not in found and {world.setting("d") for world in found} == {1, 2, 3}
    for world in found:
        again = candidates.decode(world.vector)
        assert again is not None and again.setting.values == world.setting.values
        assert world.setting.failed_hypothesis() is None


@pytest.mark.parametrize("place", [0, 1])
def test_what_a_hypothesis_asks_of_one_matrix_is_lifted(place):
    bounds = [smallest_eigenvalue(A) >= trace(B) ** 2, smallest_eigenvalue(A) > trace(B)]
    found = Candidates(claim(trace(A) >= 0, bounds[place : place + 1]))
    lifted = found.from_values({"d": 2, "A": fmpq_mat(2, 2), "B": fmpq_mat(2, 2, [1, 0, 0, 2])})
    assert lifted is not None and lifted.setting.failed_hypothesis() is None


def test_products_of_definite_matrices_need_not_be_definite():
    found = searched(claim(smallest_eigenvalue(A * B + B * A) >= 0, BOTH))
    assert found.violation is not None and found.violation.setting("d") > 1


def test_squares_do_not_keep_the_order_of_matrices():
    assert searched(claim(smallest_eigenvalue(B * B - A * A) >= 0, ORDER)).violation is not None


def test_true_of_definite_and_ordered_matrices():
    assert searched(claim(trace(A * B) >= 0, BOTH)).violation is None
    assert searched(claim(trace(A * A) <= trace(B * B), ORDER)).violation is None


def test_only_a_symmetric_matrix_itself_is_lifted():
    S = semidefinite("S")
    assert not liftable(claim(trace(S) >= 0, [smallest_eigenvalue(S) > 0]))
    assert not liftable(claim(trace(A) >= 0, [smallest_eigenvalue(A + A * B + B * A) > 0]))
    assert liftable(claim(trace(A) >= 0, [smallest_eigenvalue(A - identity(d)) > 0]))
    assert not liftable(claim(trace(A) >= 0, [smallest_eigenvalue(A) <= 1]))
    assert list(liftable(claim(trace(A) >= 0, ORDER)).values()) == [["A"], ["B"]]
