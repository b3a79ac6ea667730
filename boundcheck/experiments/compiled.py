"""The sequential loops of averaged SGD, compiled by numba (`pip install boundcheck[fast]`).

Features are single precision, everything that is summed is double. The loops release the lock of
the interpreter, so runs share the cores as threads. Where numba is missing `averaged_sgd` does the
same in NumPy.
"""

from __future__ import annotations

import math

import numpy
from numba import njit

_BLOCK = 16  # steps whose features are made at once: 64 kB at 1,000 features
_SUM = {"reassoc", "contract", "nsz"}  # a sum may be taken in any order; nothing else may change


@njit(nogil=True, cache=True, fastmath={"contract"})
def turn_cosines(x, y, first, second, phase, out):  # type: ignore[no-untyped-def]
    """out_j = cos(2 pi (first_j x + second_j y + phase_j)), all float32, phases below 2^22 turns.

    The phase is reduced to a quarter turn t, and sin(2 pi t) is an odd polynomial of degree 9,
    within 5e-8 of it as its coefficients are rounded.
    """
    for j in range(out.size):
        u = first[j] * x + second[j] * y + phase[j]
        t = numpy.float32(0.25) - abs(u - numpy.floor(u + numpy.float32(0.5)))
        s = t * t
        p = numpy.float32(39.53676)
        p = p * s + numpy.float32(-76.54979)
        p = p * s + numpy.float32(81.601006)
        p = p * s + numpy.float32(-41.341656)
        p = p * s + numpy.float32(6.283185)
        out[j] = p * t


@njit(nogil=True, cache=True, fastmath={"contract"})
def cosines_of_turns(turns, phases):  # type: ignore[no-untyped-def]
    """turns_ij becomes cos(2 pi (turns_ij + phases_j)), all float32; the cosine as above.

    A phase of 2^22 turns has no fraction left, and its cosine is some number in [-1, 1].
    """
    for i in range(turns.shape[0]):
        for j in range(turns.shape[1]):
            u = turns[i, j] + phases[j]
            t = numpy.float32(0.25) - min(
                abs(u - numpy.floor(u + numpy.float32(0.5))), numpy.float32(0.5)
            )
            s = t * t
            p = numpy.float32(39.53676)
            p = p * s + numpy.float32(-76.54979)
            p = p * s + numpy.float32(81.601006)
            p = p * s + numpy.float32(-41.341656)
            p = p * s + numpy.float32(6.283185)
            turns[i, j] = p * t


@njit(nogil=True, cache=True, fastmath=_SUM)
def _product(phi, v):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(v.size):
        total += phi[j] * v[j]
    return total


@njit(nogil=True, cache=True, fastmath=_SUM)
def _move(phi, by, also, v, u):  # type: ignore[no-untyped-def]
    for j in range(v.size):
        v[j] += by * phi[j]
        u[j] += also * phi[j]


@njit(nogil=True, cache=True)
def _slope(label, value):  # type: ignore[no-untyped-def]
    return -label / (1.0 + math.exp(label * value))


@njit(nogil=True, cache=True)
def fourier_run(  # type: ignore[no-untyped-def]
    points, labels, first, second, phase, eta, scale, share, mass, checkpoints, averages
):
    """Coefficients of the averages at the checkpoints on unscaled cosines, into `averages`.

    Args: points (T, 2), first, second, phase (D,): float32. labels (T,). eta: step sizes times the
        squared scale of a feature, (T,). scale: s_{t+1}. share: sum of weight_k s_{k+1} for k up
        to t. mass: sum of the weights. averages: (checkpoints, D), zero.
    """
    size = first.size
    v, u = numpy.zeros(size), numpy.zeros(size)
    phi = numpy.empty((_BLOCK, size), numpy.float32)
    before, behind, seen = 1.0, 0.0, 0
    for t in range(labels.size):
        row = t % _BLOCK
        if row == 0:
            for i in range(min(_BLOCK, labels.size - t)):
                turn_cosines(points[t + i, 0], points[t + i, 1], first, second, phase, phi[i])
        by = -eta[t] / scale[t] * _slope(labels[t], _product(phi[row], v) * before)
        _move(phi[row], by, by * behind, v, u)
        before, behind = scale[t], share[t]
        if seen < checkpoints.size and t + 1 == checkpoints[seen]:
            averages[seen] = (behind * v - u) / mass[t]
            seen += 1


