"""Enclosures of a value for every t >= 1 at once, as the numbers of a world move along powers of t.

A germ says that the value is ball * t^power * (1 + log t)^logs for every t >= 1, and beside that,
where it is known, that it is a finite sum of terms c t^p exactly, or such a sum and a rest of lower
order (Taylor's formula with the remainder of Lagrange), so that terms may cancel. What has no rule
has no germ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import factorial
from operator import mul

from flint import arb, fmpq

from boundcheck.arithmetic import Value, is_exact, to_ball

UNIT = arb(0).union(arb(1))
BOTH_WAYS = arb(-1).union(arb(1))
ONE_OVER_E = arb(0).union(arb("0.37"))  # log(x) / x for x >= 1
TWO_OVER_E = arb(0).union(arb("0.74"))  # log(x) / sqrt(x) for x >= 1
MOST_TERMS = 24
MOST_BITS = 10**6  # of the coefficient of a power
ZERO = fmpq(0)
DECAY = 8  # power of t by which a falling exponential is bounded
ORDER = 6  # of the remainder in Taylor's formula
Terms = Mapping[fmpq, fmpq]
Rest = tuple[arb, fmpq]  # a ball times a power of t


class NoGerm(Exception):
    """No rule encloses the value for every t."""


@dataclass(frozen=True)
class Germ:
    """A value for all t >= 1; `terms`: coefficient by power where it is exactly their sum;
    `jet`: such terms, and what is left beside them, of lower order than each."""

    ball: arb
    power: fmpq = ZERO
    logs: fmpq = ZERO
    terms: Terms | None = None
    jet: tuple[Terms, Rest] | None = None

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


def _of_jet(terms: Terms, rests: list[Rest]) -> Germ:
    """A sum of c t^p and of rests."""
    rests = [(ball, power) for ball, power in rests if not _is_nothing(ball)]
    powers = sorted((power for power, c in terms.items() if c != 0), reverse=True)
    if not rests and len(powers) <= MOST_TERMS:
        return of_terms(terms)
    order = max([power for _, power in rests] + powers[MOST_TERMS:])
    low = of_terms({power: terms[power] for power in powers if power <= order})
    if low.terms:
        rests.append((low.ball, low.power))
    rest = sum((times(ball, share(power - order, ZERO)) for ball, power in rests), arb(0))
    kept = {power: terms[power] for power in powers if power > order}
    if not kept:
        return Germ(rest, order)
    top = of_terms(kept)
    ball = top.ball + times(rest, share(order - top.power, ZERO))
    return Germ(ball, top.power, ZERO, None, (kept, (rest, order)))


def _is_nothing(ball: arb) -> bool:
    return bool(ball.is_exact() and ball == 0)


def _sum_of(found: list[Terms]) -> Terms:
    """The coefficient of each power in a sum."""
    terms: dict[fmpq, fmpq] = {}
    for each in found:
        for power, c in each.items():
            terms[power] = terms.get(power, ZERO) + c
    return terms


def _jet_of(germ: Germ) -> tuple[Terms, Rest] | None:
    """Terms and the rest beside them; of a germ without logarithms it may be all rest."""
    if germ.terms is not None:
        return germ.terms, (arb(0), ZERO)
    return germ.jet or (({}, (germ.ball, germ.power)) if germ.logs == 0 else None)


def leading(germ: Germ) -> tuple[fmpq, fmpq]:
    """The power and the coefficient of the term of highest order. Raises: NoGerm without one."""
    terms, _ = _jet_of(germ) or ({}, None)
    if not terms:
        raise NoGerm("no leading term")
    return max(terms), terms[max(terms)]


def _jets(germs: list[Germ]) -> list[tuple[Terms, Rest]]:
    """The jets of some germs, none where they would say nothing more than their balls."""
    found = [_jet_of(germ) for germ in germs]
    useful = any(germ.terms or germ.jet for germ in germs)
    return [jet for jet in found if jet is not None] if useful and None not in found else []


def closer(plain: Germ, jet: Germ) -> Germ:
    """What two enclosures of one value say together: terms that cancel leave a lower order."""
    if plain.scale != jet.scale or not plain.ball.is_finite():
        return jet
    return Germ(plain.ball.intersection(jet.ball), jet.power, jet.logs, jet.terms, jet.jet)


def near(germ: Germ, slopes: Callable[[int], fmpq], last: Callable[[arb], arb]) -> Germ:
    """f(u) for a u that vanishes: sum of slopes(k) u^k for k below ORDER, and last(v) u^ORDER for
    a v between 0 and u. Raises: NoGerm where u does not vanish as a power of t."""
    if germ.power >= 0 or germ.logs != 0:
        raise NoGerm("not near a point")
    powers = [constant(fmpq(1))]
    for _ in range(ORDER):
        powers.append(multiplied(powers[-1], germ))
    bound = last(times(germ.ball, UNIT))
    if not bound.is_finite():
        raise NoGerm("not near a point")
    return added([*(multiplied(constant(slopes(k)), powers[k]) for k in range(ORDER)),
                  multiplied(Germ(bound), powers[ORDER])])  # fmt: skip


def closely(plain: Germ, germ: Germ, series: Callable[[], Germ]) -> Germ:
    """A value by its ball, and where its argument has terms by Taylor's formula, too."""
    if not _jets([germ]):
        return plain
    try:
        return closer(plain, series())
    except NoGerm:
        return plain


