"""Section 6.1: the feature maps of the experiments.

Setting    A (d x s) with independent normal (RBF) or Cauchy (Laplace) entries, phases b uniform,
           kappa = exp(-||x - x'||_2^2 / (2 sigma^2)) or exp(-||x - x'||_1 / sigma).
Claim      the argument of the cosine is (1/sigma) A x + b, an s-vector.
Unbiased   with A^T x, the features s^(-1/2) cos(.) are unbiased for kappa.
Repaired   sqrt(2) times these features are.
"""

from flint import arb, fmpq
from sympy import Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.exact import exponential
from boundcheck.quantities import renamed
from boundcheck.quantities.operators import column
from boundcheck.worlds import Choice, Integer, Matrix, Real, Space, Vector

from . import NOTES

sigma, mean, kernel = symbols("sigma mean kernel", real=True)
argument, frequencies, point, phase = symbols("argument A point phase", commutative=False)


def cosine_argument(A, x, phases, sigma):
    """Entries (1/sigma) a_l^T x + b_l, a_l the l-th column of A (s x 1)."""
    return A.transpose() * column(x) / fmpq(sigma) + column(phases)


def squared_distance(x, z):
    """||x - z||_2^2."""
    return sum(((u - v) ** 2 for u, v in zip(x, z, strict=True)), fmpq(0))


def absolute_distance(x, z):
    """||x - z||_1."""
    return sum((abs(u - v) for u, v in zip(x, z, strict=True)), fmpq(0))


def experiment_kernel(kind, x, z, sigma):
    """kappa(x, z)."""
    if kind == "RBF":
        return exponential(-squared_distance(x, z) / (2 * fmpq(sigma) ** 2))
    return exponential(-absolute_distance(x, z) / fmpq(sigma))


def mean_product(kind, x, z, sigma):
    """E cos(a^T x / sigma + b) cos(a^T z / sigma + b), one feature.

    The product is (cos(a^T (x - z) / sigma) + cos(a^T (x + z) / sigma + 2 b)) / 2; the second
    term has mean zero over the phase, the first is half the characteristic function of a: one
    factor exp(-t^2 / 2) per normal entry, exp(-|t|) per Cauchy entry.
    """
    result = arb(1)
    for u, v in zip(x, z, strict=True):
        t = (u - v) / fmpq(sigma)
        result *= exponential(-(t**2) / 2 if kind == "RBF" else -abs(t))
    return result / 2


printed = Claim(
    source=NOTES.at("Section 6.1"),
    statement=Holds(Eq(argument, 1 / sigma * frequencies * point + phase)),
    worlds=Space(
        d=Integer(1, searched=4), s=Integer(1, searched=4), A=Matrix("d", "s", searched=(-2, 2)),
        x=Vector("d"),
        phases=Vector("s", 0, 6),
    ),
    parameters={sigma: Real(0, None, open_low=True)},
    measure={
        argument: cosine_argument, point: renamed(column, values="x"),
        phase: renamed(column, values="phases"),
    },
    reading="The product of the d x s matrix with the point in R^d, as printed.",
)  # fmt: skip

SETTING = {
    "worlds": Space(
        kind=Choice(("RBF", "Laplace")),
        d=Integer(1, searched=3),
        x=Vector("d"),
        z=Vector("d"),
    ),
    "parameters": {sigma: Real(0, None, open_low=True)},
    "measure": {mean: mean_product, kernel: experiment_kernel},
}

unbiased = Claim(
    source=NOTES.at("Section 6.1"),
    statement=Holds(Eq(mean, kernel)),
    reading="With A^T x; Section 2.1 calls unbiasedness a property of any valid feature map.",
    **SETTING,
)

repaired = Claim(
    source=NOTES.at("Section 6.1"),
    statement=Holds(Eq(2 * mean, kernel)),
    **SETTING,
)
