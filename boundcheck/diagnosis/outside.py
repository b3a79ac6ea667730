"""Where a statement fails that stands under one more hypothesis on numbers: outside of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy

from boundcheck.diagnosis.case import Case, statement_text
from boundcheck.diagnosis.hypotheses import hypotheses, tightened
from boundcheck.diagnosis.record import EVERYWHERE, MET, ONLY, Extent, Repair
from boundcheck.diagnosis.spelling import in_print
from boundcheck.diagnosis.written import same_domain
from boundcheck.setting import INEQUALITIES

if TYPE_CHECKING:
    from boundcheck.library import Library

CLOSE = 0.05  # of its end, within which search finds it
PART = re.compile(r"fails only for (?P<name>\w+) (?P<sign>[<>]) (?P<end>[\d.e+-]+)")
OTHERWISE = {sympy.Le: sympy.Gt, sympy.Lt: sympy.Ge, sympy.Ge: sympy.Lt, sympy.Gt: sympy.Le}


def outside(
    case: Case, library: Library, found: Extent, mended: Repair | None,
    others: Sequence[Repair] = (),
) -> Extent:  # fmt: skip
    """The extent told by the hypothesis that a grade rests on, where it says more than search.

    Where search found no part without failures, a hypothesis under which a statement stands is one.

    A part without failures that search met beside one number stays where the hypothesis is on that
    number alone and the part is the larger one. A hypothesis that only may mend a statement says
    where the failures are that were met.

    Args: others: further repairs, of which a hypothesis says where a part ends that search ends
    close by.
    """
    told = _outside(case, library, found, mended, others)
    under = [other.edit for other in others if other.stands and other.kind == "hypothesis"
             and not other.written]  # fmt: skip
    if told.fails_on != EVERYWHERE or not under:
        return told
    return replace(told, fails_on=f"{EVERYWHERE}, but not under {under[0]}")


def _outside(
    case: Case, library: Library, found: Extent, mended: Repair | None, others: Sequence[Repair]
) -> Extent:
    """The extent told by a hypothesis on numbers, where it says more than search."""
    asked = None if mended is None else _asked(case, library, mended)
    if mended is None or asked is None or (found.corner and not found.undefined):
        if found.corner or PART.fullmatch(found.fails_on) is None:
            return found
        near = (_asked(case, library, other) for other in others if other.stands)
        ends = (each for each in near if each is not None and _ends_there(found, each))
        asked = next(ends, None)
        return found if asked is None else replace(found, fails_on=f"{ONLY} {_told(asked)}")
    if found.excluded and not found.undefined and _is_within(found.excluded, asked):
        return found
    if not mended.stands:
        known = found.undefined or not found.fails_on.startswith(EVERYWHERE)
        return found if known else replace(found, fails_on=f"{MET} {_told(asked)}")
    said = "lacks a value only for" if found.undefined else ONLY
    return replace(found, fails_on=f"{said} {_told(asked)}")


def _told(asked: sympy.Rel) -> str:
    """Where a hypothesis does not hold."""
    there = OTHERWISE[type(asked)](*asked.args, evaluate=False)
    return in_print(str(there), [there])


def _ends_there(found: Extent, asked: sympy.Rel) -> bool:
    """Whether search ends a part without failures just inside of what a hypothesis on a number
    asks for.

    >>> beta = sympy.Symbol("beta", real=True)
    >>> met = Extent("fails only for beta < 1.02", corner=False)
    >>> _ends_there(met, beta >= 1), _ends_there(met, beta >= 2), _ends_there(met, beta <= 1)
    (True, False, False)
    """
    part = PART.fullmatch(found.fails_on)
    if part is None or part["name"] != str(asked.lhs) or not asked.rhs.is_number:
        return False
    below, end, limit = part["sign"] == "<", float(part["end"]), float(asked.rhs)
    past = end - limit if below else limit - end
    same = below == isinstance(asked, (sympy.Ge, sympy.Gt))
    return same and 0 <= past <= CLOSE * abs(limit)


def _asked(case: Case, library: Library, mended: Repair) -> sympy.Rel | None:
    """The only inequality that a repair asks for beyond the print; None for no such."""
    if mended.kind != "hypothesis":
        return None
    if mended.written:
        other = library.claims.get(mended.written)
        same = other is not None and same_domain(case.claim, other) and (
            statement_text(other.statement) == statement_text(case.claim.statement))
    else:
        offered = (h.claim for h in (*hypotheses(case.claim), *tightened(case.claim))
                   if mended.edit in (h.words, in_print(h.words, h.claim.given)))  # fmt: skip
        other = next(offered, None)
        same = True
    if other is None or not same:
        return None
    more = [condition for condition in other.given if condition not in case.claim.given]
    return more[0] if len(more) == 1 and isinstance(more[0], INEQUALITIES) else None


def _is_within(excluded: tuple[str, ...], asked: sympy.Rel) -> bool:
    """Whether failures were met in a part alone, beside numbers, of what a hypothesis excludes.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> _is_within(("x < -2",), x >= -1), _is_within(("x < 0",), x >= -1)
    (True, False)
    >>> _is_within(("x > 3",), x <= y), _is_within(("x > 1", "x < 2"), x <= 1)
    (False, True)
    """
    if asked.free_symbols != {asked.lhs} or any(len(text.split()) != 3 for text in excluded):
        return False
    told = [text.split() for text in excluded]
    if any(name != str(asked.lhs) for name, _, _ in told):
        return False
    above = isinstance(asked, (sympy.Le, sympy.Lt))
    same = [float(end) for _, sign, end in told if (sign == ">") == above]
    limit = float(asked.rhs)
    return any(end >= limit if above else end <= limit for end in same)
