"""Families of worlds indexed by a size, for statements up to an absolute constant.

A family says how world and parameters depend on one size N: fixed, in proportion, or growing at
a stated rate. `Family(sizes, n=lambda N: N, lam=lambda N: ...)` names every value as a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


def doublings(first: int, count: int) -> tuple[int, ...]:
    """first, 2 first, 4 first, ...: `count` sizes.

    >>> doublings(4, 4)
    (4, 8, 16, 32)
    """
    return tuple(first * 2**k for k in range(count))


@dataclass(frozen=True)
class Family:
    """One-parameter family of settings.

    Args:
        name: what grows, in words, e.g. "n grows, kernel = identity on n atoms".
        rule: size -> dict with every world field and parameter, exact values.
        sizes: the sizes of the quick budget, increasing, at least six for a growth test.
        more: further sizes for larger budgets.
    """

    name: str
    rule: Callable[[int], dict[str, Any]]
    sizes: Sequence[int]
    more: Sequence[int] = field(default=())

    def settings(self, budget: str) -> list[tuple[int, dict[str, Any]]]:
        """(size, values) pairs for a budget."""
        sizes = tuple(self.sizes) + (() if budget == "quick" else tuple(self.more))
        return [(size, self.rule(size)) for size in sizes]
