"""Products that go together, and numbers: pairs of different things, a product over a sum, a
covariance, two means of one pair, another number for a printed one."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping

import sympy

from boundcheck.diagnosis.change import AS_GOOD, COSTS, Change, text_of
from boundcheck.diagnosis.record import Kind


def fewer_pairs(node: sympy.Basic, lengths: Collection[sympy.Basic]) -> Iterator[Change]:
    """The number of pairs of different things for all pairs, of a bound that some world attains.

    >>> n = sympy.Symbol("n", real=True)
    >>> [change.node for change in fewer_pairs(n**2, [n])]
    [n*(n - 1)]
    """
    if node.is_Pow and node.exp == 2 and node.base in lengths:
        fewer = node.base * (node.base - 1)
        yield Change(f"{fewer} for {node}", "symbol", COSTS["dropped"], fewer, "attained")


def doubled(node: sympy.Add) -> Iterator[Change]:
    """Twice, or half, the difference of two terms of a sum, such as a covariance."""
    for one, two in itertools.combinations(node.args, 2):
        if node.args[2:] and one.as_coeff_Mul()[0] == -two.as_coeff_Mul()[0]:
            pair = one + two
            for factor in (sympy.Integer(2), sympy.S.Half):
                yield Change(f"a factor {factor} at {pair}", "constant", COSTS["number"] + AS_GOOD,
                             node + (factor - 1) * pair)  # fmt: skip


def over_sum(
    node: sympy.Mul, kinds: Mapping[sympy.Symbol, tuple[object, ...]]
) -> Iterator[Change]:
    """The product of two numbers of a kind over their sum, of a bound that some world attains."""
    if len(node.args) == 2 and all(each.is_Symbol for each in node.args):
        one, two = node.args
        if kinds.get(one) == kinds.get(two) == ("real", False):
            yield Change(f"a divisor {one + two} at {node}", "symbol", COSTS["dropped"],
                         node / (one + two), "attained")  # fmt: skip


def other_means(node: sympy.Expr) -> Iterator[Change]:
    """The geometric mean of two things for their mean, and the other way.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> [change.node for change in other_means(x / 2 + y / 2)]
    [sqrt(x)*sqrt(y)]
    >>> [change.node for change in other_means(3 * sympy.sqrt(x) * sympy.sqrt(y))]
    [3*x/2 + 3*y/2]
    """
    if isinstance(node, sympy.Add) and len(node.args) == 2:
        (half, one), (other_half, two) = (term.as_coeff_Mul() for term in node.args)
        if half == other_half == sympy.S.Half and one.free_symbols and two.free_symbols:
            words = f"the geometric mean of {one} and {two} for their mean"
            yield Change(words, "symbol", COSTS["kin"], sympy.sqrt(one * two),
                         "attained")  # fmt: skip
    number, product = node.as_coeff_Mul()
    roots = [part.as_base_exp() for part in sympy.Mul.make_args(product)]
    if len(roots) == 1 and roots[0][1] == sympy.S.Half:
        roots = [(part, sympy.S.Half) for part in sympy.Mul.make_args(roots[0][0])]
    if len(roots) == 2 and {power for _, power in roots} == {sympy.S.Half}:
        (one, _), (two, _) = roots
        if one.free_symbols and two.free_symbols:
            words = f"the mean of {one} and {two} for their geometric mean"
            yield Change(words, "symbol", COSTS["kin"], sympy.expand(number * (one + two) / 2),
                         "attained")  # fmt: skip


def other_numbers(node: sympy.Number) -> Iterator[Change]:
    """A number as the next one, as twice or half of it, or with the other sign."""
    if node.is_infinite or node == 0:
        return
    others = [-node]
    if node.is_Integer:
        others += [2 * node, node / 2, node + 1, node - 1]
    elif node.is_Rational and abs(node.p) == 1:  # a share, such as 1/8
        others += [2 * node, node / 2]
    for other in filter(None, dict.fromkeys(others)):  # a term that is left out is no number
        kind: Kind = "symbol" if other == -node else "constant"
        cost = COSTS["sign"] if other == -node else COSTS["number"]
        yield Change(f"{other} for {node}", kind, cost, other)


def slower(node: sympy.Basic) -> Iterator[Change]:
    """An exponential with the next share in its exponent: exp(-x/3) for exp(-x/2)."""
    share = node.args[0].as_coeff_Mul()[0] if isinstance(node, sympy.exp) else sympy.S.One
    if share.is_Rational and abs(share.p) == 1 and share.q > 1:
        other = sympy.Rational(share.p, share.q + 1)
        yield Change(f"{other} for {share} in an exponent", "constant", COSTS["number"] + AS_GOOD,
                     sympy.exp(node.args[0] * other / share))  # fmt: skip


def own_power(node: sympy.Basic) -> Iterator[Change]:
    """A sum to the power of itself for one to the power of one of its terms, as binomials have it:
    (n - k)^(n - k) for (n - k)^k."""
    base, power = node.as_base_exp() if node.is_commutative else (node, sympy.S.One)
    if isinstance(base, sympy.Add) and power.free_symbols and abs(power) in map(abs, base.args):
        exponent = base if not power.could_extract_minus_sign() else -base
        other = base**exponent
        yield Change(f"{other} for {node}", "symbol", COSTS["swap"] + AS_GOOD, other, "power")


def beside_size(node: sympy.Basic, size: sympy.Symbol) -> Iterator[Change]:
    """One less than a size as a factor beside it, a size as the power of a number, of an attained
    bound; a size, or one less, for a 1 that is printed.

    >>> n = sympy.Symbol("n")
    >>> [change.words for change in beside_size(sympy.S.NegativeOne, n)]
    ['n - 1 for 1', 'n for 1']
    """
    if node in (1, -1):
        for cost, other in enumerate((size - 1, size)):
            yield Change(f"{other} for 1", "symbol", COSTS["symbol"] + cost * AS_GOOD, node * other,
                         "lasting")  # fmt: skip
        return
    if isinstance(node, sympy.Mul) and not {size, 1 / size}.isdisjoint(node.args):
        words = f"a factor {size - 1} at {text_of(node)}"
        yield Change(words, "factor", COSTS["symbol"], (size - 1) * node, "lasting")
    base, power = node.as_base_exp() if node.is_commutative else (node, sympy.S.One)
    if power.is_Integer and power > 1 and base.free_symbols and base != size:
        words = f"{base**size} for {text_of(node)}"
        yield Change(words, "symbol", COSTS["power"], base**size, "lasting")
