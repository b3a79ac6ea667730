"""Rates: elasticities, active branches of Max and Min, leading exponents, limits.

>>> x, y = sympy.symbols("x y", real=True)
>>> elasticity(x**3 / sympy.log(y), x)
3
>>> leading_exponent(x**2 * sympy.log(x) + 5 * x, x)
(2, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.errors import InvalidArgument, Undecided, Undefined
from boundcheck.exact import compiled, precision

Evaluate = Callable[[sympy.Basic], Any]


def at_point(point: Mapping[Any, Any]) -> Evaluate:
    """Evaluation of expressions at a point given by symbol or name."""
    from boundcheck.explore.grammar import parse_value

    numbers = {}
    for key, value in point.items():
        number = sympy.Rational(parse_value(value))
        numbers[getattr(key, "name", key)] = fmpq(int(number.p), int(number.q))

    def evaluate(expr: sympy.Basic) -> Any:
        try:
            with precision(192):
                return compiled(expr)(numbers.__getitem__)
        except (Undefined, Undecided, KeyError):
            return None

    return evaluate


def active_branch(expr: sympy.Expr, at: Evaluate | Mapping[Any, Any]) -> sympy.Expr:
    """The expression with every Max and Min replaced by the argument that is active at a point.

    >>> a, b = sympy.symbols("a b", real=True)
    >>> active_branch(sympy.Max(a, b**2) + 1, {a: 3, b: 1})
    a + 1
    """
    evaluate = at if callable(at) else at_point(at)

    def replace(node: sympy.Basic) -> sympy.Basic:
        if not node.has(sympy.Max, sympy.Min):
            return node
        args = [replace(arg) for arg in node.args]
        if not isinstance(node, (sympy.Max, sympy.Min)):
            return node.func(*args)
        values = [evaluate(arg) for arg in args]
        if None in values:
            return node.func(*args)
        largest = isinstance(node, sympy.Max)
        best = 0
        for position in range(1, len(args)):
            side = exact.sign(values[position] - values[best])
            if side == (1 if largest else -1):
                best = position
        return args[best]

    return replace(expr)


def elasticity(
    expr: sympy.Expr, symbol: sympy.Symbol, at: Mapping[Any, Any] | None = None
) -> sympy.Expr:
    """d log expr / d log symbol as an expression, on the branch of a point if one is given."""
    branch = active_branch(expr, at) if at is not None else expr
    symbol = _own(branch, symbol)
    return sympy.simplify(symbol * sympy.diff(branch, symbol) / branch)


def leading_exponent(
    expr: sympy.Expr, symbol: sympy.Symbol, to: Any = sympy.oo, at: Mapping[Any, Any] | None = None
) -> tuple[sympy.Expr, sympy.Expr]:
    """(e, k) such that |expr| grows like symbol^e (log symbol)^k as the symbol goes to oo or 0.

    Read off at symbol = 10^(+-1000), 10^(+-2000), 10^(+-4000) in ball arithmetic: the slope of
    the logarithm is e + k / log symbol up to smaller terms. Other symbols are put at `at`, or 1.
    Raises: InvalidArgument if the slope does not settle (exponential growth).
    """
    if to not in (0, sympy.oo):
        raise InvalidArgument(f"a leading exponent is taken to oo or 0, not to {to}")
    point = {s.name: 1 for s in expr.free_symbols} | {
        getattr(k, "name", k): v for k, v in (at or {}).items()
    }
    point.pop(symbol.name, None)
    fixed = {
        s: sympy.Rational(str(point[s.name])) for s in expr.free_symbols if s.name != symbol.name
    }
    run = compiled(expr.subs(fixed))
    slopes = []
    for digits in (1000, 2000, 4000):
        place = fmpq(10) ** digits if to is sympy.oo else 1 / fmpq(10) ** digits
        slopes.append((digits, _slope(run, symbol.name, place)))
    with precision(1024):
        (_, first), (_, second), (_, third) = slopes
        logs = [arb(10).log() * d * (1 if to is sympy.oo else -1) for d, _ in slopes]
        # slope = e + k / log x exactly for x^e log^k, so two places give both and a third checks.
        k = (first - second) / (1 / logs[0] - 1 / logs[1])
        e = second - k / logs[1]
        off = abs(float((e + k / logs[2] - third).mid()))
        rate, power = _nice(float(e.mid())), _nice(float(k.mid()))
    if off > 1e-4 or rate is None or power is None:
        raise InvalidArgument(
            f"{symbol} in {expr}: the slope does not settle on a power; it grows like no power"
        )
    return rate, power


def _slope(run: Callable[..., Any], name: str, place: fmpq) -> arb:
    step = fmpq(1, 2**64)
    with precision(40_000):
        try:
            values = [
                abs(exact.to_ball(run({name: place * factor}.__getitem__)))
                for factor in (1 + step, 1 / (1 + step))
            ]
        except (Undefined, Undecided) as error:
            raise InvalidArgument(f"no value at {name} = 10^{len(str(place))}: {error}") from error
        if not all(value > 0 for value in values):
            raise InvalidArgument(f"the expression vanishes at extreme {name}; no exponent")
        return (values[0].log() - values[1].log()) / (2 * (1 + arb(step)).log())


def _nice(value: float) -> sympy.Expr | None:
    from fractions import Fraction

    if value != value or abs(value) > 1e6:
        return None
    near = Fraction(value).limit_denominator(48)
    if abs(float(near) - value) < 2e-3:
        return sympy.Rational(near.numerator, near.denominator)
    return sympy.Float(value, 6)


def limit_at(expr: sympy.Expr, symbol: sympy.Symbol, to: Any = sympy.oo) -> sympy.Expr:
    """SymPy's limit as the symbol goes to `to`, from above where that matters.

    The symbol is found by its name.
    """
    own = _own(expr, symbol)
    return sympy.limit(expr, own, to, "+" if to != sympy.oo else "-")


def _own(expr: sympy.Expr, symbol: sympy.Symbol) -> sympy.Symbol:
    """The symbol of that name in an expression: those of a claim carry more than a name."""
    return next((s for s in expr.free_symbols if s.name == symbol.name), symbol)


def same_rate(
    first: sympy.Expr, second: sympy.Expr, symbol: sympy.Symbol, to: Any = sympy.oo,
    at: Mapping[Any, Any] | None = None,
) -> bool:
    """Whether a bound `second` is at least of the order of `first`: does the short display follow?

    >>> x = sympy.Symbol("x", real=True)
    >>> same_rate(x**2 + x, 3 * x**2, x), same_rate(x**2 * sympy.log(x), x**2, x)
    (True, False)
    """  # fmt: skip
    sign = 1 if to is sympy.oo else -1
    e1, k1 = leading_exponent(first, symbol, to, at)
    e2, k2 = leading_exponent(second, symbol, to, at)
    return bool((sign * (e2 - e1), k2 - k1) >= (0, 0))
