"""How close search comes to known suprema, against single methods at an equal budget.

    python -m boundcheck.search.benchmark [--seeds 5] [--budgets 300,1000,3000] [--jobs 2]
    python -m boundcheck.search.benchmark --seconds 10 [--seeds 5]
    python -m boundcheck.search.benchmark --until 1000 [--seeds 5]

prints the tables of BENCHMARK.md: medians over seeds of best found / known supremum at equal
evaluations, and of what it takes until a false inequality is refuted: processor seconds at equal
time, exact evaluations at equal evaluations.
"""

from __future__ import annotations

import contextlib
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck.boundary.numbers import MOST_JOBS
from boundcheck.boundary.tools import ToolParser, integer, parser_of, positive, run, several
from boundcheck.claim import Claim, Holds, Source
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.arena import WORST
from boundcheck.search.documented import documented
from boundcheck.search.generation import Generation
from boundcheck.search.objective import SILENT
from boundcheck.search.portfolio import Search, deterministic_objective
from boundcheck.search.problems import false_claims
from boundcheck.worlds.fields import Matrix, Vector, Weights
from boundcheck.worlds.space import Space

PLACE = Source("boundcheck", 2026, "Search benchmark").at("table")
VARIABLES = 5
DEVIATION = fmpq(1, 20)  # of the mean; the tail is that of the sum beyond 1/4


@dataclass(frozen=True)
class Problem:
    """A claim whose score has a known supremum.

    Args: best: the supremum of left/right of the claim, so that scores divided by it end at 1.
    """

    name: str
    claim: Claim
    best: float


def spread(spectrum: Any, weights: Any) -> fmpq:
    """(x^T A x)(x^T A^-1 x) for a unit vector with squared coordinates `weights`."""
    first = sum((w * v for w, v in zip(weights, spectrum, strict=True)), fmpq(0))
    second = sum((w / v for w, v in zip(weights, spectrum, strict=True)), fmpq(0))
    return first * second


def commutator_norm(X: Any, Y: Any) -> arb:
    """||XY - YX||_F."""
    gap = X * Y - Y * X
    return arb(sum((v * v for v in gap.entries()), fmpq(0))).sqrt()


def norm_product(X: Any, Y: Any) -> arb:
    """||X||_F ||Y||_F."""
    squares = [sum((v * v for v in matrix.entries()), fmpq(0)) for matrix in (X, Y)]
    return arb(squares[0] * squares[1]).sqrt()


def tail_of_mean(low: Any, high: Any, chance: Any) -> fmpq:
    """P(mean - E mean >= DEVIATION), X_i = high_i with probability chance_i, else low_i."""
    centre = sum(
        (p * b + (1 - p) * a for a, b, p in zip(low, high, chance, strict=True)), fmpq(0)
    )
    line = centre + VARIABLES * DEVIATION
    law = [(fmpq(0), fmpq(1))]
    for a, b, p in zip(low, high, chance, strict=True):
        law = [(s + v, q * w) for s, q in law for v, w in ((b, p), (a, 1 - p)) if w]
    return sum((q for s, q in law if s >= line), fmpq(0))


def problems() -> list[Problem]:
    """The three problems; the last known ratio is attained by Bernoulli variables of mean 19/20."""
    left, right = sympy.symbols("left right", real=True)
    kantorovich = Claim(
        source=PLACE, statement=Holds(left <= sympy.Rational(255025, 10000)),
        worlds=Space(spectrum=Vector(10, 1, 100), weights=Weights(10, zeros=True)),
        measure={left: spread},
    )  # fmt: skip
    boettcher_wenzel = Claim(
        source=PLACE, statement=Holds(left <= sympy.sqrt(2) * right),
        worlds=Space(X=Matrix(3, 3), Y=Matrix(3, 3)),
        measure={left: commutator_norm, right: norm_product},
    )  # fmt: skip
    bound = sympy.exp(-2 * VARIABLES * sympy.Rational(1, 20) ** 2)
    hoeffding = Claim(
        source=PLACE, statement=Holds(left <= bound),
        worlds=Space(low=Vector(5, 0, 1), high=Vector(5, 0, 1), chance=Vector(5, 0, 1)),
        measure={left: tail_of_mean},
    )  # fmt: skip
    known = 0.95**5 * math.exp(2 * VARIABLES * 0.05**2)
    return [
        Problem("Kantorovich", kantorovich, 1.0),
        Problem("Boettcher-Wenzel", boettcher_wenzel, 1.0),
        Problem("Hoeffding tail", hoeffding, known),
    ]


