"""Numbers that a source fixes, such as the iterations of its experiments, asked as if they were
free: where the statement holds, or a target."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy

from boundcheck import exact
from boundcheck.claim import Claim
from boundcheck.encoding import show
from boundcheck.errors import BoundcheckError
from boundcheck.explore.conditions import System
from boundcheck.explore.facts import field_of
from boundcheck.explore.wording import formula_text
from boundcheck.setting import parts
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Integer, Real


def freed(system: System, name: str, root: Any = None) -> tuple[Claim, sympy.Rel] | None:
    """The claim with a number that the source fixes set free, and what is asked of it: the target,
    else the statement; None if it is not such a number, or that does not read it."""
    claim, symbol = system.original, system.symbols[name]
    quantity = claim.measured[name]
    stated = claim.statement.relation
    asked = stated if system.target is None else system.target
    if claim.arguments(quantity) or symbol not in asked.free_symbols:
        return None
    if not isinstance(asked, sympy.Rel) or isinstance(asked, (sympy.Eq, sympy.Ne)):
        return None
    if system.target is None and len(parts(stated)) != 1:
        return None
    measure = {s: q for s, q in claim.measure.items() if s != symbol}
    field = _field(system, name, root)
    return replace(claim, measure=measure, parameters={**claim.parameters, symbol: field}), asked


def _field(system: System, name: str, root: Any) -> Integer | Real:
    """What kind of number it is, by the statements that the claim uses, and its sign."""
    own = system.evaluate(system.symbols[name], {})
    if own is not None and exact.is_exact(own) and any(
        isinstance(field, Integer) for field in _fields_of_uses(system.original, name, root)
    ):
        return Integer(1 if own > 0 else None, None, wide=True, searched=10**6)
    sign = None if own is None else exact.sign(own)
    return Real(0, None, open_low=True) if sign == 1 else Real(None, None)


def _fields_of_uses(claim: Claim, name: str, root: Any) -> list[Any]:
    from boundcheck.library import load_library

    try:
        library: Any = load_library(root, claim.uses) if claim.uses else {}
        return [promised_field(field_of(library[key], name)) for key in claim.uses]
    except (BoundcheckError, KeyError):  # a claim by itself is of no library
        return []


def told(system: System, name: str, asked: sympy.Rel) -> str:
    """What the source has instead, and whether what was asked holds there."""
    own = system.evaluate(system.symbols[name], {})
    truth = system.truth(asked, system.values)
    where = "where the statement holds" if system.target is None else (
        f"where {formula_text(asked)} holds"
    )
    return f"{where}; the source has {name} = {show(own, 10)}, where it {truth.value}"
