"""Least squares with an unsquared RKHS norm, and its clipped form: certified minimisers.

The two problems over the RKHS of a kernel on N atoms, with c_j draws and mean response m_j at
atom j, n draws in all and T clipping to [-1, 1]:
    square   (1/n) sum_j c_j (f(x_j) - m_j)^2 + lambda ||f||, convex,
    clipped  (1/n) sum_j c_j (T(f(x_j)) - m_j)^2 + lambda ||f||, not convex.
The kernel may be any positive semi-definite matrix. Minimisers of the first are the root of one
decreasing equation in the norm r: with P the kernel matrix of the atoms and C = diag(c),
f = r k(x), (r P + (n lambda / 2) C^{-1}) x = m and x^T P x = 1. Those of the second are among the
minimisers of finitely many such problems. Balls enclose them at the precision of the moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import flint
from flint import arb, arb_mat, fmpq, fmpq_mat

from boundcheck.arithmetic import key_of
from boundcheck.errors import Undecided
from boundcheck.exact import precision, sign, square_root, to_ball, to_float
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.regularised import (
    Minimiser,
    Span,
    clip,
    distinct,
    least,
    nothing,
    span_of,
    square,
    truncate,
)
from boundcheck.quantities.rkhs import submatrix

FEW = 8  # atoms of an orthogonal sample whose norm is bracketed to the precision of the moment
_KEPT: dict[tuple[Any, ...], tuple[Minimiser, ...]] = {}


def clipped_minimisers(
    gram: fmpq_mat, counts: Any, sums: Any, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f|| with lambda > 0.

    Args: sums: sum of the responses drawn at each atom; with the counts it determines the
        objective up to a constant.
    Returns: all candidates that tie, or that balls cannot tell apart.

    >>> clipped_minimisers(fmpq_mat(1, 1, [1]), (1,), (fmpq(1),), fmpq(1, 2))
    (((3/4,), 3/4),)
    """
    key = key_of(gram, tuple(counts), tuple(sums), lambda_, flint.ctx.prec)
    if key not in _KEPT:
        if len(_KEPT) > 4000:
            _KEPT.clear()
        _KEPT[key] = _clipped(gram, counts, sums, lambda_)
    return _KEPT[key]


def _clipped(gram: fmpq_mat, counts: Any, sums: Any, lambda_: Any) -> tuple[Minimiser, ...]:
    """All stationary functions, judged by the objective.

    Where |f(x_j)| > 1 the fit has slope zero, so atom j drops out; inside (-1, 1) it is quadratic.
    At f != 0 a slope may only jump upwards, which it does at T = 1 if m_j > 1 and at -1 if
    m_j < -1: there f(x_j) may be held. So each atom is in, out or held. A minimiser has
    lambda ||f|| <= objective at zero - least fit, hence atoms of small k(x_j, x_j) stay in.
    Patterns whose objective must exceed one already reached are passed over.
    """
    if _orthogonal(gram, counts):
        return (_orthogonal_minimiser(gram, counts, sums, lambda_),)
    size = sum(counts)
    drawn = [i for i, count in enumerate(counts) if count and gram[i, i] != 0]
    means = {i: sums[i] / counts[i] for i in drawn}
    saved = sum(
        (counts[i] * (means[i] ** 2 - max(abs(means[i]) - 1, fmpq(0)) ** 2) for i in drawn),
        fmpq(0),
    )
    far = {i for i in drawn if sign((lambda_ * size) ** 2 - gram[i, i] * saved**2) != 1}

    def objective(item: Minimiser) -> Any:
        value: Any = item[1] * lambda_ * size
        for i in drawn:
            height = truncate(item[0][i])
            value = square(height) * counts[i] - height * 2 * sums[i] + value
        return value

    found, reached = [nothing(gram)], [fmpq(0)]
    atoms = [_Atom(means[i], counts[i], lambda_ * size / square_root(gram[i, i]), i in far)
             for i in drawn]  # fmt: skip
    for choice in _promising(atoms, reached):
        held = [i for i, state in zip(drawn, choice, strict=True) if state == "held"]
        others = [i for i, state in zip(drawn, choice, strict=True) if state == "in"]
        span = span_of(gram, held, others)
        if span is None:
            continue
        levels = [fmpq(1) if means[i] > 0 else fmpq(-1) for i in held]
        half = lambda_ * fmpq(int(size), 2)
        for item in _stationary(span, held, levels, counts, means, half):
            inside = all(sign(abs(item[0][i]) - 1) != 1 for i in others)
            outside = (i for i in drawn if i not in held and i not in others)
            if inside and all(sign(abs(item[0][i]) - 1) != -1 for i in outside):
                found.append(item)
                value = objective(item)
                if sign(value - reached[0]) == -1:
                    reached[0] = value
    return tuple(least(distinct(found), objective))


