"""Outcomes scored in one float batch: the quantile that exact scores give, with what they see."""

import math

import numpy
import pytest
from flint import fmpq
from sympy import Abs, And, Eq, Implies, Or, Rational, exp, sqrt

from boundcheck import Claim, Holds, Source, WithProbability
from boundcheck.errors import Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.expressions import define, indicator, parameter
from boundcheck.scores import quantile, score_relation
from boundcheck.search import quantiles
from boundcheck.search.admissible import Candidates
from boundcheck.search.objective import assess
from boundcheck.search.quantiles import FEW, likely_score
from boundcheck.setting import Setting
from boundcheck.settings.continuous import P, normal
from boundcheck.settings.counting import mean, poisson_tail
from boundcheck.settings.scalar_laws import E, Var, delta, k, n, sample_mean, values
from boundcheck.worlds import Real

PLACE = Source("A", 2000, "T").at("here")
X = values()[k]
AWAY = Abs(sample_mean(X) - E(X))
SPREAD = sample_mean(X**2) - sample_mean(X) ** 2
far, Z = parameter("c", Real(0, None), says="Size of a tail."), normal("Z")
part = parameter("epsilon", Real(0, 1), says="Share of the mean.")
CHEBYSHEV = WithProbability(1 - delta, sqrt(Var(X) / (n * delta)) >= AWAY)


def claim(statement):
    return Claim(PLACE, statement)


def worlds(stated, least=FEW, number=40):
    """Random worlds with so many outcomes."""
    rng, candidates = numpy.random.default_rng(0), Candidates(stated)
    found = (candidates.random(rng) for _ in range(20 * number))
    settings = [one.setting for one in found if one is not None]
    return [one for one in settings if least <= stated.draw.count(one) < 500][:number]


def at(stated, *values_of_x, trials=9):
    atoms = len(values_of_x)
    world = {"K": atoms, "p": (fmpq(1, atoms),) * atoms, "n": trials, "delta": fmpq(1, 5),
             "x": tuple(map(fmpq, values_of_x))}  # fmt: skip
    return Setting(stated, world)


@pytest.mark.parametrize("share", [Rational(1, 4), 1, 4])
def test_the_score_is_that_of_exact_outcomes(share):
    stated = claim(WithProbability(1 - delta, share * sqrt(Var(X) / (n * delta)) >= AWAY))
    compared = 0
    with precision(PRECISIONS[0]):
        for setting in worlds(stated):
            exactly = quantile(setting, stated.statement)
            found = likely_score(setting, stated.statement)
            if max(found, exactly) >= 1 - 1e-6:
                assert found == exactly
            assert math.isclose(found, exactly, rel_tol=1e-7, abs_tol=1e-12)
            compared += 1
    assert compared > 20


def asked(monkeypatch, stated, setting):
    """At how many outcomes of a world exact scores are asked for."""
    seen = []

    def counted(relation, here):
        seen.append(here)
        return score_relation(relation, here)

    monkeypatch.setattr(quantiles, "score_relation", counted)
    with precision(PRECISIONS[0]):
        likely_score(setting, stated.statement)
    return len(seen)


def test_only_outcomes_that_may_violate_are_scored_exactly(monkeypatch):
    stated = claim(CHEBYSHEV)
    setting = at(stated, 0, 1, 3)
    assert 0 < asked(monkeypatch, stated, setting) < stated.draw.count(setting) / 3


@pytest.mark.parametrize("shrunk", [fmpq(1), fmpq(1, 10**10)])
def test_sides_of_other_sizes_are_scored_exactly(monkeypatch, shrunk):
    stated = claim(CHEBYSHEV)
    setting = at(stated, 0, shrunk, 3 * shrunk)
    few = asked(monkeypatch, stated, setting)
    assert (few == stated.draw.count(setting)) == (shrunk < 1)


def test_floats_do_not_hide_that_a_side_has_no_value():
    """The spread of nine times 1/7 is zero, and 3e-18 in floats."""
    stated = claim(WithProbability(1 - delta, sqrt(1 / SPREAD) >= AWAY / 10**9))
    setting = at(stated, fmpq(1, 7), fmpq(5, 9))
    with precision(PRECISIONS[0]), pytest.raises(Undefined):
        likely_score(setting, stated.statement)


jump = define("jump", indicator(sample_mean(X) >= E(X)), says="Whether it is above.")


@pytest.mark.parametrize(
    "relation",
    [
        indicator(sample_mean(X) >= E(X)) <= 2,
        jump <= 2,
        Implies(sample_mean(X) >= E(X), sample_mean(X) <= 2),
        Eq(sample_mean(X), E(X)),
        And(AWAY <= 2, Or(sample_mean(X) <= E(X), AWAY >= 1)),
    ],
)
def test_what_jumps_is_scored_exactly(monkeypatch, relation):
    made = []
    monkeypatch.setattr(quantiles, "Batch", lambda *_: made.append(_))
    stated = claim(WithProbability(1 - delta, relation))
    setting = at(stated, 0, 1)
    with precision(PRECISIONS[0]):
        assert likely_score(setting, stated.statement) == quantile(setting, stated.statement)
    assert not made


def test_values_that_make_no_array_are_scored_exactly(monkeypatch):
    def no_batch(*_):
        raise TypeError

    monkeypatch.setattr(quantiles, "Batch", no_batch)
    stated = claim(CHEBYSHEV)
    setting = at(stated, 0, 1)
    with precision(PRECISIONS[0]):
        assert likely_score(setting, CHEBYSHEV) == quantile(setting, CHEBYSHEV)


def test_sides_without_digits_are_read_at_a_higher_precision():
    """1 - P(N >= 1) of a mean of 90 is 10^-39, less than the rounding of 1: at the precision that
    search begins with it would seem as large as the bound."""
    bound = Holds(1 - poisson_tail(mean, (1 - part) * mean) <= exp(-mean * part**2 / 2))
    setting = Setting(claim(bound), {"mu": fmpq(90), "epsilon": fmpq(99, 100)})
    with precision(PRECISIONS[0]):
        assert 0 < score_relation(bound.relation, setting) < 1e-15
    assert assess(setting, outcomes=1).score < 1e-15


@pytest.mark.parametrize(("least", "open_"), [(20, False), (40, True)])
def test_a_side_that_has_cancelled_is_not_seen_to_be_small(least, open_):
    """Both tails of a normal variable are above exp(-c^2), of which balls of 640 bits tell up to
    c = 29 only: farther out they say 0 up to 10^-190, which is no world in which that holds."""
    stated = claim(Holds(P(Abs(Z) >= far, Z) <= exp(-(far**2))))
    found = assess(Setting(stated, {"c": fmpq(least)}), outcomes=1)
    assert (found.violated, found.undecided) == (not open_, open_)
