"""The command line as a contract: exit codes, one-line errors, JSON."""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from boundcheck.ledger import _with_seal

BRIEF = ("--budget", "brief")  # where no verdict of weight is asked for


def run(*arguments, cwd=None, **environment):
    return subprocess.run(
        [sys.executable, "-m", "boundcheck", *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, timeout=400,
        env={**os.environ, **environment},
    )  # fmt: skip


def test_list_show_verify_and_replay(small_library, tmp_path):
    found = run("list", "--json", "--root", small_library)
    assert found.returncode == 0
    keys = [row["key"] for row in json.loads(found.stdout)["claims"]]
    assert keys == ["mine/lemma_2:printed", "mine/theorem_1:printed"]
    shown = run("show", "mine/theorem_1:printed", "--root", small_library).stdout
    assert "t: real in (0, oo)" in shown
    out = tmp_path / "results.json"
    found = run("verify", "--root", small_library, "--json", out, "--jobs", 1)
    assert found.returncode == 0, found.stderr
    document = json.loads(out.read_text())
    verdicts = {entry["key"]: entry["verdict"] for entry in document["claims"]}
    assert verdicts == {"mine/lemma_2:printed": "refuted", "mine/theorem_1:printed": "proved"}
    for field in ("schema", "version", "seed", "budget", "error_probability", "environment"):
        assert field in document
    for field in ("evidence", "vacuous", "slack", "summary", "witness", "replay", "checks"):
        assert field in document["claims"][0]


def test_report_then_replay_then_tamper(small_library, tmp_path):
    out = tmp_path / "reports"
    found = run("report", "--root", small_library, "--out", out, "--jobs", 1, *BRIEF)
    assert found.returncode == 0, found.stderr
    for name in ("index.html", "report.md", "report.json"):
        assert (out / name).stat().st_size > 500
    again = run("report", "--root", small_library, "--out", out, "--jobs", 1, *BRIEF)
    assert "stands as it is" in again.stdout
    assert again.stdout.splitlines()[0] == found.stdout.splitlines()[0]
    witness = out / "witnesses" / "mine.lemma_2.printed.json"
    found = run("replay", witness, "--root", small_library)
    assert found.returncode == 0 and "confirmed" in found.stdout, found.stderr
    document = json.loads(witness.read_text())
    document["values"]["u"] = "7/1"
    witness.write_text(json.dumps(document))
    found = run("replay", witness, "--root", small_library)
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1 and "altered" in found.stderr


def test_results_go_to_a_device_without_replacing_it(small_library):
    found = run("verify", "mine/lemma_2", "--root", small_library, "--json", "/dev/stdout",
                "--jobs", 1)  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert '"schema": 2' in found.stdout and os.path.islink("/dev/stdout")


def test_same_seed_same_result_for_any_number_of_workers(small_library, tmp_path):
    texts = []
    for jobs, hash_seed in ((1, "1"), (2, "2"), (1, "3")):  # sets must not order anything
        found = run("verify", "--root", small_library, "--json", "-", "--jobs", jobs, "--seed", 3,
                    "--budget", "brief", PYTHONHASHSEED=hash_seed)  # fmt: skip
        document = json.loads(found.stdout)
        for entry in document["claims"]:
            entry["seconds"] = 0
        texts.append(json.dumps(document, sort_keys=True))
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "mine/theorem_9"], ["mine/theorem_9", "nearest"]),
        (["verify", "mine", "--budget", "huge"], ["huge", "quick"]),
        (["verify", "mine", "--seed", "-1"], ["-1", "0 or a positive"]),
        (["verify", "mine", "--jobs", "0"], ["--jobs 0", "below 1"]),
        (["verify", "mine", "--json", "missing/x.json"], ["missing/x.json", "choose"]),
        (["report", "--out", "/dev/null/x"], ["/dev/null/x", "choose another"]),
        (["replay", "missing.json"], ["missing.json", "give a file"]),
        (["verify", ""], ["''", "empty"]),
        (["verify", "mine", "--seed", "x"], ["--seed 'x'", "boundcheck verify --help"]),
        (["verify", "mine", "--json", "/dev/null/x"], ["/dev/null/x", "choose another"]),
        (["verify", "mine", "--json", "/"], ["--json /", "directory"]),
        (["report", "mine", "--budget", "huge"], ["huge", "quick"]),
        (["require", "mine/lemma_2", "v", "--set", "u=1", "--set", "u=2"], ["u is given twice"]),
        (["require", "mine/lemma_2", "v", "--set", "u"], ["'u'", "NAME=VALUE"]),
        (["require", "mine/lemma_2", "v", "--set", "u=nan"], ["unknown symbol nan"]),
        (["require", "mine/lemma_2", "v", "--set", "u=-1"], ["u = -1", "[0, 2]", "--set u=1"]),
        (["require", "mine/lemma_2", "w"], ["unknown symbol w", "known are"]),
        (["require", "*/lemma_2", "v"], ["*/lemma_2", "is a pattern", "boundcheck list"]),
        (["require", "mine/lemma_2", "v", "--set", "u=1", "--target", "v >= 3"], ["v >= 3"]),
        (["show", "mine"], ["'mine' names 2 claims", "mine/lemma_2:printed"]),
        (["show", "mine/theorem_1", "--set", "t=-5"], ["t = -5", "outside"]),
        (["figures", "mine"], ["'mine'", "no figures"]),
        (["benchmark", "mine", "--share", "2"], ["2.0", "(0, 1]"]),
        (["new", "class/def"], ["class/def", "keyword"]),
        (["new", "mine/__init__"], ["underscore"]),
        (["list", "--root", "missing"], ["missing", "not a folder"]),
        (["frobnicate"], ["frobnicate"]),
        (["show"], ["key"]),
        (["new", "no-slash"], ["no-slash", "SOURCE/STATEMENT"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_is_one_line_on_standard_error(small_library, arguments, words):
    if "--root" not in arguments and arguments[0] not in ("frobnicate",):
        arguments = [*arguments, "--root", small_library]
    before = sorted(small_library.rglob("[!_]*.*"))
    found = run(*arguments, cwd=small_library.parent)
    assert found.returncode == 2 and found.stdout == ""
    assert sorted(small_library.rglob("[!_]*.*")) == before
    assert os.listdir(small_library.parent) == [small_library.name]  # no partial file left
    assert "Traceback" not in found.stderr and len(found.stderr.strip().splitlines()) == 1
    for word in words:
        assert word in found.stderr


def test_a_broken_file_reddens_its_own_rows_only(small_library):
    (small_library / "mine" / "lemma_3.py").write_text("import nothing_like_this\n")
    found = run("verify", "mine/theorem_1", "--root", small_library, "--budget", "brief")
    assert found.returncode == 0 and found.stderr == ""
    assert "PROVED" in found.stdout
    found = run("verify", "mine", "--root", small_library, "--budget", "brief")
    assert found.returncode == 1
    assert "PROVED" in found.stdout and "lemma_3" in found.stderr
    found = run("verify", "mine/lemma_3", "--root", small_library)
    assert found.returncode == 2 and "nothing_like_this" in found.stderr


HEAD = """from sympy import symbols
from boundcheck import Claim, Holds
from boundcheck.worlds import Real
from . import WORK
import os, sys, time
u, w = symbols("u w", real=True)
"""
BODY = """
printed = Claim(source=WORK.at("Lemma"), statement=Holds(w <= 1), parameters={u: Real(0, 1)},
                measure={w: value})
"""


def write_faulty(library, name, body):
    """A statement file with a quantity `value(u)` of this body."""
    path = library / "mine" / f"{name}.py"
    path.write_text(f"{HEAD}\ndef value(u):\n    {body}\n{BODY}")
    return path


def test_a_broken_statement_is_a_row_of_its_own_said_on_stderr_and_never_kept(small_library):
    path = write_faulty(small_library, "lemma_3", "raise ValueError('no such thing')")
    (small_library / "mine" / "lemma_4.py").write_text("import sys\nsys.exit(0)\n")
    out = small_library.parent / "reports"
    found = run("verify", "--root", small_library, *BRIEF)
    assert found.returncode == 1
    rows = dict(line.split(": ", 1) for line in found.stdout.splitlines())
    assert list(rows) == ["mine/lemma_2:printed", "mine/lemma_3:printed", "mine/theorem_1:printed",
                          "mine/lemma_4"]  # fmt: skip
    assert rows["mine/lemma_3:printed"].startswith("BROKEN. ValueError in ")
    assert f"{path}, line 9: quantity w raised it: no such thing; at u = " in found.stdout
    assert rows["mine/lemma_4"].startswith("BROKEN. SystemExit in ")
    assert found.stderr.count("\n") == 2 and "lemma_3" in found.stderr
    found = run("report", "--root", small_library, "--out", out, *BRIEF)
    assert found.returncode == 1 and found.stderr.count("\n") == 2
    text = (out / "report.md").read_text()
    assert "`mine/lemma_3:printed` (broken)" in text and "`mine/lemma_4` (broken)" in text
    document = json.loads((out / "report.json").read_text())
    entries = {entry["key"]: entry for entry in document["claims"]}
    fault = entries["mine/lemma_3:printed"]["fault"]
    assert (fault["state"], fault["exception"], fault["line"]) == ("broken", "ValueError", 9)
    assert entries["mine/theorem_1:printed"]["fault"] is None
    kept = _wait_for(out / ".boundcheck" / "ledger.sqlite", 2)
    assert sorted(kept) == ["mine/lemma_2:printed", "mine/theorem_1:printed"]


def test_new_writes_a_skeleton_that_verifies(tmp_path):
    root = tmp_path / "mine"
    assert run("new", "paper/theorem_1", "--root", root).returncode == 0
    assert "PROVED" in run("verify", "--root", root).stdout
    assert run("new", "paper/theorem_1", "--root", root).returncode == 2
    drafted = run("new", "paper/lemma_1", "--root", root, "--latex", "\\log(1/\\delta) \\geq 0")
    assert "assumed, as the formula does not say it: delta lies in (0, 1)\n" in drafted.stdout


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
        ("a,b\n1,2\n2,inf\n3,5\n4,4\n", "b", ["data row 2", "not finite"]),
        ("a,b\n1,1e308\n2,-1e308\n3,5\n4,4\n", "b", ["1e308"]),
        ("a,b,b\n1,2,3\n2,3,4\n3,5,6\n4,4,4\n", "b", ["'b' names several columns"]),
        ("a b\n1 2\n2 3\n", "b", ["'b' is no column", "separate columns"]),
        ("1 1:2\n2 1:3\n3 1:x\n4 1:5\n", None, ["line 3", "LIBSVM"]),
        ("1,2\n2,x\n3,4\n4,5\n", "1", ["'1' is no column"]),
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


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--lambda", "inf", "--lambda inf is outside [1e-12, 1e+12]; give e.g. 0.01"),
        ("--lambda", "0", "--lambda 0 is outside [1e-12"),
        ("--delta", "1.5", "--delta 1.5 is outside [1e-100, 0.999999]; give e.g. 0.05"),
        ("--features", "0", "--features 0 is below 1"),
        ("--rows", "1", "--rows 1 is below 2"),
        ("--repeats", "1", "--repeats 1 is below 2"),
        ("--seed", "-1", "--seed -1 is negative"),
        ("--kernel", "poly", "--kernel 'poly' is none of rbf, laplace"),
    ],
)
def test_audit_refuses_options_out_of_range(option, value, words):
    found = run("audit", "wang2019/theorem_1", "--data", "diabetes", option, value)
    assert found.returncode == 2 and found.stdout == ""
    assert words in found.stderr and len(found.stderr.strip().splitlines()) == 1


