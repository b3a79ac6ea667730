"""Sums of rational multiples of roots, powers of e and logarithms of rationals, in normal form.

Balls never tell that log 2 is (1/2) log 4, or sqrt(2) sqrt(3) is sqrt(6). Here a number is a sum of
terms, each a rational times powers of primes with exponents in [0, 1), a power of e and logarithms
of primes; two numbers with the same terms are equal. Others may be equal too: of them nothing is
said, and balls decide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import fmpq, fmpz

from boundcheck import exact
from boundcheck.arithmetic import is_exact
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions.binding import Definition
from boundcheck.expressions.exactly import places
from boundcheck.expressions.nodes import Multiplied, Total
from boundcheck.expressions.scope import Scope

Lookup = Callable[[str], Any]
Powers = tuple[tuple[int, fmpq], ...]
Key = tuple[Powers, fmpq, tuple[tuple[int, int], ...]]  # roots of primes, of e, logarithms
Form = dict[Key, fmpq]

LONGEST = 96  # bits of a number that is factored
TERMS, POWER = 64, 8  # of a form, and whole powers of one
PLAIN: Key = ((), fmpq(0), ())


class NoForm(Exception):
    """A number that has no normal form here."""


def equal(left: sympy.Basic, right: sympy.Basic, look: Lookup) -> bool:
    """Whether two expressions are seen to be the same number, which balls cannot tell.

    >>> equal(sympy.log(8), 3 * sympy.log(2), {}.__getitem__)
    True
    >>> equal(sympy.sqrt(2) * sympy.sqrt(3), sympy.sqrt(6), {}.__getitem__)
    True
    """
    try:
        return form_of(left, look) == form_of(right, look)
    except (NoForm, Undefined, Undecided, KeyError):
        return False


def form_of(expr: sympy.Basic, look: Lookup) -> Form:
    """The normal form of an expression. Raises: NoForm if it has none."""
    expr = sympy.sympify(expr)
    rule = next((rule for kind, rule in RULES.items() if isinstance(expr, kind)), None)
    if rule is not None:
        return rule(expr, look)
    return _rational(expr, look)


def _rational(expr: sympy.Basic, look: Lookup) -> Form:
    value = exact.value_of(expr, look)
    if not is_exact(value) or isinstance(value, exact.MATRICES):
        raise NoForm(expr)
    return _times({PLAIN: fmpq(1)}, fmpq(value))


def _symbol(symbol: sympy.Symbol, look: Lookup) -> Form:
    """A definition in its own scope, where nothing inside a sum is bound."""
    whole, here = look, look
    while isinstance(here, Scope):
        if symbol.name in here.names:
            return _rational(symbol, look)
        here = whole = here.outside
    claim = getattr(whole, "claim", None)
    quantity = None if claim is None else claim.measured.get(symbol.name)
    if isinstance(quantity, Definition) and isinstance(quantity.whole, sympy.Expr):
        return form_of(quantity.whole, whole)
    return _rational(symbol, look)


def _sum(expr: sympy.Basic, look: Lookup) -> Form:
    return _added([form_of(arg, look) for arg in expr.args])


def _product(expr: sympy.Basic, look: Lookup) -> Form:
    return _multiplied([form_of(arg, look) for arg in expr.args])


def _power(expr: sympy.Pow, look: Lookup) -> Form:
    base, exponent = expr.args
    if base is sympy.E:
        return _exponential(form_of(exponent, look))
    rise = exact.value_of(exponent, look)
    if not is_exact(rise):
        raise NoForm(expr)
    return _raised(form_of(base, look), fmpq(rise))


def _raised(form: Form, rise: fmpq) -> Form:
    if rise.q == 1 and 0 <= rise <= POWER:
        return _multiplied([form] * int(rise.p))
    ((roots, e, logs), factor), *more = form.items() or [(PLAIN, fmpq(0))]
    if more or logs or factor <= 0:
        raise NoForm
    powers = dict(roots)
    for prime, times in _factors(factor):
        powers[prime] = powers.get(prime, fmpq(0)) + times
    return _monomial({prime: rise * times for prime, times in powers.items()}, rise * e, ())


def _exponential(form: Form) -> Form:
    """e to a rational sum of rationals and logarithms of primes."""
    powers: dict[int, fmpq] = {}
    e = fmpq(0)
    for (roots, inner, logs), factor in form.items():
        if roots or inner or len(logs) > 1 or any(times != 1 for _, times in logs):
            raise NoForm
        if logs:
            powers[logs[0][0]] = factor
        else:
            e = factor
    return _monomial(powers, e, ())


def _logarithm(expr: sympy.Basic, look: Lookup) -> Form:
    form = form_of(expr.args[0], look)
    ((roots, e, logs), factor), *more = form.items() or [(PLAIN, fmpq(0))]
    if more or logs or factor <= 0:
        raise NoForm(expr)
    found: Form = {PLAIN: e}
    for prime, times in (*roots, *_factors(factor)):
        found = _added([found, {((), fmpq(0), ((prime, 1),)): times}])
    return _added([found])


def _piecewise(expr: sympy.Piecewise, look: Lookup) -> Form:
    for value, condition in expr.args:
        met = exact.decide(condition, look)
        if met is None:
            break
        if met:
            return form_of(value, look)
    raise NoForm(expr)


def _folded(operation: Callable[[list[Form]], Form]) -> Callable[[Any, Lookup], Form]:
    def rule(node: Any, look: Lookup) -> Form:
        return operation([form_of(node.body, Scope(look, place)) for place in places(node)(look)])

    return rule


def _added(forms: list[Form]) -> Form:
    total: Form = {}
    for form in forms:
        for key, factor in form.items():
            total[key] = total.get(key, fmpq(0)) + factor
    return _short({key: factor for key, factor in total.items() if factor})


def _multiplied(forms: list[Form]) -> Form:
    product: Form = {PLAIN: fmpq(1)}
    for form in forms:
        parts = []
        for (roots, e, logs), factor in product.items():
            for (others, more, further), times in form.items():
                powers = dict(roots)
                for prime, share in others:
                    powers[prime] = powers.get(prime, fmpq(0)) + share
                counts = dict(logs)
                for prime, count in further:
                    counts[prime] = counts.get(prime, 0) + count
                made = _monomial(powers, e + more, tuple(sorted(counts.items())))
                parts.append(_times(made, factor * times))
        product = _added(parts)
    return product


def _monomial(powers: dict[int, fmpq], e: fmpq, logs: tuple[tuple[int, int], ...]) -> Form:
    """One term, whole powers of primes in its factor."""
    factor, roots = fmpq(1), []
    for prime, times in sorted(powers.items()):
        whole = int(times.floor())
        if abs(whole) * fmpz(prime).bit_length() > LONGEST:
            raise NoForm
        factor *= fmpq(prime) ** whole
        if times != whole:
            roots.append((prime, times - whole))
    return {(tuple(roots), e, logs): factor}


def _times(form: Form, factor: fmpq) -> Form:
    return {key: factor * value for key, value in form.items() if factor * value}


def _short(form: Form) -> Form:
    if len(form) > TERMS:
        raise NoForm
    return form


def _factors(number: fmpq) -> list[tuple[int, fmpq]]:
    """Primes of a positive rational with their powers."""
    if number.height_bits() > LONGEST:
        raise NoForm
    found = [(int(prime), fmpq(times)) for prime, times in number.p.factor()]
    return found + [(int(prime), -fmpq(times)) for prime, times in number.q.factor()]


RULES: dict[type[sympy.Basic], Callable[[Any, Lookup], Form]] = {
    sympy.Symbol: _symbol,
    sympy.Add: _sum,
    sympy.Mul: _product,
    sympy.Pow: _power,
    sympy.exp: lambda expr, look: _exponential(form_of(expr.args[0], look)),
    sympy.log: _logarithm,
    sympy.Piecewise: _piecewise,
    Total: _folded(_added),
    Multiplied: _folded(_multiplied),
}
