"""Expressions as lines of text in the notation of the field: norms as ||f||, not as calls.

Symbols keep the names under which values are given; SymPy's own operations keep their spelling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import sympy
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from boundcheck.expressions.display import Shown
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Binder
from boundcheck.expressions.symbols import Known

PLACE = 0xE000  # private characters that stand for operands while LaTeX becomes text
SPELLED = {r"\left": "", r"\right": "", r"\|": "‖", r"\tfrac": r"\frac", r"\,": " ",
           r"\det": "det"}  # fmt: skip
TIGHT = re.compile(r" (?=[_^⟩])|(?<=⟨) ")
SCRIPT = re.compile(r"([_^])\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
AFTER = re.compile(r"(\} ) *\{")  # a group right after a script, whose space would be lost
WORD = re.compile(r"[\w'*⊤-]+")
OUTER = re.compile(r"\((?:[^()]|\([^()]*\))*\)")  # one pair of brackets around everything
DRAWN = {"average": "E", "supremum": "sup"}
EQUAL = {sympy.Eq: "=", sympy.Ne: "!="}
SIGNS = {"total": "sum", "greatest": "max", "least": "min", "multiplied": "prod"}


@lru_cache(maxsize=4096)
def text_of(latex: str) -> str:
    r"""LaTeX of a formula as text; the LaTeX itself if it cannot be read.

    >>> text_of(r"\left\|\hat f\right\|_{H}^{2}"), text_of(r"\sup_{\|f\| \le Q} f")
    ('‖f̂‖_H^2', 'sup_(‖f‖ ≤ Q) f')
    """
    from pylatexenc.latex2text import LatexNodes2Text  # most commands never print a formula

    read = latex
    for spelled, plain in SPELLED.items():
        read = read.replace(spelled, plain)
    read = AFTER.sub(r"\1~{", SCRIPT.sub(_script, read))
    try:
        text = LatexNodes2Text(math_mode="text").latex_to_text(f"${read}$")
    except Exception:  # the reader raises many types on what it does not know
        text = ""
    line = TIGHT.sub("", " ".join(text.replace("𝔼", "E").replace("ℙ", "P").split()))
    return line or " ".join(latex.split())


def _script(found: re.Match[str]) -> str:
    inner = text_of(found[2]) if "\\" in found[2] else found[2].strip()
    return f"{found[1]}{{{inner if WORD.fullmatch(inner) else f'({inner})'}}} "


class _Printer(StrPrinter):
    """SymPy's text, with the notation that primitives bring."""

    def _print(self, expr: Any, **known: Any) -> str:
        if isinstance(expr, Apply) and expr.primitive.latex and not expr.primitive.spelled:
            return self._applied(expr)
        if isinstance(expr, Known) and expr.meaning.inline:
            text = self._print(expr.meaning.definition)
            return f"({text})" if Shown.of(text, expr.meaning.definition).compound else text
        if isinstance(expr, Known) and _is_letter(expr):
            text = text_of(expr.meaning.latex).replace(" )", ")")
            return text[1:-1] if OUTER.fullmatch(text) else text
        if isinstance(expr, Named):
            return text_of(expr.args[1].name)
        if isinstance(expr, Average):
            return f"{DRAWN[expr.kind]}[{self._print(expr.body)}]"
        if isinstance(expr, Binder) and expr.kind in SIGNS:
            below = ",".join(self._print(each) for each in expr.indices)
            return f"{SIGNS[expr.kind]}_{below}({self._print(expr.body)})"
        return str(super()._print(expr, **known))

    def parenthesize(self, item: Any, level: int, strict: bool = False) -> str:
        text = str(super().parenthesize(item, level, strict))
        split = level >= PRECEDENCE["Pow"] and " " in text and text[-1].isalnum()
        return f"({text})" if split else text

    def _print_Relational(self, expr: sympy.Rel) -> str:
        if isinstance(expr, (sympy.Eq, sympy.Ne)):
            return f"{self._print(expr.lhs)} {EQUAL[type(expr)]} {self._print(expr.rhs)}"
        return str(super()._print_Relational(expr))

    def _print_Piecewise(self, expr: sympy.Piecewise) -> str:
        where = ["" if case is sympy.true else f" if {self._print(case)}" for _, case in expr.args]
        cases = (self._print(arg[0]) + case for arg, case in zip(expr.args, where, strict=True))
        return f"({' else '.join(cases)})"

    def _applied(self, expr: Apply) -> str:
        shown = [Shown.of(chr(PLACE + k), arg) for k, arg in enumerate(expr.operands)]
        template = expr.primitive.latex
        text = text_of(template(shown) if callable(template) else template.format(*shown))
        for k, arg in enumerate(expr.operands):
            if chr(PLACE + k) in text:
                text = text.replace(chr(PLACE + k), self._print(arg))
        return text


def _is_letter(symbol: Known) -> bool:
    """Whether a symbol stands for a part of another statement, whose definition it lacks."""
    meaning = symbol.meaning
    return bool(meaning.latex) and meaning.definition is None and not symbol.name.isidentifier()


def as_printed(expression: Any) -> str:
    """An expression on one line, in the notation of the field.

    >>> from boundcheck.expressions import norm, world
    >>> from boundcheck.worlds import Vector
    >>> as_printed(2 * norm(world("a", Vector(3))) <= 1)
    '2*‖a‖ <= 1'
    """
    if not isinstance(expression, sympy.Basic):
        return str(expression)  # text is shown as it is, never read
    return str(_Printer().doprint(expression))


def called(symbols: Mapping[str, sympy.Symbol]) -> dict[str, str]:
    """Names of the symbols that stand for a part of a statement, to how that part is printed."""
    return {
        name: as_printed(symbol)
        for name, symbol in symbols.items()
        if isinstance(symbol, Known) and (symbol.meaning.inline or _is_letter(symbol))
    }


def typed(name: str) -> str:
    """A name as it may be typed: without spaces, norms with ASCII bars.

    >>> typed("max_i(‖xi_(i)‖)"), typed("max_i( ||xi_(i)|| )")
    ('max_i(||xi_(i)||)', 'max_i(||xi_(i)||)')
    """
    return "".join(name.replace("‖", "||").split())
