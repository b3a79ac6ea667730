"""Areas and means of functions on squares, enclosed: how much of a square has the wrong sign.

A function enters by its values at n x n Chebyshev nodes of a square and a bound delta of the error
of the polynomial p through them. Cells are halved where p may change its sign. On a cell of centre
c and half width h the function is within R = h^2 / 2 (sup |p_xx| + 2 sup |p_xy| + sup |p_yy|) +
delta of the linear p(c) + p_x s + p_y t, and the area on which a linear function is negative has a
formula; at -R and +R it encloses the area. Only cells at the boundary of the decision are left
after a few halvings, and their number doubles while R falls to a quarter.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import factorial, log, pi
from typing import Any

import numpy
from numpy.typing import NDArray

Array = NDArray[numpy.float64]
FIRST, DEEPEST = 8, 14  # cells per axis at the start; halvings at most
MOST_CELLS = 512  # per axis, for means


def nodes(size: int) -> Array:
    """Chebyshev nodes of the first kind in [-1, 1], decreasing."""
    return numpy.cos(pi * (numpy.arange(size) + 0.5) / size)


@lru_cache(maxsize=64)
def _transform(size: int) -> Array:
    """Values at the nodes to Chebyshev coefficients, (size, size)."""
    k, i = numpy.arange(size)[:, None], numpy.arange(size)[None, :]
    table = 2 / size * numpy.cos(k * pi * (i + 0.5) / size)
    table[0] /= 2
    return table


def interpolation_error(size: int, half: float, first: Array, second: Array) -> Array:
    """sup |f - p| on a square of half width `half`.

    Args: first, second: bounds of the `size`-th derivatives of f along either axis.
    The remainder of one axis is 2 (half / 2)^n / n! sup |f^(n)|; the other axis is interpolated
    after it and multiplies it by at most the Lebesgue constant, 2 / pi log(n) + 1.
    """
    one = 2 * (half / 2) ** size / factorial(size)
    return one * (first + second * (1 + 2 / pi * log(size)))


@dataclass(frozen=True)
class Patches:
    """Polynomials on squares, in coordinates of [-1, 1]^2.

    Args: coefficients: Chebyshev coefficients, (count, n, n). delta: bounds of |f - p|, (count,).
    """

    coefficients: Array
    delta: Array

    @classmethod
    def through(cls, values: Array, delta: Array) -> Patches:
        """From values at the product of the nodes, (count, n, n)."""
        table = _transform(values.shape[-1])
        return cls(table @ values @ table.T, delta)

    def curvature(self) -> tuple[Array, Array, Array]:
        """Bounds of |p_xx|, |p_xy|, |p_yy| on each square.

        |T_k| <= 1, |T_k'| <= k^2, |T_k''| <= k^2 (k^2 - 1) / 3 on [-1, 1].
        """
        k = numpy.arange(self.coefficients.shape[-1])
        none, one, two = numpy.ones(len(k)), k**2.0, k**2 * (k**2 - 1) / 3.0
        size = abs(self.coefficients)
        return size @ none @ two, size @ one @ one, size @ two @ none


def basis(x: NDArray[numpy.floating[Any]], size: int) -> tuple[Array, Array]:
    """T_k(x) and T_k'(x) for k < size, (points, size) each; |x| < 1."""
    angle = numpy.arccos(x)[:, None]
    k = numpy.arange(size)
    return numpy.cos(k * angle), k * numpy.sin(k * angle) / numpy.sin(angle)


def negative_share(slope: Array, other: Array, level: Array) -> Array:
    """Share of [-1, 1]^2 on which slope s + other t < level.

    >>> negative_share(numpy.array([1.0]), numpy.array([0.0]), numpy.array([0.5]))
    array([0.75])
    """
    a, b = abs(slope), abs(other)
    a, b = numpy.maximum(a, b), numpy.minimum(a, b)
    depth = numpy.clip(a + b - abs(level), 0.0, None)  # from the nearest corner
    with numpy.errstate(divide="ignore", invalid="ignore"):
        corner = depth**2 / (8 * a * b)
        strip = (a - abs(level)) / (2 * a)
    small = numpy.where(depth >= 2 * b, strip, corner)
    small = numpy.where(depth > 0, small, 0.0)
    return numpy.where(level > 0, 1 - small, small)


