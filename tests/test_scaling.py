"""Simulated schedules: the bounds that any schedule has, and the scheduler that runs use."""

import pytest

from boundcheck.library import load_library
from boundcheck.scaling import RESTART, THOROUGH, Timed, simulated, thorough, timed
from boundcheck.shards import evidence_as_json
from boundcheck.verdict import Evidence

MUTANTS = 4


def made(seconds, outcome="supported"):
    """A claim of checks and mutants of given seconds that ends `outcome` by its enumeration."""
    names = ["contract", "definedness", "proof", "enumeration", "invariance", "sampling", "trend"]
    plain = {"fault": None, "seconds": 0.0}
    results = {
        name: {**plain, "evidence": evidence_as_json(Evidence(name, None, ""))} for name in names
    }
    results["enumeration"]["evidence"]["outcome"] = outcome
    results["contract"]["layout"] = {
        "restarts": {"enumeration": 1}, "mutants": MUTANTS, "separate": 0, "compared": [],
        "fault": None,
    }  # fmt: skip
    row = {"mutant": "direction reversed", "caught": True, "reason": ""}
    for place in range(MUTANTS):
        results[f"mutant {place}"] = {"row": row, "fault": None, "seconds": 0.0}
    if outcome == "refuted":
        names = names[: names.index("enumeration") + 1]
    else:
        names += [f"mutant {place}" for place in range(MUTANTS)]
    return Timed(results, {name: seconds.get(name, 0.0) for name in names})


def test_one_worker_takes_the_sum_and_many_the_longest_chain():
    claim = made({"proof": 3.0, "enumeration": 2.0, "mutant 0": 1.0, "mutant 1": 1.0})
    assert simulated({"a/b:c": claim}, 1) == pytest.approx(7.0)
    assert simulated({"a/b:c": claim}, 2) == pytest.approx(4.0)
    assert simulated({"a/b:c": claim}, 100) == pytest.approx(4.0)


def test_what_is_speculative_does_not_delay_what_is_needed():
    refuted = made({"proof": 1.0, "enumeration": 1.0}, "refuted")
    assert simulated({"a/b:c": refuted}, 1) == pytest.approx(2.0)
    assert simulated({"a/b:c": refuted}, 8) == pytest.approx(1.0)


def test_many_claims_share_the_workers():
    claims = {f"a/b:c{i}": made({"enumeration": 1.0}) for i in range(12)}
    assert simulated(claims, 1) == pytest.approx(12.0)
    assert simulated(claims, 4) == pytest.approx(3.0)


def test_a_thorough_claim_has_more_shards_and_no_longer_ones_than_its_evaluations_say():
    claim = thorough(made({"enumeration": 1.2, "mutant 0": 0.1}))
    searches = [name for name in claim.seconds if "search" in name]
    assert len(searches) == THOROUGH // RESTART
    assert claim.seconds[searches[0]] == pytest.approx(3.0)
    assert claim.seconds["mutant 0"] == pytest.approx(10.0)
    assert simulated({"a/b:c": claim}, 2) > simulated({"a/b:c": claim}, 40) > 3.0


def test_shards_of_a_claim_are_timed(small_library):
    library, key = load_library(small_library), "mine/lemma_2:printed"
    found = timed(library, key)
    assert found.total > 0 and set(found.seconds) == set(found.results)
    assert simulated({key: found}, 1) == pytest.approx(found.total)
