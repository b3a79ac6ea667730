"""The word reading: identities between matrices as words in non-commuting letters.

Letters are symbols; transposes of products are written out, unit matrices, symmetric and positive
semi-definite letters and pairs of a letter and its transpose are listed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from boundcheck.expressions.blocks import at
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Node, rank_of
from boundcheck.expressions.signs import Stands, facts_of
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.fields import Gram, Symmetric
from boundcheck.worlds.kinds import Hermitian, Projector, SemidefiniteHermitian

SYMMETRIC = (Gram, Symmetric, Projector, Hermitian, SemidefiniteHermitian)


@dataclass
class Words:
    """A relation in letters, and what is known of them."""

    relation: sympy.Basic = sympy.true
    units: set[sympy.Symbol] = field(default_factory=set)
    semidefinite: set[sympy.Symbol] = field(default_factory=set)
    transposed: dict[sympy.Symbol, sympy.Symbol] = field(default_factory=dict)
    letters: dict[sympy.Basic, sympy.Symbol] = field(default_factory=dict)
    stands: Stands | None = None
    taken: set[str] = field(default_factory=set)

    def are_transposed(self, left: sympy.Basic, right: sympy.Basic) -> bool:
        """Whether one letter is the transpose of the other, or both are one symmetric letter."""
        return bool(self.transposed.get(left) == right or self.transposed.get(right) == left)


def worded(relation: sympy.Basic, stands: Stands | None = None) -> Words:
    """The relation with every matrix or vector node replaced by letters.

    Args: stands: as of `facts_of`.

    >>> from boundcheck.expressions import identity, transpose, world
    >>> from boundcheck.worlds import Integer, Matrix
    >>> n = world("n", Integer(1, 3))
    >>> X = world("X", Matrix(n, n))
    >>> worded(sympy.Eq(transpose(X * X) * identity(n), 0, evaluate=False)).relation
    Eq(X.T**2*identity(n), 0)
    """
    taken = {symbol.name for symbol in relation.free_symbols} | set(stands or ())
    words = Words(stands=stands, taken=taken)
    words.relation = _read(relation, words)
    return words


def _read(expr: sympy.Basic, words: Words) -> sympy.Basic:
    if isinstance(expr, Known):
        _describe(expr, expr, words)
        return expr
    if isinstance(expr, Named):
        return _read(expr.body, words)
    if isinstance(expr, Node):
        return expr if rank_of(expr) == 0 else _letter(expr, words)
    if not expr.args:
        return expr
    return expr.func(*[_read(arg, words) for arg in expr.args])


def _letter(node: Node, words: Words) -> sympy.Expr:
    name = node.primitive.standard if isinstance(node, Apply) else ""
    if name == "transpose":
        return _transposed(node.operands[0], words)
    if node not in words.letters:
        words.letters[node] = sympy.Symbol(_unused(str(node), words), commutative=False)
        if name == "identity" and not node.operands[0].is_Integer:  # 1 x 1 beside n x n is none
            words.units.add(words.letters[node])
        else:
            _describe(words.letters[node], node, words)
    return words.letters[node]


def _unused(text: str, words: Words) -> str:
    """A name that no other letter has: nodes may be shown alike, and like a symbol."""
    made = (*words.letters.values(), *words.transposed.values())
    taken = words.taken | {letter.name for letter in made}
    while text in taken:
        text += "'"
    return text


def _transposed(expr: sympy.Expr, words: Words) -> sympy.Expr:
    if expr.is_commutative:
        return expr
    if isinstance(expr, sympy.Add):
        return sympy.Add(*[_transposed(arg, words) for arg in expr.args])
    if isinstance(expr, sympy.Mul):
        scalars = [arg for arg in expr.args if arg.is_commutative]
        factors = [_transposed(arg, words) for arg in expr.args if not arg.is_commutative]
        return sympy.Mul(*scalars, *reversed(factors))
    if isinstance(expr, sympy.Pow):
        return _transposed(expr.base, words) ** expr.exp
    if isinstance(expr, Apply) and expr.primitive.standard == "transpose":
        return _read(expr.operands[0], words)
    plain = _read(expr, words)
    if plain in words.transposed:
        return words.transposed[plain]
    if plain in words.units:
        return plain
    turned = sympy.Symbol(_unused(f"{plain}.T", words), commutative=False)
    words.transposed[plain] = turned
    words.transposed[turned] = plain
    return turned


def _describe(letter: sympy.Symbol, expr: sympy.Basic, words: Words) -> None:
    """Whether a letter is symmetric by its field or form, and positive semi-definite."""
    if rank_of(expr) != 2:
        return
    domain: object = None
    if isinstance(expr, Known):
        domain = expr.meaning.domain if words.stands is None else words.stands.get(expr.name)
    diagonal = isinstance(expr, Apply) and expr.primitive.standard == "diagonal"
    if type(domain) in SYMMETRIC or diagonal:
        words.transposed[letter] = letter
    if "positive semi-definite" in facts_of(expr, words.stands):
        words.transposed[letter] = letter
        words.semidefinite.add(letter)
    if diagonal:
        first = at(expr.operands[0], sympy.S.Zero)
        if {"probability", "nonnegative"} & set(facts_of(first, words.stands)):
            words.semidefinite.add(letter)
