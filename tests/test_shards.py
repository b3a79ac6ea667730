"""A claim in shards: the verdict of one after another, whatever the order and the processes."""

import json
import random
from dataclasses import replace

import pytest

from boundcheck.checks import base
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.engine import perform, verify
from boundcheck.errors import Broken
from boundcheck.ledger import Ledger
from boundcheck.library import load_library
from boundcheck.shards import Shards, evidence_as_json
from boundcheck.supervision import Finished
from boundcheck.verdict import Witness
from boundcheck.verification import Orders, Verification, verify_shard

SMALL = replace(BUDGETS["quick"], evaluations=240, shrinks=40)
KEYS = ("mine/lemma_2:printed", "mine/theorem_1:printed")


@pytest.fixture
def tasks(small_library, monkeypatch):
    """Two claims, one false, whose search is cut into four."""
    monkeypatch.setattr(base, "RESTART", 60)
    library = load_library(small_library)
    return {key: Task(key, library[key], SMALL) for key in KEYS}


def plain(verdict):
    return {**verdict.as_json(), "seconds": 0}


def in_disorder(task, seed):
    """Every shard as soon as it may begin, in random order, as text; what is not wanted goes."""
    shards, rng = Shards(task.key), random.Random(seed)
    while (verdict := shards.verdict()) is None:
        begun = list(shards.ready())
        rng.shuffle(begun)
        results = [(s.name, perform(task, s.name, s.given)) for s in begun[:3]]
        for name, result in results:
            if shards.wanted(name):
                shards.done[name] = json.loads(json.dumps(result))
    return verdict, shards


@pytest.mark.parametrize("key", KEYS)
def test_neither_order_nor_transport_changes_a_verdict(tasks, key):
    task = tasks[key]
    expected = plain(verify(key, task.claim, budget=SMALL))
    for seed in range(3):
        verdict, _ = in_disorder(task, seed)
        assert plain(verdict) == expected
    assert expected["verdict"] == ("refuted" if key == KEYS[0] else "proved")


def test_a_claim_that_stands_uses_every_shard(tasks):
    verdict, shards = in_disorder(tasks[KEYS[1]], 0)
    assert {f"enumeration search {i}" for i in range(4)} <= set(shards.done)
    seen = next(e for e in verdict.evidence if e.check == "enumeration").numbers["evaluated"]
    alone = [perform(tasks[KEYS[1]], f"enumeration search {i}", {})["search"]["evaluated"]
             for i in range(4)]  # fmt: skip
    assert seen == sum(alone) and min(alone) > seen / 8
    streams = {json.dumps(shards.done[f"enumeration search {i}"]["search"]["pool"])
               for i in range(4)}  # fmt: skip
    assert len(streams) == 4  # every shard has randomness of its own
    assert sum("mutant" in name for name in shards.done) >= 3


def found(violation=False, fault=None):
    search = None if fault else {"violation": {} if violation else None}
    return {"seconds": 1.0, "fault": fault, "search": search}


@pytest.mark.parametrize("last", [found(violation=True), found(fault={"state": "broken"})])
def test_what_stands_behind_a_decisive_search_is_dropped_and_what_stands_before_is_not(last):
    layout = {"restarts": {"enumeration": 4}, "mutants": 2, "separate": 0}
    quiet = {"evidence": vars(base.Evidence("proof", None, "")), "fault": None, "seconds": 0.0}
    shards = Shards("a/b:c", done={"contract": {**quiet, "layout": layout},
                                   "definedness": quiet, "proof": quiet})  # fmt: skip
    ready = {shard.name: shard.certain for shard in shards.ready()}
    assert ready == {
        "enumeration search 0": True, "enumeration search 1": False, "enumeration search 2": False,
        "enumeration search 3": False, "invariance": False, "sampling": False,
    }  # fmt: skip
    shards.done["enumeration search 2"] = last
    assert not shards.wanted("enumeration search 3") and shards.wanted("enumeration search 1")
    shards.done["enumeration search 0"] = found()
    names = [shard.name for shard in shards.ready()]
    assert names[0] == "enumeration search 1" and "enumeration search 3" not in names
    shards.done["enumeration search 1"] = found()
    assert next(shards.ready()).given["searches"] == [found(), found(), last]


