"""Worlds looked at in floats, many at once: a hint that is held against the definitions."""

import math

import numpy
import pytest
from flint import fmpq
from sympy import Abs, And, Implies, Or, log, sqrt, symbols

from boundcheck import Claim, Expected, Holds, Source, UpToConstant, WithProbability
from boundcheck.errors import Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.expressions import average, batch, parameter
from boundcheck.quantities import laws, quantity
from boundcheck.scores import constant_needed, score_relation
from boundcheck.search.admissible import Candidates
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.search.screening import Screen, bounded_chance
from boundcheck.setting import Setting
from boundcheck.settings import classes
from boundcheck.settings.margin_losses import height, loss
from boundcheck.settings.scalar_laws import (
    E,
    P,
    Var,
    counts,
    delta,
    k,
    n,
    sample_mean,
    values as values_of,
)
from boundcheck.worlds import (
    Counts,
    Derived,
    Indices,
    Integer,
    Listed,
    Real,
    Space,
    Vector,
    Weights,
)
from boundcheck.worlds.walks import Walk

PLACE = Source("A", 2000, "T").at("here")
x, y, z, mean, least = symbols("x y z mean least", real=True)
BOX = {x: Real(-2, 2), y: Real(-2, 2)}


def rng(seed=0):
    return numpy.random.default_rng(seed)


def claim(relation, **more):
    return Claim(source=PLACE, statement=Holds(relation), **{"parameters": BOX, **more})


LAWS = {
    "parameters": {},
    "worlds": Space(K=Integer(1, searched=4), x=Vector("K", -2, 3), p=Weights("K")),
    "measure": {mean: laws.median, least: laws.least_value},
}  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "more"),
    [
        (x + y <= 3, {}),
        (x - 5 <= y - 2, {}),  # both sides negative
        (Implies(x > 0, x <= sqrt(x + 3)), {}),
        (x <= 4, {"given": [x >= y]}),
        (least <= mean, LAWS),  # worlds of several shapes
    ],
)
def test_float_scores_are_the_exact_ones(relation, more):
    stated = claim(relation, **more)
    screen = Screen(Candidates(stated), rng())
    assert screen.works
    worlds = [screen._raw(rng(seed))[1] for seed in range(60)]
    compared = 0
    for values, found in zip(worlds, screen._scores(worlds), strict=True):
        setting = Setting(stated, values)
        if not setting.admissible():
            assert math.isnan(found)
            continue
        with precision(PRECISIONS[0]):
            exact = score_relation(relation, setting)
        assert found == pytest.approx(exact, rel=1e-9, nan_ok=True)
        compared += not math.isnan(exact)
    assert compared >= 15


def test_worlds_outside_the_hypotheses_are_not_chosen():
    screen = Screen(Candidates(claim(x <= 1, given=[x <= y])), rng())
    chosen = screen.best(rng(1), 500, 30)
    decoded = [screen.candidates.space.decode(vector) for vector in chosen]
    assert len(chosen) == 30 and all(world["x"] <= world["y"] for world in decoded)


def test_a_small_hole_in_a_bound_is_found_by_screening():
    """Violated for |x - 1/7| and |y + 1/3| below 1/40 only: one world in several thousand.

    Elsewhere the left side is flat, so that nothing leads there.
    """
    hole = Implies((x - 1 / 7) ** 2 * 1600 <= 1, Implies((y + 1 / 3) ** 2 * 1600 <= 1, z <= 0))
    bound = claim(hole, parameters={**BOX, z: Real(1, 2)})
    found = {0: 0, 40_000: 0}
    for screened in found:
        for seed in range(3):
            search = Search(
                Candidates(bound), deterministic_objective(10), rng(seed), evaluations=60,
                members=("random",), screened=screened,
            )  # fmt: skip
            found[screened] += search.run().violation is not None
    assert found[40_000] == 3 and found[0] == 0


@quantity(estimator=lambda x: x + 1)
def wrong(x):
    return x


@quantity(estimator=lambda x: float(x))
def no_arrays(x):
    return x


def plain_loop(x):
    return max(x, 0)


@pytest.mark.parametrize("definition", [wrong, no_arrays, plain_loop])
def test_quantities_that_floats_get_wrong_are_not_screened(definition):
    assert not Screen(Candidates(claim(z <= 3, measure={z: definition})), rng()).works


def test_fields_may_be_texts():
    value = parameter("v", Real(None, None, searched=(-2, 2)))
    screen = Screen(Candidates(Claim(PLACE, Holds(loss(value) <= height))), rng())
    assert screen.works and screen.best(rng(), 40, 3)


def test_worlds_that_cannot_be_completed_are_left_out():
    def rule(a):
        if a < 1:
            raise Undefined("no such world")
        return a

    built = claim(x <= y, worlds=Space(a=Real(0, 2), b=Derived(rule)),
                  measure={x: lambda a: a, y: lambda b: b + 1}, parameters={})  # fmt: skip
    screen = Screen(Candidates(built), rng())
    found = [screen._raw(rng(seed)) for seed in range(40)]
    assert None in found and any(found)


