"""Empirical risk with piecewise-linear losses plus an unsquared RKHS norm: exact minimisers.

The problem over the RKHS of a kernel on N atoms, for a sample of atom indices x_1..x_n, is
    (1/n) sum_i l_i(f(x_i)) + lambda ||f||, not convex in general.
The kernel may be any positive semi-definite matrix. A minimiser is among finitely many functions,
all of them rational up to one square root; `clipped_minimisers` does the same for (4.2).

Shapes: gram is N x N; counts says how often each atom was drawn (a tuple of N integers with sum n);
knots and losses are N x m: row j holds the loss of atom j, constant beyond its ends; a minimiser is
(values on the N atoms, norm).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from boundcheck.errors import Undecided
from boundcheck.exact import is_exact, sign, square_root, to_ball
from boundcheck.quantities.base import facts, quantity
from boundcheck.quantities.operators import column, dot, entries
from boundcheck.quantities.rkhs import row, submatrix

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


def square(value: Any) -> Any:
    """value^2, also for balls around zero, where flint's own power has no value."""
    return value * value


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


@quantity(
    ranks=(2, 2), units=lambda knots, losses: losses - knots, rational=True,
    latex=r"\operatorname{{Lip}}({1})",
)  # fmt: skip
@facts("nonnegative")
def lipschitz_constant(knots: fmpq_mat, losses: fmpq_mat) -> fmpq:
    """Largest slope of any row of the table of losses."""
    return max(
        abs((losses[j, k + 1] - losses[j, k]) / (knots[j, k + 1] - knots[j, k]))
        for j in range(losses.nrows())
        for k in range(losses.ncols() - 1)
    )


@quantity(ranks=(2,), units="same", latex=r"\sup\left|{0}\right|")
@facts("nonnegative")
def largest_loss(losses: fmpq_mat) -> fmpq:
    """sup |l|: the extremes of a piecewise-linear loss are at its knots."""
    return reduce(_larger, map(abs, losses.entries()))


@quantity(
    ranks=(2, 2, 1, 1), units=lambda knots, losses, *_: losses,
    latex=lambda shown: _risk(shown[2], shown[3]),
)  # fmt: skip
def mean_loss(knots: fmpq_mat, losses: fmpq_mat, values: Any, weights: Any) -> Any:
    """sum_j weight_j l_j(f(x_j)) over atoms; weights may have either sign."""
    total: Any = fmpq(0)
    for j, weight in enumerate(weights):
        if weight:
            loss = piecewise_linear(row(knots, j), row(losses, j), values[j])
            total = loss * weight + total
    return total


def _risk(function: str, weights: str) -> str:
    """LaTeX of the risk under weights: the empirical one under frequencies."""
    return rf"\hat R({function})" if weights.endswith("/ n") else f"R({function})"


@quantity(
    rank=1, ranks=(2, 2, 1), units=lambda knots, losses, _: losses, shape=lambda *s: s[2],
    latex=r"\ell({2})",
)  # fmt: skip
def losses_at(knots: fmpq_mat, losses: fmpq_mat, values: Sequence[Any]) -> tuple[Any, ...]:
    """l_j(f(x_j)) for every atom."""
    return tuple(
        piecewise_linear(row(knots, j), row(losses, j), at) for j, at in enumerate(values)
    )


@quantity(rank=1, ranks=(1,), units="none", shape=lambda counts: counts, latex=r"{0} / n")
def frequencies(counts: Sequence[int]) -> tuple[fmpq, ...]:
    """The empirical distribution."""
    size = sum(counts)
    return tuple(fmpq(int(count), size) for count in counts)


def least(candidates: list[Any], objective: Callable[[Any], Any]) -> list[Any]:
    """The candidates that may attain the least value: all ties, and what balls cannot exclude."""
    scored = [(objective(candidate), candidate) for candidate in candidates]
    best = scored[0][0]
    for value, _ in scored[1:]:
        if sign(value - best) == -1:
            best = value
    return [candidate for value, candidate in scored if sign(value - best) != 1]


def distinct(found: list[Minimiser]) -> list[Minimiser]:
    """Every rational function once; functions known as balls only stay as they are."""
    exact = {item[0]: item for item in found if all(is_exact(value) for value in item[0])}
    balls = [item for item in found if not all(is_exact(value) for value in item[0])]
    return [*exact.values(), *balls]


