"""Risks of averages: sampled against a run free of chance; draws that an accuracy needs."""

from math import comb

import numpy
import pytest
from flint import fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.exact import compiled
from boundcheck.expressions.scope import Scope, unknown
from boundcheck.settings import online_to_batch as o
from boundcheck.settings.sampled_features import needed_draws

WORLD = {
    "N": 1, "K": 1, "mu": (fmpq(1),), "psi": fmpq_mat(1, 1, [fmpq(1, 2)]), "T": 3, "x": 0,
    "y": fmpq(1), "B": fmpq(1), "eta": fmpq(1), "m": 1, "J": 1, "cases": (0,),
    "targets": (fmpq(1),), "chances": (fmpq(1),),
}  # fmt: skip


def at(expr):
    return compiled(expr)(Scope(unknown, WORLD))


def test_the_risk_of_the_average_on_one_case():
    # f_1 = 0, f_2 = 1/2, f_3 = 1/2 + (1 - 1/4) / 2 = 7/8: the average is 11/24, its loss
    # (11/48 - 1)^2 / 2; the best of the ball predicts 1/2.
    loss = fmpq(37, 48) ** 2 / 2
    assert at(o.excess_on_one_case(o.DESCENT)).overlaps(loss - fmpq(1, 8))
    drawn = o.risk.meaning.draw.sample(WORLD.__getitem__, numpy.random.default_rng(0), 5)
    assert numpy.allclose(drawn["risk"], float(loss), rtol=1e-12)  # no chance, a few roundings
    assert at(o.least).overlaps(fmpq(1, 8))


def test_least_losses_in_floats_are_the_exact_ones_in_every_world():
    psi = fmpq_mat(2, 2, [fmpq(1, 2), fmpq(-1, 4), fmpq(1, 3), fmpq(3, 4)])
    chances, mu = (fmpq(1, 5), fmpq(4, 5)), (fmpq(1, 4), fmpq(3, 4))
    floats = numpy.array([[1 / 2, -1 / 4], [1 / 3, 3 / 4]]), numpy.array([0, 1])
    labels, radii = [(fmpq(1), fmpq(-1, 2)), (fmpq(-1, 3), fmpq(1))], (fmpq(1, 2), fmpq(5))
    law = numpy.array([0.25, 0.75])
    y, B = numpy.array([[float(a) for a in each] for each in labels]), numpy.array([0.5, 5.0])
    sums = o.least_losses.batch(*floats, y, law, B)
    means = o.least_risk.batch(*floats, y, numpy.array([0.2, 0.8]), law, B)
    for world, (label, radius) in enumerate(zip(labels, radii, strict=True)):
        exact = (
            o.least_losses(psi, (0, 1), label, mu, radius),
            o.least_risk(psi, (0, 1), label, chances, mu, radius),
        )
        expected = [float(value.mid()) for value in exact]
        assert numpy.allclose([sums[world], means[world]], expected, rtol=1e-6, atol=1e-9)
    alone = o.least_losses.batch(*floats, y[1], law, B[1])
    assert numpy.shape(alone) == () and numpy.isclose(alone, sums[1])


def test_a_run_with_chances_is_left_to_sampling():
    psi = fmpq_mat(1, 2, [fmpq(1, 2), fmpq(-1, 4)])
    with pytest.raises(Undecided, match="not free of chance"):
        o.chance_free_average(psi, (0, 0, 0), (1, 1, 1), (fmpq(1, 2),) * 2, 1, 1, 1, o.DESCENT)


@pytest.mark.parametrize("delta", ["1/2", "1/4", "3/4", "1/1000"])
def test_needed_draws_of_a_fair_sign(delta):
    # E is the mean of m fair signs, and |E| <= 1/2 by the binomial law.
    half, delta = fmpq(1, 2), fmpq(*map(int, delta.split("/")))
    psi = fmpq_mat(1, 2, [1, 1])
    found = needed_draws((fmpq(1),), psi, (fmpq(1), fmpq(-1)), (half, half), half, delta)

    def near(m):
        return fmpq(sum(comb(m, k) for k in range(m + 1) if 2 * abs(2 * k - m) <= m), 2**m)

    assert found == next(m for m in range(1, 60) if near(m) >= 1 - delta)
