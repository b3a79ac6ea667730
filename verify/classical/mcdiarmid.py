"""McDiarmid's inequality.

Setting    f of n independent variables, each with values 0..K-1; c_i the most that f changes when
           variable i alone changes; Z = f(X), t > 0.
Claim      P(Z - E Z >= t) <= exp(-2 t^2 / sum_i c_i^2).
False      with half the differences, c_i / 2, as for deviations from a midpoint.
"""

import itertools

from flint import fmpq
from sympy import exp, symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Derived, Integer, Real, Space, Tuples, Vector, Weights

from . import MCDIARMID, t, tail

squares = symbols("squares", real=True)


def points(n, K):
    """All values of the variables, in the order of the table f."""
    return list(itertools.product(range(K), repeat=n))


def tail_of(n, K, chances, f, t):
    """P(Z - E Z >= t)."""
    law = []
    for value, point in zip(f, points(n, K), strict=True):
        probability = fmpq(1)
        for i, k in enumerate(point):
            probability *= chances[i][k]
        law.append((value, probability))
    centre = sum((v * p for v, p in law), fmpq(0))
    return sum((p for v, p in law if v - centre >= t), fmpq(0))


def changes(n, K, f):
    """The differences c_1, ..., c_n."""
    table = dict(zip(points(n, K), f, strict=True))
    found = [fmpq(0)] * n
    for point, value in table.items():
        for i in range(n):
            for k in range(K):
                other = table[(*point[:i], k, *point[i + 1 :])]
                found[i] = max(found[i], abs(value - other))
    return found


SETTING = {
    "given": [t > 0, squares > 0],
    "worlds": Space(
        n=Integer(1, searched=3), K=Integer(2, 2), chances=Tuples("n", Weights("K", zeros=True)),
        size=Derived(lambda n, K: K**n), f=Vector("size", 0, 1),
    ),
    "parameters": {t: Real(0, 1)},
    "measure": {
        tail: tail_of, squares: lambda n, K, f: sum((c * c for c in changes(n, K, f)), fmpq(0)),
    },
}  # fmt: skip

printed = Claim(
    source=MCDIARMID.at("Lemma 1.2"), statement=Holds(tail <= exp(-2 * t**2 / squares)), **SETTING
)
half_differences = Claim(
    source=MCDIARMID.at("Lemma 1.2, with half the differences"),
    statement=Holds(tail <= exp(-8 * t**2 / squares)), **SETTING,
)  # fmt: skip
