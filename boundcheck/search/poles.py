"""Worlds at which a part of a statement is zero: a divisor, say, or the argument of a logarithm.

Such points are isolated where the part is a polynomial, (x - 1)^2 at x = 1, and no random number
meets them. Moduli, extremes, floors and cases are polynomials in pieces, each of which is tried;
entries of vectors are numbers as others are. One symbol is moved to a rational root while the
others stay, or, where both are whole numbers, while another one is counted through. At the points
where the pieces meet, and both sides of a comparison do, a statement may fail that holds beside
them. The exact checker says whether the world is admissible and what is true of the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, permutations
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, is_exact, partial_parts, precision, value_of
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, nodes
from boundcheck.expressions.symbols import Known
from boundcheck.search.least_points import zeros
from boundcheck.search.rational import is_short, polynomial_through, rational_roots
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Integer, Real, Vector

PARTS = 6  # of one statement
LONG = 60  # operations of a part that is not looked at
POINTS = 12  # values through which a polynomial goes: of degree 10 at most
PIECES = 8  # of one part
COUNTED = 128  # whole numbers that one symbol is, from its least on, while another is moved
EXTREMES, ROUNDED = (sympy.Max, sympy.Min), (sympy.floor, sympy.ceiling)
BENT = (sympy.Abs, *EXTREMES, *ROUNDED, sympy.Piecewise)
Place = tuple[str, int | None]  # of a number, or of an entry of a vector


class Poles:
    """The parts of a claim, polynomials in its numbers, that must not be zero.

    Args: claim: whose statement they stand in, itself or through definitions.

    `parts` must not be zero for the statement to have a value; where `meetings` are, pieces or both
    sides of a comparison meet.
    """

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.places = dict[str, Place]()
        self.fields = {name: field for name, field in claim.fields.items()
                       if isinstance(field, (Integer, Real))}  # fmt: skip
        meant = _meant(claim)
        self.least = dict[sympy.Expr, dict[sympy.Symbol, sympy.Rational]]()
        asked, met = dict[sympy.Expr, None](), dict[sympy.Expr, None]()
        for expr in (claim.statement.relation, *meant.values()):
            parts = sorted(partial_parts(expr), key=sympy.default_sort_key)
            asked |= dict.fromkeys(self._pieces(
                (part for what, part in parts if what != "value"), meant))  # fmt: skip
            met |= dict.fromkeys(self._pieces(_meetings(expr), meant))
        self.parts = list(asked)[:PARTS]
        self.meetings = [part for part in met if part not in asked][:PARTS]

    def _pieces(
        self, parts: Iterator[sympy.Expr], meant: Mapping[str, sympy.Expr]
    ) -> Iterator[sympy.Expr]:
        """The polynomials in plain numbers that the parts are zero with."""
        for part in parts:
            whole = part.xreplace({s: meant[s.name] for s in part.free_symbols if s.name in meant})
            if not whole.is_commutative or sympy.count_ops(whole) > LONG:
                continue
            if any(not isinstance(node, Apply) for node in nodes(whole)):
                continue  # a sum, an average: no polynomial, and its symbols are its own
            numbers = self._in_numbers(whole)
            if self._fits(numbers.replace(sympy.Abs, lambda inner: inner)) and (
                point := zeros(numbers)
            ):
                self.least[numbers] = point
            for piece in islice(_unbent(numbers), PIECES):
                yield from (factor for factor in _factors(piece) if self._fits(factor))

    def _in_numbers(self, part: sympy.Expr) -> sympy.Expr:
        """A part with entries of vectors as numbers, at the first place of every index."""
        part = part.xreplace({s: sympy.S.Zero for s in part.free_symbols
                              if isinstance(s, Known) and s.meaning.role in ("index", "variable")})
        entries = dict[sympy.Expr, sympy.Symbol]()
        for node in part.atoms(Apply):
            vector, *places = node.operands
            name = getattr(vector, "name", "")
            if (node.primitive.standard == "entry" and len(places) == 1 and places[0].is_Integer
                    and isinstance(self.claim.fields.get(name), Vector)):  # fmt: skip
                symbol = sympy.Symbol(f"{name}[{places[0]}]", real=True)
                self.places[symbol.name] = name, int(places[0])
                entries[node] = symbol
        return part.xreplace(entries)

    def _fits(self, part: sympy.Expr) -> bool:
        # A primitive may take whole numbers alone, or those of its domain; polynomials take all.
        return bool(part.is_polynomial()) and all(
            s.name in self.fields or s.name in self.places for s in part.free_symbols)  # fmt: skip

    def near(self, setting: Setting) -> Iterator[Setting]:
        """Settings at which a part is zero: its other numbers are 1, or as in the one given; of a
        sum of squares all of its numbers are moved."""
        yield from self._least(setting)
        yield from self._near(self.parts, setting)

    def meeting(self, setting: Setting) -> Iterator[Setting]:
        """Settings at which pieces or sides meet, as of `near`."""
        yield from self._least(setting)
        yield from self._near(self.meetings, setting)

    def _least(self, setting: Setting) -> Iterator[Setting]:
        for point in self.least.values():
            here = setting
            for symbol, value in point.items():
                here = self._with(here, symbol.name, fmpq(int(value.p), int(value.q)))
            whole = all(value.q == 1 for symbol, value in point.items()
                        if isinstance(self.fields.get(symbol.name), Integer))  # fmt: skip
            if whole:
                yield here

    def _near(self, parts: list[sympy.Expr], setting: Setting) -> Iterator[Setting]:
        for part in parts:
            names = sorted(symbol.name for symbol in part.free_symbols)
            plain = setting
            for name in names:
                plain = self._with(plain, name, fmpq(1))
            for base in (plain, setting):
                for name in names:
                    yield from self._moved(base, part, name)

    def counted(self, setting: Setting) -> Iterator[Setting]:
        """Settings at which a part, or what meets, is zero for whole numbers: one of them is moved
        while another one is counted through."""
        for part in (*self.parts, *self.meetings):
            names = sorted(symbol.name for symbol in part.free_symbols)
            if len(names) < 2 or not all(isinstance(self.fields.get(n), Integer) for n in names):
                continue
            for one, other in permutations(names, 2):
                low: Any = self.fields[one].low
                for number in range(COUNTED) if isinstance(low, int) else ():
                    base = self._with(setting, one, fmpq(low + number))
                    yield from self._moved(self._with(base, other, fmpq(1)), part, other)

    def _number(self, name: str, number: fmpq) -> int | fmpq:
        return int(number.p) if isinstance(self.fields.get(name), Integer) else number

    def _with(self, setting: Setting, name: str, number: fmpq) -> Setting:
        """A setting with another number, or the same one where it has no such entry."""
        field, place = self.places.get(name, (name, None))
        value = setting(field)
        if place is None:
            return setting.replaced(**{name: self._number(name, number)})
        if not isinstance(value, tuple) or place >= len(value):
            return setting
        return setting.replaced(**{field: (*value[:place], number, *value[place + 1 :])})

    def _values(self, setting: Setting) -> dict[str, Any]:
        """Plain numbers of a setting by name, entries among them."""
        found = dict(setting.values)
        for name, (field, place) in self.places.items():
            value = setting(field)
            if isinstance(value, tuple) and place is not None and place < len(value):
                found[name] = value[place]
        return found

    def _moved(self, setting: Setting, part: sympy.Expr, name: str) -> Iterator[Setting]:
        known, values = self._values(setting), list[fmpq]()
        if not {symbol.name for symbol in part.free_symbols} <= set(known):
            return  # a vector without such an entry
        start = fmpq(known[name])
        if not is_short(start):
            return
        with precision(PRECISIONS[0]):
            for step in range(POINTS):
                here = {**known, name: start + step}
                try:
                    value = value_of(part, here.__getitem__)
                except (Undefined, Undecided):
                    return
                if not is_exact(value):
                    return
                values.append(fmpq(value))
        line = polynomial_through(values)
        for root in rational_roots(line) if line is not None else ():
            number = start + root
            if number.q == 1 or not isinstance(self.fields.get(name), Integer):
                yield self._with(setting, name, number)


def _meant(claim: Claim) -> Mapping[str, sympy.Expr]:
    """What the names stand for that are defined by a formula in others."""
    return {name: quantity.whole for name, quantity in claim.measured.items()
            if isinstance(quantity, Definition) and quantity.whole.is_commutative}  # fmt: skip


def _factors(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """What a part is zero with: factors, and what stands under powers and moduli.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> list(_factors(sympy.Abs(x - 1) * (x + y) ** 2))
    [x + y, x - 1]
    """
    for factor in sympy.Mul.make_args(part):
        inner = factor.args[0] if isinstance(factor, sympy.Abs) else factor.as_base_exp()[0]
        if inner != factor:
            yield from _factors(inner)
        elif factor.free_symbols and sympy.count_ops(factor) <= LONG:
            yield sympy.fraction(sympy.together(factor))[0]


def _unbent(part: sympy.Expr) -> Iterator[sympy.Expr]:
    """The pieces of a part without moduli, extremes, roundings and cases.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> list(_unbent(sympy.Abs(x) - 3)), list(_unbent(sympy.Max(x, y) - 4))
    ([x - 3, -x - 3], [x - 4, y - 4])
    """
    bent = next((n for n in sympy.preorder_traversal(part) if isinstance(n, BENT)), None)
    if bent is None:
        yield part
        return
    inner = bent.args[0]
    if isinstance(bent, sympy.Piecewise):
        pieces = tuple(value for value, _ in bent.args)
    elif isinstance(bent, EXTREMES):
        pieces = tuple(sorted(bent.args, key=sympy.default_sort_key))
    else:
        pieces = (inner, -inner) if isinstance(bent, sympy.Abs) else (inner,)
    for piece in pieces:
        yield from _unbent(part.xreplace({bent: piece}))


def _meetings(expr: sympy.Basic) -> Iterator[sympy.Expr]:
    """What is zero where pieces of an expression meet, both sides of a comparison, or a whole
    number is reached; and what stands under an even power, which is least there."""
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, sympy.Rel):
            yield node.lhs - node.rhs
        elif isinstance(node, (sympy.Abs, sympy.sign)):
            yield node.args[0]
        elif isinstance(node, ROUNDED):
            yield from (node.args[0], node.args[0] - 1)
        elif isinstance(node, sympy.Pow) and node.exp.is_even and node.exp.is_Integer:
            yield node.base
