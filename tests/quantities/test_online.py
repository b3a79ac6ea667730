"""Algorithms 1 and 2: printed lines against the analysis form, exact laws against sampling."""

import itertools
import math

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undefined
from boundcheck.quantities.online import (
    DESCENT,
    PRINTED,
    TooManyStates,
    combination,
    estimate_law,
    estimated_product,
    gram,
    inner,
    l1_norm,
    pick_law,
    row,
    squared_loss,
)
from boundcheck.quantities.online_comparators import best_in_ball, least_norm, least_risk
from boundcheck.quantities.online_descent import convex_loss, descend, subgradient
from boundcheck.quantities.online_laws import Masses, expected_losses, pass_laws, round_laws
from boundcheck.quantities.online_simulation import simulate

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)
MU = (fmpq(1, 4), fmpq(3, 4))
PSI = fmpq_mat(2, 2, [HALF, -THIRD, fmpq(3, 4), HALF])
ROWS = [row(PSI, 0), row(PSI, 1)]
LABELS = (fmpq(1), fmpq(-1, 2), fmpq(1, 4))
SEQUENCE = (0, 1, 0)


def merged(law):
    """Probabilities by value."""
    table = {}
    for probability, value in law:
        table[value] = table.get(value, fmpq(0)) + probability
    return table


@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_law_of_the_estimate_is_that_of_the_printed_lines(m):
    alpha, point = (fmpq(2), fmpq(-1, 3)), (HALF, fmpq(-1, 5))
    printed = merged(
        (p, estimated_product(alpha, ROWS, point, picks)) for p, picks in pick_law(alpha, MU, m)
    )
    assert merged(estimate_law(alpha, ROWS, point, MU, m)) == printed
    mean = sum(p * v for v, p in printed.items())
    assert mean == inner(combination(alpha, ROWS), point, MU)


def test_an_estimate_without_coefficients_is_zero_and_without_draws_undefined():
    assert estimated_product((fmpq(0),), ROWS[:1], ROWS[1], ()) == 0
    with pytest.raises(Undefined, match="m = 0"):
        estimated_product((fmpq(1),), ROWS[:1], ROWS[1], ())


@pytest.mark.parametrize("update", [PRINTED, DESCENT])
@pytest.mark.parametrize("B", [fmpq(1), fmpq(1, 200)])  # the small ball makes rounds shrink
def test_signed_masses_have_the_law_of_the_coefficients(update, B):
    world = (PSI, SEQUENCE, LABELS, MU, B, HALF, 2, update)
    rows = [row(PSI, index) for index in SEQUENCE]
    for by_alpha, by_mass in zip(round_laws(*world), pass_laws(*world), strict=True):
        left = merged((p, (combination(a, rows), l1_norm(a), e)) for p, a, e in by_alpha)
        assert left == merged((p, (f, size, e)) for p, f, size, e in by_mass)
        assert sum(left.values()) == 1


def test_a_tie_with_sixteen_b_shrinks():
    psi, B = fmpq_mat(1, 1, [HALF]), fmpq(1, 16) * fmpq(1, 4) * fmpq(1, 2)
    # alpha^(2) = -1/2, k = 1/4, so |E_2| = 1/8 = 16 B.
    laws = round_laws(psi, (0, 0, 0), (fmpq(1),) * 3, (fmpq(1),), B, HALF, 1)
    ((_, alpha, _),) = laws[2]
    assert alpha == (fmpq(-1, 8), 0, 0)


def test_balls_follow_the_rationals_of_a_long_run():
    psi, size = fmpq_mat(1, 1, [HALF]), 60
    world = (psi, (0,) * size, (fmpq(1),) * size, (fmpq(1),), fmpq(1), fmpq(1, 4), 5, DESCENT)
    last = expected_losses(Masses(*world))[-1]
    # Noise-free descent contracts the error by 1 - eta k = 15/16 in each of 59 steps.
    assert last.overlaps((fmpq(15, 16) ** 118 / 2) + last * 0)


def test_laws_that_grow_too_large_are_refused():
    with pytest.raises(TooManyStates):
        pass_laws(PSI, (0, 1) * 8, (fmpq(1), fmpq(-1)) * 8, MU, fmpq(1), HALF, 2)


def test_the_least_loss_in_a_ball_against_a_grid_and_a_closed_form():
    best = best_in_ball(PSI, SEQUENCE, LABELS, MU, fmpq(1))
    grid = [fmpq(i, 10) for i in range(-20, 21)]
    inside = [f for f in itertools.product(grid, repeat=2) if inner(f, f, MU) < 1]
    rows = [row(PSI, place) for place in SEQUENCE]
    around = min(
        sum((inner(f, x, MU) - y) ** 2 for x, y in zip(rows, LABELS, strict=True)) / 2
        for f in inside
    )
    assert best <= around and float(around) - float(best) < 0.02
    # One point with value c, label 1, ball 1: the best product is c, its loss (1 - c)^2 / 2.
    one = best_in_ball(fmpq_mat(1, 1, [HALF]), (0,), (fmpq(1),), (fmpq(1),), fmpq(1))
    assert abs(float(one) - 1 / 8) < 1e-12


