"""Losses: slopes by differences, links and minimal risks by direct minimisation."""

import pytest
from flint import fmpq

from boundcheck.errors import Undefined
from boundcheck.exact import to_float
from boundcheck.quantities import losses


@pytest.mark.parametrize("name", losses.SMOOTH)
def test_slope_is_the_limit_of_differences(name):
    step = fmpq(1, 2**20)
    bound = to_float(losses.smoothness_constant(name, 1, 1)) * to_float(step)
    for v in (fmpq(k, 7) for k in range(-21, 22)):
        ahead, here = losses.base_loss(name, v + step), losses.base_loss(name, v)
        difference = to_float((ahead - here) / step)
        assert difference == pytest.approx(to_float(losses.base_slope(name, v)), abs=bound)


@pytest.mark.parametrize("name", losses.NAMES)
def test_lipschitz_constant_bounds_every_difference(name):
    points = [fmpq(k, 5) for k in range(-40, 41)]
    for u in points[::3]:
        for v in points:
            gap = losses.base_loss(name, u) - losses.base_loss(name, v)
            bound = losses.LIPSCHITZ[name] * abs(u - v)
            assert to_float(abs(gap)) <= to_float(bound) + 1e-12


@pytest.mark.parametrize("name", losses.NAMES)
def test_minimal_risk_by_a_grid(name):
    at = {k: losses.base_loss(name, fmpq(k, 64)) for k in range(-640, 641)}
    for mu in (fmpq(1, 10), fmpq(1, 2), fmpq(3, 5), fmpq(9, 10)):
        least = min(to_float(mu * at[k] + (1 - mu) * at[-k]) for k in at)
        exact = to_float(losses.minimal_risk(name, 1, 1, mu))
        # The minimiser lies on the grid or within half a step; the slope is at most 4.
        assert exact - 1e-12 <= least <= exact + 4 / 128


@pytest.mark.parametrize("name", ["logistic", "modified huber"])
def test_link_is_a_zero_of_the_slope_and_inverts(name):
    for mu in (fmpq(1, 100), fmpq(1, 3), fmpq(1, 2), fmpq(97, 100)):
        value = losses.link(name, 3, 2, mu)
        assert to_float(losses.conditional_slope(name, 3, 2, mu, value)) == pytest.approx(0)
        assert to_float(losses.inverse_link(name, 3, 2, value)) == pytest.approx(to_float(mu))


def test_kinks_and_ends_have_no_value():
    with pytest.raises(Undefined):
        losses.base_slope("hinge", fmpq(1))
    with pytest.raises(Undefined):
        losses.link("logistic", 1, 1, fmpq(1))
    with pytest.raises(Undefined):
        losses.inverse_link("modified huber", 1, 1, fmpq(2))
