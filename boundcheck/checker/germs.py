"""Enclosures of a value for every t >= 1 at once, as the numbers of a world move along powers of t.

A germ says that the value is ball * t^power * (1 + log t)^logs for every t >= 1, and beside that,
where it is known, that it is a finite sum of terms c t^p exactly. What has no rule has no germ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate

import sympy
from flint import arb, fmpq

from boundcheck.arithmetic import Value, is_exact, to_ball

UNIT = arb(0).union(arb(1))
ONE_OVER_E = arb(0).union(arb("0.37"))  # log(x) / x for x >= 1
TWO_OVER_E = arb(0).union(arb("0.74"))  # log(x) / sqrt(x) for x >= 1
MOST_TERMS = 24
MOST_BITS = 10**6  # of the coefficient of a power
ZERO = fmpq(0)
DECAY = 8  # power of t by which a falling exponential is bounded
Terms = Mapping[fmpq, fmpq]


class NoGerm(Exception):
    """No rule encloses the value for every t."""


@dataclass(frozen=True)
class Germ:
    """A value for all t >= 1; `terms`: coefficient by power where it is exactly their sum."""

    ball: arb
    power: fmpq = ZERO
    logs: fmpq = ZERO
    terms: Terms | None = None

    @property
    def grows(self) -> bool:
        """Whether its scale is above one."""
        return self.scale > (ZERO, ZERO)

    @property
    def scale(self) -> tuple[fmpq, fmpq]:
        """What it is compared with others by."""
        return self.power, self.logs


def of_terms(terms: Terms) -> Germ:
    """A sum of c t^p, over its largest power between the sums of its first coefficients."""
    kept = {power: c for power, c in terms.items() if c != 0}
    sums = list(accumulate(kept[power] for power in sorted(kept, reverse=True))) or [ZERO]
    ball = arb(min(sums)).union(arb(max(sums))) if len(sums) > 1 else arb(sums[0])
    return Germ(ball, max(kept, default=ZERO), ZERO, kept)


def constant(value: Value) -> Germ:
    """The germ of a number that does not move."""
    ball = to_ball(value)
    if is_exact(value) or (ball.is_exact() and ball == 0):
        return of_terms({ZERO: fmpq(value) if is_exact(value) else ZERO})
    return Germ(ball)


def share(power: fmpq, logs: fmpq) -> arb:
    """The range of t^power (1 + log t)^logs over t >= 1, for a scale that does not grow."""
    if power == 0 and logs == 0:
        return arb(1)
    if power == 0 or logs <= 0:
        return UNIT
    at = arb(logs) / arb(-power)  # 1 + log t where it is largest
    return UNIT if at < 1 else arb(0).union(arb(1).union((at * arb(power) - arb(power)).exp()
                                                         * at ** arb(logs)))  # fmt: skip


def aligned(germs: list[Germ]) -> tuple[list[arb], fmpq, fmpq]:
    """Balls of some germs over the largest of their scales; zero has every scale."""
    power, logs = max((g.scale for g in germs if g.terms != {}), default=(ZERO, ZERO))
    balls = [arb(0) if g.terms == {} else
             times(g.ball, share(g.power - power, g.logs - logs)) for g in germs]  # fmt: skip
    return balls, power, logs


def times(one: arb, other: arb) -> arb:
    """The product of two balls by their ends, which balls with a middle would widen."""
    if one.is_exact() or other.is_exact():
        return one * other
    ends = [a * b for a in (one.lower(), one.upper()) for b in (other.lower(), other.upper())]
    found = ends[0]
    for end in ends[1:]:
        found = found.union(end)
    return found


def added(germs: list[Germ]) -> Germ:
    """The sum."""
    if all(germ.terms is not None for germ in germs):
        terms: dict[fmpq, fmpq] = {}
        for germ in germs:
            for power, c in (germ.terms or {}).items():
                terms[power] = terms.get(power, ZERO) + c
        return of_terms(terms)
    balls, power, logs = aligned(germs)
    return Germ(sum(balls, arb(0)), power, logs)


def multiplied(one: Germ, other: Germ) -> Germ:
    """The product."""
    if one.terms is not None and other.terms is not None:
        terms: dict[fmpq, fmpq] = {}
        for p, c in one.terms.items():
            for q, d in other.terms.items():
                terms[p + q] = terms.get(p + q, ZERO) + c * d
        if len(terms) <= MOST_TERMS:
            return of_terms(terms)
    if {} in (one.terms, other.terms):
        return constant(ZERO)  # which has every scale
    return Germ(times(one.ball, other.ball), one.power + other.power, one.logs + other.logs)


def raised(germ: Germ, power: fmpq) -> Germ:
    """A rational power. Raises: NoGerm where it is not known to have a value."""
    if germ.terms is not None and power.q == 1 and 0 <= power <= 12:
        found = constant(fmpq(1))
        for _ in range(int(power.p)):
            found = multiplied(found, germ)
        return found
    if germ.terms is not None and len(germ.terms) == 1:
        ((exponent, c),) = germ.terms.items()
        root = _root(c, int(power.q))
        if root is not None and root.height_bits() * abs(int(power.p)) <= MOST_BITS:
            return of_terms({exponent * power: root ** int(power.p)})
    return Germ(_ball_power(germ.ball, power), germ.power * power, germ.logs * power)


def _root(number: fmpq, degree: int) -> fmpq | None:
    """The root of a number where it is a rational number."""
    if degree == 1:
        return number
    if number <= 0:
        return None
    top, bottom = (part.root(degree) for part in (number.p, number.q))
    return fmpq(top, bottom) if (top**degree, bottom**degree) == (number.p, number.q) else None


def _ball_power(ball: arb, power: fmpq) -> arb:
    if ball > 0 and not ball.is_exact():  # by its ends, which balls with a middle would widen
        return _ball_power(ball.lower(), power).union(_ball_power(ball.upper(), power))
    if power.q == 1:
        if power < 0 and ball.contains(0):
            raise NoGerm("a quotient by what may vanish")
        return ball ** int(power.p)
    if ball > 0:
        return (ball.log() * arb(power)).exp()
    if ball >= 0 and power > 0:
        return arb(0).union((ball.upper().log() * arb(power)).exp())
    raise NoGerm("a root of what may be negative")


def logarithm(germ: Germ) -> Germ:
    """Raises: NoGerm unless the value is positive."""
    if not germ.ball > 0:
        raise NoGerm("a logarithm of what may not be positive")
    if germ.terms is not None and germ.terms.get(ZERO) == 1 and max(germ.terms) == 0:
        # log(1 + u) is u / (1 + v) for a v between 0 and u, which falls as a power of t.
        rest = of_terms({power: c for power, c in germ.terms.items() if power != 0})
        return Germ(rest.ball / (1 + rest.ball * UNIT), rest.power)
    if germ.power == 0 and germ.logs == 0:
        return Germ(germ.ball.log())
    if germ.power == 0:
        return Germ(times(germ.ball.log(), UNIT) + arb(germ.logs) * TWO_OVER_E, ZERO, fmpq(1, 2))
    # log t is (1 + log t) - 1.
    power = arb(germ.power)
    ball = power + times(germ.ball.log() - power, UNIT) + arb(germ.logs) * ONE_OVER_E
    return Germ(ball, ZERO, fmpq(1))


def exponential(germ: Germ) -> Germ:
    """Raises: NoGerm where it grows faster than every power."""
    if not germ.grows:
        return Germ((germ.ball * share(germ.power, germ.logs)).exp())
    if not germ.ball < 0 or germ.power < 0 or germ.logs < 0:
        raise NoGerm("an exponential that grows")
    rate = -germ.ball.upper()
    if germ.power == 0:
        return Germ(arb(0).union((-rate).exp()))
    # t^N exp(-c t^p) is largest at t^p = N / (c p), or at t = 1.
    times = arb(DECAY) / arb(germ.power)
    most = (-rate).exp().union(((times / rate).log() * times - times).exp())
    return Germ(arb(0).union(most), fmpq(-DECAY))


def hyperbolic_tangent(germ: Germ) -> Germ:
    """u times what falls from 1 at u = 0 to tanh(U) / U where |u| is at most U; near one where u
    grows from the beginning."""
    if germ.ball < 0:
        return negated(hyperbolic_tangent(negated(germ)))
    if germ.grows:
        least = germ.ball.lower().tanh() if min(germ.scale) >= 0 and germ.ball > 0 else arb(-1)
        return Germ(least.union(arb(1)))
    most = abs(germ.ball * share(germ.power, germ.logs)).upper()
    factor = arb(1).union(most.tanh() / most) if most > 0 else arb(1)
    return Germ(times(germ.ball, factor), germ.power, germ.logs)


def hull(germs: list[Germ]) -> Germ:
    """What lies between some germs."""
    balls, power, logs = aligned(germs)
    found = balls[0]
    for ball in balls[1:]:
        found = found.union(ball)
    return Germ(found, power, logs)


def largest(germs: list[Germ]) -> Germ:
    """The maximum."""
    balls, power, logs = aligned(germs)
    found = balls[0]
    for ball in balls[1:]:
        found = found.max(ball)
    return Germ(found, power, logs)


def smallest(germs: list[Germ]) -> Germ:
    """The minimum: of what is positive the one of the lowest order."""
    if all(germ.ball > 0 for germ in germs):
        return raised(largest([raised(germ, fmpq(-1)) for germ in germs]), fmpq(-1))
    return negated(largest(list(map(negated, germs))))


def negated(germ: Germ) -> Germ:
    """Minus a germ."""
    return multiplied(constant(fmpq(-1)), germ)


def absolute(germ: Germ) -> Germ:
    """The size."""
    return germ if germ.ball >= 0 else negated(germ) if germ.ball <= 0 else Germ(
        abs(germ.ball), germ.power, germ.logs)  # fmt: skip


FUNCTIONS: dict[type[sympy.Basic], Callable[[list[Germ]], Germ]] = {
    sympy.Add: added,
    sympy.Max: largest,
    sympy.Min: smallest,
    sympy.Abs: lambda germs: absolute(germs[0]),
    sympy.exp: lambda germs: exponential(germs[0]),
    sympy.tanh: lambda germs: hyperbolic_tangent(germs[0]),
}


def is_nonnegative(germ: Germ, *, strictly: bool) -> bool:
    """Whether the value is certain to be >= 0, or > 0, for every t >= 1.

    A sum of c t^p is where the sums of its coefficients from the largest power on are.
    """
    if germ.ball > 0 or (germ.ball >= 0 and not strictly):
        return True
    partial = ZERO
    for power in sorted(germ.terms or {}, reverse=True):
        partial += (germ.terms or {})[power]
        if partial < 0:
            return False
    return germ.terms is not None and (partial > 0 or not strictly)
