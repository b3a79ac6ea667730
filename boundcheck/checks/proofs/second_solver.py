"""A second solver for what Z3 showed: cvc5, from another house and with other methods.

It runs in a process of its own, which can be ended: some of its computations count no steps. What
it has not confirmed after `ACCIDENT` seconds of processor time, far beyond what its steps take
where they are counted, it does not confirm. Where that process is killed by the limits of the
claim that asks, nothing is known of the claim.
"""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence

STEPS = 2_000_000
ACCIDENT = 10  # what counts is shown in under one
TOKEN = re.compile(r"\|[^|]*\||\(|\)|[^\s()]+")


def agrees(queries: Sequence[str]) -> bool:
    """Whether cvc5 finds every query of Z3 without a model, too.

    Args: queries: SMT-LIB texts that Z3 found unsatisfiable.

    >>> agrees(["(declare-const x Real)(assert (< (* x x) 0.0))(check-sat)"])
    True
    """
    if not queries:
        return False
    texts = json.dumps([_plain(text) for text in dict.fromkeys(queries)])
    found = subprocess.run(
        [sys.executable, __file__], input=texts, capture_output=True, text=True, check=False
    )
    if -found.returncode == signal.SIGKILL:
        from boundcheck.errors import Lost  # not above: the file is run by itself

        raise Lost("cvc5 passed the limits of its process")
    return found.returncode == 0 and found.stdout == "unsat"


def _unsatisfiable(text: str) -> bool:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setLogic("QF_NRA")
    solver.setOption("rlimit-per", str(STEPS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    result = ""
    try:
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return result.strip() == "unsat"
            result = command.invoke(solver, parser.getSymbolManager()) or result
    except RuntimeError:  # a query that cvc5 cannot read is not confirmed
        return False


def _sooner(seconds: int, hard: int) -> int:
    """The lower of a limit and the one that cannot be passed, -1 for none."""
    return seconds if hard == resource.RLIM_INFINITY else min(seconds, hard)


def _plain(text: str) -> str:
    """Without what only Z3 reads: its remarks, and sums and conjunctions of one member.

    >>> _plain("; by Z3\\n(assert (and (< (+ x) 0.0)))")
    '(assert (< x 0.0))'
    """
    lines = [line for line in text.splitlines() if not line.startswith(("(set-", ";"))]
    stack: list[list[str]] = [[]]
    for token in TOKEN.findall("\n".join(lines)):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            single = len(inner) == 2 and inner[0] in ("+", "*", "and", "or")
            stack[-1].append(inner[1] if single else "(" + " ".join(inner) + ")")
        else:
            stack[-1].append(token)
    return "\n".join(stack[0])


if __name__ == "__main__":
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (_sooner(ACCIDENT, hard), hard))
    sys.stdout.write("unsat" if all(map(_unsatisfiable, json.load(sys.stdin))) else "open")
