"""The norm of the sum of two RKHSs on finitely many points."""

from __future__ import annotations

from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.exact import square_root, to_ball, to_float
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.minimisers import regular_points
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.rkhs import submatrix


@quantity(
    ranks=(2, 2, 1),
    units=lambda first, second, values: values - first / 2,
    latex=r"\min_{{g_1 + g_2 = {2}}} \left(\|g_1\| + \|g_2\|\right)",
)
@facts("nonnegative")
def least_norm_sum(first: fmpq_mat, second: fmpq_mat, values: Any) -> Any:
    """inf ||g1|| + ||g2|| over g = g1 + g2 in the RKHSs of two kernels, as a certified ball.

    By duality it is the greatest <a, g> with a^T K1 a <= 1 and a^T K2 a <= 1, and the least root of
    g^T (s K1 + (1 - s) K2)^+ g over s in [0, 1]; s is found in floats, and both bounds it gives
    are evaluated exactly. s = 0 and 1 stay out where a kernel alone does not carry g.
    """
    best: tuple[Any, Any] | None = None
    for share in _shares(first, second, values):
        mixed = first * share + second * (1 - share)
        kept = regular_points(mixed)
        if len(kept) < (first + second).rank():
            continue
        solved = entries(submatrix(mixed, kept, kept).inv() * column([values[j] for j in kept]))
        dual = [fmpq(0)] * len(values)
        for position, j in enumerate(kept):
            dual[j] = solved[position]
        value = dot(dual, values)
        if value == 0:
            return fmpq(0)
        sizes = [dot(dual, entries(kernel * column(dual))) for kernel in (first, second)]
        low, high = value / to_ball(square_root(max(sizes))), to_ball(square_root(value))
        if best is None or bool(high - low < best[1] - best[0]):
            best = low, high
    if best is None:
        return fmpq(0)
    return best[0].union(best[1])


def _shares(first: fmpq_mat, second: fmpq_mat, values: Any) -> list[fmpq]:
    import numpy
    from scipy.optimize import minimize_scalar

    size = first.nrows()
    one, two = (
        numpy.array([to_float(v) for v in kernel.entries()]).reshape(size, size)
        for kernel in (first, second)
    )
    g = numpy.array([to_float(v) for v in values])

    def form(share: float) -> float:
        return float(g @ numpy.linalg.pinv(share * one + (1 - share) * two) @ g)

    found = minimize_scalar(form, bounds=(1e-9, 1 - 1e-9), method="bounded",
                            options={"xatol": 1e-12}).x  # fmt: skip
    return [fmpq(round(found * 2**50), 2**50), fmpq(0), fmpq(1)]
