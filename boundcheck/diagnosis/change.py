"""One change of a node of an expression, and what each kind of slip costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import sympy

from boundcheck.diagnosis.record import Kind

COSTS: dict[str, float] = {
    "strict": 1.0, "sign": 2.0, "swap": 2.0, "power": 2.0, "inverse": 2.8, "number": 2.2,
    "symbol": 2.5, "dropped": 2.5, "max": 2.5, "hypothesis": 3.0, "direction": 3.5,
    "two constants": 3.2, "order": 2.3, "sum": 2.2, "product": 2.4,
    "one": 2.2, "kin": 2.3, "linear": 2.9, "logarithm": 2.1,
}  # fmt: skip
AS_GOOD = 0.05  # dearer than what it stands beside
MOST_TERMS = 6  # of a sum in which pairs are looked at
# "attained": only where some world attains the changed bound, "lasting": where larger ones do too;
# "balanced": sides then scale alike.
Action = Literal["", "power", "sign", "inverse", "direction", "attained", "lasting", "swap",
                 "balanced"]  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One node replaced by another."""

    words: str
    kind: Kind
    cost: float
    node: sympy.Basic
    action: Action = ""


Local = Callable[[sympy.Basic], Iterator[Change]]


@lru_cache(maxsize=4096)
def text_of(node: sympy.Basic) -> str:
    """The text of a node, printed once for all its changes."""
    return str(node)
