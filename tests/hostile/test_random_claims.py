"""The short form of `python -m boundcheck.hostile`, and that it would notice an error."""

import pytest

from boundcheck import hostile
from boundcheck.errors import InvalidArgument
from boundcheck.setting import Setting

CLAIMS = 30  # one of every kind, in seconds


def test_no_false_proof_no_false_refutation_no_forgery():
    said = []
    assert hostile.survey(CLAIMS, 1, say=said.append) == 0, said
    assert said[-1].endswith("0 false proofs, 0 false refutations, 0 forgeries confirmed")


@pytest.mark.long
def test_workers_and_a_run_that_was_ended_change_nothing(tmp_path):
    path, whole, parts, again = tmp_path / "rows", [], [], []
    hostile.survey(6, 4, say=whole.append, keep=str(tmp_path / "other"))
    hostile.survey(3, 4, say=parts.append, keep=str(path))
    path.write_text(path.read_text() + '["cut')
    hostile.survey(6, 4, say=again.append, keep=str(path), jobs=2)
    assert again == whole != parts
    kept = path.read_text().splitlines()
    assert kept[: len(whole)] == (tmp_path / "other").read_text().splitlines()[: len(whole)]
    with pytest.raises(InvalidArgument, match="holds no claims of seed 5"):
        hostile.survey(6, 5, keep=str(path))


def test_a_false_claim_meets_the_provers(monkeypatch):
    """And a true one what refutes, a proof at every fourth place only."""
    asked = []

    def said(task, name, given):
        asked.append(name)
        return {"fault": None, "evidence": {"outcome": "proved" if name == "proof" else None}}

    monkeypatch.setattr(hostile, "perform", said)
    assert hostile.errors_on(hostile.known(1, 1)) == ["false proof"] and asked == ["proof"]
    asked.clear()
    hostile.errors_on(hostile.known(1, 2), 2)
    assert "proof" not in asked and "enumeration" in asked


def test_what_breaks_is_no_pass(monkeypatch):
    monkeypatch.setattr(hostile, "perform", lambda *_: {"fault": "broken", "evidence": None})
    with pytest.raises(RuntimeError, match="broken"):
        hostile.errors_on(hostile.known(1, 0))


def test_claims_are_the_same_for_the_same_seed():
    one, two = (str(hostile.known(3, 4).claim.statement) for _ in range(2))
    assert one == two


def test_every_kind_comes_up():
    kinds = {item.kind for place in range(120) if (item := hostile.known(5, place)) is not None}
    assert len(kinds) == len(hostile.TRUE) + len(hostile.FALSE)


@pytest.mark.parametrize("place", range(40))
def test_claims_called_true_hold_at_random_numbers(place):
    """The truth by construction against the exact value, where it has one."""
    import numpy

    from boundcheck.search.admissible import Candidates

    item = hostile.known(7, place)
    if item is None:
        return
    candidate = Candidates(item.claim).random(numpy.random.default_rng(place))
    if candidate is None or item.claim.draw is not None:
        return
    setting: Setting = candidate.setting
    if item.true:
        assert setting.decide(item.claim.statement.relation) is not False


def test_the_survey_counts_what_is_wrong(monkeypatch):
    """Truth turned round: what is proved counts as a false proof, what is refuted as well."""
    from dataclasses import replace

    plain = hostile.known
    monkeypatch.setattr(
        hostile, "known",
        lambda seed, place: (item := plain(seed, place)) and replace(item, true=not item.true),
    )
    said = []
    assert hostile.survey(14, 2, say=said.append) > 0
    assert any(line.startswith("false refutation") for line in said)
