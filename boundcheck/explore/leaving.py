"""What a statement asks before it concludes: hypotheses that may be left out, domains that stay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import MalformedStatement
from boundcheck.explore.facts import facts_of
from boundcheck.explore.ranges import Range
from boundcheck.explore.stated import level
from boundcheck.setting import INEQUALITIES, flatten
from boundcheck.worlds import Choice, Integer, Real, Weights
from boundcheck.worlds.composed import promised_field

SEEN = (Choice, Integer, Real, Weights)  # fields of which search sees enough


def hypotheses(claim: Claim) -> Iterator[tuple[sympy.Basic, Claim]]:
    """Hypotheses that may be left out, each with the claim for the worlds in which it fails.

    Those between symbols and the bounds of one symbol by a number; what says the sign of a symbol,
    or bounds the level of a probability, is a domain and stays.
    """
    stated = level(claim)
    stays = set() if stated is None else stated.free_symbols
    for condition in claim.given:
        for member in flatten(condition):
            if not member.free_symbols - stays or _is_domain(claim, member):
                continue
            try:
                yield member, with_instead(claim, member, (otherwise(member),))
            except MalformedStatement:
                continue


def _is_domain(claim: Claim, condition: sympy.Basic) -> bool:
    """Whether a condition on one symbol says its sign, what its domain says, or no bound."""
    if len(condition.free_symbols) > 1:
        return False
    if not isinstance(condition, INEQUALITIES) or sympy.S.Zero in condition.args:
        return True
    (symbol,) = condition.free_symbols
    allowed = range_of(claim, symbol)
    return allowed.narrowed(condition, symbol.name) == allowed


def otherwise(condition: sympy.Basic) -> sympy.Basic:
    """A condition that holds where another fails, left as it stands.

    >>> x = sympy.Symbol("x", real=True)
    >>> otherwise(sympy.Ge(x**2, 0, evaluate=False))
    x**2 < 0
    """
    for one, other in ((sympy.Le, sympy.Gt), (sympy.Ge, sympy.Lt), (sympy.Eq, sympy.Ne)):
        for kind, against in ((one, other), (other, one)):
            if isinstance(condition, kind):
                return against(*condition.args, evaluate=False)
    return sympy.Not(condition, evaluate=False)


def range_of(claim: Claim, symbol: sympy.Symbol) -> Range:
    """What the domain of a symbol and its facts leave it."""
    allowed = Range(whole=isinstance(claim.fields.get(symbol.name), Integer))
    for fact in facts_of(claim, symbol):
        allowed = allowed.narrowed(fact, symbol.name) or allowed
    return allowed


def without_end(claim: Claim, condition: sympy.Basic) -> list[str]:
    """Names of vectors and the like that a condition reads and whose entries have no end.

    Search follows single numbers far beyond where it looks, but not these.
    """
    names, found = sorted(symbol.name for symbol in condition.free_symbols), []
    while names:
        name = names.pop(0)
        quantity, field = claim.measured.get(name), claim.fields.get(name)
        if quantity is not None:
            names += claim.arguments(quantity)
        elif field is not None and not isinstance(promised := promised_field(field), SEEN):
            ends = [getattr(promised, end, None) for end in ("low", "high")]
            found += [name] if None in ends else []
    return found


def with_instead(claim: Claim, member: sympy.Basic, instead: tuple[sympy.Basic, ...]) -> Claim:
    """The claim with a member of its hypotheses replaced."""
    found: list[sympy.Basic] = []
    for condition in claim.given:
        for item in flatten(condition):
            found += instead if item == member else (item,)
    return replace(claim, given=tuple(found))


def varies(claim: Claim, expression: sympy.Basic) -> bool:
    """Whether an expression reads a number of the world, a parameter or a draw."""
    return any(_name_varies(claim, symbol.name) for symbol in expression.free_symbols)


def _name_varies(claim: Claim, name: str) -> bool:
    if name in claim.fields or name in claim.random_names:
        return True
    quantity = claim.measured.get(name)
    return quantity is not None and any(
        _name_varies(claim, each) for each in claim.arguments(quantity)
    )