def test_a_refutation_leaves_no_work_behind_it(tasks):
    key, task = KEYS[0], tasks[KEYS[0]]
    shards = Shards(key)
    for name in ("contract", "invariance", "enumeration search 3"):
        shards.done[name] = perform(task, name, {})
    witness = Witness(key, "f", "exact", {}, {})
    refuted = evidence_as_json(base.Evidence("proof", "refuted", "so", witness=witness))
    shards.done["proof"] = {"evidence": refuted, "fault": None, "seconds": 0.0}
    assert not shards.wanted("enumeration search 0") and not shards.wanted("trend")
    assert shards.wanted("definedness") and shards.verdict() is None
    assert [shard.name for shard in shards.ready()] == ["definedness"]


def test_a_fault_in_a_mutant_is_the_fault_of_the_controls(tasks, monkeypatch):
    from boundcheck.checks import controls

    def fails(task, place, slack):
        raise Broken("no such thing", exception="ValueError") if place == 1 else MemoryError

    monkeypatch.setattr(controls, "row", fails)
    verdict = verify(KEYS[1], tasks[KEYS[1]].claim, budget=SMALL)
    assert verdict.outcome == "failed" and verdict.evidence[-1].check == "controls"
    assert verdict.fault.exception == "memory limit"  # of the first mutant, whichever was faster


@pytest.fixture
def orders(small_library, monkeypatch):
    monkeypatch.setitem(BUDGETS, "quick", SMALL)
    return Orders(str(small_library), "quick", 0, 1e-9)


def do(work, unit):
    return Finished(unit.name, json.loads(json.dumps(verify_shard(*unit.arguments))))


def test_idle_workers_help_and_only_then_speculate(orders):
    work = Verification(orders, list(KEYS))
    first, second = work.take(0), work.take(1)
    assert [unit.name.split()[1:] for unit in (first, second)] == [["contract"], ["contract"]]
    assert work.take(2) is None
    list(work.finish(do(work, first)))
    named = [work.take(worker).name for worker in (0, 2)]
    assert named == [f"{KEYS[0]} definedness", f"{KEYS[0]} proof"]


def test_shards_that_took_long_are_kept_until_their_claim_is_decided(
    orders, small_library, tmp_path, monkeypatch
):
    monkeypatch.setattr("boundcheck.verification.KEPT_SECONDS", 0.0)
    path, entries = tmp_path / "ledger.sqlite", {}
    for limit in (4, 1000):
        ledger, done = Ledger(path, small_library), []
        work = Verification(orders, [KEYS[1]], ledger)
        while len(done) < limit and (unit := work.take(0)) is not None:
            done.append(unit.name)
            for entry in work.finish(do(work, unit)):
                entries[limit] = entry
                ledger.put(KEYS[1], "quick", 0, entry)
        if limit == 4:
            before = set(done)
            assert len(ledger.shards(KEYS[1], "quick", 0)) == 4
            assert ledger.shards(KEYS[1], "quick", 1) == {}
        ledger.close()
    assert not before & set(done) and list(entries) == [1000]
    again = Ledger(path, small_library)
    assert again.shards(KEYS[1], "quick", 0) == {}
    again.keep_shard(KEYS[1], "quick", 0, "proof", {"seconds": 2.0})
    again._connection.execute("UPDATE shards SET document = document || ' '")
    assert again.shards(KEYS[1], "quick", 0) == {}  # written over by something else
    again.close()


def changed(**parts):
    return lambda result: {**result, "evidence": {**result["evidence"], **parts}}


@pytest.mark.parametrize("altered", [
    lambda result: {}, lambda result: None, lambda result: {"lost": True},
    lambda result: {**result, "seconds": "x"}, lambda result: {**result, "evidence": []},
    changed(outcome="fine"), changed(outcome="proved"), changed(outcome="refuted"),
    changed(witness={"key": 1}), changed(outcome="malformed", witness=None), changed(numbers=0),
])  # fmt: skip
@pytest.mark.parametrize("check", ["contract", "enumeration search 0", "invariance"])
def test_what_is_no_result_costs_its_own_row(tasks, small_library, altered, check):
    """A worker may send anything, at any time: the other claim is decided, this one has failed."""
    work = Verification(Orders(str(small_library), "quick", 0, 1e-9), KEYS)
    rows = {}
    while units := list(iter(lambda: work.take(0), None)):
        for unit in sorted(units, key=lambda unit: unit.arguments[2] != check):
            _, key, name, given = unit.arguments
            if not work.wanted(unit.name):
                continue
            value = perform(tasks[key], name, given)
            if key == KEYS[1] and name == check:
                value = altered(value) if "evidence" in value else {"search": 1, "seconds": 0.0}
            rows |= {row["key"]: row for row in work.finish(Finished(unit.name, value))}
    assert rows[KEYS[0]]["verdict"] == "refuted" and rows[KEYS[1]]["verdict"] == "failed"
