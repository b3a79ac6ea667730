"""Online gradient descent on the line with noisy gradients and steps that may be overruled.

A round has the convex loss l(f) = (a/2)(f - b)^2 + c |f - e|, a, c >= 0, and the subgradient
a (f - b) + c sgn(f - e). Shapes: losses is a tuple of T tuples (a, b, c, e); noise a tuple of T
numbers added to the gradients; detours a tuple of T entries: () keeps the gradient step, (q,)
replaces f_{t+1} by q f_t (a shrinking step).
Source: Zinkevich, ICML 2003; Livni, Carmon and Globerson, ICML 2017, Lemma 1.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq


def convex_loss(f: Any, loss: Sequence[Any]) -> Any:
    """(a/2)(f - b)^2 + c |f - e|."""
    a, b, c, e = loss
    return a * (f - b) ** 2 / 2 + c * abs(f - e)


def subgradient(f: Any, loss: Sequence[Any]) -> Any:
    """a (f - b) + c sgn(f - e)."""
    a, b, c, e = loss
    return a * (f - b) + c * ((f > e) - (f < e))


@dataclass(frozen=True)
class Path:
    """One run: iterates f_1..f_T, gradients, noisy gradients, and would-be iterates f^_1..f^_T.

    f^_t = f_{t-1} - eta (noisy gradient of round t - 1); before the first round there is no step
    to overrule, so f^_1 = f_1.
    """

    iterates: tuple[Any, ...]
    stepped: tuple[Any, ...]
    gradients: tuple[Any, ...]
    noisy: tuple[Any, ...]

    def overruled(self, target: Any) -> list[bool]:
        """Per round, whether |f_t - f*| > |f^_t - f*|."""
        pairs = zip(self.iterates, self.stepped, strict=True)
        return [abs(f - target) > abs(g - target) for f, g in pairs]


def descend(
    losses: Sequence[Any], noise: Sequence[Any], detours: Sequence[Any], start: Any, eta: Any
) -> Path:
    """The path from f_1 = start."""
    f, step = fmpq(start), fmpq(start)
    iterates, stepped, gradients, noisy = [], [], [], []
    for loss, error, detour in zip(losses, noise, detours, strict=True):
        iterates.append(f)
        stepped.append(step)
        gradients.append(subgradient(f, loss))
        noisy.append(gradients[-1] + error)
        step = f - eta * noisy[-1]
        f = detour[0] * f if detour else step
    return Path(tuple(iterates), tuple(stepped), tuple(gradients), tuple(noisy))


def best_on_line(losses: Sequence[Sequence[Any]], radius: Any) -> Any:
    """The minimiser of sum_t l_t over [-radius, radius], exact; the smallest if there are more.

    Between the kinks e_t the sum is a parabola (a/2) f^2 - s f, so that a minimum lies at an end,
    at a kink, or where the derivative of a piece vanishes.

    >>> best_on_line([(1, 1, 0, 0), (0, 0, fmpq(1, 2), 0)], 2)
    1/2
    """
    ends = [fmpq(-radius), fmpq(radius)]
    kinks = sorted({fmpq(e) for _, _, c, e in losses if c and -radius < e < radius})
    corners = [ends[0], *kinks, ends[1]]
    curvature = sum((a for a, _, _, _ in losses), fmpq(0))
    candidates = list(corners)
    for low, high in itertools.pairwise(corners):
        middle = (low + high) / 2
        slope = sum((subgradient(middle, loss) for loss in losses), fmpq(0))
        if curvature:
            point = middle - slope / curvature
            if low < point < high:
                candidates.append(point)
    return min(candidates, key=lambda f: (sum(convex_loss(f, loss) for loss in losses), f))


def along(tree: Sequence[Any], coins: Sequence[int]) -> tuple[Any, ...]:
    """The entries of a binary tree (in heap order) met by T coins: the root first, coin 0 left.

    >>> along("abcdefg", (1, 0, 1))
    ('a', 'c', 'f')
    """
    place, found = 0, []
    for coin in coins:
        found.append(tree[place])
        place = 2 * place + 1 + coin
    return tuple(found)