def test_audit_says_what_a_failed_hypothesis_asks_for_and_is_silent_on_stderr():
    found = run("audit", "wang2019/theorem_1", "--data", "diabetes", "--repeats", 2, "--rows", 50)
    assert found.returncode == 0 and found.stderr == ""
    assert "NOT met  lambda >=" in found.stdout
    # 2 b sqrt(log(s / delta) / n) at b = 2, s = 100, delta = 0.1, n = 50
    assert "lambda at least 1.48677" in found.stdout


def test_bare_command_and_help_of_every_command():
    found = run()
    assert found.returncode == 0 and found.stderr == ""
    names = re.findall(r"^  (\w+)  +[A-Z]", found.stdout.partition("Commands:")[2], re.M)
    assert {"list", "show", "verify", "require", "replay", "report", "audit", "diff", "new"} <= {
        *names
    }
    for name in names:
        text = run(name, "--help").stdout
        assert f"Example: boundcheck {name}" in text and "--root" in text
    assert "..." not in found.stdout.partition("Commands:")[2]  # no description is cut off


def test_a_statement_means_its_only_claim_or_the_printed_one():
    shown = run("show", "livni2017/theorem_1").stdout
    assert shown.startswith("livni2017/theorem_1:printed\n")
    assert "(searched up to" in shown and "Integer(" not in shown
    found = run("show", "yashima2021/theorem_3")
    assert found.returncode == 2 and "yashima2021/theorem_3:arxiv" in found.stderr
    assert "theorem_3_full" not in found.stderr


