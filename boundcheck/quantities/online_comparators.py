"""Comparators of online regression: best functions in a ball, least norms of representations.

Shapes as in `online`: psi is N x K, mu the law of the K features, sequence and y the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.quantities.online import gram, inner, row
from boundcheck.quantities.operators import column, dot, entries


def best_in_ball(psi: Any, sequence: Any, y: Any, mu: Any, B: Any) -> Any:
    """inf over ||f|| < B of sum_t l_t(f), enclosed between a dual and a primal value."""
    return _least(psi, sequence, y, (1,) * len(y), mu, B)


def least_risk(psi: Any, cases: Any, targets: Any, chances: Any, mu: Any, B: Any) -> Any:
    """inf over ||f|| < B of E (1/2) (<f, Phi(x)> - y)^2, (x, y) = (x_cases[j], targets[j]) with
    probability chances[j]; enclosed as in `best_in_ball`."""
    return _least(psi, cases, targets, chances, mu, B)


def _least(psi: Any, sequence: Any, y: Any, weights: Any, mu: Any, B: Any) -> Any:
    """inf over ||f|| < B of sum_t w_t l_t(f).

    With counts n_i and label sums s_i per distinct point, c = (D G + l)^-1 s are the coefficients
    of the minimiser of sum_t w_t l_t(f) + (l/2) ||f||^2; l is bisected to ||f|| = B. The dual value
    sum_t w_t l_t(f) + (l/2)(||f||^2 - B^2) is below the infimum for every l > 0, f is feasible.
    """
    counts, sums, square = [fmpq(0)] * psi.nrows(), [fmpq(0)] * psi.nrows(), fmpq(0)
    for index, label, weight in zip(sequence, y, weights, strict=True):
        counts[index] += weight
        sums[index] += weight * label
        square += weight * label**2
    kernel, size = gram(psi, mu), psi.nrows()

    def at(level: fmpq) -> tuple[Any, Any]:
        system = fmpq_mat(size, size, [
            counts[i] * kernel[i, j] + (level if i == j else 0)
            for i in range(size) for j in range(size)
        ])  # fmt: skip
        c = entries(system.solve(column(sums)))
        values = entries(kernel * column(c))
        loss = sum((n * v * v - 2 * v * s for n, v, s in zip(counts, values, sums, strict=True)),
                   square) / 2  # fmt: skip
        return dot(c, values), loss

    radius, low, high = fmpq(B) ** 2, fmpq(1, 2**80), fmpq(2 * len(y) + 1)
    while at(high)[0] > radius:
        high = high * 2
    if at(low)[0] <= radius:
        high = low
    for _ in range(60 if high != low else 0):
        middle = _geometric(low, high)
        low, high = (low, middle) if at(middle)[0] <= radius else (middle, high)
    size_f, loss = at(high)
    gap = high / 2 * (radius - size_f)
    return arb(loss) if gap == 0 else arb(loss - gap).union(arb(loss))


def _geometric(low: fmpq, high: fmpq) -> fmpq:
    """A short rational between two positive ones, near their geometric mean while far apart."""
    ratio = int((high / low).floor())
    if ratio >= 4:
        return low * 2 ** ((ratio.bit_length() - 1) // 2)
    return (low + high) / 2


def least_norm(psi: fmpq_mat, mu: Sequence[Any], f: Sequence[Any]) -> Any:
    """Norm of the smallest g with <g, Phi(x_i)> = <f, Phi(x_i)> at every point.

    It is the projection of f on the span of the Phi(x_i): sqrt(v^T G^-1 v) on independent points.
    """
    rows = [row(psi, i) for i in range(psi.nrows())]
    chosen: list[int] = []
    for i in range(len(rows)):
        trial = [*chosen, i]
        table = [inner(rows[a], rows[b], mu) for a in trial for b in trial]
        if fmpq_mat(len(trial), len(trial), table).det() != 0:
            chosen, kernel = trial, fmpq_mat(len(trial), len(trial), table)
    if not chosen:
        return fmpq(0)
    values = [inner(f, rows[i], mu) for i in chosen]
    return exact.square_root(dot(values, entries(kernel.solve(column(values)))))
