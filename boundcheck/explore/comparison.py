"""Two claims side by side: what differs in form, level, sides and conditions, and where it matters.

>>> import sympy
>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Integer
>>> n = sympy.Symbol("n", real=True)
>>> place = Source("A", 2024, "Example").at("Theorem 1")
>>> first, second = (
...     Claim(source=place, statement=Holds(1 / n <= c / sympy.sqrt(n)),
...           parameters={n: Integer(1, searched=100)}) for c in (1, 2)
... )
>>> found = compare(first, second)
>>> found.same, found.ratio
(False, 2)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.claim import Claim, UpToConstant
from boundcheck.errors import InvalidArgument
from boundcheck.explore.completion import completed
from boundcheck.explore.conditions import System, as_system
from boundcheck.explore.meanings import Meant, meanings
from boundcheck.explore.stated import level, statement_parts
from boundcheck.explore.wording import formula_text, plain, short
from boundcheck.setting import INEQUALITIES, flatten

FACTORS = (fmpq(4), fmpq(1, 4))
POINTS = 16  # looked at for each claim
FAILS = "fails"
OPERATIONS = 40  # a shorter formula is simple enough
ENOUGH = 6  # after so many points one difference is told and others are no longer sought


@dataclass(frozen=True)
class Difference:
    """A point at which two claims say different things.

    Args: what: the part that differs. first, second: what each says there.
    """

    what: str
    values: Mapping[str, Any]
    first: str
    second: str

    def __str__(self) -> str:
        at = ", ".join(f"{name} = {plain(value)}" for name, value in self.values.items())
        if FAILS in (self.first, self.second):
            own, other = ("-", "+") if self.first == FAILS else ("+", "-")
            return f"at {at}: {self.what} of {own} fails, all conditions of {other} hold"
        return f"at {at}: {self.what} is {self.first} in -, {self.second} in +"


@dataclass(frozen=True)
class Comparison:
    """What differs between two claims.

    Args:
        forms, levels, sides: pairs that differ, or None.
        only_first, only_second: conditions that the other claim lacks.
        symbols: symbols that occur in one claim only.
        meant: names of both with what they stand for in either, where that differs.
        ratio: second right side over first, simplified; None if the sides are no comparison.
        differences: points at which a difference matters.
    """

    first: str
    second: str
    forms: tuple[str, str] | None
    levels: tuple[Any, Any] | None
    sides: tuple[sympy.Basic, sympy.Basic] | None
    only_first: tuple[sympy.Basic, ...]
    only_second: tuple[sympy.Basic, ...]
    symbols: tuple[tuple[str, ...], tuple[str, ...]]
    ratio: sympy.Expr | None
    differences: tuple[Difference, ...]
    meant: tuple[Meant, ...] = ()

    @property
    def same(self) -> bool:
        """Whether form, level, sides, conditions, domains and definitions agree."""
        return not (self.forms or self.levels or self.sides or self.only_first or self.only_second
                    or self.meant)  # fmt: skip

    @property
    def by_strictness(self) -> bool:
        """Whether one statement has < where the other has <=, between the same sides."""
        if self.sides is None or not all(isinstance(s, INEQUALITIES) for s in self.sides):
            return False
        one, two = map(_normal, self.sides)
        return bool(one.args == two.args and one.func != two.func)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "first": self.first,
            "second": self.second,
            "same": self.same,
            "forms": list(self.forms) if self.forms else None,
            "levels": [str(item) for item in self.levels] if self.levels else None,
            "statements": [str(item) for item in self.sides] if self.sides else None,
            "only_first": [str(item) for item in self.only_first],
            "only_second": [str(item) for item in self.only_second],
            "symbols": [list(names) for names in self.symbols],
            "meanings": [list(item) for item in self.meant],
            "ratio": str(self.ratio) if self.ratio is not None else None,
            "differences": [
                {
                    "what": item.what, "first": item.first, "second": item.second,
                    "values": {name: str(value) for name, value in item.values.items()},
                }
                for item in self.differences
            ],
        }  # fmt: skip

    def _repr_latex_(self) -> str:
        ratio = "=" if self.ratio is None else sympy.latex(self.ratio)
        return f"$\\displaystyle {ratio}$"

    def _repr_html_(self) -> str:
        from boundcheck.explore.display import of_comparison

        return of_comparison(self)

    def __str__(self) -> str:
        if self.same:
            return f"{self.first} and {self.second} state the same"
        lines = [f"- {self.first}", f"+ {self.second}"]
        for label, pair in (("form", self.forms), ("level", self.levels), ("says", self.sides)):
            if pair:
                lines += [
                    f"{sign} {label}  {formula_text(item)}"
                    for sign, item in zip("-+", pair, strict=True)
                ]
        lines += [f"- given  {formula_text(relation)}" for relation in self.only_first]
        lines += [f"+ given  {formula_text(relation)}" for relation in self.only_second]
        for name, *texts in self.meant:
            lines += [f"{sign} where  {name}: {text}"
                      for sign, text in zip("-+", texts, strict=True)]  # fmt: skip
        if self.by_strictness:
            lines.append("the statements differ only where both sides are equal")
        elif self.sides and self.ratio is not None and len(str(self.ratio)) < 200:
            lines.append(
                f"ratio of the right sides (second over first): {formula_text(self.ratio)}"
            )
        for names, sign in zip(self.symbols, "-+", strict=True):
            if names:
                lines.append(f"{sign} symbols {', '.join(names)}")
        lines += [str(item) for item in self.differences]
        return "\n".join(lines)


def compare(
    first: Any, second: Any, *, root: Any = None, names: tuple[str, str] | None = None
) -> Comparison:
    """Two claims (or their keys) compared part by part; `names` are used in what is printed.

    Raises: UnknownKey for keys that do not exist.
    """
    one_label, one = as_system(first, None, None, root)
    two_label, two = as_system(second, None, None, root)
    one_label, two_label = names or (one_label, two_label)
    a, b = one.claim, two.claim
    ours = {_normal(r): r for condition in a.given for r in flatten(condition)}
    theirs = {_normal(r): r for condition in b.given for r in flatten(condition)}
    only_first = tuple(r for k, r in ours.items() if k not in theirs)
    only_second = tuple(r for k, r in theirs.items() if k not in ours)
    forms = None if _form(a) == _form(b) else (_form(a), _form(b))
    levels = None if _same(level(a), level(b)) else (level(a), level(b))
    sides = None
    if _normal(a.statement.relation) != _normal(b.statement.relation):
        sides = (a.statement.relation, b.statement.relation)
    differ = bool(forms or levels or sides or only_first or only_second)
    points = _points(one, two, [*only_first, *only_second]) if differ else iter(())
    return Comparison(
        one_label, two_label, forms, levels, sides, only_first, only_second,
        _symbols(a, b), _ratio(a, b), tuple(_differences(points, one, two, only_first,
                                                         only_second, levels)), meanings(a, b),
    )  # fmt: skip


def _form(claim: Claim) -> str:
    form = claim.statement
    return f"UpToConstant({form.inner.name})" if isinstance(form, UpToConstant) else form.name


def _same(first: Any, second: Any) -> bool:
    if first is None or second is None:
        return first is second
    gap = first - second
    return bool(first == second or sympy.expand(gap) == 0 or _simple(gap) == 0)


def _simple(expr: sympy.Expr) -> sympy.Expr:
    """An expression with powers collected and factors taken out, in exponents too.

    `sympy.simplify` looks for physical units and loads them, which takes longer than all the rest.
    """
    found = sympy.factor(sympy.powsimp(expr), deep=True)
    return found if found.is_number or sympy.count_ops(found) < OPERATIONS else sympy.simplify(expr)


def _normal(relation: sympy.Basic) -> Any:
    """Symbols by name and comparisons in one direction, equations in one order, so that equal
    text compares equal."""
    plain_symbols = {s: sympy.Symbol(s.name, real=True) for s in relation.free_symbols
                     if s.is_commutative}  # fmt: skip
    relation = relation.xreplace(plain_symbols)
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return relation.reversed
    if isinstance(relation, (sympy.Eq, sympy.Ne)):
        return relation.func(*sorted(relation.args, key=str), evaluate=False)
    return relation


def _symbols(a: Claim, b: Claim) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ours, theirs = (
        {s.name for s in c.statement.free_symbols().union(*(g.free_symbols for g in c.given))
         if "(" not in s.name}  # an expression without a name is shown in the statement itself
        for c in (a, b)
    )  # fmt: skip
    return tuple(sorted(ours - theirs)), tuple(sorted(theirs - ours))


def _ratio(a: Claim, b: Claim) -> sympy.Expr | None:
    try:
        first, second = statement_parts(a)[1], statement_parts(b)[1]
    except InvalidArgument:
        return None
    if first == 0 or not (first.is_commutative and second.is_commutative):
        return None
    names = {s: sympy.Symbol(s.name, real=True) for s in second.free_symbols | first.free_symbols}
    ratio = second.xreplace(names) / first.xreplace(names)
    found = _simple(ratio) if sympy.count_ops(ratio) < 120 else ratio
    return found.xreplace({plainly: symbol for symbol, plainly in names.items()})


def _points(one: System, two: System, differing: list[sympy.Basic]) -> Iterator[dict[str, Any]]:
    """Admissible points of either claim: plain values, then the same scaled up and down."""
    for system in (one, two):
        names = [n for r in system.conditions for n in system.inputs_of_relation(r)]
        other = two if system is one else one
        names += [n for r in other.conditions for n in other.inputs_of_relation(r)
                  if n in system.symbols]  # fmt: skip
        for owner in (one, two):
            for expr in _sides(owner):
                names += [n for n in owner.inputs_of_relation(expr) if n in system.symbols]
        names = list(dict.fromkeys(names))
        base, failing = completed(system, names)
        if not failing:
            yield base
        given = dict(system.values)
        telling = {symbol.name for relation in differing for symbol in relation.free_symbols}
        names.sort(key=lambda n: n not in telling)
        for name in names[: POINTS // len(FACTORS)]:
            for factor in FACTORS:
                value = fmpq(base[name]) * factor if isinstance(base[name], (int, fmpq)) else None
                if value is None or not system.ranges[name].contains(value):
                    continue
                # The others are moved again: both claims may ask more of them there.
                system.values = {**given, name: system.number(name, value)}
                found, failing = completed(system, names)
                system.values = given
                if not failing:
                    yield found


def _sides(system: System) -> tuple[sympy.Basic, ...]:
    try:
        return statement_parts(system.claim)
    except InvalidArgument:
        return ()


def _differences(
    points: Iterator[dict[str, Any]], one: System, two: System, only_first: tuple[Any, ...],
    only_second: tuple[Any, ...], levels: Any,
) -> list[Difference]:  # fmt: skip
    """At most one difference each of conditions, level and right side."""
    found: dict[str, Difference] = {}
    wanted = bool(only_first or only_second) + bool(levels) + bool(_sides_differ(one, two))
    for seen, values in enumerate(points):
        if len(found) >= wanted or (found and seen >= ENOUGH):
            break
        for relations, owner, other in ((only_first, one, two), (only_second, two, one)):
            for relation in relations:
                if "the condition" in found or not set(owner.inputs_of_relation(relation)) <= set(
                    values
                ):
                    continue
                mine = owner.holds(relation, values)
                theirs = all(other.holds(r, values) is True for r in other.conditions
                             if set(other.inputs_of_relation(r)) <= set(values))  # fmt: skip
                if mine is False and theirs:
                    words = (FAILS, "not asked")
                    pair = words if owner is one else words[::-1]
                    shown = _shown(owner, relation, values)
                    found["the condition"] = Difference(
                        f"the condition {short(relation)}", shown, *pair
                    )
        if levels and "level" not in found and None not in levels:
            stated = [s.evaluate(item, values) for s, item in zip((one, two), levels, strict=True)]
            if None not in stated and exact.sign(stated[0] - stated[1]) not in (0, None):
                used = {s.name for item in levels for s in item.free_symbols}
                found["level"] = Difference(
                    "the probability", {n: values[n] for n in sorted(used) if n in values},
                    *[f"{exact.to_float(v):.6g}" for v in stated],
                )  # fmt: skip
        if "side" not in found:
            side = _side_difference(one, two, values)
            if side is not None:
                found["side"] = side
    return list(found.values())


def _sides_differ(one: System, two: System) -> bool:
    return [_normal(s) for s in _sides(one)] != [_normal(s) for s in _sides(two)]


def _shown(system: System, expr: sympy.Basic, values: Mapping[str, Any]) -> dict[str, Any]:
    return {n: values[n] for n in system.inputs_of_relation(expr) if n in values}


def _side_difference(one: System, two: System, values: Mapping[str, Any]) -> Difference | None:
    ours, theirs = _sides(one), _sides(two)
    if not ours or not theirs or not (ours[1].is_commutative and theirs[1].is_commutative):
        return None
    for word, mine, yours in zip(("left side", "right side"), ours, theirs, strict=True):
        names = {*one.inputs_of_relation(mine), *two.inputs_of_relation(yours)}
        if mine == yours or not names <= set(values):
            continue
        first, second = one.evaluate(mine, values), two.evaluate(yours, values)
        if first is None or second is None or isinstance(first, exact.MATRICES):
            continue
        if exact.sign(first - second) in (0, None):
            continue
        return Difference(
            f"the {word}", {n: values[n] for n in sorted(names)},
            f"{exact.to_float(first):.6g}", f"{exact.to_float(second):.6g}",
        )  # fmt: skip
    return None
