"""What is true of a claim's symbols whatever the theorem says: domains, signs, declared bounds.

A requirement asks what a theorem wants; a fact says what cannot be otherwise: a norm is not
negative, a margin is at most 1/2. Facts exclude points; they are never answers.

>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Real, Space, Vector
>>> x, size = sympy.symbols("x size", real=True)
>>> from boundcheck.quantities import facts
>>> claim = Claim(
...     source=Source("A", 2024, "Example").at("Lemma 1"), statement=Holds(size <= x),
...     parameters={x: Real(0, 1, open_low=True)}, worlds=Space(v=Vector(2)),
...     measure={size: facts("nonnegative")(lambda v: abs(v[0]))},
... )
>>> facts_of(claim, x), facts_of(claim, size)
([x > 0, x <= 1], [size >= 0])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.explore.squares import never_negative
from boundcheck.expressions import signs
from boundcheck.expressions.binding import Definition
from boundcheck.setting import INEQUALITIES, sides
from boundcheck.worlds.composed import Custom, Derived
from boundcheck.worlds.domains import is_number
from boundcheck.worlds.fields import Choice, Integer, Real, as_rational

WORDS = {
    "nonnegative": lambda s: [s >= 0],
    "positive": lambda s: [s > 0],
    "probability": lambda s: [s >= 0, s <= 1],
}


def field_of(claim: Claim, name: str) -> Any:
    """The field of a parameter or of a world value, or None."""
    field = next((f for s, f in claim.parameters.items() if s.name == name), None)
    if field is None and claim.worlds is not None:
        field = claim.worlds.fields.get(name)
    return field


def facts_of(claim: Claim, symbol: sympy.Symbol) -> list[sympy.Basic]:
    """Relations that hold of a symbol in every world of a claim, between it and other symbols.

    From the field it is drawn from, what is declared of its quantity, and what the symbol carries.
    """
    found = [*_of_field(claim, symbol, field_of(claim, symbol.name))]
    if symbol in claim.hidden:
        found.append(symbol > 0)
    quantity = claim.measured.get(symbol.name)
    for word in _words(claim, quantity):
        found += WORDS.get(word, lambda s: [])(symbol)
    found += getattr(quantity, "relations", ())
    meaning = getattr(symbol, "meaning", None)
    for word in getattr(meaning, "facts", ()):
        found += WORDS.get(word, lambda s: [])(symbol)
    definition = getattr(meaning, "definition", None)
    definition = claim.stands.get(symbol.name, definition)  # a claim may set another
    defined = isinstance(definition, sympy.Basic) and getattr(meaning, "rank", 0) == 0
    if meaning is not None and defined and never_negative(definition, claim.stands):
        found.append(symbol >= 0)
    most = getattr(meaning, "most", None)
    if most is not None:
        found.append(symbol <= most)
    return [f for f in dict.fromkeys(found) if f not in (sympy.true, sympy.false)]


def _words(claim: Claim, quantity: Any) -> Iterable[str]:
    """What is known of a quantity; of an expression what follows in the domains of the claim."""
    if isinstance(quantity, Definition):
        return dict.fromkeys((*quantity.declared, *signs.facts_of(quantity.whole, claim.stands)))
    words: Iterable[str] = getattr(quantity, "facts", ())
    return words


def implied(
    claim: Claim, symbol: sympy.Symbol, hypotheses: Iterable[sympy.Basic]
) -> Iterator[sympy.Basic]:
    """What hypotheses between two symbols say of one of them, by the facts of the other.

    From margin < noise, where noise is at most 1/2, margin < 1/2.
    """
    for relation in hypotheses:
        pair = sides(relation) if isinstance(relation, INEQUALITIES) else ()
        if symbol not in pair or not all(side.is_Symbol for side in pair):
            continue
        place = pair.index(symbol)
        strict = isinstance(relation, (sympy.Lt, sympy.Gt))
        for fact in facts_of(claim, pair[1 - place]):
            if isinstance(fact, INEQUALITIES) and sides(fact)[place] == pair[1 - place]:
                said = fact.xreplace({pair[1 - place]: symbol})
                yield sympy.Lt(*sides(said)) if strict else said


def is_whole(claim: Claim, name: str) -> bool:
    """Whether a symbol takes integer values only: a size, a count."""
    field = field_of(claim, name)
    if isinstance(field, Choice):
        return all(isinstance(item, int) and item > 0 for item in field.items)
    if isinstance(field, Integer):
        return True
    return "integer" in _words(claim, claim.measured.get(name))


def is_name_of(label: str, symbol: str, field: Any, value: Any) -> bool:
    """Whether a value is one of the names that a field chooses from.

    Raises: InvalidArgument for another value where there is nothing but names.
    """
    items = field.items if isinstance(field, Choice) else ()
    names = [item for item in items if isinstance(item, str)]
    if names and len(names) == len(items) and value not in names:
        raise InvalidArgument(
            f"{label}: {symbol} = {value} is none of {', '.join(dict.fromkeys(names))}; give "
            f"--set {symbol}={names[0]}"
        )
    return value in names


def _of_field(claim: Claim, symbol: sympy.Symbol, field: Any) -> list[sympy.Basic]:
    if isinstance(field, Choice):
        return _one_of(symbol, [sympy_number(item) for item in field.items if is_number(item)])
    if isinstance(field, Custom):
        return _of_field(claim, symbol, field.domain)
    if isinstance(field, Derived):
        return _of_rule(claim, symbol, field)
    if not isinstance(field, (Integer, Real)):
        return []
    found: list[sympy.Basic] = []
    low, high = _end(claim, field.low), _end(claim, field.high)
    if low is not None:
        found.append(symbol > low if getattr(field, "open_low", False) else symbol >= low)
    if high is not None:
        found.append(symbol < high if getattr(field, "open_high", False) else symbol <= high)
    return found


def _one_of(symbol: sympy.Symbol, numbers: list[sympy.Rational]) -> list[sympy.Basic]:
    """That a symbol is one of some numbers; nothing of names."""
    if len(set(numbers)) < 2:
        return [sign for number in numbers[:1] for sign in (symbol >= number, symbol <= number)]
    equal = (sympy.Eq(symbol, number, evaluate=False) for number in sorted(set(numbers)))
    return [sympy.Or(*equal, evaluate=False)]


def _end(claim: Claim, end: Any) -> sympy.Expr | None:
    if end is None:
        return None
    if isinstance(end, str) and end in claim.names:
        known = [s for s in (*claim.parameters, *claim.measure) if s.name == end]
        return known[0] if known else sympy.Symbol(end, real=True)
    try:
        return sympy_number(as_rational(end, {}))
    except (ValueError, TypeError):
        return None


def sympy_number(value: Any) -> sympy.Rational:
    """An exact number for SymPy."""
    return sympy.Rational(int(fmpq(value).p), int(fmpq(value).q))


def _of_rule(claim: Claim, symbol: sympy.Symbol, field: Derived) -> list[sympy.Basic]:
    """The sign of a derived number whose rule is arithmetic in numbers of known sign."""
    import inspect

    try:
        values = [_signed(claim, name) for name in inspect.signature(field.rule).parameters]
        value = sympy.sympify(field.rule(*values)) if None not in values else None
    except Exception:  # rules are written for numbers; most do not take symbols
        return []
    if getattr(value, "is_positive", False):
        return [symbol > 0]
    return [symbol >= 0] if getattr(value, "is_nonnegative", False) else []


def _signed(claim: Claim, name: str) -> sympy.Symbol | None:
    field = field_of(claim, name)
    low = _end(claim, field.low) if isinstance(field, (Integer, Real)) else None
    if low is None or low.is_Rational is not True or low < 0:
        return None
    above = low > 0 or getattr(field, "open_low", False)
    return sympy.Symbol(name, positive=True) if above else sympy.Symbol(name, nonnegative=True)
