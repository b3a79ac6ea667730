"""Statements as files of version 0.1 wrote them: symbols without meaning, definitions in Python."""

from flint import fmpq
from sympy import symbols

from boundcheck import Source

WORK = Source("Author", 2020, "A paper whose statements were encoded for the first version")
left, right = symbols("left right", real=True)
Q, n, t, delta = symbols("Q n t delta", real=True)


def total(values):
    """Sum in exact arithmetic."""
    return sum(values, fmpq(0))
