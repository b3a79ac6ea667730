"""One command for all evidence of a report: witnesses and certificates alike."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boundcheck.certificates.document import certificate
from boundcheck.checks.base import BUDGETS, Task
from boundcheck.checks.proof import run
from boundcheck.cli import app
from boundcheck.errors import UnreadableWitness, WitnessError
from boundcheck.library import load_library, shipped_root
from boundcheck.recheck import confirm, documents, not_repeated
from boundcheck.witness import seal

KEY = "classical/nesbitt:printed"
SQUARE = '''"""A square is not negative."""

from boundcheck import Claim, Holds
from boundcheck.expressions import parameter
from boundcheck.worlds import Real

from . import WORK

u = parameter("u", Real(None, None))
printed = Claim(WORK.at("Lemma 3"), Holds(u**2 - 2 * u + 1 >= 0))
'''


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    claim = load_library(shipped_root(), [KEY])[KEY]
    document = run(Task(KEY, claim, BUDGETS["quick"])).certificate
    (folder / "certificates").mkdir()
    (folder / "certificates" / "nesbitt.json").write_text(json.dumps(document))
    return folder


def test_what_rests_on_search_is_said_not_to_be_replayed(tmp_path):
    rows = [{"key": f"a/b:{verdict}", "verdict": verdict}
            for verdict in ("supported", "proved", "refuted", "undecided", "supported")]
    results = tmp_path / "results.json"
    results.write_text(json.dumps({"claims": rows}))
    told = not_repeated(results)
    assert told.startswith("not replayed: supported 2, undecided 1; ")
    assert not not_repeated(results, "a/b:proved")


def test_a_folder_is_all_of_its_evidence(report):
    found = CliRunner().invoke(app, ["replay", str(report)])
    assert found.exit_code == 0 and f"claim      {KEY}" in found.output
    assert [document["claim"] for document in documents(report)] == [KEY]


def test_a_folder_without_evidence_is_named(tmp_path):
    with pytest.raises(UnreadableWitness, match="holds no witnesses"):
        documents(tmp_path)


def test_results_of_verify_replay_as_they_stand(small_library, tmp_path):
    """Witness and certificate of one run, from the document and, cut out of it, from a file."""
    (small_library / "mine" / "square.py").write_text(SQUARE)
    library = load_library(small_library)
    keys = ["mine/lemma_2:printed", "mine/square:printed"]
    results, root = tmp_path / "results.json", ["--root", str(small_library)]
    runner = CliRunner()
    made = runner.invoke(app, ["verify", *keys, "--json", str(results), "--jobs", "1", *root])
    assert made.exit_code == 0, made.output
    entries = {entry["key"]: entry for entry in json.loads(results.read_text())["claims"]}
    assert entries[keys[1]]["certificate"] is not None
    assert {document["claim"] for document in documents(results)} == set(keys)
    both = runner.invoke(app, ["replay", str(results), *root])
    *confirmed, last = both.output.splitlines()
    assert both.exit_code == 0 and confirmed == [f"confirmed {key}" for key in keys]
    assert last.startswith(f"{len(keys)} confirmed in ")
    cut = tmp_path / "witness.json"
    cut.write_text(json.dumps(entries[keys[0]]["witness"]))
    alone = runner.invoke(app, ["replay", str(cut), *root])
    assert alone.exit_code == 0 and "false here (exact)" in alone.output
    assert documents(results, keys[0]) == [entries[keys[0]]["witness"]]
    entries[keys[0]]["witness"]["values"]["u"] = "7/1"
    results.write_text(json.dumps({"claims": list(entries.values())}))
    with pytest.raises(WitnessError, match="altered"):
        documents(results)
    with pytest.raises(UnreadableWitness, match="of mine/theorem_1:printed"):
        documents(results, "mine/theorem_1:printed")
    assert str(confirm(documents(cut)[0], library)) in alone.output


def test_a_certificate_of_another_statement_is_refused(report):
    library = load_library(shipped_root(), ["classical/motzkin"])
    document = documents(Path(report, "certificates", "nesbitt.json"))[0]
    other = {**document, "claim": "classical/motzkin:printed"}
    with pytest.raises(WitnessError, match="not the claim of this certificate"):
        confirm(other, library)
    assert certificate(KEY, library["classical/motzkin:printed"], 1, []) is not None


@pytest.mark.parametrize(
    ("verdict", "witness", "said"),
    [("refuted", None, "calls it refuted, and no witness on it"),
     ("refuted", "mine/lemma_2:printed", "calls it refuted, and no witness on it"),
     ("malformed", "mine/square:printed", "calls it malformed, and other evidence on it"),
     ("supported", "mine/square:printed", "calls it supported, and other evidence on it")],
)  # fmt: skip
@pytest.mark.parametrize("folder", [True, False])
def test_results_say_what_their_evidence_does(report, tmp_path, verdict, witness, said, folder):
    """A failure without a witness, with one of another claim, and a witness of no failure."""
    proof = json.loads(Path(report, "certificates", "nesbitt.json").read_text())
    of = seal({"format": 1, "claim": witness, "fingerprint": "f", "kind": "exact", "values": {},
               "shown": {}, "extra": {}}) if witness else None  # fmt: skip
    rows = [{"key": KEY, "verdict": "proved", "certificate": proof},
            {"key": "mine/lemma_2:printed", "verdict": "refuted"},
            {"key": "mine/square:printed", "verdict": verdict, "witness": of}]  # fmt: skip
    if witness != rows[1]["key"]:
        del rows[1]
    (tmp_path / "report.json").write_text(json.dumps({"claims": rows}))
    for name, part in (("certificates", proof), ("witnesses", of)):
        (tmp_path / name).mkdir()
        if part is not None:
            (tmp_path / name / "one.json").write_text(json.dumps(part))
    with pytest.raises(WitnessError, match=f"mine/square:printed: .*{said}"):
        documents(tmp_path if folder else tmp_path / "report.json")
    assert documents(tmp_path, KEY) == [proof]


CORNER = "classical/markov:strict"


def replayed(tmp_path, *rows):
    (tmp_path / "results.json").write_text(json.dumps({"claims": rows}))
    return CliRunner().invoke(app, ["replay", str(tmp_path / "results.json")])


def test_what_is_called_proved_without_a_certificate_is_proved_again(tmp_path):
    """By two solvers, if it can be: a row may say anything."""
    solved = {"key": "livni2017/proof_third_term:repaired", "verdict": "proved"}
    found = replayed(tmp_path, solved)
    assert found.exit_code == 0 and "proved by " in found.output
    assert "[1, oo)" in found.output
    false = replayed(tmp_path, {"key": CORNER, "verdict": "proved"})
    said = f"{CORNER}: it is called proved without a certificate, and no proof of it is found again"
    assert isinstance(false.exception, WitnessError) and said in str(false.exception)


@pytest.mark.parametrize(
    ("key", "verdict"), [(["x"], "refuted"), ({}, "proved"), (CORNER, ["proved"]),
                         (CORNER, "PROVED"), (CORNER, None), (None, "proved")]
)  # fmt: skip
def test_rows_without_a_key_or_a_verdict_are_none(tmp_path, key, verdict):
    found = replayed(tmp_path, {"key": key, "verdict": verdict})
    assert isinstance(found.exception, UnreadableWitness)
    assert "which is none; give results as they were written" in str(found.exception)
