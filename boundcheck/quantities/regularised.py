"""Empirical risk plus an unsquared RKHS norm: minimisers certified in small worlds.

Two problems over the RKHS of a kernel on N atoms, for a sample of atom indices x_1..x_n:
    piecewise-linear losses   (1/n) sum_i l_i(f(x_i)) + lambda ||f||, not convex in general,
    clipped square loss       (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f||, T clips to [-1, 1].
By the representer theorem f lies in the span of k(., x_i). Where that span is a line, and for the
first problem also a plane, a minimiser is among finitely many candidates; where the sample is
orthogonal the second problem separates once the norm is known, and the norm is the root of a
monotone equation. Samples of any other kind raise Undecided.

Shapes: gram is N x N; counts says how often each atom was drawn (a tuple of N integers with sum n);
knots and losses are N x m: row j holds the loss of atom j, constant beyond its ends; a minimiser is
(values on the N atoms, norm).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.exact import is_exact, sign, square_root, to_ball
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


def lipschitz_constant(knots: fmpq_mat, losses: fmpq_mat) -> fmpq:
    """Largest slope of any row of the table of losses."""
    return max(
        abs(losses[j, k + 1] - losses[j, k]) / (knots[j, k + 1] - knots[j, k])
        for j in range(losses.nrows())
        for k in range(losses.ncols() - 1)
    )


def largest_loss(losses: fmpq_mat) -> fmpq:
    """sup |l|: the extremes of a piecewise-linear loss are at its knots."""
    return max(abs(value) for value in losses.entries())


def mean_loss(knots: fmpq_mat, losses: fmpq_mat, values: Any, weights: Any) -> Any:
    """sum_j weight_j l_j(f(x_j)) over atoms; weights may have either sign."""
    total: Any = fmpq(0)
    for j, weight in enumerate(weights):
        if weight:
            loss = piecewise_linear(row(knots, j), row(losses, j), values[j])
            total = loss * weight + total
    return total


def frequencies(counts: Sequence[int]) -> tuple[fmpq, ...]:
    """The empirical distribution."""
    size = sum(counts)
    return tuple(fmpq(int(count), size) for count in counts)


def _line(gram: fmpq_mat, counts: Sequence[int]) -> int | None:
    """An atom that spans the sample's features; None if all of them vanish."""
    drawn = [i for i, count in enumerate(counts) if count]
    pivot = next((i for i in drawn if gram[i, i] != 0), None)
    if pivot is None:
        return None
    for i in drawn:
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


def _nothing(gram: fmpq_mat) -> Minimiser:
    return (fmpq(0),) * gram.nrows(), fmpq(0)


