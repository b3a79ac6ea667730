"""Algorithm 1 in its forms: line by line, as a law, simulated, against an adversary."""

import math
from collections import defaultdict

import numpy
import pytest
from flint import arb, fmpq, fmpq_mat

from boundcheck.exact import compiled
from boundcheck.expressions.batch import compiled as batched
from boundcheck.expressions.scope import Scope, unknown
from boundcheck.library import load_library, shipped_root
from boundcheck.quantities.online_adversaries import fixed_sequence
from boundcheck.settings import seeing_adversaries as seeing, shrinking_gradient as g
from boundcheck.worlds.space import float_value

WORLD = {
    "N": 2, "K": 2, "mu": (fmpq(1, 3), fmpq(2, 3)), "T": 3, "sequence": (0, 1, 0),
    "psi": fmpq_mat(2, 2, [fmpq(1, 2), fmpq(-1, 4), fmpq(3, 4), fmpq(1, 4)]),
    "y": (fmpq(1), fmpq(-1, 2), fmpq(1, 3)), "B": fmpq(1, 16), "eta": fmpq(5), "m": 2,
    "direction": (fmpq(1), fmpq(-1)), "f_star": (fmpq(0), fmpq(-20)),
}  # fmt: skip
SHOWN, ANSWERS, MOVES = fixed_sequence(WORLD["sequence"], WORLD["y"])
GAME = {**WORLD, "S": 3, "shown": SHOWN, "answers": ANSWERS, "moves": MOVES, "tossed": 0}


def at(expr, **more):
    return compiled(expr)(Scope(unknown, {**GAME, **more}))


def mean(run, expr):
    """E of an expression in the outcomes of a run's last round."""
    outcomes = run.E.meaning.draw.outcomes(WORLD.__getitem__)
    return sum(chance * at(expr, **outcome) for chance, outcome in outcomes)


@pytest.mark.parametrize("update", [g.PRINTED, g.DESCENT])
def test_both_forms_of_the_last_round_agree(update):
    lines, analysis = (g.ShrinkingGradient(g.T, update, lines=form) for form in (True, False))
    for part in ("E", "product", "loss"):
        assert mean(lines, getattr(lines, part)) == mean(analysis, getattr(analysis, part)) != 0
    for state in (lines, analysis):
        assert mean(state, g.distance(state.following)) == mean(
            analysis, g.distance(analysis.following)
        )


@pytest.mark.parametrize("update", [g.PRINTED, g.DESCENT])
def test_sums_over_rounds_are_those_of_single_rounds(update):
    run = g.ShrinkingGradient(g.T, update)
    losses, far, norms = fmpq(0), fmpq(0), []
    for rounds in (1, 2, 3):
        world = {**WORLD, "T": rounds, **{k: WORLD[k][:rounds] for k in ("sequence", "y")}}
        for chance, outcome in run.E.meaning.draw.outcomes(world.__getitem__):
            look = {**world, **outcome}
            losses += chance * at(run.loss, **look)
            norms.append(at(g.squared_norm(run.f), **look))
            if rounds < 3:
                after, step = (at(g.distance(x), **look) for x in (run.following, run.hat))
                far += chance * int(after > step)
    assert at(run.losses) == losses
    assert at(run.overruled(g.f_star)) == far > 0
    assert at(run.largest_norm).overlaps(arb(max(norms)).sqrt())


def test_an_adversary_with_equal_moves_is_its_sequence():
    run, game = g.ShrinkingGradient(g.T, g.DESCENT), seeing.Contest(g.T)
    assert at(game.losses) == at(run.losses)
    assert at(game.losses_of(g.f_star)) == at(run.losses_of(g.f_star))
    assert at(game.overruled(g.f_star)) == at(run.overruled(g.f_star)) > 0
    assert at(seeing.largest_norm(game.game)).overlaps(at(run.largest_norm))
    lines = g.ShrinkingGradient(g.T, g.PRINTED, lines=True)
    law = defaultdict(fmpq)
    for chance, outcome in game.l1_norm.meaning.draw.outcomes(GAME.__getitem__):
        law[outcome["alpha_norm"]] += chance
    assert sum(p * v for v, p in law.items()) == mean(lines, lines.size)