class Counted:
    """A claim's log-score as a function of a vector, with a budget and the best seen."""

    def __init__(self, problem: Problem, evaluations: int) -> None:
        self.problem = problem
        self.candidates = Candidates(problem.claim)
        self.objective = deterministic_objective(0)
        self.left = evaluations
        self.best = 0.0
        self.last = SILENT

    def __call__(self, proposal: Any) -> float:
        if self.left <= 0:
            raise _Spent
        self.left -= 1
        finished = proposal is None or isinstance(proposal, Candidate)
        candidate = proposal if finished else self.candidates.decode(proposal)
        self.last = self.objective(candidate) if candidate is not None else SILENT
        score = self.last.score
        if math.isnan(score):
            return WORST
        self.best = max(self.best, score)
        return math.log(score) if score > 0 else -700.0

    def dimension(self, rng: Any) -> int:
        """Longest vector among some random worlds (not evaluated)."""
        found = [self.candidates.random(rng) for _ in range(20)]
        return max(len(candidate.vector) for candidate in found if candidate is not None)


class _Spent(BaseException):
    """The budget of a single method is used up."""


class Watched(Counted):
    """The same until the first certified violation."""

    def __call__(self, proposal: Any) -> float:
        value = super().__call__(proposal)
        if self.last.violated:
            raise _Spent
        return value


class Timed(Counted):
    """The same until the first certified violation, or for some seconds of computing."""

    def __init__(self, problem: Problem, seconds: float) -> None:
        super().__init__(problem, 10**9)
        self.began = time.process_time()
        self.deadline = self.began + seconds
        self.refuted: float | None = None

    def __call__(self, proposal: Any) -> float:
        value = super().__call__(proposal)
        if value > 0 and self.last.violated:
            self.refuted = time.process_time() - self.began
        if self.refuted is not None or time.process_time() > self.deadline:
            raise _Spent
        return value


def random_sampling(f: Counted, rng: Any) -> None:
    """The hostile random worlds of the library."""
    while True:
        f(f.candidates.random(rng))


def hypothesis_alone(f: Counted, rng: Any) -> None:
    """Hypothesis generation without a target."""
    Generation(f.candidates, rng, targeted=False).play(f.left, f)


def hypothesis_target(f: Counted, rng: Any) -> None:
    """Hypothesis generation with its target phase."""
    Generation(f.candidates, rng).play(f.left, f)


