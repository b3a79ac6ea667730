"""How far verdicts are earned: every measure counts what it is meant to, and says what is short."""

import json

import pytest

from boundcheck.checks.challenges import UNIT
from boundcheck.checks.controls import HALVED
from boundcheck.errors import InvalidArgument
from boundcheck.report import reach


def entry(verdict="supported", *, slack=1.0, control=True, mutants=(), checks=(), **more):
    row = {"relation": "a <= b", "slack": slack, "control": control, "untested": False}
    controls = {"numbers": {"mutants": [{"part": 0, "relation": "a <= b", **m} for m in mutants]}}
    return {"key": "s/t:c", "verdict": verdict, "slack": slack, "parts": [row],
            "checks": [controls, *checks]} | more  # fmt: skip


def half(caught):
    return {"mutant": HALVED, "caught": caught}


def measures(*entries):
    return [(row.count, row.of) for row in reach.account(entries)]


def test_a_sound_claim_falls_short_in_nothing():
    found = entry(mutants=[half(True), {"mutant": "direction reversed", "caught": True}])
    assert measures(found) == [(0, 0), (2, 2), (1, 1), (1, 1), (1, 1), (0, 0)]
    assert "not so" not in "\n".join(reach.lines([found]))


def test_only_mutants_that_the_slack_says_must_fall_are_counted():
    assert measures(entry(slack=1.5, mutants=[half(False)]))[1] == (0, 1)
    assert measures(entry(slack=2.5, mutants=[half(False)]))[1] == (0, 0)
    assert measures(entry(slack=None, mutants=[half(False)]))[1] == (0, 0)
    removed = {"mutant": "hypothesis a > 0 removed", "caught": False, "part": None}
    assert measures(entry(mutants=[removed]))[1] == (0, 0)


def test_mutants_of_other_checks_count_apart_and_where_they_can_be_noticed():
    rows = [{"mutant": UNIT, "caught": caught, "owed": owed}
            for caught, owed in ((True, True), (False, True), (False, False))]  # fmt: skip
    found = reach.account([entry(mutants=rows)])
    assert (found[1].of, found[5].count, found[5].of) == (0, 1, 2)
    assert found[5].others == [f"s/t:c: {UNIT} of a <= b"]


@pytest.mark.parametrize("found, word", [
    (entry(slack=0.9), "of what is not refuted"),
    (entry(slack=3.0, mutants=[half(True)]), "its slack is said to be more"),
    (entry(slack=None, mutants=[half(True)]), "its slack is said to be more"),
    (entry(growing=True), "said to grow"),
    (entry("proved", checks=[{"numbers": {"method": "signs", "constant": 32}},
                             {"numbers": {"excluded": [65, 2]}}]), "constant 32 is enough"),
])  # fmt: skip
def test_lines_of_evidence_that_contradict_are_named(found, word):
    assert measures(found)[2] == (0, 1) and word in reach.contradictions(found)[0]


def test_a_constant_below_every_excluded_one_contradicts_nothing():
    numbers = [{"numbers": {"method": "signs", "constant": 32}}, {"numbers": {"excluded": [31, 1]}}]
    assert not reach.contradictions(entry("proved", checks=numbers))


def test_a_supported_claim_whose_opposite_stands_is_named():
    assert measures(entry(control=False))[3] == (0, 1)
    assert measures(entry(control=None))[3] == (0, 1)
    assert measures(entry("proved", control=False))[3] == (0, 0)
    assert measures(entry() | {"parts": []})[3] == (0, 1)


def test_the_account_is_printed_from_a_file(tmp_path, capsys):
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"claims": [entry(control=False)]}))
    reach.main([str(path)])
    told = capsys.readouterr().out
    assert "| supported, the opposite of every comparison refuted | 0 | 1 |" in told
    assert "- s/t:c: a <= b" in told


@pytest.mark.parametrize("text", ["", "[]", '{"claims": 3}', "{}"])
def test_what_holds_no_claims_is_refused_in_a_line(tmp_path, text):
    path = tmp_path / "report.json"
    path.write_text(text)
    with pytest.raises(InvalidArgument, match="give a report"):
        reach.main([str(path)])
