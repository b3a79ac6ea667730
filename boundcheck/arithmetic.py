"""Scalars and matrices in exact arithmetic: rationals while possible, certified balls after.

Values are int, fmpq, arb, fmpq_mat or arb_mat (python-flint). Balls contain the true value, so a
comparison that balls settle is a proof; one that they cannot settle is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import flint
import sympy
from flint import arb, arb_mat, fmpq, fmpq_mat, fmpz

from boundcheck.balls import MOST_BITS, integer_in
from boundcheck.encoding import nearest_float
from boundcheck.errors import NegativeRoot, ShapeMismatch, Undecided, Undefined
from boundcheck.wholes import Whole

Value = Any
PRECISIONS = (64, 192, 640)
MATRICES = (fmpq_mat, arb_mat)
SCALARS = frozenset({bool, int, Whole, fmpz, fmpq, arb})  # asked by type: they are many
EXACT = frozenset({bool, int, Whole, fmpz, fmpq, fmpq_mat})


class precision:
    """Ball precision in bits inside a with block."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __enter__(self) -> None:
        self.before = flint.ctx.prec
        flint.ctx.prec = self.bits

    def __exit__(self, *_: object) -> None:
        flint.ctx.prec = self.before


def midpoint(ball: arb) -> fmpq:
    """The middle of a ball as a rational.

    Raises: Undecided for numbers of more bits than memory should hold, such as exp(exp(100)).

    >>> midpoint(arb(3) / 4)
    3/4
    """
    mantissa, exponent = ball.mid().man_exp()
    if abs(int(exponent)) > MOST_BITS:
        raise Undecided(f"a number of {abs(int(exponent)):.3g} bits is not written out")
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def is_exact(value: Value) -> bool:
    """True for int, fmpz, fmpq and fmpq_mat: no rounding anywhere."""
    return type(value) in EXACT


def holds_balls(value: Value) -> bool:
    """Whether a value, or an entry of a tuple, is a ball or a matrix of balls."""
    if isinstance(value, tuple):
        return any(map(holds_balls, value))
    return isinstance(value, (arb, arb_mat))


def key_of(*values: Value) -> tuple[Any, ...]:
    """A key that tells exact values, vectors and matrices apart: rationals take long to hash.

    >>> key_of(fmpq(1, 2), (1, fmpq(2)), fmpq_mat(1, 1, [3])) == key_of(fmpq(1, 2), (1, 2), 3)
    False
    """
    found: list[Any] = []
    for value in values:
        if type(value) is fmpq:
            found += (value.p, value.q)
        elif isinstance(value, fmpq_mat):
            found += (value.nrows(), value.ncols())
            found += key_of(*value.entries())
        elif isinstance(value, tuple):
            found += ("(", *key_of(*value), ")")
        elif isinstance(value, arb):
            found += ("ball", *value.mid().man_exp(), *value.rad().man_exp())
        else:
            found += (type(value), value)
    return tuple(found)


def to_ball(value: Value) -> arb:
    """A ball around a scalar, at the current precision.

    Raises: ShapeMismatch for a matrix, TypeError for a float, which may be near to what was meant.
    """
    if isinstance(value, (tuple, *MATRICES)):
        raise ShapeMismatch("a matrix stands where a number is needed")
    if isinstance(value, float):
        raise TypeError(f"{value} is a float; divide fmpq(p), not p, by an integer")
    return value if isinstance(value, arb) else arb(value)


def to_float(value: Value) -> float:
    """Nearest float of a scalar (midpoint of a ball); infinities where out of range."""
    if isinstance(value, (int, fmpz)):
        return nearest_float(value)
    return float(to_ball(value).mid())


def sign(value: Value) -> int | None:
    """-1, 0 or 1 of a scalar; None where a ball straddles zero.

    >>> sign(fmpq(-1, 3)), sign(arb(2).sqrt() ** 2 - 2)
    (-1, None)
    """
    if is_exact(value):
        return int(value > 0) - int(value < 0)
    if not value.is_finite():
        return None  # not a number: the ball lost its value on the way, the expression need not
    if value > 0:
        return 1
    if value < 0:
        return -1
    return 0 if value.is_zero() else None


