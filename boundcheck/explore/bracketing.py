"""One constant between a value that fails in a world and one that stands at fresh seeds.

A factor in front of the larger side is bracketed from the tightest world that a search of its own
finds; other constants by halving the way between the last value that failed and the last that
stood. Search, proofs and verdicts are the engine's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sympy

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError
from boundcheck.explore.knobs import Knob, hypotheses
from boundcheck.explore.simple import simplest_between
from boundcheck.explore.wording import formula_text, plain
from boundcheck.verdict import Evidence, Verdict, Witness

if TYPE_CHECKING:
    from boundcheck.diagnosis.trial import Bench

ROUNDS = 4  # values tried for one constant
CLIMBS = 4  # searches for the tightest world, each from the best of the one before
KEPT = 8  # worlds that go from one to the next
ROOM = sympy.Rational(1, 5)  # the simplest number so far above a failing value is tried
NEAR = sympy.Rational(1, 50)  # a bracket as narrow as this is not cut further
BELOW = sympy.Rational(1, 10**6)
CONVERGED = 1 + 10 * BELOW
CLEAR = 1 + NEAR / 2
STANDING = ("proved", "supported")
Vector = tuple[float, ...]


@dataclass(frozen=True)
class Bracket:
    """One constant between a value that fails and one that stands.

    Args:
        knob: the constant. lower: a value refuted, or None; evidence: "exact", "statistical" or
            "trend".
        supported, proved: sharpest values that stood at fresh seeds, and with a proof, or None.
        witness: of the refutation at `lower`, for the claim at that value.
    """

    knob: Knob
    lower: sympy.Expr | None
    evidence: str | None
    supported: sympy.Expr | None
    proved: sympy.Expr | None
    witness: Witness | None = None

    @property
    def best(self) -> sympy.Expr | None:
        """The sharpest value that stood, proved or not."""
        stood = [value for value in (self.supported, self.proved) if value is not None]
        pick = max if self.knob.direction > 0 else min
        return pick(stood, default=None)

    @property
    def sharper(self) -> bool:
        """Whether a value that says more than the printed one stood."""
        best, way = self.best, self.knob.direction
        return best is not None and bool(way * (best - self.knob.printed) > 0)

    def __str__(self) -> str:
        low = f"fails at {plain(self.lower)} ({self.evidence})" if self.lower is not None else (
            "no failing value found"
        )  # fmt: skip
        parts = [f"{self.knob.kind} {self.knob.printed} of {formula_text(self.knob.beside)}", low]
        if self.supported is not None:
            parts.append(f"supported at {self.supported}")
        if self.proved is not None:
            parts.append(f"proved at {self.proved}")
        return "; ".join(parts)


class Work:
    """The trials of one sharpening, until the time is over.

    Args: verdict: on the claim as printed. deadline: in processor time.
    """

    def __init__(self, bench: Bench, verdict: Verdict, deadline: float) -> None:
        self.bench, self.verdict, self.deadline = bench, verdict, deadline

    @property
    def over(self) -> bool:
        """Whether nothing new is begun."""
        return time.process_time() > self.deadline

    def brackets(self, found: list[Knob]) -> Iterator[Bracket]:
        """A bracket for each constant that there is time for."""
        for knob in found:
            if self.over:
                return
            bracket = None
            if knob.kind == "factor":
                bracket = self._factor(knob, several=sum(k.kind == "factor" for k in found) > 1)
            if bracket is None:
                bracket = self._halved(knob)
            if bracket is not None:
                yield bracket

    # factors

    def _factor(self, knob: Knob, several: bool) -> Bracket | None:
        """From the tightest world, where a factor fails first, to simple values above it."""
        verdict = self.bench.verdict(knob.base, f"only {knob.where}") if several else self.verdict
        if verdict.outcome not in STANDING:
            return None
        stood = {"proved": None, "supported": None, verdict.outcome: knob.printed}
        warm = self._climbed(knob, _coordinates(verdict.evidence))
        lower, evidence, witness = self._failing(knob, verdict, warm)
        top = knob.printed
        for _ in range(ROUNDS):
            value = None if lower is None or self.over else _simple(lower, top)
            if value is None or _narrow(lower, top):
                break  # so near to a world that fails, support would not mean much
            trial = self.bench.verdict(knob.turned(value), f"{knob.kind} {value}")
            if trial.outcome in STANDING:
                top = stood[trial.outcome] = value
            elif trial.outcome == "refuted" and trial.witness is not None:
                lower, evidence, witness = value, trial.kind, trial.witness
            else:
                break
        if lower is None and stood["proved"] is None:
            return None
        return Bracket(knob, lower, evidence, stood["supported"], stood["proved"], witness)

    def _climbed(self, knob: Knob, warm: list[Vector]) -> list[Vector]:
        """Worlds in which the statement is tightest, by searches that begin at the best so far."""
        from boundcheck.checks.enumeration import SCREENED
        from boundcheck.search.admissible import Candidates
        from boundcheck.search.portfolio import Search, deterministic_objective

        task, best = self.bench.task(knob.base, f"{knob.kind} {knob.place} climb"), 0.0
        for turn in range(CLIMBS):
            if self.over:
                break
            search = Search(
                Candidates(task.claim), deterministic_objective(task.budget.outcomes),
                task.rng(f"turn {turn}"), evaluations=task.evaluations, warm=warm,
                seconds=task.budget.seconds, screened=SCREENED * task.evaluations,
            )  # fmt: skip
            try:
                found = search.run()
            except Exception:  # definitions may refuse a world in any way
                break
            if found.assessment is None:
                break  # draws too many to enumerate
            score = found.assessment.score
            warm = [candidate.vector for _, candidate in found.pool[:KEPT]]
            if score >= 1 or score <= best * (1 + 1e-9):
                break
            best = score
        return warm

    def _failing(
        self, knob: Knob, verdict: Verdict, warm: list[Vector]
    ) -> tuple[sympy.Expr | None, str | None, Witness | None]:
        """A value right below the least slack, refuted at the world where it was seen."""
        from boundcheck.checks import enumeration, sampling
        from boundcheck.engine import guarded

        told = [item for item in verdict.evidence
                if item.slack and item.slack < float("inf")]  # fmt: skip
        if not told:
            return None, None, None
        tightest = min(told, key=lambda item: item.slack or 0.0)
        exactly = tightest.check == enumeration.NAME
        ratio = sympy.Rational(1 / (tightest.slack or 1.0)).limit_denominator(10**9)
        if exactly:
            ratio = max(ratio, self._ratio(knob, warm) or ratio)
        value = knob.printed * ratio * (1 - (BELOW if exactly else NEAR))
        task = self.bench.task(knob.turned(value), f"{knob.kind} below")
        warm = [*warm, *_coordinates(verdict.evidence)]
        check = enumeration if exactly else sampling
        item = guarded("sharpen", lambda: check.run(replace(task, warm=tuple(warm))))
        if item.outcome != "refuted":
            return None, None, None
        return value, item.kind, item.witness

    def _ratio(self, knob: Knob, warm: list[Vector]) -> sympy.Rational | None:
        """Left over right side at the tightest of some worlds."""
        from boundcheck.search.admissible import Candidates
        from boundcheck.search.portfolio import deterministic_objective

        candidates = Candidates(knob.base)
        objective = deterministic_objective(self.bench.budget.outcomes)
        scores = [0.0]
        for vector in warm:
            try:
                candidate = candidates.decode(vector)
                score = objective(candidate).score if candidate is not None else 0.0
            except Exception:  # as above
                continue
            scores += [score] if 0 < score <= 1 else []
        return sympy.Rational(max(scores)).limit_denominator(10**12) if max(scores) else None

    # other constants

    def _halved(self, knob: Knob) -> Bracket | None:
        """From the printed value away while it stands, then between what failed and what stood."""
        stood: dict[str, sympy.Expr] = {}
        top, lower, blocked = knob.printed, None, None
        witness: Witness | None = None
        evidence: str | None = None
        for _ in range(ROUNDS):
            end = lower if blocked is None else blocked
            value = None if self.over else _next(knob, top, end)
            if value is None:
                break
            try:
                trial = self.bench.verdict(knob.turned(value), f"{knob.kind} {value}")
            except BoundcheckError:  # the changed statement may be none
                break
            if trial.outcome in STANDING:
                top = stood[trial.outcome] = value
            elif trial.outcome == "refuted":
                lower, witness, evidence = value, trial.witness, trial.kind
            else:
                blocked = value
        if lower is None and not stood:
            return None
        if not stood:
            stood[self.verdict.outcome] = knob.printed
        return Bracket(
            knob, lower, evidence, stood.get("supported"), stood.get("proved"), witness
        )

    # hypotheses

    def without(
        self, claim: Claim
    ) -> tuple[tuple[sympy.Basic, ...], tuple[sympy.Basic, ...]]:
        """Hypotheses that are needed, and those without which the claim stood."""
        from boundcheck.diagnosis.trial import stands

        needed, superfluous = [], []
        for condition, changed in hypotheses(claim):
            if self.over:
                break
            trial = self.bench.verdict(changed, f"without {condition}")
            if trial.outcome in ("refuted", "malformed"):
                needed.append(condition)
            elif stands(trial):
                superfluous.append(condition)
        return tuple(needed), tuple(superfluous)


def _coordinates(evidence: tuple[Evidence, ...]) -> list[Vector]:
    """The worlds that checks found tightest, as search knows them."""
    vectors = [item.numbers.get("coordinates") for item in evidence]
    return [tuple(vector) for vector in vectors if vector]


def _narrow(lower: sympy.Expr, top: sympy.Expr) -> bool:
    return bool(top <= lower * (1 + NEAR))


def _next(
    knob: Knob, top: sympy.Expr, failed: sympy.Expr | None
) -> sympy.Expr | None:
    """The next value to try: beyond what stood, or between it and what did not; None if near.

    >>> from types import SimpleNamespace as Some
    >>> _next(Some(kind="threshold", direction=-1), sympy.Integer(8), None)
    4
    >>> _next(Some(kind="threshold", direction=-1), sympy.Integer(8), sympy.Integer(4))
    5
    >>> _next(Some(kind="threshold", direction=1), sympy.sqrt(2), None)
    2*sqrt(2)
    """
    way = knob.direction or -1
    if failed is None:
        return top + way * abs(top) / 2 if knob.kind == "exponent" or way < 0 else top * 2
    if abs(top - failed) <= NEAR * abs(top):
        return None
    factor = sympy.S.One if top.is_Rational else top.as_coeff_Mul()[1]
    low, high = sorted((sympy.nsimplify(top / factor), sympy.nsimplify(failed / factor)))
    if not (low.is_Rational and high.is_Rational):
        return None
    gap, sign = high - low, -1 if low < 0 else 1
    ends = sorted((sign * (low + gap / 4), sign * (high - gap / 4)))
    return sign * simplest_between(*ends) * factor if ends[0] > 0 else None


def _simple(lower: sympy.Expr, high: sympy.Expr) -> sympy.Expr | None:
    """The simplest number a little above a failing value and below one that stands, or None.

    Either the search came to that number itself, or it is clear of where the search ended.

    >>> _simple(sympy.Rational(249999, 10**6), sympy.Integer(1))
    1/4
    """
    factor = sympy.S.One
    if not lower.is_Rational:
        factor = lower.as_coeff_Mul()[1]
    low, top = sympy.Rational(lower / factor), sympy.nsimplify(high / factor, rational=True)
    first, last = low * (1 + BELOW / 2), min(low * (1 + ROOM), top * (1 - BELOW))
    if first >= last:
        return None
    found = simplest_between(first, last)
    if low * CONVERGED < found < low * CLEAR <= last:
        found = simplest_between(low * CLEAR, last)
    return found * factor
