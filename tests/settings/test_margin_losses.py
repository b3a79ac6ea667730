"""Losses: exact against floats for a batch of names at once, and formulas against primitives."""

import numpy
import pytest
from flint import fmpq

from boundcheck import exact
from boundcheck.errors import Undefined
from boundcheck.expressions import batch, parameter
from boundcheck.quantities.losses import NAMES, SMOOTH
from boundcheck.settings import margin_losses
from boundcheck.settings.margin_losses import hinge, huber, logistic, loss, polygon_least_risk
from boundcheck.worlds import Real

v, mu = parameter("v", Real(None, None)), parameter("mu", Real(0, 1))
FUNCTIONS = {
    "value": loss(v), "slope": loss.slope(v), "link": loss.link(mu), "G": loss.lipschitz,
    "inverse": loss.inverse_link(v), "least": loss.least_risk(mu), "L": loss.smoothness,
    "least slope": loss.least_risk_slope(mu), "risk": loss.conditional_risk(mu, v),
    "gradient": loss.conditional_slope(mu, v), "divergence": loss.divergence(mu, mu / 2),
    "margin": loss.margin(mu / 2),
}  # fmt: skip


def settings(names):
    """One setting for each name and place, among them none at a kink."""
    places = [(fmpq(-7, 3), fmpq(1, 7)), (fmpq(-1, 5), fmpq(2, 5)), (fmpq(2, 5), fmpq(5, 7)),
              (fmpq(40), fmpq(98, 99))]  # fmt: skip
    return [
        {"loss": name, "height": fmpq(3, 2), "stretch": fmpq(4, 3) + k, "v": a, "mu": b}
        for name in names
        for k, (a, b) in enumerate(places)
    ]


def exactly(expr, setting):
    try:
        return exact.to_float(exact.compiled(expr)(setting.__getitem__))
    except Undefined:
        return numpy.nan


@pytest.mark.parametrize("name", FUNCTIONS)
def test_exact_and_floats_agree_for_all_losses_at_once(name):
    found = settings(NAMES)
    stacked = {key: numpy.array([_float(s[key]) for s in found]) for key in found[0]}
    with numpy.errstate(all="ignore"):
        floats = batch.compiled(FUNCTIONS[name])(stacked.__getitem__)
    values = [exactly(FUNCTIONS[name], s) for s in found]
    assert numpy.isfinite(values).sum() >= 4
    # Values are below 100 with a few roundings; near 98/99 logarithms lose two digits.
    numpy.testing.assert_allclose(floats, values, rtol=1e-11, atol=1e-13)


def _float(value):
    return value if isinstance(value, str) else exact.to_float(value)


@pytest.mark.parametrize(
    ("formula", "name"), [(logistic, "logistic"), (hinge, "hinge"), (huber, "modified huber")]
)
def test_formulas_are_the_primitives_at_height_and_stretch_one(formula, name):
    pairs = [
        (formula(v), loss(v)), (formula.slope(v), loss.slope(v)),
        (formula.link(mu), loss.link(mu)), (formula.least_risk(mu), loss.least_risk(mu)),
        (formula.least_risk_slope(mu), loss.least_risk_slope(mu)),
        (formula.lipschitz, loss.lipschitz), (formula.margin(mu / 2), loss.margin(mu / 2)),
    ]  # fmt: skip
    pairs += [(formula.smoothness, loss.smoothness)] if name in SMOOTH else []
    for setting in settings([name]):
        setting |= {"height": fmpq(1), "stretch": fmpq(1)}
        for one, other in pairs:
            assert exactly(one, setting) == pytest.approx(exactly(other, setting), abs=1e-15)


def test_the_least_risk_of_a_polygon_is_that_of_the_hinge_and_agrees_with_floats():
    # max(0, 1 - v) is the polygon with one piece of slope -1 and offset 1.
    assert polygon_least_risk((fmpq(-1),), (fmpq(1),), fmpq(2, 7)) == fmpq(4, 7)
    rng = numpy.random.default_rng(3)
    rows = [tuple(fmpq(int(x), 4) for x in row) for row in rng.integers(-9, 9, (80, 3))]
    lines = list(zip(rows[:40], rows[40:], strict=True))
    probabilities = [fmpq(k, 41) for k in range(1, 41)]
    values = [
        exact.to_float(polygon_least_risk(s, o, m))
        for (s, o), m in zip(lines, probabilities, strict=True)
    ]
    floats = polygon_least_risk.batch(
        numpy.array([[float(x.p) / float(x.q) for x in s] for s, _ in lines]),
        numpy.array([[float(x.p) / float(x.q) for x in o] for _, o in lines]),
        numpy.array([exact.to_float(m) for m in probabilities]),
    )
    # Corners are ratios of quarters up to 9, values below 100: 1e-12 is 10^3 roundings.
    numpy.testing.assert_allclose(floats, values, atol=1e-12)


def test_a_loss_without_that_function_says_so():
    with pytest.raises(NotImplementedError):
        margin_losses.MarginLoss()(v)


def test_the_divergence_of_the_logistic_loss_is_relative_entropy():
    found = exactly(logistic.divergence(mu, 2 * mu), {"mu": fmpq(1, 4)})
    assert found == pytest.approx(0.5 * numpy.log(2) + 0.5 * numpy.log(2 / 3), rel=1e-12)
