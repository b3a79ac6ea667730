"""Problems from SymPy: premises and a goal over real symbols, as the checker reads them."""

from __future__ import annotations

from collections.abc import Iterable

import sympy

from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import FALSE, TRUE, UNARY, Relation, Term

MOST_BITS = 4000  # of a number; Python reads no more than 4,300 digits


class Inexpressible(Exception):
    """An expression that a certificate has no term for; the text says which."""


COMPARED = {sympy.Le: "<=", sympy.Lt: "<", sympy.Eq: "=", sympy.Ne: "!="}
SWAPPED = {sympy.Ge: "<=", sympy.Gt: "<"}
FUNCTIONS = {getattr(sympy, {"abs": "Abs"}.get(name, name)): name for name in UNARY}


def term(expr: sympy.Basic) -> Term:
    """The term of an expression. Raises: Inexpressible.

    >>> x = sympy.Symbol("x", real=True)
    >>> term(x**2 + 1)
    ('+', '1', ('^', ('x', 'x'), '2'))
    """
    if isinstance(expr, sympy.Symbol):
        if not expr.is_commutative:
            raise Inexpressible(f"{expr} is a matrix")
        return ("x", expr.name)
    if isinstance(expr, sympy.Float):
        expr = sympy.Rational(str(expr))
    if isinstance(expr, sympy.Rational):
        if max(int(expr.p).bit_length(), int(expr.q).bit_length()) > MOST_BITS:
            raise Inexpressible("a number of too many digits")
        return str(expr.p) if expr.q == 1 else f"{expr.p}/{expr.q}"
    if expr is sympy.E:
        return ("exp", "1")
    if expr is sympy.pi:
        return ("pi",)
    if isinstance(expr, sympy.Piecewise):
        return ("piecewise", *[("case", term(v), relation(c)) for v, c in expr.args])
    if isinstance(expr, sympy.Pow):
        if expr.base is sympy.E:
            return ("exp", term(expr.exp))
        return ("^", term(expr.base), term(expr.exp))
    if isinstance(expr, (sympy.cosh, sympy.sinh)):
        sign = 1 if isinstance(expr, sympy.cosh) else -1
        up, down = sympy.exp(expr.args[0]), sympy.exp(-expr.args[0])
        if isinstance(up, sympy.exp) and isinstance(down, sympy.exp):
            return term(up / 2 + sign * down / 2)
        inner = term(expr.args[0])  # SymPy makes a of exp(log(a)), which asks for less
        return ("+", ("*", "1/2", ("exp", inner)),
                ("*", f"{sign}/2", ("exp", ("*", "-1", inner))))  # fmt: skip
    if isinstance(expr, sympy.exp):
        return ("exp", term(expr.args[0]))
    names = {sympy.Add: "+", sympy.Mul: "*", sympy.Max: "max", sympy.Min: "min", **FUNCTIONS}
    if type(expr) not in names:
        raise Inexpressible(f"{type(expr).__name__} is no operation of a certificate")
    return (names[type(expr)], *[term(arg) for arg in _ordered(expr)])


def _ordered(expr: sympy.Basic) -> list[sympy.Basic]:
    """Arguments in an order that does not depend on what the process met before."""
    if isinstance(expr, (sympy.Add, sympy.Mul, sympy.Max, sympy.Min)):
        return sorted(expr.args, key=sympy.default_sort_key)
    return list(expr.args)


def relation(condition: sympy.Basic) -> Relation:
    """The relation of a condition. Raises: Inexpressible."""
    if condition in (sympy.true, sympy.false):
        return TRUE if condition == sympy.true else FALSE
    if isinstance(condition, (sympy.And, sympy.Or)):
        head = "and" if isinstance(condition, sympy.And) else "or"
        return (head, *[relation(c) for c in sorted(condition.args, key=sympy.default_sort_key)])
    if isinstance(condition, sympy.Not):
        return ("not", relation(condition.args[0]))
    if isinstance(condition, sympy.Implies):
        return ("implies", relation(condition.args[0]), relation(condition.args[1]))
    if isinstance(condition, sympy.Rel):
        left, right = term(condition.lhs), term(condition.rhs)
        if type(condition) in SWAPPED:
            return (SWAPPED[type(condition)], right, left)
        return (COMPARED[type(condition)], left, right)
    raise Inexpressible(f"{condition} is no condition on numbers")


def problem(
    premises: Iterable[sympy.Basic], needed: Iterable[sympy.Basic], goal: sympy.Basic,
    integers: Iterable[str],
) -> Problem:  # fmt: skip
    """What is to be shown, from SymPy; premises that no term expresses are left out.

    Raises: Inexpressible for a goal without a term.
    """
    known: list[Relation] = []
    for premise in premises:
        try:
            known.append(relation(premise))
        except Inexpressible:
            continue
    return Problem(
        tuple(sorted(integers)), tuple(dict.fromkeys(known)),
        tuple(dict.fromkeys(relation(n) for n in needed)), relation(goal),
    )  # fmt: skip
