"""An order in gamma, all else fixed: families of worlds that a file gives as hints.

Claim      36 G^2 / (2 gamma + T) = O(1 / gamma), and O(1 / gamma^2) is false.
"""

from flint import fmpq
from sympy import symbols

from boundcheck import Claim, UpToConstant
from boundcheck.worlds import Family, Integer, Real, doublings

from . import WORK

gamma, T, G = symbols("gamma T G", real=True)
first = 36 * G**2 / (2 * gamma + T)


def fixed(size):
    """Everything but gamma fixed."""
    return {"gamma": fmpq(size), "T": 1, "G": fmpq(1)}


SETTING = {
    "source": WORK.at("Remark 5"),
    "given": [gamma >= 1],
    "parameters": {gamma: Real(1, None), T: Integer(1, searched=10**6), G: Real("1/10", 10)},
    "families": (Family("gamma grows, T = 1", fixed, doublings(4, 10)),),
    "reading": "the order in gamma with the other constants fixed",
}

printed = Claim(statement=UpToConstant(first * gamma <= 1), **SETTING)
square = Claim(statement=UpToConstant(first * gamma**2 <= 1), **SETTING)
