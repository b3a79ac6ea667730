"""Words about a statement in the notation of the field."""

from __future__ import annotations

import re
from collections.abc import Iterable

import sympy

from boundcheck.expressions.nodes import Node
from boundcheck.expressions.printed import as_printed
from boundcheck.expressions.symbols import Known


def in_print(text: str, expressions: Iterable[sympy.Basic]) -> str:
    """Words about some expressions, with parts of these that are spelled as calls as they print.

    >>> from boundcheck.expressions import norm, world
    >>> from boundcheck.worlds import Vector
    >>> bound = sympy.Eq(norm(world("a", Vector(3))), 1)
    >>> in_print(f"the square of {bound.lhs}, or the hypothesis {bound}", [bound])
    'the square of ‖a‖, or the hypothesis ‖a‖ = 1'
    """
    kinds = (Known, Node, sympy.Eq, sympy.Ne)
    spelled = {str(part): part for each in expressions for part in each.atoms(*kinds)}
    known = (name for name in spelled if name in text and not name.isidentifier())
    found = sorted(known, key=len, reverse=True)
    if not found:
        return text
    called_so = re.compile("|".join(map(re.escape, found)))

    def printed(at: re.Match[str]) -> str:
        shown = as_printed(spelled[at[0]])
        split = at.string.startswith("**", at.end()) and " " in shown and shown[-1].isalnum()
        return f"({shown})" if split else shown

    return called_so.sub(printed, text)