def penalised_minimisers(
    gram: fmpq_mat, counts: Any, knots: fmpq_mat, losses: fmpq_mat, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i l_i(f(x_i)) + lambda ||f|| with lambda > 0, on a line or plane.

    Between the points where some f(x_i) meets a knot or f vanishes the objective is linear along
    a line and it grows at both ends, so one of these points is a minimiser. All candidates that
    tie are returned.
    """
    drawn = [i for i, count in enumerate(counts) if count and gram[i, i] != 0]
    apart = [i for i in drawn if gram[i, i] * gram[drawn[0], drawn[0]] != gram[i, drawn[0]] ** 2]
    if apart:
        return _plane_minimisers(gram, counts, knots, losses, lambda_, (drawn[0], apart[0]))
    pivot = _line(gram, counts)
    if pivot is None:
        return (_nothing(gram),)
    weights = frequencies(counts)
    found = [fmpq(0)]
    for i, count in enumerate(counts):
        if count and gram[i, pivot] != 0:
            found += [knot / gram[i, pivot] for knot in row(knots, i)]

    def objective(scale: Any) -> Any:
        values, norm = _along(gram, pivot, scale)
        return lambda_ * norm + mean_loss(knots, losses, values, weights)

    return tuple(_along(gram, pivot, scale) for scale in _least(_distinct(found), objective))


def _plane_minimisers(
    gram: fmpq_mat, counts: Any, knots: fmpq_mat, losses: fmpq_mat, lambda_: Any,
    basis: tuple[int, int],
) -> tuple[Minimiser, ...]:
    """Minimisers over span{k(., p), k(., q)} = span of the sample.

    The lines f(x_i) = knot cut the plane into cells on which the loss is affine, so the objective
    is affine on rays from 0: a minimiser inside a cell has company at 0 or on a line. On a line the
    norm is sqrt(z^2 / k_ii + s^2 ||d||^2), hence a minimiser is where lines meet or where the slope
    g of the loss balances lambda times the slope of the norm:
    s = -g |z| / (sqrt(k_ii) ||d|| sqrt(lambda^2 ||d||^2 - g^2)).
    """
    p, q = basis
    weights, atoms = frequencies(counts), range(gram.nrows())
    square = fmpq_mat(2, 2, [gram[p, p], gram[p, q], gram[q, p], gram[q, q]])
    rows = {i: (gram[i, p], gram[i, q]) for i, c in enumerate(counts) if c and gram[i, i] != 0}
    for i, (left, right) in rows.items():
        inner = square.inv() * fmpq_mat(2, 1, [left, right])
        if left * inner[0, 0] + right * inner[1, 0] != gram[i, i]:
            raise Undecided("the sample spans more than a plane")

    def values_at(point: Any) -> list[Any]:
        return [point[0] * gram[j, p] + point[1] * gram[j, q] for j in atoms]

    def minimiser(point: Any) -> Minimiser:
        a, b = point
        squared = a**2 * gram[p, p] + a * b * (2 * gram[p, q]) + b**2 * gram[q, q]
        return tuple(values_at(point)), square_root(squared)

    def loss(point: Any) -> Any:
        return mean_loss(knots, losses, values_at(point), weights)

    found: list[Any] = [(fmpq(0), fmpq(0))]
    for i, (left, right) in rows.items():
        direction = (-right, left)
        length = square_root(_form(square, direction))
        for level in row(knots, i):
            foot = square.inv() * fmpq_mat(2, 1, [left, right]) * (level / gram[i, i])
            start = (foot[0, 0], foot[1, 0])
            cuts = sorted(
                {
                    (knot - _dot(rows[j], start)) / _dot(rows[j], direction)
                    for j in rows
                    if _dot(rows[j], direction) != 0
                    for knot in row(knots, j)
                }
            )
            found += [_move(start, direction, cut) for cut in (fmpq(0), *cuts)]
            for low, high in itertools.pairwise(cuts):
                ends = loss(_move(start, direction, high)) - loss(_move(start, direction, low))
                slope = ends / (high - low)
                room = (lambda_ * length) ** 2 - slope**2
                if slope and level and sign(room) == 1:
                    step = slope * abs(level) / (
                        square_root(gram[i, i]) * length * square_root(room)
                    )
                    found.append(_move(start, direction, -step))
    exact = sorted({point for point in found if is_exact(point[0]) and is_exact(point[1])})
    balls = [point for point in found if not (is_exact(point[0]) and is_exact(point[1]))]

    def objective(item: Minimiser) -> Any:
        return lambda_ * item[1] + mean_loss(knots, losses, item[0], weights)

    return tuple(_least([minimiser(point) for point in exact + balls], objective))


def _dot(left: Any, right: Any) -> Any:
    return left[0] * right[0] + left[1] * right[1]


def _form(square: fmpq_mat, vector: Any) -> fmpq:
    a, b = vector
    return a * a * square[0, 0] + 2 * a * b * square[0, 1] + b * b * square[1, 1]


def _move(start: Any, direction: Any, step: Any) -> tuple[Any, Any]:
    return step * direction[0] + start[0], step * direction[1] + start[1]


def clipped_minimisers(
    gram: fmpq_mat, counts: Any, sums: Any, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f|| with lambda > 0.

    Args: sums: sum of the responses drawn at each atom; with the counts it determines the
        objective up to a constant.
    """
    if _orthogonal(gram, counts):
        return (_orthogonal_minimiser(gram, counts, sums, lambda_),)
    pivot = _line(gram, counts)
    assert pivot is not None
    drawn = [(gram[i, pivot], c, s) for i, (c, s) in enumerate(zip(counts, sums, strict=True)) if c]
    price = lambda_ * square_root(gram[pivot, pivot])
    size, found = sum(counts), [fmpq(0)]
    reaches = {abs(slope) for slope, _, _ in drawn if slope}
    found += [side / reach for reach in reaches for side in (1, -1)]
    # On every piece a fixed set of points is not clipped; its stationary points are candidates,
    # and a candidate off its own piece does no harm because the true objective judges it.
    for reach in reaches:
        inside = [item for item in drawn if abs(item[0]) <= reach]
        curvature = sum((count * slope**2 for slope, count, _ in inside), fmpq(0))
        if curvature:
            fit = sum((slope * total for slope, _, total in inside), fmpq(0))
            found += [(fit - side * price * size / 2) / curvature for side in (1, -1)]

    def objective(scale: Any) -> Any:
        value: Any = price * abs(scale) * size
        for slope, count, total in drawn:
            height = truncate(scale * slope)
            value = height**2 * count - height * 2 * total + value
        return value

    return tuple(_along(gram, pivot, scale) for scale in _least(_distinct(found), objective))


def _orthogonal(gram: fmpq_mat, counts: Any) -> bool:
    atoms = [i for i, count in enumerate(counts) if count]
    return all(gram[i, j] == 0 for i in atoms for j in atoms if i < j)


def _orthogonal_minimiser(gram: fmpq_mat, counts: Any, sums: Any, lambda_: Any) -> Minimiser:
    """The minimiser when distinct sample points are orthogonal.

    Clipping a value f(x_j) to [-1, 1] changes no fit and lowers the norm, so |f(x_j)| <= 1 and the
    problem is convex there. With d_j = k(x_j, x_j), c_j draws at x_j and S_j the sum of responses:
    f(x_j) = clip(S_j / (c_j + n lambda / (2 r d_j)), -1, 1) with r = ||f||, and
    f(x_j) / r falls with r, so r^2 = sum_j f(x_j)^2 / d_j has one positive root at most.
    """
    atoms = [i for i, count in enumerate(counts) if count and gram[i, i] != 0]
    cells = [(gram[j, j], int(counts[j]), sums[j]) for j in atoms]
    half = lambda_ * fmpq(int(sum(counts)), 2)
    pull = sum((d * s**2 for d, _, s in cells), fmpq(0))
    side = sign(pull - half**2)
    if side is None:
        raise Undecided("whether the minimiser is zero")
    if side <= 0:
        return _nothing(gram)
    if len(cells) == 1:
        d, c, s = cells[0]
        height = clip((square_root(s**2) - half / square_root(d)) / c, fmpq(0), fmpq(1))
        heights, radius = [height if s > 0 else -height], height / square_root(d)
    else:
        heights, radius = _bracketed(cells, half)
    values: list[Any] = [fmpq(0)] * gram.nrows()
    for j in range(gram.nrows()):
        for atom, height in zip(atoms, heights, strict=True):
            if gram[j, atom] != 0:
                values[j] = height * (gram[j, atom] / gram[atom, atom]) + values[j]
    return tuple(values), radius


def _bracketed(cells: list[Any], half: Any) -> tuple[list[Any], arb]:
    """Heights and radius as balls: a bracket of relative width about 2^-40, signs certified."""

    def fitted(radius: fmpq) -> list[Any]:
        return [clip(radius * s * d / (half + c * radius * d), fmpq(-1), fmpq(1))
                for d, c, s in cells]  # fmt: skip

    def excess(radius: fmpq) -> int | None:
        squares = (f**2 / d for f, (d, _, _) in zip(fitted(radius), cells, strict=True))
        return sign(sum(squares, fmpq(0)) - radius**2)

    low, high = fmpq(0), fmpq(1)
    while high**2 <= sum((1 / d for d, _, _ in cells), fmpq(0)):
        high *= 2
    while (high - low) * 2**40 > high:
        middle = (low + high) / 2
        side = excess(middle)
        if side in (0, None):
            low, high = middle * (1 - fmpq(1, 2**40)), middle * (1 + fmpq(1, 2**40))
            break
        low, high = (middle, high) if side == 1 else (low, middle)
        if high < fmpq(1, 2**60):
            raise Undecided("the norm of the minimiser is too close to zero")
    if excess(low) != 1 or excess(high) != -1:
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


def batched_orthogonal(counts: Any, sums: Any, scales: Any, lambda_: float) -> tuple[Any, Any]:
    """Norms and values of clipped minimisers for a diagonal kernel, in floats.

    Args: counts, sums: draws and sums of responses, (batch, N); scales: k(x_j, x_j) > 0, (N,).
    Returns: norms (batch,) and values (batch, N).
    """
    import numpy

    half = counts.sum(axis=1, keepdims=True) * lambda_ / 2
    low = numpy.zeros(len(counts))
    high = numpy.full(len(counts), numpy.sqrt((1 / scales).sum()))

    def fitted(radius: Any) -> Any:
        scaled = radius[:, None] * scales
        return numpy.clip(sums * scaled / (counts * scaled + half), -1, 1)

    for _ in range(36):  # to 2^-36 of the range
        middle = (low + high) / 2
        above = (fitted(middle) ** 2 / scales).sum(axis=1) > middle**2
        low, high = numpy.where(above, middle, low), numpy.where(above, high, middle)
    nonzero = (sums**2 * scales).sum(axis=1) > half[:, 0] ** 2
    norms = numpy.where(nonzero, (low + high) / 2, 0.0)
    return norms, fitted(norms)
