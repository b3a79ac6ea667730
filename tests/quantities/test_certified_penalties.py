"""Duality bounds and the unsquared norm for margin losses: cases by hand, and what is refused."""

import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.quantities.certified_penalties import objective_bounds, unsquared_minimiser
from boundcheck.quantities.operators import identity

ONE = fmpq(1)


def test_a_bad_fit_widens_the_bounds_but_never_moves_them_off_the_optimum():
    # (v - 1)^2 + |v| / 2 is least at 3/4, where it is 7/16.
    for a in (0, 0.25, 0.7, 0.8, 2, -1):
        low, high = objective_bounds(
            fmpq_mat(1, 1, [1]), (ONE,), (ONE,), fmpq(1, 2), (float(a),), loss="square"
        )
        assert low <= fmpq(7, 16) <= high


def test_zero_is_certified_where_the_penalty_outweighs_the_slopes():
    # Absolute loss at responses 1, 1 with k = I and weights 1/2: slopes have norm 1/sqrt(2).
    low, high = objective_bounds(
        identity(2), (ONE, ONE), (fmpq(1, 2),) * 2, fmpq(3, 4), (0, 0), loss="absolute"
    )
    assert low == high == 1


def test_unknown_losses_are_refused():
    with pytest.raises(Undefined, match="known are square, absolute, hinge, logistic"):
        objective_bounds(identity(1), (ONE,), (ONE,), ONE, (0,), loss="squared")


def test_hinge_with_unsquared_norm_by_hand():
    # One point with label 1 and k = 1: max(0, 1 - v) + lambda |v| is least at 1 for lambda < 1.
    found = unsquared_minimiser(identity(1), (ONE,), (ONE,), fmpq(1, 2), "hinge", ONE, ONE)
    assert abs(float(found.values[0]) - 1) < 1e-15 and found.values[0].contains(1)
    assert found.norm.contains(1)
    none = unsquared_minimiser(identity(1), (ONE,), (ONE,), fmpq(2), "hinge", ONE, ONE)
    assert none.values == (0,) and none.error == 0


def test_the_weight_that_bisection_leaves_open_is_in_the_values(monkeypatch):
    """Stopped early, the balls hold what a long bisection finds."""
    from boundcheck.quantities import certified_penalties as own

    gram = fmpq_mat(1, 1, [1])
    given = gram, (fmpq(1),), (fmpq(9, 10),), fmpq(1, 10), "logistic", fmpq(1), fmpq(1)
    sharp = own.unsquared_minimiser(*given)
    monkeypatch.setattr(own, "BISECTIONS", 1)
    wide = own.unsquared_minimiser(*given)
    assert wide.values[0].contains(sharp.values[0]) and wide.norm.contains(sharp.norm)
    assert wide.values[0].rad() > sharp.values[0].rad()
