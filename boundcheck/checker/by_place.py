"""Expressions of a claim with a formula of the place for every entry of its vectors.

Sums over places are taken where they have a closed form, or stay sums of what reads a place alone;
what reads the distance of two places is summed by their distance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import sympy

from boundcheck.checker.laws import NoLaw, is_index
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Greatest,
    Indicator,
    Least,
    Node,
    Table,
    Total,
    rank_of,
)
from boundcheck.expressions.symbols import index as an_index

ONE, TWO = sympy.Integer(1), sympy.Integer(2)


class First(sympy.Function):  # type: ignore[misc]
    """One at place 0, else zero: stands in sums until they are taken."""


class Form(NamedTuple):
    """How entries are written. Args: entry: of a place. least, most: over all places, None: no
    bound. attained: whether the least is an entry."""

    entry: Callable[[Any], Any]
    least: int
    most: int | None
    words: str
    attained: bool = True


FORMS: dict[str, Form] = {
    "ones": Form(lambda k: ONE, 1, 1, "1"),
    "falling": Form(lambda k: 1 / (k + ONE), 0, 1, "1/(k + 1)", attained=False),
    "first": Form(First, 0, 1, "1 at k = 0, else 0"),
    "rising": Form(lambda k: k + ONE, 1, None, "k + 1"),
}


class Writing:
    """Expressions of a claim with entries in the place of its vectors."""

    def __init__(self, claim: Claim, size: str, forms: Mapping[str, str]) -> None:
        self.claim, self.size = claim, size
        self.forms = {name: FORMS[form].entry for name, form in forms.items()}
        self.many = next((symbol for symbol in claim.statement.relation.free_symbols
                          if symbol.name == size), sympy.Symbol(size, real=True))  # fmt: skip
        self.made = 0

    def touched(self, expr: sympy.Basic) -> bool:
        """Whether an expression reads a vector that is written."""
        for symbol in expr.free_symbols:
            quantity = self.claim.measured.get(symbol.name)
            if symbol.name in self.forms:
                return True
            if isinstance(quantity, Definition):
                if self.touched(quantity.whole):
                    return True
            elif quantity is not None and set(self.claim.arguments(quantity)) & {
                *self.forms, self.size
            }:
                return True
        return False

    def condition(self, expr: sympy.Basic) -> sympy.Basic:
        """A hypothesis, written. Raises: NoLaw for what is no comparison."""
        if not self.touched(expr):
            return expr
        if isinstance(expr, sympy.And):
            return sympy.And(*map(self.condition, expr.args))
        if not isinstance(expr, sympy.Rel):
            raise NoLaw(str(expr))
        return expr.func(*map(self.of, expr.args))

    def of(self, expr: sympy.Basic) -> sympy.Expr:
        """A number, written. Raises: NoLaw where no rule writes it."""
        if isinstance(expr, Named):
            return self.of(expr.body)
        if isinstance(expr, sympy.Symbol):
            quantity = self.claim.measured.get(expr.name)
            return self.of(quantity.whole) if isinstance(quantity, Definition) else expr
        if isinstance(expr, Total):
            return self.summed(self.of(expr.body), expr.indices)
        if isinstance(expr, (Greatest, Least)):
            return self._extreme(expr)
        if isinstance(expr, Apply):
            return self._primitive(expr)
        if isinstance(expr, Indicator):
            return expr.func(self._asked(expr.condition))
        if isinstance(expr, sympy.Piecewise):
            return self._cases(expr)
        if isinstance(expr, sympy.Abs):
            inner = self.of(expr.args[0])
            return inner if is_nonnegative(inner) else sympy.Abs(inner)
        if not self.touched(expr):
            return expr
        if isinstance(expr, Node) or rank_of(expr) != 0:
            raise NoLaw(str(expr))
        return expr.func(*map(self.of, expr.args))

    def _asked(self, condition: sympy.Basic) -> sympy.Basic:
        if self.touched(condition):
            raise NoLaw(str(condition))
        return condition

    def _cases(self, expr: sympy.Piecewise) -> sympy.Expr:
        """One case or nothing, by places, as an indicator times a number."""
        (value, condition), *rest = expr.args
        if condition == sympy.true:
            return self.of(value)
        if len(rest) == 1 and rest[0][0] == 0 and rest[0][1] == sympy.true:
            return self.of(value) * Indicator(self._asked(condition))
        raise NoLaw(str(expr))

    def _primitive(self, node: Apply) -> sympy.Expr:
        name, operands = node.primitive.standard, node.operands
        if not self.touched(node):
            return node
        if name == "entry" and len(operands) == 2:
            return self.entry(operands[0], operands[1])
        if name in ("norm", "inner") and len(operands) == (1 if name == "norm" else 2):
            place = self.place()
            product = sympy.Mul(*(self.entry(each, place) for each in (operands * 2)[:2]))
            found = self.summed(product, (place,))
            return sympy.sqrt(found) if name == "norm" else found
        raise NoLaw(str(node))

    def place(self) -> Any:
        """A new index of the size."""
        self.made += 1
        return an_index(f"place {self.made}", self.many)

    def entry(self, array: sympy.Basic, place: sympy.Basic) -> sympy.Expr:
        """An entry of a vector of the size at a place."""
        if isinstance(array, Named):
            return self.entry(array.body, place)
        if isinstance(array, sympy.Symbol):
            if array.name in self.forms:
                return self._at(array.name, place)
            quantity = self.claim.measured.get(array.name)
            if isinstance(quantity, Definition):
                return self.entry(quantity.whole, place)
        if isinstance(array, Table) and len(array.indices) == 1 and (
            self.runs(array.indices[0]) and self.runs(place)
        ):
            return self.of(array.body.xreplace({array.indices[0]: place}))
        if isinstance(array, sympy.Add):
            return sympy.Add(*(self.entry(arg, place) for arg in array.args))
        if isinstance(array, sympy.Mul):
            ranks = [rank_of(arg) for arg in array.args]
            if ranks.count(0) == len(ranks) - 1 and 1 in ranks:
                return sympy.Mul(*(self.of(arg) if rank == 0 else self.entry(arg, place)
                                   for arg, rank in zip(array.args, ranks, strict=True)))
        raise NoLaw(str(array))

    def _at(self, name: str, place: sympy.Basic) -> sympy.Expr:
        if not self.runs(place):  # a number, or a place that is computed
            raise NoLaw(f"{name}[{place}]")
        return self.forms[name](place)

    def runs(self, place: Any) -> bool:
        """Whether a place is an index over the size."""
        return is_index(place) and str(place.meaning.size) == self.size

    def _extreme(self, expr: Greatest | Least) -> sympy.Expr:
        """Of what rises or falls with the place, at an end; of one alone, of both that there are.
        """
        (index, *more) = expr.indices
        body = self.of(expr.body)
        if more or not self.runs(index):
            if self.touched(expr):
                raise NoLaw(str(expr))
            return expr
        rule = sympy.Max if isinstance(expr, Greatest) else sympy.Min
        if not body.has(index):
            return body
        power = sympy.Wild("power", exclude=[index])
        number = sympy.Wild("number", exclude=[index])
        if body.has(First):
            one, nothing = self._alone(body, index)
            if nothing.has(index):
                raise NoLaw(str(expr))
            return rule(one, nothing)  # of two places at least
        found = body.match(number * (index + 1) ** power)
        if found is None or not (found[number].is_number and found[power].is_number):
            raise NoLaw(str(expr))
        first, last = body.xreplace({index: sympy.S.Zero}), found[number] * self.many**found[power]
        rising = (found[number] * found[power]).is_positive
        return last if rising is (rule is sympy.Max) else first

    @staticmethod
    def _alone(body: sympy.Expr, index: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr]:
        """A body at place 0, and at other places."""
        alone = {node: ONE for node in body.atoms(First) if node.args[0] == index}
        nothing = dict.fromkeys(alone, sympy.S.Zero)
        return body.xreplace(alone).xreplace({index: sympy.S.Zero}), body.xreplace(nothing)

    def summed(self, body: sympy.Expr, indices: Any) -> sympy.Expr:
        """The sum of a written body over indices."""
        *outer, index = indices
        if len(outer) == 1 and self.runs(index) and self.runs(outer[0]):
            found = self._by_distance(body, outer[0], index)
            if found is not None:
                return found
        found = self._over(body, index)
        return self.summed(found, outer) if outer else found

    def _by_distance(
        self, body: sympy.Expr, one: sympy.Symbol, other: sympy.Symbol
    ) -> sympy.Expr | None:
        """The sum over pairs of places of what reads their distance alone: n f(0) and, of every
        distance m, 2 (n - m) f(m); None for other bodies."""
        distances = [node for node in body.atoms(sympy.Abs) if node.args[0] in (
            one - other, other - one)]
        place = self.place()
        inner = body.xreplace(dict.fromkeys(distances, place))
        if not distances or inner.has(one) or inner.has(other) or inner.has(First):
            return None
        later = inner.xreplace({place: place + 1})
        far = self.many * self._over(later, place) - self._over((place + 1) * later, place)
        return self.many * inner.xreplace({place: sympy.S.Zero}) + TWO * far

    def _over(self, body: sympy.Expr, index: Any) -> sympy.Expr:
        """The sum over one index, term by term."""
        if not self.runs(index):
            if self.touched(body) or body.has(First):
                raise NoLaw(str(body))
            return Total(body, index)
        return sympy.Add(*(self._of_term(term, index)
                           for term in sympy.Add.make_args(sympy.expand_mul(body))))  # fmt: skip

    def _of_term(self, term: sympy.Expr, index: Any) -> sympy.Expr:
        if any(node.args[0] == index for node in term.atoms(First)):
            one, nothing = self._alone(term, index)
            if any(node.has(index) for node in one.atoms(Indicator)):
                raise NoLaw(str(term))
            first = one - self._alone(nothing, index)[0]
            return self._reached(first) + self._of_term(nothing, index)
        before = [node for node in term.atoms(Indicator) if node.has(index)]
        if before:
            return self._up_to(term, index, before)
        outside, inside = term.as_independent(index, as_Add=False)
        closed = _closed(inside, index, self.many)
        return outside * (Total(inside, index) if closed is None else closed)

    def _reached(self, expr: sympy.Expr) -> sympy.Expr:
        """A number in which conditions on places are settled: place 0 is up to every place."""
        settled = {}
        for node in expr.atoms(Indicator):
            condition = node.condition
            if isinstance(condition, (sympy.Le, sympy.Ge)) and condition.lts == 0 and (
                self.runs(condition.gts)
            ):
                settled[node] = ONE
            elif node.condition in (sympy.true, sympy.false):
                settled[node] = ONE if node.condition == sympy.true else sympy.S.Zero
            else:
                raise NoLaw(str(node))
        return expr.xreplace(settled)

    def _up_to(self, term: sympy.Expr, index: Any, before: list[Indicator]) -> sympy.Expr:
        """The sum over places up to another one, or from it on, of what has a closed sum."""
        (node, *more) = before
        condition = node.condition
        rest = term.xreplace({node: ONE})
        if more or term.xreplace({node: sympy.S.Zero}) != 0 or not isinstance(
            condition, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
        ):
            raise NoLaw(str(term))
        strict = isinstance(condition, (sympy.Lt, sympy.Gt))
        ends = condition.lts, condition.gts
        other = ends[ends[0] == index]
        if index not in ends or not self.runs(other) or other == index:
            raise NoLaw(str(term))
        outside, inside = rest.as_independent(index, as_Add=False)
        upward = other == ends[1]
        found = _closed(inside, index, other + int(strict is not upward))
        if found is None:
            raise NoLaw(str(term))
        if not upward:
            found = _closed(inside, index, self.many) - found
        return outside * found


def _closed(inside: sympy.Expr, index: sympy.Symbol, many: sympy.Expr) -> sympy.Expr | None:
    """The sum over the places below a number of what is linear or square in them; else None."""
    if not inside.is_polynomial(index):
        return None
    coefficients = sympy.Poly(inside, index).all_coeffs()[::-1]
    if len(coefficients) > 3:
        return None
    sums = (many, many * (many - 1) / TWO, many * (many - 1) * (TWO * many - 1) / 6)
    return sympy.Add(*(number * each for number, each in zip(coefficients, sums, strict=False)))


def is_nonnegative(expr: sympy.Basic) -> bool:
    """Whether what is made of places, sizes and numbers is zero at least by how it is written."""
    if isinstance(expr, sympy.Symbol):
        return is_index(expr) or bool(expr.is_nonnegative)
    if isinstance(expr, First):
        return True
    if isinstance(expr, (sympy.Add, sympy.Mul, Total)):
        return all(is_nonnegative(arg) for arg in (
            (expr.body,) if isinstance(expr, Total) else expr.args))
    if isinstance(expr, sympy.Pow):
        return is_nonnegative(expr.base)
    return bool(expr.is_number and expr.is_nonnegative)
