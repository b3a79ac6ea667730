"""Deviation of a sample mean from its expectation, with a probability.

Setting    values x in [0, 1] on K atoms with weights tau, M independent draws.
Claim      |mean - E x| <= sqrt(log(2 / delta) / (2 M)) with probability at least 1 - delta.
False      with M in the place of 2 M and no factor 2 in the logarithm.
"""

from flint import fmpq
from sympy import log, sqrt, symbols

from boundcheck import Claim, WithProbability
from boundcheck.quantities import quantity
from boundcheck.worlds import Counts, Integer, Real, Space, Vector, Weights

from . import WORK, delta, total

M, gap = symbols("M gap", real=True)


def _gaps(counts, tau, x, M):
    return abs((counts / M) @ x - tau @ x)


@quantity(estimator=_gaps)
def deviation(counts, tau, x, M):
    """Distance of the mean over the draws to the expectation."""
    return abs(total((fmpq(c, M) - w) * v for c, w, v in zip(counts, tau, x, strict=True)))


SETTING = {
    "source": WORK.at("Lemma 4"),
    "given": [delta > 0, delta < 1],
    "worlds": Space(
        K=Integer(2, searched=3), tau=Weights("K"), x=Vector("K", 0, 1), M=Integer(1, searched=6)
    ),
    "parameters": {delta: Real(0, 1, open_low=True, open_high=True)},
    "measure": {gap: deviation},
    "draw": Counts("counts", "tau", "M", over="the draws"),
}

printed = Claim(
    statement=WithProbability(1 - delta, gap <= sqrt(log(2 / delta) / (2 * M))), **SETTING
)
third = Claim(statement=WithProbability(1 - delta, gap <= sqrt(log(1 / delta) / M) / 3), **SETTING)