class Span(NamedTuple):
    """Functions with given values at some atoms of a regular block, and what is left beside them.

    Args:
        lift: N x |A|; lift b are the values of the function of least norm that is b on A.
        form: inverse of the block: the squared norm of that function is b^T form b.
        rest: N x |others|; column i holds the part of k(., x_i) orthogonal to the block.
        others: atoms of the columns of rest.
    """

    lift: fmpq_mat
    form: fmpq_mat
    rest: fmpq_mat
    others: tuple[int, ...]


def span_of(gram: fmpq_mat, held: Sequence[int], others: Sequence[int]) -> Span | None:
    """The span of k(., x_j) over the held atoms; None if their block is singular."""
    every = range(gram.nrows())
    columns = submatrix(gram, every, others)
    if not held:
        return Span(fmpq_mat(len(every), 0), fmpq_mat(0, 0), columns, tuple(others))
    block = submatrix(gram, held, held)
    if block.det() == 0:
        return None
    form = block.inv()
    lift = submatrix(gram, every, held) * form
    rest = columns - lift * submatrix(gram, held, others)
    return Span(lift, form, rest, tuple(others))


def nothing(gram: fmpq_mat) -> Minimiser:
    return (fmpq(0),) * gram.nrows(), fmpq(0)


@quantity(rank=None, ranks=(2, 1, 2, 2, 0), latex=r"\hat f", rational=True)
def penalised_minimisers(
    gram: fmpq_mat, counts: Any, knots: fmpq_mat, losses: fmpq_mat, lambda_: Any
) -> tuple[Minimiser, ...]:
    """Minimisers of (1/n) sum_i l_i(f(x_i)) + lambda ||f|| with lambda > 0.

    At a minimiser f != 0 the slope of a loss may only jump upwards. Let A be a largest set of
    atoms with independent k(., x_j) at which f meets such a knot, b the knots, m the function of
    least norm with these values, s_i the slope of the loss at every other drawn atom i and h the
    part of -sum_i w_i s_i k(., x_i) orthogonal to the span of A. Then f = m + t h with
    t = ||m|| / sqrt(lambda^2 - ||h||^2): all sets, knots and slopes are tried. Where ||h|| = lambda
    the objective is constant on a segment of a ray; its ends are found elsewhere, its inside is
    left out. All candidates that tie are returned.
    """
    weights = frequencies(counts)
    drawn = [i for i, count in enumerate(counts) if count and gram[i, i] != 0]
    drop = sum(
        (weights[i] * (piecewise_linear(row(knots, i), row(losses, i), fmpq(0))
                       - min(row(losses, i))) for i in drawn),
        fmpq(0),
    )  # fmt: skip

    def within(j: int, level: fmpq) -> bool:
        """Whether the norm of a minimiser allows a value of this size at atom j."""
        return sign(level**2 * lambda_**2 - gram[j, j] * drop**2) != 1

    kinks = {j: [b for b in _convex_kinks(knots, losses, j) if within(j, b)] for j in drawn}
    pieces = {
        j: [p for p in _pieces(knots, losses, j) if within(j, _nearest_zero(p[0], p[1]))]
        for j in drawn
    }
    found: list[Minimiser] = [nothing(gram)]
    for size in range(1, len(drawn) + 1):
        for held in itertools.combinations([j for j in drawn if kinks[j]], size):
            span = span_of(gram, held, [j for j in drawn if j not in held])
            if span is not None:
                for levels in itertools.product(*(kinks[j] for j in held)):
                    found += _on_knots(span, levels, weights, pieces, lambda_)

    def objective(item: Minimiser) -> Any:
        return lambda_ * item[1] + mean_loss(knots, losses, item[0], weights)

    return tuple(least(distinct(found), objective))