def as_said(name: str, value: Value, facts: Sequence[str]) -> Value:
    """A value of which something is said wherever there is one.

    Raises: Undefined where it is false: the arguments lie beyond what the name is defined for.

    >>> as_said("size", fmpq(1, 2), ["nonnegative"])
    1/2
    """
    if facts and isinstance(value, (int, fmpq, arb)):
        below = sign(value) in ((-1, 0) if "positive" in facts else (-1,))
        if below or ("probability" in facts and sign(1 - value) == -1):
            raise Undefined(f"{name} is not {facts[0]}: its arguments are none it is defined for")
    return value


def _as_matrix(value: Value) -> arb_mat:
    return arb_mat(value) if isinstance(value, fmpq_mat) else value


def add(left: Value, right: Value) -> Value:
    """Sum of scalars, of vectors of one length or of matrices of one shape."""
    if type(left) in SCALARS and type(right) in SCALARS:
        return left + right
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _add_vectors(left, right)
    if isinstance(left, MATRICES) != isinstance(right, MATRICES):
        scalar, matrix = (right, left) if isinstance(left, MATRICES) else (left, right)
        if is_exact(scalar) and scalar == 0:
            return matrix
        raise ShapeMismatch("a number is added to a matrix")
    if isinstance(left, MATRICES):
        if (left.nrows(), left.ncols()) != (right.nrows(), right.ncols()):
            raise ShapeMismatch(
                f"sum of a {left.nrows()} x {left.ncols()} matrix "
                f"and a {right.nrows()} x {right.ncols()} matrix"
            )
        if type(left) is not type(right):
            left, right = _as_matrix(left), _as_matrix(right)
    return left + right


def _add_vectors(left: Value, right: Value) -> Value:
    for one, other in ((left, right), (right, left)):
        if is_exact(one) and not isinstance(one, MATRICES) and one == 0:
            return other
    if not (isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right)):
        raise ShapeMismatch("a vector is added to what is no vector of its length")
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _multiply_vector(left: Value, right: Value) -> Value:
    vector, other = (left, right) if isinstance(left, tuple) else (right, left)
    if not isinstance(other, (*MATRICES, tuple)):
        return tuple(other * entry for entry in vector)
    if vector is left or not isinstance(other, MATRICES) or other.ncols() != len(vector):
        raise ShapeMismatch("the product of a vector with what does not fit it")
    rows, cols = other.nrows(), other.ncols()
    return tuple(
        sum((other[i, j] * vector[j] for j in range(cols)), fmpq(0)) for i in range(rows)
    )


def multiply(left: Value, right: Value) -> Value:
    """Product of scalars, matrices and a vector at the end, in the order given."""
    if type(left) in SCALARS and type(right) in SCALARS:
        return left * right
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _multiply_vector(left, right)
    if isinstance(left, MATRICES) and isinstance(right, MATRICES):
        if left.ncols() != right.nrows():
            if (left.nrows(), left.ncols()) == (1, 1):
                left = left[0, 0]
            elif (right.nrows(), right.ncols()) == (1, 1):
                right = right[0, 0]
            else:
                raise ShapeMismatch(
                    f"product of a {left.nrows()} x {left.ncols()} matrix "
                    f"and a {right.nrows()} x {right.ncols()} matrix"
                )
        elif type(left) is not type(right):
            left, right = _as_matrix(left), _as_matrix(right)
        return left * right
    if isinstance(left, arb) and isinstance(right, fmpq_mat):
        right = _as_matrix(right)
    if isinstance(right, arb) and isinstance(left, fmpq_mat):
        left = _as_matrix(left)
    return left * right


