"""Products that go together: pairs of different things, a product over a sum, a covariance."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping

import sympy

from boundcheck.diagnosis.change import AS_GOOD, COSTS, Change, text_of


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
    bound."""
    if isinstance(node, sympy.Mul) and not {size, 1 / size}.isdisjoint(node.args):
        words = f"a factor {size - 1} at {text_of(node)}"
        yield Change(words, "factor", COSTS["symbol"], (size - 1) * node, "lasting")
    base, power = node.as_base_exp() if node.is_commutative else (node, sympy.S.One)
    if power.is_Integer and power > 1 and base.free_symbols and base != size:
        words = f"{base**size} for {text_of(node)}"
        yield Change(words, "symbol", COSTS["power"], base**size, "lasting")
