"""Online gradient descent on the line with noisy gradients and steps that may be overruled.

A round has the convex loss l(f) = (a/2)(f - b)^2 + c |f - e|, a, c >= 0, and the subgradient
a (f - b) + c sgn(f - e). Shapes: losses is a tuple of T tuples (a, b, c, e); noise a tuple of T
numbers added to the gradients; detours a tuple of T entries: () keeps the gradient step, (q,)
replaces f_{t+1} by q f_t (a shrinking step).
Source: Zinkevich, ICML 2003; Livni, Carmon and Globerson, ICML 2017, Lemma 1.
"""

from __future__ import annotations

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
