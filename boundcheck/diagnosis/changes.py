"""Changes of one node of an expression: what a pen gets wrong.

Swaps, powers, signs, factors, numbers, transposes and inverses. Nothing here knows what a symbol
means beyond its field.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.change import (
    AS_GOOD,
    COSTS,
    MOST_TERMS,
    Action,
    Change,
    Local,
    text_of,
)
from boundcheck.diagnosis.domain import is_part_of_sum, is_share, kind_of, printed_factors, sizes
from boundcheck.diagnosis.exchanged import exchanged_factors, sized_pairs, throughout
from boundcheck.diagnosis.kin import instead, is_difference, means_of_two, outside_of, swapped
from boundcheck.diagnosis.letters import beside_a_number, letters
from boundcheck.diagnosis.matrix_slips import half_transposed, reordered, squared, transposed
from boundcheck.diagnosis.products import (
    beside_size,
    doubled,
    fewer_pairs,
    other_means,
    other_numbers,
    over_sum,
    own_power,
    slower,
)
from boundcheck.diagnosis.tails import beside_roots
from boundcheck.expressions.algebra import frobenius_norm, operator_norm
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.nodes import Apply, Indicator
from boundcheck.expressions.symbols import Known
from boundcheck.worlds.fields import Integer

DEFINED = 0.8  # what a factor that has a definition of its own costs more to drop
SIGNED = 0.6  # what a power costs more of what has either sign
UNTURNED = 1.0  # what a modulus, or a square of two terms, costs more of no difference of values
UNNUMBERED = 0.1  # what a number costs more where none is printed
OF_DISTANCES = 1.5  # what a sign costs more in the distance of two things
FOURTH = 0.3  # what the square of a square costs more
WITH_NUMBER = 0.02  # what 1/(2 x) costs more for 2 x than 2/x
NEXT = 0.45  # what the next power costs more: a cube for a square
OF_CHANCES = 0.6  # what a power costs more of a probability: its root bounds nothing
LEAST_TERMS = 3  # of a sum that may hold the square of a difference
NUMBERS = tuple(map(sympy.Rational, ("2", "1/2", "4", "1/4", "8", "1/8")))
CUBE_ROOT = sympy.Rational(1, 3)
NORMS = (operator_norm, frobenius_norm)


def local_changes(claim: Claim, relation: sympy.Basic) -> Local:
    """Changes of one node: swaps, powers, signs, factors, numbers."""
    own = sorted(claim.statement.free_symbols() | relation.free_symbols, key=str)
    kinds = {symbol: kind_of(claim, symbol)
             for symbol in [*own, *claim.parameters, *claim.measure, *sizes(claim)]}  # fmt: skip
    factors: list[sympy.Expr] = [
        symbol for symbol in kinds if symbol.is_commutative
        and symbol in {*own, *claim.parameters} and symbol.name not in claim.random_names]
    lengths, likes, bodies = sizes(claim), _likes(claim, relation), measured(claim, relation)
    equation, added = isinstance(relation, sympy.Eq), relation.atoms(sympy.Add)
    rounded = set().union(
        *(part.free_symbols for part in relation.atoms(sympy.ceiling, sympy.floor)))
    applied = sorted(relation.atoms(sympy.Function) - {*relation.args}, key=str)
    factors += [*(size for size in lengths if size not in factors), *map(sympy.sqrt, lengths)]
    factors += printed_factors(claim, relation)
    if equation:  # the mean of squares about the mean of n
        factors += [(size - 1) / size for size in lengths]
    others = [] if equation else lengths

    def local(node: sympy.Basic) -> Iterator[Change]:
        if isinstance(node, sympy.Symbol):
            yield from _swaps(node, kinds)
            if node in factors:
                yield from _beside(claim, node, factors, kinds)
            if node in bodies:
                yield from (Change(f"{other} for {node}", "symbol", COSTS[cost] + at / 100, other)
                            for at, (other, cost) in enumerate(instead(node, bodies)))
                yield from _compared(node, bodies)
            if node in lengths:
                printed = added if node in rounded else ()
                yield from _off_by_one(node, printed, equation=equation)
            elif equation and node in claim.parameters:
                yield from beside_a_number(node, added)
        if isinstance(node, sympy.Number):
            yield from other_numbers(node)
            yield from (change for size in others for change in beside_size(node, size))
            return
        yield from _means(node, bodies)
        if isinstance(node, sympy.Pow) and node.exp == sympy.S.Half:
            yield from (Change(f"a term {term} beside {node}", "symbol", COSTS["symbol"],
                               node + term)
                        for root, term in beside_roots(node, relation) if root == node)
        chance = node in bodies and bodies[node].has(Indicator)
        yield from (replace(change, cost=change.cost + OF_CHANCES * chance)
                    for change in powers(node))
        yield from _multiplied(node, factors)
        yield from (change for size in others for change in beside_size(node, size))
        for other in likes.get(node, ()):
            yield Change(f"a factor {other} at {node}", "symbol", COSTS["symbol"], node * other)
            yield Change(f"a term {other} beside {node}", "symbol", COSTS["symbol"], node + other)
        base, exponent = node.as_base_exp() if node.is_commutative else (node, None)
        for other in likes.get(base, ()) if exponent == 2 else ():
            yield Change(f"{base * other} for {node}", "symbol", COSTS["product"], base * other)
        rest = 1 - base if exponent == 2 else base  # a share times what is left
        if exponent == 2 and (rest.is_Symbol or _is_one_share(claim, base)):
            yield Change(f"{base * rest} for {node}", "symbol", COSTS["swap"], base * rest)
        yield from throughout(node, kinds, bodies)
        yield from letters(node, bodies, relation, lengths)
        if isinstance(node, sympy.Function):  # of what another one of the statement is applied to
            for other in applied:
                if other.func == node.func and other != node:
                    alike = (other.args[0] / node.args[0]).is_number  # log(2/delta), log(1/delta)
                    yield Change(f"{other} for {node}", "constant" if alike else "symbol",
                                 COSTS["swap"] + AS_GOOD, other)  # fmt: skip
        if node == sympy.E:
            yield Change(f"{node**2} for {node}", "constant", COSTS["number"], node**2)
        yield from slower(node)
        if isinstance(node, sympy.log):
            yield Change(f"a term 1 beside {node}", "symbol", COSTS["one"], 1 + node)
            if not (inner := node.args[0]).as_coeff_Add()[0]:  # of another number it is an edit
                yield Change(f"a term 1 beside {inner}", "symbol", COSTS["one"],
                             sympy.log(1 + inner), "attained")  # fmt: skip
        if isinstance(node, sympy.Pow) and node.exp.free_symbols and node.base.free_symbols:
            plain = node.base.as_coeff_Mul()[1]
            for base in (sympy.E * node.base, plain / sympy.E):  # of binomials and factorials
                other = base**node.exp
                yield Change(f"{other} for {node}", "constant", COSTS["number"] + AS_GOOD, other)
        if isinstance(node, sympy.Pow) and node.exp.is_commutative and node.exp.free_symbols and (
            node.exp.is_Symbol or (1 / node.exp).is_Symbol
        ):
            dual = [1 - node.exp] if (1 / node.exp).is_Symbol else [  # 1/p + 1/q = 1
                other for other, body in bodies.items()
                if body.free_symbols == {node.exp} and other != node.base]
            for other in (node.base**power for power in (1 / node.exp, *dual)):
                yield Change(f"{other} for {node}", "symbol", COSTS["power"] + AS_GOOD, other,
                             "power")  # fmt: skip
        yield from own_power(node)
        yield from other_means(node) if node.is_commutative else ()
        if isinstance(node, sympy.Pow) and node.base.is_Integer and node.exp.has(sympy.log):
            yield Change(f"{sympy.E} for {node.base}", "symbol", COSTS["power"],
                         sympy.exp(node.exp))  # its exponent is in nats
        if node in bodies:
            for both in means_of_two(node, bodies):
                yield Change(f"{both} for {node}", "symbol", COSTS["product"], both)
        if isinstance(node, sympy.Mul):
            yield from _fewer_factors(node, bodies)
            yield from _upside_down(node) if node.is_commutative else ()
            yield from over_sum(node, kinds)
        if node.is_commutative and any(_is_one_share(claim, each) for each in (node, 1 - node)):
            yield Change(f"{1 - node} for {node}", "symbol", COSTS["swap"] + AS_GOOD, 1 - node,
                         "swap")  # fmt: skip
        yield from fewer_pairs(node, lengths) if not equation else ()
        if isinstance(node, sympy.Add):
            yield from signs(node)
            yield from exchanged_factors(node)
            yield from sized_pairs(node, lengths)
            yield from doubled(node) if equation else ()

    return local


def measured(claim: Claim, relation: sympy.Basic) -> dict[sympy.Symbol, sympy.Expr]:
    """What the measured symbols of a relation stand for."""
    return {symbol: quantity.shown for symbol, quantity in claim.measure.items()
            if isinstance(quantity, Definition) and symbol in relation.free_symbols}  # fmt: skip


def _likes(claim: Claim, relation: sympy.Basic) -> dict[sympy.Basic, list[sympy.Expr]]:
    """For each size of one thing, such as a norm, those of its kin that the statement is about."""
    bodies = measured(claim, relation)
    kin = sorted(set().union(*(body.free_symbols for body in bodies.values())), key=str)
    inverses = sorted({part for body in bodies.values() for part in body.atoms(sympy.Pow)
                       if part.exp == -1 and not part.is_commutative}, key=str)  # fmt: skip
    found: dict[sympy.Basic, list[sympy.Expr]] = {}
    for symbol, body in bodies.items():
        if isinstance(body, Apply) and not body.rank and len(body.operands) == 1:
            (thing,) = body.operands
            found[symbol] = [
                body.xreplace({thing: other}) for other in kin
                if isinstance(thing, Known) and thing.rank and other != thing
                and kind_of(claim, other) == kind_of(claim, thing)
            ]  # fmt: skip
            if body.primitive in NORMS:
                found[symbol] += [body.primitive(other) for other in inverses if other != thing]
    return found


def _off_by_one(
    size: sympy.Symbol, printed: Collection[sympy.Expr], *, equation: bool
) -> Iterator[Change]:
    """A size more or less by one: as it is printed beside what is rounded, or in a bound where some
    world attains it."""
    action: Action = "" if equation else "attained"
    cost = COSTS["power"] if equation else COSTS["dropped"] + AS_GOOD
    for other in (size + 1, size - 1):
        if other in printed and not equation:
            yield Change(f"{other} for {size}", "symbol", COSTS["swap"] + AS_GOOD, other, "swap")
        else:
            yield Change(f"{other} for {size}", "symbol", cost, other, action)


def _is_one_share(claim: Claim, node: sympy.Expr) -> bool:
    """Whether a node is a symbol for a number between zero and one, or for a part of a sum over the
    sum."""
    return bool(node.is_Symbol) and (is_share(claim, node) or is_part_of_sum(claim, node))


def _upside_down(node: sympy.Mul) -> Iterator[Change]:
    """A product with a ratio of two terms that share a symbol turned round: n/(n - 1)."""
    above, below = ([factor.as_base_exp()[0] for factor in sympy.Mul.make_args(part)]
                    for part in sympy.fraction(node))  # fmt: skip
    for one, two in itertools.product(above, below):
        if one.free_symbols & two.free_symbols:
            other = node * two**2 / one**2
            yield Change(f"{two / one} for {one / two}", "symbol", COSTS["swap"] + AS_GOOD, other,
                         "swap")  # fmt: skip


def _means(node: sympy.Basic, bodies: dict[sympy.Symbol, sympy.Expr]) -> Iterator[Change]:
    """Means of a function and functions of a mean, for one another."""
    found = outside_of(bodies[node]) if node in bodies else iter(())
    if node.args and node.args[0] in bodies:
        found = swapped(node, bodies[node.args[0]])
    for other in found:
        yield Change(f"{other} for {node}", "symbol", COSTS["kin"], other)


def _compared(node: sympy.Symbol, bodies: dict[sympy.Symbol, sympy.Expr]) -> Iterator[Change]:
    """The difference of two measured numbers for one of them."""
    for other in bodies:
        if other != node and other.is_commutative and node.is_commutative:
            words = f"a term {-other} beside {node}"
            yield Change(words, "symbol", COSTS["symbol"] + AS_GOOD, node - other)


def _swaps(node: sympy.Symbol, kinds: dict[sympy.Symbol, tuple[object, ...]]) -> Iterator[Change]:
    for other, kind in kinds.items():
        if other != node and kind == kinds.get(node):
            yield Change(f"{other} for {node}", "symbol", COSTS["swap"], other, "swap")


def _beside(
    claim: Claim, node: sympy.Symbol, others: Iterable[sympy.Expr],
    kinds: Mapping[sympy.Symbol, tuple[object, ...]],
) -> Iterator[Change]:  # fmt: skip
    """Another number of its kind beside a number, such as t beside a mean; of no level."""
    for other in others:
        if other.is_Symbol and other != node and kinds.get(other) == kinds[node] and (
            not is_share(claim, node) and not isinstance(claim.fields.get(node.name), Integer)
        ):
            words = f"a term {other} beside {node}"
            yield Change(words, "symbol", COSTS["symbol"] + AS_GOOD, node + other)


def powers(node: sympy.Basic) -> Iterator[Change]:
    base, exponent = node.as_base_exp() if node.is_commutative else node.args[:2] or (node, None)
    if not node.is_commutative:
        yield from transposed(node)
        if isinstance(node, (sympy.Symbol, sympy.Add)):
            yield Change(f"the inverse of {node}", "symbol", COSTS["power"], node**-1)
            yield from squared(node)
        elif isinstance(node, sympy.Pow) and node.exp == -1:
            yield Change(f"no inverse of {node.base}", "symbol", COSTS["power"], node.base)
        elif isinstance(node, sympy.Pow) and node.exp == 2:
            yield from half_transposed(node.base)
        elif isinstance(node, sympy.Mul):
            yield from reordered(node)
        return
    if exponent is None or not exponent.is_number or node.is_number:
        return
    negative = base.could_extract_minus_sign() and isinstance(base, sympy.Mul)
    others = (exponent * 2, exponent / 2, -exponent, sympy.S.One)
    cube = (CUBE_ROOT,) if exponent in (sympy.S.Half, sympy.S.Half / 2) else ()
    next_ = (exponent + sympy.sign(exponent),) if exponent.is_Integer and abs(exponent) > 1 else ()
    for power in dict.fromkeys((*others, *cube, *next_)):
        if power != exponent and not (negative and power != -exponent):
            words, inverted = f"{base**power} for {node}", power == -exponent
            # What grows where it fell is likelier another statement than a lost sign.
            cost = COSTS["inverse" if inverted else "power"] + SIGNED * is_signed(base)
            cost += WITH_NUMBER * (inverted and node.as_coeff_Mul()[0] not in (1, -1))
            cost += FOURTH * bool(power == 2 * exponent and abs(exponent) > 1)
            cost += NEXT * (power in next_)
            yield Change(words, "symbol", cost, base**power, "inverse" if inverted else "power")
    if exponent == 2 and isinstance(base, sympy.Add):  # the modulus of a difference
        yield Change(f"{sympy.Abs(base)} for {node}", "symbol", COSTS["power"] + AS_GOOD,
                     sympy.Abs(base), "power")  # fmt: skip
    if isinstance(node, sympy.Add):
        yield from _multiples(node)
    above, below = (part.as_coeff_Mul()[1] for part in sympy.fraction(node))
    if above.is_Symbol and below.is_Symbol:  # its two symbols exchanged
        other = node * below**2 / above**2
        yield Change(f"{other} for {node}", "symbol", COSTS["swap"], other, "swap")
    for power in (1, -sympy.S.Half) if below.is_Mul and node.is_Mul else ():
        words, other = f"{below ** (-1 - power)} for {1 / below}", node / below**power
        yield Change(words, "symbol", COSTS["power"], other, "power")


def is_signed(base: sympy.Expr) -> bool:
    """Whether the logarithm of a ratio is a factor: it has either sign, and its square another."""
    logs = [factor.args[0] for factor in sympy.Mul.make_args(base) if isinstance(factor, sympy.log)]
    return any(all(part.free_symbols for part in ratio.as_numer_denom()) for ratio in logs)


def _multiples(node: sympy.Add) -> Iterator[Change]:
    """Powers of (b - a) in (b - a)/4, which SymPy writes as a sum of quarters."""
    number, inner = node.primitive()
    if number == 1:
        return
    for power in (2, sympy.S.Half):
        words = f"{inner**power} for {inner}"
        yield Change(words, "symbol", COSTS["power"], number * inner**power, "power")


def _multiplied(node: sympy.Basic, factors: Iterable[sympy.Expr]) -> Iterator[Change]:
    shown, unnumbered = text_of(node), node.as_coeff_Mul()[0] in (1, -1)
    for number in NUMBERS:
        words = f"{number * node} for {shown}" if node.is_commutative else (
            f"{number}*({shown}) for {shown}")
        cost = COSTS["number"] + abs(sympy.log(number, 2)) / 10 - 0.1 + UNNUMBERED * unnumbered
        yield Change(words, "constant", cost, number * node)
    yield Change(f"the other sign of {shown}", "symbol", COSTS["sign"], -node, "sign")
    for symbol in factors:
        if symbol == node or symbol**2 == node:  # its powers are other edits
            continue
        yield Change(f"a factor {symbol} at {shown}", "factor", COSTS["symbol"], symbol * node)
        if node.is_Mul and symbol in node.args:  # no divisor: without a factor
            continue
        yield Change(f"a divisor {symbol} at {shown}", "factor", COSTS["symbol"], node / symbol)


def _fewer_factors(node: sympy.Mul, bodies: Collection[sympy.Basic]) -> Iterator[Change]:
    """The product without one factor; without a quantity that has a definition it says less.

    Args: bodies: symbols with definitions.
    """
    for place, factor in enumerate(node.args):
        if factor.is_number and factor.is_negative:
            continue  # the other sign, and another number, are edits of their own
        rest = sympy.Mul(*node.args[:place], *node.args[place + 1 :])
        cost = COSTS["dropped"] + (DEFINED if factor in bodies else 0)
        yield Change(f"no factor {factor} in {node}", "symbol", cost, rest)


def signs(node: sympy.Add) -> Iterator[Change]:
    for place, term in enumerate(node.args):
        others = (*node.args[:place], *node.args[place + 1 :])
        words = f"the other sign of {term}"
        yield Change(words, "symbol", COSTS["sign"], sympy.Add(*others, -term), "sign")
        rest = sympy.Add(*others)
        words = f"{rest} for {node}" if term.is_number else f"no term {term}"
        yield Change(words, "symbol", COSTS["dropped"], rest)
    if len({term.could_extract_minus_sign() for term in node.args}) > 1 and node.is_commutative:
        size = sympy.Abs(node)
        cost = COSTS["sign"] + AS_GOOD + UNTURNED * (not is_difference(node))
        yield Change(f"{size} for {node}", "symbol", cost, size, "sign")
    if LEAST_TERMS <= len(node.args) <= MOST_TERMS:
        yield from _squared_differences(node)
    for one, two in itertools.combinations(node.args, 2):
        if one.as_coeff_Mul()[0] == -two.as_coeff_Mul()[0]:
            words = f"the other sign of {one + two}"
            yield Change(words, "symbol", COSTS["sign"], node - 2 * (one + two), "sign")


def in_distance(
    expr: sympy.Basic, part: sympy.Basic, found: Iterable[Change]
) -> Iterator[Change]:
    """Changes of a part, a sign dearer where a modulus or an even power of a difference tells how
    far two things are."""
    power = isinstance(expr, sympy.Pow) and bool(expr.exp.is_even)
    distance = isinstance(part, sympy.Add) and (power or isinstance(expr, sympy.Abs))
    dearer = OF_DISTANCES * (distance and is_difference(part))
    for change in found:
        yield replace(change, cost=change.cost + dearer * (change.action == "sign"))


def _squared_differences(node: sympy.Add) -> Iterator[Change]:
    """The square of a difference that is a part of a sum, such as a bias beside a variance."""
    for one, two in itertools.combinations(node.args, 2):
        if one.could_extract_minus_sign() != two.could_extract_minus_sign():
            pair, plain = one + two, [term.as_coeff_Mul()[1].is_Symbol for term in (one, two)]
            dearer = UNTURNED * (not all(plain) and not is_difference(pair))
            yield Change(f"{pair**2} for {pair}", "symbol", COSTS["power"] + AS_GOOD + dearer,
                         node - pair + pair**2, "power")  # fmt: skip
