"""Products with a root in them: SymPy makes sqrt(x^2 y) and |x| sqrt(y) one and the same object.

At x = 0 and y = -1 the first is the root of zero and the second has no value, and what was printed
can no longer be told. So nothing is said there: a product of zero, or of what may be zero, and of
something that lacks a value for the root of a negative number alone is undecided. No refutation
rests on the second print, and no proof on the first: proofs ask of every root that it has a value.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy

from boundcheck.arithmetic import MATRICES, Value, multiply, sign
from boundcheck.errors import NegativeRoot, Undecided

Lookup = Callable[[str], Value]
Rule = Callable[[Lookup], Value]
Fold = Callable[[Callable[[Value, Value], Value], list[Rule]], Rule]


def excused(expr: sympy.Basic, parts: list[Rule], fold: Fold) -> Rule:
    """The product of factors, undecided where zero stands beside the root of a negative number.

    Args: expr: what is multiplied. Where no two factors may come from one root nothing is excused.
    """
    product, pairs = fold(multiply, parts), _of_one_root(expr)
    if not pairs:
        return product

    def run(look: Lookup) -> Value:
        try:
            return product(look)
        except NegativeRoot:
            if len(parts) == len(expr.args):
                known = dict(zip(expr.args, parts, strict=True))
                excuse = any(_is_negative(known[root], look) and _may_be_zero(known[other], look)
                             for root, other in pairs)  # fmt: skip
            else:  # two logarithms are one part
                excuse = any(_may_be_zero(part, look) for part in parts)
            if excuse:
                raise Undecided("zero times the root of a negative number") from None
            raise

    return run


def _of_one_root(expr: sympy.Basic) -> list[tuple[sympy.Basic, sympy.Basic]]:
    """Factors of a product that may come from one root: the root that is left, what came out.

    Out of a root with a number as exponent comes what SymPy knows to be nonnegative, with any other
    factor of its base merged into it; of any other exponent it is a multiple.

    >>> x, y, q = sympy.symbols("x y q", real=True)
    >>> _of_one_root(abs(x) * sympy.sqrt(y)), _of_one_root(abs(x) * y**q)
    ([(sqrt(y), Abs(x))], [])
    >>> _of_one_root(sympy.sqrt(x * y**2) * x), _of_one_root(x * sympy.sqrt(y))
    ([(x**(3/2), Abs(y))], [])
    """
    roots = [(arg, power.exp) for arg in expr.args
             if isinstance(power := arg.args[0] if isinstance(arg, sympy.Abs) else arg, sympy.Pow)
             and not power.exp.is_integer]  # fmt: skip
    return [(root, other) for root, exponent in roots for other in expr.args
            if other is not root and _may_come_out(exponent, other)]  # fmt: skip


def _may_come_out(exponent: sympy.Expr, factor: sympy.Basic) -> bool:
    """Whether a factor may have stood under a root of this exponent."""
    power = factor.as_base_exp()[1]
    if exponent.is_number and power.is_number:
        return bool(power != 1 or factor.is_nonnegative)
    return bool((power / exponent).is_integer)


def _is_negative(part: Rule, look: Lookup) -> bool:
    """Whether a factor lacks a value for the root of a negative number."""
    try:
        part(look)
    except NegativeRoot:
        return True
    return False


def _may_be_zero(part: Rule, look: Lookup) -> bool:
    """Whether a factor is not certain to differ from zero; False where it has a negative root."""
    try:
        value = part(look)
    except NegativeRoot:
        return False
    return not isinstance(value, (*MATRICES, tuple)) and sign(value) in (0, None)