def wrong_shares(
    patches: Patches, signs: Array, *, relative: float, absolute: float, group: int = 1
) -> tuple[Array, Array]:
    """Bounds of the share of each square on which sign(f) is not `signs`, (count,) each.

    Args: signs: 1 or -1 for each square, (count,). group: squares in a row that belong to one
        function. relative, absolute: the sums of the bounds over a group may differ by
        the larger of `absolute` and `relative` times the lower one, or by what delta leaves open.
    Where f vanishes its sign counts as either.
    """
    count = len(patches.delta)
    bend = numpy.stack(patches.curvature()).T @ (1.0, 2.0, 1.0)
    # Rounding: at most a few hundred sums of terms below the sum of the coefficients.
    delta = patches.delta + 1e-13 * abs(patches.coefficients).sum(axis=(1, 2))
    low, high = numpy.zeros(count), numpy.zeros(count)
    cell = numpy.indices((count, FIRST, FIRST)).reshape(3, -1)
    half = 1 / FIRST
    for _ in range(DEEPEST):
        owner, bounds = cell[0], _bounds(patches, signs, cell, half, bend, delta)
        least, most = (numpy.bincount(owner, part, count) * half**2 for part in bounds)
        lower, upper = ((part + more).reshape(-1, group).sum(axis=1)
                        for part, more in ((low, least), (high, most)))  # fmt: skip
        done = (upper - lower <= numpy.maximum(absolute, relative * lower)).repeat(group)
        done |= half**2 / 2 * bend <= delta  # smaller cells would not know more
        # Cells of squares that are done, and cells without doubt, keep what they have.
        sure = done[owner] | (bounds[0] == bounds[1])
        for total, part in zip((low, high), bounds, strict=True):
            total += numpy.bincount(owner[sure], part[sure], count) * half**2
        cell, half = _halved(cell[:, ~sure]), half / 2
        if not cell.size:
            break
    else:  # too deep: what is left is all doubt
        high += numpy.bincount(cell[0], minlength=count) * half**2
    return low, high


def _halved(cell: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
    """The four quarters of each cell."""
    quarters = [cell * [[1], [2], [2]] + [[0], [i], [j]] for i in (0, 1) for j in (0, 1)]
    return numpy.concatenate(quarters, axis=1)


def _bounds(
    patches: Patches, signs: Array, cell: NDArray[numpy.int64], half: float, bend: Array,
    delta: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Bounds of the wrong share of each cell (owner, i, j) of half width `half`."""
    from boundcheck.experiments.averaged_sgd import has_numba

    centres = -1 + half * (2 * numpy.arange(round(1 / half)) + 1)
    value, slope = basis(centres, patches.coefficients.shape[-1])
    if has_numba():
        from boundcheck.experiments.compiled import cell_bounds

        low, high = numpy.empty((2, cell.shape[1]))
        cell_bounds(patches.coefficients, signs, cell, half, bend, delta, value, slope, low, high)
        return low, high
    owner = cell[0]
    here, along, across = _centres(patches.coefficients, cell, value, slope)
    radius = half**2 / 2 * bend[owner] + delta[owner]
    rest = half * along, half * across
    level = -signs[owner] * here
    return negative_share(*rest, level - radius), negative_share(*rest, level + radius)


def _centres(
    coefficients: Array, cell: NDArray[numpy.int64], value: Array, slope: Array
) -> Array:
    """(p, p_x, p_y) at the centres of cells, (3, cells): matrix products, a square at a time."""
    found = numpy.empty((3, cell.shape[1]))
    order = numpy.argsort(cell[0], kind="stable")
    ends = numpy.searchsorted(cell[0], numpy.arange(len(coefficients) + 1), sorter=order)
    for owner, (start, stop) in enumerate(pairwise(ends)):
        place = order[start:stop]
        i, j = cell[1:, place]
        row, change = value[i] @ coefficients[owner], slope[i] @ coefficients[owner]
        for out, one, other in zip(found, (row, change, row), (value, value, slope), strict=True):
            out[place] = numpy.einsum("cn,cn->c", one, other[j])
    return found


def logistic_means(patches: Patches, signs: Array, likelier: float, tolerance: float) -> Array:
    """Mean logistic loss over each square, and a bound of its error: (2, count).

    The label is `signs` with probability `likelier`. The midpoint rule on cells of half width h is
    wrong by h^2 / 6 (sup |q_xx| + sup |q_yy|) + h^2 / 4 sup |q_xy| at most, q the loss of p, whose
    first derivative is at most 1 and whose second at most 1 / 4. There are cells for `tolerance`.
    """
    xx, xy, yy = patches.curvature()
    k = numpy.arange(patches.coefficients.shape[-1]) ** 2.0
    size = abs(patches.coefficients)
    x, y = size.sum(axis=2) @ k, size.sum(axis=1) @ k
    bound = (xx + yy + (x**2 + y**2) / 4) / 6 + (xy + x * y / 4) / 4
    cells = int(min(numpy.ceil((bound.max() / tolerance) ** 0.5), MOST_CELLS))
    half = 1 / cells
    table, _ = basis(-1 + half * (2 * numpy.arange(cells) + 1), patches.coefficients.shape[-1])
    mean = numpy.empty(len(signs))
    for place, sign in enumerate(signs):
        margin = sign * (table @ patches.coefficients[place] @ table.T)
        # p l(m) + (1 - p) l(-m) with l(-m) = l(m) + m
        loss = numpy.log1p(numpy.exp(-abs(margin))) + numpy.maximum(-margin, 0)
        mean[place] = loss.mean() + (1 - likelier) * margin.mean()
    return numpy.stack([mean, half**2 * bound + patches.delta])
