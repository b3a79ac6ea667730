"""Identities by SymPy: scalars by simplification, matrices as words in non-commuting letters."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sympy


class OutOfTime(Exception):
    """A simplification that took longer than allowed."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Ends a block after some seconds; without effect outside the main thread of a process."""
    able = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not able:
        yield
        return

    def stop(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def vanishes(difference: sympy.Expr, seconds: float = 2.0) -> str | None:
    """How SymPy shows an expression to be zero wherever it has a value, or None.

    >>> x = sympy.Symbol("x", real=True)
    >>> vanishes((x**2 - 1) / (x - 1) - x - 1)
    'cancellation of rational functions'
    """
    if difference == 0:
        return "SymPy evaluation"
    if not difference.is_commutative:
        return "expansion of non-commutative words" if _words_vanish(difference) else None
    steps: list[tuple[str, Callable[[], sympy.Expr]]] = [
        ("expansion", lambda: sympy.expand(difference)),
        ("cancellation of rational functions", lambda: sympy.cancel(sympy.together(difference))),
    ]
    if sympy.count_ops(difference) <= 150:
        steps.append(("SymPy simplification", lambda: sympy.simplify(difference.doit())))
    try:
        with limit(seconds):
            for name, step in steps:
                if step() == 0:
                    return name
    except (OutOfTime, sympy.PolynomialError, NotImplementedError):
        return None
    return None


def _words_vanish(difference: sympy.Expr) -> bool:
    """Zero as a polynomial in letters, with the inverse of a sum as the inverse of one letter.

    A compound base P = X + rest is named, and X is written as P - rest everywhere else, so that
    P and its inverse meet and cancel.
    """
    if sympy.expand(difference) == 0:
        return True
    bases = sorted(
        {p.base for p in difference.atoms(sympy.Pow)
         if p.exp.is_Integer and p.exp < 0 and p.base.is_Add and not p.base.is_commutative},
        key=str,
    )  # fmt: skip
    taken: set[sympy.Symbol] = set()
    named, solved = {}, {}
    for base in bases:
        letter = sympy.Dummy("P", commutative=False)
        named[base] = letter
        for term in base.args:
            number, word = term.as_coeff_Mul()
            if word.is_Symbol and not word.is_commutative and word not in taken:
                if number in (1, -1):
                    solved[word] = number * (letter - (base - term))
                    taken.add(word)
                    break
    rewritten = difference.xreplace({b**-k: named[b] ** -k for b in bases for k in (1, 2, 3)})
    # Solved letters may occur in each other's rest; a second pass settles chains of two.
    for _ in range(2):
        rewritten = sympy.expand(rewritten.subs(solved, simultaneous=True))
        if rewritten == 0:
            return True
    return False
