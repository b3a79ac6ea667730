"""The constants of a statement: numbers in front of its sides, inside them, exponents, thresholds.

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

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Literal

import sympy

from boundcheck.claim import Claim, UpToConstant
from boundcheck.errors import InvalidArgument
from boundcheck.explore.grammar import parse_value
from boundcheck.explore.leaving import hypotheses, range_of, varies, with_instead
from boundcheck.explore.wording import formula_text
from boundcheck.setting import INEQUALITIES, flatten, guarded
from boundcheck.worlds import Integer

Kind = Literal["factor", "summand", "inside", "exponent", "threshold"]
Put = Callable[[sympy.Expr], Any]  # what has an expression in some place, as a claim has
ARITHMETIC = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log, sympy.Max, sympy.Min)


@dataclass(frozen=True)
class Knob:
    """One constant of a claim.

    Args: kind: of constant. printed: its value. where: the comparison it stands in. beside: what
    it multiplies, or the power it is the exponent of. base: the claim with only that comparison.
    turned: the claim at another value of the constant. place: among those of its kind.
    direction: -1 where a smaller value says more, 1 where a larger one does, 0 where that depends
    on the world or has to be seen. whole: it bounds an integer.
    """

    kind: Kind
    printed: sympy.Expr
    where: sympy.Basic
    beside: sympy.Expr
    base: Claim
    turned: Callable[[sympy.Expr], Claim]
    place: int = 0
    direction: int = -1
    whole: bool = False

    @property
    def alone(self) -> bool:
        """Whether it bounds one symbol in a hypothesis."""
        return self.kind == "threshold" and self.printed in self.where.args

    @property
    def bounded(self) -> set[str]:
        """Names of the symbols that have two ends between the printed value and another."""
        return {symbol.name for symbol in self.where.free_symbols} if self.alone else set()

    @property
    def text(self) -> str:
        """Which number of the statement it is."""
        of = self.where if self.alone else self.beside
        return f"{self.kind} {self.printed} of {formula_text(of)}"

    @property
    def spared(self) -> bool:
        """Whether it belongs to a part of a hypothesis that could be left out: zero is tried."""
        whole = self.printed * self.beside in self.where.args
        return self.kind == "threshold" and self.direction < 0 and not whole


def knobs(claim: Claim) -> Iterator[Knob]:
    """The constants of a claim that can be sharpened, the factors first.

    Of statements up to a constant the exponents alone; none of equations.
    """
    seen: Counter[str] = Counter()
    for knob in _knobs(claim):
        if not varies(claim, knob.beside) and knob.beside.free_symbols:
            continue  # a number made of two
        yield replace(knob, place=seen[knob.kind])
        seen[knob.kind] += 1


def turned(
    claim: Claim, kind: str = "", value: Any = None, place: int = 0, *,
    without: tuple[int, ...] = (),
) -> Claim:  # fmt: skip
    """A claim at another value of one of its constants, and without some of its hypotheses.

    Args: kind, place: the constant, as `sharpen` names it; "" for none. value: number or text such
    as "1/4". without: places of hypotheses among all members of `given`.
    Raises: InvalidArgument where the claim has no such constant or hypothesis.
    """
    members = [member for condition in claim.given for member in flatten(condition)]
    missing = [each for each in without if not 0 <= each < len(members)]
    if missing:
        raise InvalidArgument(
            f"{claim.source}: it has no hypothesis number {missing[0]}; give one below "
            f"{len(members)}"
        )
    changed = _changed(claim, kind, value, place) if kind else claim
    if not without:
        return changed
    kept = [member for condition in changed.given for member in flatten(condition)]
    return replace(changed, given=tuple(m for i, m in enumerate(kept) if i not in without))


def _changed(claim: Claim, kind: str, value: Any, place: int) -> Claim:
    for knob in knobs(claim):
        if (knob.kind, knob.place) == (kind, place):
            return within_whole(claim, knob, parse_value(value))
    raise InvalidArgument(
        f"{claim.source}: it has no {kind} number {place}; give the place of one it has"
    )


def within_whole(claim: Claim, knob: Knob, value: sympy.Expr) -> Claim:
    """A claim at another value of one of its constants, its other comparisons as they are."""
    alone = knob.turned(value)
    if knob.kind == "threshold":
        return alone
    part = alone.statement.relation
    while isinstance(part, sympy.Implies):
        part = part.args[1]
    whole = _in_whole(claim.statement.relation, knob.where, part)
    return replace(claim, statement=claim.statement.with_relation(whole))


def _in_whole(relation: sympy.Basic, part: sympy.Basic, other: sympy.Basic) -> sympy.Basic:
    if relation == part:
        return other
    if isinstance(relation, sympy.And):
        return sympy.And(*(_in_whole(arg, part, other) for arg in relation.args), evaluate=False)
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return sympy.Implies(premise, _in_whole(conclusion, part, other), evaluate=False)
    return relation


def _knobs(claim: Claim) -> Iterator[Knob]:
    if claim.undefined:
        return
    of_part = _of_order if isinstance(claim.statement, UpToConstant) else _of_part
    for premises, part in guarded(claim.statement.relation):
        commute = isinstance(part, INEQUALITIES) and all(arg.is_commutative for arg in part.args)
        if commute and varies(claim, part):
            yield from of_part(claim, premises, part)
    yield from _of_hypotheses(claim)


def _of_order(
    claim: Claim, premises: tuple[sympy.Basic, ...], part: sympy.Rel
) -> Iterator[Knob]:
    """Exponents of symbols in the order of a statement up to a constant."""
    high = part.gts
    for symbol, exponent in sorted(high.as_powers_dict().items(), key=lambda item: str(item[0])):
        if not (symbol.is_Symbol and exponent.is_Rational and exponent):
            continue

        def stated(
            value: sympy.Expr, symbol: sympy.Symbol = symbol, exponent: sympy.Expr = exponent
        ) -> Claim:
            changed = high * symbol ** (value - exponent)
            return _with_part(claim, premises, part, part.lts, changed)

        yield Knob(
            "exponent", exponent, part, symbol**exponent, stated(exponent), stated,
            direction=_direction(claim, symbol),
        )  # fmt: skip


def _direction(claim: Claim, symbol: sympy.Symbol) -> int:
    """Which exponents of a symbol say more: smaller ones if it is at least 1."""
    allowed = range_of(claim, symbol)
    if allowed.low is not None and allowed.low >= 1:
        return -1
    return 1 if allowed.low == 0 and allowed.high is not None and allowed.high <= 1 else 0


def _with_part(
    claim: Claim, premises: tuple[sympy.Basic, ...], part: sympy.Rel, low: sympy.Expr,
    high: sympy.Expr,
) -> Claim:  # fmt: skip
    """The claim with one comparison, under its premises, between two sides."""
    compare = sympy.Lt if isinstance(part, (sympy.Lt, sympy.Gt)) else sympy.Le
    relation: sympy.Basic = compare(low, high, evaluate=False)
    for premise in reversed(premises):
        relation = sympy.Implies(premise, relation, evaluate=False)
    return replace(claim, statement=claim.statement.with_relation(relation))


def _of_part(
    claim: Claim, premises: tuple[sympy.Basic, ...], part: sympy.Rel
) -> Iterator[Knob]:
    low, high = part.lts, part.gts

    def stated(larger: sympy.Expr) -> Claim:
        return _with_part(claim, premises, part, low, larger)

    base = stated(high)
    number, rest = _front(high)
    if number.is_positive and not low.is_zero:  # what is at least 0 is so at any multiple
        yield Knob("factor", number, part, rest, base, lambda value: stated(value * rest))
    for term in high.args if high.is_Add else ():
        front, beside = _front(term)
        if front.is_positive and not beside.is_number:
            others = high - term
            yield Knob(
                "summand", front, part, beside, base,
                _beside(stated, others, beside),
            )  # fmt: skip
    for inner, beside, put in (
        *_inside(high, stated),
        *_inside(low, lambda lower: _with_part(claim, premises, part, lower, high)),
        *_smaller_terms(low, lambda lower: _with_part(claim, premises, part, lower, high)),
    ):  # fmt: skip
        yield Knob("inside", inner, part, beside, base, put, direction=0)
    for power in sorted(high.atoms(sympy.Pow), key=str):
        if power.exp.is_Rational and power.exp != -1 and power.base.free_symbols:
            yield Knob(
                "exponent", power.exp, part, power, base,
                partial(_raised, stated, high, power), direction=0,
            )  # fmt: skip


Place = tuple[sympy.Expr, sympy.Expr, Put]


def _smaller_terms(low: sympy.Expr, put: Put) -> Iterator[Place]:
    """Numbers in front of a smaller side, or of its terms."""
    if low.is_Add:
        yield from (place for place in _terms(low, put) if not place[1].is_number)
    elif (front := _front(low)) and front[0].is_positive and front[0] != 1:
        yield *front, lambda value: put(value * front[1])


def _inside(expr: sympy.Expr, put: Put) -> Iterator[Place]:
    """Numbers in arguments of functions and in sums below powers, each with how to change it."""
    if not isinstance(expr, ARITHMETIC):
        return
    for place, part in enumerate(expr.args):

        def within(new: sympy.Expr, place: int = place) -> Any:
            return put(expr.func(*expr.args[:place], new, *expr.args[place + 1 :]))

        if part.is_Add if expr.is_Pow or expr.is_Mul else not expr.is_Add:
            yield from _terms(part, within)
        yield from _inside(part, within)


def _terms(part: sympy.Expr, put: Put) -> Iterator[Place]:
    """Numbers of the terms of a sum that are made of symbols: others may be one definition."""
    terms = sympy.Add.make_args(part)
    for term in terms:
        front, rest = (abs(term), sympy.S.One) if term.is_number else _front(term)
        number = abs(front)
        if not number.is_positive or not _elementary(rest):
            continue
        sign, others = term / (number * rest), part - term
        yield number, rest, _beside(put, others, sign * rest)


def _beside(put: Put, others: sympy.Expr, times: sympy.Expr) -> Put:
    """A number in the place of the one in a sum that multiplies `times`."""
    return lambda value: put(others + value * times)


def _raised(put: Put, whole: sympy.Expr, power: sympy.Pow, exponent: sympy.Expr) -> Any:
    return put(whole.xreplace({power: power.base**exponent}))


def _within(put: Put, changed: Put, value: sympy.Expr) -> Any:
    return put(changed(value))


def _elementary(expr: sympy.Expr) -> bool:
    """Whether an expression is elementary in symbols.

    >>> _elementary(sympy.Symbol("t")**2 / 3), _elementary(sympy.Function("f")(1))
    (True, False)
    """
    return all(
        isinstance(node, (sympy.Symbol, sympy.Number, *ARITHMETIC))
        for node in sympy.preorder_traversal(expr)
    )


def _of_hypotheses(claim: Claim) -> Iterator[Knob]:
    """Numbers in front of a side of a hypothesis that something has to reach, and inside it."""
    for member, _ in hypotheses(claim):
        if not isinstance(member, INEQUALITIES):
            continue
        for place, side in enumerate(member.args):

            def stated(
                new: sympy.Expr, member: sympy.Rel = member, place: int = place
            ) -> Claim:
                return with_instead(claim, member, (_with_side(member, place, new),))

            weaker = -1 if member.lts == side else 1  # which way the side has to go
            number, rest = _front(side)
            other = member.args[1 - place]
            if side.is_number and side.is_positive and other.is_Symbol:
                yield Knob(
                    "threshold", side, member, sympy.S.One, claim, stated, direction=weaker,
                    whole=isinstance(claim.fields.get(other.name), Integer),
                )  # fmt: skip
            asked = number != 1 or (other.is_Symbol and _elementary(rest))
            if asked and number.is_positive and not (side.is_Symbol or rest.is_number):
                yield Knob(
                    "threshold", number, member, rest, claim,
                    _beside(stated, sympy.S.Zero, rest),
                    direction=weaker,
                )  # fmt: skip
            for inner, beside, changed in _inside(side, _itself) if _elementary(side) else ():
                if inner == 1:
                    continue
                yield Knob(
                    "threshold", inner, member, beside, claim,
                    partial(_within, stated, changed),
                    direction=weaker * _slope(changed, inner),
                )  # fmt: skip


def _itself(expr: sympy.Expr) -> sympy.Expr:
    return expr


def _slope(changed: Callable[[sympy.Expr], sympy.Expr], at: sympy.Expr) -> int:
    """1 where an expression in positive symbols grows with a number in it, -1 where it falls, or 0.

    >>> x = sympy.Symbol("x")
    >>> [_slope(rule, sympy.Integer(2)) for rule in (lambda k: sympy.log(k * x), lambda k: x / k)]
    [1, -1]
    """
    here, there = changed(at), changed(at * sympy.Rational(9, 8))
    names = sorted(here.free_symbols | there.free_symbols, key=str)
    ends = sympy.lambdify(names, (here, there), "math")
    seen: set[float] = set()
    for base, apart in product((0.02, 0.6, 1.4, 4.25, 60.0), (1.1, 5.0, 0.2)):
        try:
            before, after = ends(*(base * apart**place for place in range(len(names))))
        except (ArithmeticError, ValueError, TypeError):  # no value there
            continue
        if before > 0 and abs(after - before) > 1e-12 * before:
            seen.add(math.copysign(1, after - before))
    return int(seen.pop()) if len(seen) == 1 else 0


def _with_side(member: sympy.Rel, place: int, side: sympy.Expr) -> sympy.Rel:
    sides = list(member.args)
    sides[place] = side
    return member.func(*sides, evaluate=False)


def _front(expr: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The number in front of an expression, irrational or not, and the rest."""
    if expr.is_number:
        return expr, sympy.S.One
    if expr.is_Add:
        number, rest = expr.primitive()
        return number, rest
    return expr.as_independent(*expr.free_symbols, as_Add=False) if expr.is_Mul else (
        sympy.S.One, expr
    )  # fmt: skip