class _Atom(NamedTuple):
    """A drawn atom: mean response, draws, price of the norm at which |f| is one, and if it can."""

    mean: fmpq
    draws: int
    price: Any
    far: bool

    def states(self) -> tuple[str, ...]:
        """In first: the pattern with every atom in is tried before all others."""
        if not self.far:
            return ("in",)
        return ("in", "out", "held") if abs(self.mean) > 1 else ("in", "out")

    def least(self, state: str) -> fmpq:
        """Least of c T^2 - 2 c m T in a state."""
        beyond = abs(self.mean) - 1
        gap = max(beyond, fmpq(0)) if state == "in" else beyond
        return (gap**2 - self.mean**2) * self.draws


def _promising(atoms: list[_Atom], reached: list[Any]) -> Iterator[tuple[str, ...]]:
    """Patterns whose fit and norm do not certainly cost more than the objective reached so far."""
    rest = [fmpq(0)]
    for atom in reversed(atoms):
        rest.append(rest[-1] + atom.least("in"))
    rest.reverse()

    def extended(chosen: tuple[str, ...], fit: fmpq, price: Any) -> Iterator[tuple[str, ...]]:
        if sign(price + (fit + rest[len(chosen)]) - reached[0]) == 1:
            return
        if len(chosen) == len(atoms):
            yield chosen
            return
        atom = atoms[len(chosen)]
        for state in atom.states():
            more = price if state == "in" else to_ball(price).max(to_ball(atom.price))
            yield from extended((*chosen, state), fit + atom.least(state), more)

    return extended((), fmpq(0), fmpq(0))


def square_minimiser(gram: fmpq_mat, counts: Any, sums: Any, lambda_: Any) -> Minimiser:
    """The minimiser of (1/n) sum_i (f(x_i) - y_i)^2 + lambda ||f|| with lambda > 0, unclipped.

    Args: counts, sums: as for `clipped_minimisers`; any number of atoms.
    """
    drawn = [i for i, count in enumerate(counts) if count and gram[i, i] != 0]
    means = {i: sums[i] / counts[i] for i in drawn}
    half = lambda_ * fmpq(int(sum(counts)), 2)
    span = span_of(gram, (), drawn)
    assert span is not None
    found = _stationary(span, (), (), counts, means, half)
    return found[0] if found else nothing(gram)


def _stationary(
    span: Span, held: Sequence[int], levels: Sequence[fmpq], counts: Any, means: Any, half: Any
) -> list[Minimiser]:
    """The f != 0, at most one, that minimises (1/2) sum_in c_i (f(x_i) - m_i)^2 + half ||f||
    among the functions with the given values at the held atoms.

    With b the function of least norm there, f = b + r P x over the rest of the kernel, and
    phi(r) = ||b||^2 / r^2 + x^T P x - 1 falls from a positive value to -1 on (0, inf).
    """
    squared = fmpq(0)
    base: tuple[Any, ...] = (fmpq(0),) * span.rest.nrows()
    if held:
        base = entries(span.lift * column(levels))
        squared = dot(levels, entries(span.form * column(levels)))
    kernel = submatrix(span.rest, span.others, range(len(span.others)))
    gaps = [means[i] - base[i] for i in span.others]
    weights = [fmpq(int(counts[i])) for i in span.others]
    pulled = [w * g for w, g in zip(weights, gaps, strict=True)]
    if not pulled or not any(entries(kernel * column(pulled))):
        return [(base, square_root(squared))] if squared else []
    if not squared:
        side = sign(dot(pulled, entries(kernel * column(pulled))) - half**2)
        if side is None:
            raise Undecided("whether the minimiser is zero")
        if side != 1:
            return []
        line = _on_a_line(span.rest, kernel, pulled, weights, half)
        if line is not None:
            return [line]
    radius, solved = _root(kernel, gaps, weights, half, squared)
    scaled = arb_mat(len(solved), 1, [radius * s for s in solved])
    moved = entries(arb_mat(span.rest) * scaled)
    return [(tuple(m + b for m, b in zip(moved, base, strict=True)), radius)]


def _on_a_line(
    rest: fmpq_mat, kernel: fmpq_mat, pulled: Any, weights: Any, half: Any
) -> Minimiser | None:
    """f = t k(., p) where one k(., p) spans all others; None if none does."""
    size = kernel.nrows()
    p = next(i for i in range(size) if kernel[i, i] != 0)
    if any(kernel[i, i] * kernel[p, p] != kernel[i, p] ** 2 for i in range(size)):
        return None
    slopes = [kernel[i, p] for i in range(size)]
    fit = dot(pulled, slopes)
    length = square_root(kernel[p, p])
    curvature = sum((w * g**2 for w, g in zip(weights, slopes, strict=True)), fmpq(0))
    scale = (fit - length * half if fit > 0 else length * half + fit) / curvature
    return tuple(scale * rest[t, p] for t in range(rest.nrows())), abs(scale) * length


