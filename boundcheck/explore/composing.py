"""Statements composed: one's conclusion feeds another's condition, failures add up.

A condition `x <= c` of one statement, where another concludes `x <= bound`, is met where
`bound <= c`. Where several statements hold with high probability, each gets a share of the failure
probability, and the shares add up to at most the one that was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy

from boundcheck.claim import Claim, Form, UpToConstant, WithProbability
from boundcheck.errors import InvalidArgument, MalformedStatement
from boundcheck.explore.stated import level
from boundcheck.explore.wording import formula_text
from boundcheck.expressions.symbols import Known, Meaning
from boundcheck.setting import INEQUALITIES, flatten, parts, sides
from boundcheck.worlds import Space
from boundcheck.worlds.fields import Real

FAILURE = "failure"  # what the shares of several failure probabilities add up to at most


@dataclass(frozen=True)
class Link:
    """A condition that another statement's conclusion meets.

    Args: condition: replaced. source: key of the statement that concludes. instead: what is asked.
    """

    condition: sympy.Basic
    source: str
    instead: sympy.Basic

    def __str__(self) -> str:
        met, asked = formula_text(self.condition), formula_text(self.instead)
        return f"{met} by {self.source}: {asked}"


@dataclass(frozen=True)
class Composition:
    """Several statements as one.

    Args: keys: of the statements, the last of which concludes. claim: its conditions are all of
    theirs, its statement that of the last. links: conditions that conclusions meet. shares: names
    of the failure probabilities that add up to at most `failure`.
    """

    keys: tuple[str, ...]
    claim: Claim
    links: tuple[Link, ...]
    shares: tuple[str, ...]


def composed(claims: Mapping[str, Claim]) -> Composition:
    """The composition of statements. Parameters of one name are one parameter.

    Args: claims: by key, in any order but the one that concludes last.
    Raises: InvalidArgument where conclusions feed each other in a circle, and where a quantity of
    one name is defined differently, or anew, in two of them.
    """
    keys = tuple(claims)
    _require_one_meaning(claims)
    split, shares = _split(_of_one_alphabet(claims))
    links: list[Link] = []
    feeds: dict[str, set[str]] = {key: set() for key in keys}
    given: list[sympy.Basic] = []
    for key, claim in split.items():
        for member in (m for condition in claim.given for m in flatten(condition)):
            link = _link(key, member, split)
            if link is not None:
                links.append(link)
                feeds[key].add(link.source)
            if link is None:
                given.append(member)
            elif link.instead.lts != link.instead.gts:
                given.append(link.instead)
    _require_no_circle(feeds)
    if len(shares) > 1:
        total = sympy.Add(*[sympy.Symbol(name, real=True) for name in shares])
        given.append(sympy.Le(total, sympy.Symbol(FAILURE, real=True), evaluate=False))
    try:
        claim = _merged(split, given, shares)
    except MalformedStatement as error:  # symbols of one name that each statement has for itself
        raise InvalidArgument(f"{' + '.join(keys)} do not compose: {error}") from error
    return Composition(keys, claim, tuple(links), tuple(shares))


def may_link(claims: Mapping[str, Claim]) -> bool:
    """Whether a condition of one statement is on what another concludes, by their names alone."""

    def bounded(relations: Iterable[sympy.Basic]) -> set[str]:
        small = (sides(r)[0] for r in relations if isinstance(r, INEQUALITIES))
        return {side.name for side in small if side.is_Symbol}

    return any(
        bounded(parts(claim.statement.relation))
        & bounded(m for condition in other.given for m in flatten(condition))
        for key, claim in claims.items() for name, other in claims.items() if name != key
    )  # fmt: skip


def _of_one_alphabet(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """The claims with one symbol for each name; what a symbol stands for is told by its claim."""
    letters: dict[str, sympy.Symbol] = {}

    def letter(symbol: sympy.Symbol) -> sympy.Symbol:
        if not isinstance(symbol, Known):
            return letters.setdefault(symbol.name, symbol)
        shown = sympy.latex(symbol) if symbol.meaning.inline or symbol.meaning.latex else ""
        meaning = Meaning("world", symbol.rank, latex=shown, says=symbol.meaning.says)
        return letters.setdefault(symbol.name, Known(symbol.name, meaning))

    return {key: _spelled(claim, letter) for key, claim in claims.items()}


def _spelled(claim: Claim, letter: Callable[[sympy.Symbol], sympy.Symbol]) -> Claim:
    """A claim in other letters, everything that it binds given in words of its own."""
    spoken = claim.statement.free_symbols().union(*(c.free_symbols for c in claim.given))
    swap = {s: letter(s) for s in (*spoken, *claim.parameters, *claim.measure, *claim.hidden)}
    form = claim.statement
    shared = {sympy.Symbol(name, real=True): q for name, q in claim.shared.items()}
    return replace(
        claim, statement=_form_in(form, swap), given=tuple(c.xreplace(swap) for c in claim.given),
        parameters={swap[s]: field for s, field in claim.parameters.items()},
        measure={**{swap[s]: q for s, q in claim.measure.items()}, **shared}, domains={},
        hidden=frozenset(swap[s] for s in claim.hidden),
        trivial=None if claim.trivial is None else claim.trivial.xreplace(swap),
    )  # fmt: skip


def _form_in(form: Form, swap: Mapping[sympy.Basic, sympy.Basic]) -> Form:
    """A form with its relation and its level in other letters."""
    if isinstance(form, UpToConstant):
        return UpToConstant(_form_in(form.inner, swap), form.depends)
    if isinstance(form, WithProbability):
        return WithProbability(form.level.xreplace(swap), form.relation.xreplace(swap))
    return form.with_relation(form.relation.xreplace(swap))


def _require_one_meaning(claims: Mapping[str, Claim]) -> None:
    """A name that two statements speak of has one definition."""
    seen: dict[str, tuple[str, Any]] = {}
    for key, claim in claims.items():
        spoken = claim.statement.free_symbols().union(*(c.free_symbols for c in claim.given))
        for name in sorted(symbol.name for symbol in spoken):
            quantity = claim.measured.get(name)
            if quantity is None:
                continue
            other, before = seen.setdefault(name, (key, quantity))
            if not _same(before, quantity):
                raise InvalidArgument(
                    f"{name} is one thing in {other} and another in {key}; name statements that "
                    "share their symbols"
                )


def _same(first: Any, second: Any) -> bool:
    """Whether two quantities have one definition: one object, text or code."""
    one, two = (getattr(q, "exact", q) for q in (first, second))
    if one is two:
        return True
    if hasattr(one, "expression") and hasattr(two, "expression"):
        # In symbols of two settings one formula reads the same, down to the fields of worlds.
        return bool(one.expression == two.expression) or str(one.whole) == str(two.whole)
    codes = [getattr(q, "__code__", None) for q in (one, two)]
    texts = {code and (code.co_code, code.co_consts, code.co_names) for code in codes}
    return None not in texts and len(texts) == 1


def _split(claims: Mapping[str, Claim]) -> tuple[dict[str, Claim], list[str]]:
    """Each statement with a failure probability of its own, where several have one."""
    probable = [key for key, claim in claims.items() if _failure(claim) is not None]
    if len(probable) < 2:
        return dict(claims), []
    found, shares = dict(claims), []
    for place, key in enumerate(probable):
        symbol = _failure(claims[key])
        assert symbol is not None
        share = sympy.Symbol(f"{symbol.name}_{place + 1}", real=True)
        shares.append(share.name)
        found[key] = _renamed(claims[key], symbol, share)
    return found, shares


def _failure(claim: Claim) -> sympy.Symbol | None:
    """The symbol of the failure probability, for a level of the form 1 - c delta."""
    stated = level(claim)
    symbols = stated.free_symbols if stated is not None else set()
    return next(iter(symbols)) if len(symbols) == 1 and symbols <= set(claim.parameters) else None


def _renamed(claim: Claim, old: sympy.Symbol, new: sympy.Symbol) -> Claim:
    """The claim with its failure probability under another name, outside its definitions."""
    form, swap = claim.statement, {old: new}
    inner = form.inner if isinstance(form, UpToConstant) else form
    assert isinstance(inner, WithProbability)
    changed: Any = WithProbability(inner.level.xreplace(swap), inner.relation.xreplace(swap))
    parameters = {(new if s == old else s): f for s, f in claim.parameters.items()}
    return replace(
        claim, statement=UpToConstant(changed) if isinstance(form, UpToConstant) else changed,
        given=tuple(c.xreplace(swap) for c in claim.given),
        parameters={**parameters, old: claim.parameters[old]},
    )  # fmt: skip


def _link(key: str, member: sympy.Basic, claims: Mapping[str, Claim]) -> Link | None:
    """How another conclusion meets a condition `x <= c`, or None."""
    if not isinstance(member, INEQUALITIES):
        return None
    small, large = sides(member)
    if not small.is_Symbol:
        return None
    for other, claim in claims.items():
        if other == key:
            continue
        for part in parts(claim.statement.relation):
            if isinstance(part, INEQUALITIES) and sides(part)[0] == small:
                bound = sides(part)[1]
                return Link(member, other, sympy.Le(bound, large, evaluate=False))
    return None


def _require_no_circle(feeds: Mapping[str, set[str]]) -> None:
    for start in feeds:
        path, at = [start], list(feeds[start])
        while at:
            key = at.pop()
            if key == start:
                raise InvalidArgument(
                    f"a plan in a circle: {' and '.join(path)} each need the other's conclusion; "
                    "leave one of them out"
                )
            if key not in path:
                path.append(key)
                at += feeds[key]


def _merged(claims: Mapping[str, Claim], given: list[sympy.Basic], shares: list[str]) -> Claim:
    last = list(claims.values())[-1]
    fields: dict[str, Any] = {}
    parameters: dict[sympy.Symbol, Any] = {}
    measure: dict[sympy.Symbol, Any] = {}
    hidden: set[sympy.Symbol] = set()
    for claim in claims.values():
        fields |= dict(claim.worlds.fields) if claim.worlds is not None else {}
        parameters |= claim.parameters
        measure |= claim.measure
        hidden |= set(claim.hidden)
        measure |= {sympy.Symbol(n, real=True): q for n, q in claim.shared.items()}
    if len(shares) > 1:
        unit = Real(0, 1, open_low=True, open_high=True)
        parameters[sympy.Symbol(FAILURE, real=True)] = unit
    known = {s.name for s in (*parameters, *measure)} | set(fields)
    for symbol, quantity in tuple(measure.items()):
        if not set(last.arguments(quantity)) <= known:  # of a draw: a number that somebody gives
            nonnegative = "nonnegative" in getattr(quantity, "facts", ())
            fields[symbol.name] = Real(0 if nonnegative else None, None)
            del measure[symbol]
    undefined = frozenset().union(*(claim.undefined for claim in claims.values()))
    spoken = last.statement.free_symbols().union(*(c.free_symbols for c in given))
    known = {s.name for s in (*parameters, *measure, *undefined)} | set(fields)
    for symbol in spoken:  # outcomes of draws
        if symbol.name not in known:
            fields[symbol.name] = Real(None, None)
    symbols = {s.name for s in (*parameters, *measure)}
    return replace(
        last, given=tuple(dict.fromkeys(c for c in given if c is not sympy.true)),
        worlds=Space(**{n: f for n, f in fields.items() if n not in symbols}) if fields else None,
        parameters=parameters, measure=measure, hidden=frozenset(hidden & set(measure)),
        draw=None, families=(),
        undefined=undefined, trivial=None, rescalings=(),
    )  # fmt: skip
