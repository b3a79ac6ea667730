"""A second solver for what Z3 showed: cvc5, from another house and with other methods."""

from __future__ import annotations

import re
from collections.abc import Sequence

SECONDS = 10.0  # a cap on accidents; steps decide
STEPS = 2_000_000
TOKEN = re.compile(r"\|[^|]*\||\(|\)|[^\s()]+")


def agrees(queries: Sequence[str]) -> bool:
    """Whether cvc5 finds every query of Z3 without a model, too.

    Args: queries: SMT-LIB texts that Z3 found unsatisfiable.

    >>> agrees(["(declare-const x Real)(assert (< (* x x) 0.0))(check-sat)"])
    True
    """
    return bool(queries) and all(_unsatisfiable(text) for text in dict.fromkeys(queries))


def _unsatisfiable(text: str) -> bool:
    import cvc5

    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    solver.setLogic("QF_NRA")
    for name, value in (("rlimit-per", STEPS), ("tlimit-per", int(1000 * SECONDS))):
        solver.setOption(name, str(value))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _plain(text), "query")
    result = ""
    try:
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return result.strip() == "unsat"
            result = command.invoke(solver, parser.getSymbolManager()) or result
    except RuntimeError:  # a query that cvc5 cannot read is not confirmed
        return False


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
