"""Statistical refutations: only of false claims, at the stated rate, whatever floats do."""

import math
from dataclasses import replace

import numpy
import pytest
from flint import fmpq
from sympy import And, Eq, Implies, Ne, Piecewise, Rational, floor, symbols

from boundcheck import Claim, Expected, Source, WithProbability, witness
from boundcheck.checks import sampling
from boundcheck.checks.base import Task, budget_named
from boundcheck.checks.batches import Batch
from boundcheck.errors import WitnessError
from boundcheck.expressions import greatest, index, parameter
from boundcheck.quantities import quantity
from boundcheck.setting import Setting
from boundcheck.settings.continuous import uniform
from boundcheck.worlds import Counts, Integer, Real, Space, Weights

PLACE = Source("A", 2000, "T").at("here")
share, hit, delta, x, gap = symbols("share hit delta x gap", real=True)
BUDGET = replace(budget_named("quick"), evaluations=240, outcomes=0, draws=3_000, shrinks=12)


@quantity(estimator=lambda counts, M: (counts / M).sum(axis=1))
def total_share(counts, M):
    return sum((fmpq(count, M) for count in counts), fmpq(0))


@quantity(estimator=lambda counts, M: counts[:, 0] / M, bounds=lambda M: (fmpq(0), fmpq(1)))
def first_share(counts, M):
    return fmpq(counts[0], M)


def claim(statement, weights, M=1, **more):
    bound = {
        "worlds": Space(tau=Weights(2)), "draw": Counts("counts", "tau", "M"),
        "parameters": {symbols("M", real=True): Integer(M, M)},
        "measure": {share: total_share, hit: first_share},
    }  # fmt: skip
    if weights is not None:
        from boundcheck.worlds import Choice

        bound["worlds"] = Space(tau=Choice([tuple(map(fmpq, weights))]))
    return Claim(source=PLACE, statement=statement, **{**bound, **more})


@pytest.mark.parametrize(
    "relation", [share - 1 <= 0, -share >= -1, 10**9 * (share - 1) <= 10**-30 * share]
)
def test_rounding_is_no_violation(relation):
    worlds = Space(tau=Weights(9))
    null = claim(WithProbability("99/100", relation), None, M=1000, worlds=worlds)
    found = sampling.run(Task("k", null, BUDGET, alpha=0.01))
    assert found.outcome != "refuted", found.detail


@pytest.mark.parametrize("relation", [Eq(share, 1), And(share <= 2, Ne(hit, 2))])
def test_it_is_said_that_an_equation_is_not_tested_on_draws(relation):
    found = sampling.run(Task("k", claim(WithProbability("9/10", relation), None, M=40), BUDGET))
    assert found.outcome is None or found.outcome == "undecided"
    assert found.detail == "an equation is not tested on draws"


