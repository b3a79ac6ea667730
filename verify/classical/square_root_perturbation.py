"""Perturbation of the square root in operator norm.

Setting    positive semi-definite A = R^2 and B = S^2, given by their roots R, S.
"""

from sympy import Rational, sqrt

from boundcheck import Claim, Holds
from boundcheck.expressions import operator_norm
from boundcheck.settings.matrices import semidefinite

from . import VAN_HEMMEN_ANDO

HERE = VAN_HEMMEN_ANDO.at("Proposition 2.1")
R, S = semidefinite("R"), semidefinite("S")
gap = operator_norm(R**2 - S**2)

printed = Claim(HERE, Holds(operator_norm(R - S) <= sqrt(gap)))
lipschitz = Claim(HERE, Holds(operator_norm(R - S) <= gap))
smaller_constant = Claim(HERE, Holds(operator_norm(R - S) <= Rational(3, 4) * sqrt(gap)))
