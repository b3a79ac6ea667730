"""Samuelson's inequality.

Setting    n numbers with mean m and s^2 = (1/n) sum (x_i - m)^2.
Claim      (x_1 - m)^2 <= (n - 1) s^2.
False      with n - 2 from three numbers on.
"""

from flint import fmpq
from sympy import symbols

from boundcheck import Claim, Holds
from boundcheck.worlds import Integer, Space, Vector

from . import SAMUELSON, n, total, variance

first = symbols("first", real=True)


def spread(x, n):
    """s^2."""
    centre = total(x) / n
    return total((v - centre) ** 2 for v in x) / n


def deviation(x, n):
    """(x_1 - m)^2."""
    return (x[0] - total(x) / fmpq(n)) ** 2


SETTING = {
    "source": SAMUELSON.at("theorem"),
    "worlds": Space(n=Integer(1, searched=5), x=Vector("n")),
    "measure": {first: deviation, variance: spread},
}

printed = Claim(statement=Holds(first <= (n - 1) * variance), **SETTING)
two_lost = Claim(
    statement=Holds(first <= (n - 2) * variance), given=[n >= 3], **SETTING
)