X = values_of(low=0, high=1)[k]
GAP = E(X) - sample_mean(X)
DRAWN = {
    "probability": WithProbability(1 - delta, GAP <= sqrt(log(1 / delta) / (2 * n))),
    "mean": Expected(Abs(GAP) <= sqrt(Var(X) / n)),
    "every outcome": Holds(GAP <= E(X)),
}


@pytest.mark.parametrize("form", DRAWN)
def test_float_scores_over_a_draw_are_the_exact_ones(form):
    stated = Claim(PLACE, DRAWN[form])
    screen, constant = Screen(Candidates(stated), rng()), UpToConstant(DRAWN[form])
    assert screen.works
    worlds = [screen._raw(rng(seed))[1] for seed in range(60)]
    compared = 0
    for values, found in zip(worlds, screen._scores(worlds), strict=True):
        setting = Setting(stated, values)
        spread = max(values["x"]) - min(values["x"])
        if math.isnan(found) or stated.draw.count(setting) > 100 or 0 < spread < fmpq(1, 100):
            continue  # a variance of points that nearly meet is rounding in floats
        with precision(PRECISIONS[0]):
            exact = constant_needed(setting, constant)
        assert found == pytest.approx(exact, rel=1e-6, abs=1e-9)
        compared += found > 0
    assert compared >= 15


def test_statements_up_to_a_constant_over_a_draw_are_not_screened():
    stated = Claim(PLACE, UpToConstant(DRAWN["probability"]))
    assert not Screen(Candidates(stated), rng()).works


def test_worlds_with_too_many_outcomes_are_passed_over():
    """A thousand draws of one atom are one outcome, which takes long to write down all the same."""
    stated = Claim(PLACE, DRAWN["every outcome"])
    atoms = {"K": 9, "p": (fmpq(1, 9),) * 9, "x": (fmpq(0),) * 9}
    single = {"K": 1, "p": (fmpq(1),), "x": (fmpq(0),)}
    screen = Screen(Candidates(stated), rng())
    found = screen._scores([{**atoms, "n": 12}, {**single, "n": 10**9}, {**single, "n": 4}])
    assert [math.isnan(score) for score in found] == [True, True, False]


def test_averages_with_many_outcomes_are_passed_over():
    stated = Claim(PLACE, Holds(average(GAP**2, counts) <= Var(X)))
    screen = Screen(Candidates(stated), rng())
    atoms = {"K": 4, "p": (fmpq(1, 4),) * 4, "x": tuple(map(fmpq, range(4)))}
    found = screen._scores([{**atoms, "n": 30}, {**atoms, "n": 4}])
    assert screen.works and [math.isnan(score) for score in found] == [True, False]


@pytest.mark.parametrize(
    ("weights", "number", "many"),
    [((1.0,), 10**9, 1), ((0.25, 0.75), 19_000, 19_001), ((0.5, 0.0, 0.5), 9, 55)],
)
def test_outcomes_of_many_draws_in_floats(weights, number, many):
    """Counts are listed as such, not draw by draw, and their weights do not overflow."""
    look = {"p": numpy.array(weights), "n": number}.__getitem__
    found = list(batch.outcomes(Counts("counts", "p", "n"), look))
    mean = sum(weight * outcome["counts"] for weight, outcome in found)
    assert len(found) == many and sum(weight for weight, _ in found) == pytest.approx(1)
    assert mean == pytest.approx(number * numpy.array(weights))


@pytest.mark.parametrize("draw", [Indices("places", "p", "n"), Walk("path", "q", "n")])
def test_long_sequences_of_one_value_are_not_listed_in_floats(draw):
    look = {"p": numpy.ones(1), "q": numpy.ones((1, 1)), "n": 10**9}.__getitem__
    with pytest.raises(batch.NoBatch, match="outcomes"):
        next(batch.outcomes(draw, look))


def test_draws_without_outcomes_in_floats_are_not_screened():
    listed = Listed(("u",), lambda K: [(1, {"u": 0})], over="nothing")
    stated = claim(x <= 3, worlds=Space(K=Integer(1, searched=2)), draw=listed)
    assert not Screen(Candidates(stated), rng()).works


def test_a_level_that_fails_only_when_nearly_all_is_allowed_is_found():
    """Two functions that differ everywhere are off by a half for sure, and a union bound that lost
    a factor forgets one of them at levels from 0.986 on."""
    bound = sqrt(log(1 / classes.delta) / (2 * classes.m)) + sqrt(log(classes.H) / (4 * classes.m))
    level = 1 - classes.delta
    stated = Claim(PLACE, WithProbability(level, classes.deviation(classes.F) <= bound))
    found = {0: 0, 40_000: 0}
    for screened in found:
        for seed in (0, 2, 3):
            search = Search(
                Candidates(stated), deterministic_objective(400), rng(seed), evaluations=200,
                screened=screened,
            )  # fmt: skip
            found[screened] += search.run().violation is not None
    assert found == {0: 0, 40_000: 3}



def test_a_bounded_probability_is_told_from_other_left_sides():
    one = values_of()[k]
    surely = P(one >= 1)

    def bounded(relation):
        return bounded_chance(Claim(PLACE, Holds(relation))) is not None

    assert bounded(surely <= E(one**2))
    assert not bounded(E(one) <= surely)
    assert not bounded(And(surely <= 1, Or(surely <= E(one), surely >= 0)))
