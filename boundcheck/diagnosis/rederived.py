"""Steps of a proof put under the repair of the statement that they prove.

What the stated repair of a statement asks for, and the quantities that it speaks of instead of the
printed ones, are carried over to a failing step; checks then tell whether the step stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.hypotheses import Hypothesis
from boundcheck.diagnosis.written import is_repair, neighbours
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.symbols import Known
from boundcheck.library import Library
from boundcheck.setting import INEQUALITIES, parts, sides

STEP, WHOLE = "step_", "printed"


def under_repair(key: str, library: Library) -> Iterator[Hypothesis]:
    """A failing step under each stated repair of its statement that asks for more."""
    place, _, name = key.partition(":")
    whole = f"{place}:{WHOLE}"
    if not name.startswith(STEP) or whole not in library.claims:
        return
    if any(is_repair(item.key) and item.kind != "restatement" for item in neighbours(key, library)):
        return
    for item in neighbours(whole, library):
        if item.kind == "hypothesis" and is_repair(item.key):
            changed = _carried(library[key], library[whole], item.claim)
            if changed is not None:
                words = f"the hypotheses of {item.claim.source.where}"
                yield Hypothesis(words, changed, structural=True)


def _carried(step: Claim, printed: Claim, repaired: Claim) -> Claim | None:
    """The step about the quantities and under the hypotheses of the repair."""
    mine = _bounded(printed.statement.relation)
    its = _bounded(repaired.statement.relation)
    instead: dict[sympy.Basic, sympy.Basic] = {}
    if len(mine) != len(its):
        return None
    if not all(_aligned(one, two, instead) for one, two in zip(mine, its, strict=True)):
        return None
    relation = _replaced(step.statement.relation, instead)
    try:
        return replace(repaired, statement=step.statement.with_relation(relation),
                       source=step.source, cost=step.cost, trivial=None)  # fmt: skip
    except Exception:  # the step speaks of what the repair does without
        return None


def _bounded(relation: sympy.Basic) -> list[sympy.Basic]:
    return [sides(part)[0] for part in parts(relation) if isinstance(part, INEQUALITIES)]


def _aligned(
    first: sympy.Basic, second: sympy.Basic, instead: dict[sympy.Basic, sympy.Basic]
) -> bool:
    """Whether one formula becomes the other by putting parts for parts; notes which."""
    if first == second or instead.get(first) == second:
        return True
    if first in instead or not isinstance(first, sympy.Expr):
        return False
    tried = dict(instead)
    one, two = _definition(first), _definition(second)
    if one is not None and two is not None and _aligned(one, two, instead):
        instead[first] = second
        return True
    alike = isinstance(first, Apply) and first.func is second.func
    if alike and len(first.args) == len(second.args) and all(
        _aligned(a, b, tried) for a, b in zip(first.args, second.args, strict=True)
    ):  # fmt: skip
        instead.update(tried)
        return True
    if getattr(first, "rank", 0) != getattr(second, "rank", 0):
        return False
    instead[first] = second
    return True


def _replaced(relation: sympy.Basic, instead: dict[sympy.Basic, sympy.Basic]) -> sympy.Basic:
    """`xreplace` that leaves relations unevaluated."""
    if isinstance(relation, (sympy.Rel, sympy.And, sympy.Or, sympy.Implies)):
        return relation.func(*(_replaced(arg, instead) for arg in relation.args), evaluate=False)
    spelled = {symbol: _replaced(meant, instead) for symbol in relation.free_symbols
               if symbol not in instead and (meant := _definition(symbol)) is not None
               and _replaced(meant, instead) != meant}  # fmt: skip
    return relation.xreplace(instead | spelled)


def _definition(expr: sympy.Basic) -> sympy.Basic | None:
    return expr.meaning.definition if isinstance(expr, Known) else None
