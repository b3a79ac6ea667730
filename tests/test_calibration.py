"""False alarms of the whole pipeline: few runs here, ten thousand in CALIBRATION.md."""

from fractions import Fraction

import pytest
from flint import fmpq

from boundcheck import calibration
from boundcheck.certify import violation_probability
from boundcheck.checks.base import Task
from boundcheck.engine import verify
from boundcheck.search.admissible import Candidates
from boundcheck.statistics import clopper_pearson_lower


@pytest.mark.parametrize("delta", calibration.PLACES)
def test_every_world_of_the_null_claim_is_at_the_boundary(delta):
    claim = calibration.null_claim(delta)
    candidates, rng = Candidates(claim), Task("k", claim, calibration.small_budget()).rng("x")
    seen = set()
    for _ in range(20):
        setting = candidates.random(rng).setting
        seen.add(str(setting("amount")))
        failure = violation_probability(setting, claim.statement.relation)
        assert failure == fmpq(*delta.as_integer_ratio())
    assert len(seen) > 5


@pytest.mark.long
def test_false_alarms_of_the_whole_pipeline():
    """At a rate of alpha = 0.05 or less, 200 runs fail this with probability 1e-4 at most; at
    a rate of 0.15 they pass it with probability 0.03, and the careless control has 0.4."""
    alarms = sum(calibration.alarm(Fraction(1, 20), seed) for seed in range(200))
    assert float(clopper_pearson_lower(alarms, 200, level=1e-4)) <= calibration.ALPHA


def test_an_alarm_spends_what_it_says_and_no_more():
    claim = calibration.null_claim(Fraction(1, 4))
    for seed in range(100, 140):
        verdict = verify("calibration/null:printed", claim, budget=calibration.small_budget(),
                         seed=seed, alpha=0.05, controls=False)  # fmt: skip
        assert verdict.outcome in ("supported", "refuted")
        assert verdict.error_probability <= 0.05
        assert (verdict.slack is None or verdict.slack >= 1) or verdict.outcome == "refuted"


def test_the_careless_control_alarms_far_too_often():
    alarms = sum(calibration.careless_alarm(Fraction(1, 20), seed) for seed in range(60))
    assert float(clopper_pearson_lower(alarms, 60, level=1e-6)) > calibration.ALPHA