def _root(
    kernel: fmpq_mat, gaps: Any, weights: Any, half: Any, squared: fmpq
) -> tuple[arb, list[arb]]:
    """The root r of phi as a ball whose ends have certified signs, and x there."""
    size, bits = len(gaps), flint.ctx.prec
    start = _float_root(kernel, gaps, weights, half, squared)
    with precision(2 * bits + 64):
        balls, right = arb_mat(kernel), arb_mat(size, 1, [arb(gap) for gap in gaps])
        ridge = [to_ball(half) / weight for weight in weights]

        def solved(radius: arb) -> arb_mat:
            table = balls * radius
            for i in range(size):
                table[i, i] += ridge[i]
            try:
                return table.solve(right)
            except ZeroDivisionError as error:
                raise Undecided("balls do not tell a matrix from a singular one") from error

        def phi(radius: arb) -> tuple[arb, arb]:
            """phi and its derivative."""
            x = solved(radius)
            image = balls * x
            table = balls * radius
            for i in range(size):
                table[i, i] += ridge[i]
            inner = dot(entries(image), entries(table.solve(image)))
            value = arb(squared) / radius**2 + dot(entries(x), entries(image)) - 1
            return value, -2 * (arb(squared) / radius**3 + inner)

        radius = arb(start)
        for _ in range(bits.bit_length() + 2):
            value, slope = phi(radius)
            step = (value / slope).mid()
            if not step.is_finite():
                raise Undecided("the norm of the minimiser could not be found")
            # phi is convex and falling: a step beyond zero starts too far right.
            radius = (radius - step if step < radius else radius / 2).mid()
            if abs(step) < radius * arb(2) ** -(bits + 16):
                break
        for spare in (4, 16, 32, 44):
            share = arb(2) ** (spare - bits)
            low, high = (radius * (1 - share)).lower(), (radius * (1 + share)).upper()
            if phi(low)[0] > 0 and phi(high)[0] < 0:
                found = low.union(high)
                return found, list(entries(solved(found)))
    raise Undecided("the norm of the minimiser could not be enclosed")


def _float_root(kernel: fmpq_mat, gaps: Any, weights: Any, half: Any, squared: fmpq) -> float:
    import numpy

    from boundcheck.quantities.batched_penalties import norm_root

    size = len(gaps)
    table = numpy.array([to_float(v) for v in kernel.entries()]).reshape(size, size)
    roots = numpy.array([to_float(w) for w in weights]) ** 0.5
    curvatures, vectors = numpy.linalg.eigh(roots[:, None] * table * roots)
    turned = vectors.T @ (roots * numpy.array([to_float(g) for g in gaps]))
    found = norm_root(
        numpy.maximum(curvatures, 0)[None], turned[None], numpy.array([to_float(half)]),
        numpy.array([to_float(squared)]),
    )  # fmt: skip
    return float(found[0]) or 1e-9  # zero only where floats lose what is certified positive


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
        return nothing(gram)
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
    """Heights and radius as balls: a bracket of small relative width, signs certified.

    The width falls with the precision for few atoms; many serve families, where 2^-40 is enough.
    """
    bits = max(flint.ctx.prec - 24, 40) if len(cells) <= FEW else 40

    def fitted(radius: fmpq) -> list[Any]:
        return [clip(radius * s * d / (half + c * radius * d), fmpq(-1), fmpq(1))
                for d, c, s in cells]  # fmt: skip

    def excess(radius: fmpq) -> int | None:
        squares = (square(f) / d for f, (d, _, _) in zip(fitted(radius), cells, strict=True))
        return sign(sum(squares, fmpq(0)) - radius**2)

    low, high = fmpq(0), fmpq(1)
    while high**2 <= sum((1 / d for d, _, _ in cells), fmpq(0)):
        high *= 2
    while (high - low) * 2**bits > high:
        middle = (low + high) / 2
        side = excess(middle)
        if side in (0, None):
            low, high = middle * (1 - fmpq(1, 2**bits)), middle * (1 + fmpq(1, 2**bits))
            break
        low, high = (middle, high) if side == 1 else (low, middle)
        if high < fmpq(1, 2**60):
            raise Undecided("the norm of the minimiser is too close to zero")
    if excess(low) != 1 or excess(high) != -1:
        raise Undecided("the norm of the minimiser could not be enclosed")
    # Every height is monotone in the radius, so its values at the ends enclose it.
    heights = [to_ball(a).union(to_ball(b)) for a, b in zip(fitted(low), fitted(high), strict=True)]
    return heights, to_ball(low).union(to_ball(high))
