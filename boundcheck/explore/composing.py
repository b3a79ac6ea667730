"""Statements composed: one's conclusion feeds another's condition, failures add up.

A condition `x <= c` of one statement, where another concludes `x <= bound`, is met where
`bound <= c`. Where several statements hold with high probability, each gets a share of the failure
probability, and the shares add up to at most the one that was given. What only holds in
expectation, or up to a constant, meets no condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim, Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.errors import InvalidArgument, MalformedStatement
from boundcheck.explore.facts import facts_of
from boundcheck.explore.meanings import require_one_domain
from boundcheck.explore.stated import level
from boundcheck.explore.wording import formula_text
from boundcheck.expressions.symbols import Known, Meaning
from boundcheck.setting import INEQUALITIES, flatten, guarded, parts, sides
from boundcheck.worlds import Space
from boundcheck.worlds.fields import Integer, Real

STRICT = (sympy.Lt, sympy.Gt)
FAILURE = "failure"  # what the shares of several failure probabilities add up to at most


@dataclass(frozen=True)
class Link:
    """A condition that another statement's conclusion meets.

    Args: condition: replaced. source: key of the statement that concludes. instead: what is asked.
    premises: of the conclusion, which are asked as well.
    """

    condition: sympy.Basic
    source: str
    instead: sympy.Basic
    premises: tuple[sympy.Basic, ...] = ()

    def __str__(self) -> str:
        met, asked = formula_text(self.condition), formula_text(self.instead)
        return f"{met} by {self.source}: {asked}"


@dataclass(frozen=True)
class Composition:
    """Several statements as one.

    Args: keys: of the statements, the last of which concludes. claim: its conditions are all of
    theirs, its statement that of the last, where all hold. links: conditions that conclusions meet.
    shares: names of the failure probabilities that add up to at most `failure`, with what fails
    `beside` them.
    """

    keys: tuple[str, ...]
    claim: Claim
    links: tuple[Link, ...]
    shares: tuple[str, ...]
    beside: sympy.Expr = sympy.S.Zero

    def shared(self, failure: fmpq) -> fmpq:
        """What the shares of a failure probability may add up to, at a guess where it depends."""
        number = self.beside
        return failure - fmpq(number.p, number.q) if number.is_Rational else failure / 2


def composed(claims: Mapping[str, Claim]) -> Composition:
    """The composition of statements. Parameters of one name are one parameter.

    Args: claims: by key, in any order but the one that concludes last.
    Raises: InvalidArgument where conclusions feed each other in a circle, and where a quantity of
    one name is defined differently, or anew, in two of them.
    """
    keys = tuple(claims)
    _require_one_meaning(claims)
    require_one_domain(claims)
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
                given += [member for premise in link.premises for member in flatten(premise)]
            if link is None:
                given.append(member)
            elif link.instead.lts != link.instead.gts or isinstance(link.instead, sympy.Lt):
                given.append(link.instead)
    _require_no_circle(feeds)
    failing = [1 - stated for claim in split.values() if (stated := level(claim)) is not None]
    if len(failing) > 1 and shares:
        failure = sympy.Symbol(FAILURE, real=True)
        given.append(sympy.Le(sympy.Add(*failing), failure, evaluate=False))
    try:
        claim = _merged(split, [*given, *_narrowed(split)], shares)
        _require_not_chosen(claim, split, links)
        claim = replace(claim, statement=_holding(keys[-1], claim.statement, failing))
    except MalformedStatement as error:  # symbols of one name that each statement has for itself
        raise InvalidArgument(f"{' + '.join(keys)} do not compose: {error}") from error
    beside = sympy.Add(*failing, *[-sympy.Symbol(name, real=True) for name in shares])
    return Composition(keys, claim, tuple(links), tuple(shares), beside)


def _holding(key: str, form: Form, failing: list[sympy.Expr]) -> Form:
    """The last statement with the probability that all hold.

    Raises: InvalidArgument for one between expectations where others may fail.
    """
    if not failing:
        return form
    inner = form.inner if isinstance(form, UpToConstant) else form
    if isinstance(inner, Expected):
        raise InvalidArgument(
            f"{key} is about expectations, and what it rests on holds with a probability only; "
            "compose it with statements that hold in every world"
        )
    made = WithProbability(1 - sympy.Add(*failing), inner.relation)
    return UpToConstant(made, form.depends) if isinstance(form, UpToConstant) else made


def _narrowed(claims: Mapping[str, Claim]) -> Iterator[sympy.Basic]:
    """What the domains of numbers say that are not the same in all statements."""
    spoken = {name for claim in claims.values() for name in claim.reached(
        s.name for part in (claim.statement.relation, *claim.given) for s in part.free_symbols)}
    for name in sorted(spoken):
        found = [claim for claim in claims.values() if name in claim.fields]
        if any(claim.fields[name] != found[0].fields[name] for claim in found):
            for claim in found:
                symbol = next((s for s in claim.parameters if s.name == name), None)
                symbol = sympy.Symbol(name, real=True) if symbol is None else symbol
                yield from facts_of(claim, symbol)


def _require_not_chosen(claim: Claim, claims: Mapping[str, Claim], links: list[Link]) -> None:
    """A number that a statement concludes a bound of is no choice, nor known to be that bound.

    Raises: InvalidArgument where others speak of it beyond the conditions that are met so.
    """
    last, free = list(claims)[-1], {symbol.name for symbol in claim.parameters}
    met = {link.condition for link in links}
    for key in [key for key in claims if key != last]:
        bounded = [side for _, part in _concluded(claims[key])
                   for side in _bounded(part, claims[key]) if side.name in free]  # fmt: skip
        said = [m for other in claims if other != key for c in claims[other].given
                for m in flatten(c) if m not in met]  # fmt: skip
        said += [m for link in links for c in (link.instead, *link.premises) for m in flatten(c)]
        said += [sides(part)[1] for _, part in _concluded(claims[last])]
        for symbol in bounded:
            where = next((m for m in said if symbol.name in claim.reached(
                s.name for s in m.free_symbols) and not _is_sign(m, symbol)), None)  # fmt: skip
            if where is not None:
                raise InvalidArgument(
                    f"{key} bounds {symbol}, and {formula_text(where)} speaks of it as if it were "
                    "chosen; state that for the bound"
                )


def _concluded(claim: Claim) -> list[tuple[tuple[sympy.Basic, ...], sympy.Rel]]:
    """The inequalities that a statement concludes, with their premises."""
    found = guarded(claim.statement.relation)
    return [(premises, part) for premises, part in found if isinstance(part, INEQUALITIES)]


def _bounded(part: sympy.Rel, claim: Claim) -> list[sympy.Symbol]:
    """Symbols that a conclusion bounds: from above, and from below by a formula of parameters."""
    small, large = sides(part)
    if small.is_Symbol:
        return [small]
    plain = bool(small.free_symbols) and small.free_symbols <= set(claim.parameters)
    return [large] if plain and large.is_Symbol else []


def _is_sign(member: sympy.Basic, symbol: sympy.Symbol) -> bool:
    """Whether a condition says that a symbol is positive, or not negative."""
    return isinstance(member, INEQUALITIES) and sides(member) == (0, symbol)


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
    probable = [key for key, claim in claims.items() if level(claim) is not None]
    if len(probable) < 2:
        return dict(claims), []
    found, shares = dict(claims), []
    for place, key in enumerate(probable):
        symbol, times = _failure(claims[key])
        if symbol is None:
            continue
        share = sympy.Symbol(f"{symbol.name}_{place + 1}", real=True)
        shares.append(share.name)
        found[key] = _renamed(key, claims[key], symbol, share, times)
    return found, shares


def _failure(claim: Claim) -> tuple[sympy.Symbol | None, sympy.Expr]:
    """The symbol of the failure probability and c, for a level of the form 1 - c delta."""
    stated = level(claim)
    failing = sympy.S.Zero if stated is None else sympy.expand(1 - stated)
    times, symbol = failing.as_coeff_Mul()
    if symbol not in claim.parameters or not times > 0:
        return None, sympy.S.One
    return symbol, times


def _renamed(
    key: str, claim: Claim, old: sympy.Symbol, new: sympy.Symbol, times: sympy.Expr
) -> Claim:
    """The claim that fails with probability `new`, which is `times` its own symbol for that.

    Raises: InvalidArgument where a definition speaks of that symbol.
    """
    form = claim.statement
    spoken = form.free_symbols().union(*(c.free_symbols for c in claim.given)) - {old}
    if old.name in claim.reached(symbol.name for symbol in spoken):
        raise InvalidArgument(
            f"{old} stands in definitions of {key}, and is to be a share of the failure "
            "probability; write these formulas out in the statement"
        )
    swap, inner = {old: new / times}, form.inner if isinstance(form, UpToConstant) else form
    assert isinstance(inner, WithProbability)
    changed: Any = WithProbability(inner.level.xreplace(swap), inner.relation.xreplace(swap))
    field, given = claim.parameters[old], claim.given
    if times != 1:
        given, field = (*given, *facts_of(claim, old)), Real(0, 1, open_low=True)
    parameters = {(new if s == old else s): f for s, f in claim.parameters.items()}
    parameters[new] = field
    return replace(
        claim, statement=UpToConstant(changed) if isinstance(form, UpToConstant) else changed,
        given=tuple(c.xreplace(swap) for c in given),
        parameters=parameters,
    )  # fmt: skip


def _link(key: str, member: sympy.Basic, claims: Mapping[str, Claim]) -> Link | None:
    """How another conclusion meets a condition `x <= c`, or None."""
    if not isinstance(member, INEQUALITIES):
        return None
    small, large = sides(member)
    if not small.is_Symbol:
        return None
    for other, claim in claims.items():
        if other == key or not isinstance(claim.statement, (Holds, WithProbability)):
            continue  # what holds up to a constant, or between expectations, meets nothing
        for premises, part in _concluded(claim):
            if sides(part)[0] == small:
                less = isinstance(member, STRICT) and not isinstance(part, STRICT)
                kind = sympy.Lt if less else sympy.Le
                instead = kind(sides(part)[1], large, evaluate=False)
                return Link(member, other, instead, premises)
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
        own = dict(claim.worlds.fields) if claim.worlds is not None else {}
        fields |= {n: f for n, f in own.items() if not isinstance(fields.get(n), Integer)}
        parameters |= {s: f for s, f in claim.parameters.items()
                       if not isinstance(parameters.get(s), Integer)}  # fmt: skip
        measure |= claim.measure
        hidden |= set(claim.hidden)
        measure |= {sympy.Symbol(n, real=True): q for n, q in claim.shared.items()}
    if shares:
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
