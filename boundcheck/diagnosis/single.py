"""What kind of change it is by which two statements differ at one place alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.case import weak
from boundcheck.diagnosis.instead import places
from boundcheck.diagnosis.record import Kind
from boundcheck.worlds.fields import Integer, Real

if TYPE_CHECKING:
    from boundcheck.claim import Claim


def single(claim: Claim, mine: sympy.Basic, its: sympy.Basic) -> tuple[Kind, str] | None:
    """(kind, words or "" for those of any change) of the only place where two relations differ.

    A comparison made strict or weak, wherever it stands, is a tie, and a symbol in the place of a
    symbol a slip of the pen, however long their definitions. A number that a claim leaves open,
    given a formula throughout, is one that only some of its values serve. None for other changes.
    """
    found = places(mine, its)
    if len(found) != 1:
        return None
    ((old, new),) = found
    if isinstance(old, sympy.Rel) and isinstance(new, sympy.Rel) and mine != old:
        return ("tie", "") if weak(old) == weak(new) else None
    if old.is_Number and new == -old:
        return "symbol", "the other sign"
    if not isinstance(old, sympy.Symbol):
        return None
    if isinstance(new, sympy.Symbol):
        return "symbol", ""
    field = claim.fields.get(old.name)
    asked = any(condition.has(old) for condition in claim.given)
    if not isinstance(field, (Integer, Real)) or asked or its.has(old) or not new.free_symbols:
        return None
    return "hypothesis", f"the hypothesis {old} = {new}"
