"""Operations whose printed parts SymPy would merge: exp(log(a)), a times 1/a, sqrt(a)^2.

Where a part may lack a value, so does the statement, whatever SymPy makes of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import sympy

from boundcheck.exact import partial_parts

MERGING = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log)


def applied(function: Callable[..., sympy.Basic], args: Sequence[sympy.Basic]) -> sympy.Basic:
    """A function of arguments, unevaluated where SymPy would drop a part that may lack a value.

    >>> a = sympy.Symbol("a", real=True)
    >>> applied(sympy.exp, [sympy.log(a)]), applied(sympy.Mul, [a, a])
    (exp(log(a)), a**2)
    """
    made = function(*args)
    if function not in MERGING:
        return made
    kept = partial_parts(made)
    lost = {item for arg in args for item in partial_parts(arg) if item not in kept}
    return function(*args, evaluate=False) if any(may_lack(*item) for item in lost) else made


def put(expr: sympy.Basic, new: Mapping[sympy.Basic, sympy.Basic]) -> sympy.Basic:
    """`xreplace` that keeps the parts of an expression as they are printed."""
    if expr in new or not expr.args:
        return new.get(expr, expr)
    args = [put(arg, new) for arg in expr.args]
    return expr if tuple(args) == expr.args else applied(expr.func, args)


def may_lack(what: str, part: sympy.Basic) -> bool:
    """Whether a root, logarithm or inverse of a part may have no value."""
    from boundcheck.expressions.signs import nonnegative, positive

    if what == "value" or positive(part):
        return False
    return not (what == "root" and nonnegative(part))
