"""Sizes that a statement does not bound, and how its tightest world changes with them.

Support is from the sizes that search looks at. Where a statement is for every size, a constant
below the printed one may stand at all of these and fail beyond: that of Dvoretzky, Kiefer and
Wolfowitz has to be 1.65 at one draw, 1.56 at two, 1.74 at sixteen and 2 in the limit. So there a
sharper constant counts only if a world attains it exactly, as an extremal world does, larger worlds
come no nearer, and random ones do not climb towards it; or if it is proved. The factor of Massart's
lemma for finite classes is attained by two vectors, and by 256 it is passed: search sees of that
only how random vectors climb.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import hypot, isfinite, log2
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import sympy

from boundcheck.claim import Claim
from boundcheck.explore.critical import Affordable
from boundcheck.explore.simple import CONVERGED, simplest_closed
from boundcheck.search.effort import Effort
from boundcheck.search.enlarging import USUAL
from boundcheck.worlds import Integer, Real
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.space import Space

if TYPE_CHECKING:
    from boundcheck.checks.base import Task

NOISE = 1 / 100  # of a factor: searches at one size differ by less
NEAREST = 1e-9  # a tightest world is at the bound itself
TYPICAL = 100  # random worlds of one size
MOST_EFFORT = 200_000  # of them together, as `search.effort` counts it
FEWEST = 3  # sizes; fewer show no tendency
UNDER, OVER = 1 / 12, 1 / 40  # of where worlds lead, which their first sizes tell too high
FALLING = 0.8  # what a doubling adds is to what the one before it added, where it leads somewhere
FARTHEST = 16  # times the sizes that search goes to


@dataclass(frozen=True)
class Growth:
    """How near worlds come to a bound at growing sizes.

    Args: names: of the sizes, all alike. tightest: size to left over right side at the tightest
    world found with these sizes. typical: size to that of some random worlds.

    >>> Growth(("n",), {1: 0.5, 2: 0.67, 4: 0.8}).rising
    True
    >>> Growth(("n",), {1: 0.82, 2: 0.67, 4: 0.68}).rising
    False
    """

    names: tuple[str, ...]
    tightest: dict[int, float]
    typical: dict[int, Sequence[float]] = field(default_factory=dict)
    cut: bool = False

    @property
    def rising(self) -> bool:
        """Whether the largest size has a world tighter than every smaller one, beyond noise."""
        *earlier, last = self.tightest.values() or (0.0,)
        return bool(earlier) and last > max(earlier) * (1 + NOISE)

    @property
    def passed(self) -> bool:
        """Whether a world of some size is beyond the bound."""
        return max(self.tightest.values(), default=0.0) > 1 + NEAREST

    @property
    def climbing(self) -> bool:
        """Whether random worlds would reach the bound if they go on as they do.

        What a doubling adds may fall like k^(-3/2) with the number k of doublings; then all those
        to come add 2 k times the last.

        >>> Growth(("n",), {}, {2: (0.3, 0.3), 4: (0.4, 0.4), 8: (0.5, 0.6)}).climbing
        True
        >>> Growth(("n",), {}, {2: (0.1, 0.1), 4: (0.12, 0.12), 8: (0.13, 0.13)}).climbing
        False
        """
        sizes = sorted(self.typical)[-2:]
        if len(sizes) < 2:
            return False
        (before, error), (last, other) = (_mean(self.typical[size]) for size in sizes)
        gained = last - before
        return gained > 2 * hypot(error, other) and last + 2 * log2(sizes[-1]) * gained >= 1

    @property
    def upward(self) -> bool:
        """Whether larger worlds are seen to come nearer, or to be beyond the bound."""
        return self.rising or self.passed or self.climbing

    @property
    def limit(self) -> float | None:
        """Where the tightest worlds lead if what a doubling adds goes on to fall by the same
        factor; None where it does not fall.

        >>> Growth(("n",), {n: n / (4 * n + 2) for n in (2, 4, 8)}).limit
        0.25396825396825407
        """
        if len(self.tightest) < FEWEST:
            return None
        first, second, third = (self.tightest[size] for size in sorted(self.tightest)[-3:])
        before, last = second - first, third - second
        if not 0 < last < FALLING * before:
            return None
        return third + last * last / (before - last)

    def unbroken(self, value: sympy.Expr, fails: sympy.Expr | None) -> sympy.Expr | None:
        """The simplest factor beyond all worlds that were tried and where they lead, or None.

        Args: value: the factor at which they came so near. fails: one that is refuted.
        """
        if self.limit is None:
            return None
        tightest = max(self.tightest.values())
        known = 0.0 if fails is None else float(fails / value)
        if known > tightest * (1 + NOISE):
            return None  # these searches missed a tighter world that is known
        low = max(tightest, known, self.limit * (1 - UNDER)) * (1 + NEAREST)
        high = self.limit * (1 + OVER)
        return simplest_closed(float(value) * low, float(value) * high) if low < high else None

    def doubt(self, attained: bool) -> str:
        """Why search calls a constant not supported, or ""; attained: whether a world attains it.
        """
        names = ", ".join(self.names)
        if self.rising or self.passed:
            return f"still rising at {names} = {max(self.tightest)}"
        if self.climbing:
            return f"random worlds still rising at {names} = {max(self.typical)}"
        if self.cut or len(self.tightest) < FEWEST:
            return f"worlds of larger {names} were not looked at"
        return "" if attained else (
            f"no world attains a sharper one, and {names} may be larger than search looks at"
        )  # fmt: skip


def _mean(scores: Sequence[float]) -> tuple[float, float]:
    """Mean and its standard error."""
    return fmean(scores), stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0


def open_sizes(claim: Claim) -> dict[str, Integer]:
    """Counts without an end, of which search looks at few; wide ones it looks at up to 10^40.

    >>> from boundcheck.library import load_library
    >>> key = "gallery_concentration/dkw:printed"
    >>> sorted(open_sizes(load_library(None, [key])[key]))
    ['K', 'n']
    """
    found = {name: promised_field(field) for name, field in claim.fields.items()}
    return {name: field for name, field in found.items()
            if isinstance(field, Integer) and field.high is None and not field.wide}  # fmt: skip


def endless(claim: Claim) -> list[str]:
    """Names of all counts and numbers that a statement does not bound on one side."""
    found = {name: promised_field(field) for name, field in claim.fields.items()}
    return [name for name, field in found.items() if isinstance(field, Integer | Real)
            and (field.high is None or field.low is None)]  # fmt: skip


def sizes_to_look_at(claim: Claim) -> list[int]:
    """1, 2, 4, ... from the least to far beyond where search goes; empty without open sizes.

    Larger worlds of a dear claim may take time without end: of it no further than search goes.
    """
    found = [field for field in open_sizes(claim).values() if isinstance(field.low, int)]
    if not found:
        return []
    least = min(int(field.low) for field in found)
    most = max(field.searched if isinstance(field.searched, int) else least for field in found)
    most *= FARTHEST if claim.cost <= USUAL else 1
    return [2**k for k in range(most.bit_length()) if 2**k >= least]


def at_size(claim: Claim, size: int) -> Claim:
    """A claim with every open size at one value, or at its least one if that is more."""
    pinned = {
        name: Integer(max(field.low, size), max(field.low, size))
        for name, field in open_sizes(claim).items() if isinstance(field.low, int)
    }
    own = {} if claim.worlds is None else dict(claim.worlds.fields)
    numbers = {s: pinned.get(s.name, field) for s, field in claim.parameters.items()}
    worlds = Space(**{name: pinned.get(name, field) for name, field in own.items()})
    return replace(claim, parameters=numbers, worlds=worlds if own else None)


def random_scores(task: Task) -> list[float]:
    """Left over right side in random worlds of a task's claim that are cheap to assess exactly,
    fewer of them where draws have many outcomes."""
    from boundcheck.search.portfolio import deterministic_objective

    candidates, rng = Affordable(task.claim), task.rng("typical")
    objective, effort = deterministic_objective(task.budget.outcomes), Effort(task.claim)
    scores, spent = [], 0
    for _ in range(TYPICAL):
        candidate = candidates.random(rng)
        spent += 0 if candidate is None else effort(candidate.setting.values)
        if spent > MOST_EFFORT:
            break
        try:
            scores += [] if candidate is None else [objective(candidate).score]
        except Exception:  # definitions may refuse a world in any way
            continue
    return [score for score in scores if isfinite(score)]


def attained(value: sympy.Expr, fails: sympy.Expr | None, evidence: str | None) -> bool:
    """Whether a value that stood is, up to what search resolves, where an exact world fails."""
    if fails is None or evidence != "exact":
        return False
    apart = max(abs(value), abs(fails)) <= CONVERGED * min(abs(value), abs(fails))
    return bool(apart) and bool(value * fails > 0)