def test_show_says_what_readings_miss():
    shown = run("show", "livni2017/lemma_1:adaptive_hindsight").stdout
    assert "no float batch: the primitive best_on_line has no batch form\n" in shown
    shown = run("show", "classical/hoeffding").stdout
    assert "  units       do not balance at exp of -2*t**2/n, which has units value^2" in shown
    shown = run("show", "classical/popoviciu:printed").stdout
    assert "  units       balance (statement)\n" in shown and "no float batch" not in shown


def test_a_symbol_of_another_claim_of_the_statement_is_found():
    arguments = ("T", "--set", "B=2", "--set", "epsilon=0.1")
    found = run("require", "livni2017/theorem_1", *arguments)
    assert found.returncode == 2
    assert "livni2017/theorem_1:mean_regret has epsilon" in found.stderr
    found = run("require", "livni2017/theorem_1:mean_regret", *arguments)
    # (20 B / (3 epsilon))^2 = (400/3)^2 = 17777.8, rounded up
    assert found.returncode == 0 and "T at least 17,778" in found.stdout


def test_a_library_of_ones_own_says_where_the_shipped_one_is(small_library):
    found = run("verify", "wu2021", "--root", small_library)
    assert found.returncode == 2 and "the shipped library has wu2021; give --root" in found.stderr


