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
    """Ends a block after some seconds of computing, whatever else the machine does.

    Without effect outside the main thread of a process.
    """
    able = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    if not able:
        yield
        return

    def stop(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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
    """Zero as a polynomial in letters, wherever the inverses in it exist.

    Each compound base P of an inverse is one letter: SymPy would turn (A B)^-1 into B^-1 A^-1,
    which is false for rectangular A and B. Then inverses at the ends of words are removed by
    multiplying with P from that side, which no difference but zero survives; for inverses inside,
    a letter X of P = X + rest is written as P - rest.
    """
    found = [
        p.base for p in difference.atoms(sympy.Pow)
        if p.exp.is_Integer and p.exp < 0 and not p.base.is_commutative and not p.base.is_Symbol
    ]  # fmt: skip
    bases = sorted(set(found), key=str)
    named = {base: sympy.Symbol(f"P_{i}", commutative=False) for i, base in enumerate(bases)}
    letters = {b**k: named[b] ** k for b in bases for k in (-1, -2, -3)}
    rewritten = sympy.expand(difference.xreplace(letters))
    if any(not isinstance(p.base, sympy.Symbol) and p.exp.is_negative
           for p in rewritten.atoms(sympy.Pow) if not p.base.is_commutative):  # fmt: skip
        return False  # an inverse inside an inverse, or a higher power
    meaning = {letter: base for base, letter in named.items()}
    return rewritten == 0 or _cleared(rewritten, meaning) or _solved(rewritten, meaning)


def _cleared(words: sympy.Expr, meaning: dict[sympy.Symbol, sympy.Expr]) -> bool:
    """Zero after removing inverses at the left and right ends of words."""
    for _ in range(8):
        sides = [_end_inverse(words, left) for left in (True, False)]
        if sides[0] is not None:
            words = sympy.expand(sides[0] * words)
        elif sides[1] is not None:
            words = sympy.expand(words * sides[1])
        else:
            break
    inverted = {p.base for p in words.atoms(sympy.Pow) if p.exp.is_negative}
    if inverted & set(meaning):
        return _solved(words, meaning)
    return sympy.expand(words.xreplace(meaning)) == 0


def _end_inverse(words: sympy.Expr, left: bool) -> sympy.Symbol | None:
    """The letter whose inverse stands first (or last) in some word."""
    for term in sympy.Add.make_args(words):
        word = term.args_cnc()[1]
        if not word:
            continue
        end = word[0 if left else -1]
        if end.is_Pow and end.exp.is_negative and end.base.is_Symbol:
            return end.base
    return None


def _solved(words: sympy.Expr, meaning: dict[sympy.Symbol, sympy.Expr]) -> bool:
    """Zero after writing one word W of every P = c W + rest as (P - rest) / c.

    The scalar c may be a symbol: both sides are rational in it, so that what holds where it is not
    zero holds by continuity where it is, as long as the inverses exist there.
    """
    solved: dict[sympy.Expr, sympy.Expr] = {}
    for letter, base in meaning.items():
        for term in sorted(sympy.Add.make_args(sympy.expand(base)), key=_length):
            scalars, word = term.args_cnc()
            whole = sympy.Mul(*word)
            if word and whole not in solved and not _inverse_in(word):
                factor = sympy.Mul(*scalars)
                solved[whole] = (letter - (sympy.expand(base) - term)) / factor
                break
    # Solved words may occur in each other's rest; a second pass settles chains of two.
    for _ in range(2):
        words = sympy.expand(words.subs(solved, simultaneous=True))
        if words == 0:
            return True
    return False


def _length(term: sympy.Expr) -> int:
    return len(term.args_cnc()[1]) or 99


def _inverse_in(word: list[sympy.Expr]) -> bool:
    return any(power.as_base_exp()[1].is_negative for power in word)
