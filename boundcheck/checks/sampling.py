"""Monte Carlo for draws too large to enumerate, decided by sequential tests on fresh draws.

Search looks at as many worlds as it likes on draws of its own; what it names is then tested on
draws it has never seen, and each test may spend a share of the claim's error probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sympy

from boundcheck.checks.base import Task
from boundcheck.checks.batches import (
    CERTIFIED,
    LOOP_LIMIT,
    RELATIVE_MARGIN,
    SAMPLED,
    Batch,
    Kept,
    fresh,
    has_estimators,
    ratios,
    suspected,
    violations,
)
from boundcheck.checks.enumeration import describe, in_turn, purpose, searched, supported
from boundcheck.checks.levels import nothing_claimed
from boundcheck.checks.means import test_mean
from boundcheck.checks.resolution import sampled_slack, shrinkable
from boundcheck.claim import Expected, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision, to_ball, to_float
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.merging import merged
from boundcheck.search.objective import SILENT, Assessment
from boundcheck.search.portfolio import SearchResult
from boundcheck.search.shrink import shrink
from boundcheck.setting import Setting, guarded
from boundcheck.verdict import Evidence

NAME = "sampling"
SUSPECTS = 3
KINDS = 40  # random worlds from which it is told whether they can be enumerated
PROBE = 400  # draws per world while searching
LARGEST = 1 - 2.0**-50  # probability that is tested: none is above one
RESOLVED = 10**6  # fresh draws per suspect that are kept to find the slack


def run(task: Task) -> Evidence:
    """Search on probe draws, then test the worst worlds on fresh ones."""
    if not restarts(task):
        return concluded(task, SearchResult())
    return concluded(task, merged(in_turn(task, search)))


def restarts(task: Task) -> int:
    """Number of searches of this check, each a shard of its own; 0 if nothing is to be sampled."""
    sampled = isinstance(task.claim.statement, (WithProbability, Expected))
    return task.restarts if task.claim.draw is not None and sampled else 0


def search(task: Task, shard: int = 0) -> SearchResult:
    """One of the independent searches, on probe draws of its own."""
    candidates, rng = Candidates(task.claim), task.rng(purpose(f"{NAME} probe", shard))
    draw, probe = task.claim.draw, _probes(candidates, rng)
    assert draw is not None

    def objective(candidate: Candidate) -> Assessment:
        if draw.count(candidate.setting) <= task.budget.outcomes:
            return SILENT  # enumeration has judged this world exactly
        if _is_beyond_tests(task, candidate.setting, probe):
            return SILENT
        return _probe(candidate.setting, rng, probe)

    evaluations = max(task.evaluations // 12, 12)
    least = task.least if _all_sampled(task, candidates) else 0
    return searched(
        task, purpose(NAME, shard), candidates, objective, evaluations, least=least
    )  # fmt: skip


def _all_sampled(task: Task, candidates: Candidates) -> bool:
    """Whether nearly no world can be enumerated, so that draws alone say anything."""
    rng, draw = task.rng(f"{NAME} kinds"), task.claim.draw
    found = [candidates.random(rng) for _ in range(KINDS)]
    settings = [candidate.setting for candidate in found if candidate is not None]
    assert draw is not None
    return sum(draw.count(s) <= task.budget.outcomes for s in settings) * 5 < len(settings)


def concluded(task: Task, result: SearchResult) -> Evidence:
    """The worst worlds of a search put to tests on fresh draws."""
    claim, draw = task.claim, task.claim.draw
    if draw is None or isinstance(claim.statement, UpToConstant):
        return Evidence(NAME, None, "nothing is sampled")
    if not restarts(task):
        return Evidence(NAME, None, "a statement for every outcome is not tested by sampling")
    if result.assessment is None:
        equations = any(isinstance(part, (sympy.Eq, sympy.Ne))
                        for _, part in guarded(claim.statement.relation))  # fmt: skip
        left = "an equation is not tested on draws" if equations else (
            "every world met was enumerated exactly")  # fmt: skip
        why = nothing_claimed(task) or left
        return Evidence(NAME, None, why)
    candidates, rng = Candidates(claim), task.rng(f"{NAME} shrinking")
    probe = _probes(candidates, rng)
    result.pool.sort(key=lambda item: -item[0])
    worst = [candidate for score, candidate in result.pool if score > 1]
    if isinstance(claim.statement, WithProbability):
        again = task.rng(f"{NAME} suspects")
        worst.sort(key=lambda candidate: -_excess(candidate.setting, again, probe))
    for place, candidate in enumerate(worst[:SUSPECTS]):
        found = _decide(task, candidates, candidate, place, rng, probe)
        if found is not None:
            return found
    power = (
        f"sampled over {draw.over}: {probe} draws per world, "
        f"{_draws(task, probe)} fresh ones for suspects"
    )
    return supported(NAME, result, power, *_resolution(task, result, probe))


def _probes(candidates: Candidates, rng: Any) -> int:
    """Draws for a look at one world."""
    return PROBE if _vectorised(candidates, rng) else 60


def _vectorised(candidates: Candidates, rng: Any) -> bool:
    for _ in range(20):
        candidate = candidates.random(rng)
        if candidate is not None:
            return has_estimators(candidate.setting)
    return False


def _resolution(task: Task, result: SearchResult, probe: int) -> tuple[float | None, str]:
    """Slack at the worst worlds, by the test on fresh draws, and what it says."""
    if not (shrinkable(task.claim) and task.budget.resolved):
        return None, ""
    share = max(task.claim.cost, 1.0)
    draws = max(int(min(_draws(task, probe), RESOLVED) / share), min(_draws(task, probe), 2_000))
    alpha = task.alpha / 2
    suspects = [(score, candidate.setting) for score, candidate in result.pool[:SUSPECTS]]
    kept = [
        Kept(fresh(setting, task.rng(f"{NAME} resolution {place}"), draws))
        for place, (_, setting) in enumerate(suspects)
    ]

    def refutes(setting: Setting, place: int) -> bool:
        def batches() -> Iterator[Batch]:
            return kept[place].under(setting)

        if isinstance(setting.claim.statement, Expected):
            return test_mean(task, setting, batches, alpha, draws) is not None
        # Nothing is accused here, so floats need not be certified one by one.
        less = allowed(setting) < 1
        return less and violation_test(setting, batches(), alpha, suspected)[0].rejects

    slack = sampled_slack(task.claim, suspects, refutes)
    if slack is None:
        return None, f"the test on {draws} fresh draws refutes no smaller bound of the same sign"
    return slack, f"the test on {draws} fresh draws refutes a bound smaller by that factor"


def _draws(task: Task, probe: int) -> int:
    return task.budget.draws if probe == PROBE else min(task.budget.draws, LOOP_LIMIT)


def allowed(setting: Setting) -> float:
    """1 - level of a probability statement, as a float rounded up; 0 for a level above one."""
    form = setting.claim.statement
    assert isinstance(form, WithProbability)
    with precision(PRECISIONS[-1]):
        value = to_float(to_ball(1 - setting.evaluate(form.level)).upper())
    return max(math.nextafter(value, math.inf), 0.0)


def _tested(setting: Setting) -> float:
    """The probability of a violation that a test refutes: what is allowed, and rounding draws."""
    return min(allowed(setting) + SAMPLED, LARGEST)


def _probe(setting: Setting, rng: Any, size: int) -> Assessment:
    """Estimated score of one world from probe draws."""
    import numpy

    try:
        batch = Batch(setting, setting.draw.sample(setting, rng, size))
        if isinstance(setting.claim.statement, Expected):
            return Assessment(_mean_ratio(setting, batch), False, {})
        values = ratios(setting.claim.statement.relation, batch)
        level = 1 - allowed(setting)
        if level <= 0:
            return SILENT  # a probability of at least zero is no promise
        score = float(numpy.quantile(values, level, method="lower"))
    except (Undefined, Undecided):
        return SILENT
    return Assessment(score if score > -math.inf else math.nan, False, {})


def _is_beyond_tests(task: Task, setting: Setting, probe: int) -> bool:
    """Whether a probability statement promises so little that no draws could refute it, were all
    of them violations."""
    if not isinstance(setting.claim.statement, WithProbability):
        return False
    try:
        most = _tested(setting)
    except (Undefined, Undecided):
        return False  # the probe tells
    return most > 0 and _draws(task, probe) * math.log(most) > math.log(task.alpha / 2)


def _excess(setting: Setting, rng: Any, size: int) -> float:
    """By how many standard deviations violations among fresh draws exceed what is allowed.

    The score that search has climbed is the largest of many, from few draws where levels are low.
    """
    try:
        batch = Batch(setting, setting.draw.sample(setting, rng, size))
        hits = float(suspected(setting.claim.statement.relation, batch).mean())
        most = allowed(setting)
    except (Undefined, Undecided):
        return -math.inf
    return (hits - most) / math.sqrt((most * (1 - min(most, 1)) + 1 / size) / size)


def _mean_ratio(setting: Setting, batch: Batch) -> float:
    from boundcheck.checks.batches import side_values
    from boundcheck.setting import live, pressure, sides

    scores = []
    for part in live(setting.claim.statement.relation, setting):
        if isinstance(part, sympy.Eq):
            return math.nan
        smaller, larger = sides(part)
        low, high = side_values(smaller, batch).mean(), side_values(larger, batch).mean()
        scores.append(pressure(part, _ball(low), _ball(high)))
    return max(scores, default=math.nan)


def _ball(value: float) -> Any:
    from flint import arb

    return arb(float(value))


def _decide(
    task: Task, candidates: Candidates, candidate: Candidate, place: int, rng: Any, probe: int
) -> Evidence | None:
    """The sequential test on fresh draws for one suspect, shrunk first."""
    def still(trial: Candidate) -> bool:
        found = _probe(trial.setting, rng, probe)
        return found.score > 1.0 + RELATIVE_MARGIN

    small = shrink(candidate, candidates, still, attempts=task.budget.shrinks // 6)
    for offset, suspect in enumerate((small, candidate) if small is not candidate else (small,)):
        alpha = task.alpha / 2 ** (2 * place + offset + 1)
        stream = f"{NAME} fresh {place} {offset}"
        evidence = decide_setting(
            task, suspect.setting, task.rng(stream), alpha, _draws(task, probe), stream
        )
        if evidence is not None:
            return evidence
    return None


def decide_setting(
    task: Task, setting: Setting, rng: Any, alpha: float, draws: int, stream: str = ""
) -> Evidence | None:
    """A refutation at error probability alpha from at most `draws` fresh draws, or None.

    Args: stream: the purpose that `rng` was made for, kept in the witness so that the re-check
    repeats the very draws.
    """
    if isinstance(setting.claim.statement, Expected):
        return test_mean(
            task, setting, lambda: fresh(setting, rng, draws), alpha, draws, stream
        )
    if allowed(setting) >= 1:
        return None
    test, hits, seen = violation_test(setting, fresh(setting, rng, draws), alpha)
    if not test.rejects:
        return None
    shown = {
        "violations": str(hits), "draws": str(seen), "allowed": f"{allowed(setting):.9g}",
    }  # fmt: skip
    witness = task.witness("statistical", setting, shown, alpha=alpha, draws=draws,
                           seed=task.seed, stream=stream)  # fmt: skip
    detail = (
        f"P(violation) is above the allowed {allowed(setting):.6g}: {hits} of {seen} fresh draws "
        f"violate (error probability {alpha:.2g}) at {describe(witness)}"
    )
    return Evidence(
        NAME, "refuted", detail, kind="statistical", error_probability=alpha, witness=witness,
        numbers={"hits": hits, "draws": seen},
    )  # fmt: skip


def violation_test(
    setting: Setting, batches: Iterable[Batch], alpha: float,
    find: Callable[[sympy.Basic, Batch], Any] = violations,
) -> tuple[Any, int, int]:  # fmt: skip
    """The test process after rejection or the last batch: (test, violations, draws used).

    Args: find: which outcomes of a batch violate the relation.

    Violations are certified one by one; there is an end to that, and stopping is always valid.
    What is rarer than the sampler is exact refutes nothing.
    """
    from boundcheck.statistics import ViolationTest

    test = ViolationTest(_tested(setting), alpha)
    hits = seen = 0
    most = max(CERTIFIED / max(setting.claim.cost, 1.0), 200) if find is violations else math.inf
    for batch in batches:
        violated = find(setting.claim.statement.relation, batch)
        test = test.update(violated)
        hits, seen = hits + int(violated.sum()), seen + batch.size
        if test.rejects or hits >= most:
            break
    return test, hits, seen
