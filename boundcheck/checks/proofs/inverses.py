"""Equations between matrices as words, and for which matrices their inverses exist.

An inverse exists where its base is c I plus terms that are positive semi-definite by their form,
c > 0, or where a hypothesis says that a determinant is not zero. A base of any other form may be
singular in some world, and then nothing is proved.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from boundcheck.certificates.problem import Inexpressible, term
from boundcheck.certificates.words import Listed, Matrices
from boundcheck.checks.proofs.definitions import Knowledge
from boundcheck.checks.proofs.places import NoSum
from boundcheck.checks.proofs.system import SERIES, requirements
from boundcheck.checks.proofs.values import Values
from boundcheck.claim import Claim, Quantity
from boundcheck.errors import MalformedStatement
from boundcheck.expressions.algebra import determinant
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.matrix_words import Words, worded
from boundcheck.expressions.nodes import Apply
from boundcheck.expressions.shapes import clash, said, shape_of
from boundcheck.expressions.signs import facts_of
from boundcheck.expressions.symbols import known_symbols
from boundcheck.setting import parts
from boundcheck.worlds.fields import Gram


def matrix_problem(claim: Claim, knowledge: Knowledge) -> MatrixProblem | str:
    """What is to be shown of a statement about matrices, or why nothing is tried."""
    words = worded(claim.statement.relation, claim.stands)
    relation = words.relation
    found = parts(relation)
    printed = claim.statement.relation
    if trouble := misfit(printed, knowledge) or _valueless(printed, words, knowledge):
        return trouble
    if not found or relation.has(sympy.Or, sympy.Not, sympy.Implies):
        return "no comparison of matrices"
    if relation.has(*SERIES):
        return "a sum beside matrices"
    units = dict.fromkeys(words.units, sympy.S.One)
    scalars: list[sympy.Basic] = []
    equations: list[tuple[sympy.Expr, sympy.Expr]] = []
    needed = list(knowledge.needed())
    for part in found:
        plain = knowledge.replaced(part)
        needed += [knowledge.replaced(c) for c in _scalar_requirements(part)]
        if all(s.is_commutative for s in plain.free_symbols):
            scalars.append(plain)
        elif not isinstance(plain, sympy.Eq):
            return "an inequality between matrices"
        else:
            equations.append((plain.lhs.xreplace(units), plain.rhs.xreplace(units)))
    letters = _Letters(equations)
    if letters.trouble:
        return letters.trouble
    try:
        made = _matrices(claim, letters, equations, words)
    except Inexpressible as error:
        return str(error)
    return MatrixProblem(made, sympy.And(*scalars), [*needed, *letters.signs()])


def misfit(relation: sympy.Basic, knowledge: Knowledge) -> str:
    """Why the sides of some equation, or definitions in them, may have no value; "" if they have.

    Words and entries forget sizes: A B = B A and (A + B) C = A C + B C are said of matrices that
    fit.
    """
    try:
        for part in parts(relation):
            one, other = shape_of(part.lhs), shape_of(part.rhs)
            if 0 not in part.args and clash(one, other):
                return f"{part} compares {said(one)} with {said(other)}"
        for definition in _defined(relation, knowledge):
            if Values(knowledge.sums).needed(definition, {}):
                return f"{definition} has a value under conditions only"
    except (MalformedStatement, NoSum) as error:
        return f"not shown to have a value: {error}"
    return ""


def _valueless(relation: sympy.Basic, words: Words, knowledge: Knowledge) -> str:
    """Why a letter may have no value, or a product cancel one that has none; "" if none does."""
    try:
        for node in words.letters:
            if Values(knowledge.sums).needed(node, {}):
                return f"{node} has a value under conditions only"
    except NoSum as error:
        return f"not shown to have a value: {error}"
    if any(map(_cancels, relation.atoms(Apply))):
        return "an inverse under a transpose, which products cancel"
    return ""


def _defined(relation: sympy.Basic, knowledge: Knowledge) -> list[sympy.Expr]:
    """What the vectors and matrices of an equation are defined as, through other definitions."""
    found: dict[str, sympy.Expr] = {}
    waiting = list(known_symbols(relation))
    while waiting:
        symbol = waiting.pop()
        definition = knowledge.claim.stands.get(symbol.name)
        if symbol.name in found or not isinstance(definition, sympy.Expr):
            continue
        found[symbol.name] = definition
        waiting += known_symbols(definition)
    return list(found.values())


def _cancels(node: Apply) -> bool:
    """Whether a transpose is of an inverse: written out, it may meet what it is the inverse of."""
    return node.primitive.standard == "transpose" and _inverts(node.operands[0])


def _inverts(expr: sympy.Basic) -> bool:
    """Whether a matrix in an expression is inverted."""
    return any(not power.is_commutative and power.exp.could_extract_minus_sign()
               for power in expr.atoms(sympy.Pow))  # fmt: skip


@dataclass(frozen=True)
class MatrixProblem:
    """Equations between matrices, the scalar statement beside them, and what must hold for both."""

    matrices: Matrices
    scalars: sympy.Basic
    needed: list[sympy.Basic]


class _Letters:
    """The inverses of some equations as letters of their own, with their bases.

    A compound base is one letter: SymPy would turn (A B)^-1 into B^-1 A^-1, which is false for
    rectangular A and B.
    """

    def __init__(self, equations: list[tuple[sympy.Expr, sympy.Expr]]) -> None:
        found: set[sympy.Expr] = set()
        waiting = [side for pair in equations for side in pair]
        while waiting:
            for power in waiting.pop().atoms(sympy.Pow):
                base = power.base
                whole = power.exp.is_Integer and power.exp >= -3
                self_made = base.is_commutative or (power.exp.is_Integer and power.exp > 0)
                if self_made or base in found:
                    continue
                if not whole:
                    self.trouble = f"{power} is no product of matrices and inverses"
                    return
                found.add(base)
                waiting.append(base)
        self.bases = sorted(found, key=str)
        self.inverse = {
            base**-k: sympy.Symbol(f"Z{i}", commutative=False) ** k
            for i, base in enumerate(self.bases) for k in (1, 2, 3)
        }  # fmt: skip
        self.trouble = ""

    def words(self, expr: sympy.Expr) -> list[tuple[sympy.Expr, tuple[str, ...]]]:
        """An expression as a sum of words: (scalar factor, letters)."""
        made = {symbol for symbol in self.inverse.values() if symbol.is_Symbol}
        found = []
        for summand in sympy.Add.make_args(sympy.expand(expr.xreplace(self.inverse))):
            factors, word = summand.args_cnc()
            names: list[str] = []
            for power in word:
                base, exponent = power.as_base_exp()
                if not base.is_Symbol or not exponent.is_Integer or not 0 < exponent <= 20:
                    raise Inexpressible(f"{power} is no product of matrices and inverses")
                name = base.name if base in made else f":{base.name}"
                names += [name] * int(exponent)
            found.append((sympy.Mul(*factors), tuple(names)))
        return [(factor, word) for factor, word in found if factor != 0]

    def signs(self) -> list[sympy.Basic]:
        """Shifts of bases are positive and other factors nonnegative, where that is to be seen."""
        found: list[sympy.Basic] = []
        for base in self.bases:
            shift = [factor for factor, word in self.words(base) if not word]
            if shift:
                found.append(sympy.Gt(sympy.Add(*shift), 0, evaluate=False))
                found += [sympy.Ge(factor, 0, evaluate=False)
                          for factor, word in self.words(base) if word]  # fmt: skip
        return found


def _matrices(
    claim: Claim, letters: _Letters, equations: list[tuple[sympy.Expr, sympy.Expr]], words: Words
) -> Matrices:
    symbols = sorted({s for pair in equations for side in pair for s in side.free_symbols
                      if not s.is_commutative}, key=str)  # fmt: skip
    pairs = tuple(
        (f":{left.name}", f":{right.name}") for left in symbols for right in symbols
        if words.are_transposed(left, right) or (left == right and _is_gram(claim, left))
    )  # fmt: skip
    return Matrices(
        tuple((_listed(letters, left), _listed(letters, right)) for left, right in equations),
        tuple(_listed(letters, base) for base in letters.bases), pairs,
        tuple(f":{s.name}" for s in symbols if s in words.semidefinite or _is_gram(claim, s)),
        tuple(i for i, base in enumerate(letters.bases)
              if base.is_Symbol and _determinant_given(claim, base)),
    )  # fmt: skip


def _listed(letters: _Letters, expr: sympy.Expr) -> Listed:
    return tuple((term(factor), word) for factor, word in letters.words(expr))


def _scalar_requirements(part: sympy.Basic) -> list[sympy.Basic]:
    powers = [p for p in part.atoms(sympy.Pow, sympy.Function) if p.is_commutative]
    stated = [sympy.Eq(power, 0, evaluate=False) for power in powers]
    return [needed for statement in stated for needed in requirements(statement)]


def _quantity(claim: Claim, symbol: sympy.Expr) -> Quantity | None:
    return claim.measured.get(getattr(symbol, "name", ""))


def _is_gram(claim: Claim, symbol: sympy.Expr) -> bool:
    """A definition that is positive semi-definite, or a field that only holds such matrices."""
    quantity = _quantity(claim, symbol)
    if quantity is None:
        fields = dict(claim.worlds.fields) if claim.worlds is not None else {}
        return type(fields.get(getattr(symbol, "name", ""))) is Gram
    return isinstance(quantity, Definition) and (
        "positive semi-definite" in facts_of(quantity.whole, claim.stands)
    )


def _determinant_given(claim: Claim, base: sympy.Expr) -> bool:
    """Whether a hypothesis says that the determinant of this very matrix is not zero."""
    for condition in claim.given:
        if not isinstance(condition, sympy.Ne) or condition.rhs != 0:
            continue
        quantity = _quantity(claim, condition.lhs)
        if isinstance(quantity, Definition) and quantity.whole == determinant(base):
            return True
    return False
