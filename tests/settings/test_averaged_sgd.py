"""Populations and minimisers: exact against floats, over draws and over worlds."""

import numpy
import pytest
from flint import fmpq

from boundcheck import exact
from boundcheck.expressions import batch
from boundcheck.quantities.averaged_sgd import expected_excess
from boundcheck.quantities.losses import NAMES
from boundcheck.settings import averaged_sgd as sgd, margin_losses
from boundcheck.worlds import Choice, Integer, Matrix, Real, Space, Vector, Weights
from boundcheck.worlds.space import float_value

SPACE = Space(
    n=Integer(2, 2), K=Integer(2, 2), rho=Weights("n"), tau=Weights("K"), phi=Matrix("n", "K"),
    eta=Vector("n", "1/10", "2/5"), loss=Choice(NAMES), height=Real("1/2", 2),
    stretch=Real("1/2", 2), g=Vector("n"), **{"lambda": Real("1/10", 2), "M": Integer(3, 3)},
)  # fmt: skip
g, GAP = sgd.function("g"), sgd.gap.meaning.definition
CASES = {
    "risk": sgd.expected_loss(g), "error": sgd.classification_error(g), "noise": sgd.noise,
    "norms": sgd.l1_norm(g) + sgd.l2_norm(g) + sgd.supremum(g) + sgd.rkhs_norm(sgd.k, g),
    "fit": sgd.g_lambda.norm, "values": sgd.supremum(sgd.g_lambda.values), "gap": GAP,
    "distance": sgd.g_lambda.distance(g), "covariance": sgd.covariance_norm(sgd.k_M),
    "coefficients": sgd.rkhs_norm(sgd.k_M, sgd.g_M_lambda.coefficients),
}  # fmt: skip


def worlds():
    rng = numpy.random.default_rng(5)
    return [{**SPACE.sample(rng)[0], "counts": (1 + k % 2, 2 - k % 2)} for k in range(12)]


def of(expr, setting):
    return exact.to_float(exact.compiled(expr)(setting.__getitem__))


@pytest.mark.parametrize("name", CASES)
def test_exact_and_floats_agree_over_worlds(name):
    found = worlds()
    assert len({world["loss"] for world in found}) > 2
    stacked = {key: numpy.array([float_value(world[key]) for world in found]) for key in found[0]}
    floats = batch.compiled(CASES[name])(stacked.__getitem__)
    # Descent stops at steps of 1e-13 and converges linearly: 1e-7 leaves room for slow worlds.
    numpy.testing.assert_allclose(floats, [of(CASES[name], w) for w in found], atol=1e-7)


def test_a_batch_of_draws_in_one_world_is_those_draws_one_by_one():
    (world, *_) = worlds()
    draws = [(3, 0), (2, 1), (0, 3)]
    floats = {key: float_value(value) for key, value in world.items()}
    floats["counts"] = numpy.array(draws)
    found = batch.compiled(GAP)(floats.__getitem__)
    numpy.testing.assert_allclose(
        found, [of(GAP, {**world, "counts": draw}) for draw in draws], atol=1e-7
    )


def test_a_prediction_of_zero_is_the_label_minus_one():
    setting = {"n": 2, "rho": (fmpq(1, 4), fmpq(3, 4)), "eta": (fmpq(1, 5), fmpq(2, 3))}
    cases = ((0, 1), (1 / 5, 1 / 3)), ((-1, 2), (1 / 5, 1 / 3)), ((1, 0), (4 / 5, 2 / 3))
    for values, wrong in cases:
        error = of(sgd.classification_error(g), {**setting, "g": tuple(map(fmpq, values))})
        assert error == pytest.approx(wrong[0] / 4 + 3 * wrong[1] / 4, rel=1e-12)


def test_the_expected_excess_of_a_batch_of_draws_is_that_of_each():
    world = next(w for w in worlds() if w["loss"] == "logistic")
    gamma, t = sgd.gamma, sgd.t
    start = sgd.g_M_lambda.coefficients / 2
    excess = expected_excess(
        sgd.k_M, sgd.rho, sgd.eta, start, sgd.lam, gamma, t, *margin_losses.loss.of
    )
    setting = {**world, "gamma": fmpq(3), "t": 2}
    draws = [(3, 0), (1, 2), (0, 3)]
    floats = {key: float_value(value) for key, value in setting.items()}
    found = batch.compiled(excess)(lambda name: {**floats, "counts": numpy.array(draws)}[name])
    values = [of(excess, {**setting, "counts": draw}) for draw in draws]
    # Signs at the end of paths agree, and probabilities of paths are products of three floats.
    numpy.testing.assert_allclose(found, values, atol=1e-12)
    assert max(values) > 0
