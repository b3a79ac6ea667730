"""Names that two claims share and that stand for different things: domains, definitions, draws."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from boundcheck.checker.text import HINTS, Writer
from boundcheck.claim import Claim
from boundcheck.errors import InvalidArgument
from boundcheck.explore.wording import domain_text, formula_text
from boundcheck.worlds.composed import Custom, Derived
from boundcheck.worlds.fields import Choice, Integer, Real

NUMBERS = (Integer, Real, Choice, Custom, Derived)  # a composition lies in the domains of all
Meant = tuple[str, str, str]  # a name, and what it stands for in either claim


def meanings(first: Claim, second: Claim) -> tuple[Meant, ...]:
    """What names of both claims stand for where that differs, as text.

    A part of a statement that has no name is told only where no name explains it.

    >>> from boundcheck import Holds, Source
    >>> import sympy
    >>> x, place = sympy.Symbol("x", real=True), Source("A", 2024, "T").at("Lemma 1")
    >>> says = Holds(x**3 >= -1)
    >>> lines = [Claim(place, says, parameters={x: Real(low, None)}) for low in (0, -1)]
    >>> meanings(*lines)
    (('x', 'real in [0, oo)', 'real in [-1, oo)'),)
    """
    found = list(_differing(first, second, lambda name: "(" not in name))
    found = found or list(_differing(first, second, lambda name: "(" in name))
    if Writer().of(first.draw) != Writer().of(second.draw):
        texts = ["nothing" if c.draw is None else c.draw.over for c in (first, second)]
        found.append(("random", *_apart(*texts)))
    return tuple(found)


def require_one_domain(claims: Mapping[str, Claim]) -> None:
    """What is no number ranges over the same in all statements that speak of it.

    Raises: InvalidArgument for a vector, a matrix or another object of one name over two domains.
    """
    spoken = {key: claim.reached(s.name for part in (claim.statement.relation, *claim.given)
                                 for s in part.free_symbols) for key, claim in claims.items()}
    for first, second in itertools.combinations(claims, 2):
        pair = claims[first], claims[second]
        for name, one, two in meanings(*pair):
            fields = [claim.fields.get(name) for claim in pair]
            both = name in spoken[first] & spoken[second] and None not in fields
            if both and not any(isinstance(field, NUMBERS) for field in fields):
                raise InvalidArgument(
                    f"{name} is {one} in {first} and {two} in {second}; state both for one domain"
                )


def _differing(first: Claim, second: Claim, told: Callable[[str], bool]) -> Iterator[Meant]:
    hidden = set(first.shared) | set(second.shared)
    for name in sorted(name for name in first.names & second.names - hidden if told(name)):
        one, two = (_meaning(claim, name) for claim in (first, second))
        if one is not None and two is not None and one[0] != two[0]:
            yield (name, *_apart(one[1], two[1]))


def _apart(one: str, two: str) -> tuple[str, str]:
    return (one, two) if one != two else (one, f"{two}, by another definition")


def _meaning(claim: Claim, name: str) -> tuple[str, str] | None:
    """(what decides the values of a name, the same in words); None for an outcome of a draw."""
    field = claim.fields.get(name)
    if field is not None:
        return _domain(field)
    quantity = claim.measured.get(name)
    if quantity is None:
        return None
    writer = Writer()
    decides = "\n".join([writer.of(quantity), *writer.definitions()])
    shown = getattr(quantity, "shown", None)
    if shown is not None:
        text = formula_text(shown)
        return decides, "a definition of its own" if text == name else text
    said = (getattr(quantity, "__doc__", None) or "").split("\n\n")[0]
    return decides, " ".join(said.split()) or getattr(quantity, "__name__", "a quantity")


def _domain(field: Any) -> tuple[str, str]:
    """The same of a field, without hints of where to search."""
    if isinstance(field, (Integer, Real, Choice)):
        text = domain_text(field)
        return text, text
    if not is_dataclass(field):
        return Writer().of(field), type(field).__name__
    stated = {part.name: getattr(field, part.name) for part in fields(field)
              if part.name not in HINTS}  # fmt: skip
    words = [f"{name} = {_plain(value)}" for name, value in stated.items()
             if value is not None and value is not False]  # fmt: skip
    decides = [f"{name} = {_plain(value) if _is_plain(value) else Writer().of(value)}"
               for name, value in stated.items()]  # fmt: skip
    kind = type(field).__name__
    return f"{kind} {decides}", f"{kind}, {', '.join(words)}" if words else kind


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, str))


def _plain(value: Any) -> str:
    return str(value) if _is_plain(value) else type(value).__name__
