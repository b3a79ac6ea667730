"""Repairs and readings that the library itself states beside a failing claim.

Another claim of the same statement that stands is a candidate like those found by machine; what
kind of change it is follows from comparing the two claims, not from its name.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.apart import apart
from boundcheck.diagnosis.case import weak
from boundcheck.diagnosis.edits import level_of
from boundcheck.diagnosis.instead import LONGEST, instead
from boundcheck.diagnosis.kept import keeps_bound
from boundcheck.diagnosis.kin import replaced_in
from boundcheck.diagnosis.record import AS_IN, OTHER_CONSTANTS, Kind
from boundcheck.diagnosis.single import single
from boundcheck.diagnosis.unnumbered import unnumbered
from boundcheck.explore.wording import domain_text
from boundcheck.expressions.symbols import Known
from boundcheck.library import Library
from boundcheck.search.growth import sizes
from boundcheck.setting import INEQUALITIES, parts, sides
from boundcheck.worlds.composed import Custom
from boundcheck.worlds.fields import Field, Integer, Real

NEAR = 2.5  # edits up to which another inequality is a slip of the pen away
ALIKE = 12.0  # the same for identities, which are false or true as a whole
FAR = 12.0  # edits beyond which another claim is no repair of this one
NUMBERED = re.compile(r"\d+(?:\.\d+)*")
REPAIRED = "repaired"
HINTS = ("searched", "wide", "small", "log", "ends")  # of a field, for search alone


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
        if not _answers(key, other, library.siblings(key)):
            continue
        near = compared(claim, library[other], other)
        if is_repair(other) and (near is None or near.kind == "restatement"):
            near = _restated(claim, library[other], other, near)
        if near is not None and (near.kind != "restatement" or is_repair(other)
                                 or _share_a_side(claim, library[other])):
            found.append(near)
    stated = [item for item in found if is_repair(item.key) and item.kind != "restatement"]
    return sorted(stated or found, key=lambda item: (item.distance, not is_repair(item.key),
                                                     item.key))  # fmt: skip


def _restated(claim: Claim, other: Claim, key: str, near: Written | None) -> Written | None:
    """A stated repair that says another thing; what it asks for more, if it keeps the bound."""
    named, where = _named(claim), other.source.where
    mine, its = _text(claim, named), _text(other, named)
    far = near or Written(key, other, "restatement", FAR, _change(mine, its, where))
    same = keeps_bound(mine.relation, its.relation, unnumbered)
    if same and unnumbered(mine.level) == unnumbered(its.level):
        if len(its.given) > len(mine.given):
            words = _asked(mine, its, where, same=not _redefined(claim, other))
            return replace(far, kind="hypothesis", words=words)
        return far
    alike = bool(claim.undefined) or _about_the_same(claim, other)
    return far if near is not None or alike else None


def _asked(mine: Text, its: Text, where: str, *, same: bool) -> str:
    """What a repair asks for more, where it is about the same and a sentence holds it: what stands
    of another run or minimiser does not stand of the printed one under its hypotheses."""
    more = [str(condition) for condition in its.given if condition not in mine.given]
    told = " and ".join(more)
    if len(told) > LONGEST or not same:
        return f"the hypotheses of {where}"
    return f"the {'hypothesis' if len(more) == 1 else 'hypotheses'} {told} ({where})"


def _share_a_side(claim: Claim, other: Claim) -> bool:
    """Whether a comparison of another claim bounds the same from the same side, or by the same, up
    to numbers, or is turned round: two claims of one place may as well speak of two things."""
    named = _named(claim)
    mine, its = ({side for part in _members(_text(each, named)) for side in _placed(part)}
                 for each in (claim, other))  # fmt: skip
    turned = {(1 - place, side) for place, side in its}
    return bool(mine & its) or mine == turned


def _placed(relation: sympy.Basic) -> Iterator[tuple[int, sympy.Basic]]:
    """Sides of the comparisons of a statement without their numbers, each with its place: those of
    an equation stand in both."""
    for part in parts(relation):
        if isinstance(part, INEQUALITIES):
            yield from enumerate(map(unnumbered, sides(part)))
        elif isinstance(part, sympy.Rel):
            yield from itertools.product((0, 1), map(unnumbered, part.args))
        else:
            yield 0, part


def _about_the_same(claim: Claim, other: Claim) -> bool:
    """Whether most of what a claim is about, by name, is in another one."""
    own, its = ({symbol.name for symbol in c.statement.free_symbols()} for c in (claim, other))
    return 2 * len(own & its) >= len(own)


def is_repair(key: str) -> bool:
    """Whether the library states a claim as a repair."""
    return REPAIRED in key.partition(":")[2].split("_")


def _answers(key: str, other: str, others: Sequence[str]) -> bool:
    """Whether a claim may stand in for another: a step for its own step, no step for the whole,
    no repair of a part for another part."""
    mine, its = key.partition(":")[2], other.partition(":")[2]
    rest = _mended(other)
    if mine.startswith("step_"):
        own = mine.removeprefix("step_")
        stated = any(is_repair(name) and _mended(name) == own for name in others)
        return is_repair(other) and rest == (own if stated else "")
    if its.startswith("step_"):
        return False
    parts_named = {name.partition(":")[2] for name in others} - {mine}
    if is_repair(other) and rest in parts_named:
        return False
    return not is_repair(other) or its.startswith(REPAIRED)


def _mended(key: str) -> str:
    """What a repair names as mended, "" for the whole statement."""
    words = key.partition(":")[2].split("_")
    return "_".join(word for word in words if word not in (REPAIRED, "step"))


@dataclass(frozen=True)
class Text:
    """What a claim says: comparison, level, hypotheses, with symbols of one name for one."""

    relation: sympy.Basic
    level: sympy.Basic
    given: tuple[sympy.Basic, ...]


def _text(claim: Claim, named: Mapping[str, sympy.Symbol]) -> Text:
    """The text of a claim in the symbols of another one of the same names."""
    level = level_of(claim.statement)
    texts = [claim.statement.relation, sympy.S.One if level is None else level, *claim.given]
    relation, level, *given = (_in_symbols(text, named) for text in texts)
    return Text(relation, level, tuple(given))


def in_symbols_of(claim: Claim, text: sympy.Basic) -> sympy.Basic:
    """A text in the symbols of a claim, where it has some of the same names."""
    return _in_symbols(text, _named(claim))


def _in_symbols(text: sympy.Basic, named: Mapping[str, sympy.Symbol]) -> sympy.Basic:
    same = {
        symbol: named[symbol.name] for symbol in text.free_symbols if symbol.name in named
        and symbol.is_commutative == named[symbol.name].is_commutative
    }  # fmt: skip
    return replaced_in(text, same)


def _spelled_out(text: Text, beside: Text, named: Mapping[str, sympy.Symbol]) -> Text:
    """The text with the definitions of those symbols that the other one does not have."""
    relation = text.relation
    lone = relation.free_symbols - beside.relation.free_symbols
    meant = {symbol: symbol.meaning.definition for symbol in lone if isinstance(symbol, Known)}
    meant = {symbol: formula for symbol, formula in meant.items() if formula is not None}
    if not meant:
        return text
    formulas = replaced_in(relation, meant)
    same = {symbol: named[symbol.name] for symbol in formulas.free_symbols if symbol.name in named}
    return replace(text, relation=replaced_in(formulas, same))


def _named(claim: Claim) -> dict[str, sympy.Symbol]:
    free = claim.statement.free_symbols().union(*(c.free_symbols for c in claim.given))
    return {symbol.name: symbol for symbol in sorted(free, key=str)}


def compared(claim: Claim, other: Claim, key: str) -> Written | None:
    """How another claim differs from a failing one; None if it says something else."""
    named = _named(claim)
    mine, its = _text(claim, named), _text(other, named)
    whole = _spelled_out(mine, its, named)
    named = {symbol.name: symbol for symbol in whole.relation.free_symbols} | named
    mine, its = whole, _spelled_out(its, mine, named)
    own, others = mine.relation.free_symbols, its.relation.free_symbols
    fewer = _says_it_once(mine, its)
    if 2 * len(own & others) < len(others if fewer else own):
        return None  # about other quantities
    member = isinstance(its.relation, sympy.And) and mine.relation in its.relation.args
    gap = 0.0 if member or fewer else apart(mine.relation, its.relation)
    gap += apart(mine.level, its.level)
    if gap > NEAR and _elsewhere(claim, other) and not _share_quantities(claim, own, others):
        return None
    if gap > FAR or (type(claim.statement) is not type(other.statement) and gap):
        return None
    kind, words, extra = _kind(claim, other, mine, its, gap)
    return Written(key, other, kind, gap + extra, words)


def _elsewhere(claim: Claim, other: Claim) -> bool:
    """Whether two places of a source have numbers and none in common."""
    mine, its = (set(NUMBERED.findall(each.source.where)) for each in (claim, other))
    return bool(mine and its) and not mine & its


def _share_quantities(
    claim: Claim, own: set[sympy.Basic], others: set[sympy.Basic]
) -> bool:
    """Whether more than a third of what two statements are about is in both, sizes apart."""
    lengths = set(sizes(claim.fields))
    mine, its = ({each for each in found if str(each) not in lengths} for found in (own, others))
    return 3 * len(mine & its) > len(mine | its)


def _members(text: Text) -> set[sympy.Basic]:
    """The comparisons of a statement, each once."""
    relation = text.relation
    return set(relation.args if isinstance(relation, sympy.And) else (relation,))


def _says_it_once(mine: Text, its: Text) -> bool:
    """Whether one statement keeps some comparisons of the other, and what it leaves out was said
    of a side that it keeps: two formulas for one thing are one formula for it."""
    kept, left = _members(its), _members(mine) - _members(its)
    sides = {side for relation in kept for side in relation.args}
    return bool(left) and kept < _members(mine) and all(
        sides & set(relation.args) for relation in left
    )


def _kind(
    claim: Claim, other: Claim, mine: Text, its: Text, gap: float
) -> tuple[Kind, str, float]:
    asked = {*mine.given, *map(weak, mine.given)}
    more = [condition for condition in its.given if condition not in asked]
    if gap:
        return _changed_kind(claim, other, mine, its, bool(more), float(len(more)))
    changed = _redefined(claim, other)
    if changed and len(more) > 1:
        return "restatement", _change(mine, its, other.source.where), float(len(more))
    if changed and more and weak(more[0]) in map(weak, mine.given):
        return "tie", f"the strict hypothesis {more[0]} ({other.source.where})", 1.0
    if changed and more:
        return "hypothesis", f"the hypothesis {more[0]} ({other.source.where})", 1.0
    if changed:
        return "definition", _redefinition(claim, other, changed), 1.0
    unknown = claim.undefined - other.undefined
    if more and unknown and len(its.given) <= len(mine.given):
        listed = ", ".join(sorted(map(str, unknown)))
        return "symbol", f"a symbol for the undefined {listed}", float(len(more))
    if more and {weak(c) for c in more} <= {weak(c) for c in mine.given}:
        listed = ", ".join(map(str, more))
        return "tie", f"the strict hypothesis {listed} ({other.source.where})", float(len(more))
    if more:
        listed = ", ".join(map(str, more))
        return "hypothesis", f"the hypothesis {listed}", float(len(more))
    if not same_domain(claim, other):
        return "hypothesis", _narrower(claim, other), 1.0
    another = "draw" if claim.draw != other.draw else "form of statement"
    return "definition", f"another {another} ({other.source.where})", 1.0


def _change(mine: Text, its: Text, where: str, otherwise: str = "") -> str:
    """What another claim says instead, and where; its place alone where no sentence holds it."""
    change = instead(mine.relation, its.relation)
    level = instead(mine.level, its.level)
    changed = (mine.relation != its.relation) + (mine.level != its.level)
    if changed == 1 and change + level:
        place = " in the probability" if level else ""
        return f"{change}{level}{place}, as in {where}"
    return f"{otherwise} ({where})" if otherwise else f"{AS_IN}{where}"


def _redefinition(claim: Claim, other: Claim, changed: Sequence[str]) -> str:
    """Which symbols mean another thing, and of one alone what its definition has instead."""
    whole = f"another definition of {', '.join(changed)}"
    mine, its = ({symbol.name: symbol for symbol in c.measure} for c in (claim, other))
    old, new = (named.get(changed[0]) for named in (mine, its))
    if len(changed) > 1 or not isinstance(old, Known) or not isinstance(new, Known):
        return whole
    formulas = old.meaning.definition, new.meaning.definition
    if formulas[0] is None or formulas[1] is None:
        return whole
    named = {symbol.name: symbol for symbol in formulas[0].free_symbols}
    change = instead(formulas[0], _in_symbols(formulas[1], named))
    return f"{whole}: {change}" if change else whole


def _redefined(claim: Claim, other: Claim) -> list[str]:
    """Names of the statement that two claims define in different ways."""
    its = {symbol.name: symbol for symbol in other.measure}
    return sorted(
        symbol.name for symbol in claim.statement.free_symbols()
        if symbol in claim.measure and not _defined_alike(claim, symbol, other, its)
    )  # fmt: skip


def _defined_alike(
    claim: Claim, symbol: sympy.Symbol, other: Claim, its: Mapping[str, sympy.Symbol]
) -> bool:
    there = its.get(symbol.name)
    if there is None:
        return False
    if isinstance(symbol, Known) and isinstance(there, Known):
        return _mean_the_same(symbol, there)
    return claim.measure[symbol] is other.measure[there]


def _mean_the_same(one: sympy.Basic, two: sympy.Basic) -> bool:
    """Whether two symbols of one name have one definition, down to what has none."""
    if one is two or not isinstance(one, Known) or not isinstance(two, Known):
        return bool(one == two)
    mine, its = one.meaning.definition, two.meaning.definition
    if mine is None or its is None:
        return mine is its
    named = {symbol.name: symbol for symbol in mine.free_symbols}
    pairs = {symbol: named[symbol.name] for symbol in its.free_symbols if symbol.name in named}
    return mine == replaced_in(its, pairs) and all(_mean_the_same(b, a) for a, b in pairs.items())


def _changed_kind(
    claim: Claim, other: Claim, mine: Text, its: Text, more: bool, extra: float
) -> tuple[Kind, str, float]:
    where = _change(mine, its, other.source.where)
    same_level = mine.level == its.level
    if same_level and weak(mine.relation) == weak(its.relation):
        return "tie", "weak inequalities", extra
    told = single(claim, mine.relation, its.relation) if same_level and not more else None
    if told is not None and same_domain(claim, other):
        return told[0], f"{told[1]} ({other.source.where})" if told[1] else where, extra
    if _plain(mine) == _plain(its):
        if same_domain(claim, other):
            return "constant", _change(mine, its, other.source.where, OTHER_CONSTANTS), extra
        return "hypothesis", _narrower(claim, other), extra + 1.0
    gap = apart(mine.relation, its.relation)
    lost = _members(mine) - _members(its)
    identity = all(isinstance(part, sympy.Eq) for whole in lost for part in parts(whole))
    near = gap <= ALIKE if identity else gap <= NEAR and same_domain(claim, other)
    own = mine.relation.free_symbols
    same_things = 3 * len(own & its.relation.free_symbols) >= 2 * len(own) and (
        not identity or _share_quantities(claim, own, its.relation.free_symbols))
    if near and same_things and not more:
        return "symbol", where, extra
    return "restatement", where, extra


def _plain(text: Text) -> tuple[sympy.Basic, sympy.Basic]:
    """The statement with every number replaced by one mark, and products by it dropped."""
    return unnumbered(text.relation), unnumbered(text.level)


def same_domain(claim: Claim, other: Claim) -> bool:
    """Whether another claim promises of worlds and parameters what a claim does, by name.

    Where search looks promises nothing, and a name that the other one has no use for neither; an
    end that belongs to its domain alone makes it no smaller.
    """
    return other.fields.keys() <= claim.fields.keys() and not _changed_fields(claim, other)


def _changed_fields(claim: Claim, other: Claim) -> dict[str, Field]:
    """Fields of which another claim promises something else."""
    mine = claim.fields
    return {
        name: field for name, field in other.fields.items() if name in mine
        and promise(field) not in (promise(mine[name]), promise(_closed(mine[name])))
    }  # fmt: skip


def _narrower(claim: Claim, other: Claim) -> str:
    """The numbers of which another claim promises more, and what; its place alone for other
    things."""
    where, changed = other.source.where, _changed_fields(claim, other)
    if not changed or not all(isinstance(field, (Integer, Real)) for field in changed.values()):
        return f"a smaller domain ({where})"
    told = " and ".join(f"{name} {_values(field)}" for name, field in changed.items())
    return f"{told}, as in {where}"


def _values(field: Field) -> str:
    """What a number may be, as it is said of it."""
    if isinstance(field, Integer) and field.low == field.high:
        return f"= {field.low}"
    return domain_text(field)


def _closed(field: Field) -> Field:
    """A field of numbers with its ends."""
    return replace(field, open_low=False, open_high=False) if isinstance(field, Real) else field


def promise(value: object) -> object:
    """What a field says of its value, without what it says to search.

    >>> from boundcheck.worlds import Integer
    >>> promise(Integer(1, searched=3)) == promise(Integer(1, searched=9)) != promise(Integer(2, 9))
    True
    """
    if isinstance(value, Custom):
        return promise(value.domain)
    if not isinstance(value, Field) or not is_dataclass(value):
        return value
    said = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in HINTS}
    return type(value).__name__, *((name, promise(part)) for name, part in said.items())
