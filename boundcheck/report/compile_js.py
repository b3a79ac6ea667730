"""SymPy expressions as JavaScript on numbers m 2^e, so that 10^400 and 10^-400 are ordinary values.

The runtime is `explorer_numbers.js`. Nothing is parsed in the browser: every expression is printed
as a nest of calls.
"""

from __future__ import annotations

import sympy
from flint import arb, fmpq

CALLS = {
    sympy.Max: "max", sympy.Min: "min", sympy.Abs: "abs", sympy.log: "log", sympy.exp: "exp",
    sympy.floor: "floor", sympy.ceiling: "ceil",
}  # fmt: skip


class NoJavaScript(Exception):
    """An expression without a JavaScript form."""


def javascript(expr: sympy.Basic, names: dict[str, int]) -> str:
    """The expression as calls on the runtime `B` and an array `v` of values.

    Args: names: symbol name to its place in the array.
    Raises: NoJavaScript for functions the runtime does not have.

    >>> x = sympy.Symbol("x", real=True)
    >>> javascript(sympy.sqrt(x) + 2, {"x": 0})
    'B.add(B.n(1,1),B.sqrt(v[0]))'
    """
    if isinstance(expr, sympy.Symbol):
        if expr.name not in names:
            raise NoJavaScript(f"no value for {expr}")
        return f"v[{names[expr.name]}]"
    if isinstance(expr, sympy.Float):
        expr = sympy.Rational(str(expr))
    if isinstance(expr, sympy.Rational):
        return number(fmpq(int(expr.p), int(expr.q)))
    if expr in (sympy.pi, sympy.E, sympy.EulerGamma):
        return f"B.of({float(expr)!r})"
    if isinstance(expr, (sympy.Add, sympy.Mul)):
        name = "add" if isinstance(expr, sympy.Add) else "mul"
        return _fold(name, [javascript(arg, names) for arg in expr.args])
    if isinstance(expr, (sympy.Max, sympy.Min)):
        return _fold(CALLS[type(expr)], [javascript(arg, names) for arg in expr.args])
    if isinstance(expr, sympy.exp):
        return f"B.exp({javascript(expr.args[0], names)})"
    if isinstance(expr, sympy.Pow):
        return _power(expr, names)
    if type(expr) in CALLS:
        return f"B.{CALLS[type(expr)]}({javascript(expr.args[0], names)})"
    raise NoJavaScript(f"no JavaScript for {type(expr).__name__}")


def _power(expr: sympy.Pow, names: dict[str, int]) -> str:
    base, exponent = expr.base, expr.exp
    if base is sympy.E:
        return f"B.exp({javascript(exponent, names)})"
    root = javascript(base, names)
    if exponent.is_Rational and abs(exponent.p) <= 64:
        if exponent.q == 2:
            root = f"B.sqrt({root})"
        if exponent.q <= 2:
            return root if exponent.p == 1 else f"B.ipow({root},{int(exponent.p)})"
    return f"B.pow({root},{javascript(exponent, names)})"


def _fold(name: str, parts: list[str]) -> str:
    result = parts[0]
    for part in parts[1:]:
        result = f"B.{name}({result},{part})"
    return result


def number(value: fmpq) -> str:
    """A rational as the mantissa and exponent of the nearest double.

    >>> number(fmpq(10)**40)
    'B.n(1.8367099231598243,132)'
    """
    if value == 0:
        return "B.n(0,0)"
    exponent = int(abs(value).p).bit_length() - int(value.q).bit_length()
    scaled = value * fmpq(2) ** (-exponent)
    if abs(scaled) < 1:
        exponent, scaled = exponent - 1, scaled * 2
    mantissa = float(arb(scaled)) if scaled.q == 1 else int(scaled.p) / int(scaled.q)
    shown = int(mantissa) if mantissa == int(mantissa) else repr(mantissa)
    return f"B.n({shown},{exponent})"
