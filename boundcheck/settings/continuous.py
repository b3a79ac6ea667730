"""Continuous variables with exact expectations and probabilities: normal, uniform, exponential.

`E` and `P` are closed forms, shown as printed: of polynomials times exponentials of X, of
Abs(X - c), Max(X, c), Min(X, c), of conditions on X. Where an expectation is infinite it is oo.
Several independent variables are averaged one after another: E(E(f, X), Y).

>>> from boundcheck.expressions import parameter
>>> from boundcheck.worlds import Real
>>> c = parameter("c", Real(0, None))
>>> X, U, Z = exponential("X"), uniform("U"), normal("Z")
>>> waiting = E(sympy.Max(X, c), X) >= c
>>> distance = E(sympy.Abs(U - c), U) >= sympy.Rational(1, 4)
>>> tail = P(Z >= c, Z) <= sympy.exp(-(c**2) / 2) / 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq
from sympy import Abs, Max, Min, Piecewise, erf, exp, oo, pi, sqrt

from boundcheck.arithmetic import sign, to_ball
from boundcheck.errors import MalformedStatement, Undecided, Undefined
from boundcheck.exact import INEQUALITIES, partial_parts
from boundcheck.expressions import named, outcome, primitive
from boundcheck.expressions.names import TAKEN, Named, seen_through
from boundcheck.expressions.nodes import Indicator
from boundcheck.expressions.signs import positive
from boundcheck.expressions.symbols import Known, Number
from boundcheck.worlds.laws import Continuous

Ends = tuple[sympy.Expr, sympy.Expr]
MOST_POWER = 12


@dataclass(frozen=True)
class Normal:
    """Density of N(m, s^2)."""

    m: sympy.Expr
    s: sympy.Expr
    width = property(lambda law: law.s)  # without which it is no law

    def integral(self, power: int, a: sympy.Expr, b: sympy.Expr, ends: Ends) -> sympy.Expr:
        """E[X^power exp(a X + b X^2); low < X < high]: the square is completed."""
        rest = 1 - 2 * b * self.s**2
        weight = exp((self.m * a + a**2 * self.s**2 / 2 + b * self.m**2) / rest) / sqrt(rest)
        tilted = Normal((self.m + a * self.s**2) / rest, self.s / sqrt(rest))
        value = weight * tilted._moment(power, *ends)
        finite = b == 0 or _sure(rest)
        if not finite and (power % 2 or ends != (-oo, oo)):  # no tail, one, or two that cancel
            raise MalformedStatement(f"exp({b} X^2) has no closed form here; use a smaller factor")
        return value if finite else Piecewise((value, rest > 0), (oo, True))

    def _moment(self, power: int, low: sympy.Expr, high: sympy.Expr) -> sympy.Expr:
        if power == 0:
            return self._below(high) - self._below(low)
        value = self.m * self._moment(power - 1, low, high)
        if power > 1:
            value += (power - 1) * self.s**2 * self._moment(power - 2, low, high)
        return value - self.s**2 * (self._edge(power, high) - self._edge(power, low))

    def _below(self, x: sympy.Expr) -> sympy.Expr:
        if x in (oo, -oo):
            return sympy.Integer(x == oo)
        return (1 + erf((x - self.m) / (self.s * sqrt(2)))) / 2

    def _edge(self, power: int, x: sympy.Expr) -> sympy.Expr:
        if x in (oo, -oo):
            return sympy.S.Zero
        return x ** (power - 1) * exp(-((x - self.m) ** 2) / 2 / self.s**2) / self.s / sqrt(2 * pi)


@dataclass(frozen=True)
class Uniform:
    """Density 1 / (high - low) on [low, high]."""

    low: sympy.Expr
    high: sympy.Expr
    width = property(lambda law: law.high - law.low)

    def integral(self, power: int, a: sympy.Expr, b: sympy.Expr, ends: Ends) -> sympy.Expr:
        """E[X^power exp(a X); ends]; b has to be zero."""
        _without_square(b, "a uniform variable")
        low, high = (self._within(end) for end in ends)
        plain = (high ** (power + 1) - low ** (power + 1)) / (power + 1)
        if a != 0:
            risen = _risen(power, a, high) - _risen(power, a, low)
            plain = risen if a.is_number else Piecewise((risen, sympy.Ne(a, 0)), (plain, True))
        return plain / (self.high - self.low)

    def _within(self, end: sympy.Expr) -> sympy.Expr:
        return {oo: self.high, -oo: self.low}.get(end, Min(Max(end, self.low), self.high))


@dataclass(frozen=True)
class Exponential:
    """Density rate exp(-rate x) on x >= 0."""

    rate: sympy.Expr
    width = property(lambda law: law.rate)

    def integral(self, power: int, a: sympy.Expr, b: sympy.Expr, ends: Ends) -> sympy.Expr:
        """E[X^power exp(a X); ends]; b has to be zero."""
        _without_square(b, "an exponential variable")
        low, high = (end if end == oo else Max(end, 0) if end != -oo else sympy.S.Zero
                     for end in ends)  # fmt: skip
        fall = a - self.rate
        bottom = _risen(power, fall, low)
        if high != oo:
            value = _risen(power, fall, high) - bottom
            plain = (high ** (power + 1) - low ** (power + 1)) / (power + 1)
            both = Piecewise((value, sympy.Ne(fall, 0)), (plain, True))
            return self.rate * (value if a == 0 else both)
        finite = -self.rate * bottom
        return finite if a == 0 else Piecewise((finite, fall < 0), (oo, True))


Law = Normal | Uniform | Exponential


def _without_square(b: sympy.Expr, who: str) -> None:
    if b != 0:
        raise MalformedStatement(f"exp({b} X^2) of {who} has no closed form here; use a normal one")


def _risen(power: int, a: sympy.Expr, x: sympy.Expr) -> sympy.Expr:
    """An antiderivative of x^power exp(a x) for a != 0, by parts."""
    value = exp(a * x) / a
    for k in range(1, power + 1):
        value = x**k * exp(a * x) / a - k / a * value
    return value


LAWS: dict[Known, Law] = {}
_relied: set[sympy.Expr] = set()  # what the closed form being made takes as positive


def _sure(expr: sympy.Expr) -> bool:
    found = positive(expr)
    _relied.update([expr] if found else [])
    return found


def _made(
    kind: str, name: str, law: Callable[..., Law], given: tuple[Number, ...], length: Known | None
) -> Known:
    expressions = tuple(sympy.sympify(value) for value in given)
    drawn = Continuous(name, kind, tuple(map(_number, expressions)), length)
    if length is not None:
        return outcome(name, drawn, rank=1, says=f"Independent {kind} variables.")
    made = outcome(name, drawn, rank=0, says=f"One {kind} variable.")
    LAWS[made] = law(*expressions)
    return made


def _number(value: sympy.Expr) -> Known | fmpq:
    """What a draw holds of a number of a law.

    Raises: MalformedStatement for an expression.
    """
    if isinstance(value, Known):
        return value
    if not value.is_Rational:
        raise MalformedStatement(
            f"a law is given by {value}, neither symbol nor rational; write define(name, {value})"
        )
    return fmpq(int(value.p), int(value.q))


def normal(name: str, m: Number = 0, s: Number = 1, length: Known | None = None) -> Known:
    """A normal variable with mean m and standard deviation s > 0, symbols or rationals.

    Args: length: of a vector of independent ones, which is drawn and has no closed forms.

    >>> X = normal("X")
    >>> seen_through(E(X**4, X)), seen_through(P(X >= 0, X))
    (3, 1/2)
    """
    return _made("normal", name, Normal, (m, s), length)


def uniform(name: str, low: Number = 0, high: Number = 1, length: Known | None = None) -> Known:
    """A variable uniform on [low, high], symbols or rationals; `length` as of `normal`."""
    return _made("uniform", name, Uniform, (low, high), length)


def exponential(name: str, rate: Number = 1, length: Known | None = None) -> Known:
    """An exponential variable of mean 1 / rate, a symbol or rational; `length` as of `normal`."""
    return _made("exponential", name, Exponential, (rate,), length)


def E(variable: sympy.Expr, X: Known) -> Named:
    """Expectation of an expression in X over its law, in closed form.

    Raises: MalformedStatement for a form without one here, which it names.
    """
    if X not in LAWS:
        raise MalformedStatement(
            f"{X} has no continuous law; make it with normal(...), uniform(...) or exponential(...)"
        )
    body = sympy.sympify(variable)
    _relied.clear()
    terms = sympy.Add.make_args(_opened(seen_through(body), X))
    value, width = _neat(sympy.Add(*[_term(LAWS[X], X, t) for t in terms])), LAWS[X].width
    value = value if _sure(width) else Piecewise((value, width > 0))
    for part in sorted(partial_parts(seen_through(body)) - partial_parts(value), key=str):
        if X not in part[1].free_symbols and not _sure(part[1]):
            raise MalformedStatement(f"{body} may have no value for {part[1]}: no closed form here "
                                     f"shows it; write {part[1]} outside of the mean")
    _relied.update(*[TAKEN.get(part, ()) for part in body.atoms(Named)])
    return _closed(f"E[{body}; {X}]", value, rf"\mathbb{{E}}_{{{X}}}[{sympy.latex(body)}]")


def P(event: sympy.Basic, X: Known) -> Named:
    """Probability over the law of X of a condition on X, in closed form."""
    value = E(Indicator(event), X).body
    return _closed(f"P[{event}]", value, rf"\mathbb{{P}}[{sympy.latex(event)}]")


def _closed(text: str, value: sympy.Expr, latex: str) -> Named:
    found = named(text, value, latex)
    TAKEN[found] = TAKEN.get(found, set()) | _relied
    return found


def Var(variable: sympy.Expr, X: Known) -> sympy.Expr:
    """E f^2 - (E f)^2."""
    return E(variable**2, X) - E(variable, X) ** 2


def _neat(value: sympy.Expr) -> sympy.Expr:
    return value if value.has(Piecewise, erf, exp, Max, Min) else sympy.expand(sympy.cancel(value))


def _opened(body: sympy.Expr, X: Known) -> sympy.Expr:
    """The body as a sum of coefficients times powers, exponentials and one condition each."""
    return sympy.expand(sympy.powsimp(sympy.expand(_unkinked(body, X), power_exp=False)),
                        power_exp=False)  # fmt: skip


def _unkinked(body: sympy.Expr, X: Known) -> sympy.Expr:
    if X not in body.free_symbols or not body.args:
        return body
    if isinstance(body, Indicator):
        if not isinstance(body.condition, sympy.Or):
            return body
        return 1 - Indicator(sympy.And(*map(sympy.Not, body.condition.args)))
    whole = body.func(*[_unkinked(arg, X) for arg in body.args])
    return _as_condition(whole, X) if isinstance(whole, (Abs, Max, Min)) else whole


def _as_condition(node: sympy.Expr, X: Known) -> sympy.Expr:
    """|X - c|, max(X, c), min(X, c) through the indicator of X >= c."""
    sides = (node.args[0], sympy.S.Zero) if isinstance(node, Abs) else node.args
    if len(sides) != 2:
        raise MalformedStatement(f"{node} has more than two members; nest two")
    gap = sympy.expand(sides[0] - sides[1])
    above = gap * Indicator(gap >= 0)
    if isinstance(node, Abs):
        return 2 * above - gap
    return sides[1] + above if isinstance(node, Max) else sides[0] - above


def _term(law: Law, X: Known, term: sympy.Expr) -> sympy.Expr:
    factor, power, rise, events = sympy.S.One, 0, sympy.S.Zero, []
    for part in sympy.Mul.make_args(term):
        if X not in part.free_symbols:
            factor *= part
        elif isinstance(part, Indicator):
            events.append(part.condition)
        elif isinstance(part, exp) or (part.is_Pow and part.base is sympy.E):
            rise += part.args[0] if isinstance(part, exp) else part.exp
        elif part.as_base_exp()[0] == X and part.as_base_exp()[1].is_Integer:
            power += int(part.as_base_exp()[1])
        else:
            power = -1
            break
    found = sympy.Poly(rise, X) if rise.is_polynomial(X) else None
    if not 0 <= power <= MOST_POWER or found is None or found.degree() > 2:
        raise MalformedStatement(
            f"the mean of {term} over {X} has no closed form here; use sums of X^k exp(a X + b X^2)"
            " times a condition on X"
        )
    free, a, b = (found.coeff_monomial(X**k) for k in range(3))
    pieces = _intervals(sympy.And(*events), X) if events else [(-oo, oo)]
    return factor * exp(free) * sympy.Add(*[law.integral(power, a, b, ends) for ends in pieces])


def _intervals(event: sympy.Basic, X: Known) -> list[Ends]:
    """The disjoint intervals of X on which a condition holds, up to their ends."""
    if isinstance(event, sympy.And):
        found = [(-oo, oo)]
        for part in event.args:
            found = [_both(one, other) for one in found for other in _intervals(part, X)]
        return found
    if not isinstance(event, INEQUALITIES):
        raise MalformedStatement(f"{event} is no comparison; write X >= c or Abs(X - c) >= c")
    small, large = event.lts, event.gts
    for one, other, outside in ((large, small, True), (small, large, False)):
        if isinstance(one, Abs) and X not in other.free_symbols:
            reach, inner = (Max(other, 0) if outside else other), one.args[0]
            if outside:
                return [*_intervals(inner > reach, X), *_intervals(inner < -reach, X)]
            return _intervals(sympy.And(inner < reach, -reach < inner, evaluate=False), X)
    gap = sympy.expand(large - small)
    pace, start = gap.coeff(X, 1), gap.coeff(X, 0)
    rises, falls = _sure(pace), _sure(-pace)
    if sympy.expand(gap - pace * X - start) != 0 or not (rises or falls):
        raise MalformedStatement(
            f"{event} does not say where {X} lies; write {X} alone on one side, as in {X} >= c"
        )
    return [(-start / pace, oo)] if rises else [(-oo, -start / pace)]


def _both(one: Ends, other: Ends) -> Ends:
    low, high = Max(one[0], other[0]), Min(one[1], other[1])
    return low, high if high == oo or low == -oo else Max(low, high)


def _batch_tail(k: Any, x: Any) -> Any:
    from scipy.special import gammaincc

    return gammaincc(k / 2, x / 2)


@primitive(batch=_batch_tail, ranks=(0, 0), facts=("probability",), units="none",
           latex=r"\mathbb{{P}}[\chi^2_{{{0}}} > {1}]")  # fmt: skip
def chi_square_tail(k: Any, x: Any) -> Any:
    """P(chi^2 with k degrees of freedom > x), for k > 0 and x >= 0.

    Raises: Undefined for k or x outside its range, Undecided where balls are too wide.
    """
    if sign(k) in (0, -1) or sign(x) == -1:
        raise Undefined(f"a chi-square tail of {k} degrees of freedom at {x}")
    if sign(x) == 0:
        return fmpq(1)
    found = (to_ball(x) / 2).gamma_upper(to_ball(k) / 2, regularized=1)
    if not found.is_finite():
        raise Undecided(f"the chi-square tail of {k} degrees of freedom at {x}")
    return found