def test_the_least_norm_of_a_representation():
    assert (least_norm(PSI, MU, (fmpq(1), fmpq(-2))) ** 2).overlaps(arb(fmpq(13, 4)))
    single = fmpq_mat(1, 2, [HALF, HALF])
    # Only the mean of f is seen; the constant function with that mean is the smallest.
    assert least_norm(single, MU, (fmpq(1), fmpq(-1))) == HALF
    assert gram(single, MU)[0, 0] == fmpq(1, 4)


@pytest.mark.parametrize("update", [PRINTED, DESCENT])
def test_simulation_agrees_with_the_exact_law(update):
    runs, m = 40_000, 2
    world = (PSI, SEQUENCE, LABELS, MU)
    found = simulate(
        numpy.array([[0.5, -1 / 3], [0.75, 0.5]]), SEQUENCE, [1, -0.5, 0.25], [0.25, 0.75],
        1.0, 0.5, m, runs=runs, rng=numpy.random.default_rng(5), update=update,
    )  # fmt: skip
    laws = pass_laws(*world, fmpq(1), HALF, m, update)
    for t, law in enumerate(laws):
        for position, name in ((3, "estimates"), (2, "l1")):
            mean = float(sum(item[0] * item[position] for item in law))
            spread = max(float(abs(item[position])) for item in law)
            # Values lie in [-spread, spread]: Hoeffding at 1e-9 per comparison.
            tolerance = spread * math.sqrt(2 * math.log(2 / 1e-9) / runs)
            assert abs(found[name][:, t].mean() - mean) <= tolerance + 1e-12
    losses = [
        float(sum(p * squared_loss(f, row(PSI, i), label, MU) for p, f, _, _ in law))
        for law, i, label in zip(laws, SEQUENCE, LABELS, strict=True)
    ]
    sampled = ((found["products"] - numpy.array([1, -0.5, 0.25])) ** 2 / 2).mean(axis=0)
    # |product| <= ||alpha||_1 <= 2 here, so losses are at most 9/2.
    assert numpy.allclose(sampled, losses, atol=4.5 * math.sqrt(math.log(2 / 1e-9) / 2 / runs))


def test_descent_on_the_line_and_its_overruled_steps():
    loss = (fmpq(1), fmpq(1), fmpq(0), fmpq(0))  # (f - 1)^2 / 2
    assert subgradient(fmpq(0), loss) == -1 and convex_loss(fmpq(0), loss) == HALF
    path = descend((loss,) * 3, (fmpq(0),) * 3, ((), (fmpq(1, 4),), ()), 0, HALF)
    # 0, then the step to 1/2, then 1/8 in place of the step to 3/4.
    assert path.iterates == (0, HALF, fmpq(1, 8)) and path.stepped == (0, HALF, fmpq(3, 4))
    assert path.overruled(fmpq(1)) == [False, False, True]
    assert path.overruled(fmpq(0)) == [False, False, False]


def test_runs_on_sequences_of_their_own_agree_with_shared_ones():
    psi, mu = numpy.array([[0.5, -0.3], [0.7, 0.2]]), numpy.array([0.25, 0.75])
    sequence, y = numpy.array([0, 1, 0, 1]), numpy.array([1.0, -0.5, 0.25, 1.0])
    shared, own = (
        simulate(
            psi, points, labels, mu, 1.0, 0.4, 3, runs=5, rng=numpy.random.default_rng(7),
            update=DESCENT,
        )
        for points, labels in (
            (sequence, y), (numpy.tile(sequence, (5, 1)), numpy.tile(y, (5, 1))),
        )
    )  # fmt: skip
    for name, values in shared.items():
        assert numpy.allclose(values, own[name], rtol=1e-12, atol=0), name


def test_the_average_is_that_of_the_functions_of_all_rounds():
    psi, mu = fmpq_mat(1, 1, [HALF]), (fmpq(1),)  # one point and one sign: no chance in the run
    laws = pass_laws(psi, (0,) * 5, (fmpq(1),) * 5, mu, fmpq(1), HALF, 2, DESCENT)
    average = sum(f[0] for ((_, f, _, _),) in laws) / 5
    found = simulate(
        [[0.5]], [0] * 5, [1.0] * 5, [1.0], 1.0, 0.5, 2, runs=2, rng=numpy.random.default_rng(0),
        update=DESCENT,
    )  # fmt: skip
    assert numpy.allclose(found["averages"], float(average.p) / float(average.q), rtol=1e-12)


@pytest.mark.parametrize("B", [fmpq(1, 2), fmpq(1), fmpq(10)])
def test_least_risk_is_the_least_mean_loss_of_a_sample_with_those_shares(B):
    sample = ((0, 0, 1, 0), (fmpq(1), fmpq(1), fmpq(-1, 2), fmpq(-1)))
    law = ((0, 1, 0), (fmpq(1), fmpq(-1, 2), fmpq(-1)), (HALF, fmpq(1, 4), fmpq(1, 4)))
    risk, total = least_risk(PSI, *law, MU, B), best_in_ball(PSI, *sample, MU, B)
    assert (4 * risk).overlaps(arb(total))
    assert float((4 * risk - total).abs_upper()) < 1e-12
