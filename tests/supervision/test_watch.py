"""Commands on one claim and re-checks run under limits, and say in one line which was passed."""

import json
import os
import subprocess
import sys

import pytest

from boundcheck.errors import Lost
from boundcheck.supervision import Limits
from boundcheck.supervision.watch import watched

LIMITS = Limits(60, 20, 2**30)
INIT = 'from boundcheck import Source\n\nWORK = Source("A", 2000, "T")\n'
TEXT = '''"""A statement that goes astray where a file says so."""
import os, sys, time
from pathlib import Path
from sympy import symbols
from boundcheck import Claim, Holds
from boundcheck.worlds import Real
from . import WORK

u, w = symbols("u w", real=True)
MARK = Path(__file__).with_name("mark")


def value(u):
    what = MARK.read_text() if MARK.exists() else ""
    while what == "loop": pass
    if what == "sleep": time.sleep(1000)
    if what == "abort": os.abort()
    if what == "leave": os._exit(0)
    kept = []
    while what == "leak": kept.append(bytearray(2**26))
    return 2 * u

printed = Claim(WORK.at("here"), Holds(w <= 1), parameters={u: Real(0, 1)}, measure={w: value})
'''
# The clock runs while a busy machine lets others work, so only what sleeps is timed by it.
ASTRAY = {
    "loop": ("processor=4", ("processor limit in", "lemma.py, line 15", "more than 4 s")),
    "sleep": ("wall=5", ("wall limit", "longer than 5 s")),
    "abort": ("wall=90", ("SIGABRT in", "lemma.py, line 17")),
    "leave": ("wall=90", ("exit code 0",)),
    "leak": ("memory=512M", ("memory limit in", "more than 0.5 G")),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("astray")
    (folder / "mine").mkdir()
    (folder / "mine" / "__init__.py").write_text(INIT)
    (folder / "mine" / "lemma.py").write_text(TEXT)
    return folder


@pytest.fixture(scope="module")
def witness(root):
    path = root / "w.json"
    ended = run("at", "mine/lemma", "--set", "u=1", "--root", root, "--witness", path)
    assert ended.returncode == 1 and json.loads(path.read_text())["claim"] == "mine/lemma:printed"
    return path


def run(*arguments, limits=""):
    return subprocess.run(
        [sys.executable, "-m", "boundcheck", *map(str, arguments)], capture_output=True, text=True,
        env={**os.environ, "BOUNDCHECK_LIMITS": limits}, timeout=120,
    )  # fmt: skip


@pytest.mark.parametrize("what", ASTRAY)
@pytest.mark.parametrize("command", ["at", "replay"])
def test_a_definition_astray_ends_in_one_line_in_time(root, witness, command, what):
    mark = root / "mine" / "mark"
    mark.write_text(what)
    arguments = ("at", "mine/lemma", "--set", "u=1") if command == "at" else ("replay", witness)
    ended = run(*arguments, "--root", root, limits=ASTRAY[what][0])
    mark.unlink()
    assert ended.returncode in (1, 2) and ended.stdout == "", ended
    assert ended.stderr.startswith("boundcheck: ") and ended.stderr.count("\n") == 1
    assert all(words in ended.stderr for words in ASTRAY[what][1]) and ";" in ended.stderr


def test_a_definition_that_does_not_go_astray_is_answered(root, witness):
    """Else the lines above could come from commands that always fail."""
    assert "confirmed" in run("replay", witness, "--root", root).stdout


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_the_exit_code_is_that_of_the_work(code):
    assert watched(lambda: code, LIMITS) == code
    assert watched(lambda: sys.exit(code), LIMITS) == code


def test_a_process_that_ends_in_the_middle_is_no_success():
    with pytest.raises(Lost, match="ended by itself with exit code 0"):
        watched(lambda: os._exit(0), LIMITS)


def test_a_process_that_is_killed_is_lost():
    with pytest.raises(Lost, match="killed from outside"):
        watched(lambda: os.kill(os.getpid(), 9), LIMITS)
