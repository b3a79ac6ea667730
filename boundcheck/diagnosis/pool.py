"""A pool of worlds of a failing claim, and its changed statements judged on it in floats.

The search goes on after the first violation and remembers every world. Their symbols become
columns of a table, one row for each world and outcome; a changed statement is then a few array
operations, so thousands can be screened. Floats only decide what is not worth an exact look.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck.checker.ray import entries_of
from boundcheck.checks.base import Task
from boundcheck.claim import Claim, Expected, Form, UpToConstant, WithProbability
from boundcheck.diagnosis.columns import WHOLE, Columns, none_of
from boundcheck.encoding import encode
from boundcheck.errors import BoundcheckError, Undecided, Undefined
from boundcheck.exact import PRECISIONS, Value, precision
from boundcheck.expressions.binding import outermost
from boundcheck.expressions.nodes import Average
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.objective import Assessment, assess
from boundcheck.search.portfolio import Search
from boundcheck.setting import Setting, guarded, sides
from boundcheck.worlds.space import float_value

LEAST = fmpq(1, 2**150)  # numbers of worlds whose squares and fourth powers are floats
CLOSE = 1e-9  # relative difference up to which floats are equal
FEW = 2  # new numbers of a changed relation that are computed exactly
ROWS = 3000  # rows of a table, divided by the cost of the claim
OUTCOMES = 64  # outcomes of one world in the table, at most


@dataclass(frozen=True)
class Seen:
    """An assessed world: score as in `assess`, whether it is a violation, why it has no value."""

    score: float
    violated: bool
    undefined: str
    candidate: Candidate

    @property
    def setting(self) -> Setting:
        """The world with its parameters."""
        return self.candidate.setting


def size_of(value: object) -> int:
    """A size in a world; 0 for what is none."""
    return value if isinstance(value, int) else 0


def explore(task: Task, evaluations: int) -> list[Seen]:
    """Every distinct world that a search which never stops assesses, the worst violation first."""
    seen: dict[str, Seen] = {}

    def objective(candidate: Candidate) -> Assessment:
        found = assess(candidate.setting, outcomes=task.budget.outcomes)
        text = str({name: encode(value) for name, value in candidate.setting.values.items()})
        seen.setdefault(text, Seen(found.score, found.violated, found.undefined, candidate))
        if found.undefined:
            return found
        return Assessment(found.score, False, {})

    Search(
        Candidates(task.claim), objective, task.rng("diagnosis pool"), evaluations=evaluations,
        seconds=task.budget.seconds, effort=task.budget.effort,
        members=("random", "moves", "polish", "evolution"), patient=True,
    ).run()  # fmt: skip
    return sorted(seen.values(), key=_rank, reverse=True)


def _rank(item: Seen) -> tuple[bool, float]:
    return item.violated, item.score if item.score == item.score else -1.0


def _fits_floats(setting: Setting) -> bool:
    """Whether powers of a world's numbers are floats: of 10^200 no square is one."""
    return all(
        entry == 0 or LEAST < abs(entry) < 1 / LEAST
        for value in setting.values.values() for entry in entries_of(value)
    )  # fmt: skip