def reciprocal(value: Value) -> Value:
    """1/value for a nonzero scalar, the inverse for a regular square matrix."""
    if isinstance(value, MATRICES):
        if value.nrows() != value.ncols():
            raise ShapeMismatch(f"inverse of a {value.nrows()} x {value.ncols()} matrix")
        try:
            return value.inv()
        except ZeroDivisionError as error:
            if isinstance(value, arb_mat):
                raise Undecided("balls do not tell a matrix from a singular one") from error
            raise Undefined("inverse of a singular matrix") from error
    if is_exact(value):
        if value == 0:
            raise Undefined("division by zero")
        return fmpq(1) / value
    side = sign(value)
    if side == 0:
        raise Undefined("division by zero")
    if side is None:
        raise Undecided("the denominator cannot be told from zero")
    return 1 / value


def integer_power(base: Value, exponent: int) -> Value:
    """base^exponent by squaring; negative exponents invert; 0^0 is 1."""
    if exponent == 2 and type(base) is fmpq and base.height_bits() < 2_000_000:
        return base * base
    if exponent < 0:
        return integer_power(reciprocal(base), -exponent)
    if isinstance(base, MATRICES):
        if base.nrows() != base.ncols():
            raise ShapeMismatch(f"power of a {base.nrows()} x {base.ncols()} matrix")
        return base**exponent
    if is_exact(base) and exponent * max(fmpq(base).height_bits(), 1) > 4_000_000:
        return to_ball(base) ** exponent
    if isinstance(base, arb) and base.contains(0):
        # flint's power goes through the logarithm and has no value on a ball around zero.
        result = arb(1)
        for bit in bin(exponent)[2:]:
            result = result * result * base if bit == "1" else result * result
        return result
    return fmpq(base) ** exponent if isinstance(base, (int, fmpz)) else base**exponent


def square_root(value: Value) -> Value:
    """Non-negative root of what is nonnegative: exact for squares of rationals, else a ball.

    A ball that dips below zero does so by rounding only; `unsigned` tells where it may not.
    """
    if isinstance(value, MATRICES):
        raise ShapeMismatch("the scalar square root is applied to a matrix")
    if is_exact(value):
        if value < 0:
            raise NegativeRoot("square root of a negative number")
        ratio = fmpq(value)
        try:
            return ratio.sqrt()
        except Exception:  # flint raises its DomainError for a rational that is no square
            return arb(ratio).sqrt()
    side = sign(value)
    if side == -1:
        raise NegativeRoot("square root of a negative number")
    return value.nonnegative_part().sqrt() if side is None else value.sqrt()


def unsigned(base: Value, exponent: Value) -> bool:
    """Whether a base is a ball around zero under a root, which of a negative number is none."""
    if is_exact(base) or (is_exact(exponent) and fmpq(exponent).q == 1):
        return False
    return not isinstance(base, MATRICES) and sign(base) is None


def power(base: Value, exponent: Value) -> Value:
    """base^exponent for real base and exponent."""
    if is_exact(exponent):
        ratio = fmpq(exponent)
        if ratio.q == 1:
            return integer_power(base, int(ratio.p))
        if ratio.q == 2:
            return integer_power(square_root(base), int(ratio.p))
    side = sign(base)
    if side == 0 or (side is None and sign(base) is None):
        growth = sign(exponent)
        if side == 0 and growth == 1:
            return fmpq(0)
        if side == 0 and growth == 0:
            return fmpq(1)
        if side == 0 and growth == -1:
            raise Undefined("division by zero")
        if growth == 1:
            return to_ball(base).nonnegative_part() ** to_ball(exponent)
        raise Undecided("the base of a power cannot be told from zero")
    if side == -1:
        if not is_exact(exponent) and exponent.contains_integer():
            raise Undecided("the exponent of a negative number cannot be told from an integer")
        raise NegativeRoot("a non-integer power of a negative number")
    return to_ball(base) ** to_ball(exponent)


def logarithm(value: Value) -> Value:
    """Natural logarithm; exact zero at one."""
    side = sign(value)
    if side in (0, -1):
        raise Undefined("logarithm of zero" if side == 0 else "logarithm of a negative number")
    if side is None:
        raise Undecided("the argument of a logarithm cannot be told from zero")
    if is_exact(value) and value == 1:
        return fmpq(0)
    return to_ball(value).log()