def test_simulated_rounds_have_the_mean_of_the_law():
    run, runs = g.ShrinkingGradient(g.T, g.DESCENT, long=True), 200_000
    drawn = run.E.meaning.draw.sample(WORLD.__getitem__, numpy.random.default_rng(0), runs)
    total = run.total.meaning.draw.sample(WORLD.__getitem__, numpy.random.default_rng(1), runs)
    last = seeing.Contest(g.T).last_round
    seen = last[1].meaning.draw.sample(GAME.__getitem__, numpy.random.default_rng(2), runs)
    for values, exact in (
        (drawn["estimate"], mean(run, run.E)), (total["total"], at(run.losses)),
        (seen["estimate"], mean(run, run.E)),
    ):  # fmt: skip
        # Student's interval at 6 standard errors: error probability 1e-8. A wrong sign of the
        # update or a shrink in the wrong place moves every mean by more than a tenth of itself.
        tol = 6 * values.std() / math.sqrt(runs)
        assert abs(values.mean() - float(exact)) < tol < abs(float(exact)) / 10
    assert set(numpy.unique(seen["label"])) == {float(fmpq(1, 3))}


def test_both_readings_of_a_round_agree_where_nothing_shrinks_and_where_it_does():
    run = g.ShrinkingGradient(g.T, g.DESCENT)
    outcomes = [outcome for _, outcome in run.E.meaning.draw.outcomes(WORLD.__getitem__)]
    world = {name: float_value(value) for name, value in WORLD.items()}
    look = world | {name: numpy.array([float_value(o[name]) for o in outcomes])
                    for name in ("f", "estimate")}  # fmt: skip
    shrinks = {bool(abs(o["estimate"]) >= 16 * WORLD["B"]) for o in outcomes}
    assert shrinks == {True, False}
    for expr in (g.distance(run.following), g.distance(run.hat), run.product, run.loss):
        floats = batched(expr)(look.__getitem__)
        exact = [float_value(at(expr, **outcome)) for outcome in outcomes]
        # Sums of two terms: a few roundings of numbers of the size of the values.
        assert numpy.allclose(floats, exact, rtol=1e-12, atol=1e-12)


def test_the_step_without_a_shrink_is_the_gradient_step_to_the_last_bit():
    run = g.ShrinkingGradient(g.T, g.DESCENT)
    rng = numpy.random.default_rng(0)
    look = {name: float_value(value) for name, value in WORLD.items()}
    look |= {"f": rng.normal(size=(1000, 2)), "estimate": rng.uniform(-1, 1, 1000)}
    after, step = (batched(g.distance(x))(look.__getitem__) for x in (run.following, run.hat))
    assert (after == step).all()  # else float indicators of a tie would count it as farther


def test_the_samples_of_the_proof_are_whole_and_enough():
    # B = 1, T = 1, eta = 1: 17^2 log 18^2 = 1670.6...
    ones = {"eta": fmpq(1), "T": 1, "B": fmpq(1)}
    assert at(g.PROOF_SAMPLES.meaning.definition, **ones) == math.ceil(289 * math.log(18**2))
    for B, T in ((1, 1), (2, 9), (7, 100)):
        least = at(g.PROOF_SAMPLES.meaning.definition, eta=fmpq(B, 20), T=T, B=fmpq(B))
        assert least <= g.enough_samples(B, T)


def test_descent_with_exact_products_stays_in_the_span_of_its_points():
    run, psi, mu = g.ShrinkingGradient(g.T, g.DESCENT), WORLD["psi"], WORLD["mu"]
    f = at(run.descended)
    # eta = 5: f_2 = 5 Phi_0, <f_2, Phi_1> = 5 / 12, f_3 = f_2 - 5 (5/12 + 1/2) Phi_1.
    assert f == tuple(5 * psi[0, k] - fmpq(55, 12) * psi[1, k] for k in (0, 1))
    assert g.is_combination(f, psi, mu, (0, 1)) == 1
    assert g.is_combination(f, psi, mu, (0,)) == g.is_combination(f, psi, mu, (1,)) == 0
    only_first = (fmpq(1), fmpq(0))  # in L2(mu) a single feature is left
    assert g.is_combination(f, psi, only_first, (0,)) == 1


@pytest.mark.parametrize("update", [g.PRINTED, g.DESCENT])
def test_the_coefficients_of_the_next_round_make_its_function(update):
    run = g.ShrinkingGradient(g.T, update, lines=True)
    gap = g.squared_norm(run.combination(run.next_alpha) - run.following)
    assert mean(run, gap) == 0 != mean(run, g.squared_norm(run.f - run.following))


def test_a_law_on_one_point_is_made_for_any_number_of_rounds():
    """Its family is followed to sizes at which no sequence of rounds could be held."""
    family = load_library(shipped_root(), ["livni2017/corollary_1:printed"])[
        "livni2017/corollary_1:printed"
    ].families[0]
    assert family.at(4**40)["T"] == 4**41 and family.at(4**40)["epsilon"] == fmpq(1, 2**41)
