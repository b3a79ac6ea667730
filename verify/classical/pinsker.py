"""Pinsker's inequality.

Setting    laws p, q on K atoms with q > 0; V total variation, D divergence of p from q in nats.
Claim      V <= sqrt(D / 2).
False      V <= D / 2 (small differences), and constant 1/4 for 1/2.
"""

from flint import fmpq
from sympy import sqrt, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import logarithm
from boundcheck.worlds import Integer, Space, Weights

from . import PINSKER, total

V, D = symbols("V D", real=True)


def divergence(p, q):
    """sum p log(p / q)."""
    return sum((w * logarithm(w / v) for w, v in zip(p, q, strict=True) if w), fmpq(0))


def variation(p, q):
    """Half the sum of |p - q|."""
    return total(abs(w - v) for w, v in zip(p, q, strict=True)) / 2


SETTING = {
    "source": PINSKER.at("inequality"),
    "worlds": Space(K=Integer(2, searched=3), p=Weights("K", zeros=True), q=Weights("K")),
    "measure": {V: variation, D: divergence},
}

printed = Claim(statement=Holds(sqrt(D / 2) >= V), **SETTING)
linear = Claim(statement=Holds(V <= D / 2), **SETTING)
quarter = Claim(statement=Holds(sqrt(D) / 2 >= V), **SETTING)