def _on_knots(
    span: Span, levels: Sequence[fmpq], weights: Any, pieces: dict[int, Any], lambda_: Any
) -> list[Minimiser]:
    """Stationary functions that meet the given knots, one for every choice of slopes elsewhere."""
    base = entries(span.lift * column(levels))
    squared = dot(levels, entries(span.form * column(levels)))
    if squared == 0:
        return []
    # Where the rest vanishes the value is fixed by the knots and slopes have no effect.
    free = [k for k, i in enumerate(span.others) if span.rest[i, k] != 0]
    found = []
    for chosen in itertools.product(*(pieces[span.others[k]] for k in free)):
        pull = {k: -weights[span.others[k]] * piece[2] for k, piece in zip(free, chosen,
                                                                         strict=True)}
        step = tuple(
            sum((span.rest[t, k] * share for k, share in pull.items()), fmpq(0))
            for t in range(len(base))
        )
        length = sum((step[span.others[k]] * share for k, share in pull.items()), fmpq(0))
        room = sign(lambda_**2 - length)
        if room is None:
            raise Undecided("whether a slope of the losses outweighs the penalty")
        if room != 1:
            continue
        if length == 0:
            values: tuple[Any, ...] = base
            norm = square_root(squared)
        else:
            gap = lambda_**2 - length
            scale = square_root(squared / gap)
            values = tuple(scale * s + v for s, v in zip(step, base, strict=True))
            norm = square_root(squared * lambda_**2 / gap)
        if all(
            _inside(values[span.others[k]], piece)
            for k, piece in zip(free, chosen, strict=True)
        ):
            found.append((values, norm))
    return found


def _inside(value: Any, piece: tuple[Any, Any, fmpq]) -> bool:
    """Whether a value may lie in the closed piece."""
    low, high, _ = piece
    return (low is None or sign(value - low) != -1) and (high is None or sign(value - high) != 1)


def _slopes(knots: fmpq_mat, losses: fmpq_mat, j: int) -> list[fmpq]:
    """Slopes of the loss of an atom left of, between and right of its knots."""
    inner = [
        (losses[j, k + 1] - losses[j, k]) / (knots[j, k + 1] - knots[j, k])
        for k in range(losses.ncols() - 1)
    ]
    return [fmpq(0), *inner, fmpq(0)]


def _convex_kinks(knots: fmpq_mat, losses: fmpq_mat, j: int) -> list[fmpq]:
    slopes = _slopes(knots, losses, j)
    return [knots[j, k] for k in range(knots.ncols()) if slopes[k] < slopes[k + 1]]


def _pieces(
    knots: fmpq_mat, losses: fmpq_mat, j: int
) -> list[tuple[fmpq | None, fmpq | None, fmpq]]:
    """(left end, right end, slope); neighbours of one slope are one piece."""
    ends: list[fmpq | None] = [None, *row(knots, j), None]
    found: list[tuple[fmpq | None, fmpq | None, fmpq]] = []
    for k, slope in enumerate(_slopes(knots, losses, j)):
        if found and found[-1][2] == slope:
            found[-1] = (found[-1][0], ends[k + 1], slope)
        else:
            found.append((ends[k], ends[k + 1], slope))
    return found


def _nearest_zero(low: fmpq | None, high: fmpq | None) -> fmpq:
    if low is not None and low > 0:
        return low
    if high is not None and high < 0:
        return high
    return fmpq(0)


@quantity(
    ranks=(2, 2, 2, 1, 0), units=lambda gram, knots, losses, *_: losses,
    latex=r"\sup_{{\left\|f\right\| \le Q}} \left|\hat R(f) - R(f)\right|",
)  # fmt: skip
def largest_deviation(
    gram: fmpq_mat, knots: fmpq_mat, losses: fmpq_mat, weights: Any, largest: fmpq
) -> Any:
    """sup over ||f||^2 <= largest of |sum_j weight_j l_j(f(x_j))|, weights of either sign.

    Where the supremum is attained, let A be a largest set of independent atoms at knots and m the
    function of least norm with these values. Beside A the sum is linear with a representer h, so
    f = m + h sqrt(largest - ||m||^2) / ||h|| up to the sign of h, or f = m where h = 0.
    """
    atoms = [j for j in range(gram.nrows()) if weights[j] and gram[j, j] != 0]
    slopes = {j: sorted({piece[2] for piece in _pieces(knots, losses, j)}) for j in atoms}
    best = abs(mean_loss(knots, losses, nothing(gram)[0], weights))
    for size in range(len(atoms) + 1):
        for held in itertools.combinations(atoms, size):
            span = span_of(gram, held, [j for j in atoms if j not in held])
            if span is not None:
                for levels in itertools.product(*(row(knots, j) for j in held)):
                    for values in _in_the_ball(span, levels, weights, slopes, largest):
                        best = _larger(best, abs(mean_loss(knots, losses, values, weights)))
    return best


