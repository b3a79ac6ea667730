"""The checker stands alone: no solver, no SymPy, no prover."""

import subprocess
import sys

FORBIDDEN = ("sympy", "z3", "cvc5", "scipy", "numpy", "clarabel")


def test_the_checker_loads_neither_solver_nor_sympy():
    code = (
        "import sys, boundcheck.certificates.statement; "
        f"print([m for m in sys.modules if m.split('.')[0] in {FORBIDDEN!r} or "
        "m.startswith('boundcheck.') and not m.startswith('boundcheck.certificates')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
