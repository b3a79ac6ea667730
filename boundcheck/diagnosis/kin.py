"""What may have been meant in the place of something measured: another norm, the least for the
greatest, two symbols exchanged."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy

from boundcheck.expressions.algebra import (
    frobenius_norm,
    largest_eigenvalue,
    operator_norm,
    smallest_eigenvalue,
    spectral_radius,
    trace,
)
from boundcheck.expressions.nodes import Apply, Greatest, Least, Total
from boundcheck.expressions.symbols import Known
from boundcheck.quantities.laws import greatest_value, least_value

FAMILIES = (
    (operator_norm, frobenius_norm, trace, spectral_radius),
    (largest_eigenvalue, smallest_eigenvalue, trace),
    (greatest_value, least_value),
)
BINDERS = (Greatest, Least, Total)


def kindred(body: sympy.Expr) -> Iterator[sympy.Expr]:
    """Numbers of the same kind as a measured one.

    >>> from boundcheck.settings.scalar_laws import E, k, largest, law, p, values
    >>> x, q = values(), law("q")
    >>> list(kindred(largest(x)))
    [least_value(x, p)]
    >>> list(exchanged(E(q[k] ** 2 / p[k] ** 2)))
    [total(p[k]**2/q[k], k)]
    """
    if isinstance(body, Apply):
        for family in FAMILIES:
            if body.primitive in family:
                yield from (other(*body.operands) for other in family if other != body.primitive)
    if isinstance(body, BINDERS) and body.is_commutative:
        yield from (kind(*body.args) for kind in BINDERS if _fits(kind, body))


def _fits(kind: type, body: sympy.Expr) -> bool:
    """Whether one binder may stand for another: a sum only for an extreme and the other way."""
    return not isinstance(body, kind) and (kind is not Least or not isinstance(body, Total))


def exchanged(body: sympy.Expr) -> Iterator[sympy.Expr]:
    """An expression with two symbols of one field exchanged, everywhere in it."""
    known = sorted((s for s in body.free_symbols if isinstance(s, Known) and s.rank), key=str)
    for one, two in itertools.combinations(known, 2):
        if one.rank == two.rank and type(one.meaning.domain) is type(two.meaning.domain):
            other = body.xreplace({one: two, two: one})
            if other != body:
                yield other
