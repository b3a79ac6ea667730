"""Slips of parts of a formula: one symbol for another all over them, such as a variance under the
wrong law, factors of two terms exchanged, a lost size at two terms of a sum."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import sympy

from boundcheck.diagnosis.change import AS_GOOD, COSTS, MOST_TERMS, Change
from boundcheck.expressions.symbols import Known

DEARER = 2 * AS_GOOD  # than one symbol at one place


def throughout(
    node: sympy.Basic, kinds: Mapping[sympy.Symbol, tuple[object, ...]],
    bodies: Mapping[sympy.Symbol, sympy.Expr],
) -> Iterator[Change]:  # fmt: skip
    """A part with another symbol of the kind in all places of one, where that has several.

    Args: kinds: what makes symbols exchangeable. bodies: what measured symbols stand for.

    >>> p, q = sympy.symbols("p q")
    >>> kinds = dict.fromkeys((p, q), ("real", True))
    >>> [change.node for change in throughout(p * (1 - p), kinds, {})]
    [q*(1 - q)]
    """
    if node in bodies:
        for law, other in alike([node], bodies):
            if law in _several(bodies[node]):
                yield _changed(bodies[node], law, other, bodies[node].xreplace({law: other}))
    if not node.args or not node.is_commutative:
        return
    above, below = sympy.fraction(node)
    whole = [node] if below == 1 else [node, above, below]
    places = [(part, symbol) for part in whole for symbol in _several(part)]
    for part, symbol in places:
        for other, kind in kinds.items():
            if other != symbol and kinds.get(symbol) == kind and symbol not in bodies:
                made = part.xreplace({symbol: other})
                if made.free_symbols:
                    new = made if part is node else above / made if part is below else made / below
                    yield _changed(part, symbol, other, new)
    yield from _both(node, kinds, bodies)
    measured = sorted((symbol for symbol in node.free_symbols if symbol in bodies), key=str)
    for law, other in alike(measured, bodies):
        new = {symbol: body.xreplace({law: other}) for symbol in measured
               if law in (body := bodies[symbol]).free_symbols}  # fmt: skip
        if len(new) > 1:
            yield _changed(node, law, other, node.xreplace(new))


def _both(
    node: sympy.Basic, kinds: Mapping[sympy.Symbol, tuple[object, ...]],
    bodies: Mapping[sympy.Symbol, sympy.Expr],
) -> Iterator[Change]:  # fmt: skip
    """A sum with two symbols of a kind that have several places in it in the place of each other,
    such as the relative entropy of two coins."""
    inside = [each for each in _several(node) if each in kinds and each not in bodies]
    for one, other in itertools.combinations(inside if node.is_Add else (), 2):
        made = node.xreplace({one: other, other: one})
        if kinds[one] == kinds[other] and made != node:
            words = f"{one} and {other} exchanged in {node}"
            yield Change(words, "symbol", COSTS["swap"] + AS_GOOD, made, "swap")


def _several(part: sympy.Basic) -> list[sympy.Symbol]:
    """Symbols that stand in several places of a part."""
    inside = [each for each in sympy.preorder_traversal(part) if each.is_Symbol]
    return sorted((symbol for symbol in set(inside) if inside.count(symbol) > 1), key=str)


def alike(
    measured: Sequence[sympy.Basic], bodies: Mapping[sympy.Symbol, sympy.Expr]
) -> Iterator[tuple[sympy.Symbol, sympy.Symbol]]:
    """Arrays that some measured numbers rest on, each with the others of its field that the
    statement names."""
    named = sorted(set().union(*(body.free_symbols for body in bodies.values())), key=str)
    arrays = [symbol for symbol in named if isinstance(symbol, Known) and symbol.rank]
    for one in arrays:
        if any(one in bodies[symbol].free_symbols for symbol in measured):
            yield from ((one, other) for other in arrays
                        if other != one and other.meaning.domain == one.meaning.domain)


def _changed(
    node: sympy.Basic, symbol: sympy.Symbol, other: sympy.Symbol, new: sympy.Basic
) -> Change:
    return Change(f"{other} for {symbol} in {node}", "symbol", COSTS["swap"] + DEARER, new, "swap")


def exchanged_factors(node: sympy.Add) -> Iterator[Change]:
    """Two terms of a sum with a factor of each in the place of the other: a/p + b/q for a/q + b/p.

    Factors that are symbols alone or their inverses, which are taken for one another, or a sum that
    only one of the terms has.
    """
    if len(node.args) > MOST_TERMS or not node.is_commutative:
        return
    split = [sympy.Mul.make_args(term) for term in node.args]
    plain = [[factor for factor in factors if factor.as_base_exp()[0].is_Symbol
              and factor.as_base_exp()[1].is_number] for factors in split]  # fmt: skip
    for one, two in itertools.combinations(range(len(node.args)), 2):
        pairs = [(first, second) for first, second in itertools.product(plain[one], plain[two])
                 if first != second and first.as_base_exp()[1] == second.as_base_exp()[1]]
        pairs += [(first, sympy.S.One) for first in split[one] if first.is_Add]
        pairs += [(sympy.S.One, second) for second in split[two] if second.is_Add]
        for first, second in pairs:
            terms = [*node.args]
            terms[one] *= second / first
            terms[two] *= first / second
            whole = sympy.Add(*terms)
            yield Change(f"{whole} for {node}", "symbol", COSTS["swap"] + AS_GOOD, whole, "swap")


def sized_pairs(node: sympy.Add, factors: Iterable[sympy.Expr]) -> Iterator[Change]:
    """Two terms of a longer sum with a lost factor or divisor, such as a variance that is E X^2
    less (E X)^2 beside a bias.

    >>> a, b, c, n = sympy.symbols("a b c n")
    >>> n in sized_pairs(a - b + c, [n]).__next__().node.free_symbols
    True
    """
    if not 2 < len(node.args) <= MOST_TERMS or not node.is_commutative:
        return
    for one, two in itertools.combinations(node.args, 2):
        if one.could_extract_minus_sign() == two.could_extract_minus_sign():
            continue
        pair = one + two
        for factor in factors:
            words = f"a factor {factor} at {pair}"
            yield Change(words, "factor", COSTS["symbol"], node - pair + factor * pair)
            if factor.is_Symbol:
                words = f"a divisor {factor} at {pair}"
                yield Change(words, "factor", COSTS["symbol"], node - pair + pair / factor)