def test_replay_lines_work_when_pasted(small_library):
    place = small_library.parent
    found = run("report", "--root", "library", "--out", "my report", "--jobs", 1, *BRIEF,
                cwd=place)  # fmt: skip
    assert found.returncode == 0 and found.stderr == ""
    text = (place / "my report" / "report.md").read_text()
    document = json.loads((place / "my report" / "report.json").read_text())
    lines = [entry["replay"] for entry in document["claims"]]
    assert f"Replay: `{lines[0]}`" in text
    for line, words in zip(lines, ("is false here", "proved"), strict=True):
        program, *arguments = shlex.split(line)
        assert program == "boundcheck"
        again = run(*arguments, cwd=place)
        assert again.returncode == 0 and words in again.stdout, again.stderr


SLOW = '''"""A claim that takes long when the environment says so."""

import os
import time

from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Real

from . import WORK

u, w = symbols("u w", real=True)


def value(u):
    if os.environ.get("SLOW"):
        time.sleep(100)
    return u


printed = Claim(source=WORK.at("Slow"), statement=Holds(w <= 1), parameters={u: Real(0, 1)},
                measure={w: value})
'''


def heed_signals():
    """In the child: signals as a terminal gives them, though the tests may run where they are
    ignored, as in the background of a shell."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def test_a_report_says_what_it_took_and_verifies_again_what_is_none(small_library):
    """A row edited under its seal is as good as none: here that of another claim."""
    out = small_library.parent / "reports"
    first = run("report", "--root", small_library, "--out", out, "--jobs", 1, *BRIEF)
    assert first.returncode == 0 and "earlier runs" not in first.stdout
    (out / ".boundcheck" / "stamp.json").unlink()
    key = "mine/theorem_1:printed"
    with sqlite3.connect(out / ".boundcheck" / "ledger.sqlite") as connection:
        *place, document = connection.execute(
            "SELECT key, budget, seed, digest, document FROM verdicts WHERE key = ?", (key,)
        ).fetchone()
        row = {**json.loads(document[64:]), "key": "mine/lemma_2:printed"}
        edited = _with_seal(row, "verdicts", *place)
        connection.execute("UPDATE verdicts SET document = ? WHERE key = ?", (edited, key))
    connection.close()
    again = run("report", "--root", small_library, "--out", out, "--jobs", 1, *BRIEF)
    assert again.returncode == 0 and again.stderr == ""
    assert again.stdout.splitlines()[0] == first.stdout.splitlines()[0]
    assert again.stdout.splitlines()[1].startswith(
        f"1 of 2 verdicts are of earlier runs; `boundcheck replay {out} --root {small_library}`")


@pytest.mark.parametrize(("number", "whole_group"), [
    (signal.SIGKILL, False),
    *(pytest.param(number, number != signal.SIGTERM, marks=pytest.mark.long)
      for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)),
])  # fmt: skip
def test_an_interrupted_report_goes_on_where_it_stopped(small_library, number, whole_group):
    (small_library / "mine" / "theorem_9.py").write_text(SLOW)
    out = small_library.parent / "reports"
    command = ["report", "--root", str(small_library), "--out", str(out), "--jobs", "2", *BRIEF]
    process = subprocess.Popen(
        [sys.executable, "-m", "boundcheck", *command], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "SLOW": "1"},
        start_new_session=True, preexec_fn=heed_signals,
    )  # fmt: skip
    kept = _wait_for(out / ".boundcheck" / "ledger.sqlite", 2)
    if whole_group:  # as a terminal does
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    # Workers hold the pipes: they must end too, soon.
    output, errors = process.communicate(timeout=30)
    assert output == "" and os.listdir(out) == [".boundcheck"]
    if number != signal.SIGKILL:
        assert process.returncode == 130
        assert "the same command goes on" in errors and errors.count("\n") == 1
    found = run(*command)
    assert found.returncode == 0 and found.stderr == ""
    document = json.loads((out / "report.json").read_text())
    seconds = {entry["key"]: entry["seconds"] for entry in document["claims"]}
    assert len(seconds) == 3
    for key, taken in kept.items():
        assert seconds[key] == taken  # not verified a second time


def _wait_for(ledger, rows):
    """Seconds by key as soon as so many verdicts are on disk."""
    for _ in range(600):
        if ledger.is_file():
            with sqlite3.connect(ledger) as connection:
                try:
                    found = connection.execute("SELECT key, document FROM verdicts").fetchall()
                except sqlite3.OperationalError:  # the table is not there yet
                    found = []
            if len(found) >= rows:
                return {key: json.loads(text[64:])["seconds"] for key, text in found}
        time.sleep(0.1)
    raise AssertionError("no verdict after a minute")


@pytest.mark.long
def test_memory_goes_on_from_earlier_worlds(small_library, tmp_path):
    """Hardly any worlds a run, so that what is found depends on where the search begins."""
    memory, slacks = tmp_path / "worlds", []
    for seed in (1, 2, 3):
        found = run("verify", "mine/theorem_1", "--root", small_library, "--json", "-", "--seed",
                    seed, "--memory", memory, "--jobs", 1)  # fmt: skip
        assert found.returncode == 0, found.stderr
        entry = json.loads(found.stdout)["claims"][0]
        slacks.append(entry["slack"])
        assert f"--memory {memory}" in entry["replay"]
    assert slacks == sorted(slacks, reverse=True)
    kept = [json.loads(path.read_text()) for path in memory.glob("*.json")]
    assert [document["claim"] for document in kept] == ["mine/theorem_1:printed enumeration"]
    # The worlds kept are where the next search begins, and it reports no less than they show.
    again = run("verify", "mine/theorem_1", "--root", small_library, "--json", "-", "--seed", 4,
                "--memory", memory, "--jobs", 1)  # fmt: skip
    assert json.loads(again.stdout)["claims"][0]["slack"] <= slacks[-1]
    denied = run("verify", "mine/theorem_1", "--root", small_library, "--memory", "/dev/null/x")
    assert denied.returncode == 2 and "--memory /dev/null/x cannot be written" in denied.stderr


def test_verify_leaves_nothing_in_the_folder_it_runs_in(small_library, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    found = run("verify", "mine/theorem_1", "--root", small_library, "--jobs", 1, *BRIEF,
                cwd=folder, HYPOTHESIS_STORAGE_DIRECTORY="",
                XDG_CACHE_HOME=tmp_path / "cache")  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert os.listdir(folder) == []


def test_one_bad_claim_never_costs_the_run(small_library):
    """A good claim beside one that loops, leaks, raises and leaves: five rows, in the time said."""
    (small_library / "mine" / "lemma_2.py").unlink()
    write_faulty(small_library, "loops", "while True: pass")
    write_faulty(small_library, "leaks", "a = []\n    while True: a.append(bytearray(2**24))")
    write_faulty(small_library, "raises", "raise ValueError('no such thing')")
    write_faulty(small_library, "leaves", "sys.exit(0)")
    start = time.monotonic()
    found = run("verify", "--root", small_library, "--jobs", 2, "--limit", "processor=10",
                "--limit", "memory=1G", BOUNDCHECK_LIMITS="wall=100,processor=9")  # fmt: skip
    # Five claims on two processes cannot take longer than three of them one after another.
    assert time.monotonic() - start < 3 * 100
    assert found.returncode == 1
    rows = dict(line.split(": ", 1) for line in found.stdout.splitlines())
    assert {key.removeprefix("mine/").removesuffix(":printed"): row.partition(".")[0]
            for key, row in rows.items()} == {
        "leaks": "FAILED", "leaves": "BROKEN", "loops": "FAILED", "raises": "BROKEN",
        "theorem_1": "PROVED",
    }  # fmt: skip
    assert "more than 10 s of processor time" in rows["mine/loops:printed"]
    assert "loops.py, line 9" in rows["mine/loops:printed"]
    assert "needed more than 1 G of memory" in rows["mine/leaks:printed"]
    assert "SystemExit" in rows["mine/leaves:printed"]
    assert found.stderr.count("\n") == 4 and "Traceback" not in found.stderr


def test_verdicts_are_printed_as_they_are_known_in_the_order_of_the_keys(capsys):
    from boundcheck.terminal import verdicts_over

    known = verdicts_over(["s/b:x", "s/a:x", "s/c:x"])
    entry = {"verdict": "proved", "evidence": None, "vacuous": False, "summary": "so."}
    known("s/b:x", {**entry, "key": "s/b:x"})
    assert capsys.readouterr().out == ""
    known("s/a:x", {**entry, "key": "s/a:x"})
    assert capsys.readouterr().out == "s/a:x: PROVED. so.\ns/b:x: PROVED. so.\n"
    known("s/c:x", {**entry, "key": "s/c:x"})
    assert capsys.readouterr().out == "s/c:x: PROVED. so.\n"


COUNTED = """
import gc
gc.disable()
from boundcheck.__main__ import YOUNG
from boundcheck.library import load_library
from boundcheck.explore import require
load_library(None, ["wang2019/theorem_1:printed"])
require("wang2019/theorem_1:printed", "lambda", {})
print(YOUNG - gc.get_count()[0])
"""


def test_no_collection_goes_through_what_a_short_command_makes():
    done = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0
