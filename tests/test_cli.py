"""The command line as a contract: exit codes, one-line errors, JSON."""

import json
import subprocess
import sys

import pytest


def run(*arguments, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "boundcheck.cli", *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, timeout=120,
    )  # fmt: skip


def test_list_show_verify_and_replay(small_library, tmp_path):
    found = run("list", "--json", "--root", small_library)
    assert found.returncode == 0
    keys = [row["key"] for row in json.loads(found.stdout)["claims"]]
    assert keys == ["mine/lemma_2:printed", "mine/theorem_1:printed"]
    assert "t > 0" in run("show", "mine/theorem_1:printed", "--root", small_library).stdout
    out = tmp_path / "results.json"
    found = run("verify", "--root", small_library, "--json", out, "--jobs", 1)
    assert found.returncode == 0, found.stderr
    document = json.loads(out.read_text())
    verdicts = {entry["key"]: entry["verdict"] for entry in document["claims"]}
    assert verdicts == {"mine/lemma_2:printed": "refuted", "mine/theorem_1:printed": "supported"}
    for field in ("schema", "version", "seed", "budget", "error_probability"):
        assert field in document
    for field in ("evidence", "vacuous", "slack", "summary", "witness", "replay", "checks"):
        assert field in document["claims"][0]


def test_report_then_replay_then_tamper(small_library, tmp_path):
    out = tmp_path / "reports"
    found = run("report", "--root", small_library, "--out", out, "--jobs", 1)
    assert found.returncode == 0, found.stderr
    for name in ("index.html", "report.md", "report.json"):
        assert (out / name).stat().st_size > 500
    witness = out / "witnesses" / "mine.lemma_2.printed.json"
    found = run("replay", witness, "--root", small_library)
    assert found.returncode == 0 and "confirmed" in found.stdout, found.stderr
    document = json.loads(witness.read_text())
    document["values"]["u"] = "7/1"
    witness.write_text(json.dumps(document))
    found = run("replay", witness, "--root", small_library)
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1 and "altered" in found.stderr


def test_same_seed_same_result_for_any_number_of_workers(small_library, tmp_path):
    texts = []
    for jobs in (1, 2):
        found = run("verify", "--root", small_library, "--json", "-", "--jobs", jobs, "--seed", 3)
        document = json.loads(found.stdout)
        for entry in document["claims"]:
            entry["seconds"] = 0
        texts.append(json.dumps(document, sort_keys=True))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "mine/theorem_9"], ["mine/theorem_9", "nearest"]),
        (["verify", "mine", "--budget", "huge"], ["huge", "quick"]),
        (["verify", "mine", "--seed", "-1"], ["-1", "0 or a positive"]),
        (["verify", "mine", "--jobs", "0"], ["0", "processes"]),
        (["verify", "mine", "--json", "/nonexistent/x.json"], ["/nonexistent/x.json", "choose"]),
        (["report", "--out", "/proc/nothing"], ["/proc/nothing", "choose another"]),
        (["replay", "/nonexistent.json"], ["/nonexistent.json"]),
        (["list", "--root", "/nonexistent"], ["/nonexistent", "not a folder"]),
        (["frobnicate"], ["frobnicate"]),
        (["show"], ["key"]),
        (["new", "no-slash"], ["no-slash", "SOURCE/STATEMENT"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_is_one_line_on_standard_error(small_library, arguments, words):
    if "--root" not in arguments and arguments[0] not in ("frobnicate",):
        arguments = [*arguments, "--root", small_library]
    found = run(*arguments)
    assert found.returncode in (1, 2) and found.returncode != 0
    assert "Traceback" not in found.stderr and len(found.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in found.stderr


def test_a_broken_file_reddens_its_own_rows_only(small_library):
    (small_library / "mine" / "lemma_3.py").write_text("import nothing_like_this\n")
    found = run("verify", "mine/theorem_1", "--root", small_library)
    assert found.returncode == 0
    assert "SUPPORTED" in found.stdout and "lemma_3" in found.stderr
    found = run("verify", "mine/lemma_3", "--root", small_library)
    assert found.returncode == 2 and "nothing_like_this" in found.stderr


def test_new_writes_a_skeleton_that_verifies(tmp_path):
    root = tmp_path / "mine"
    assert run("new", "paper/theorem_1", "--root", root).returncode == 0
    assert "SUPPORTED" in run("verify", "--root", root).stdout
    assert run("new", "paper/theorem_1", "--root", root).returncode == 2


@pytest.mark.parametrize(
    ("text", "target", "words"),
    [
        ("a,b\n1,2\n2,3\n3,5\n4,4\n", None, ["--target is missing", "a, b"]),
        ("a,b\n1,2\n2,3\n3,5\n4,4\n", "c", ["'c' is no column"]),
        ("a,b\n1,2\n2,x\n3,5\n4,4\n", "b", ["row 3", "'x' is not a number"]),
        ("a,b\n1,2\n2,nan\n3,5\n4,4\n", "b", ["not finite"]),
        ("a,b\n1,2\n2,2\n3,2\n4,2\n", "b", ["constant"]),
        ("a,b\n1,2\n2\n3,2\n4,2\n", "b", ["1 cells"]),
        ("", "b", ["empty"]),
    ],
)
def test_audit_refuses_data_it_cannot_use(tmp_path, text, target, words):
    path = tmp_path / "data.csv"
    path.write_text(text)
    arguments = ["audit", "wang2019/theorem_1:printed", "--data", path]
    found = run(*arguments, *(["--target", target] if target else []))
    assert found.returncode == 2, found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in found.stderr


def test_audit_on_a_bundled_set():
    found = run(
        "audit", "wang2019/theorem_1:printed", "--data", "diabetes", "--features", 20,
        "--lambda", 0.5, "--repeats", 5, "--json",
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    document = json.loads(found.stdout)
    assert document["bound"] > document["measured"] > 0
    assert document["interval"]["low"] < document["measured"] < document["interval"]["high"]
    assert any(row["met"] for row in document["hypotheses"])
