"""Traces of products of positive semi-definite matrices.

Setting    positive semi-definite A, B, C; any vector u.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import form, trace as tr
from boundcheck.settings.matrices import semidefinite, u

from . import FOLKLORE, LIEB_THIRRING

A, B, C = (semidefinite(name) for name in "ABC")

printed = Claim(LIEB_THIRRING.at("Theorem 9"), Holds(tr(A * B * A * B) <= tr(A**2 * B**2)))
three_factors = Claim(FOLKLORE.at("trace of three positive matrices"), Holds(tr(A * B * C) >= 0))
anticommutator = Claim(
    FOLKLORE.at("symmetrised product of positive matrices"), Holds(form(A * B + B * A, u) >= 0)
)
