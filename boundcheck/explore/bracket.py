"""One constant between a value that fails and one that stands."""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from boundcheck.explore.knobs import Knob
from boundcheck.explore.wording import plain
from boundcheck.verdict import Witness


@dataclass(frozen=True)
class Bracket:
    """One constant between a value that fails and one that stands.

    Args:
        knob: the constant. lower: a value refuted, or None; evidence: "exact", "statistical" or
            "trend".
        supported, proved: sharpest values that stood at fresh seeds, and with a proof, or None.
        witness: of the refutation at `lower`, for the claim at that value.
        doubt: why search calls nothing sharper supported, or "".
        unbroken: where there is doubt, the sharpest value that no world which was tried breaks.
    """

    knob: Knob
    lower: sympy.Expr | None
    evidence: str | None
    supported: sympy.Expr | None
    proved: sympy.Expr | None
    witness: Witness | None = None
    doubt: str = ""
    unbroken: sympy.Expr | None = None

    @property
    def best(self) -> sympy.Expr | None:
        """The sharpest value that stood, proved or not."""
        stood = [value for value in (self.supported, self.proved) if value is not None]
        pick = max if self.knob.direction > 0 else min
        return pick(stood, default=None)

    @property
    def sharper(self) -> bool:
        """Whether a value that says more than the printed one stood."""
        return self.best is not None and self.says_more(self.best)

    def says_more(self, value: sympy.Expr) -> bool:
        """Whether a value says more than the printed one."""
        return bool(self.knob.direction * (value - self.knob.printed) > 0)

    def __str__(self) -> str:
        low = f"fails at {plain(self.lower)} ({self.evidence})" if self.lower is not None else (
            "no failing value found"
        )  # fmt: skip
        parts = [self.knob.text, low]
        if self.supported is not None:
            parts.append(f"supported at {self.supported}")
        if self.proved is not None:
            parts.append(f"proved at {self.proved}")
        if self.unbroken is not None:
            parts.append(f"no world that was tried breaks {self.unbroken}")
        if self.doubt:
            parts.append(f"{self.doubt}; no sharper constant is called supported")
        return "; ".join(parts)
