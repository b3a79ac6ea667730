"""Proposition 2: Bernstein's inequality for sums of random self-adjoint operators.

Setting    X takes the values B_0 A_k with weights tau, minus the mean; any S = E X^2 + c with
           c >= 0 times the identity; ||X||_op <= B almost surely; n independent copies.
Claim      for delta in (0, 1], with probability at least 1 - delta,
           ||(1/n) sum X_i||_op <= 2 B b / (3 n) + sqrt(2 ||S||_op b / n),
           b = log(2 tr S / (||S||_op delta)).
"""

from flint import fmpq
from sympy import log, sqrt, symbols

from boundcheck import Claim, WithProbability, quantity
from boundcheck.quantities.operators import identity, operator_norm, trace
from boundcheck.worlds import Counts, Custom, Integer, Real, Space, Symmetric, Weights
from boundcheck.worlds.domains import has_shape

from . import ARXIV, delta, n

B, norm_S, trace_S, largest, deviation = symbols("B norm_S trace_S largest deviation", real=True)


def matrices(source, earlier):
    """K symmetric d x d matrices side by side as one d x (K d) matrix."""
    blocks = [Symmetric("d").build(source, earlier) for _ in range(earlier["K"])]
    size = earlier["d"]
    rows = [[value for block in blocks for value in block.tolist()[i]] for i in range(size)]
    return type(blocks[0])(rows)


def are_symmetric_blocks(value, world):
    d, count = world["d"], world["K"]
    if not has_shape(value, d, d * count):
        return False
    return all(
        value[i, k * d + j] == value[j, k * d + i]
        for k in range(count) for i in range(d) for j in range(i)
    )  # fmt: skip


def centred(blocks, tau):
    """The values of X: blocks minus their mean."""
    size, count = blocks.nrows(), len(tau)
    cells = [(i, j) for i in range(size) for j in range(size)]
    values = [
        type(blocks)(size, size, [blocks[i, k * size + j] for i, j in cells]) for k in range(count)
    ]
    mean = identity(size) * 0
    for value, weight in zip(values, tau, strict=True):
        mean = mean + value * weight
    return [value - mean for value in values]


def variance(blocks, tau, c):
    """S = E X^2 + c."""
    total = identity(blocks.nrows()) * c
    for value, weight in zip(centred(blocks, tau), tau, strict=True):
        total = total + value * value * weight
    return total


def _float_deviation(blocks, tau, counts, n):
    import numpy

    size, count = blocks.shape[0], len(tau)
    values = blocks.reshape(size, count, size).transpose(1, 0, 2)
    weights = numpy.atleast_2d(counts) / float(n) - tau
    spectrum = numpy.linalg.eigvalsh(numpy.tensordot(weights, values, axes=1))
    return numpy.maximum(spectrum[:, -1], -spectrum[:, 0])


@quantity(estimator=_float_deviation)
def mean_norm(blocks, tau, counts, n):
    """||(1/n) sum_i X_i||_op at the given counts of the values."""
    total = identity(blocks.nrows()) * 0
    for value, number in zip(centred(blocks, tau), counts, strict=True):
        total = total + value * fmpq(int(number), int(n))
    return operator_norm(total)


def largest_norm(blocks, tau):
    """max ||X||_op over its values."""
    result = None
    for value in centred(blocks, tau):
        norm = operator_norm(value)
        result = norm if result is None else result.max(norm)
    return result


beta = log(2 * trace_S / (norm_S * delta))

printed = Claim(
    source=ARXIV.at("Proposition 2, (65); AISTATS Appendix A"),
    statement=WithProbability(
        1 - delta, deviation <= 2 * B * beta / (3 * n) + sqrt(2 * norm_S * beta / n)
    ),
    given=[B > 0, largest <= B, norm_S > 0],
    worlds=Space(
        d=Integer(1, searched=3),
        K=Integer(1, searched=4),
        blocks=Custom(matrices, are_symmetric_blocks),
        tau=Weights("K"),
        c=Real(0, 1),
    ),
    parameters={
        n: Integer(1, wide=True, searched=10**9),
        B: Real(0, None),
        delta: Real(0, 1, open_low=True),
    },
    measure={
        deviation: mean_norm,
        largest: largest_norm,
        norm_S: lambda blocks, tau, c: operator_norm(variance(blocks, tau, c)),
        trace_S: lambda blocks, tau, c: trace(variance(blocks, tau, c)),
    },
    draw=Counts("counts", "tau", "n", over="the operators"),
    reading="a positive operator S is not zero",
    cost=10,
)
