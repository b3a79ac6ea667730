"""Formulas of Algorithm 1 for runs of one or two rounds, and bounds of its comparator.

Shapes as in `online`. f_1 = 0, so E_1 = 0 and |E_1| < 16 B for B > 0: the first round takes the
step f_2 = u eta y_1 Phi(x_1), u the sign of the update, whatever the draws are.
Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.
"""

from __future__ import annotations

from typing import Any

from boundcheck.expressions.moving import Bounds, Moving, equal, moves, number
from boundcheck.quantities.online import inner, row


def _positive(B: Any) -> bool:
    if isinstance(B, Moving):
        return B.start is not None and B.start > 0 and (B.end is None or B.end >= 0)
    return bool(B > 0)


def losses_of_two_rounds(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Bounds | None:
    """E sum_t l_t(f_t) = y_1^2 / 2 + (u eta y_1 k(x_1, x_2) - y_2)^2 / 2, nothing of it random."""
    if moves(psi, sequence, y, mu, update) or not 1 <= len(y) <= 2 or not _positive(B):
        return None
    labels = [number(label) for label in y]
    first = labels[0] ** 2 / 2
    if len(y) == 1:
        return equal(first)
    rows = [row(psi, index) for index in sequence]
    step = int(update) * number(eta) * labels[0] * number(inner(rows[0], rows[1], mu))
    return equal(first + (step - labels[1]) ** 2 / 2)


def average_of_two_rounds(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: Any
) -> Bounds | None:
    """(1/T) sum_t f_t: zero, or u eta y_1 Phi(x_1) / 2."""
    if moves(psi, sequence, y, mu, update) or not 1 <= len(y) <= 2 or not _positive(B):
        return None
    values = [number(value) for value in row(psi, sequence[0])]
    if len(y) == 1:
        return equal(tuple(0 * value for value in values))
    step = int(update) * number(eta) * number(y[0]) / 2
    return equal(tuple(step * value for value in values))


def least_losses(psi: Any, sequence: Any, y: Any, mu: Any, B: Any) -> Bounds | None:
    """inf over ||f|| < B of sum_t l_t(f) is at least zero, and at most what f = 0 loses."""
    if moves(y):
        return None
    labels = [number(label) for label in y]
    return number(0), sum(label**2 for label in labels) / 2
