"""SymPy expressions evaluated exactly: `compiled(expr)` is a function of a lookup, name to value.

Raises Undefined where an expression has no value, Undecided where balls are too wide.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce

import flint
import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from boundcheck import half_turns, split_roots
from boundcheck.arithmetic import (
    CONSTANTS,
    FUNCTIONS,
    MATRICES,
    PRECISIONS,
    Value,
    add,
    exponential,
    integer_power,
    is_exact,
    logarithm,
    midpoint,
    multiply,
    power,
    precision,
    reciprocal,
    sign,
    square_root,
    to_ball,
    to_float,
    unsigned,
    whole,
)
from boundcheck.errors import ShapeMismatch, Undecided, Undefined
from boundcheck.log_ratios import factors

INEQUALITIES = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
ACCEPTED = {sympy.Le: (-1, 0), sympy.Lt: (-1,), sympy.Ge: (0, 1), sympy.Gt: (1,)}  # signs

Lookup = Callable[[str], Value]

__all__ = [
    "FUNCTIONS", "INEQUALITIES", "MATRICES", "PRECISIONS", "Lookup", "Undefined", "Value", "add",
    "compare", "compiled", "decide", "exponential", "integer_power", "is_exact", "logarithm",
    "midpoint", "multiply", "power", "precision", "ratio_of", "reciprocal", "sign", "square_root",
    "to_ball", "to_float", "value_of",
]  # fmt: skip


@lru_cache(maxsize=4096)
def compiled(expr: sympy.Basic) -> Callable[[Lookup], Value]:
    """A function lookup -> value for an arithmetic SymPy expression.

    Raises Undefined where the expression has no value, Undecided where balls are too wide.

    >>> x = sympy.Symbol("x")
    >>> compiled(sympy.sqrt(x) + 1)({"x": fmpq(9, 4)}.__getitem__)
    5/2
    """
    if isinstance(expr, (sympy.Symbol, sympy.MatrixSymbol)):
        name = expr.name
        return lambda look: look(name)
    if isinstance(expr, sympy.Integer):
        number = int(expr)
        return lambda look: number
    if isinstance(expr, sympy.Rational):
        ratio = fmpq(int(expr.p), int(expr.q))
        return lambda look: ratio
    if isinstance(expr, sympy.Float):
        ratio = ratio_of(expr)
        return lambda look: ratio
    if expr in CONSTANTS:
        method = CONSTANTS[expr]
        return lambda look: getattr(arb, method)()
    if expr is sympy.oo:
        return lambda look: arb.pos_inf()
    if isinstance(expr, (sympy.Add, sympy.MatAdd)):
        return _fold(add, [compiled(arg) for arg in expr.args])
    if isinstance(expr, sympy.Mul) and not expr.is_commutative:
        return _within_scope(expr, _compiled_word(expr))
    if isinstance(expr, (sympy.Mul, sympy.MatMul)):
        return split_roots.excused(expr, factors(expr, compiled), _fold)
    if isinstance(expr, sympy.Transpose):
        inner = compiled(expr.args[0])
        return lambda look: inner(look).transpose()
    if isinstance(expr, sympy.Inverse):
        inner = compiled(expr.args[0])
        return lambda look: reciprocal(inner(look))
    if isinstance(expr, (sympy.Pow, sympy.MatPow)):
        found = _compiled_power(expr.args[0], expr.args[1])
        return found if expr.is_commutative else _within_scope(expr, found)
    if isinstance(expr, (sympy.Sum, sympy.Product)):
        return _compiled_series(expr)
    if isinstance(expr, sympy.Piecewise):
        return _compiled_piecewise(expr)
    turned = half_turns.rule(expr, compiled)
    if turned is not None:
        return turned
    function = FUNCTIONS.get(type(expr))
    if function is not None:
        parts = [compiled(arg) for arg in expr.args]
        return lambda look: function(*[part(look) for part in parts])
    if isinstance(expr, AppliedUndef):
        reason = f"the function {expr.func} is undefined"
        return lambda look: _raise(Undefined(reason))
    from boundcheck.expressions import exactly

    rule = exactly.compiled(expr)
    if rule is not None:
        return rule
    raise NotImplementedError(f"no exact rule for {type(expr).__name__}: {expr}")


READ = (
    sympy.Symbol, sympy.MatrixSymbol, sympy.Rational, sympy.Float, sympy.Add, sympy.MatAdd,
    sympy.Mul, sympy.MatMul, sympy.Transpose, sympy.Inverse, sympy.Pow, sympy.MatPow, sympy.Sum,
    sympy.Product, sympy.Piecewise, AppliedUndef,
)  # fmt: skip
CONDITIONS = (
    sympy.Rel, sympy.And, sympy.Or, sympy.Not, sympy.Implies, BooleanTrue, BooleanFalse,
)


def has_rule(part: sympy.Basic) -> bool:
    """Whether `compiled` reads what stands at the top of an expression.

    >>> x = sympy.Symbol("x")
    >>> has_rule(sympy.log(sympy.Integral(x, x))), has_rule(sympy.Integral(x, x))
    (True, False)
    """
    from boundcheck.expressions.exactly import RULES

    if isinstance(part, Boolean) and not isinstance(part, sympy.Symbol):
        return isinstance(part, CONDITIONS)
    return (
        not isinstance(part, (sympy.Expr, sympy.MatrixExpr)) or isinstance(part, READ)
        or type(part) in FUNCTIONS or part in CONSTANTS or part is sympy.oo
        or isinstance(part, tuple(RULES))
    )  # fmt: skip


def ratio_of(number: object) -> fmpq:
    """A number as the fraction that its text says.

    >>> ratio_of(sympy.Float("0.1")), ratio_of("2/6")
    (1/10, 1/3)
    """
    ratio = sympy.Rational(str(number))
    return fmpq(int(ratio.p), int(ratio.q))


def _raise(error: Undefined) -> Value:
    raise error


def value_of(expr: sympy.Basic, look: Lookup) -> Value:
    """Value of an expression; a lookup with a `memo` keeps what is exact at every precision."""
    memo = getattr(look, "memo", None)
    run = compiled(expr)
    if memo is None:
        return run(look)
    value = memo.get(run)  # by identity: expressions take long to hash
    if value is None:
        value = run(look)
        if is_exact(value):
            memo[run] = value
    return value


def _fold(
    operation: Callable[[Value, Value], Value], parts: list[Callable[[Lookup], Value]]
) -> Callable[[Lookup], Value]:
    if len(parts) == 2:
        first, second = parts
        return lambda look: operation(first(look), second(look))

    def run(look: Lookup) -> Value:
        result = parts[0](look)
        for part in parts[1:]:
            result = operation(result, part(look))
        return result

    return run


def _within_scope(
    expr: sympy.Basic, run: Callable[[Lookup], Value]
) -> Callable[[Lookup], Value]:
    """Products and inverses of matrices are computed once in each scope they belong to."""
    from boundcheck.expressions.scope import remembered

    return remembered(expr, run)


def _compiled_word(expr: sympy.Mul) -> Callable[[Lookup], Value]:
    """A product of matrices: from the right where it ends in a vector, numbers last."""
    numbers, letters = expr.args_cnc()
    number = compiled(sympy.Mul(*numbers)) if numbers else None
    parts = [compiled(letter) for letter in letters]

    def run(look: Lookup) -> Value:
        last = parts[-1](look)
        if isinstance(last, tuple):
            for part in reversed(parts[:-1]):
                last = multiply(part(look), last)
        else:
            values = [part(look) for part in parts[:-1]]
            last = reduce(multiply, [*values, last])
        return last if number is None else multiply(number(look), last)

    return run


def _compiled_power(base: sympy.Basic, exponent: sympy.Basic) -> Callable[[Lookup], Value]:
    if base is sympy.E:
        inner = compiled(exponent)
        return lambda look: exponential(inner(look))
    root, rise = compiled(base), compiled(exponent)
    if isinstance(exponent, sympy.Integer):
        whole = int(exponent)
        if whole < 0 and not base.is_commutative:
            return _inverse((base, whole), root, whole)
        return lambda look: integer_power(root(look), whole)

    def run(look: Lookup) -> Value:
        under, over = root(look), rise(look)
        if unsigned(under, over) and not _is_nonnegative(base, look):
            raise Undecided(f"{base} under a root cannot be told from a negative number")
        return power(under, over)

    return run


def _is_nonnegative(expr: sympy.Basic, look: Lookup) -> bool:
    """Whether what an expression is made of shows it, where its symbols are those of a claim."""
    from boundcheck.expressions.signs import facts_of

    claim = getattr(look, "claim", None)
    return claim is not None and "nonnegative" in facts_of(expr, claim.stands)


def _inverse(
    key: tuple[sympy.Basic, int], root: Callable[[Lookup], Value], exponent: int
) -> Callable[[Lookup], Value]:
    """A negative power of a matrix: it often stands on both sides and is the dearest to compute."""

    def run(look: Lookup) -> Value:
        memo = getattr(look, "memo", None)
        if memo is not None and key in memo:
            return memo[key]
        value = integer_power(root(look), exponent)
        if memo is not None and is_exact(value):
            memo[key] = value
        return value

    return run


def _with(look: Lookup, name: str, value: Value) -> Lookup:
    return lambda key: value if key == name else look(key)


def _compiled_series(expr: sympy.Sum | sympy.Product) -> Callable[[Lookup], Value]:
    if len(expr.limits) != 1:
        raise NotImplementedError(f"one summation index at a time: {expr}")
    term = compiled(expr.function)
    index, first, last = expr.limits[0]
    low, high = compiled(first), compiled(last)
    name, additive = index.name, isinstance(expr, sympy.Sum)

    def run(look: Lookup) -> Value:
        start, stop = whole(low(look)), whole(high(look))
        if stop - start > 2_000_000:
            raise Undecided("a sum of more than two million terms")
        result: Value = 0 if additive else 1
        for position in range(start, stop + 1):
            value = term(_with(look, name, position))
            result = result + value if additive else result * value
        return result

    return run


def _compiled_piecewise(expr: sympy.Piecewise) -> Callable[[Lookup], Value]:
    branches = [(compiled(value), condition) for value, condition in expr.args]

    def run(look: Lookup) -> Value:
        for value, condition in branches:
            met = decide(condition, look)
            if met is None:
                raise Undecided("the branch of a piecewise expression")
            if met:
                return value(look)
        raise Undefined("no branch of a piecewise expression applies")

    return run


def compare(relation: sympy.Rel, left: Value, right: Value) -> bool | None:
    """Truth of `left relation right`; None where balls cannot tell. Vectors are columns."""
    left, right = as_column(left), as_column(right)
    if isinstance(left, MATRICES) or isinstance(right, MATRICES):
        return _compare_matrices(relation, left, right)
    side = sign(left - right)
    if isinstance(relation, sympy.Eq):
        return None if side is None else side == 0
    if isinstance(relation, sympy.Ne):
        return None if side is None else side != 0
    if side is None:
        # A ball that touches zero from one side still settles the non-strict relation.
        gap = left - right
        if isinstance(relation, sympy.Le) and gap <= 0:
            return True
        if isinstance(relation, sympy.Ge) and gap >= 0:
            return True
        return None
    return side in ACCEPTED[type(relation)]


def as_column(value: Value) -> Value:
    """A vector as a matrix of one column; anything else as it is."""
    if not isinstance(value, tuple):
        return value
    made = fmpq_mat if all(is_exact(entry) for entry in value) else arb_mat
    return made(len(value), 1, list(value))


def _compare_matrices(relation: sympy.Rel, left: Value, right: Value) -> bool | None:
    if not isinstance(relation, (sympy.Eq, sympy.Ne)):
        raise ShapeMismatch("matrices are compared by order; state an eigenvalue instead")
    if not (isinstance(left, MATRICES) and isinstance(right, MATRICES)):
        if is_exact(right) and not isinstance(right, MATRICES) and right == 0:
            right = left - left
        else:
            raise ShapeMismatch("a matrix is compared with a number")
    if (left.nrows(), left.ncols()) != (right.nrows(), right.ncols()):
        raise ShapeMismatch(
            f"a {left.nrows()} x {left.ncols()} matrix equated with "
            f"a {right.nrows()} x {right.ncols()} matrix"
        )
    if isinstance(left, fmpq_mat) and isinstance(right, fmpq_mat):
        return (left == right) is isinstance(relation, sympy.Eq)
    signs = [sign(entry) for entry in add(left, right * -1).entries()]
    if any(side not in (0, None) for side in signs):
        return isinstance(relation, sympy.Ne)
    if None in signs:
        return None
    return isinstance(relation, sympy.Eq)


def decide(condition: sympy.Basic, look: Lookup) -> bool | None:
    """Three-valued truth of a Boolean SymPy expression at the current precision.

    Undecided comparisons are None; Undefined propagates.
    """
    if isinstance(condition, (BooleanTrue, BooleanFalse, bool)):
        return bool(condition)
    if isinstance(condition, sympy.Rel):
        try:
            left, right = value_of(condition.lhs, look), value_of(condition.rhs, look)
            truth = compare(condition, left, right)
        except Undecided:
            return None
        last = truth is None and flint.ctx.prec >= PRECISIONS[-1]
        return _of_equals(condition, look) if last else truth
    if isinstance(condition, sympy.And):
        return _conjunction(condition.args, look, wanted=True)
    if isinstance(condition, sympy.Or):
        return _negate(_conjunction(condition.args, look, wanted=False))
    if isinstance(condition, sympy.Not):
        return _negate(decide(condition.args[0], look))
    if isinstance(condition, sympy.Implies):
        premise = decide(condition.args[0], look)
        if premise is False:
            return True
        try:
            conclusion = decide(condition.args[1], look)
        except Undefined:
            if premise:
                raise
            return None  # the premise may fail, and then nothing is asked of the conclusion
        return conclusion if premise or conclusion else None
    if isinstance(condition, sympy.Symbol):
        return bool(look(condition.name))
    raise NotImplementedError(f"no exact rule for the condition {condition}")


def _of_equals(condition: sympy.Rel, look: Lookup) -> bool | None:
    """Truth of a comparison of what no ball tells apart, where both sides are the same number."""
    from boundcheck.expressions.closed_forms import equal

    if not equal(condition.lhs, condition.rhs, look):
        return None
    return isinstance(condition, (sympy.Eq, sympy.Le, sympy.Ge))


def _negate(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _conjunction(parts: tuple[sympy.Basic, ...], look: Lookup, *, wanted: bool) -> bool | None:
    """Whether every part has the wanted truth; one that has not settles it, defined or not.

    Raises: Undefined if a part has no value and no other part can settle it.
    """
    unsettled, undefined = False, None
    for part in parts:
        try:
            truth = decide(part, look)
        except Undefined as error:
            undefined = error
            continue
        if truth is (not wanted):
            return False
        unsettled = unsettled or truth is None
    if unsettled:
        return None
    if undefined is not None:
        raise undefined
    return True


def partial_parts(expr: sympy.Basic) -> set[tuple[str, sympy.Basic]]:
    """Where an expression asks something of its symbols: (what, of which part).

    >>> partial_parts(sympy.sqrt(sympy.Symbol("x")))
    {('root', x)}
    """
    found = set[tuple[str, sympy.Basic]]()
    for node in sympy.preorder_traversal(expr):
        if isinstance(node, sympy.log):
            found.add(("logarithm", node.args[0]))
        elif isinstance(node, sympy.Pow):
            found |= set() if node.exp.is_integer else {("root", node.base)}
            found |= set() if node.exp.is_nonnegative else {("inverse", node.base)}
        elif hasattr(node, "operands") or _is_defined(node):
            found.add(("value", node))
    return {(what, part) for what, part in found if part.free_symbols}


def _is_defined(node: sympy.Basic) -> bool:
    """Whether a symbol stands for a definition."""
    return getattr(getattr(node, "meaning", None), "definition", None) is not None