@njit(nogil=True, cache=True)
def _taylor(x, steps, out):  # type: ignore[no-untyped-def]
    out[0] = math.exp(-x * x / 2)
    for k in range(1, out.size):
        out[k] = out[k - 1] * x * steps[k]


@njit(nogil=True, cache=True, fastmath=_SUM)
def _form(left, table, right):  # type: ignore[no-untyped-def]
    total = 0.0
    for k in range(left.size):
        row = 0.0
        for l in range(right.size):
            row += table[k, l] * right[l]
        total += left[k] * row
    return total


@njit(nogil=True, cache=True, fastmath=_SUM)
def _move_table(left, right, by, also, v, u):  # type: ignore[no-untyped-def]
    for k in range(left.size):
        near, far = by * left[k], also * left[k]
        for l in range(right.size):
            v[k, l] += near * right[l]
            u[k, l] += far * right[l]


@njit(nogil=True, cache=True)
def taylor_run(  # type: ignore[no-untyped-def]
    points, labels, width, order, eta, scale, share, mass, checkpoints, averages
):
    """The same for the full Gaussian kernel: averages (checkpoints, order, order), all double."""
    v, u = numpy.zeros((order, order)), numpy.zeros((order, order))
    left, right = numpy.empty(order), numpy.empty(order)
    steps = 1.0 / numpy.sqrt(numpy.maximum(numpy.arange(order), 1).astype(numpy.float64))
    before, behind, seen = 1.0, 0.0, 0
    for t in range(labels.size):
        _taylor(points[t, 0] / width, steps, left)
        _taylor(points[t, 1] / width, steps, right)
        by = -eta[t] / scale[t] * _slope(labels[t], _form(left, v, right) * before)
        _move_table(left, right, by, by * behind, v, u)
        before, behind = scale[t], share[t]
        if seen < checkpoints.size and t + 1 == checkpoints[seen]:
            averages[seen] = (behind * v - u) / mass[t]
            seen += 1


@njit(nogil=True, cache=True, inline="always")
def _share(a, b, level):  # type: ignore[no-untyped-def]
    """`areas.negative_share` for one cell, a >= b >= 0."""
    depth = a + b - abs(level)
    if depth <= 0:
        small = 0.0
    elif depth >= 2 * b:
        small = (a - abs(level)) / (2 * a)
    else:
        small = depth * depth / (8 * a * b)
    return 1 - small if level > 0 else small


@njit(nogil=True, cache=True, fastmath=_SUM)
def _centre(table, left, moved, right, turned):  # type: ignore[no-untyped-def]
    """(p, p_x, p_y) at a centre from the basis and its derivative on either axis."""
    here, along, across = 0.0, 0.0, 0.0
    for k in range(left.size):
        row, change = 0.0, 0.0
        for l in range(right.size):
            row += table[k, l] * right[l]
            change += table[k, l] * turned[l]
        here += left[k] * row
        along += moved[k] * row
        across += left[k] * change
    return here, along, across


@njit(nogil=True, cache=True)
def cell_bounds(  # type: ignore[no-untyped-def]
    coefficients, signs, cell, half, bend, delta, value, slope, low, high
):
    """Bounds of the wrong share of each cell (owner, i, j) into low and high: `areas._bounds`."""
    for c in range(cell.shape[1]):
        owner, i, j = cell[0, c], cell[1, c], cell[2, c]
        here, along, across = _centre(coefficients[owner], value[i], slope[i], value[j], slope[j])
        a, b = half * abs(along), half * abs(across)
        radius = half * half / 2 * bend[owner] + delta[owner]
        level = -signs[owner] * here
        low[c] = _share(max(a, b), min(a, b), level - radius)
        high[c] = _share(max(a, b), min(a, b), level + radius)


@njit(nogil=True, cache=True)
def grid_cosines(left, right, out):  # type: ignore[no-untyped-def]
    """out[a, b, j] = cos of the sum of two angles, from (cos, sin) tables (2, m, D) of each."""
    for a in range(out.shape[0]):
        for b in range(out.shape[1]):
            for j in range(out.shape[2]):
                out[a, b, j] = left[0, a, j] * right[0, b, j] - left[1, a, j] * right[1, b, j]
