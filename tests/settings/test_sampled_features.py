"""Algorithm 2 in three forms: line by line, as a law, sampled; fields and scalar products."""

import math
from collections import defaultdict

import numpy
import pytest
from flint import fmpq, fmpq_mat
from sympy import Eq

from boundcheck import Claim, Expected, Source
from boundcheck.exact import compiled
from boundcheck.expressions.scope import Scope, unknown
from boundcheck.settings import sampled_features as f

HERE = Source("Test", 2000, "Samples").at("1")
WORLD = {
    "N": 2, "K": 2, "mu": (fmpq(1, 3), fmpq(2, 3)), "alpha": (fmpq(1), fmpq(-2)),
    "psi": fmpq_mat(2, 2, [fmpq(1, 2), fmpq(-1, 4), fmpq(3, 4), 0]),
    "x": (fmpq(1, 2), fmpq(-1, 2)), "m": 2,
}  # fmt: skip


def at(world, expr, **more):
    return compiled(expr)(Scope(unknown, {**world, **more}))


def law_of_the_lines(world):
    law = defaultdict(fmpq)
    for chance, outcome in f.I.meaning.draw.outcomes(world.__getitem__):
        law[at(world, f.output, **outcome)] += chance
    return dict(law)


def law_as_a_whole(world):
    draw = f.E.meaning.draw
    law = defaultdict(fmpq)
    for chance, outcome in draw.outcomes(world.__getitem__):
        law[outcome["estimate"]] += chance
    return dict(law)


@pytest.mark.parametrize("changed", [{}, {"m": 1}, {"alpha": (fmpq(0), fmpq(0))}])
def test_the_printed_lines_have_the_law_of_the_estimate(changed):
    world = WORLD | changed
    assert law_of_the_lines(world) == law_as_a_whole(world)
    draws = f.I.meaning.draw
    assert len(list(draws.outcomes(world.__getitem__))) == draws.count(world.__getitem__)


def test_sampled_estimates_have_the_mean_of_the_law():
    size = 20_000
    drawn = f.E.meaning.draw.sample(WORLD.__getitem__, numpy.random.default_rng(0), size)
    exact = float(sum(p * v for v, p in law_as_a_whole(WORLD).items()))
    # Values lie within 3 * max |psi x| = 9/8: Hoeffding, error probability 1e-9. A wrong weight of
    # an index or feature moves the mean, -17/48, by more than 1/16.
    tol = 2 * 9 / 8 * math.sqrt(math.log(2 / 1e-9) / (2 * size))
    assert abs(drawn["estimate"].mean() - exact) < tol < 1 / 16
    nothing = {**WORLD, "alpha": (fmpq(0),) * 2}
    assert not f.E.meaning.draw.sample(nothing.__getitem__, None, 3)["estimate"].any()


def test_scalar_products_norms_and_losses():
    # f = Phi(0) - 2 Phi(1) = (-1, -1/4).
    assert at(WORLD, f.product) == fmpq(1, 3) * -1 * fmpq(1, 2) + fmpq(2, 3) * fmpq(1, 8)
    assert at(WORLD, f.squared_norm(f.f)) == fmpq(1, 3) + fmpq(2, 3) / 16
    assert at(WORLD, f.size) == 3
    loss = f.squared_loss(f.f, f.x, f.B)
    assert at(WORLD, loss, B=fmpq(1)) == (at(WORLD, f.product) - 1) ** 2 / 2


@pytest.mark.parametrize("value, inside", [("999999/1000000", True), (1, False)])
def test_features_lie_strictly_inside_the_unit_interval(value, inside):
    psi = fmpq_mat(1, 1, [fmpq(*map(int, str(value).split("/")))])
    assert f.any_features.admits(psi, {"N": 1, "K": 1}) is inside
    assert f.sign_features.admits(psi, {"N": 1, "K": 1}) is inside


def test_sign_features_have_one_modulus():
    psi = fmpq_mat(1, 2, [fmpq(1, 2), fmpq(-1, 3)])
    assert not f.sign_features.admits(psi, {"N": 1, "K": 2})
    assert f.any_features.admits(psi, {"N": 1, "K": 2})


def test_outcomes_are_drawn_anew_in_a_rescaled_world():
    claim = Claim(HERE, Expected(Eq(f.E, f.product)))
    assert [dict(r.powers) for r in claim.rescalings] == [{"alpha": 1}]
