"""(1): a rate quoted from Rudi and Rosasco (2017), as a formula.

Setting    n independent points, targets of the points, s of the order sqrt(n) log n features,
           lambda = n^(-1/2); E the mean squared prediction error, f_H its minimiser over the RKHS.
Claim      E(f~) - E(f_H) = O((sqrt(b) ||y||_inf + b ||f_H||_H) / sqrt(n)), b = sup |psi|.
"""

from flint import fmpq, fmpq_mat
from sympy import Ne, sqrt, symbols

from boundcheck import Claim, Expected, UpToConstant
from boundcheck.claim import Rescaling
from boundcheck.exact import square_root
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.ridge import (
    feature_draws,
    kernel_table,
    labels,
    predictions,
    solution,
    table_of_counts,
)
from boundcheck.worlds import (
    Choice,
    Derived,
    Family,
    Indices,
    Integer,
    Matrix,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import NOTES, b, n

excess, largest, size, regular = symbols("excess largest size regular", real=True)


def excess_error(phi, rho, tau, sample, targets, s, ridge):
    """E over x' and the features of (f~ - y)^2; f_H fits the targets of all atoms exactly."""
    y, total = labels(targets, sample), fmpq(0)
    for probability, counts in feature_draws(tau, s):
        fitted = predictions(table_of_counts(phi, counts), sample, y, ridge).entries()
        squares = [(u - v) ** 2 for u, v in zip(fitted, targets, strict=True)]
        total += probability * dot(rho, squares)
    return total


def largest_target(targets):
    """||y||_inf."""
    return max(abs(value) for value in targets)


def interpolant_norm(phi, tau, targets):
    """||f_H||_H of the interpolant of the targets, for a regular kernel matrix."""
    gram = kernel_table(phi, tau)
    return square_root(dot(targets, entries(solution(gram, column(targets)))))


def largest_feature(phi):
    """sup |psi|."""
    return max(abs(value) for value in phi.entries())


def regularity(phi, tau):
    """Determinant of the kernel matrix of all atoms."""
    return kernel_table(phi, tau).det()


def _scaled(size):
    """Two points, two features, targets multiplied by the size."""
    return _world(4, fmpq_mat(2, 2, [1, 0, 0, 1]), (fmpq(size), fmpq(-size)))


def steps(n):
    """sqrt(n) log2(n), at least one."""
    return max(int(fmpq(n).sqrt()) * max(int(n).bit_length() - 1, 1), 1)


def _world(count, phi, targets):
    half = (fmpq(1, 2), fmpq(1, 2))
    root = fmpq(count).sqrt()
    return {
        "m": 2, "K": 2, "rho": half, "tau": half, "phi": phi, "targets": targets, "n": count,
        "s": steps(count), "ridge": 1 / root,
    }  # fmt: skip


WORLDS = Space(
    m=Integer(1, searched=2), K=Integer(1, searched=3), rho=Weights("m"), tau=Weights("K"),
    phi=Matrix("m", "K", searched=(-2, 2)), targets=Vector("m", searched=(-2, 2)),
    n=Choice((1, 4)), s=Derived(steps), ridge=Derived(lambda n: 1 / fmpq(n).sqrt()),
)

printed = Claim(
    source=NOTES.at("(1)"),
    statement=UpToConstant(
        Expected(excess <= (sqrt(b) * largest + b * size) / sqrt(n))
    ),
    given=[Ne(regular, 0)],
    worlds=WORLDS,
    measure={
        excess: excess_error, largest: largest_target, size: interpolant_norm,
        b: largest_feature, regular: regularity,
    },
    draw=Indices("sample", "rho", "n", over="the training set"),
    families=(
        Family("targets multiplied by the size, n = 4", _scaled, doublings(1, 7)),
    ),
    rescalings=(Rescaling("targets by s", {"targets": 1}),),
    reading="In the mean over training sets and features, since no probability is stated; the "
    "constant may depend on nothing, the targets are those of the points, and the minimiser "
    "interpolates them.",
    cost=8.0,
)  # fmt: skip
