"""What may have been meant in the place of something measured: another norm, the least for the
greatest, two symbols exchanged."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import sympy

from boundcheck.expressions.algebra import (
    entry,
    frobenius_norm,
    largest_eigenvalue,
    norm,
    operator_norm,
    smallest_eigenvalue,
    spectral_radius,
    trace,
)
from boundcheck.expressions.display import bare
from boundcheck.expressions.nodes import Apply, Average, Greatest, Least, Total, rank_of
from boundcheck.expressions.signs import weighted
from boundcheck.expressions.symbols import Known
from boundcheck.quantities.laws import greatest_value, least_value
from boundcheck.worlds.composed import Index, promised_field
from boundcheck.worlds.fields import Field, Integer, Weights

FAMILIES = (
    (operator_norm, frobenius_norm, trace, spectral_radius),
    (largest_eigenvalue, smallest_eigenvalue, trace),
    (greatest_value, least_value),
)
NORMS = (operator_norm, frobenius_norm, spectral_radius)  # which are seldom meant for a trace
OUTSIDE = (sympy.exp, sympy.log, sympy.Abs)  # functions of a mean, beside powers
BINDERS = (Greatest, Least, Total)
OTHER_EXTREME: dict[object, object] = {
    Greatest: Least, Least: Greatest, largest_eigenvalue: smallest_eigenvalue,
    smallest_eigenvalue: largest_eigenvalue,
}  # fmt: skip


def instead(
    node: sympy.Symbol, bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[tuple[sympy.Expr, str]]:
    """What may have been meant in the place of a measured symbol, each with what it costs.

    Args: bodies: what measured symbols stand for.
    """
    body = bodies[node]
    linear = isinstance(body, Apply) and body.primitive is trace
    yield from ((other, "linear" if linear and other.primitive in NORMS else "kin")
                for other in kindred(body))
    yield from ((other, "swap") for other in (*exchanged(body), *elsewhere(body, bodies)))


def kindred(body: sympy.Expr) -> Iterator[sympy.Expr]:
    """Numbers of the same kind as a measured one.

    >>> from boundcheck.settings.scalar_laws import k, largest, law, p, total, values
    >>> x, q = values(), law("q")
    >>> list(kindred(largest(x)))
    [least_value(x, p)]
    >>> list(exchanged(total(q[k] ** 2 / p[k], k)))
    [total(p[k]**2/q[k], k)]
    """
    if isinstance(body, Apply):
        for family in FAMILIES:
            if body.primitive in family:
                yield from (other(*body.operands) for other in family if other != body.primitive)
        if body.primitive is largest_eigenvalue:  # of a symmetric matrix, as its norm
            yield operator_norm(*body.operands)
    if isinstance(body, BINDERS) and body.is_commutative:
        yield from (kind(*body.args) for kind in BINDERS if _fits(kind, body))
        if isinstance(body, (Greatest, Total)):
            yield from _euclidean(body)


def _euclidean(body: sympy.Expr) -> Iterator[sympy.Expr]:
    """The Euclidean norm of a vector for the largest or the sum of the moduli of its entries.

    >>> from boundcheck.expressions import greatest
    >>> from boundcheck.settings.matrices import r, u
    >>> list(_euclidean(greatest(sympy.Abs(u[r]), r)))
    [norm(u)]
    """
    modulus, *indices = body.args
    part = modulus.args[0] if isinstance(modulus, sympy.Abs) else None
    if not isinstance(part, Apply) or part.primitive is not entry:
        return
    vector, *places = part.operands
    if isinstance(vector, Known) and vector.rank == 1 and places == indices:
        yield norm(vector)


def swapped(node: sympy.Basic, body: sympy.Expr) -> Iterator[sympy.Expr]:
    """The mean of a function for the function of a mean: E(X^2) for E(X)^2.

    Args: node: the function of a measured mean. body: the mean.

    >>> from boundcheck.settings.scalar_laws import E, k, values
    >>> x, mean = values(), sympy.Symbol("mean")
    >>> list(swapped(mean**2, E(x[k])))
    [total(p[k]*x[k]**2, k)]
    """
    if isinstance(node, sympy.Pow) and node.exp.is_number:
        base, power = node.as_base_exp()
        outside = partial(_power, power=power)
    elif isinstance(node, OUTSIDE):
        base, outside = node.args[0], node.func
    else:
        return
    if isinstance(base, sympy.Symbol) and (mean := _mean(body)) is not None:
        averaged, again = mean
        yield again(outside(averaged))


def outside_of(body: sympy.Expr) -> Iterator[sympy.Expr]:
    """The function of a mean for the mean of a function.

    >>> from boundcheck.settings.scalar_laws import E, k, values
    >>> list(outside_of(E(values()[k] ** 2)))
    [total(p[k]*x[k], k)**2]
    """
    mean = _mean(body)
    if mean is None:
        return
    averaged, again = mean
    if isinstance(averaged, sympy.Pow) and averaged.exp.is_number:
        yield again(averaged.base) ** averaged.exp
    elif isinstance(averaged, OUTSIDE):
        yield averaged.func(again(averaged.args[0]))


def _power(base: sympy.Expr, power: sympy.Expr) -> sympy.Expr:
    return base**power


def _mean(body: sympy.Expr) -> tuple[sympy.Expr, Callable[[sympy.Expr], sympy.Expr]] | None:
    """What is averaged or summed, and the same of something else; None for neither."""
    if isinstance(body, Average):
        return body.body, lambda other: Average(other, body.drawn)
    if not isinstance(body, Total) or not body.is_commutative:
        return None
    term = bare(body.body)
    weights = [factor for factor in sympy.Mul.make_args(term) if _is_weight(factor)]
    if len(weights) > 1:
        return None
    weight = sympy.Mul(*weights)  # one for a plain sum, of squares or to be squared
    return term / weight, partial(_weighted, weight=weight, indices=body.args[1:])


def _weighted(other: sympy.Expr, weight: sympy.Expr, indices: tuple[Known, ...]) -> sympy.Expr:
    term = weight * other if weight == 1 else weighted(other, weight, indices[0])
    return Total(term, *indices)


def _is_weight(factor: sympy.Basic) -> bool:
    """Whether a factor is an entry of the weights of a law."""
    if not isinstance(factor, Apply) or factor.primitive is not entry:
        return False
    listed = factor.operands[0]
    return isinstance(listed, Known) and isinstance(listed.meaning.domain, Weights)


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


def elsewhere(
    body: sympy.Expr, bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[sympy.Expr]:
    """An entry at another place that the statement names: K[i, i] for K[i, j].

    Args: bodies: what measured symbols stand for.
    """
    if not isinstance(body, Apply) or body.primitive is not entry:
        return
    places = _places(bodies)
    for at, place in enumerate(body.operands[1:], start=1):
        for one, two in itertools.permutations(places, 2):
            if place.free_symbols == {one} and _domain(one) == _domain(two):
                operands = (*body.operands[:at], place.xreplace({one: two}))
                yield body.primitive(*operands, *body.operands[at + 1 :])


def _places(bodies: Mapping[sympy.Symbol, sympy.Expr]) -> list[sympy.Symbol]:
    """Indices that measured symbols name, given by the world or at will."""
    named = set().union(*(body.free_symbols for body in bodies.values()))
    return sorted((s for s in named if isinstance(_domain(s), (Index, Integer))), key=str)


def _domain(symbol: sympy.Symbol) -> Field | None:
    domain = symbol.meaning.domain if isinstance(symbol, Known) else None
    return promised_field(domain) if isinstance(domain, Field) else None


def means_of_two(
    node: sympy.Symbol, bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[sympy.Expr]:
    """The root of the product of a measured number and the same one at another place, the product
    and the larger of both: K[i, j] is at most the root of K[i, i] K[j, j].

    Args: bodies: what measured symbols stand for.
    """
    if rank_of(bodies[node]) != 0:
        return
    for one, two in itertools.permutations(_places(bodies), 2):
        if one in bodies[node].free_symbols and two not in bodies[node].free_symbols:
            other = bodies[node].xreplace({one: two})
            yield sympy.sqrt(node * other)
            yield node * other
            yield sympy.Max(node, other)


def extreme(body: sympy.Expr) -> object:
    """Which extreme a measured number is: the kind of binder, or the function of a matrix."""
    kind = body.primitive if isinstance(body, Apply) else type(body)
    return kind if kind in OTHER_EXTREME else None


def exchanges_extremes(old: sympy.Basic, new: sympy.Basic) -> bool:
    """Whether the one largest of some numbers has become the least of them, or the other way round.

    >>> p, q = sympy.symbols("p q")
    >>> exchanges_extremes(p / sympy.Min(p, q), p / sympy.Max(p, q))
    True
    """
    (one, other) = (expr.atoms(sympy.Max, sympy.Min) for expr in (old, new))
    if len(one) != 1 or len(other) != 1 or one == other:
        return False
    (was,), (now,) = one, other
    return type(was) is not type(now) and was.args == now.args


def is_difference(node: sympy.Add) -> bool:
    """Whether a sum is the other way round where two of its symbols are exchanged: f(x) - f(y)."""
    for one, two in itertools.combinations(sorted(node.free_symbols, key=str), 2):
        try:
            turned = node.xreplace({one: two, two: one})
        except Exception:  # an index or a size in the place of something else
            continue
        if turned == -node:
            return True
    return False


def replaced_in(text: sympy.Basic, new: Mapping[sympy.Basic, sympy.Basic]) -> sympy.Basic:
    """`xreplace` that leaves relations unevaluated."""
    if isinstance(text, (sympy.Rel, sympy.And, sympy.Or, sympy.Implies)):
        return text.func(*(replaced_in(arg, new) for arg in text.args), evaluate=False)
    return text.xreplace(new)
