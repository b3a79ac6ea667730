"""Minimisers: certified values against estimators, optimality conditions and closed forms."""

from functools import partial

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import precision, to_float
from boundcheck.quantities import losses, minimisers
from boundcheck.quantities.batched_minimisers import _sweep, batched_coefficients
from boundcheck.quantities.sum_spaces import least_norm_sum
from boundcheck.worlds import Choice, Real, as_floats, classification_worlds

SPACE = classification_worlds().and_fields(
    loss=Choice(losses.NAMES),
    height=Real("1/2", 2),
    stretch=Real("1/2", 2),
    lambda_=Real("1/10", 10),
)


def worlds(count, seed):
    rng = numpy.random.default_rng(seed)
    return [SPACE.sample(rng)[0] for _ in range(count)]


def solved(world):
    kernel = minimisers.feature_kernel(world["phi"], world["tau"])
    names = ("rho", "eta", "lambda_", "loss", "height", "stretch")
    return kernel, minimisers.regularised_minimiser(kernel, *(world[name] for name in names))


def test_certified_values_agree_with_the_estimator():
    for world in worlds(60, 1):
        kernel, fit = solved(world)
        floats = as_floats({**world, "kernel": kernel})
        estimate = floats["kernel"] @ batched_coefficients(
            floats["kernel"], floats["rho"], floats["eta"], floats["lambda_"],
            world["loss"], floats["height"], floats["stretch"],
        )  # fmt: skip
        # Coordinate descent stops at steps of 1e-13, Newton at the rounding of the residual.
        assert estimate == pytest.approx([to_float(v) for v in fit.values], abs=1e-6)


@pytest.mark.parametrize("loss", ["hinge", "absolute"])
def test_losses_with_kinks_are_minimised_where_points_coincide(loss):
    """A singular and a nearly singular kernel: descent alone is off by hundredths there."""
    points = ([3, 1], [3, 1], [-2, 4], [3, fmpq(1001, 1000)], [-2, 1])
    features = fmpq_mat([[fmpq(v) for v in point] for point in points])
    gram = features * features.transpose()
    rho = tuple(fmpq(k, 15) for k in range(1, 6))
    eta = tuple(fmpq(k, 10) for k in (9, 2, 7, 4, 10))
    for lam in (fmpq(1, 3), fmpq(1, 40), fmpq(1, 1000)):
        exact = minimisers.regularised_minimiser(gram, rho, eta, lam, loss, fmpq(1), fmpq(1))
        kernel, *others = (
            numpy.array([to_float(v) for v in values])
            for values in (gram.entries(), rho, eta)
        )  # fmt: skip
        kernel = kernel.reshape(5, 5)
        found = kernel @ batched_coefficients(kernel, *others, to_float(lam), loss, 1.0, 1.0)
        assert found == pytest.approx([to_float(v) for v in exact.values], abs=1e-9)


def test_the_certified_error_shrinks_with_the_precision():
    for world in worlds(30, 2):
        with precision(192):
            _, fit = solved(world)
            assert to_float(fit.error) < 2.0**-80


def test_no_other_element_has_a_smaller_objective():
    rng = numpy.random.default_rng(3)
    for world in worlds(30, 3):
        kernel, fit = solved(world)
        size = kernel.nrows()

        def objective(values, norm, world=world):
            loss = partial(losses.loss_value, world["loss"], world["height"], world["stretch"])
            risk = sum(
                (w * (e * loss(v) + (1 - e) * loss(-v))
                 for w, e, v in zip(world["rho"], world["eta"], values, strict=True)),
                fmpq(0),
            )  # fmt: skip
            return to_float(risk) + to_float(world["lambda_"]) / 2 * to_float(norm) ** 2

        best = objective(fit.values, fit.norm)
        for _ in range(5):
            moved = [
                arb(a) + arb(float(rng.normal()) * 0.1) for a in fit.coefficients
            ]  # fmt: skip
            other = minimisers._fit(minimisers.arb_mat(kernel), tuple(moved), 0)
            assert objective(other.values, other.norm) >= best - 1e-12
        assert size == len(fit.values)


