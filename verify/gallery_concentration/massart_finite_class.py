"""Massart's lemma for finite classes.

Setting    N >= 2 vectors a_1..a_N in R^n (rows), r their largest norm, fair signs xi.
"""

from sympy import log, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import average, greatest, index, inner, norm, row, world
from boundcheck.settings.concentration import n, signs
from boundcheck.worlds import Integer, Matrix

from . import MASSART

HERE = MASSART.at("Lemma 5.2")
N = world("N", Integer(2, searched=8), says="Number of vectors.")
A = world("A", Matrix(N, n), units={"value": 1}, says="The vectors in rows.")
k = index("k", N)
r = greatest(norm(row(A, k)), k)
width = average(greatest(inner(row(A, k), signs), k), signs) / n

printed = Claim(HERE, Holds(width <= r * sqrt(2 * log(N)) / n))
without_two = Claim(HERE, Holds(width <= r * sqrt(log(N)) / n))
