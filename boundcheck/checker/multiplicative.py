"""Values that become f b^N as arrays become Kronecker powers A (x) A (x) ... (x) A, exactly.

One rule per kind of node: (A (x) B)(C (x) D) = AC (x) BD, an entry of a power is a product of
entries, and a sum or a largest size of such products over all places is a product of sums or of
largest sizes. An array becomes f times the power of another. What has no rule has no law. Some
rules want numbers of the world itself to be zero at least, which are handed back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import NamedTuple

import sympy

from boundcheck.checker.laws import NoLaw, governed, is_index
from boundcheck.claim import Claim
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import (
    Apply,
    Greatest,
    Least,
    Node,
    Table,
    Total,
    rank_of,
)
from boundcheck.worlds.fields import Gram, Weights, number_at
from boundcheck.worlds.kinds import Binary, Projector

UNDERSTOOD = (Apply, Total, Greatest, Least, Table, Named)
NORMS = ("operator_norm", "frobenius_norm", "spectral_radius", "largest_entry", "norm")
ONE = sympy.Integer(1)


class Power(NamedTuple):
    """A number factor * base^N, or an array factor * (base (x) ... (x) base), and the names of
    the sizes along its sides."""

    factor: sympy.Expr
    base: sympy.Expr
    dims: tuple[str, ...] = ()


class Powers:
    """How the expressions of a claim change as some sizes, and all that is so long, become powers.

    Args: names: of the sizes.
    """

    def __init__(self, claim: Claim, names: frozenset[str]) -> None:
        self.claim, self.names = claim, names
        self.signs: list[sympy.Expr] = []

    def of(self, expr: sympy.Basic) -> Power:
        """Raises: NoLaw where no rule gives it."""
        if not self._touched(expr):
            if rank_of(expr) != 0:
                raise NoLaw(str(expr))
            return Power(expr, ONE)
        if isinstance(expr, sympy.Symbol):
            return self._symbol(expr)
        rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
        if rule is None:
            raise NoLaw(str(expr))
        return rule(self, expr)

    def most(self, expr: sympy.Basic) -> tuple[list[sympy.Expr], bool]:
        """Numbers b such that |value| is at most a multiple of the largest |b|^N, beside powers of
        N, and whether it is f b^N itself.

        Raises: NoLaw where no rule gives them.
        """
        try:
            return [self.of(expr).base], True
        except NoLaw:
            if rank_of(expr) != 0:
                raise
        if isinstance(expr, sympy.log):
            self._terms(expr.args[0])
            return [ONE], False
        if isinstance(expr, (sympy.Add, sympy.Max)):
            return [base for arg in expr.args for base in self.most(arg)[0]], False
        if isinstance(expr, sympy.Mul):
            lists = [self.most(arg)[0] for arg in expr.args]
            return [sympy.Mul(*chosen) for chosen in product(*lists)], False
        if isinstance(expr, sympy.Pow) and expr.exp.is_Rational and expr.exp.is_positive:
            if not expr.exp.is_Integer:
                self._stays_nonnegative(expr.base)
            return [sympy.Abs(base) ** expr.exp for base in self.most(expr.base)[0]], False
        raise NoLaw(str(expr))

    def _terms(self, expr: sympy.Basic) -> list[Power]:
        """The terms of a sum, none of which is negative for any N."""
        terms = [self.of(term) for term in sympy.Add.make_args(expr)]
        for term in terms:
            self.wants(term.factor)
            self.wants(term.base)
        return terms

    def _stays_nonnegative(self, expr: sympy.Basic) -> None:
        """Of a sum, and of the logarithm of one that is one at least and does not fall."""
        if not isinstance(expr, sympy.log):
            self._terms(expr)
            return
        for term in self._terms(expr.args[0]):
            self.wants(term.base - 1)
        self.wants(expr)

    def wants(self, expr: sympy.Expr) -> None:
        """A number of the world itself is to be zero at least; inside a binder it cannot be asked.
        """
        if any(map(is_index, expr.free_symbols)):
            raise NoLaw(str(expr))
        self.signs.append(expr)

    def is_nonnegative(self, expr: sympy.Basic) -> bool:
        """Whether a number is zero at least at all places, by how it is written."""
        if isinstance(expr, sympy.Mul):
            return all(map(self.is_nonnegative, expr.args))
        if isinstance(expr, sympy.Pow):
            even = bool(expr.exp.is_Integer) and expr.exp % 2 == 0
            return even or (bool(expr.exp.is_Rational) and self.is_nonnegative(expr.base))
        if isinstance(expr, (Total, Greatest, Least, Named)):
            return self.is_nonnegative(expr.body)
        if isinstance(expr, Apply):
            name, first = expr.primitive.standard, expr.operands[0]
            return name in NORMS or (name == "entry" and self._has_no_negative(first))
        counts = isinstance(expr, sympy.Symbol) and expr.name in self.names
        return counts or isinstance(expr, sympy.Abs) or bool(expr.is_number and expr.is_nonnegative)

    def _has_no_negative(self, array: sympy.Basic) -> bool:
        """Whether the domain of an array, or what is tabulated in it, leaves out negative numbers.
        """
        if isinstance(array, Table):
            return self.is_nonnegative(array.body)
        found = self.claim.fields.get(getattr(array, "name", ""))
        low = getattr(found, "low", None)
        least = None if isinstance(low, str) else number_at(low)
        return type(found) in (Weights, Binary) or (least is not None and least >= 0)

    def _touched(self, expr: sympy.Basic) -> bool:
        """Whether a value may depend on the sizes or on what they govern."""
        nodes = [part for part in sympy.preorder_traversal(expr) if isinstance(part, Node)]
        if not all(isinstance(node, UNDERSTOOD) for node in nodes):
            raise NoLaw(str(expr))
        indices = (index for node in nodes if isinstance(node, (Total, Greatest, Least, Table))
                   for index in node.indices)  # fmt: skip
        return any(map(self._symbol_touched, {*expr.free_symbols, *indices}))

    def _symbol_touched(self, symbol: sympy.Symbol) -> bool:
        if is_index(symbol):
            return self._touched(sympy.sympify(symbol.meaning.size))
        found = self.claim.fields.get(symbol.name)
        if found is not None:
            return symbol.name in self.names or any(governed(found, each) for each in self.names)
        return self._touched(self._definition(symbol))

    def _definition(self, symbol: sympy.Symbol) -> sympy.Expr:
        quantity = self.claim.measured.get(symbol.name)
        if not isinstance(quantity, Definition):
            raise NoLaw(symbol.name)
        return quantity.whole

    def opened(self, expr: sympy.Basic) -> sympy.Basic:
        """What stands behind a name that is defined by an expression."""
        quantity = self.claim.measured.get(getattr(expr, "name", ""))
        return self.opened(quantity.whole) if isinstance(quantity, Definition) else expr

    def _symbol(self, symbol: sympy.Symbol) -> Power:
        if is_index(symbol):
            raise NoLaw(str(symbol))  # a place as a number
        found = self.claim.fields.get(symbol.name)
        if found is None:
            return self.of(self._definition(symbol))
        if symbol.name in self.names:
            return Power(ONE, symbol)
        size = getattr(found, "size", None)
        rows, cols = (str(getattr(found, side, size)) for side in ("rows", "cols"))
        return Power(ONE, symbol, (rows,) if rank_of(symbol) == 1 else (rows, cols))

    def runs_over(self, index: sympy.Basic) -> str:
        """The size whose places an index counts. Raises: NoLaw for what is no such index."""
        size = index.meaning.size if is_index(index) else None
        name = str(getattr(sympy.sympify(size), "name", ""))
        if name not in self.names:
            raise NoLaw(str(index))
        return name

    def array(self, expr: sympy.Basic, rank: int) -> Power:
        """Of a vector or matrix. Raises: NoLaw for one that stays, and for others."""
        found = self.of(expr)
        if len(found.dims) != rank:
            raise NoLaw(str(expr))
        return found


def _product(powers: Powers, expr: sympy.Mul) -> Power:
    found = [powers.of(arg) for arg in expr.args]
    arrays = [each.dims for each in found if each.dims]
    for before, after in pairwise(arrays):
        if len(before) != 2 or before[1] != after[0]:
            raise NoLaw(str(expr))
    dims = (arrays[0][0], *arrays[-1][1:]) if arrays else ()
    return Power(sympy.Mul(*(each.factor for each in found)),
                 sympy.Mul(*(each.base for each in found)), dims)  # fmt: skip


def _power(powers: Powers, expr: sympy.Pow) -> Power:
    root = _root_of_determinant(powers, expr)
    if root is not None:
        return root
    if not expr.exp.is_Rational or expr.exp == 0:
        raise NoLaw(str(expr))
    found = powers.of(expr.base)
    whole = bool(expr.exp.is_Integer)
    if found.dims and not (whole and len(found.dims) == 2 and len(set(found.dims)) == 1):
        raise NoLaw(str(expr))
    if not whole:
        powers.wants(found.factor)
        if not powers.is_nonnegative(found.base):
            powers.wants(found.base)
    return Power(found.factor**expr.exp, found.base**expr.exp, found.dims)


def _root_of_determinant(powers: Powers, expr: sympy.Pow) -> Power | None:
    """The root by the size: the determinant of the N-th power is det^(N d^(N - 1))."""
    inner = powers.opened(expr.base.args[0] if isinstance(expr.base, sympy.Abs) else expr.base)
    is_one = isinstance(inner, Apply) and inner.primitive.standard == "determinant"
    if not is_one or not (1 / expr.exp).is_Symbol:
        return None
    found = powers.array(inner.operands[0], 2)
    if set(found.dims) != {str(1 / expr.exp)} or found.factor != 1:
        return None
    powers.wants(expr.base)
    return Power(ONE, expr)


def _sum_over_places(powers: Powers, expr: Total | Greatest | Least | Table) -> Power:
    """Over all places of some sizes; a largest or least value of what is not negative alone."""
    dims = tuple(map(powers.runs_over, expr.indices))
    found = powers.of(expr.body)
    if found.dims:
        raise NoLaw(str(expr))
    if isinstance(expr, (Greatest, Least)):
        powers.wants(found.factor)
        if not powers.is_nonnegative(found.base):
            raise NoLaw(str(expr))
    return Power(found.factor, expr.func(found.base, *expr.indices),
                 dims if isinstance(expr, Table) else ())  # fmt: skip


def _absolute(powers: Powers, expr: sympy.Abs) -> Power:
    found = powers.of(expr.args[0])
    return Power(sympy.Abs(found.factor), sympy.Abs(found.base))


def _primitive(powers: Powers, node: Apply) -> Power:
    rule = PRIMITIVES.get(node.primitive.standard)
    if rule is None:
        raise NoLaw(node.primitive.name)
    return rule(powers, node)


def _entry(powers: Powers, node: Apply) -> Power:
    """At places that run over the sides of the array, one or all of them."""
    array, *places = node.operands
    found = powers.of(array)
    if tuple(map(powers.runs_over, places)) != found.dims[: len(places)] or not found.dims:
        raise NoLaw(str(node))
    return Power(found.factor, node.primitive(found.base, *places), found.dims[len(places) :])


def _size_of(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 1 if node.primitive.standard == "norm" else 2)
    return Power(sympy.Abs(found.factor), node.primitive(found.base))


def _trace(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 2)
    return Power(found.factor, node.primitive(found.base))


def _rank(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 2)
    if found.factor != 1:
        raise NoLaw(str(node))
    return Power(ONE, node.primitive(found.base))


def _eigenvalue(powers: Powers, node: Apply) -> Power:
    """The largest or smallest of a positive semi-definite matrix of the world."""
    field = powers.claim.fields.get(getattr(node.operands[0], "name", ""))
    if type(field) not in (Gram, Projector):
        raise NoLaw(str(node))
    return Power(ONE, node)


def _transpose(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 2)
    return Power(found.factor, node.primitive(found.base), found.dims[::-1])


def _root(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 2)
    powers.wants(found.factor)
    return Power(sympy.sqrt(found.factor), node.primitive(found.base), found.dims)


def _diagonal(powers: Powers, node: Apply) -> Power:
    found = powers.array(node.operands[0], 1)
    return Power(found.factor, node.primitive(found.base), found.dims * 2)


def _unit(powers: Powers, node: Apply) -> Power:
    size = node.operands[0]
    if getattr(size, "name", "") not in powers.names:
        raise NoLaw(str(node))
    return Power(ONE, node, (size.name,) * (2 if node.primitive.standard == "identity" else 1))


def _pair(powers: Powers, node: Apply) -> Power:
    """Of two arrays of as many sides, of which the value keeps those that its kind keeps."""
    name = node.primitive.standard
    left, right = (powers.array(each, 2 if name == "entrywise" else 1) for each in node.operands)
    if name != "outer" and left.dims != right.dims:
        raise NoLaw(str(node))
    dims = {"inner": (), "outer": left.dims + right.dims, "entrywise": left.dims}[name]
    return Power(left.factor * right.factor, node.primitive(left.base, right.base), dims)


def _form(powers: Powers, node: Apply) -> Power:
    matrix, vector = powers.array(node.operands[0], 2), powers.array(node.operands[1], 1)
    if matrix.dims != vector.dims * 2:
        raise NoLaw(str(node))
    return Power(matrix.factor * vector.factor**2, node.primitive(matrix.base, vector.base))


PRIMITIVES: Mapping[str, Callable[[Powers, Apply], Power]] = {
    "entry": _entry, "row": _entry, "trace": _trace, "matrix_rank": _rank,
    **dict.fromkeys(NORMS, _size_of), "largest_eigenvalue": _eigenvalue,
    "smallest_eigenvalue": _eigenvalue, "transpose": _transpose, "matrix_root": _root,
    "diagonal": _diagonal, "identity": _unit, "ones": _unit, "inner": _pair, "outer": _pair,
    "entrywise": _pair, "form": _form,
}  # fmt: skip
RULES: dict[type[sympy.Basic], Callable[..., Power]] = {
    sympy.Mul: _product, sympy.Pow: _power, sympy.Abs: _absolute, Apply: _primitive,
    Named: lambda powers, expr: powers.of(expr.body),
    **dict.fromkeys((Total, Greatest, Least, Table), _sum_over_places),
}  # fmt: skip
