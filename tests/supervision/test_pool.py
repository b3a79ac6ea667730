"""Workers under limits: what loops, sleeps, leaks, aborts or is killed costs its own unit."""

import os
import signal
import sys
import time

import pytest

from boundcheck.supervision import Batch, Limits, Pool, Unit

LIMITS = Limits(wall=60, processor=60, memory=2**30)

# Run in the workers, which find this module by its path.
HERE = os.path.dirname(__file__)
MARK = "fault_units"
UNITS = '''
import ctypes, os, signal, sys, time

def pid(*_): return {"pid": os.getpid()}
def square(x): return {"square": x * x}
def loop():
    while True: pass
def sleep(): time.sleep(1000)
def leak():
    kept = []
    while True: kept.append(bytearray(2**24))
def power():
    from flint import fmpq
    return fmpq(3) ** (10**9)
def either(what): return globals()[what]()
def leave(): os._exit(7)
def abort(): os.abort()
def crash(): ctypes.string_at(0)
def exit(): sys.exit(0)
def raising(): raise ValueError("no such thing")
def not_json(): return {"value": object()}
def talk(): print("on standard output"); return {}
def kill(path, times):
    with open(path, "a") as file: file.write("x")
    if os.path.getsize(path) <= times: os.kill(os.getpid(), signal.SIGKILL)
    return {"tries": os.path.getsize(path)}
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / f"{MARK}.py").write_text(UNITS)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def run(function, units=None, jobs=1, limits=LIMITS):
    return list(Pool(jobs, limits)(Batch(f"{MARK}:{function}", units or [Unit("a", ())])))


def test_results_of_long_lived_workers(module):
    units = [Unit(str(x), (x,)) for x in range(12)]
    assert sorted(f.value["square"] for f in run("square", units, 3)) == [x * x for x in range(12)]
    used = {f.value["pid"] for f in run("pid", units, 2)}
    assert len(used) <= 2 and os.getpid() not in used


@pytest.mark.parametrize(
    ("function", "limits", "what", "words", "line"),
    [
        ("loop", Limits(60, 1, 2**30), "processor limit", "more than 1 s of processor time", 7),
        ("loop", Limits(1, 60, 2**30), "wall limit", "longer than 1 s of clock", 7),
        ("sleep", Limits(1, 60, 2**30), "wall limit", "longer than 1 s of clock", 8),
        ("leak", Limits(60, 60, 2**29), "memory limit", "more than 0.5 G of memory", 11),
        ("leave", LIMITS, "exit", "exit code 7", 0),
        ("abort", LIMITS, "SIGABRT", "aborted", 17),
        ("crash", LIMITS, "SIGSEGV", "aborted", 18),
    ],
)
def test_a_unit_that_goes_astray_costs_itself(module, function, limits, what, words, line):
    start = time.monotonic()
    (found,) = run(function, limits=limits)
    assert found.value is None and found.fault.state == "failed"
    assert found.fault.exception == what and words in found.fault.message
    assert found.fault.line == line and found.fault.file.endswith(f"{MARK}.py" if line else "")
    # At most the limit, the start of a process and the second that it has to say where it is.
    assert time.monotonic() - start < 60


def test_a_native_computation_without_end_is_ended(module):
    (found,) = run("power", limits=Limits(3, 2, 2**29))
    assert found.fault.state == "failed"
    # flint ends the process where memory is out, the system where time is.
    assert found.fault.exception in ("processor limit", "wall limit", "SIGABRT", "SIGFPE")


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_others_go_on(module, jobs):
    what = ["loop", "pid", "leave", "talk", "exit"]
    found = run("either", [Unit(name, (name,)) for name in what], jobs, Limits(60, 1, 2**30))
    faults = {item.name: item.fault.exception for item in found if item.fault}
    assert faults == {"loop": "processor limit", "leave": "exit", "exit": "SystemExit"}
    assert sorted(item.name for item in found) == sorted(what)


@pytest.mark.parametrize(
    ("function", "exception", "state"),
    [("exit", "SystemExit", "broken"), ("raising", "ValueError", "broken"),
     ("not_json", "TypeError", "failed"), ("no_such", "AttributeError", "failed")],
)  # fmt: skip
def test_what_a_unit_raises_is_its_fault(module, function, exception, state):
    (found,) = run(function)
    assert found.value is None
    assert (found.fault.exception, found.fault.state) == (exception, state)


@pytest.mark.parametrize(("times", "kept"), [(0, 1), (1, 2), (2, 3), (3, None)])
def test_a_worker_killed_from_outside_is_tried_three_times(module, times, kept):
    units = [Unit("a", (str(module / "count"), times)), Unit("b", (str(module / "other"), 0))]
    found = {f.name: f for f in run("kill", units, 2)}
    assert found["b"].value == {"tries": 1}
    if kept is None:
        assert found["a"].fault.exception == "SIGKILL" and "outside" in found["a"].fault.message
        assert (module / "count").stat().st_size == 3
    else:
        assert found["a"].value == {"tries": kept}


def test_what_units_print_is_not_on_standard_output(module, capfd):
    assert run("talk")[0].value == {}
    out, err = capfd.readouterr()
    assert out == "" and "on standard output" in err


def test_workers_end_with_the_run_even_if_it_is_given_up(module):
    running = Pool(2, LIMITS)(Batch(f"{MARK}:pid", [Unit(str(x), ()) for x in range(4)]))
    pid = next(running).value["pid"]
    assert _alive(pid)
    running.close()
    assert not _alive(pid)


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_workers_leave_interrupts_to_their_parent(module):
    running = Pool(1, LIMITS)(Batch(f"{MARK}:pid", [Unit(str(x), ()) for x in range(2)]))
    pid = next(running).value["pid"]
    os.kill(pid, signal.SIGINT)
    assert next(running).value["pid"] == pid
    running.close()
