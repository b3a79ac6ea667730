"""Repairs and readings that the library itself states beside a failing claim.

Another claim of the same statement that stands is a candidate like those found by machine; what
kind of change it is follows from comparing the two claims, not from its name.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy.core.symbol import Str

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import weakened
from boundcheck.diagnosis.edits import level_of
from boundcheck.diagnosis.record import Kind
from boundcheck.library import Library
from boundcheck.setting import parts

Difference = tuple[sympy.Basic | None, sympy.Basic | None]
NEAR = 2.5  # edits up to which another inequality is a slip of the pen away
ALIKE = 8.0  # the same for identities, which are false or true as a whole
FAR = 8.0  # edits beyond which another claim is no repair of this one
REPAIRED = "repaired"


@dataclass(frozen=True)
class Written:
    """A claim of the library near a failing one.

    Args: kind: what changed; distance: how many edits apart; words: the change.
    """

    key: str
    claim: Claim
    kind: Kind
    distance: float
    words: str


def neighbours(key: str, library: Library) -> list[Written]:
    """The other claims of a statement that may replace a failing one, nearest first.

    A repair that the library states as such comes before other readings, and where it is near,
    these are none.
    """
    claim, found = library[key], []
    for other in library.siblings(key):
        if not _answers(key, other):
            continue
        near = compared(claim, library[other], other)
        if near is None and _is_repair(other) and _about_the_same(claim, library[other]):
            near = Written(other, library[other], "restatement", FAR,
                           f"as in {library[other].source.where}")  # fmt: skip
        if near is not None:
            found.append(near)
    stated = [item for item in found if _is_repair(item.key) and item.kind != "restatement"]
    return sorted(stated or found, key=lambda item: (item.distance, not _is_repair(item.key),
                                                     item.key))  # fmt: skip


def _about_the_same(claim: Claim, other: Claim) -> bool:
    """Whether most of what a claim is about, by name, is in another one."""
    own, its = ({symbol.name for symbol in c.statement.free_symbols()} for c in (claim, other))
    return 2 * len(own & its) >= len(own)


def _is_repair(key: str) -> bool:
    return REPAIRED in key.partition(":")[2].split("_")


def _answers(key: str, other: str) -> bool:
    """Whether a claim may stand in for another: a step for its own step, no step for the whole."""
    mine, its = key.partition(":")[2], other.partition(":")[2]
    if mine.startswith("step_"):
        mended = its.split("_")
        rest = [word for word in mended if word not in (REPAIRED, "step")]
        return REPAIRED in mended and "_".join(rest) in ("", mine.removeprefix("step_"))
    if its.startswith("step_"):
        return False
    return not _is_repair(other) or its.startswith(REPAIRED)


def compared(claim: Claim, other: Claim, key: str) -> Written | None:
    """How another claim differs from a failing one; None if it says something else."""
    own, its = claim.statement.relation.free_symbols, other.statement.relation.free_symbols
    if 2 * len(own & its) < len(own):
        return None  # about other quantities
    whole = other.statement.relation
    member = isinstance(whole, sympy.And) and claim.statement.relation in whole.args
    gap = 0.0 if member else _apart(claim.statement.relation, whole)
    one, two = level_of(claim.statement), level_of(other.statement)
    gap += _apart(one if one is not None else sympy.S.One, two if two is not None else sympy.S.One)
    if gap > FAR or (type(claim.statement) is not type(other.statement) and gap):
        return None
    more = [condition for condition in other.given if condition not in claim.given]
    kind, words, extra = _kind(claim, other, gap, more)
    return Written(key, other, kind, gap + extra, words)


def _kind(
    claim: Claim, other: Claim, gap: float, more: list[sympy.Basic]
) -> tuple[Kind, str, float]:
    if gap:
        return _changed_kind(claim, other, more)
    changed = [
        symbol.name for symbol in claim.statement.free_symbols()
        if symbol in claim.measure and other.measure.get(symbol) is not claim.measure[symbol]
    ]  # fmt: skip
    if changed:
        return "definition", f"another definition of {', '.join(sorted(changed))}", 1.0
    if more and claim.undefined - other.undefined and len(other.given) <= len(claim.given):
        unknown = ", ".join(sorted(map(str, claim.undefined - other.undefined)))
        return "symbol", f"a symbol for the undefined {unknown}", float(len(more))
    if more:
        listed = ", ".join(map(str, more))
        return "hypothesis", f"the hypothesis {listed}", float(len(more))
    if not same_domain(claim, other):
        return "hypothesis", f"a smaller domain ({other.source.where})", 1.0
    return "definition", f"another draw ({other.source.where})", 1.0


def same_domain(claim: Claim, other: Claim) -> bool:
    """Whether two claims quantify over the same worlds and parameters."""
    mine, its = (dict(c.worlds.fields) if c.worlds is not None else {} for c in (claim, other))
    return mine == its and dict(claim.parameters) == dict(other.parameters)


def _changed_kind(
    claim: Claim, other: Claim, more: list[sympy.Basic]
) -> tuple[Kind, str, float]:
    where = other.source.where
    extra = float(len(more))
    same_level = level_of(claim.statement) == level_of(other.statement)
    if same_level and weakened(claim.statement).relation == weakened(other.statement).relation:
        return "tie", "weak inequalities", extra
    if _plain(claim) == _plain(other) and same_domain(claim, other):
        return "constant", f"other constants ({where})", extra
    gap = _apart(claim.statement.relation, other.statement.relation)
    identity = all(isinstance(part, sympy.Eq) for part in parts(claim.statement.relation))
    if not more and gap <= (ALIKE if identity else NEAR) and same_domain(claim, other):
        return "symbol", f"as in {where}", extra
    return "restatement", f"as in {where}", extra


def _plain(claim: Claim) -> tuple[sympy.Basic, sympy.Basic]:
    """The statement with every number replaced by one mark, and products by it dropped."""
    level = level_of(claim.statement)
    return _unnumbered(claim.statement.relation), _unnumbered(level or sympy.S.One)


def _unnumbered(expr: sympy.Basic) -> sympy.Basic:
    mark = sympy.Symbol("_number", real=True)
    if isinstance(expr, Str):  # the name of a primitive
        return expr
    if isinstance(expr, sympy.Number) or (not expr.free_symbols and not expr.is_Boolean):
        return mark
    if isinstance(expr, (sympy.Mul, sympy.Add)):
        kept = [_unnumbered(arg) for arg in expr.args if arg.free_symbols]
        return expr.func(*kept) if len(kept) > 1 else kept[0]
    if isinstance(expr, sympy.Pow) and not expr.exp.free_symbols:
        return sympy.Pow(_unnumbered(expr.base), expr.exp)
    if not expr.args:
        return expr
    if isinstance(expr, (sympy.Rel, sympy.logic.boolalg.Boolean)):
        return expr.func(*map(_unnumbered, expr.args), evaluate=False)
    return expr.func(*map(_unnumbered, expr.args))


def _apart(first: sympy.Basic, second: sympy.Basic) -> float:
    """How many nodes have to change to turn one tree into the other, roughly.

    What changes in the same way at several places counts once.

    >>> x, y = sympy.symbols("x y")
    >>> _apart(x + 2 * y, x + 3 * y)
    1.0
    """
    return _total(_differences(first, second))


def _total(differences: frozenset[Difference]) -> float:
    return sum(_weight(one) + _weight(two) for one, two in differences) / 2


def _weight(part: sympy.Basic | None) -> float:
    return 1.0 if part is None else float(min(_size(part), 6))


def _differences(first: sympy.Basic, second: sympy.Basic) -> frozenset[Difference]:
    """Pairs of parts that stand in each other's place in two trees, each pair once."""
    if first == second:
        return frozenset()
    alone = frozenset({(first, second)})
    if type(first) is not type(second) or not first.args:
        return alone
    left, right = list(first.args), list(second.args)
    for part in list(left):
        if part in right:
            left.remove(part)
            right.remove(part)
    found: frozenset[Difference] = frozenset()
    while left and right:
        pairs = [(_differences(a, b), a, b) for a in left for b in right]
        best, one, two = min(pairs, key=lambda item: _total(item[0]))
        found |= best
        left.remove(one)
        right.remove(two)
    return found | {(part, None) for part in left} | {(None, part) for part in right}


def _size(expr: sympy.Basic) -> int:
    return 1 + sum(_size(arg) for arg in expr.args)
