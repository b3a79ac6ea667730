"""What a bound has lost: a number, the logarithm of a size, a size, the place of a bracket."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.changes import AS_GOOD, COSTS, Change
from boundcheck.diagnosis.domain import sizes
from boundcheck.setting import INEQUALITIES, sides

OF_EXPONENTS = 0.4  # what a lost exponent costs more than a lost factor
LOST_NUMBERS = (sympy.S.One, sympy.Integer(2), sympy.S.Half)


def lost_number(relation: sympy.Rel, side: sympy.Expr) -> Iterator[Change]:
    """A bound from above with one more, where some world attains it."""
    if isinstance(relation, INEQUALITIES) and side == sides(relation)[1] and side.free_symbols:
        for number in LOST_NUMBERS:
            words = f"a term {number} beside {side}"
            yield Change(words, "symbol", COSTS["symbol"], side + number, "attained")


def lost_logarithms(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """A bound from above with the logarithm of a size more, where some world attains it."""
    if not isinstance(relation, INEQUALITIES):
        return
    _, bound = sides(relation)
    for size in sizes(claim):
        term, place = sympy.log(size), relation.args.index(bound)
        args = [*relation.args]
        args[place] = bound + term
        node = relation.func(*args, evaluate=False)
        words = f"a term {term} beside {bound}"
        yield Change(words, "symbol", COSTS["logarithm"], node, "attained")


def lost_exponents(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """A bound from above, or one of its factors, to the power of a size, where some world attains
    it."""
    if not isinstance(relation, INEQUALITIES):
        return
    _, bound = sides(relation)
    parts = dict.fromkeys([bound, *(part for part in sympy.Mul.make_args(bound))])
    for part, size in itertools.product(parts, sizes(claim)):
        if not part.free_symbols or part.as_base_exp()[1].free_symbols or part == size:
            continue  # of what has an exponent, another one is an edit of its own
        args = [side.xreplace({part: part**size}) if side == bound else side
                for side in relation.args]  # fmt: skip
        node = relation.func(*args, evaluate=False)
        yield Change(f"{part**size} for {part}", "symbol", COSTS["symbol"] + OF_EXPONENTS, node,
                     "attained")  # fmt: skip


def other_exponents(relation: sympy.Basic) -> Iterator[Change]:
    """A ratio in one symbol that the statement names, or its inverse, for that symbol in an
    exponent: of conjugate exponents p and p/(p - 1) one was written twice.

    >>> b, p = sympy.symbols("b p", positive=True)
    >>> [change.words for change in other_exponents(b <= b**p * (p - 1) / p)]
    ['(p - 1)/p for p', 'p/(p - 1) for p']
    """
    ratios: dict[sympy.Symbol, set[sympy.Expr]] = {}
    for product in relation.atoms(sympy.Mul):
        for symbol in product.free_symbols if product.is_commutative else ():
            alone = sympy.Mul(*(factor for factor in product.args
                                if factor.free_symbols == {symbol} and factor.is_rational_function()
                                and not factor.as_base_exp()[1].free_symbols))  # fmt: skip
            above, below = alone.as_numer_denom()
            if above.free_symbols and below.free_symbols:
                ratios.setdefault(symbol, set()).update((alone, 1 / alone))
    powers = [node for node in relation.atoms(sympy.Pow) if node.exp in ratios]
    for power in sorted(powers, key=str):
        for other in sorted(ratios[power.exp], key=str):
            node = relation.func(*(side.xreplace({power: power.base**other})
                                   for side in relation.args), evaluate=False)  # fmt: skip
            yield Change(f"{other} for {power.exp}", "symbol", COSTS["kin"], node)


def lost_sizes(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """A positive number that is a whole bound from above with a factor that is a size, or its
    root."""
    if not isinstance(relation, INEQUALITIES):
        return
    _, bound = sides(relation)
    for size in sizes(claim) if bound.is_number and bound.is_positive else ():
        for factor in (size, sympy.sqrt(size)):
            args = [factor * bound if side == bound else side for side in relation.args]
            node = relation.func(*args, evaluate=False)
            yield Change(f"a factor {factor} at {bound}", "factor", COSTS["symbol"], node)


def lost_roots(node: sympy.Basic) -> Iterator[Change]:
    """The root of what a number multiplies: 2 sqrt(p (1 - p)) for 2 p (1 - p)."""
    if isinstance(node, sympy.Mul) and node.is_commutative:
        number, product = node.as_independent(*node.free_symbols, as_Add=False)
        root = sympy.sqrt(product)
        if product.is_Mul and number.is_positive and number != 1:
            cost = COSTS["power"] + AS_GOOD  # print mostly loses the root of all
            yield Change(f"{root} for {product}", "symbol", cost, number * root, "power")


def regrouped(node: sympy.Basic) -> Iterator[Change]:
    """The bracket of a logarithm at another place: log(a)/b for log(a/b) and the other way."""
    if isinstance(node, sympy.log):
        above, below = node.args[0].as_numer_denom()
        other = sympy.log(above) / below if above.free_symbols and below.free_symbols else None
    else:
        above, below = node.as_numer_denom() if isinstance(node, sympy.Mul) else (node, sympy.S.One)
        plain = isinstance(above, sympy.log) and above.args[0].is_Symbol and below.is_Symbol
        other = sympy.log(above.args[0] / below) if plain else None
    if other is not None:
        yield Change(f"{other} for {node}", "symbol", COSTS["order"], other)
