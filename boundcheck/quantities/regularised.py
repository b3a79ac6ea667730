"""Empirical risk plus an unsquared RKHS norm: minimisers certified in small worlds.

Two problems over the RKHS of a kernel on N atoms, for a sample of atom indices x_1..x_n:
    piecewise-linear losses   (1/n) sum_i l_i(f(x_i)) + lambda ||f||          (not convex in general)
    clipped square loss       (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f||,  T clips to [-1, 1].
By the representer theorem f lies in the span of k(., x_i). Where that span is one line the problem
is a search over finitely many candidates, exact in rationals; where the sample is orthogonal the
second problem separates once the norm is known, and the norm is the root of a monotone equation.
Samples of any other kind raise Undecided.

Shapes: gram is N x N, sample a tuple of n indices, losses an N x m matrix of values at the m knots
(constant beyond the ends), a minimiser is (values on the N atoms, norm).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.exact import is_exact, sign, square_root, to_ball, to_float
from boundcheck.quantities.rkhs import row

Minimiser = tuple[tuple[Any, ...], Any]


def clip(value: Any, low: Any, high: Any) -> Any:
    """The nearest point of [low, high], for rationals and balls."""
    if is_exact(value) and is_exact(low) and is_exact(high):
        return min(max(value, low), high)
    return to_ball(value).max(to_ball(low)).min(to_ball(high))


def truncate(value: Any) -> Any:
    """T(t) = min(max(t, -1), 1).

    >>> truncate(fmpq(3, 2))
    1
    """
    return clip(value, fmpq(-1), fmpq(1))


def piecewise_linear(knots: Sequence[fmpq], heights: Sequence[fmpq], at: Any) -> Any:
    """The interpolant of (knots, heights), constant beyond the ends.

    >>> piecewise_linear((fmpq(0), fmpq(1)), (fmpq(0), fmpq(4)), fmpq(1, 2))
    2
    """
    total: Any = heights[0]
    for k in range(len(knots) - 1):
        slope = (heights[k + 1] - heights[k]) / (knots[k + 1] - knots[k])
        total = (clip(at, knots[k], knots[k + 1]) - knots[k]) * slope + total
    return total


def lipschitz_constant(knots: Sequence[fmpq], losses: fmpq_mat) -> fmpq:
    """Largest slope of any row of the table of losses."""
    return max(
        (
            abs(losses[j, k + 1] - losses[j, k]) / (knots[k + 1] - knots[k])
            for j in range(losses.nrows())
            for k in range(len(knots) - 1)
        ),
        default=fmpq(0),
    )


def largest_loss(losses: fmpq_mat) -> fmpq:
    """sup |l|: the extremes of a piecewise-linear loss are at its knots."""
    return max(abs(value) for value in losses.entries())


def mean_loss(knots: Any, losses: fmpq_mat, values: Any, weights: Any) -> Any:
    """sum_j weight_j l_j(f(x_j)) over atoms."""
    total: Any = fmpq(0)
    for j, weight in enumerate(weights):
        if weight:
            total = piecewise_linear(knots, row(losses, j), values[j]) * weight + total
    return total


def frequencies(sample: Sequence[int], atoms: int) -> tuple[fmpq, ...]:
    """The empirical distribution of a sample of atom indices."""
    size = len(sample)
    return tuple(fmpq(list(sample).count(j), size) for j in range(atoms))


def _line(gram: fmpq_mat, sample: Sequence[int]) -> int | None:
    """An atom that spans the sample's features; None if all of them vanish."""
    pivot = next((i for i in sample if gram[i, i] != 0), None)
    if pivot is None:
        return None
    for i in sample:
        if gram[i, i] * gram[pivot, pivot] != gram[i, pivot] ** 2:
            raise Undecided("the sample spans more than one direction")
    return pivot


def _least(candidates: list[Any], objective: Callable[[Any], Any]) -> list[Any]:
    """The candidates that may attain the least value: all ties, and what balls cannot exclude."""
    scored = [(objective(candidate), candidate) for candidate in candidates]
    best = scored[0][0]
    for value, _ in scored[1:]:
        if sign(value - best) == -1:
            best = value
    return [candidate for value, candidate in scored if sign(value - best) != 1]


