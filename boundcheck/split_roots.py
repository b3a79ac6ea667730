"""Products with a root in them: SymPy makes sqrt(x^2 y) and |x| sqrt(y) one and the same object.

At x = 0 and y = -1 the first is the root of zero and the second has no value, and what was printed
can no longer be told. So nothing is said there: a product of zero, or of what may be zero, and of
something that lacks a value for the root of a negative number alone is undecided. No refutation
rests on the second print, and no proof on the first: proofs ask of every root that it has a value.
"""

from __future__ import annotations

from collections.abc import Callable

from boundcheck.arithmetic import MATRICES, Value, multiply, sign
from boundcheck.errors import NegativeRoot, Undecided

Lookup = Callable[[str], Value]
Rule = Callable[[Lookup], Value]
Fold = Callable[[Callable[[Value, Value], Value], list[Rule]], Rule]


def excused(parts: list[Rule], fold: Fold) -> Rule:
    """The product of factors, undecided where zero stands beside the root of a negative number."""
    product = fold(multiply, parts)

    def run(look: Lookup) -> Value:
        try:
            return product(look)
        except NegativeRoot:
            if any(_may_be_zero(part, look) for part in parts):
                raise Undecided("zero times the root of a negative number") from None
            raise

    return run


def _may_be_zero(part: Rule, look: Lookup) -> bool:
    """Whether a factor is not certain to differ from zero; False where it has a negative root."""
    try:
        value = part(look)
    except NegativeRoot:
        return False
    return not isinstance(value, (*MATRICES, tuple)) and sign(value) in (0, None)
