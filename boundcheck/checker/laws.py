"""How a value changes, exactly, as a world is repeated N times: by which power of N.

A world is repeated as N blocks ("direct sum"), as N equal copies of each of its parts ("copies"),
or beside N - 1 blocks of zeros ("zeros"), some of its values times powers of N. A scalar is then
multiplied by a power of N, or nothing is said; a vector or matrix becomes N^power times its own
repetition. One rule per kind of node; what has no rule has no law. Some rules want a sign at the
world itself, which is handed back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import sympy

from boundcheck.claim import Claim
from boundcheck.expressions.algebra import trace
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Average,
    Greatest,
    Indicator,
    Least,
    Node,
    Table,
    Total,
    rank_of,
)
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.draws import Signs
from boundcheck.worlds.fields import Field, Weights

BLOCKS, COPIES, ZEROS = MOVES = ("direct sum", "copies", "zeros")
HALF = Fraction(1, 2)


class NoLaw(Exception):
    """No rule gives the power."""


@dataclass
class Laws:
    """Powers of N of the expressions of one claim, as one size of its worlds grows by one move.

    Args:
        signs: (expression, sign) that rules rest on: it is to be >= 0 or <= 0 in the world itself.
        scales: powers of N that numbers, and arrays that are repeated, are multiplied by besides.
    """

    claim: Claim
    size: str
    move: str
    scales: Mapping[str, Fraction] = field(default_factory=dict)
    signs: list[tuple[sympy.Expr, int]] = field(default_factory=list)

    def power(self, expr: sympy.Basic) -> Fraction:
        """The power of N by which a value is multiplied.

        Raises: NoLaw where no rule gives it.
        """
        expr = self._without_signs(expr)
        if not self._touched(expr):
            return Fraction(0)
        if isinstance(expr, sympy.Symbol):
            return self._symbol(expr)
        if isinstance(expr, Apply):
            return self._primitive(expr)
        blocks = self._determinants(expr)
        if blocks is not None:
            return blocks
        rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
        if rule is not None:
            return rule(self, expr)
        scalars = isinstance(expr, sympy.Function) and all(rank_of(arg) == 0 for arg in expr.args)
        if not scalars or any(map(self.power, expr.args)):
            raise NoLaw(str(expr))
        return Fraction(0)

    def _without_signs(self, expr: sympy.Basic) -> sympy.Basic:
        """Means over signs of what reads them in forms alone: of blocks of one row, diagonal
        matrices, such a form is the trace whatever the signs.

        Raises: NoLaw for other means.
        """
        for mean in (part for part in sympy.preorder_traversal(expr) if isinstance(part, Average)):
            draw, drawn = mean.drawn.meaning.draw, mean.drawn
            forms = {part: trace(part.operands[0]) for part in sympy.preorder_traversal(mean.body)
                     if isinstance(part, Apply) and part.primitive.standard == "form"
                     and part.operands[1] == drawn}  # fmt: skip
            body = mean.body.xreplace(forms)
            signs = self.move == BLOCKS and type(draw) is Signs and draw.length == self.size
            if not signs or drawn in body.free_symbols or body.has(Average):
                raise NoLaw(str(mean))
            for form in forms:
                self.grown(form.operands[0])
            self.wants(sympy.Symbol(self.size) - 1, -1)
            expr = expr.xreplace({mean: body})
        return expr

    def _determinants(self, expr: sympy.Basic) -> Fraction | None:
        """N times the logarithm of a determinant of N blocks, or its root by the size: the
        determinant is that of one block to the power N."""
        inner = expr.args[0] if isinstance(expr, (sympy.log, sympy.Pow)) else None
        if isinstance(inner, sympy.Symbol) and not is_index(inner):
            quantity = self.claim.measured.get(inner.name)
            inner = quantity.whole if isinstance(quantity, Definition) else inner
        if self.move != BLOCKS or not isinstance(inner, Apply) or (
            inner.primitive.standard != "determinant" or self.grown(inner.operands[0])
        ):
            return None
        self.wants(expr.args[0], 1)
        if isinstance(expr, sympy.log):
            return Fraction(1)
        return Fraction(0) if self.power(expr.exp) == -1 else None

    def most(self, expr: sympy.Basic) -> tuple[Fraction, bool]:
        """A power of N that no multiple of the size |value| outgrows, and whether logarithms stand
        beside it, which every power outgrows.

        Raises: NoLaw where no rule gives it.
        """
        try:
            return self.power(expr), False
        except NoLaw:
            if rank_of(expr) != 0:
                raise
        if isinstance(expr, sympy.log):
            self._sums(expr.args[0])
            return Fraction(0), True
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and expr.exp.is_positive:
            if not expr.exp.is_Integer:
                self._stays_positive(expr.base)
            power, slow = self.most(expr.base)
            return power * Fraction(int(expr.exp.p), int(expr.exp.q)), slow
        if not isinstance(expr, (sympy.Add, sympy.Mul, sympy.Max)) or any(map(rank_of, expr.args)):
            raise NoLaw(str(expr))
        powers, slow_ones = zip(*map(self.most, expr.args), strict=True)
        together = sum if isinstance(expr, sympy.Mul) else max
        return together(powers), any(slow_ones)

    def _sums(self, expr: sympy.Basic) -> list[Fraction]:
        """Powers of the terms of a sum, none of which is negative: its logarithm has a value."""
        terms = sympy.Add.make_args(expr)
        for term in terms:
            self.wants(term, 1)
        return [self.power(term) for term in terms]

    def _stays_positive(self, expr: sympy.Basic) -> None:
        """The logarithm of what is at least one and does not fall."""
        if not isinstance(expr, sympy.log) or min(self._sums(expr.args[0])) < 0:
            raise NoLaw(str(expr))
        self.wants(expr, 1)

    def grown(self, expr: sympy.Basic) -> Fraction:
        """The power of a vector or matrix that is repeated."""
        if not self._touched(expr) or rank_of(expr) not in (1, 2):
            raise NoLaw(str(expr))
        return self.power(expr)

    def same(self, exprs: tuple[sympy.Basic, ...]) -> Fraction:
        """The power that all of them have; zero has every one."""
        powers = {self.power(expr) for expr in exprs if expr != 0}
        arrays = {rank_of(expr) not in (0, None) and not self._touched(expr) for expr in exprs}
        if len(powers) > 1 or True in arrays:
            raise NoLaw(", ".join(map(str, exprs)))
        return powers.pop() if powers else Fraction(0)

    def _touched(self, expr: sympy.Basic) -> bool:
        """Whether a value may depend on the size or on what it governs."""
        nodes = [part for part in sympy.preorder_traversal(expr) if isinstance(part, Node)]
        if not all(isinstance(node, UNDERSTOOD) for node in nodes):
            raise NoLaw(str(expr))
        return any(self._symbol_touched(symbol) for symbol in expr.free_symbols)

    def _symbol_touched(self, symbol: sympy.Symbol) -> bool:
        if is_index(symbol):
            return self.over_size(symbol)
        found = self.claim.fields.get(symbol.name)
        if found is not None:
            moved = symbol.name == self.size or symbol.name in self.scales
            return moved or governed(found, self.size)
        return self._touched(self._definition(symbol))

    def over_size(self, index: sympy.Symbol) -> bool:
        """Whether an index runs over the size; NoLaw if over something that rests on it."""
        size = sympy.sympify(index.meaning.size)
        if isinstance(size, sympy.Symbol) and size.name == self.size:
            return True
        if self._touched(size):
            raise NoLaw(str(index))
        return False

    def _definition(self, symbol: sympy.Symbol) -> sympy.Expr:
        quantity = self.claim.measured.get(symbol.name)
        if not isinstance(quantity, Definition):
            raise NoLaw(symbol.name)
        return self._without_signs(quantity.whole)

    def _symbol(self, symbol: sympy.Symbol) -> Fraction:
        if is_index(symbol):
            raise NoLaw(str(symbol))  # a place as a number
        found = self.claim.fields.get(symbol.name)
        if found is None:
            return self.power(self._definition(symbol))
        shared = isinstance(found, Weights) and self.move != ZEROS
        return Fraction((symbol.name == self.size) - shared + self.scales.get(symbol.name, 0))

    def _primitive(self, node: Apply) -> Fraction:
        rule = PRIMITIVES.get(node.primitive.standard)
        if rule is None:
            raise NoLaw(node.primitive.name)
        return rule(self, node, *node.operands)

    def vanishes(self, expr: sympy.Basic, index: sympy.Symbol) -> bool:
        """Whether a value is zero where an index stands at a part that is zero."""
        if isinstance(expr, Apply) and expr.primitive.standard == "entry":
            return index in expr.operands[1:]
        if isinstance(expr, sympy.Mul):
            inverse = any(isinstance(arg, sympy.Pow) and not arg.exp.is_positive
                          and index in arg.free_symbols for arg in expr.args)  # fmt: skip
            return not inverse and any(self.vanishes(arg, index) for arg in expr.args)
        if isinstance(expr, sympy.Pow):
            return bool(expr.exp.is_positive) and self.vanishes(expr.base, index)
        if isinstance(expr, (sympy.Abs, sympy.Add, sympy.Max, sympy.Min)):
            return all(self.vanishes(arg, index) for arg in expr.args)
        return False

    def wants(self, expr: sympy.Expr, sign: int) -> None:
        """A sign at the world itself; it cannot be asked for inside a binder."""
        if any(map(is_index, expr.free_symbols)):
            raise NoLaw(str(expr))
        self.signs.append((expr, sign))


def is_index(symbol: sympy.Basic) -> bool:
    """Whether an expression is an index alone."""
    return isinstance(symbol, Known) and symbol.meaning.role == "index"


def governed(found: Field, size: str) -> bool:
    """Whether a field says a length by the name of a size."""
    return size in (getattr(found, name, None) for name in ("size", "rows", "cols"))


def _product(laws: Laws, expr: sympy.Mul) -> Fraction:
    arrays = [arg for arg in expr.args if rank_of(arg) != 0]
    if any(rank_of(array) != 2 for array in arrays[:-1]):
        raise NoLaw(str(expr))
    power = sum((laws.power(arg) for arg in expr.args if rank_of(arg) == 0), Fraction(0))
    power += sum(map(laws.grown, arrays), Fraction(0))
    # An entry of a product of copies is N times that of the product.
    return power + (max(len(arrays) - 1, 0) if laws.move == COPIES else 0)


def _power(laws: Laws, expr: sympy.Pow) -> Fraction:
    if rank_of(expr.base) == 2:
        return _matrix_power(laws, expr)
    if rank_of(expr.base) != 0 or laws.power(expr.exp):
        raise NoLaw(str(expr))
    base = laws.power(expr.base)
    if base and not expr.exp.is_Rational:
        raise NoLaw(str(expr))
    return base * Fraction(int(expr.exp.p), int(expr.exp.q)) if base else Fraction(0)


def _matrix_power(laws: Laws, expr: sympy.Pow) -> Fraction:
    """Products of a matrix with itself; only blocks have the inverse that they had alone."""
    if not expr.exp.is_Integer or expr.exp == 0 or (expr.exp < 0 and laws.move != BLOCKS):
        raise NoLaw(str(expr))
    times = int(expr.exp)
    return times * laws.grown(expr.base) + (times - 1 if laws.move == COPIES else 0)


def _indices(laws: Laws, expr: Total | Greatest | Least | Table) -> list[sympy.Symbol]:
    found = [index for index in expr.indices if laws.over_size(index)]
    for index in found:
        _one_order(expr, index)
    if laws.move == ZEROS and not all(laws.vanishes(expr.body, index) for index in found):
        raise NoLaw(str(expr))
    return found


def _one_order(expr: Total | Greatest | Least | Table, index: sympy.Symbol) -> None:
    """Eigenvalues stand in their own order, which is not that in which other entries are repeated.

    Raises: NoLaw where an index runs over both.
    """
    entries = [part for part in sympy.preorder_traversal(expr.body) if isinstance(part, Apply)
               and part.primitive.standard != "eigenvalues" and index in part.free_symbols]
    ordered = [_is_spectrum(part.operands[0]) for part in entries]
    if any(ordered) and (isinstance(expr, Table) or not all(ordered)):
        raise NoLaw(str(expr))


def _is_spectrum(expr: sympy.Basic) -> bool:
    return isinstance(expr, Apply) and expr.primitive.standard == "eigenvalues"


def _total(laws: Laws, expr: Total) -> Fraction:
    found = _indices(laws, expr)
    return laws.power(expr.body) + (len(found) if laws.move != ZEROS else 0)


def _greatest(laws: Laws, expr: Greatest) -> Fraction:
    if _indices(laws, expr) and laws.move == ZEROS:
        laws.wants(expr, 1)
    return laws.power(expr.body)


def _least(laws: Laws, expr: Least) -> Fraction:
    if _indices(laws, expr) and laws.move == ZEROS:
        laws.wants(expr, -1)
    return laws.power(expr.body)


def _table(laws: Laws, expr: Table) -> Fraction:
    found = _indices(laws, expr)
    if len(found) < len(expr.indices) or (len(found) > 1 and laws.move == BLOCKS):
        raise NoLaw(str(expr))
    return laws.power(expr.body)


def _indicator(laws: Laws, expr: Indicator) -> Fraction:
    """A condition between values that grow alike is met or not as before."""
    for part in _comparisons(expr.condition):
        laws.same(part.args)
    return Fraction(0)


def _comparisons(condition: sympy.Basic) -> list[sympy.Rel]:
    if isinstance(condition, sympy.Rel):
        return [condition]
    if not isinstance(condition, (sympy.And, sympy.Or, sympy.Not)):
        raise NoLaw(str(condition))
    return [part for arg in condition.args for part in _comparisons(arg)]


def _alike(laws: Laws, expr: sympy.Basic) -> Fraction:
    return laws.same(expr.args)


RULES: dict[type[sympy.Basic], Callable[..., Fraction]] = {
    sympy.Add: _alike, sympy.Max: _alike, sympy.Min: _alike, sympy.Abs: _alike,
    sympy.Mul: _product, sympy.Pow: _power, Total: _total, Greatest: _greatest, Least: _least,
    Table: _table, Indicator: _indicator,
    Named: lambda laws, expr: laws.power(expr.body),
}  # fmt: skip
UNDERSTOOD = (Apply, Total, Greatest, Least, Table, Indicator, Named)
Rule = Callable[..., Fraction]


def _entry(laws: Laws, node: Apply, array: sympy.Basic, *places: sympy.Basic) -> Fraction:
    """At places that run over the size; of blocks, on the diagonal alone."""
    if not all(is_index(place) and laws.over_size(place) for place in places):
        raise NoLaw(str(node))
    if laws.move == BLOCKS and len(set(places)) > 1:
        raise NoLaw(str(node))
    spectrum = laws.move == BLOCKS and _is_spectrum(array)  # each eigenvalue is there N times
    return laws.grown(array.operands[0] if spectrum else array)


def _slice(laws: Laws, node: Apply, matrix: sympy.Basic, place: sympy.Basic) -> Fraction:
    """A row or column at a place that runs over the size: of copies alone it is one of copies."""
    if laws.move != COPIES or not (is_index(place) and laws.over_size(place)):
        raise NoLaw(str(node))
    return laws.grown(matrix)


def _turned(laws: Laws, node: Apply, matrix: sympy.Basic) -> Fraction:
    """Of a matrix: a vector that is turned is one row, which no move repeats as a matrix."""
    if rank_of(matrix) != 2:
        raise NoLaw(str(node))
    return laws.grown(matrix)


def _gains(blocks: Fraction | int, copies: Fraction | int, zeros: int = 0, sign: int = 0) -> Rule:
    """The power of the only operand, and what each move adds; away from blocks with a sign."""

    def rule(laws: Laws, node: Apply, array: sympy.Basic) -> Fraction:
        if sign and laws.move != BLOCKS:
            laws.wants(node, sign)
        return laws.grown(array) + dict(zip(MOVES, (blocks, copies, zeros), strict=True))[laws.move]

    return rule


def _inner(laws: Laws, node: Apply, left: sympy.Basic, right: sympy.Basic) -> Fraction:
    return laws.grown(left) + laws.grown(right) + (laws.move != ZEROS)


def _form(laws: Laws, node: Apply, matrix: sympy.Basic, vector: sympy.Basic) -> Fraction:
    gain = dict(zip(MOVES, (1, 2, 0), strict=True))[laws.move]
    return laws.grown(matrix) + 2 * laws.grown(vector) + gain


def _rank(laws: Laws, node: Apply, matrix: sympy.Basic) -> Fraction:
    """A factor does not change it."""
    laws.grown(matrix)
    return Fraction(laws.move == BLOCKS)


def _where(moves: tuple[str, ...], power: Callable[..., Fraction]) -> Rule:
    """A power that only some moves have."""

    def rule(laws: Laws, node: Apply, *operands: sympy.Basic) -> Fraction:
        if laws.move not in moves:
            raise NoLaw(str(node))
        return power(laws, *operands)

    return rule


def _identity(laws: Laws, size: sympy.Basic) -> Fraction:
    if not (isinstance(size, sympy.Symbol) and size.name == laws.size):
        raise NoLaw(str(size))
    return Fraction(0)


def _root(laws: Laws, node: Apply, matrix: sympy.Basic) -> Fraction:
    return laws.grown(matrix) / 2 - (HALF if laws.move == COPIES else 0)


PRIMITIVES: Mapping[str, Rule] = {
    "entry": _entry,
    "row": _slice,
    "trace": _gains(1, 1),
    "frobenius_norm": _gains(HALF, 1),
    "operator_norm": _gains(0, 1),
    "spectral_radius": _gains(0, 1),
    "largest_entry": _gains(0, 0),
    "matrix_rank": _rank,
    "largest_eigenvalue": _gains(0, 1, sign=1),
    "smallest_eigenvalue": _gains(0, 1, sign=-1),
    "norm": _gains(HALF, HALF),
    "transpose": _turned,
    "inner": _inner,
    "form": _form,
    "outer": _where((COPIES, ZEROS), lambda laws, a, b: laws.grown(a) + laws.grown(b)),
    "entrywise": _where(MOVES, lambda laws, a, b: laws.grown(a) + laws.grown(b)),
    "diagonal": _where((BLOCKS, ZEROS), lambda laws, vector: laws.grown(vector)),
    "identity": _where((BLOCKS,), _identity),
    "matrix_root": _root,
    "squared_norm_of_values": _where(
        (BLOCKS,), lambda laws, gram, values: 2 * laws.grown(values) - laws.grown(gram) + 1),
    "solution": _where((BLOCKS,), lambda laws, a, b: laws.grown(b) - laws.grown(a)),
}
