"""The constants of a statement: numbers in front of its larger sides, exponents, thresholds.

>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Real
>>> x, y = sympy.symbols("x y", real=True)
>>> claim = Claim(
...     source=Source("A", 2024, "Example").at("Lemma 1"), statement=Holds(x <= 3 * sympy.sqrt(y)),
...     given=[x**2 <= 2 * y], parameters={x: Real(0, None), y: Real(0, None)},
... )
>>> [(knob.kind, knob.printed) for knob in knobs(claim)]
[('factor', 3), ('exponent', 1/2), ('threshold', 2)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import sympy

from boundcheck.claim import Claim, UpToConstant
from boundcheck.errors import InvalidArgument, MalformedStatement
from boundcheck.explore.grammar import parse_value
from boundcheck.setting import flatten, guarded

INEQUALITIES = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
Kind = Literal["factor", "summand", "exponent", "threshold"]


@dataclass(frozen=True)
class Knob:
    """One constant of a claim.

    Args: kind: of constant. printed: its value. where: the comparison it stands in. beside: what
    it multiplies, or the power it is the exponent of. base: the claim with only that comparison.
    turned: the claim at another value of the constant. place: among those of its kind.
    """

    kind: Kind
    printed: sympy.Expr
    where: sympy.Basic
    beside: sympy.Expr
    base: Claim
    turned: Callable[[sympy.Expr], Claim]
    place: int = 0


def knobs(claim: Claim) -> Iterator[Knob]:
    """The constants of a claim that can be sharpened, the factors first.

    None of statements up to a constant, which have no constant, and of equations.
    """
    seen: Counter[str] = Counter()
    for knob in _knobs(claim):
        yield replace(knob, place=seen[knob.kind])
        seen[knob.kind] += 1


def turned(claim: Claim, kind: Kind, value: Any, place: int = 0) -> Claim:
    """A claim at another value of one of its constants; of several comparisons only that one.

    Args: kind, place: the constant, as `sharpen` names it. value: number or text such as "1/4".
    Raises: InvalidArgument where the claim has no such constant.
    """
    for knob in knobs(claim):
        if (knob.kind, knob.place) == (kind, place):
            return knob.turned(parse_value(value))
    raise InvalidArgument(
        f"{claim.source}: it has no {kind} number {place}; give the place of one it has"
    )


def _knobs(claim: Claim) -> Iterator[Knob]:
    if isinstance(claim.statement, UpToConstant) or claim.undefined:
        return
    for premises, part in guarded(claim.statement.relation):
        if isinstance(part, INEQUALITIES) and part.gts.is_commutative and part.lts.is_commutative:
            yield from _of_part(claim, premises, part)
    yield from _of_hypotheses(claim)


def hypotheses(claim: Claim) -> Iterator[tuple[sympy.Basic, Claim]]:
    """Hypotheses between symbols, each with the claim that lacks it.

    What only says in which range one symbol lies is a domain, and stays.
    """
    for condition in claim.given:
        for member in flatten(condition):
            if len(member.free_symbols) < 2:
                continue
            try:
                yield member, _given(claim, member, ())
            except MalformedStatement:
                continue


def _of_part(
    claim: Claim, premises: tuple[sympy.Basic, ...], part: sympy.Rel
) -> Iterator[Knob]:
    strict = isinstance(part, (sympy.Lt, sympy.Gt))
    compare = sympy.Lt if strict else sympy.Le
    low, high = part.lts, part.gts

    def stated(larger: sympy.Expr) -> Claim:
        relation: sympy.Basic = compare(low, larger, evaluate=False)
        for premise in reversed(premises):
            relation = sympy.Implies(premise, relation, evaluate=False)
        return replace(claim, statement=claim.statement.with_relation(relation))

    base = stated(high)
    number, rest = _front(high)
    if number.is_positive:
        yield Knob("factor", number, part, rest, base, lambda value: stated(value * rest))
    for term in high.args if high.is_Add else ():
        front, beside = _front(term)
        if front.is_positive and not beside.is_number:
            others = high - term
            yield Knob(
                "summand", front, part, beside, base,
                lambda value, beside=beside, others=others: stated(others + value * beside),
            )  # fmt: skip
    for power in sorted(high.atoms(sympy.Pow), key=str):
        if power.exp.is_Rational and power.exp != -1 and power.base.free_symbols:
            yield Knob(
                "exponent", power.exp, part, power, base,
                lambda value, power=power: stated(high.xreplace({power: power.base**value})),
            )  # fmt: skip


def _of_hypotheses(claim: Claim) -> Iterator[Knob]:
    """Numbers in front of the side of a hypothesis that something has to reach or stay below."""
    for member, _ in hypotheses(claim):
        if not isinstance(member, INEQUALITIES):
            continue
        for place, side in enumerate(member.args):
            number, rest = _front(side)
            if side.is_Symbol or number == 1 or not number.is_positive or rest.is_number:
                continue
            yield Knob(
                "threshold", number, member, rest, claim,
                lambda value, member=member, place=place, rest=rest: _given(
                    claim, member, (_with_side(member, place, value * rest),)
                ),
            )  # fmt: skip


def _with_side(member: sympy.Rel, place: int, side: sympy.Expr) -> sympy.Rel:
    sides = list(member.args)
    sides[place] = side
    return member.func(*sides, evaluate=False)


def _given(claim: Claim, member: sympy.Basic, instead: tuple[sympy.Basic, ...]) -> Claim:
    """The claim with a member of its hypotheses replaced."""
    found: list[sympy.Basic] = []
    for condition in claim.given:
        for item in flatten(condition):
            found += instead if item == member else (item,)
    return replace(claim, given=tuple(found))


def _front(expr: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The number in front of an expression, irrational or not, and the rest."""
    if expr.is_number:
        return expr, sympy.S.One
    if expr.is_Add:
        return expr.primitive()
    return expr.as_independent(*expr.free_symbols, as_Add=False) if expr.is_Mul else (
        sympy.S.One, expr
    )  # fmt: skip
