"""How often independent events happen: tails of binomial and Poisson counts of any size.

Sums in `concentration` are enumerated, which ends at a few variables; these tails are summed from
their largest term on, so a statement that fails from a thousand trials on can be refuted.

>>> from sympy import exp
>>> t = parameter("t", Real(0, None, open_low=True))
>>> hoeffding = binomial_tail(n, p, n * p + t) <= exp(-2 * t**2 / n)
>>> markov = poisson_tail(mean, t) <= mean / t
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from flint import arb, ctx, fmpq

from boundcheck import exact
from boundcheck.arithmetic import Value, is_exact, to_ball, whole
from boundcheck.errors import Undecided, Undefined
from boundcheck.expressions import parameter, primitive
from boundcheck.worlds import Integer, Real

MOST_TERMS = 10**5  # of a tail, about ten times the root of the number of trials
SUMMED = 64  # trials up to which a tail at a rational chance is a rational number
n = parameter("n", Integer(1, wide=True, searched=10**4), says="Number of trials.")
p = parameter("p", Real(0, 1), says="Chance of the event in a trial.")
mean = parameter("mu", Real(0, None, open_low=True, searched=(0, 100)), says="Mean of the count.")


def _least(x: Value) -> int:
    """The smallest whole number that is not below x. Raises: Undecided where a ball holds two."""
    return whole(exact.FUNCTIONS[sympy.ceiling](x))


def _descending(first: arb, ratio: Callable[[int], arb]) -> arb:
    """first (1 + r_0 + r_0 r_1 + ...) for ratios r_j >= 0 that fall below 1; a ball.

    What is left out is at most a geometric series with the last ratio.
    Raises: Undecided where balls are too wide, or terms too many.
    """
    term = total = first
    for j in range(MOST_TERMS):
        step = ratio(j)
        if not (step.is_finite() and total.is_finite()):
            raise Undecided("balls too wide for the tail of a count")
        if step < 1:
            rest = term * step / (1 - step)
            if abs(rest).upper() <= (abs(total) * arb(2) ** -ctx.prec).upper():
                return total + arb(0).union(rest)
        term *= step
        total += term
    raise Undecided(f"the tail of a count has more than {MOST_TERMS} terms that matter")


def _batch_binomial(n: Any, p: Any, x: Any) -> Any:
    import numpy
    from scipy.special import betainc

    k = numpy.ceil(x)
    inside = betainc(numpy.maximum(k, 1), numpy.maximum(n - k + 1, 1), p)
    return numpy.where(k <= 0, 1.0, numpy.where(k > n, 0.0, inside))


@primitive(batch=_batch_binomial, ranks=(0, 0, 0), facts=("probability",), units="none",
           latex=r"\mathbb{{P}}[\operatorname{{Bin}}({0}, {1}) \geq {2}]")  # fmt: skip
def binomial_tail(n: Value, p: Value, x: Value) -> Value:
    """P(S >= x) for the number S of events in n independent trials of chance p, for any real x.

    Raises: Undefined for n that is no whole number >= 0 or p outside [0, 1]; Undecided where a ball
    does not tell on which side of a whole number x lies.

    >>> binomial_tail(2, fmpq(1, 2), fmpq(1, 2))
    3/4
    """
    trials, k = whole(n), _least(x)
    if trials < 0 or p < 0 or p > 1:
        raise Undefined(f"a binomial tail of {n} trials of chance {p}")
    if k <= 0 or k > trials:
        return fmpq(int(k <= 0))
    if is_exact(p) and (trials <= SUMMED or p in (0, 1)):
        return _summed(trials, fmpq(p), k)
    ball = to_ball(p)
    if k > trials * ball.mid():
        return _upper(trials, ball, k)
    return 1 - _upper(trials, 1 - ball, trials - k + 1)


def _upper(n: int, p: arb, k: int) -> arb:
    """P(S >= k) from its largest term on, where k lies above the mean."""
    choices = arb(n + 1).lgamma() - arb(k + 1).lgamma() - arb(n - k + 1).lgamma()
    first = (choices + k * p.log() + (n - k) * (1 - p).log()).exp()
    odds = p / (1 - p)
    return _descending(first, lambda j: odds * (n - k - j) / (k + j + 1))


def _summed(n: int, p: fmpq, k: int) -> fmpq:
    """sum_{j >= k} C(n, j) p^j (1 - p)^(n - j), in whole numbers over one denominator."""
    yes, no, term, total = int(p.p), int(p.q - p.p), 1, 0
    for j in range(n + 1):
        if j:
            term = term * (n - j + 1) // j
        if j >= k:
            total += term * yes**j * no ** (n - j)
    return fmpq(total, int(p.q) ** n)


def _batch_poisson(mean: Any, x: Any) -> Any:
    import numpy
    from scipy.special import gammainc

    k = numpy.ceil(x)
    return numpy.where(k <= 0, 1.0, gammainc(numpy.maximum(k, 1), mean))


@primitive(batch=_batch_poisson, ranks=(0, 0), facts=("probability",), units="none",
           latex=r"\mathbb{{P}}[\operatorname{{Poi}}({0}) \geq {1}]")  # fmt: skip
def poisson_tail(mean: Value, x: Value) -> Value:
    """P(N >= x) for a Poisson count N of this mean, for any real x.

    Raises: Undefined for a negative mean; Undecided as for `binomial_tail`.
    """
    if mean < 0:
        raise Undefined(f"a Poisson tail of mean {mean}")
    k = _least(x)
    if k <= 0:
        return fmpq(1)
    if mean == 0:
        return fmpq(0)
    ball = to_ball(mean)
    if k > ball.mid():
        first = (k * ball.log() - ball - arb(k + 1).lgamma()).exp()
        return _descending(first, lambda j: ball / (k + j + 1))
    first = ((k - 1) * ball.log() - ball - arb(k).lgamma()).exp()
    return 1 - _descending(first, lambda j: (k - 1 - j) / ball)
