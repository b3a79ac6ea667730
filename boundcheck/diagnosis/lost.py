"""What a bound has lost: a number, a size or its logarithm, the place of a bracket or of roots."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.change import AS_GOOD, COSTS, Change
from boundcheck.diagnosis.domain import is_share, kind_of, sizes
from boundcheck.diagnosis.kin import replaced_in
from boundcheck.setting import INEQUALITIES, sides

OF_BOUNDS = 1.6  # what another power costs more of a level that is the whole bound
OF_EXPONENTS = 0.4  # what a lost exponent costs more than a lost factor
MOST_EXCHANGED = 4  # parameters of one sum, exchanged in every order
HALF = sympy.S.Half
LOST_NUMBERS = (sympy.S.One, sympy.Integer(2), sympy.S.Half)


def lost_number(relation: sympy.Rel, side: sympy.Expr) -> Iterator[Change]:
    """A bound from above with one more, or one beside logarithms with that of 2, where some world
    attains it."""
    if isinstance(relation, INEQUALITIES) and side == sides(relation)[1] and side.free_symbols:
        for number in (*LOST_NUMBERS, *((sympy.log(2),) if relation.has(sympy.log) else ())):
            words = f"a term {number} beside {side}"
            yield Change(words, "symbol", COSTS["symbol"], side + number, "attained")


def lost_logarithms(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """A bound from above with the logarithm of a size more, where some world attains it; a number
    times it, where worlds of many sizes do."""
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
        if bound.is_number:
            args[place] = bound * term
            yield Change(f"a factor {term} at {bound}", "factor", COSTS["logarithm"],
                         relation.func(*args, evaluate=False), "lasting")  # fmt: skip


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


def squared_apart(node: sympy.Basic) -> Iterator[Change]:
    """The square of a difference for one of squares, and the other way.

    >>> x = sympy.Symbol("x", real=True)
    >>> [change.words for change in squared_apart(1 - x**2)]
    ['(1 - x)**2 for 1 - x**2']
    >>> [change.words for change in squared_apart((1 - x) ** 2)]
    ['1 - x**2 for (1 - x)**2', 'x**2 + 1 for (1 - x)**2']
    """
    if isinstance(node, sympy.Add) and node.is_commutative and len(node.args) == 2:
        roots = [root for term in node.args if (root := _root(term)) is not None]
        if len(roots) == 2 and node.free_symbols:
            first, second = sorted(roots, key=lambda root: root[0], reverse=True)
            if first[0] > 0 > second[0]:
                other = (first[1] - second[1]) ** 2
                yield Change(f"{other} for {node}", "symbol", COSTS["power"], other, "power")
    base, exponent = node.as_base_exp() if isinstance(node, sympy.Pow) else (node, None)
    terms = base.args if exponent == 2 and isinstance(base, sympy.Add) else ()
    if len(terms) == 2 and any(term.could_extract_minus_sign() for term in terms):
        one, two = sorted(terms, key=lambda term: term.could_extract_minus_sign())
        for other in (one**2 - two**2, one**2 + two**2):
            yield Change(f"{other} for {node}", "symbol", COSTS["power"] + AS_GOOD, other, "power")


def _root(term: sympy.Expr) -> tuple[int, sympy.Expr] | None:
    """The sign of a square and what is squared, None for no square: (-1, x) of -x^2."""
    number, rest = term.as_coeff_Mul()
    root = sympy.sqrt(abs(number))
    factors = [factor.as_base_exp() for factor in sympy.Mul.make_args(rest)]
    if not root.is_Rational or any(exponent % 2 != 0 for _, exponent in factors if rest != 1):
        return None
    squared = sympy.Mul(*(base ** (exponent / 2) for base, exponent in factors))
    return (-1 if number < 0 else 1), root * squared


def roots_apart(relation: sympy.Basic) -> Iterator[Change]:
    """A bound without the roots of all that it takes roots of, where these are several.

    >>> a, b = sympy.symbols("a b", real=True)
    >>> [change.node for change in roots_apart(a <= sympy.sqrt(a) - sympy.sqrt(b))]
    [a <= a - b]
    """
    if not isinstance(relation, INEQUALITIES):
        return
    _, bound = sides(relation)
    roots = {part: part.base for part in bound.atoms(sympy.Pow) if part.exp in (HALF, -HALF)}
    if len({*roots.values()}) > 1:
        plain = bound.xreplace({part: base ** (2 * part.exp) for part, base in roots.items()})
        args = [plain if side == bound else side for side in relation.args]
        listed = ", ".join(sorted(str(base) for base in {*roots.values()}))
        yield Change(f"no roots of {listed}", "symbol", COSTS["power"] + AS_GOOD,
                     relation.func(*args, evaluate=False), "power")  # fmt: skip


def off_levels(claim: Claim, offered: Iterable[Change]) -> Iterator[Change]:
    """Changes, those dearer that make another power of a level that alone bounds something, or its
    inverse, which bounds nothing below one."""
    for change in offered:
        plain = isinstance(change.node, INEQUALITIES) and change.action in ("power", "inverse")
        bound = sides(change.node)[1].as_base_exp()[0] if plain else None
        level = isinstance(bound, sympy.Symbol) and bool(is_share(claim, bound))
        yield replace(change, cost=change.cost + OF_BOUNDS * level)


def lost_by_symmetry(claim: Claim, relation: sympy.Basic) -> Iterator[Change]:
    """Sums and products with the one member that they lack to stay what they are when parameters
    are exchanged in a round of at least three: a/(b + c) + b/(a + c) without c/(a + b)."""
    for node in sorted(relation.atoms(sympy.Add, sympy.Mul), key=str):
        symbols = sorted(node.free_symbols & set(claim.parameters), key=str)
        if not node.is_commutative or not 2 <= len(symbols) <= MOST_EXCHANGED:
            continue
        members, kinds = set(node.args), [kind_of(claim, symbol) for symbol in symbols]
        missing = set()
        for order in itertools.permutations(range(len(symbols))):
            if any(kinds[one] != kinds[other] for one, other in enumerate(order)):
                continue
            exchange = {symbols[one]: symbols[other] for one, other in enumerate(order)}
            images = {member.xreplace(exchange) for member in members}
            if len(images - members) == 1:
                (lost,) = images - members
                after = lost.xreplace(exchange)
                if after in members and after.xreplace(exchange) not in (lost, after):
                    missing.add(lost)
        for lost in sorted(missing, key=str):
            if lost.expand() in [side.expand() for side in relation.args]:
                continue  # of (x - z)^2 <= (x - z)^2 + ... nobody would speak
            word = "term" if isinstance(node, sympy.Add) else "factor"
            words = f"the {word} {lost}, which the others lead to, beside {node}"
            replaced = replaced_in(relation, {node: node.func(*node.args, lost)})
            yield Change(words, "symbol", COSTS["sign"], replaced, "sign")
