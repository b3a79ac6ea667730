"""Which quantities cannot be negative because they are squares: norms, forms, traces of Grams.

What their definitions show at a glance, for ranges in requirements; nothing is proved by it.

>>> from boundcheck.expressions import form, world
>>> from boundcheck.worlds import Matrix, Vector
>>> A, v = world("A", Matrix(2, 2)), world("v", Vector(2))
>>> never_negative(form(A * A.T, v)), never_negative(form(A, v))
(True, False)
"""

from __future__ import annotations

from contextvars import ContextVar

import sympy

from boundcheck.expressions import signs
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Apply, Average, Greatest, Least, Total
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.fields import Probabilities, Weights

SCALAR = (sympy.Add, sympy.Mul, sympy.Max, sympy.Min)
BINDERS = (Total, Greatest, Least, Average)


_stands: ContextVar[signs.Stands | None] = ContextVar("stands", default=None)


def never_negative(expr: sympy.Basic, stands: signs.Stands | None = None) -> bool:
    """Whether every value of a scalar is seen to be at least zero.

    Args: stands: field or definition of every name in a claim, where one is read: it may have
    others than its symbols.
    """
    if stands is not None:
        before = _stands.set(stands)
        try:
            return never_negative(expr)
        finally:
            _stands.reset(before)
    if "nonnegative" in signs.facts_of(expr, _stands.get()):
        return True
    inside = _inside(expr)
    if inside is not None:
        return never_negative(inside)
    if isinstance(expr, Apply):
        return _applied(expr)
    if isinstance(expr, sympy.Pow):
        return never_negative(expr.base)
    if isinstance(expr, BINDERS):
        return never_negative(expr.body)
    return isinstance(expr, SCALAR) and all(map(never_negative, expr.args))


def _inside(expr: sympy.Basic) -> sympy.Basic | None:
    """What a name or a defined symbol stands for."""
    if isinstance(expr, Named):
        return expr.body
    if not isinstance(expr, Known):
        return None
    known = _stands.get()
    found = expr.meaning.definition if known is None else known.get(expr.name)
    return found if isinstance(found, sympy.Basic) else None


def _applied(node: Apply) -> bool:
    name, args = node.primitive.standard, node.operands
    if name == "inner":
        return args[0] == args[1] or _weighted(args[0], args[1])
    if name in ("form", "trace", "determinant"):
        return semidefinite(args[0])
    return name == "entry" and len(set(args[1:])) == 1 and len(args) == 3 and semidefinite(args[0])


def _weighted(first: sympy.Basic, second: sympy.Basic) -> bool:
    """Whether the second vector is the first one under weights."""
    front = second.args[0] if isinstance(second, sympy.Mul) and len(second.args) == 2 else None
    return front is not None and second.args[1] == first and _weights(front)


def _weights(matrix: sympy.Basic) -> bool:
    """Whether a matrix is diagonal without negative entries."""
    return _called(matrix, "diagonal") and _entries(matrix.operands[0])


def _entries(vector: sympy.Basic) -> bool:
    known = _stands.get()
    domain = None
    if isinstance(vector, Known):
        domain = vector.meaning.domain if known is None else known.get(vector.name)
    domain = getattr(domain, "domain", None) or domain  # drawn by a rule from a stated domain
    if type(domain) in (Weights, Probabilities):
        return True
    low = getattr(domain, "low", None)
    return isinstance(low, int) and low >= 0


def _called(node: sympy.Basic, name: str) -> bool:
    return isinstance(node, Apply) and node.primitive.standard == name


def semidefinite(matrix: sympy.Basic) -> bool:
    """Whether a matrix is seen to be positive semi-definite."""
    if "positive semi-definite" in signs.facts_of(matrix, _stands.get()) or _weights(matrix):
        return True
    inside = _inside(matrix)
    if inside is not None:
        return semidefinite(inside)
    if _called(matrix, "block"):
        return matrix.operands[1] == matrix.operands[2] and semidefinite(matrix.operands[0])
    if _called(matrix, "outer"):
        return bool(matrix.operands[0] == matrix.operands[1])
    if isinstance(matrix, sympy.Add):
        return all(map(semidefinite, matrix.args))
    return isinstance(matrix, sympy.Mul) and _sandwich(matrix)


def _sandwich(product: sympy.Mul) -> bool:
    """Whether a product is A P A^T with a semi-definite P, or none."""
    scalars, factors = product.args_cnc()
    if not all(map(never_negative, scalars)):
        return False
    while len(factors) > 1 and _transposes(factors[0], factors[-1]):
        factors = factors[1:-1]
    return not factors or (len(factors) == 1 and semidefinite(factors[0]))


def _transposes(first: sympy.Basic, last: sympy.Basic) -> bool:
    return bool(getattr(first, "T", None) == last or getattr(last, "T", None) == first)