class Table(Columns):
    """Columns of floats over worlds and outcomes.

    Args: claim: whose symbols are columns. settings: worlds, those that matter most first.
    rows: how many rows at most.
    """

    def __init__(self, claim: Claim, settings: Sequence[Setting], rows: int) -> None:
        import numpy

        super().__init__()
        self.claim = claim
        self.worlds: list[int] = []
        self.looks: list[Setting] = []
        weights: list[float] = []
        self.kept: list[Setting] = []
        fit = [setting for setting in settings if _fits_floats(setting)]
        for setting in fit or settings:
            if len(self.looks) >= rows:
                break
            found = self._outcomes(setting)
            if not found:
                continue
            self.worlds += [len(self.kept)] * len(found)
            self.looks += [look for _, look in found]
            weights += [weight for weight, _ in found]
            self.kept.append(setting)
        self.weights = numpy.array(weights)
        self.index = numpy.array(self.worlds, dtype=int)
        self.rows = len(self.looks)
        self.told: set[sympy.Basic] = set()

    def _outcomes(self, setting: Setting) -> list[tuple[float, Setting]]:
        draw = self.claim.draw
        if draw is None:
            return [(1.0, setting)]
        try:
            if draw.count(setting) > OUTCOMES:
                return []
            return [
                (float(float_value(probability)), setting.with_outcome(outcome))
                for probability, outcome in draw.outcomes(setting)
            ]
        except (Undefined, Undecided, BoundcheckError, NotImplementedError):
            return []

    @cached_property
    def printed(self) -> frozenset[sympy.Basic]:
        """The parts of the printed statement and hypotheses that arrays cannot follow inside."""
        statement = self.claim.statement
        texts = [statement.relation, *self.claim.given]
        level = getattr(getattr(statement, "inner", statement), "level", None)
        texts += [] if level is None else [level]
        return frozenset(
            part for text in texts for part in sympy.preorder_traversal(text)
            if isinstance(part, WHOLE) and part.is_commutative
        )  # fmt: skip

    def tell(self, bound: sympy.Expr) -> None:
        """Compute the new norms and sums of a changed bound, and other numbers that it measures."""
        new = {part for part in outermost(bound)
               if part.is_commutative and not part.has(Average)} - self.printed  # fmt: skip
        if 0 < len(new) <= FEW and self.claim.draw is None:
            self.told |= new
            self._values = {expr: value for expr, value in self._values.items()
                            if value is not None}  # fmt: skip

    def whole(self, expr: sympy.Basic) -> Any:
        """What is printed is computed exactly in every row; what an edit made of it is not, unless
        it is told."""
        if expr not in self.printed and expr not in self.told:
            return None
        names = {symbol.name for symbol in expr.free_symbols}
        random = bool(names & self.claim.random_names)
        return self._by_row(expr, lambda look: look.evaluate(expr), random)

    def _filled(self, name: str) -> Any:
        return self._by_row(name, lambda look: look(name), name in self.claim.random_names)

    def _by_row(
        self, key: str | sympy.Basic, value: Callable[[Setting], Value], random: bool
    ) -> Any:
        """Floats of a value in every row, computed once for a world if nothing random is in it.

        Rows in which balls could not tell it are kept as lost.

        Args: key: what it is the value of, a symbol by its name.
        """
        import numpy

        values = numpy.full(len(self.looks), numpy.nan)
        lost = none_of(len(self.looks))
        last, kept, untold = -1, numpy.nan, False
        with precision(PRECISIONS[0]):
            for row, look in enumerate(self.looks):
                if random or self.worlds[row] != last:
                    try:
                        found, untold = _number(look, value), False
                    except Undecided:
                        found, untold = numpy.nan, True
                    if found is None:
                        return None
                    kept, last = found, self.worlds[row]
                values[row], lost[row] = kept, untold
        if lost.any():
            self._lost[key] = lost
        return values

    def violated(self, form: Form, given: Sequence[sympy.Basic]) -> Any:
        """Worlds (by position in `kept`) at which a changed statement fails, as far as floats tell.

        None if floats cannot tell. A comparison without a value fails.
        """
        import numpy

        form = getattr(form, "inner", form) if isinstance(form, UpToConstant) else form
        apply = numpy.ones(len(self.kept), bool)
        for condition in given:
            truth = self.evaluate(condition)
            if truth is None:
                return None
            apply &= self.everywhere(truth.astype(bool))
        bad = self._mean(form.relation) if isinstance(form, Expected) else self._bad(form.relation)
        if bad is None:
            return None
        if isinstance(form, WithProbability):
            level = self.evaluate(form.level)
            if level is None:
                return None
            mass = self._mass(bad.astype(float))
            allowed = 1 - self._first(level)
            return apply & ~(mass <= allowed * (1 + CLOSE) + 1e-15)
        if not isinstance(form, Expected):
            bad = ~self.everywhere(~bad)
        return apply & bad

    def _bad(self, relation: sympy.Basic) -> Any:
        """Rows at which some asserted comparison fails."""
        import numpy

        bad = numpy.zeros(len(self.looks), bool)
        for premises, part in guarded(relation):
            low, high = (self.evaluate(side) for side in sides(part))
            asserted = numpy.ones(len(self.looks), bool)
            for premise in premises:
                truth = self.evaluate(premise)
                if truth is None:
                    return None
                asserted &= truth.astype(bool)
            if low is None or high is None:
                return None
            told = ~(none_of(self.rows) | self.lost(part.lhs) | self.lost(part.rhs))
            bad |= asserted & told & ~_holds(part, low, high)
        return bad

    def _mean(self, relation: sympy.Basic) -> Any:
        import numpy

        bad = numpy.zeros(len(self.kept), bool)
        for premises, part in guarded(relation):
            low, high = (self.evaluate(side) for side in sides(part))
            if low is None or high is None or premises:
                return None
            lost = none_of(self.rows) | self.lost(part.lhs) | self.lost(part.rhs)
            told = self.everywhere(~lost)
            bad |= told & ~_holds(part, self._mass(low), self._mass(high))
        return bad

    def admitted(self, given: Sequence[sympy.Basic]) -> Any:
        """Rows at which hypotheses hold, as far as floats tell."""
        import numpy

        rows = numpy.ones(self.rows, bool)
        for condition in given:
            truth = self.evaluate(condition)
            rows &= True if truth is None else truth.astype(bool)
        return rows

    def worldwise(self, expr: sympy.Basic) -> Any:
        """Values of an expression by world; None if it is no number or depends on the draw."""
        random = {symbol.name for symbol in expr.free_symbols} & self.claim.random_names
        values = None if random else self.evaluate(expr)
        return None if values is None else self._first(values)

    def means(self, expr: sympy.Basic, form: Form) -> Any:
        """Means by world of a side between expectations, else its values; None if it has none."""
        values = self.evaluate(expr)
        if values is None or not isinstance(form, Expected):
            return self.worldwise(expr)
        return self._mass(values)

    def slack(self, form: Form, where: Any = True) -> float:
        """Least right over left over the rows, of a mean over the worlds, at which both are
        positive; where none is, left over right where both are negative; infinite without one, and
        1 where arrays cannot follow.

        Args: where: the rows or worlds that are looked at.
        """
        import numpy

        least = numpy.inf
        for _, part in guarded(form.relation):
            if isinstance(part, (sympy.Eq, sympy.Ne)):
                continue
            mean = isinstance(form, Expected)
            low, high = (self.means(side, form) if mean else self.evaluate(side)
                         for side in sides(part))  # fmt: skip
            if low is None or high is None:
                return 1.0
            told = numpy.isfinite(low) & numpy.isfinite(high) & where
            both = (low > 0) & (high > 0) & told
            if not both.any():
                low, high = -high, -low
                both = (low > 0) & (high > 0) & told
            with numpy.errstate(over="ignore"):
                least = min(least, float((high[both] / low[both]).min(initial=numpy.inf)))
        return least

    def tightest(self, form: Form, count: int) -> list[Setting]:
        """Worlds, without those of its draw, in which right over left is least and positive."""
        import numpy

        ratios = numpy.full(len(self.looks), numpy.inf)
        for _, part in guarded(form.relation):
            low, high = (self.evaluate(side) for side in sides(part))
            if isinstance(part, (sympy.Eq, sympy.Ne)) or low is None or high is None:
                continue
            both = (low > 0) & (high > 0) & numpy.isfinite(low) & numpy.isfinite(high)
            with numpy.errstate(over="ignore"):
                ratios[both] = numpy.minimum(ratios[both], high[both] / low[both])
        order = [row for row in numpy.argsort(ratios, kind="stable") if ratios[row] < numpy.inf]
        worlds = dict.fromkeys(self.worlds[row] for row in order)
        return [self.kept[place] for place in list(worlds)[:count]]

    def _mass(self, values: Any) -> Any:
        import numpy

        if self.claim.draw is None:
            return self._first(values)
        return numpy.bincount(self.index, values * self.weights, minlength=len(self.kept))

    def _first(self, values: Any) -> Any:
        import numpy

        return values[numpy.searchsorted(self.index, numpy.arange(len(self.kept)))]

    def everywhere(self, truth: Any) -> Any:
        """Worlds (by position in `kept`) at which a row-wise truth holds on all possible rows."""
        import numpy

        counted = numpy.bincount(self.index, ~truth & (self.weights > 0), minlength=len(self.kept))
        return counted == 0