def test_one_point_hinge_has_a_closed_form():
    """k = 1, P(Y = 1) = 1: the minimiser is min(1, 1 / lambda)."""
    one = fmpq_mat(1, 1, [1])
    for lam in (fmpq(1, 3), fmpq(1), fmpq(5, 2)):
        fit = minimisers.regularised_minimiser(
            one, (fmpq(1),), (fmpq(1),), lam, "hinge", fmpq(1), fmpq(1)
        )
        assert fit.values == (min(fmpq(1), 1 / lam),)
        assert fit.norm == fit.values[0]


def test_least_norm_sum_of_equal_kernels_is_the_norm():
    kernel = fmpq_mat(2, 2, [2, 1, 1, 2])
    values = (fmpq(1), fmpq(-1))
    total = least_norm_sum(kernel, kernel, values)
    assert total.contains(minimisers.norm_of_values(kernel, values))


def test_bayes_norm_of_a_singular_kernel():
    gram = fmpq_mat(3, 3, [1, 2, 0, 2, 4, 0, 0, 0, 0])  # values (s, 2 s, 0) only, of norm |s|
    inside = (fmpq(5, 8), fmpq(3, 4), fmpq(1, 2))  # 2 eta - 1 = (1/4, 1/2, 0)
    assert minimisers.bayes_norm(gram, inside, "modified huber", fmpq(3), fmpq(2)) == fmpq(1, 2)
    for outside in ((fmpq(5, 8), fmpq(5, 8), fmpq(1, 2)), (fmpq(5, 8), fmpq(3, 4), fmpq(2, 3))):
        with pytest.raises(Undefined):
            minimisers.bayes_norm(gram, outside, "modified huber", fmpq(3), fmpq(2))
    with pytest.raises(Undecided):
        minimisers.bayes_norm(gram, inside, "logistic", fmpq(1), fmpq(1))
    assert minimisers.bayes_norm(gram * 0, (fmpq(1, 2),) * 3, "modified huber", 1, 1) == 0


def test_an_error_of_the_minimiser_is_in_values_norm_and_distance():
    from flint import arb, arb_mat

    from boundcheck.quantities.minimisers import _fit, distance

    gram = fmpq_mat(2, 2, [4, 0, 0, 1])
    fit = _fit(arb_mat(gram), (arb(1), arb(0)), arb(fmpq(1, 10)))
    # Any function within 1/10 of k(., x_1): its value at x_1 is within 1/10 sqrt(k(x_1, x_1)).
    assert fit.values[0].contains(arb(fmpq(42, 10))) and fit.values[1].contains(arb(fmpq(1, 10)))
    assert fit.norm.contains(arb(fmpq(21, 10)))
    assert distance(gram, fit, (fmpq(0), fmpq(0))).contains(arb(fmpq(21, 10)))


@pytest.mark.parametrize("beyond", [fmpq(1, 10**120), fmpq(10**120), arb(1) / 3])
def test_a_regularisation_that_floats_do_not_reach_is_left_undecided(beyond):
    kernel, one = fmpq_mat(1, 1, [1]), (fmpq(1),)
    with pytest.raises(Undecided, match="beyond the range of floats"):
        minimisers.regularised_minimiser(kernel, one, one, beyond, "logistic", fmpq(1), fmpq(1))


def test_a_sweep_of_one_kernel_is_that_of_a_stack():
    rng = numpy.random.default_rng(4)
    for size in (1, 2, 5):
        features = rng.normal(size=(size, 3))
        features[0] *= size > 1  # a point without a kernel, too
        kernel, start = features @ features.T, rng.normal(size=size)
        pull = numpy.sort(rng.normal(size=(3, 1, size)), axis=0)
        alone, stack = start[None].copy(), numpy.stack([start, start])
        one = _sweep(kernel[None], pull, numpy.array([0.7]), alone)
        two = _sweep(
            numpy.stack([kernel] * 2), numpy.concatenate([pull] * 2, 1), numpy.full(2, 0.7), stack
        )
        # Sums of a few numbers of order one: rounding is below 1e-12.
        numpy.testing.assert_allclose(one[0], two[0], rtol=0, atol=1e-12)
        numpy.testing.assert_allclose(alone[0], stack[1], rtol=0, atol=1e-12)
