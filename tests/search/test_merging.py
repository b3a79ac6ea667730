"""Searches put together: order decides, and what stands behind a violation is not looked at."""

import json

import numpy
import pytest
import sympy

from boundcheck.claim import Claim, Holds, Source
from boundcheck.search.admissible import Candidates
from boundcheck.search.merging import merged, result_as_json, result_from_json
from boundcheck.search.objective import Assessment
from boundcheck.search.portfolio import Search, SearchResult, deterministic_objective
from boundcheck.worlds import Real

x = sympy.Symbol("x", real=True)
CLAIM = Claim(
    Source("A. Author", 2000, "A title").at("Lemma 1"), Holds(x**2 <= x + 1),
    parameters={x: Real(0, 1)},
)


def searched(claim, seed, evaluations=40):
    objective = deterministic_objective(100)
    rng = numpy.random.default_rng(seed)
    return Search(Candidates(claim), objective, rng, evaluations=evaluations).run()


def seen(score, **more):
    return SearchResult(assessment=Assessment(score, False, {}), evaluated=10, silent=1,
                        rejected={"h": 2}, **more)  # fmt: skip


def test_counts_add_up_and_the_tightest_world_leads():
    found = merged([seen(0.5), seen(0.9), seen(0.9, undefined=("w", "why"), informative=True)])
    assert (found.evaluated, found.silent, found.rejected) == (30, 3, {"h": 6})
    assert found.assessment.score == 0.9 and found.undefined == ("w", "why") and found.informative


def test_nothing_behind_the_first_violation_counts():
    first, last = seen(2.0, violation="v"), seen(9.0, violation="larger")
    alone = merged([seen(0.5), first])
    assert merged([seen(0.5), first, last, seen(7.0)]) == alone
    assert alone.violation == "v" and alone.evaluated == 20 and alone.assessment.score == 2.0


def test_searches_that_saw_nothing():
    assert merged([SearchResult(silent=3), SearchResult(silent=4)]).silent == 7


@pytest.mark.parametrize("claim", [
    CLAIM,
    Claim(CLAIM.source, Holds(x**2 <= x / 2), parameters={x: Real(0, 1)}),
])  # fmt: skip
def test_a_result_survives_its_way_through_text(claim):
    found = searched(claim, 1)
    text = json.dumps(result_as_json(found))
    back = result_from_json(claim, json.loads(text))
    assert json.dumps(result_as_json(back)) == text
    assert (back.violation is None) == (found.violation is None)
    assert back.best.setting.values == found.best.setting.values
    assert back.pool[0][1].setting.admissible()


def test_pools_keep_the_best_of_all():
    results = [searched(CLAIM, seed) for seed in range(3)]
    scores = [score for score, _ in merged(results).pool]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == max(score for found in results for score, _ in found.pool)
