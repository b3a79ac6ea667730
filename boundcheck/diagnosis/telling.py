"""The telling witness: among violations, one that a person can check.

Sizes go up from the smallest, each searched from scratch among worlds of simple numbers, by a
stream that depends on the claim alone. Where no simple world fails, the worst worlds met are made
simple number by number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from boundcheck.checks.base import Task
from boundcheck.claim import UpToConstant
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.record import Telling
from boundcheck.diagnosis.simple import (
    largest_denominator,
    simple_world,
    simpler,
    together,
    weight,
    without_idle,
)
from boundcheck.diagnosis.working import (
    family_lines,
    numbers_shown,
    sampled_lines,
    shown_values,
    worked,
)
from boundcheck.encoding import encode
from boundcheck.search.admissible import Candidates
from boundcheck.search.effort import Effort
from boundcheck.search.objective import Assessment, assess
from boundcheck.setting import Setting
from boundcheck.worlds.composed import Derived
from boundcheck.worlds.fields import Integer, as_rational
from boundcheck.worlds.sources import Coordinates

CLEAR = 1.1  # left over right from which a violation is clear
TRIED = 400  # simple worlds assessed, divided by the root of the claim's cost
REFUSED = 1 / 8  # of a world assessed, for one that its hypotheses refuse
EFFORT = 3_000_000  # of all simple worlds, refused ones too: a second or two of any machine
PER_SIZE = 60
SIZES = 40
POLISHED = 250
FORGIVEN = 100  # denominators up to it are simple
SMALL = 4  # sizes beyond it are not tried


def telling(case: Case) -> Telling | None:
    """The most readable failing world found, with its calculation; None without any."""
    if isinstance(case.claim.statement, UpToConstant):
        lines = family_lines(case.verdict)
        if lines:
            return Telling((), {}, lines, len(lines))
    finder = _Finder(case)
    found = finder.simplest() or finder.of_known()
    if found is None:
        return None
    setting = finder.polished(found) if finder.judged(found) else found  # draws alone tell here
    case.told = setting
    values = shown_values(setting)
    encoded = {name: encode(value) for name, value in setting.values.items()}
    drawn = sampled_lines(case.verdict, setting) if setting is case.witness else ()
    return Telling(values, encoded, drawn or worked(setting), numbers_shown(values))


class _Finder:
    """Looks for simple failing worlds of one claim."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.claim = case.claim
        self.fields = self.claim.fields
        self.derived = {n: f for n, f in self.fields.items() if isinstance(f, Derived)}
        self.candidates = Candidates(self.claim)
        task: Task = case.bench.task(self.claim, "telling")
        self.outcomes = task.budget.outcomes
        # Not of the seed: the telling world of a claim is one.
        self.rng = Task(case.key, self.claim, task.budget, 0).rng("telling world")
        self.left: float = int(TRIED / math.sqrt(max(self.claim.cost, 0.25)))
        self.effort, self.spent = Effort(self.claim), 0

    def judged(self, setting: Setting) -> float:
        """By how much a world fails: left over right, infinite without a value, 0 if it holds."""
        try:
            found: Assessment = assess(setting, outcomes=self.outcomes)
        except Exception:  # a quantity may not take what no search has offered before
            return 0.0
        if found.undefined:
            return math.inf if self.case.verdict.outcome == "malformed" else 0.0
        return found.score if found.violated else 0.0

    def sizes(self) -> Iterator[dict[str, int]]:
        """Sizes of worlds, small sums first."""
        names = [
            name for name, field in self.fields.items()
            if isinstance(field, Integer) and not isinstance(field.low, str)
            and not isinstance(field.high, str) and not field.wide
        ]  # fmt: skip
        ranges = []
        for name in names:
            field = self.fields[name]
            low = int(as_rational(field.low, {}))
            top = low + SMALL if field.high is None else int(as_rational(field.high, {}))
            ranges.append(range(low, min(low + SMALL, top) + 1))
        grid = itertools.islice(itertools.product(*ranges), 5000)
        for chosen in sorted(grid, key=lambda item: (sum(item), item))[:SIZES]:
            yield dict(zip(names, chosen, strict=True))

    def simplest(self) -> Setting | None:
        """The best of the simple worlds at the smallest sizes with a clear violation."""
        spare: list[tuple[float, Setting]] = []
        for sizes in self.sizes():
            failing = list(self._failing(sizes))
            clear = [(score, setting) for score, setting in failing if score >= CLEAR]
            if clear:
                return min(clear, key=_preference)[1]
            spare += failing
            if self.left <= 0:
                break
        return min(spare, key=_preference)[1] if spare else None

    def _failing(self, sizes: dict[str, int]) -> Iterator[tuple[float, Setting]]:
        for _ in range(PER_SIZE):
            if self.left <= 0 or self.spent > EFFORT:
                return
            values = simple_world(self.claim, sizes, self.rng)
            candidate = None if values is None else self.candidates.from_values(values)
            self.spent += self.effort(values or {}, assessed=candidate is not None)
            if candidate is None:
                self.left -= REFUSED
                continue
            self.left -= 1
            score = self.judged(candidate.setting)
            if score:
                yield score, candidate.setting

    def of_known(self) -> Setting | None:
        """The most readable of the violations met elsewhere."""
        known = [seen.setting for seen in self.case.worlds if seen.violated or seen.undefined][:20]
        failing = [(self.judged(setting), setting) for setting in known]
        failing = [(score, setting) for score, setting in failing if score]
        return min(failing, key=_preference)[1] if failing else self.case.witness

    def polished(self, setting: Setting) -> Setting:
        """The world with each number as simple as the violation allows."""
        score, left = self.judged(setting), POLISHED
        kept = CLEAR if score >= CLEAR else (1 + score) / 2
        improved = True
        while improved and left > 0:
            improved = False
            for values in (*without_idle(setting.values, self.fields),
                           *together(setting.values, self.fields)):  # fmt: skip
                moved = self._rebuilt(values)
                left -= moved is not None
                if moved is None or weight(moved.values) >= weight(setting.values):
                    continue
                if self.judged(moved) >= kept:
                    setting, improved = moved, True
                    break
            for name, value in list(setting.values.items()):
                for new in self._simpler(name, value):
                    if left <= 0:
                        break
                    moved = self._moved(setting, name, new)
                    if moved is None or weight(moved.values) >= weight(setting.values):
                        continue
                    left -= 1
                    if self.judged(moved) >= kept:
                        setting, improved = moved, True
                        break
        return setting

    def _simpler(self, name: str, value: Any) -> list[Any]:
        """Values in the place of one that may be chosen, simplest first."""
        chosen = name in self.fields and name not in self.derived
        return simpler(value, self.fields[name])[:40] if chosen else []

    def _moved(self, setting: Setting, name: str, value: Any) -> Setting | None:
        """The world with another number and what is computed from it, where there is one."""
        return self._rebuilt({**setting.values, name: value})

    def _rebuilt(self, values: dict[str, Any]) -> Setting | None:
        """A world of changed numbers with what is computed from them, where there is one."""
        try:
            for other, field in self.derived.items():
                values[other] = field.build(Coordinates(()), values)
            moved = Setting(self.claim, values)
            return moved if not moved.misfit() and moved.admissible() else None
        except Exception:  # an opaque field or quantity may refuse in any way
            return None


def _preference(item: tuple[float, Setting]) -> tuple[int, bool, float, float]:
    """Few numbers, small denominators, simple numbers, then the larger violation."""
    score, setting = item
    numbers, hard = weight(setting.values)
    crooked = largest_denominator(setting.values) > FORGIVEN
    return numbers, crooked, round(hard), -score


