"""The second solver confirms what has no model, and nothing else."""

import signal
import subprocess

import pytest
import z3

from boundcheck.checks.proofs import second_solver
from boundcheck.checks.proofs.second_solver import agrees
from boundcheck.errors import Lost

context = z3.Context()  # of its own: the provers start the common one anew
x, y = z3.Reals("x y", context)


def query(*assertions):
    solver = z3.SolverFor("QF_NRA", ctx=context)
    solver.add(*assertions)
    return solver.to_smt2()


@pytest.mark.parametrize("assertions", [
    (x * x + y * y < 2 * x * y,), (z3.Sum([x]) > 1, z3.Or([x < 1])), (z3.And([x < 0]), x > 0),
    (z3.Real("a name with spaces", context) < 0, z3.Real("a name with spaces", context) > 0),
])  # fmt: skip
def test_queries_of_z3_are_confirmed(assertions):
    assert agrees([query(*assertions)])


def test_what_has_a_model_or_cannot_be_read_is_not():
    assert not agrees([query(x * x + y * y <= 2 * x * y)])
    assert not agrees([query(x < 0, x > 0), query(x > 0)])
    assert not agrees(["(assert (frobnicate 1))"]) and not agrees([])


def test_a_killed_process_is_a_fault_and_no_answer(monkeypatch):
    ended = subprocess.CompletedProcess([], -signal.SIGKILL, "", "")
    monkeypatch.setattr(second_solver.subprocess, "run", lambda *_, **__: ended)
    with pytest.raises(Lost, match="passed the limits"):
        agrees([query(x < 0, x > 0)])


def test_a_process_at_its_own_cap_confirms_nothing(monkeypatch):
    ended = subprocess.CompletedProcess([], -signal.SIGXCPU, "unsat", "")
    monkeypatch.setattr(second_solver.subprocess, "run", lambda *_, **__: ended)
    assert not agrees([query(x < 0, x > 0)])
