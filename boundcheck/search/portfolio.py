"""The search for the tightest or violating setting of a claim under one budget of evaluations.

A portfolio of members shares the budget: hostile random worlds, local moves, polishing,
differential evolution, CMA-ES and Hypothesis. A few random worlds open, hostile and uniform ones
by turns, then those that floats chose among many, then more random ones; then a bandit gives turns
to the members in proportion to how often they improved the best world lately.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from boundcheck.fuel import OutOfFuel, limit
from boundcheck.scores import says_nothing
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.arena import NOTHING, WORST, Arena, Entry, log_score
from boundcheck.search.enlarging import larger_worlds, worlds_apart, worlds_known
from boundcheck.search.entrants import BESIDE, GENERIC, PORTFOLIO, Entrant
from boundcheck.search.generation import Generation
from boundcheck.search.levels import movable
from boundcheck.search.members import Member, Proposal, Steps, choose
from boundcheck.search.objective import Assessment, assess
from boundcheck.search.screening import Screen
from boundcheck.search.supply import all_worlds, as_text, small_world

SHARE_KEPT = 0.5  # of log(score) that shrinking must keep, but
SCREEN_SHARE = 20  # one evaluation in so many goes to the worlds that floats chose
FIRST = 16  # hostile worlds before those that floats chose
PLAIN = 40  # uniform worlds, and as many corners, of the opening at most
ROUNDS = 20  # times the worlds asked for are tried beyond the budget
WORTH, CHEAP_WORTH = 0.05, 0.01  # share of them that must be decided to go on
FEW_CALLS = 200_000  # of functions, for a larger world that need not pay
GRANTED = 20_000  # effort for larger worlds after the smallest searches: a thousand small worlds
APART = 0.25  # of that effort goes to worlds with one part apart, and to known ones
STALE, FEWEST_STALE = 0.25, 100  # share of the budget, and worlds, without a better one: enough
CLEAR = 2.0  # a violation by this factor is clear, and a simple world counts for more than size


@dataclass
class SearchResult:
    """What a search saw.

    Args:
        best, assessment: the highest-scoring admissible setting, or None.
        violation: a certified violation, unshrunk, or None.
        undefined: the first admissible setting without a value, or None.
        evaluated, silent: admissible settings assessed, and those the statement said nothing on.
        undecided: those where balls could not tell whether it holds.
        informative: whether a tested world has a right side below the trivial bound.
        rejected: hypothesis text to number of worlds given up.
        pool: good settings with their scores. turns: evaluations by member.
        screened: raw worlds that floats looked at before.
        decided: different worlds in which the statement says something that was decided.
        complete: whether these are all in the ranges that search looks in. few: how many worlds
        there are in these ranges, where they were looked at one by one.
        equations: what hypotheses ask for, where some world missed it, and in how many worlds that
        were moved onto it the statement was decided. doubtful: worlds that may fail, where asked.
    """

    best: Candidate | None = None
    assessment: Assessment | None = None
    violation: Candidate | None = None
    undefined: tuple[Candidate, str] | None = None
    evaluated: int = 0
    silent: int = 0
    undecided: int = 0
    informative: bool = False
    rejected: dict[str, int] = field(default_factory=dict)
    out_of_time: bool = False
    pool: list[tuple[float, Candidate]] = field(default_factory=list)
    turns: dict[str, int] = field(default_factory=dict)
    screened: int = 0
    decided: int = 0
    complete: bool = False
    few: int | None = None
    equations: dict[str, int] = field(default_factory=dict)
    doubtful: int = 0


Objective = Callable[[Candidate], Assessment]


class Finished(BaseException):
    """The search is over. No Exception, so that no member can catch it by accident."""


class Search:
    """A search over the settings of one claim.

    Args:
        candidates: builder of admissible settings.
        objective: assessment of one of them.
        rng: numpy Generator; evaluations: attempts in total; seconds: safety cap.
        warm: vectors of earlier best worlds, assessed first.
        members: names of the members that may play; all by default.
        database: example database for Hypothesis, kept between runs if the caller keeps it.
        screened: raw worlds assessed in floats first, where the claim allows it; the best of
        them follow the opening and count as evaluations.
        least: different worlds to decide; what is missing is looked for beyond `evaluations`.
        upwards: whether good worlds are made larger, beyond `evaluations` too.
        patient: whether the whole budget is spent, for the worlds met and not the best of them.
        effort: of worlds assessed, as `Effort` counts it, at which the search ends.
        listed: outcomes of the draw of the claim that the objective lists.
    """

    def __init__(
        self,
        candidates: Candidates,
        objective: Objective,
        rng: Any,
        *,
        evaluations: int,
        seconds: float = math.inf,
        warm: Sequence[Sequence[float]] = (),
        members: Sequence[str] | None = None,
        database: Any = None,
        screened: int = 0,
        least: int = 0,
        upwards: bool = True,
        patient: bool = False,
        effort: float = math.inf,
        listed: float = math.inf,
    ) -> None:
        self.candidates, self.objective = candidates, objective
        self.rng = rng
        self.evaluations = evaluations
        self.left = evaluations
        self.deadline = time.process_time() + seconds
        self.warm, self.database = warm, database
        self.screened, self.least, self.upwards = screened, least, upwards
        self.effort, self.patient, self.beside = effort, patient, BESIDE[: 2 - patient]
        self.ends = members is None  # of the whole portfolio: worlds that floats cannot follow
        self._decided: set[str] = set()
        self._solved: set[str] = set()
        self._unlisted = False
        self.result = SearchResult(rejected=candidates.rejected)
        self.arena = Arena(candidates, rng, listed=listed)
        self.entrants = [
            entrant for entrant in PORTFOLIO
            if (entrant.least <= evaluations if members is None else entrant.name in members)
        ]  # fmt: skip
        self._running: dict[str, tuple[Steps, float | None]] = {}
        self._generation: Generation | None = None
        self._generic = True

    def run(self) -> SearchResult:
        """Search until a certified violation, the budget, or the deadline."""
        every = all_worlds(self.candidates, self.least)
        self._guard(self._portfolio if every is None else lambda: self._each(every))
        if self.result.violation is None and self.upwards:
            self._guard(self._larger)
        if self.result.violation is None and self.result.decided < self.least and every is None:
            self._guard(self._more)
        if self.candidates.equations.missed:
            self.result.equations = {str(self.candidates.equations): len(self._solved)}
        self.result.pool = [(entry.score, entry.candidate) for entry in self.arena.elite]
        return self.result

    @staticmethod
    def _guard(work: Callable[[], None]) -> None:
        with suppress(Finished):
            work()

    def _portfolio(self) -> None:
        for vector in self.warm:
            self.evaluate(vector)
        opening = self._opening() if any(e.name == "random" for e in self.entrants) else 0
        first = min(FIRST, opening // 2)
        if opening:  # what fails anywhere falls here, before floats are set up
            self._open(first, first, BESIDE[:1])
        self._screen()
        if opening:
            self._open(opening - first, min(PLAIN, opening // 2) - first, self.beside)
        self._bandit()

    def _open(self, hostile: int, plain: int, beside: Sequence[Entrant]) -> None:
        """Random worlds, one of each kind beside them before each of so many hostile ones."""
        for place in range(hostile):
            for entrant in (*(beside if place < plain else ()), self.entrants[0]):
                self._turn(entrant, 1)

    def _each(self, every: list[Candidate | None]) -> None:
        """Every world of small ranges."""
        self.left = len(every)
        for candidate in every:
            self.evaluate(candidate)
        found = self.result
        found.few = sum(candidate is not None for candidate in every)
        found.complete = not (found.undecided or found.undefined is not None or self._unlisted)

    def _larger(self) -> None:
        """Good worlds made larger, beyond the budget, for as much effort again as it took; then
        for a part of that with one part apart from the others, and for as much known ones."""
        granted = max(self.arena.spent, GRANTED)
        self._follow(larger_worlds(self.arena, ends=self.ends), granted)
        if self.ends:
            self._follow(worlds_apart(self.arena), granted * APART)
            self._follow(worlds_known(self.arena), granted * APART)

    def _follow(self, steps: Steps, granted: float) -> None:
        value, most = None, self.arena.spent + granted
        while self.arena.spent < most:
            try:
                proposal = steps.send(value)
            except StopIteration:
                return
            self.left = 1
            value = self._hurried(proposal) if self.arena.hurried else self.evaluate(proposal)

    def _hurried(self, proposal: Proposal) -> float:
        """Value of a proposal that may take little only."""
        with suppress(OutOfFuel), limit(FEW_CALLS):
            return self.evaluate(proposal)
        return WORST

    def _more(self) -> None:
        """Small random worlds until enough are decided, or that is seen to be hopeless."""
        before, costly = self.result.decided, self.candidates.claim.cost > 1
        for tried in range(ROUNDS * self.least):
            gained = self.result.decided - before
            hopeless = gained < tried * (WORTH if costly else CHEAP_WORTH)
            if before + gained >= self.least or (tried >= self.least and hopeless):
                return
            self.left += 1
            self.evaluate(small_world(self.candidates, self.rng))

    def _screen(self) -> None:
        """The most promising of many raw worlds, judged in floats."""
        if not self.screened:
            return
        screen = Screen(self.candidates, self.rng)
        for hurried in (True, False) if screen.works else ():
            kept = self.evaluations // SCREEN_SHARE
            chosen = screen.best(self.rng, self.screened, kept, hurried=hurried)
            self.result.screened = screen.looked
            for vector in chosen:
                self.evaluate(vector)
            if not screen.stopped:  # else floats made up what ended the look
                return

    def _opening(self) -> int:
        """Hostile worlds to begin with: half of a small budget, a smaller share of a large one."""
        return int(self.evaluations / 2 if self.evaluations <= 200 else
                   min(100 + (self.evaluations - 200) * 0.1, 500))  # fmt: skip

    def _bandit(self) -> None:
        """Turns for members until the budget is spent or a good part of it brought nothing.

        Where no world has a score yet nothing is told by its standing still.
        """
        credits = [entrant.credit for entrant in self.entrants]
        slice_length = min(max(self.evaluations // 50, 10), 60)
        stale, patience = 0, max(int(self.evaluations * STALE), FEWEST_STALE)
        while self.patient or stale < patience:
            floor = [e.floor_tight if self.arena.tight else e.floor for e in self.entrants]
            which = choose(self.rng, [f + c for f, c in zip(floor, credits, strict=True)])
            before = self.arena.best
            used = self._turn(self.entrants[which], slice_length)
            gain = self.arena.best - before
            moved = gain > 1e-9 or self.arena.best <= NOTHING
            stale = 0 if moved else stale + max(used, 1)
            reward = 0.0 if gain < 1e-9 else min(1.0, math.sqrt(gain / 0.02))
            credits[which] = 0.85 * credits[which] + 0.15 * (reward if used else 0.0)

    def _turn(self, entrant: Entrant, turns: int) -> int:
        """Let one member play; the number of evaluations it made."""
        start, self._generic = self.left, entrant.name in GENERIC
        try:
            if entrant.member is None:
                self._hypothesis(max(turns, 60))
            else:
                self._steps(entrant.name, entrant.member, turns)
        finally:
            used = start - self.left
            played = self.result.turns
            played[entrant.name] = played.get(entrant.name, 0) + used
        if not used:
            self._spend()  # a member with nothing to do must not stop the clock
        return used

    def _steps(self, name: str, member: Member, turns: int) -> None:
        if name not in self._running:
            self._running[name] = (member(self.arena), None)
        for _ in range(turns):
            steps, value = self._running[name]
            try:
                proposal = steps.send(value)
            except StopIteration:
                del self._running[name]
                return
            self._running[name] = (steps, self.evaluate(proposal))

    def _hypothesis(self, turns: int) -> None:
        if self._generation is None:
            self._generation = Generation(self.candidates, self.rng, database=self.database)
        if self.left > 0:
            self._generation.play(min(turns, self.left), self.evaluate)

    def _spend(self) -> None:
        if self.left <= 0:
            raise Finished
        self.left -= 1

    def evaluate(self, proposal: Proposal) -> float:
        """Value of one proposal, which is remembered; raises Finished when the search is over."""
        self._spend()
        if self.arena.spent > self.effort or time.process_time() > self.deadline:
            self.result.out_of_time = True
            raise Finished
        if proposal is None or isinstance(proposal, Candidate):
            candidate = proposal
        else:
            candidate = self.candidates.decode(proposal)
        if candidate is None:
            return WORST
        value, onward = self._assess(candidate)
        if onward is not None and self.left > 0:
            self._spend()
            self._assess(onward)
        return value

    def _assess(self, candidate: Candidate) -> tuple[float, Candidate | None]:
        """The value of a world, and the world that it shows to be nearer to failing."""
        found, result = self.objective(candidate), self.result
        result.evaluated += 1
        if not found.passed:
            self.arena.spent += self.arena.effort(candidate.setting.values)
            self.left -= self.arena.effort.evaluations(candidate.setting.values)
        if found.undefined:
            result.undefined = result.undefined or (candidate, found.undefined)
            return WORST, None
        result.undecided += found.undecided
        self._unlisted = self._unlisted or found.unlisted
        if math.isnan(found.score):
            result.silent += not found.undecided
            return WORST, None
        result.informative = result.informative or not says_nothing(candidate.setting)
        if not found.undecided and candidate.solved:
            self._solved.add(as_text(candidate))
        if not found.undecided and self.least:
            self._decided.add(as_text(candidate))
            result.decided = len(self._decided)
        entry = Entry(log_score(found.score), found.score, candidate)
        self.arena.record(entry, generic=self._generic)
        if result.assessment is None or found.score > result.assessment.score:
            result.best, result.assessment = candidate, found
        if found.violated:
            result.best, result.assessment, result.violation = candidate, found, candidate
            raise Finished
        if not found.nearer:
            return entry.value, None
        name = movable(self.candidates.claim)
        return entry.value, self.arena.moved(candidate, name, fmpq(found.nearer))


def deterministic_objective(outcomes: int) -> Objective:
    """Assessment by exact enumeration up to the given number of outcomes."""
    return lambda candidate: assess(candidate.setting, outcomes=outcomes)
