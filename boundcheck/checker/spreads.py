"""Worlds whose entries move one by one and whose parts are copied: a statement about numbers alone.

A sum over atoms of which some are t equal copies is t times the term of one copy, and a maximum is
that over one of each. So a statement about vectors, weights and matrices, in a world of a given
shape whose entries move as e + c t^p and some of whose parts are copied t times, is one about these
numbers and t; rays of such statements have laws (`boundcheck.checker.rays.law`). A weight is shared
out among the copies of its atom. One rule per kind of node; what has none is not written out, as an
index that is used as a number: copies would differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy

from boundcheck.arithmetic import Value
from boundcheck.checker import chance
from boundcheck.checker.along import UNKNOWN
from boundcheck.checker.crowded import Crowded
from boundcheck.checker.germs import NoGerm
from boundcheck.checker.judge import is_admissible
from boundcheck.checker.least import AtLeast
from boundcheck.checker.ray import motions_of
from boundcheck.checker.rays import stays
from boundcheck.checker.words import Worded
from boundcheck.checker.writing import Unwritten
from boundcheck.checker.written import Spread, Written, level_of
from boundcheck.claim import Claim, Expected, Form, Holds, UpToConstant, WithProbability
from boundcheck.errors import MalformedStatement
from boundcheck.exact import INEQUALITIES
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Average
from boundcheck.expressions.symbols import known_symbols
from boundcheck.worlds.draws import Counts


def law_of(claim: Claim, spread: Spread) -> str:
    """How left over right grows without end as a world is spread, in words; "" if that is not
    certain. Both sides must be those of the world itself where it is made in full."""
    form = claim.statement
    if not isinstance(form, UpToConstant) or claim.undefined:
        return ""
    rule = RULES.get(type(form.inner))
    if rule is None or not is_admissible(claim, spread.start):
        return ""
    try:
        return rule(claim, spread)
    except (NoGerm, Unwritten, MalformedStatement, *UNKNOWN):
        return ""


def of_means(claim: Claim) -> Claim:
    """A statement between expectations over one outcome as one between means in the world.

    Raises: Unwritten where it is none.
    """
    form = claim.statement
    if not isinstance(form, UpToConstant) or type(form.inner) is not Expected or not isinstance(
        form.relation, INEQUALITIES
    ):
        raise Unwritten(str(form))
    sides = [_in_full(claim, side) for side in form.relation.args]
    drawn = {symbol for side in sides for symbol in known_symbols(side)
             if symbol.meaning.role == "outcome"}  # fmt: skip
    if len(drawn) != 1 or {symbol.meaning.draw for symbol in drawn} != {claim.draw}:
        raise Unwritten(str(claim.draw))
    measure = {symbol: quantity for symbol, quantity in claim.measure.items()
               if not isinstance(quantity, Definition)
               or not drawn & _in_full(claim, quantity.whole).free_symbols}  # fmt: skip
    sides = [Average(side, *drawn) for side in sides]
    return replace(claim, statement=UpToConstant(
        form.relation.func(*sides, evaluate=False), form.depends), measure=measure,
        draw=None)  # fmt: skip


def _in_full(claim: Claim, expr: sympy.Expr) -> sympy.Expr:
    """Definitions put in their places."""
    while True:
        named = {symbol: claim.measured.get(symbol.name) for symbol in expr.free_symbols}
        found = {symbol: quantity.whole for symbol, quantity in named.items()
                 if isinstance(quantity, Definition)}  # fmt: skip
        if not found:
            return expr
        expr = expr.xreplace(found)


def _law_of_values(claim: Claim, spread: Spread) -> str:
    written = Worded if spread.words else AtLeast if spread.least else Written
    return written(claim, spread).law() if claim.draw is None else ""


def _law_of_outcomes(claim: Claim, spread: Spread) -> str:
    """The law of an outcome, if all that have one weigh more than is allowed to fail; of atoms that
    are copied that of every outcome."""
    if spread.words:
        return ""
    if spread.rare:
        return _law_of_the_rarest(claim, spread)
    if spread.size and isinstance(claim.draw, Counts):
        return Crowded(claim, spread).law()
    plain = Written(claim, spread)
    readings = chance.readings(claim, plain.parts, plain.start, plain.moves)
    written = [Written(claim, spread, reading) for reading in readings]
    failing = [(found, each) for each in written if (found := each.law())]
    if not failing:
        return ""
    words, first = failing[0]
    mass = sympy.Add(*(each.reading.mass for _, each in failing if each.reading))
    level = plain.writing.number(level_of(claim))
    heavy = sympy.Gt(mass, 1 - level)
    if heavy in (sympy.true, sympy.false):
        return words if heavy else ""
    allowed = replace(first.claim, given=[*first.claim.given, heavy])
    return words if stays(allowed, first.ray) else ""


def _law_of_the_rarest(claim: Claim, spread: Spread) -> str:
    """The law of the outcome that all draws come to the first value, where twice as much as the
    number that follows its probability is more than may fail."""
    reading = chance.all_alike(claim, spread.start, spread.size, spread.moves)
    written = Written(claim, spread, reading)
    share = sympy.simplify((1 - written.writing.number(level_of(claim))) / reading.mass)
    return written.law() if share.is_Rational and 0 < share < 1 else ""


def _law_of_means(claim: Claim, spread: Spread) -> str:
    return _law_of_values(of_means(claim), spread)


RULES: dict[type[Form], Callable[[Claim, Spread], str]] = {
    Holds: _law_of_values, Expected: _law_of_means, WithProbability: _law_of_outcomes,
}  # fmt: skip

# As part of a witness.


def said(spread: Spread) -> str:
    """How a world goes on, in words."""
    rates = [f"{name} moves as {'' if end == 0 else f'{end} + '}c t^{power}"
             for name, (power, end) in spread.moves.items()]  # fmt: skip
    if spread.words:
        return f"{spread.size} grows, {spread.words} holding all words of this length"
    places = ", ".join(map(str, spread.copied))
    copies = [f"{spread.size} grows by t copies of parts {places}"] if spread.size else []
    falls = [f"{spread.rare} falls as the probability that all draws come to the first value"]
    least = [f"{spread.least} is the least whole number that hypotheses allow"]
    return "; ".join(copies + rates + falls * bool(spread.rare) + least * bool(spread.least))


def as_extra(spread: Spread) -> dict[str, Any]:
    """How a witness says how its world goes on."""
    moves = {name: [str(power), str(end)] for name, (power, end) in spread.moves.items()}
    words = {"words": spread.words} if spread.words else {}
    others = {name: value for name, value in (("rare", spread.rare), ("least", spread.least))
              if value}  # fmt: skip
    return {"ray": moves, "repeated": spread.size, "copied": list(spread.copied), **words, **others}


def from_extra(extra: Mapping[str, Any], values: Mapping[str, Value]) -> Spread:
    """The spread that a witness says. Raises: ValueError, TypeError where there is none."""
    names = ("repeated", "words", "rare", "least")
    size, words, rare, least = (str(extra.get(name, "")) for name in names)
    copied = tuple(map(int, extra.get("copied", ())))
    return Spread(values, motions_of(extra["ray"]), size, copied, words, rare, least)