def differential_evolution(f: Counted, rng: Any) -> None:
    """SciPy's, population about four per coordinate at most a tenth of the budget, repeated."""
    from scipy import optimize

    size = f.dimension(rng)
    while True:
        optimize.differential_evolution(
            lambda v: -f(v), [(0, 1)] * size, rng=rng, polish=False, tol=1e-9, maxiter=10**6,
            popsize=max(1, min(4, f.left // 10 // size)),
        )  # fmt: skip


def cma_with_restarts(f: Counted, rng: Any) -> None:
    """Package `cma`, bounds by its own transformation, restarts with doubled population."""
    cma = documented("cma")
    size = f.dimension(rng)
    population = 4 + int(3 * math.log(size))
    while True:
        start = rng.random(size)
        options = {
            "bounds": [0, 1], "popsize": population, "verbose": -9, "seed": math.nan,
            "randn": lambda *shape: rng.standard_normal(shape), "tolfun": 1e-11,
        }  # fmt: skip
        evolution = cma.CMAEvolutionStrategy(start, 0.3, options)
        while not evolution.stop():
            points = evolution.ask()
            evolution.tell(points, [-f(point) for point in points])
        population *= 2


METHODS: dict[str, Callable[[Counted, Any], None]] = {
    "random": random_sampling,
    "Hypothesis": hypothesis_alone,
    "Hypothesis + target": hypothesis_target,
    "DE": differential_evolution,
    "CMA-ES, restarts": cma_with_restarts,
}
OURS = "portfolio"


def best_found(problem: Problem, method: str, evaluations: int, seed: int) -> float:
    """Best score over the known supremum after a number of evaluations."""
    import numpy

    rng = numpy.random.default_rng([seed, evaluations])
    if method == OURS:
        search = Search(
            Candidates(problem.claim), deterministic_objective(0), rng, evaluations=evaluations
        )
        found = search.run().assessment
        return found.score / problem.best if found is not None else 0.0
    counted = Counted(problem, evaluations)
    with contextlib.suppress(_Spent):
        METHODS[method](counted, rng)
    return counted.best / problem.best


FEW = 1_200, 4_800  # evaluations of one search and raw worlds before it, as at the quick budget


def refuted_after(problem: Problem, method: str, seconds: float, seed: int) -> float:
    """Processor seconds until a method certifies a violation; infinite if it does not in time."""
    import numpy

    rng = numpy.random.default_rng([seed, 7])
    timed = Timed(problem, seconds)
    if method != OURS:
        with contextlib.suppress(_Spent):
            METHODS[method](timed, rng)
        return math.inf if timed.refuted is None else timed.refuted
    while (left := timed.deadline - time.process_time()) > 0:
        search = Search(
            timed.candidates, timed.objective, rng, evaluations=FEW[0], screened=FEW[1],
            seconds=left,
        )  # fmt: skip
        if search.run().violation is not None:
            return time.process_time() - timed.began
    return math.inf


def refuted_within(problem: Problem, method: str, evaluations: int, seed: int) -> float:
    """Exact evaluations until the first certified violation; infinite if there is none in time."""
    import numpy

    rng = numpy.random.default_rng([seed, 11])
    counted = Watched(problem, evaluations)
    if method == OURS:
        search = Search(counted.candidates, counted.objective, rng, evaluations=evaluations)
        found = search.run()
        return math.inf if found.violation is None else found.evaluated
    with contextlib.suppress(_Spent):
        METHODS[method](counted, rng)
    return evaluations - counted.left if counted.last.violated else math.inf


def false_rows(
    seeds: int, most: float, jobs: int, measure: Callable[..., float], shown: str
) -> Iterator[str]:
    """Lines of a table of what it takes until each false inequality is refuted.

    Args: measure: of a place, method, `most` and seed. shown: format of a number.
    """
    from joblib import Parallel, delayed

    methods = [*METHODS, OURS]
    yield "| false inequality | " + " | ".join(methods) + " |"
    yield "|---|" + "---:|" * len(methods)
    with Parallel(n_jobs=jobs) as parallel:
        for place, problem in enumerate(false_problems()):
            runs = [(place, m, most, seed) for m in methods for seed in range(seeds)]
            found = parallel(delayed(measure)(*run) for run in runs)
            medians = [
                statistics.median(found[i * seeds : (i + 1) * seeds]) for i in range(len(methods))
            ]
            said = (format(v, shown) if math.isfinite(v) else "missed" for v in medians)
            yield f"| {problem.name} | {' | '.join(said)} |"


def false_problems() -> list[Problem]:
    """The false inequalities with the largest ratio known."""
    return [Problem(*row) for row in false_claims(PLACE)]


def _refuted(place: int, method: str, seconds: float, seed: int) -> float:
    return refuted_after(false_problems()[place], method, seconds, seed)


def _within(place: int, method: str, evaluations: int, seed: int) -> float:
    return refuted_within(false_problems()[place], method, evaluations, seed)


def rows(seeds: int, budgets: Sequence[int], jobs: int) -> Iterator[str]:
    """Lines of a Markdown table of medians over seeds, each as soon as it is known."""
    from joblib import Parallel, delayed

    methods = [*METHODS, OURS]
    yield "| problem | evaluations | " + " | ".join(methods) + " |"
    yield "|---|---:|" + "---:|" * len(methods)
    with Parallel(n_jobs=jobs) as parallel:
        for p, problem in enumerate(problems()):
            for budget in budgets:
                runs = [(p, m, budget, seed) for m in methods for seed in range(seeds)]
                found = parallel(delayed(_run)(*run) for run in runs)
                medians = [
                    statistics.median(found[i * seeds : (i + 1) * seeds])
                    for i in range(len(methods))
                ]
                row = " | ".join(f"{value:.5f}" for value in medians)
                yield f"| {problem.name} | {budget} | {row} |"


def _run(problem: int, method: str, evaluations: int, seed: int) -> float:
    return best_found(problems()[problem], method, evaluations, seed)


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("search.benchmark", __doc__, "--seeds 1 --budgets 300")
    made.add_argument("--seeds", type=integer(1, 10**6), default=5, help="default %(default)s")
    made.add_argument("--budgets", type=several(1, 10**9), default="300,1000,3000",
                      help="evaluations, default %(default)s")  # fmt: skip
    made.add_argument("--jobs", type=integer(1, MOST_JOBS), default=1, help="default %(default)s")
    made.add_argument("--seconds", type=positive, help="the table of equal time")
    made.add_argument("--until", type=integer(1, 10**9), metavar="EVALUATIONS",
                      help="the table of equal evaluations of false inequalities")  # fmt: skip
    return made


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    chosen = parser().parse_args(arguments)
    if chosen.seconds is not None:
        lines = false_rows(chosen.seeds, chosen.seconds, chosen.jobs, _refuted, ".2f")
    elif chosen.until is not None:
        lines = false_rows(chosen.seeds, chosen.until, chosen.jobs, _within, ".0f")
    else:
        lines = rows(chosen.seeds, chosen.budgets, chosen.jobs)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    run(main)
