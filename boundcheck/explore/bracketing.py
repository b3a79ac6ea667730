"""One constant between a value that fails in a world and one that stands at fresh seeds.

A constant is bracketed from the world in which it fails first, found by searches of its own, some
of them among larger worlds; where no world tells (thresholds, trends, draws too many to list) by
halving the way between the last value that failed and the last that stood. Search, proofs and
verdicts are the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.claim import Claim, UpToConstant
from boundcheck.encoding import decode
from boundcheck.explore.aims import UNCLEAR, aimed
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.critical import Affordable, Turning, stretched, turning_of
from boundcheck.explore.farther import broken_beyond
from boundcheck.explore.fuel import Fuel, of_verdict, of_world
from boundcheck.explore.halving import STANDING, halved
from boundcheck.explore.knobs import Knob
from boundcheck.explore.needed import SPENT
from boundcheck.explore.open_sizes import (
    TYPICAL,
    Growth,
    at_size,
    attained,
    endless,
    open_sizes,
    random_scores,
    sizes_to_look_at,
)
from boundcheck.explore.simple import BELOW, narrow, simple_near
from boundcheck.search.enlarging import USUAL
from boundcheck.verdict import Evidence, Verdict, Witness

if TYPE_CHECKING:
    from boundcheck.diagnosis.trial import Bench
    from boundcheck.search.admissible import Candidate, Candidates
    from boundcheck.search.portfolio import Objective, SearchResult

ROUNDS = 4  # values tried for one constant
TRIALS = 2  # of them there is to be fuel for, whatever the search for a failing world costs
FEWEST = 12  # worlds of a search
CLIMBS = 4  # searches for the tightest world, each from the best of the one before
GLANCE = 2  # a look at one of many sizes takes so small a part of a search
KEPT = 8  # worlds that go from one to the next
SEEN = 16  # random worlds that tell which way a number says more
LARGER = (4, 16)  # times the sizes that search goes to
SAMPLED = sympy.Rational(1, 50)  # so far below what a sequential test saw it is to refute
FOLLOWED = 3  # tight worlds beyond which it is looked
CHORDS = 4  # a world that is asked where it fails costs as much as so many others
Failing = tuple["sympy.Expr | None", "str | None", "Witness | None"]
RATES = ("inside", "exponent")
NOTHING = "no other value is known to fail or to stand"
Vector = tuple[float, ...]


class Work:
    """The trials of one sharpening, until its fuel is spent.

    Args: verdict: on the claim as printed.
    """

    def __init__(self, bench: Bench, verdict: Verdict, fuel: Fuel) -> None:
        self.bench, self.verdict, self.fuel = bench, verdict, fuel
        self.kept = 0.0  # fuel for trials of sharper values
        self.unasked: list[tuple[str, str]] = []  # constants, each with the reason
        self._parts: dict[sympy.Basic, Verdict] = {}
        self._judged: dict[str, Verdict] = {}  # by fingerprint: no claim is judged twice
        self._units: dict[str, float] = {}  # of a world, by its fields
        self._warm: dict[sympy.Basic, list[Vector]] = {}

    def brackets(self, found: list[Knob], several: bool) -> Iterator[Bracket]:
        """A bracket for each constant that there is fuel for.

        Args: several: whether there are several comparisons, each with a verdict of its own.
        """
        for knob in found:
            aim = aimed(knob, partial(self._all_worlds, knob))
            with self.fuel.part():
                trial = of_verdict(self.bench.task(knob.base, "trial"), self.units(knob.base))
                self.kept = min(TRIALS * trial, self.fuel.left / 2)
                if self.fuel.over:
                    self.unasked.append((knob.text, SPENT))
                    continue
                bracket = self._bracket(aim or knob, several)
                settled = None if bracket is None else self._settled(bracket)
            if settled is not None and aim is None and (settled.sharper or settled.unbroken):
                self.unasked.append((knob.text, UNCLEAR))
            elif settled is None:
                self.unasked.append((knob.text, SPENT if self.fuel.over else NOTHING))
            else:
                yield settled

    def _bracket(self, knob: Knob, several: bool) -> Bracket | None:
        """One bracket, from the worlds where the constant fails first if there are any."""
        if knob.kind == "threshold" or isinstance(knob.base.statement, UpToConstant):
            return halved(self, knob)
        verdict = self._part(knob, several)
        if verdict.outcome not in STANDING:
            return None
        turning = turning_of(knob, self.bench.budget.outcomes)
        if knob.where not in self._warm:
            self._warm[knob.where] = self._climbed(knob, _coordinates(verdict.evidence))
        warm = self._warm[knob.where]
        if knob.kind == "factor":
            down = knob.direction < 0
            lower = self._failing(knob, verdict, warm) if down else (None, None, None)
            if lower[0] is None and turning is not None:
                lower = self._first(knob, turning, warm)
        else:
            way = turning.direction(self._worlds(knob, warm)) if turning is not None else 0
            # What says more may depend on the world.
            if turning is None or not way or way == -knob.direction:
                return halved(self, knob) if knob.direction else None
            knob = replace(knob, direction=way)
            lower = self._first(knob, turning, warm) if knob.printed > 0 else (None, None, None)
        if lower[0] is None:
            return halved(self, knob)
        expected = lower[0]
        if turning is not None and lower[1] == "exact":
            lower, expected = self._beyond(knob, turning, lower)
        return self._approached(knob, verdict, lower, expected)

    def _settled(self, bracket: Bracket) -> Bracket:
        """A bracket without what was supported at a few of the sizes that have no end.

        A rate inside that no world attains may need magnitudes far beyond those of search.
        """
        knob, value = bracket.knob, bracket.supported
        unbroken = value
        if value is None or not bracket.says_more(value):
            return bracket
        if isinstance(knob.base.statement, UpToConstant):
            return bracket  # doubted already
        reached = attained(value, bracket.lower, bracket.evidence)
        if set(open_sizes(knob.base)) - knob.bounded:
            growth = self._growth(knob, value)
            doubt = growth.doubt(reached)
            unbroken = value if not growth.upward else (
                growth.unbroken(value, bracket.lower) if knob.kind == "factor" else None
            )
        elif knob.kind in RATES and not reached and (names := endless(knob.base)):
            doubt = f"no world attains a sharper one, and {', '.join(names)} have no end"
        else:
            doubt = ""
        if not doubt and not reached and (onward := self._beyond_search(bracket, value)):
            doubt, unbroken = f"broken where {onward} goes beyond what search looks at", None
        if not doubt:
            return bracket
        stood = "proved" if self.verdict.outcome == "proved" or bracket.proved else "supported"
        kept = {"supported": None, stood: bracket.proved or knob.printed}
        return replace(bracket, **kept, doubt=doubt, unbroken=unbroken)

    def _beyond_search(self, bracket: Bracket, value: sympy.Expr) -> str:
        """The numbers beyond search with which worlds fail half the way from where one was found
        to fail to a value that stood, or ""."""
        from boundcheck.search.admissible import Candidates

        knob, candidates = bracket.knob, Candidates(bracket.knob.base)
        turning = turning_of(knob, self.bench.budget.outcomes)
        if turning is None:
            return ""
        trial = self._judged.get(knob.turned(value).fingerprint())
        vectors = [*_coordinates(() if trial is None else trial.evidence),
                   *self._warm.get(knob.where, [])]  # fmt: skip
        worlds = [found.setting.values for vector in dict.fromkeys(vectors)
                  if (found := candidates.decode(vector)) is not None]  # fmt: skip
        if bracket.witness is not None:
            worlds.insert(0, {n: decode(each) for n, each in bracket.witness.values.items()})
        at = value if bracket.lower is None else (value + bracket.lower) / 2
        return broken_beyond(turning, float(at), worlds[:FOLLOWED])

    def _growth(self, knob: Knob, value: sympy.Expr) -> Growth:
        """How near worlds of growing sizes come to a bound, until they are too dear.

        Later constants wait for it: what it does not see would be called supported.
        """
        claim = knob.turned(value)
        tightest: dict[int, float] = {}
        typical: dict[int, Sequence[float]] = {}
        with self.fuel.all_of_it():
            for size in sizes_to_look_at(claim):
                purpose, larger = f"{knob.kind} {knob.place} size {size}", at_size(claim, size)
                scores = random_scores(self.bench.task(larger, purpose))
                self.fuel.spend(TYPICAL * claim.cost)
                if typical and not scores:
                    break
                found = self._searched(larger, purpose, [], times=size, share=GLANCE)
                if found is None or found.assessment is None:
                    break
                tightest[size] = found.assessment.score
                if scores:
                    typical[size] = scores
            cut = self.fuel.over
        return Growth(tuple(open_sizes(claim)), tightest, typical, cut)

    @property
    def _short(self) -> bool:
        """Whether what is left is for trials of sharper values."""
        return self.fuel.left <= self.kept

    def _part(self, knob: Knob, several: bool) -> Verdict:
        """The verdict on the comparison that a constant stands in."""
        if not several:
            return self.verdict
        if knob.where not in self._parts:
            self._parts[knob.where] = self.judged(knob.base, f"only {knob.where}")
        return self._parts[knob.where]

    def judged(self, claim: Claim, purpose: str, share: float = 1.0) -> Verdict:
        """The verdict of the engine on a changed claim in a share of a trial, each once."""
        mark = claim.fingerprint()
        if mark not in self._judged:
            task = self.bench.task(claim, purpose, share)
            self.fuel.spend(of_verdict(task, self.units(claim)))
            self._judged[mark] = self.bench.verdict(claim, purpose, share)
        return self._judged[mark]

    def units(self, claim: Claim, candidates: Candidates | None = None) -> float:
        """Fuel of one world of a claim, as candidates make it."""
        from boundcheck.search.admissible import Candidates

        mark = f"{type(candidates).__name__} {claim.fields}"
        if mark not in self._units:
            rng = self.bench.task(claim, "worlds").rng("units")
            self._units[mark] = of_world(candidates or Candidates(claim), rng)
        return self._units[mark]

    def _approached(
        self, knob: Knob, verdict: Verdict, lower: Failing, expected: sympy.Expr
    ) -> Bracket | None:
        """From a value that fails, or is expected to, to simple values near it that stand."""
        fails, evidence, witness = lower
        stood = {"proved": None, "supported": None, verdict.outcome: knob.printed}
        top, floor = knob.printed, expected
        for _ in range(ROUNDS):
            value = None if self.fuel.over else simple_near(floor, top, knob.direction)
            if value is None or narrow(floor, top, knob.direction):
                break  # so near to a world that fails, support would not mean much
            trial = self.judged(knob.turned(value), f"{knob.kind} {value}")
            if trial.outcome in STANDING:
                top = stood[trial.outcome] = value
                continue
            if trial.outcome == "refuted" and trial.witness is not None:
                fails, evidence, witness = value, trial.kind, trial.witness
            floor = value
        return Bracket(knob, fails, evidence, stood["supported"], stood["proved"], witness)

    # the worlds where a constant fails first

    def _searched(
        self, claim: Claim, purpose: str, warm: list[Vector], objective: Objective | None = None,
        times: int = 1, share: int = 1,
    ) -> SearchResult | None:  # fmt: skip
        """A search for the tightest world of a claim, or None where one cannot be made."""
        from boundcheck.checks.enumeration import SCREENED
        from boundcheck.search.admissible import Candidates
        from boundcheck.search.portfolio import Search, deterministic_objective

        task = self.bench.task(claim, purpose)
        candidates = Affordable(task.claim) if times > 1 else Candidates(task.claim)
        each = 1 if objective is None else CHORDS * times
        evaluations = max(task.evaluations // each // share, FEWEST)
        units = max(each * task.claim.cost, min(each, CHORDS) * self.units(claim, candidates))
        if times > 1 and evaluations * units > self.fuel.left:  # as many as there is enough for
            evaluations = int(self.fuel.left / units)
            if evaluations < FEWEST:
                return None
        self.fuel.spend(evaluations * units)
        try:
            return Search(
                candidates, objective or deterministic_objective(task.budget.outcomes),
                task.rng("turn"), evaluations=evaluations, warm=warm,
                seconds=task.budget.seconds, upwards=False, effort=task.budget.effort,
                screened=0 if times > 1 else SCREENED * evaluations,
            ).run()  # fmt: skip
        except Exception:  # definitions may refuse a world in any way
            return None

    def _worlds(self, knob: Knob, warm: list[Vector]) -> list[Mapping[str, Any]]:
        """Some worlds of the claim: tight ones and random ones."""
        from boundcheck.search.admissible import Candidates

        candidates = Candidates(knob.base)
        rng = self.bench.task(knob.base, f"{knob.kind} {knob.place} worlds").rng("worlds")
        found = [candidates.decode(vector) for vector in warm]
        found += [candidates.random(rng) for _ in range(SEEN)]
        return [candidate.setting.values for candidate in found if candidate is not None]

    def _all_worlds(self, knob: Knob) -> list[Mapping[str, Any]]:
        """Some worlds of the claim, and of a hypothesis some that others of them admit or not."""
        free = replace(knob, base=replace(knob.base, given=(), families=()))
        wider = self._worlds(free, []) if knob.kind == "threshold" else []
        return [*wider, *self._worlds(knob, [])]

    def _first(self, knob: Knob, turning: Turning, warm: list[Vector], times: int = 1) -> Failing:
        """A value right beyond the one at which the first world fails, refuted there.

        Args: times: the sizes that search goes to.
        """
        claim = stretched(knob.base, times) if times > 1 else knob.base
        best: float | None = None
        for turn in range(CLIMBS):
            if claim is None or self._short:
                break
            purpose = f"{knob.kind} {knob.place} first {turn} {times}"
            found = self._searched(claim, purpose, warm, turning.objective(knob.direction), times)
            reached = _earliest(found, turning, knob.direction)
            if found is None or reached is None:
                break
            at = reached[0]
            warm = [reached[1].vector, *(world.vector for _, world in found.pool[:KEPT])]
            if abs(at - knob.printed) <= BELOW * knob.printed:
                best = at
                break  # nowhere earlier
            gained = best is None or knob.direction * (best - at) > 10 * BELOW * at
            best = at if best is None else knob.direction * min(
                knob.direction * best, knob.direction * at
            )
            if not gained:
                break
        return (None, None, None) if best is None else self._refuted(knob, best, warm, times)

    def _refuted(self, knob: Knob, at: float, warm: list[Vector], times: int = 1) -> Failing:
        """A value right beyond another, refuted in one of the given worlds."""
        from boundcheck.checks import enumeration
        from boundcheck.engine import guarded

        beyond = 1 + knob.direction * BELOW
        value = sympy.Rational(at).limit_denominator(10**9) * beyond
        claim = knob.turned(value)
        claim = claim if times == 1 else stretched(claim, times) or claim
        task = self.bench.task(claim, f"{knob.kind} {knob.place} beyond {times}")
        task = replace(task, warm=tuple(warm))
        self.fuel.spend(len(warm) * times * claim.cost)
        item = guarded("sharpen", lambda: enumeration.run(task))
        if item.outcome != "refuted":
            return None, None, None
        return value, item.kind, item.witness

    def _beyond(
        self, knob: Knob, turning: Turning, lower: Failing
    ) -> tuple[Failing, sympy.Expr]:
        """The same among larger worlds than search looks at, as long as they fail earlier.

        Returns: what fails, and where it may be expected to fail among still larger worlds: as far
        again as the last sizes brought it.
        """
        value, expected = lower[0], lower[0]
        for times in LARGER if knob.base.cost <= USUAL else ():
            if self._short or abs(value - knob.printed) <= 10 * BELOW * knob.printed:
                break
            more = self._first(knob, turning, [], times)
            if more[0] is None or knob.direction * (value - more[0]) <= 0:
                break
            lower, value, expected = more, more[0], more[0] + (more[0] - value)
        return lower, expected

    def _climbed(self, knob: Knob, warm: list[Vector]) -> list[Vector]:
        """Worlds in which the statement is tightest, by searches that begin at the best so far."""
        best = 0.0
        for turn in range(CLIMBS):
            if self._short or (not turn and self._ratio(knob, warm) == 1):
                break
            found = self._searched(knob.base, f"{knob.kind} {knob.place} climb {turn}", warm)
            if found is None or found.assessment is None:
                break  # draws too many to enumerate
            score = found.assessment.score
            warm = [candidate.vector for _, candidate in found.pool[:KEPT]]
            if score >= 1 or score <= best * (1 + 1e-9):
                break
            best = score
        return warm

    def _failing(self, knob: Knob, verdict: Verdict, warm: list[Vector]) -> Failing:
        """A value right below the least slack, refuted at the world where it was seen."""
        from boundcheck.checks import enumeration, sampling
        from boundcheck.engine import guarded

        told = [item for item in verdict.evidence
                if item.slack and item.slack < float("inf")]  # fmt: skip
        if not told:
            return None, None, None
        tightest = min(told, key=lambda item: item.slack or 0.0)
        exactly = tightest.check == enumeration.NAME
        seen = {sympy.Rational(1 / (tightest.slack or 1.0)).limit_denominator(10**9)}
        if exactly and (most := self._ratio(knob, warm)) is not None:
            seen.add(max(most, *seen))  # 1 also where both sides are zero, which tells nothing
        warm = [*_coordinates(verdict.evidence), *warm]
        check = enumeration if exactly else sampling
        for ratio in sorted(seen, reverse=True):
            value = knob.printed * ratio * (1 - (BELOW if exactly else SAMPLED))
            task = self.bench.task(knob.turned(value), f"{knob.kind} below")
            item = guarded("sharpen", partial(check.run, replace(task, warm=tuple(warm))))
            if item.outcome == "refuted":
                return value, item.kind, item.witness
        return None, None, None

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


def _coordinates(evidence: tuple[Evidence, ...]) -> list[Vector]:
    """The worlds that checks found tightest, as search knows them."""
    vectors = [item.numbers.get("coordinates") for item in evidence]
    return [tuple(vector) for vector in vectors if vector]


def _earliest(
    found: SearchResult | None, turning: Turning, way: int
) -> tuple[float, Candidate] | None:
    """The first value at which the best world of a search fails, and that world."""
    for world in () if found is None else (found.violation, found.best):
        at = None if world is None else turning.critical(world.setting.values, way)
        if world is not None and at is not None:
            return at, world
    return None
