"""Whether left outgrows right where factorials and binomials of what moves stand in them.

log n! = n log n - n + log(2 pi n) / 2 + r with 0 <= r <= 1 / (12 n) for n >= 1 (Robbins, Amer.
Math. Monthly 62 (1955) 26-29). As numbers move along powers of t, log(left / right) is at least a
finite sum of terms c t^a log(t)^b, in which n log n cancels exactly; it tends to infinity where the
largest of them does and c > 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy
from flint import arb, fmpq
from sympy import Rational, log, pi

from boundcheck.checker.germs import NoGerm
from boundcheck.checker.products import whole_of
from boundcheck.expressions.names import Named
from boundcheck.expressions.nodes import Node
from boundcheck.worlds.fields import Integer, Real

if TYPE_CHECKING:
    from boundcheck.checker.along import Along

T = sympy.Symbol("t", positive=True)
COUNTS = sympy.factorial, sympy.binomial
HALF = Rational(1, 2)
MOST = 60  # terms of a sum
WRITTEN_OUT = 1000  # largest number that stays whose factorial is
Pair = tuple[sympy.Expr, sympy.Expr]
Terms = dict[tuple[sympy.Rational, sympy.Integer], sympy.Expr]


def counts_of_what_moves(along: Along, expr: sympy.Basic) -> bool:
    """Whether factorials or binomials of what moves stand in an expression."""
    found = (sympy.sympify(_opened(along, sympy.sympify(side))) for side in expr.args)
    return any(along.moves(node) for side in found for node in side.atoms(*COUNTS))


def least_growth(along: Along, part: sympy.Rel) -> tuple[sympy.Rational, int, arb]:
    """a, b and c of the largest term of a lower limit of log(left / right), c > 0.

    Raises: NoGerm unless that tends to infinity.
    """
    low, _ = _logarithm(along, _opened(along, part.lts))
    _, high = _logarithm(along, _opened(along, part.gts))
    terms = _terms(low - high)
    for order in sorted(terms, reverse=True):
        ball = _ball(terms[order])
        if ball > 0 and order > (0, 0):
            return order[0], int(order[1]), ball
        if not ball.is_zero():
            break
    raise NoGerm(f"{part} is not seen to grow")


def _opened(along: Along, expr: sympy.Basic) -> sympy.Basic:
    """What stands behind names."""
    whole = expr.body if isinstance(expr, Named) else whole_of(along, expr)
    if whole is not None:
        return _opened(along, whole)
    if isinstance(expr, Node) or not expr.args:
        return expr
    return expr.func(*(_opened(along, arg) for arg in expr.args))


def _logarithm(along: Along, expr: sympy.Basic) -> Pair:
    """log x from below and above. Raises: NoGerm where no rule gives it."""
    if isinstance(expr, sympy.factorial):
        return _of_factorial(_at(along, expr.args[0]))
    if isinstance(expr, sympy.binomial):
        top, chosen = (_at(along, arg) for arg in expr.args)
        whole, *parts = (_of_factorial(each) for each in (top, chosen, top - chosen))
        return (whole[0] - sympy.Add(*(part[1] for part in parts)),
                whole[1] - sympy.Add(*(part[0] for part in parts)))  # fmt: skip
    if isinstance(expr, sympy.Mul):
        found = [_logarithm(along, arg) for arg in expr.args]
        return sympy.Add(*(low for low, _ in found)), sympy.Add(*(high for _, high in found))
    if isinstance(expr, sympy.exp):
        made = _at(along, expr.args[0])
        return made, made
    if isinstance(expr, sympy.Pow):
        return _of_power(along, expr)
    if not along.germ(expr).ball > 0:
        raise NoGerm(f"the logarithm of {expr}")
    made = log(_at(along, expr))
    return made, made


def _of_power(along: Along, expr: sympy.Pow) -> Pair:
    low, high = _logarithm(along, expr.base)
    times = _at(along, expr.exp)
    if low == high:
        return times * low, times * low
    if not times.is_number:
        raise NoGerm(str(expr))
    return (times * low, times * high) if times > 0 else (times * high, times * low)


def _of_factorial(number: sympy.Expr) -> Pair:
    """Of a number that stays, or grows and is at least one from t = 1 on."""
    if number.is_Integer and 0 <= number <= WRITTEN_OUT:
        return (log(sympy.factorial(number)),) * 2
    if not (number.is_Integer and number > 0):
        terms = _terms(number)
        if any(logs for _, logs in terms) or not all(c.is_positive for c in terms.values()) or (
            max(power for power, _ in terms) <= 0 or number.subs(T, 1) < 1
        ):
            raise NoGerm(f"the factorial of {number}")
    least = number * log(number) - number + log(2 * pi * number) / 2
    return least, least + 1 / (12 * number)


def _at(along: Along, expr: sympy.Basic) -> sympy.Expr:
    """An expression along the ray. Raises: NoGerm where a number in it is no power of t."""
    if isinstance(expr, Node) or expr.has(Node):
        raise NoGerm(str(expr))
    values = {}
    for symbol in expr.free_symbols:
        field, power = along.claim.fields.get(symbol.name), along.ray.powers.get(symbol.name)
        end = along.ray.ends.get(symbol.name)
        if type(field) not in (Integer, Real) or (power is not None and end):
            raise NoGerm(f"{symbol} is no power of t")
        value = fmpq(along.ray.start[symbol.name])
        number = Rational(int(value.p), int(value.q))
        values[symbol] = number if power is None else number * T ** Rational(
            int(power.p), int(power.q))  # fmt: skip
    return sympy.sympify(expr).xreplace(values)


def _terms(expr: sympy.Expr) -> Terms:
    """The terms of a sum by their powers of t and log(t). Raises: NoGerm for another form."""
    opened = sympy.expand(sympy.expand_log(sympy.expand(expr), force=True, factor=True))
    found: Terms = {}
    args = sympy.Add.make_args(opened)
    if len(args) > MOST:
        raise NoGerm(f"{len(args)} terms")
    for term in args:
        factor, rest = term.as_independent(T, as_Add=False)
        power = logs = sympy.Integer(0)
        for each in sympy.Mul.make_args(rest):
            base, exponent = each.as_base_exp()
            if base == T and exponent.is_Rational:
                power += exponent
            elif base == log(T) and exponent.is_Integer and exponent > 0:
                logs += exponent
            elif each != 1:
                raise NoGerm(str(term))
        found[power, logs] = found.get((power, logs), sympy.Integer(0)) + factor
    return {order: c for order, c in found.items() if c != 0}


def _ball(number: sympy.Expr) -> arb:
    """An enclosure of a number made of rationals, pi and logarithms."""
    if number.is_Rational:
        return arb(fmpq(int(number.p), int(number.q)))
    if number == pi:
        return arb.pi()
    if isinstance(number, log):
        return _ball(number.args[0]).log()
    if isinstance(number, sympy.Add):
        return sum((_ball(arg) for arg in number.args), arb(0))
    if isinstance(number, sympy.Mul):
        made = arb(1)
        for arg in number.args:
            made *= _ball(arg)
        return made
    if isinstance(number, sympy.Pow) and number.exp.is_Integer:
        return _ball(number.base) ** int(number.exp)
    raise NoGerm(str(number))
