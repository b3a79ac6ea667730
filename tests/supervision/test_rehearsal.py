"""A file that ends or holds up the process that imports it costs its own row alone."""

import importlib
import sys
import threading

import pytest

from boundcheck.library import load_library, shipped_root
from boundcheck.supervision import Limits
from boundcheck.supervision.rehearsal import rehearsed

LIMITS = Limits(60, 20, 2**30)  # on a busy machine the clock says little: only sleep needs it
OWN = {"loops": Limits(60, 1, 2**30), "sleeps": Limits(4, 60, 2**30)}
INIT = 'from boundcheck import Source\n\nWORK = Source("A", 2000, "T")\n'
GOOD = '''from sympy import symbols
from boundcheck import Claim, Holds
from boundcheck.worlds import Real
from . import WORK
u = symbols("u", real=True)
printed = Claim(WORK.at("here"), Holds(u <= 1), parameters={u: Real(0, 1)})
'''
ASTRAY = {
    "loops": ("while True: pass", "processor limit in", 1),
    "sleeps": ("import time\ntime.sleep(1000)", "wall limit in", 2),
    "leaves": ("import os\nos._exit(0)", "exit: its process ended by itself with exit code 0", 0),
    "aborts": ("import os\nos.abort()", "SIGABRT in", 2),
    "crashes": ("import ctypes\nctypes.string_at(0)", "SIGSEGV in", 2),
    "is_killed": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "SIGKILL", 0),
    "leaks": ("kept = []\nwhile True: kept.append(bytearray(2**26))", "MemoryError in", 2),
}


@pytest.fixture(autouse=True)
def no_threads(monkeypatch):
    """Threads that other tests left behind do not keep files from being rehearsed."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def library(folder, files, limits=LIMITS):
    source = folder / "mine"
    source.mkdir()
    (source / "__init__.py").write_text(INIT)
    for name, text in files.items():
        (source / f"{name}.py").write_text(text)
    return load_library(folder, limits=limits)


@pytest.mark.parametrize("name", ASTRAY)
def test_a_file_astray_is_broken_and_the_others_are_not(tmp_path, name):
    text, words, line = ASTRAY[name]
    files = {"a": GOOD, f"m_{name}": text, "z": GOOD}
    found = library(tmp_path, files, OWN.get(name, LIMITS))
    assert list(found.claims) == ["mine/a:printed", "mine/z:printed"]
    why = found.broken[f"mine/m_{name}"]
    assert words in why and why.endswith("; mend the file") and why.isprintable()
    assert not line or f"m_{name}.py, line {line}" in why


def test_several_of_them_and_a_source_that_cannot_be_described(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "__init__.py").write_text("import os\nos._exit(3)")
    (tmp_path / "other" / "b.py").write_text(GOOD)
    found = library(tmp_path, {
        "a": "import os; os._exit(0)", "b": "1 / 0", "c": GOOD, "d": "import os; os.abort()",
    })  # fmt: skip
    assert list(found.claims) == ["mine/c:printed"]
    assert sorted(found.broken) == ["mine/a", "mine/b", "mine/d", "other/b"]
    assert "ZeroDivisionError" in found.broken["mine/b"] and "code 3" in found.broken["other/b"]


def test_what_files_print_comes_once(tmp_path, capfd):
    library(tmp_path, {"a": GOOD + "\nprint('said')\n"})
    assert capfd.readouterr().out == "said\n"


def test_the_shipped_library_is_imported_as_it_is(monkeypatch):
    """It is no user's: reading it costs no second process."""
    monkeypatch.setattr("os.fork", lambda: pytest.fail("a fork"))
    for name in [name for name in sys.modules if name.endswith("wang2019.theorem_1")]:
        monkeypatch.delitem(sys.modules, name)
    assert load_library(shipped_root(), ["wang2019/theorem_1:printed"]).claims


def test_work_that_ends_before_its_first_part_refuses_nothing():
    assert rehearsed(lambda known, begin: sys.exit(1), LIMITS, "mend it") == {}


def test_work_that_finds_parts_unusable_says_so():
    def work(known, begin):
        begin("a")
        if "a" not in known:
            importlib.import_module("os")._exit(1)
        return {"b": "no good"}

    found = rehearsed(work, LIMITS, "mend it")
    assert found == {"a": "exit: its process ended by itself with exit code 1; mend it",
                     "b": "no good"}  # fmt: skip