def constant(value: Value) -> Germ:
    """The germ of a number that does not move."""
    ball = to_ball(value)
    if is_exact(value) or _is_nothing(ball):
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
    exact = [germ.terms for germ in germs if germ.terms is not None]
    if len(exact) == len(germs):
        return of_terms(_sum_of(exact))
    balls, power, logs = aligned(germs)
    plain = Germ(sum(balls, arb(0)), power, logs)
    jets = _jets(germs)
    if not jets:
        return plain
    terms = _sum_of([found for found, _ in jets])
    return closer(plain, _of_jet(terms, [rest for _, rest in jets]))


def multiplied(one: Germ, other: Germ) -> Germ:
    """The product."""
    if {} in (one.terms, other.terms):
        return constant(ZERO)  # which has every scale
    plain = Germ(times(one.ball, other.ball), one.power + other.power, one.logs + other.logs)
    jets = _jets([one, other])
    if not jets:
        return plain
    (mine, (rest, order)), (others, (other_rest, other_order)) = jets
    terms: dict[fmpq, fmpq] = {}
    for p, c in mine.items():
        for q, d in others.items():
            terms[p + q] = terms.get(p + q, ZERO) + c * d
    top = of_terms(mine)
    found = _of_jet(terms, [(times(rest, other.ball), order + other.power),
                            (times(top.ball, other_rest), top.power + other_order)])  # fmt: skip
    return found if found.terms is not None else closer(plain, found)


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
        return Germ(_ball_power(germ.ball, power), exponent * power)
    plain = Germ(_ball_power(germ.ball, power), germ.power * power, germ.logs * power)
    return closely(plain, germ, lambda: _raised_near(germ, power))


def _raised_near(germ: Germ, power: fmpq) -> Germ:
    """(c t^p)^power (1 + u)^power by the binomial series."""
    first = of_terms(dict([leading(germ)]))
    inverse, scale = raised(first, fmpq(-1)), raised(first, power)
    if scale.terms is None or power.height_bits() > 64:
        raise NoGerm("an irrational leading term")
    rest = multiplied(added([germ, negated(first)]), inverse)
    if rest.terms == {}:
        return scale
    if not 1 + times(rest.ball, UNIT) > 0:
        raise NoGerm("a power of what may vanish")
    steps = ((power - k) / (k + 1) for k in range(ORDER))
    slopes = list(accumulate(steps, mul, initial=fmpq(1)))
    series = near(rest, slopes.__getitem__, lambda v: _ball_power(1 + v, power - ORDER)
                   * arb(slopes[ORDER]))  # fmt: skip
    return multiplied(scale, series)


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
    terms, _ = _jet_of(germ) or ({}, None)
    if terms and max(terms) == 0 and terms[ZERO] == 1:
        # log(1 + u) is u / (1 + v) for a v between 0 and u, which falls as a power of t.
        rest = added([germ, constant(fmpq(-1))])
        if rest.terms == {}:
            return constant(ZERO)
        beside = 1 + times(rest.ball, UNIT)
        if beside > 0:
            plain = Germ(rest.ball / beside, rest.power, rest.logs)
            return closely(plain, rest, lambda: near(
                rest, lambda k: fmpq((-1) ** (k + 1), k) if k else ZERO,
                lambda v: -((1 + v) ** -ORDER) / ORDER))  # fmt: skip
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
    if germ.terms == {}:
        return constant(fmpq(1))
    if not germ.grows:
        plain = Germ((germ.ball * share(germ.power, germ.logs)).exp())
        last = arb(1) / factorial(ORDER)
        return closely(plain, germ, lambda: near(
            germ, lambda k: fmpq(1, factorial(k)), lambda v: v.exp() * last))  # fmt: skip
    if not germ.ball < 0 or germ.power < 0 or germ.logs < 0:
        raise NoGerm("an exponential that grows")
    rate = -germ.ball.upper()
    if germ.power == 0:
        return Germ(arb(0).union((-rate).exp()))
    # t^N exp(-c t^p) is largest at t^p = N / (c p), or at t = 1.
    times = arb(DECAY) / arb(germ.power)
    most = (-rate).exp().union(((times / rate).log() * times - times).exp())
    return Germ(arb(0).union(most), fmpq(-DECAY))


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
    most = balls[0]
    for ball in balls[1:]:
        most = most.max(ball)
    found = _first_of_all(germs)
    return closer(Germ(most, power, logs), found) if found else Germ(most, power, logs)


def _first_of_all(germs: list[Germ]) -> Germ | None:
    """One with terms that is certain to be the largest for every t, so that these may cancel."""
    for place, germ in enumerate(germs):
        others = germs[:place] + germs[place + 1 :]
        if (germ.terms or germ.jet) and all(
            is_nonnegative(added([germ, negated(other)]), strictly=False) for other in others
        ):
            return germ
    return None


def smallest(germs: list[Germ]) -> Germ:
    """The minimum: of what is positive the one of the lowest order."""
    found = _first_of_all(list(map(negated, germs)))
    if found is not None:
        return negated(found)
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
