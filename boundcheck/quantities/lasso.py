"""The value of least squares with an absolute-value penalty, exactly."""

from __future__ import annotations

from itertools import product

from flint import fmpq, fmpq_mat

from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.rkhs import submatrix


@quantity(
    ranks=(2, 1, 0), rational=True,
    latex=r"\min_b \left(\frac{{1}}{{n}} \left\|{0:b} b - {1:b}\right\|_2^2"
          r" + {2:b} \left\|b\right\|_1\right)",
)  # fmt: skip
@facts("nonnegative")
def lasso_value(features: fmpq_mat, y: tuple[fmpq, ...], weight: fmpq) -> fmpq:
    """min_b (1/n) ||A b - y||^2 + weight ||b||_1: every support and sign pattern is tried.

    A minimiser with independent active columns exists and satisfies the normal equations of its
    own signs; all other candidates only give upper bounds.

    Args: features: n x m, m small. y: n responses. weight: at least zero.

    >>> lasso_value(fmpq_mat(1, 1, [1]), (fmpq(2),), fmpq(2))
    3
    """
    size = features.nrows()
    best = dot(y, y) / size
    for signs in product((-1, 0, 1), repeat=features.ncols()):
        active = [k for k, sign in enumerate(signs) if sign]
        part = submatrix(features, range(size), active)
        if not active or part.rank() < len(active):
            continue
        shift = column([fmpq(signs[k]) * weight * size / 2 for k in active])
        turned = part.transpose()
        b = (turned * part).inv() * (turned * column(y) - shift)
        residual = entries(part * b - column(y))
        length = sum((abs(v) for v in entries(b)), fmpq(0))
        best = min(best, dot(residual, residual) / size + weight * length)
    return best
