"""Diagnoses of many claims: each is kept as soon as it is known, and taken up again."""

import pytest

from boundcheck.diagnosis.record import Diagnosis, Extent
from boundcheck.diagnosis.run import diagnose_all
from boundcheck.ledger import Ledger
from boundcheck.library import Library
from boundcheck.supervision import Finished

SLIP = Diagnosis("", "slip", "", Extent("", corner=False), None, (), "", (), None, 0.0).as_json()
KEYS = ("mine/a:printed", "mine/b:printed", "mine/c:printed")


class Killed(Exception):
    """The end of a run before its time."""


def workers(done, most=99):
    """An engine that answers by name, notes what it was asked, and is killed after `most`."""

    def execute(work):
        while (unit := work.take(0)) is not None:
            if len(done) == most:
                raise Killed
            done.append(unit.name)
            value = {"diagnosis": SLIP, "text": unit.name}
            yield from work.finish(Finished(unit.name, value))

    return execute


def entries(**changed):
    return {key: {"verdict": "refuted", "witness": None} | changed.get(key[5], {}) for key in KEYS}


@pytest.fixture
def ledger(tmp_path):
    made = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    yield made
    made.close()


def run(tmp_path, ledger, done, most=99, seed=0, **changed):
    return diagnose_all(Library(tmp_path, {}), KEYS, entries=entries(**changed), ledger=ledger,
                        seed=seed, execute=workers(done, most))  # fmt: skip


def test_a_killed_run_goes_on_where_it_stopped(tmp_path, ledger):
    with pytest.raises(Killed):
        run(tmp_path, ledger, [], most=2)
    rest = []
    found = run(tmp_path, ledger, rest)
    assert rest == [KEYS[2]]
    assert found == run(tmp_path, None, [])


def test_nothing_is_diagnosed_twice_while_nothing_changes(tmp_path, ledger):
    run(tmp_path, ledger, [])
    again = []
    run(tmp_path, ledger, again)
    assert again == []


def test_another_seed_or_code_is_diagnosed_anew(tmp_path, ledger, monkeypatch):
    run(tmp_path, ledger, [])
    seeded, coded = [], []
    run(tmp_path, ledger, seeded, seed=1)
    run(tmp_path, ledger, [])
    monkeypatch.setattr(ledger, "digest", lambda key, work: f"changed {key} {work}")
    run(tmp_path, ledger, coded)
    assert seeded == coded == list(KEYS)


def test_a_changed_verdict_of_the_source_is_looked_at_again(tmp_path, ledger):
    run(tmp_path, ledger, [])
    done = []
    run(tmp_path, ledger, done, c={"verdict": "supported"})
    assert done == list(KEYS[:2])


def test_another_witness_changes_its_own_diagnosis_alone(tmp_path, ledger):
    run(tmp_path, ledger, [])
    done = []
    run(tmp_path, ledger, done, b={"witness": {"values": {"n": 2}}})
    assert done == [KEYS[1]]


def test_a_row_that_something_else_wrote_over_is_made_anew(tmp_path, ledger):
    run(tmp_path, ledger, [])
    ledger._connection.execute("UPDATE diagnoses SET document = '{}' WHERE key = ?", KEYS[:1])
    done = []
    run(tmp_path, ledger, done)
    assert done == [KEYS[0]]