def _holds(part: sympy.Rel, low: Any, high: Any) -> Any:
    """Truth of a comparison (sides in order), with the benefit of the doubt to rounding."""
    import numpy

    with numpy.errstate(invalid="ignore", over="ignore"):
        room = CLOSE * numpy.maximum(abs(low), abs(high)) + 1e-300
        if isinstance(part, sympy.Eq):
            return (low == high) | (abs(low - high) <= room)
        if isinstance(part, sympy.Ne):
            return low != high
        return (low <= high) | (low - high <= room)


def _number(look: Setting, compute: Callable[[Setting], Value]) -> float | None:
    """NaN for no value, None for no number. Raises: Undecided where balls cannot tell."""
    try:
        found = compute(look)
        for bits in PRECISIONS[1:]:  # of a divergence near zero, or a far tail, digits cancel
            if not (isinstance(found, arb) and found.is_finite() and _is_wide(found)):
                break
            with precision(bits):
                found = compute(look)
        value = float_value(found)
        if isinstance(found, (arb, fmpq)) and found != 0 and value in (0, math.inf, -math.inf):
            raise Undecided("beyond all floats")
    except Undecided:
        raise
    except Undefined:
        return float("nan")
    except Exception:  # an opaque quantity may fail in any way; it is then no column
        return None
    return float(value) if isinstance(value, (int, float)) else None


def _is_wide(ball: arb) -> bool:
    return not bool(ball.rad() <= CLOSE / 10 * abs(ball.mid()))