def _along(gram: fmpq_mat, pivot: int, scale: Any) -> Minimiser:
    values = tuple(scale * gram[j, pivot] for j in range(gram.nrows()))
    return values, abs(scale) * square_root(gram[pivot, pivot])


def _distinct(candidates: list[Any]) -> list[Any]:
    exact = {value for value in candidates if is_exact(value)}
    return sorted(exact) + [value for value in candidates if not is_exact(value)]


def penalised_minimisers(
    gram: fmpq_mat, sample: Any, knots: Any, losses: fmpq_mat, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i l_i(f(x_i)) + lambda ||f|| with lambda > 0, on a line.

    Between the points where some f(x_i) meets a knot or f vanishes the objective is linear along
    the line and it grows at both ends, so one of these points is a minimiser. All that tie are
    returned.
    """
    pivot = _line(gram, sample)
    if pivot is None:
        return (((fmpq(0),) * gram.nrows(), fmpq(0)),)
    weights = frequencies(sample, gram.nrows())
    found = [fmpq(0)]
    for i in set(sample):
        if gram[i, pivot] != 0:
            found += [knot / gram[i, pivot] for knot in knots]

    def objective(scale: Any) -> Any:
        values, norm = _along(gram, pivot, scale)
        return lambda_ * norm + mean_loss(knots, losses, values, weights)

    return tuple(_along(gram, pivot, scale) for scale in _least(_distinct(found), objective))


def clipped_minimisers(
    gram: fmpq_mat, sample: Any, responses: Any, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f|| with lambda > 0.

    Args: responses: y_1..y_n in the order of the sample.
    """
    if _orthogonal(gram, sample):
        return (_orthogonal_minimiser(gram, sample, responses, lambda_),)
    pivot = _line(gram, sample)
    assert pivot is not None
    slopes = [gram[i, pivot] for i in sample]
    pairs = list(zip(slopes, responses, strict=True))
    price = lambda_ * square_root(gram[pivot, pivot])
    size, found = len(pairs), [fmpq(0)]
    found += [side / abs(slope) for slope in slopes if slope for side in (1, -1)]
    # On every piece a fixed set of points is not clipped; its stationary points are candidates,
    # and a candidate off its own piece does no harm because the true objective judges it.
    for reach in {abs(slope) for slope in slopes if slope}:
        inside = [(slope, y) for slope, y in pairs if abs(slope) <= reach]
        curvature = sum((slope**2 for slope, _ in inside), fmpq(0))
        if curvature:
            fit = sum((slope * y for slope, y in inside), fmpq(0))
            found += [(fit - side * price * size / 2) / curvature for side in (1, -1)]

    def objective(scale: Any) -> Any:
        fit = sum(((truncate(scale * slope) - y) ** 2 for slope, y in pairs), fmpq(0))
        return fit * fmpq(1, size) + price * abs(scale)

    return tuple(_along(gram, pivot, scale) for scale in _least(_distinct(found), objective))


def _orthogonal(gram: fmpq_mat, sample: Sequence[int]) -> bool:
    atoms = sorted(set(sample))
    return all(gram[i, j] == 0 for i in atoms for j in atoms if i < j)


def _orthogonal_minimiser(
    gram: fmpq_mat, sample: Sequence[int], responses: Any, lambda_: Any
) -> Minimiser:
    """The minimiser when distinct sample points are orthogonal.

    Clipping a value f(x_j) to [-1, 1] changes no fit and lowers the norm, so |f(x_j)| <= 1 and the
    problem is convex there. With d_j = k(x_j, x_j), c_j = #{i: x_i = j}, S_j the sum of responses:
    f(x_j) = clip(S_j / (c_j + n lambda / (2 r d_j)), -1, 1) with r = ||f||; the right side of
    r^2 = sum_j f(x_j)^2 / d_j grows slower than r^2, so the root is unique.
    """
    atoms = sorted({i for i in sample if gram[i, i] != 0})
    counts = [list(sample).count(j) for j in atoms]
    sums = [
        sum((y for i, y in zip(sample, responses, strict=True) if i == j), fmpq(0)) for j in atoms
    ]
    scales = [gram[j, j] for j in atoms]
    half = lambda_ * fmpq(len(sample), 2)
    pull = sum((d * s**2 for d, s in zip(scales, sums, strict=True)), fmpq(0))
    side = sign(pull - half**2)
    zero = ((fmpq(0),) * gram.nrows(), fmpq(0))
    if side is None:
        raise Undecided("whether the minimiser is zero")
    if side <= 0:
        return zero

    def fitted(radius: Any) -> list[Any]:
        return [
            clip(s * radius * d / (c * radius * d + half), fmpq(-1), fmpq(1))
            for s, c, d in zip(sums, counts, scales, strict=True)
        ]

    def excess(radius: Any) -> Any:
        squares = (f**2 / d for f, d in zip(fitted(radius), scales, strict=True))
        return sum(squares, fmpq(0)) - radius**2

    if len(atoms) == 1 and is_exact(half):
        root = square_root(scales[0])
        value = clip((abs(sums[0]) - half / root) / counts[0], fmpq(0), fmpq(1))
        heights, radius = [value if sums[0] > 0 else -value], value / root
    else:
        heights, radius = _bracketed(fitted, excess, scales)
    values = [fmpq(0)] * gram.nrows()
    for j in range(gram.nrows()):
        for atom, height in zip(atoms, heights, strict=True):
            if gram[j, atom] != 0:
                values[j] = height * (gram[j, atom] / gram[atom, atom]) + values[j]
    return tuple(values), radius


def _bracketed(
    fitted: Callable[[Any], list[Any]], excess: Callable[[Any], Any], scales: list[fmpq]
) -> tuple[list[Any], arb]:
    """Heights and radius as balls: a bracket of relative width 2^-40 with certified signs."""
    low, high = fmpq(0), fmpq(1)
    bound = sum((1 / d for d in scales), fmpq(0))
    while high**2 <= bound:
        high *= 2
    while low == 0 or (high - low) * 2**40 > high:
        middle = (low + high) / 2
        side = sign(excess(middle))
        if side is None or side == 0:
            width = middle / 2**41
            low, high = middle - width, middle + width
            break
        low, high = (middle, high) if side > 0 else (low, middle)
        if high < fmpq(1, 2**80):
            raise Undecided("the norm of the minimiser is too close to zero")
    if sign(excess(low)) != 1 or sign(excess(high)) != -1:
        raise Undecided("the norm of the minimiser could not be enclosed")
    # Every height is monotone in the radius, so its values at the ends enclose it.
    heights = [
        to_ball(a).union(to_ball(b)) for a, b in zip(fitted(low), fitted(high), strict=True)
    ]
    return heights, to_ball(low).union(to_ball(high))


def worst(values: Sequence[Any]) -> Any:
    """The largest over tied minimisers; a ball over all of them where balls left a doubt."""
    if all(is_exact(value) for value in values):
        return max(values)
    hull = to_ball(values[0])
    for value in values[1:]:
        hull = hull.union(to_ball(value))
    return hull


def batched_orthogonal_norms(
    counts: Any, sums: Any, scales: Any, lambda_: float, size: int
) -> tuple[Any, Any]:
    """Norms and fitted values of clipped minimisers for orthogonal kernels, in floats.

    Args: counts, sums: (batch, N) numbers of draws and sums of responses per atom; scales: (N,)
        kernel diagonal; size: n.
    Returns: norms (batch,), values (batch, N).
    """
    import numpy

    half = size * lambda_ / 2
    low = numpy.zeros(len(counts))
    high = numpy.full(len(counts), numpy.sqrt((1 / scales).sum()))

    def fitted(radius: Any) -> Any:
        scaled = radius[:, None] * scales
        bottom = counts * scaled + half
        return numpy.clip(numpy.divide(sums * scaled, bottom, where=bottom > 0,
                                       out=numpy.zeros_like(bottom)), -1, 1)  # fmt: skip

    for _ in range(50):
        middle = (low + high) / 2
        above = (fitted(middle) ** 2 / scales).sum(axis=1) > middle**2
        low, high = numpy.where(above, middle, low), numpy.where(above, high, middle)
    nonzero = (sums**2 * scales).sum(axis=1) > half**2
    norms = numpy.where(nonzero, (low + high) / 2, 0.0)
    return norms, fitted(norms) * nonzero[:, None]


def float_of(value: Any) -> float:
    """Midpoint as a float; for tests."""
    return to_float(value)
