"""Samples for the tests of penalised estimators: hostile Gram matrices, rational throughout."""

import numpy as np
from flint import fmpq, fmpq_mat

from boundcheck.quantities.rkhs import gram_of

KINDS = ("random", "rank deficient", "near-singular", "repeated")


def rational(rng, low=-1, high=1):
    return fmpq(int(rng.integers(low * 64, high * 64 + 1)), 64)


def hostile_gram(rng, kind, size=3):
    """Kernel matrix with k(x, x) <= 3: full rank, rank one less, 2^-20 from that, or ties."""
    rank = size - 1 if kind == "rank deficient" else size
    rows = [[rational(rng) for _ in range(rank)] for _ in range(size)]
    if kind in ("near-singular", "repeated"):
        rows[-1] = list(rows[0])
    if kind == "near-singular":
        rows[-1][-1] += fmpq(1, 2**20)
    return gram_of(fmpq_mat(size, rank, [value for row in rows for value in row]))


def drawn(rng, size=3):
    """(counts, sums of responses): every atom drawn, mean responses in [-2, 2]."""
    counts = tuple(int(c) for c in 1 + rng.multinomial(3, [1 / size] * size))
    return counts, tuple(count * rational(rng, -2, 2) for count in counts)


def floats(matrix):
    return np.array([[float(v) for v in row] for row in matrix.tolist()])


def factor(gram):
    """F with F F^T = gram, from the eigendecomposition of the float matrix."""
    values, vectors = np.linalg.eigh(floats(gram))
    return vectors * np.sqrt(np.maximum(values, 0))
