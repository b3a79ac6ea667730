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
from boundcheck.recheck import confirm, files, read

KEY = "classical/nesbitt:printed"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    claim = load_library(shipped_root(), [KEY])[KEY]
    document = run(Task(KEY, claim, BUDGETS["quick"])).certificate
    (folder / "certificates").mkdir()
    (folder / "certificates" / "nesbitt.json").write_text(json.dumps(document))
    return folder


def test_a_folder_is_all_of_its_evidence(report):
    assert [path.name for path in files(report)] == ["nesbitt.json"]
    found = CliRunner().invoke(app, ["replay", str(report)])
    assert found.exit_code == 0 and found.output.splitlines() == [f"confirmed {KEY}"]


def test_a_folder_without_evidence_is_named(tmp_path):
    with pytest.raises(UnreadableWitness, match="holds no witnesses"):
        files(tmp_path)
    assert files(tmp_path / "one.json") == [tmp_path / "one.json"]


def test_a_certificate_of_another_statement_is_refused(report):
    library = load_library(shipped_root(), ["classical/motzkin"])
    document = read(Path(report, "certificates", "nesbitt.json"))
    other = {**document, "claim": "classical/motzkin:printed"}
    with pytest.raises(WitnessError, match="not the claim of this certificate"):
        confirm(other, library)
    assert certificate(KEY, library["classical/motzkin:printed"], 1, []) is not None