def _in_the_ball(
    span: Span, levels: Sequence[fmpq], weights: Any, slopes: dict[int, list[fmpq]],
    largest: fmpq,
) -> list[tuple[Any, ...]]:
    """Functions of the ball that meet the knots; see `largest_deviation`."""
    base, squared = (fmpq(0),) * span.rest.nrows(), fmpq(0)
    if levels:
        base = entries(span.lift * column(levels))
        squared = dot(levels, entries(span.form * column(levels)))
    room = largest - squared
    if room < 0:
        return []
    found = [base]
    free = [k for k, i in enumerate(span.others) if span.rest[i, k] != 0]
    for chosen in itertools.product(*(slopes[span.others[k]] for k in free)):
        pull = [weights[span.others[k]] * slope for k, slope in zip(free, chosen, strict=True)]
        step = [
            sum((span.rest[t, k] * p for k, p in zip(free, pull, strict=True)), fmpq(0))
            for t in range(len(base))
        ]
        length = sum((step[span.others[k]] * p for k, p in zip(free, pull, strict=True)), fmpq(0))
        if length:
            scale = square_root(room / length)
            found += [
                tuple(scale * (s * side) + b for s, b in zip(step, base, strict=True))
                for side in (1, -1)
            ]
    return found


def _larger(left: Any, right: Any) -> Any:
    if is_exact(left) and is_exact(right):
        return max(left, right)
    return to_ball(left).max(to_ball(right))


@quantity(rank=2, ranks=(None, 1), latex="{0}")
def by_label(table: fmpq_mat | Sequence[Sequence[fmpq]], labels: Sequence[fmpq]) -> fmpq_mat:
    """The rows of a table, the first of each label for all with it: l(., y) depends on y only."""
    rows = table.tolist() if isinstance(table, fmpq_mat) else table
    firsts = [rows[labels.index(label)] for label in labels]
    return fmpq_mat(len(firsts), len(firsts[0]), [entry for line in firsts for entry in line])


@quantity(latex=lambda shown: _risk(shown[0], shown[3]))
def worst_risk(minimisers: Any, knots: fmpq_mat, losses: fmpq_mat, weights: Any) -> Any:
    """sum_j weight_j l_j(f(x_j)) of the worst of the tied minimisers."""
    return worst([mean_loss(knots, losses, values, weights) for values, _ in minimisers])


@quantity(latex=r"\left|\hat R({0}) - R({0})\right| + \hat R({0})")
def worst_detour(minimisers: Any, knots: fmpq_mat, losses: fmpq_mat, seen: Any, gaps: Any) -> Any:
    """|sum_j gap_j l_j| + sum_j seen_j l_j at one and the same of the tied minimisers."""
    return worst([
        abs(mean_loss(knots, losses, values, gaps)) + mean_loss(knots, losses, values, seen)
        for values, _ in minimisers
    ])  # fmt: skip


@quantity(latex=r"\hat R({0}) + {4} \left\|{0}\right\|")
def least_objective(
    minimisers: Any, knots: fmpq_mat, losses: fmpq_mat, seen: Any, lambda_: Any
) -> Any:
    """sum_j seen_j l_j + lambda ||f|| at the minimisers."""
    return worst([
        mean_loss(knots, losses, values, seen) + lambda_ * size for values, size in minimisers
    ])  # fmt: skip


@quantity(latex=r"\left\|{0}\right\|")
@facts("nonnegative")
def worst_norm(minimisers: Any) -> Any:
    """||f|| of the worst of the tied minimisers."""
    return worst([length for _, length in minimisers])


def worst(values: Sequence[Any]) -> Any:
    """The largest over tied minimisers; a ball over all of them where balls left a doubt."""
    if all(is_exact(value) for value in values):
        return max(values)
    hull = to_ball(values[0])
    for value in values[1:]:
        hull = hull.union(to_ball(value))
    return hull
