"""Levels moved to where one more outcome may not fail."""

import numpy
import pytest
from flint import fmpq
from sympy import Rational, exp, log, sqrt

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.exact import PRECISIONS, precision, to_float
from boundcheck.expressions import parameter
from boundcheck.search import objective
from boundcheck.search.admissible import Candidates
from boundcheck.search.arena import Arena
from boundcheck.search.levels import movable, nearer
from boundcheck.search.objective import assess
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.search.quantiles import likely_scores
from boundcheck.setting import Setting
from boundcheck.settings.scalar_laws import E, delta, k, n, sample_mean, values
from boundcheck.worlds import Real

PLACE = Source("A", 2000, "T").at("here")
X = values(low=0, high=1)[k]
GAP = E(X) - sample_mean(X)
size = parameter("a", Real(0, None, open_low=True), says="Size.")
HOEFFDING = WithProbability(1 - delta, GAP <= sqrt(log(1 / delta) / (2 * n)))
LEVELS = {
    "itself": HOEFFDING,
    "halved": WithProbability(1 - delta / 2, GAP <= sqrt(log(2 / delta) / (2 * n))),
    "a tail": WithProbability(1 - exp(-2 * n * size**2), GAP < size),
}


def at(form, trials=3, **more):
    coin = {"K": 2, "p": (fmpq(1, 4), fmpq(3, 4)), "x": (fmpq(0), fmpq(1)), "n": trials}
    return Setting(Claim(PLACE, form), {**coin, **more})


def moved(setting):
    form = setting.claim.statement
    with precision(PRECISIONS[0]):
        scored = likely_scores(setting, form)
        return nearer(setting, form, scored, assess(setting, outcomes=100).score)


@pytest.mark.parametrize(
    ("form", "start"), [("itself", "delta"), ("halved", "delta"), ("a tail", "a")]
)
def test_no_level_of_a_fine_grid_is_nearer(form, start):
    setting = at(LEVELS[form], **{start: fmpq(1, 2)})
    found = moved(setting)
    best = assess(setting.replaced(**{start: found}), outcomes=100).score
    assert best > assess(setting, outcomes=100).score
    grid = [assess(setting.replaced(**{start: fmpq(place, 400)}), outcomes=100).score
            for place in range(1, 400)]  # fmt: skip
    assert best > max(score for score in grid if score == score) - 1e-3


def test_a_level_just_below_a_weight_is_tried():
    """All three of three coins of chance 1/4 fail with probability 1/64."""
    found = moved(at(HOEFFDING, delta=fmpq(3, 4)))
    allowed = to_float(found)
    masses = [1 / 64, 10 / 64, 37 / 64]
    assert any(mass * (1 - 1e-4) < allowed < mass for mass in masses)


def test_levels_obey_the_hypotheses():
    claim = Claim(PLACE, HOEFFDING, given=[delta <= Rational(1, 100)])
    setting = at(HOEFFDING, delta=fmpq(1, 10**6))
    assert moved(setting) > fmpq(1, 100)
    assert moved(Setting(claim, setting.values)) is None


def test_worlds_at_their_tightest_level_are_left_alone():
    setting = at(HOEFFDING, delta=fmpq(1, 2))
    there = setting.replaced(delta=moved(setting))
    assert moved(there) is None


@pytest.mark.parametrize(
    "form", [Holds(E(X) <= 1), WithProbability(1 - delta - size, GAP <= 1),
             WithProbability(1 - 1 / n, GAP <= 1)],
)  # fmt: skip
def test_other_statements_have_no_level_to_move(form):
    assert movable(Claim(PLACE, form)) == ""


def test_a_moved_world_has_coordinates_next_to_its_values():
    candidates = Candidates(Claim(PLACE, HOEFFDING))
    arena = Arena(candidates, numpy.random.default_rng(0))
    candidate = candidates.random(numpy.random.default_rng(3))
    found = arena.moved(candidate, "delta", fmpq(1, 7))
    assert found.setting("delta") == fmpq(1, 7)
    again = candidates.decode(found.vector).setting
    assert abs(to_float(again("delta")) - 1 / 7) < 1e-5
    assert {**again.values, "delta": 0} == {**candidate.setting.values, "delta": 0}


def test_the_search_follows_a_nearer_level(monkeypatch):
    stated = Claim(PLACE, WithProbability(1 - delta, GAP <= sqrt(5 * log(1 / delta) / (12 * n))))

    def nearest():
        found = []
        for seed in range(4):
            search = Search(
                Candidates(stated), deterministic_objective(100), numpy.random.default_rng(seed),
                evaluations=120, members=("random",),
            )  # fmt: skip
            found.append(search.run().assessment.score)
        return min(found)

    following = nearest()
    monkeypatch.setattr(objective, "nearer", lambda *_: None)
    assert following > nearest() + 0.02
