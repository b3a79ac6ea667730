"""(1): a rate quoted from Rudi and Rosasco (2017), as a formula.

Setting    n independent points, targets of the points, s of the order sqrt(n) log n features,
           lambda = n^(-1/2); E the mean squared prediction error, f_H its minimiser over the RKHS.
"""

from math import isqrt

from flint import fmpq, fmpq_mat
from sympy import Abs, Ne, sqrt

from boundcheck import Claim, Expected, UpToConstant
from boundcheck.claim import Rescaling
from boundcheck.expressions import (
    define,
    determinant,
    greatest,
    inner,
    largest_entry,
    outcome,
    pick,
    world,
)
from boundcheck.settings import random_features as features
from boundcheck.settings.random_features import E_features, E_test, Regression, kappa, targets, x
from boundcheck.worlds import Derived, Family, Indices, Integer, doublings

from . import NOTES

n = world("n", Integer(1, searched=4), says="Number of training points.")


def steps(n):
    """sqrt(n) log2(n), both rounded down, at least one."""
    return max(isqrt(n) * max(int(n).bit_length() - 1, 1), 1)


s = world("s", Derived(steps), rank=0, needs=(n,), says="Number of drawn features.")
X = outcome("X", Indices("X", features.rho, n, over="the training set"), says="Their indices.")
at = Regression(n, X, pick(targets, X), 1 / sqrt(n))
excess = define(
    "excess", E_features(E_test((at.f_(x) - targets[x]) ** 2)),
    says="E(f~) - E(f_H): f_H fits the targets of all points.",
)  # fmt: skip
largest = define("largest", greatest(Abs(targets[x]), x), latex=r"\|y\|_\infty")
size = define(
    "size", sqrt(inner(targets, kappa**-1 * targets)), latex=r"\|f_H\|_H",
    says="Norm of the interpolant of the targets.",
)  # fmt: skip
b = define("b", largest_entry(features.psi), says="sup |psi|.")


def _scaled(size):
    """Two points, two features, targets multiplied by the size."""
    half = (fmpq(1, 2), fmpq(1, 2))
    return {
        "m": 2, "N": 2, "rho": half, "tau": half, "psi": fmpq_mat(2, 2, [1, 0, 0, 1]),
        "targets": (fmpq(size), fmpq(-size)), "n": 4, "s": steps(4),
    }  # fmt: skip


printed = Claim(
    NOTES.at("(1)"),
    UpToConstant(Expected(excess <= (sqrt(b) * largest + b * size) / sqrt(n))),
    given=[Ne(determinant(kappa), 0)],
    domains={features.s: s, features.m: Integer(1, searched=2)},
    families=(Family("targets multiplied by the size, n = 4", _scaled, doublings(1, 7)),),
    rescalings=(Rescaling("targets by s", {"targets": 1}),),
    reading="In the mean over training sets and features, since no probability is stated; the "
    "constant may depend on nothing, the targets are those of the points, and the minimiser "
    "interpolates them. One or four training points, for which 1/sqrt(n) is rational, with "
    "sqrt(n) log2(n) features.",
    cost=8.0,
)
