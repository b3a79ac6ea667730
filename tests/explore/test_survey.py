"""Every answer of the library is certified: a share of all sources and kinds of statements here,
every pair of a claim and a symbol by `python -m boundcheck.explore.survey`."""

import dataclasses

import pytest
import sympy

from boundcheck.explore import require
from boundcheck.explore.survey import flaws, survey
from boundcheck.library import load_library

from .conftest import R, features, iterations

LIBRARY = load_library(None)
EVERY = 16
EXPERIMENT = 1000  # relative cost of a world that is a whole experiment, which `verify` runs


def share() -> dict[str, list[str]]:
    """Keys by source: of each kind of statement the first, and every sixteenth after it;
    experiments left out, which would be run again for one number."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for key in LIBRARY.select([]):
        kind = type(LIBRARY[key].statement).__name__
        kinds.setdefault((key.split("/")[0], kind), []).append(key)
    found: dict[str, list[str]] = {}
    for (source, _), keys in kinds.items():
        found.setdefault(source, []).extend(
            key for key in keys[::EVERY] if LIBRARY[key].cost < EXPERIMENT
        )
    return found


@pytest.mark.parametrize(("source", "keys"), share().items())
def test_no_answer_of_a_source_has_a_flaw(source, keys):
    rows = list(survey(LIBRARY, keys))
    assert [(r.key, r.symbol, r.how, r.flaws) for r in rows if r.flaws] == []
    assert len({row.key for row in rows}) > len(keys) / 2  # some have no symbols


@pytest.mark.parametrize("key", [
    "yashima2021/theorem_3:aistats", "wu2021/theorem_4_2:accuracy", "wang2019/event_18:as_used",
    "livni2017/theorem_1:printed", "yashima2021/experiment_iterations:printed",
])  # fmt: skip
def test_claims_that_once_had_wrong_answers_have_none(key):
    assert [row for row in survey(LIBRARY, [key]) if row.flaws] == []


def test_a_wrong_answer_has_flaws():
    claim = features()
    need = require(claim, "M", {"xi": "0.1", "delta": "0.1", "R": 1})
    assert flaws(claim, "M", need) == []
    assert flaws(claim, "M", dataclasses.replace(need, answer=need.answer - 1))
    assert flaws(claim, "M", dataclasses.replace(need, answer=2**1000))
    assert flaws(claim, "M", dataclasses.replace(need, proof=""))
    late = dataclasses.replace(need.trials[1], value=need.answer - 10)
    assert flaws(claim, "M", dataclasses.replace(need, trials=(need.trials[0], late)))
    negative = dataclasses.replace(require(iterations(), "gamma"), answer=sympy.Integer(-3))
    assert any("against the fact gamma" in flaw for flaw in flaws(iterations(), "gamma", negative))
    assert R not in claim.parameters


def test_an_answer_that_misses_its_target_has_a_flaw():
    claim = features()
    need = require(claim, "M", {"xi": "0.1", "delta": "0.1", "R": 1})
    beyond = sympy.Ge(need.symbol, need.answer + 1)
    assert flaws(claim, "M", need, beyond) == [f"the target {beyond} fails at the answer"]
    raised = require(claim, "M", {"xi": "0.1", "delta": "0.1", "R": 1}, beyond)
    assert raised.answer == need.answer + 1 and not flaws(claim, "M", raised, beyond)
