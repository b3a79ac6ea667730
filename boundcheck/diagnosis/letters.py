"""One letter, number or place that is wrong inside one factor or term, beside others that are not.

A vector in one of two norms, the place of an entry, the threshold of an event, a ratio inside a
product, a number beside a determinant, a size beside a sum of ranks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping

import sympy

from boundcheck.diagnosis.change import AS_GOOD, COSTS, Change
from boundcheck.diagnosis.exchanged import alike
from boundcheck.diagnosis.kin import swapped
from boundcheck.expressions.algebra import entry
from boundcheck.expressions.nodes import Apply, Indicator
from boundcheck.setting import INEQUALITIES, sides

DEARER = 3 * AS_GOOD  # than a symbol of the statement itself
HALF = sympy.S.Half


def letters(
    node: sympy.Basic, bodies: Mapping[sympy.Symbol, sympy.Expr], relation: sympy.Basic,
    lengths: Iterable[sympy.Symbol],
) -> Iterator[Change]:  # fmt: skip
    """Changes of one letter inside one part.

    Args: bodies: what measured symbols stand for. relation: the printed one. lengths: sizes.
    """
    if node in bodies:
        yield from inside_measured(node, bodies)
    if isinstance(node, sympy.Mul) and node.is_commutative:
        yield from turned_within(node, relation)
        if isinstance(relation, sympy.Eq):
            yield from scaled_determinants(node, bodies, lengths)
    if isinstance(node, sympy.exp):
        yield from mean_of_exponential(node, bodies)


def beside_a_number(node: sympy.Symbol, printed: Iterable[sympy.Expr]) -> Iterator[Change]:
    """A sum of a symbol and a number that is printed elsewhere, for the symbol: 1 + a for a."""
    for other in sorted(printed, key=str):
        if len(other.args) == 2 and other.free_symbols == {node} and (other - node).is_number:
            yield Change(f"{other} for {node}", "symbol", COSTS["swap"] + AS_GOOD, other, "swap")


def inside_measured(
    node: sympy.Symbol, bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[Change]:
    """A measured number with one letter, place or threshold changed in it."""
    body = bodies[node]
    for array, other in alike([node], bodies):
        if other not in body.free_symbols and len(body.free_symbols) > 1:
            made = body.xreplace({array: other})
            yield Change(f"{made} for {body}", "symbol", COSTS["swap"] + DEARER, made, "swap")
    if isinstance(body, Apply) and body.primitive is entry and body.operands[1:]:
        vector, *places = body.operands
        if len(places) == 1 and places[0].is_Integer:
            for place in (places[0] - 1, places[0] + 1):
                if place >= 0:
                    made = entry(vector, place)
                    yield Change(f"{made} for {body}", "symbol", COSTS["swap"] + AS_GOOD, made,
                                 "swap")  # fmt: skip
    yield from _thresholds(body)


def _thresholds(body: sympy.Expr) -> Iterator[Change]:
    """An event with twice or half its threshold, as in a union bound."""
    for event in sorted(body.atoms(Indicator), key=str):
        condition = event.condition
        if not isinstance(condition, INEQUALITIES) or not condition.rhs.is_Symbol:
            continue
        for factor in (sympy.Integer(2), HALF):
            other = condition.func(condition.lhs, factor * condition.rhs)
            made = body.xreplace({event: Indicator(other)})
            words = f"{factor * condition.rhs} for {condition.rhs} in {body}"
            yield Change(words, "constant", COSTS["number"] + AS_GOOD, made, "balanced")


def turned_within(node: sympy.Mul, relation: sympy.Basic) -> Iterator[Change]:
    """A product with the ratio of two of its symbols turned round, sooner one that the statement
    has so elsewhere.

    >>> k, a, b = sympy.symbols("k a b")
    >>> [change.node for change in turned_within(k * a / b, sympy.Le(b / a, 1))]
    [b*k/a, a*b/k]
    """
    above, below = ([factor for factor in sympy.Mul.make_args(part) if factor.is_Symbol]
                    for part in sympy.fraction(node))  # fmt: skip
    if len(above) + len(below) < 3:
        return
    ratios = relation.atoms(sympy.Mul)
    for one, two in itertools.product(above, below):
        other = two / one
        printed = not ratios.isdisjoint((other, -other))
        cost = COSTS["swap"] + (0.0 if printed else 2 * AS_GOOD)
        yield Change(f"{other} for {one / two}", "symbol", cost, node * other**2, "swap")


def scaled_determinants(
    node: sympy.Mul, bodies: Mapping[sympy.Symbol, sympy.Expr], lengths: Iterable[sympy.Symbol]
) -> Iterator[Change]:
    """A number beside a determinant to the power of the size, as rows have it."""
    kept = [symbol for symbol in node.args if symbol in bodies
            and isinstance(body := bodies[symbol], Apply)
            and body.primitive.standard == "determinant"]  # fmt: skip
    numbers = [factor for factor in node.args if factor.is_Symbol and factor not in bodies]
    for number, size in itertools.product(numbers if kept else (), lengths):
        if number != size:
            yield Change(f"{number**size} for {number}", "symbol", COSTS["power"] + AS_GOOD,
                         node / number * number**size, "power")  # fmt: skip


def mean_of_exponential(
    node: sympy.exp, bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[Change]:
    """The mean of an exponential for that of a mean beside other terms: E exp(x - t)."""
    terms = sympy.Add.make_args(node.args[0])
    for term in terms if len(terms) > 1 else ():
        for mean in swapped(sympy.exp(term), bodies[term]) if term in bodies else ():
            other = mean * sympy.exp(node.args[0] - term)
            yield Change(f"{mean} for {sympy.exp(term)}", "symbol", COSTS["kin"], other)


def lost_sizes_beside(
    relation: sympy.Basic, lengths: Iterable[sympy.Symbol]
) -> Iterator[Change]:
    """A sum that bounds from below with a size less, one from above with a size more, where some
    world attains it."""
    if not isinstance(relation, INEQUALITIES):
        return
    below, above = sides(relation)
    for size in lengths:
        for bound, term in ((below, -size), (above, size)):
            if bound != relation.rhs or not isinstance(bound, sympy.Add) or size in bound.args:
                continue
            args = [side + term if side == bound else side for side in relation.args]
            node = relation.func(*args, evaluate=False)
            yield Change(f"a term {term} beside {bound}", "symbol", COSTS["symbol"] + AS_GOOD, node,
                         "attained")  # fmt: skip