@pytest.mark.filterwarnings("error")
def test_an_estimator_that_overflows_says_so_by_its_value_alone():
    huge = quantity(estimator=lambda counts, M: 10.0 ** (400 * counts[:, 0] / M))(
        lambda counts, M: fmpq(10) ** (400 * counts[0] // M))  # fmt: skip
    grown = claim(WithProbability("9/10", share <= 2), ("1/2", "1/2"), M=4,
                  measure={share: huge})  # fmt: skip
    batch = Batch(Setting(grown, {"tau": (fmpq(1, 2),) * 2, "M": 4}),
                  {"counts": numpy.array([[4, 0], [0, 4]])})  # fmt: skip
    assert list(batch("share")) == [math.inf, 1.0]


def test_a_premise_inside_a_conjunction_is_kept():
    """The second comparison fails at every draw, and is asserted at none."""
    relation = And(share >= 0, Implies(share >= 2, hit <= -1))
    null = claim(WithProbability("9/10", relation), ("1/2", "1/2"), M=40)
    assert sampling.run(Task("k", null, BUDGET, alpha=0.01)).outcome != "refuted"


def test_a_level_that_promises_nothing_is_no_crash():
    null = claim(
        WithProbability(1 - delta, hit <= -1), ("1/2", "1/2"), M=40,
        parameters={symbols("M", real=True): Integer(40, 40), delta: Real(1, 2)},
    )  # fmt: skip
    assert sampling.run(Task("k", null, BUDGET, alpha=0.01)).outcome != "refuted"


def test_a_mean_under_a_false_premise_is_not_tested():
    free = {symbols("M", real=True): Integer(40, 40), x: Real(0, 1)}
    statement = Expected(Implies(x >= 2, hit <= x / 100))
    null = claim(statement, ("1/2", "1/2"), M=40, parameters=free)
    assert sampling.run(Task("k", null, BUDGET, alpha=0.01)).outcome != "refuted"


def test_two_means_share_the_error_probability(monkeypatch):
    from boundcheck import statistics

    spent, original = [], statistics.MeanSequence

    def recorded(*ends, alpha, side):
        spent.append(alpha)
        return original(*ends, alpha=alpha, side=side)

    monkeypatch.setattr(statistics, "MeanSequence", recorded)
    both = claim(Expected(And(hit <= 3, 2 * hit <= 7)), ("1/2", "1/2"), M=40)
    setting = sampling.Candidates(both).random(Task("k", both, BUDGET).rng("x")).setting
    sampling.decide_setting(Task("k", both, BUDGET), setting, Task("k", both, BUDGET).rng("y"),
                            0.01, 500)  # fmt: skip
    assert len(spent) == 2 and sum(spent) <= 0.01


def test_an_estimator_that_is_not_its_definition_refutes_nothing():
    @quantity(estimator=lambda counts, M: 1 + counts[:, 0] / M, bounds=lambda M: (0, 2))
    def wrong(counts, M):
        return fmpq(counts[0], M)

    for form in (Expected(gap <= 1), WithProbability("1/2", gap <= 1)):
        null = claim(form, ("1/2", "1/2"), M=40, measure={gap: wrong})
        assert sampling.run(Task("k", null, BUDGET, alpha=0.01)).outcome != "refuted"


@pytest.mark.parametrize(
    ("relation", "told"),
    [
        (hit >= Rational(7, 10), "right side is at most"),
        (hit <= Rational(3, 10), "left side is at least"),
    ],
)
def test_a_mean_is_tested_on_either_side(relation, told):
    """The share of a fair coin has mean 1/2: 240 draws of 40 tosses tell it from 3/10 and 7/10."""
    false = claim(Expected(relation), ("1/2", "1/2"), M=40)
    found = sampling.run(Task("k", false, BUDGET, alpha=0.01))
    assert found.outcome == "refuted" and told in found.detail


def test_a_lower_bound_of_a_mean_that_holds_is_not_refuted():
    null = claim(Expected(hit >= Rational(1, 2)), ("1/2", "1/2"), M=40)
    assert sampling.run(Task("k", null, BUDGET, alpha=0.01)).outcome != "refuted"


def test_draws_that_rounding_puts_outside_are_counted_and_others_are_not():
    import numpy

    from boundcheck.checks.means import ROUNDING, rounded_into

    values = numpy.array([-2.0, -0.0, 1e-13, 3e-12])
    taken = rounded_into(values, -2.0, -2e-25)
    assert taken.tolist() == [-2.0, -2e-25, -2e-25, 3e-12] and ROUNDING * 2 < 3e-12
    assert rounded_into(values[:1], -1.0, 0.0).tolist() == [-2.0]  # refused where it is counted


def test_a_forged_file_does_not_choose_the_level_of_fresh_draws():
    """A fair coin shows heads half of the time; a few draws seem to say more at level 0.999."""
    coin = claim(WithProbability("1/2", hit <= 0), ("1/2", "1/2"))
    setting = Setting(coin, {"tau": (fmpq(1, 2),) * 2, "M": 1})
    tasks = (Task("k", coin, BUDGET, seed) for seed in range(200))
    found = next(lucky for task in tasks if (lucky := sampling.decide_setting(
        task, setting, task.rng("forged"), 0.999, 10, "forged")) is not None)  # fmt: skip
    document = witness.seal(found.witness.as_json())
    for seed in range(20):
        with pytest.raises(WitnessError, match="fresh draws do not reject"):
            witness.confirm(document, {"k": coin}, seed=seed)


def test_fresh_draws_are_of_a_seed_that_no_file_was_made_for(monkeypatch):
    """A file can be made to suit the draws of any seed that is known, so another is drawn."""
    drawn = []
    monkeypatch.setattr(witness, "fresh_seed", lambda: drawn.append(41) or 41)
    coin = claim(WithProbability("1/2", hit <= 0), ("3/4", "1/4"))
    setting = Setting(coin, {"tau": (fmpq(3, 4), fmpq(1, 4)), "M": 1})
    task = Task("k", coin, BUDGET)
    found = sampling.decide_setting(task, setting, task.rng("made"), 1e-9, 20_000, "made")
    document = witness.seal(found.witness.as_json())
    assert "seed 41" in str(witness.confirm(document, {"k": coin})) and drawn == [41]
    assert "seed 7" in str(witness.confirm(document, {"k": coin}, seed=7)) and drawn == [41]


BATCHED = replace(BUDGET, outcomes=700, draws=20_000)


@pytest.mark.parametrize(("level", "found"), [("9/10", "refuted"), ("6/10", "supported")])
def test_a_tie_violates_a_strict_inequality(level, found):
    """floor(3 u)^2 is 4 with probability 1/3."""
    drawn = Claim(PLACE, WithProbability(level, floor(3 * uniform("u")) ** 2 < 4))
    assert sampling.run(Task("k", drawn, BATCHED)).outcome == found


def test_pieces_of_constants_under_a_random_condition_are_drawn():
    level = parameter("level", Real(0, 1))
    pieces = Piecewise((1, uniform("u") <= level), (0, True))
    drawn = Claim(PLACE, Expected(pieces <= level))
    assert sampling.run(Task("k", drawn, BATCHED)).outcome == "supported"


def test_worlds_are_suspected_by_their_share_of_violations_not_by_quantiles_of_few():
    """P(max U <= .99 q^(1/n)) is .99^n q; at the smallest q a quantile of 400 draws is noise."""
    n = parameter("n", Integer(1, 50))
    q = parameter("q", Real(0, 1, open_low=True, open_high=True))
    U, i = uniform("U", length=n), index("i", n)
    less = Claim(PLACE, WithProbability(q, greatest(U[i], i) <= Rational(99, 100) * q ** (1 / n)))
    found = sampling.run(Task("k", less, replace(budget_named("quick"), evaluations=1200)))
    assert found.outcome == "refuted" and found.numbers["hits"] > found.numbers["draws"] / 20


def test_a_level_that_no_draws_could_refute_is_no_promise():
    for level, silent in ((fmpq(1, 10**9), True), (fmpq(1, 2), False)):
        promise = claim(WithProbability(Rational(int(level.p), int(level.q)), hit <= -1), None)
        values = {"tau": (fmpq(1, 2), fmpq(1, 2)), "M": 1}
        task = Task("k", promise, budget_named("quick"))
        assert sampling._is_beyond_tests(task, Setting(promise, values), 400) is silent