def exponential(value: Value) -> Value:
    """e^value; exact one at zero."""
    if is_exact(value) and value == 0:
        return fmpq(1)
    return to_ball(value).exp()


def _abs(value: Value) -> Value:
    return abs(value)


def _floor(value: Value) -> Value:
    if is_exact(value):
        return int(fmpq(value).floor())
    result = integer_in(value.floor())
    if result is None:
        raise Undecided("floor of a ball that contains an integer")
    return result


def _ceil(value: Value) -> Value:
    return -_floor(-value)


def _sign_value(value: Value) -> Value:
    side = sign(value)
    if side is None:
        raise Undecided("sign of a ball that contains zero")
    return side


def _extreme(largest: bool) -> Callable[..., Value]:
    def pick(*values: Value) -> Value:
        result = values[0]
        for value in values[1:]:
            if is_exact(result) and is_exact(value):
                result = (max if largest else min)(result, value)
            else:
                a, b = to_ball(result), to_ball(value)
                result = a.max(b) if largest else a.min(b)
        return result

    return pick


def _via_ball(method: str) -> Callable[[Value], Value]:
    return lambda value: getattr(to_ball(value), method)()


def _inverse_sine(name: str) -> Callable[[Value], Value]:
    def apply(value: Value) -> Value:
        if is_exact(value) and abs(value) > 1:
            raise Undefined(f"{name} outside [-1, 1]")
        result = getattr(to_ball(value), name)()
        if result.is_nan():
            raise Undecided(f"{name} at the edge of its domain")
        return result

    return apply


def whole(value: Value) -> int:
    """An exact integer as int. Raises: Undecided for a fraction or a ball."""
    if isinstance(value, int):
        return int(value)
    if not is_exact(value) or fmpq(value).q != 1:
        raise Undecided(f"{value} stands where an integer is needed")
    return int(fmpq(value).p)


LISTED = 2000  # a larger factorial has thousands of digits and is a ball


def _binomial(n: Value, k: Value) -> Value:
    n, k = whole(n), whole(k)
    if 0 <= k <= n and min(k, n - k) > LISTED:
        logarithms = [arb(value + 1).lgamma() for value in (n, k, n - k)]
        return (logarithms[0] - logarithms[1] - logarithms[2]).exp()
    if n < 0 and k > LISTED:  # by reflection
        return (-1) ** k * _binomial(k - n - 1, k)
    return math.comb(n, k) if n >= k >= 0 else int(sympy.binomial(n, k))


def _factorial(n: Value) -> Value:
    if whole(n) < 0:
        raise Undefined("factorial of a negative number")
    return math.factorial(whole(n)) if whole(n) <= LISTED else arb(whole(n) + 1).gamma()


def _gamma(value: Value) -> Value:
    if is_exact(value) and fmpq(value).q == 1 and value <= 0:
        raise Undefined("gamma at zero or a negative integer")
    return to_ball(value).gamma()


FUNCTIONS: dict[type, Callable[..., Value]] = {
    sympy.exp: exponential,
    sympy.log: logarithm,
    sympy.Abs: _abs,
    sympy.sign: _sign_value,
    sympy.floor: _floor,
    sympy.ceiling: _ceil,
    sympy.Max: _extreme(True),
    sympy.Min: _extreme(False),
    sympy.sin: _via_ball("sin"),
    sympy.cos: _via_ball("cos"),
    sympy.tan: _via_ball("tan"),
    sympy.atan: _via_ball("atan"),
    sympy.asin: _inverse_sine("asin"),
    sympy.acos: _inverse_sine("acos"),
    sympy.sinh: _via_ball("sinh"),
    sympy.cosh: _via_ball("cosh"),
    sympy.tanh: _via_ball("tanh"),
    sympy.gamma: _gamma,
    sympy.erf: _via_ball("erf"),
    sympy.factorial: _factorial,
    sympy.binomial: _binomial,
}
CONSTANTS = {sympy.pi: "pi", sympy.E: "const_e", sympy.EulerGamma: "const_euler"}
