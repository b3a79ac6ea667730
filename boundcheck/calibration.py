"""Calibration of verdicts: `python -m boundcheck.calibration` prints boundcheck/CALIBRATION.md.

The statistics alone are simulated in `boundcheck.statistics.calibration`. Here the whole pipeline
runs, as a user runs it: definedness, proof, search, shrinking and the sequential test, on claims
that are true with nothing to spare, so that every refutation is a false alarm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from boundcheck.boundary.tools import ToolParser, integer, parser_of, run
from boundcheck.checks.base import Budget, Task, budget_named
from boundcheck.claim import Claim, Source, WithProbability
from boundcheck.engine import verify
from boundcheck.statistics import calibration, clopper_pearson_upper

RUNS = 10_000
CONTROL_RUNS = 1_000
PLACES = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 4))
WORLDS = calibration.WORLDS
ALPHA = calibration.ALPHA


def small_budget() -> Budget:
    """The quick budget cut down to 20 worlds on probe draws and 1000 fresh draws a suspect."""
    return replace(
        budget_named("quick"), evaluations=12 * WORLDS, outcomes=0, draws=1_000, shrinks=6
    )


@lru_cache
def null_claim(delta: Fraction) -> Claim:
    """P(the feature drawn is not the first) >= 1 - delta, where the first has weight delta.

    The worlds differ in an amount that the statement is blind to, so whatever search prefers,
    the probability of a violation stays delta.
    """
    from flint import fmpq
    from sympy import Rational, Symbol

    from boundcheck.quantities import quantity
    from boundcheck.worlds import Choice, Counts, Integer, Real, Space

    @quantity(estimator=lambda counts, amount: counts[:, 0] * float(amount))
    def shift(counts: Any, amount: Any) -> Any:
        return counts[0] * amount

    level, weight = Rational(delta.numerator, delta.denominator), fmpq(*delta.as_integer_ratio())
    hit = Symbol("shift", real=True)
    return Claim(
        source=Source("boundcheck", 2026, "Calibration").at(f"delta = {delta}"),
        statement=WithProbability(1 - level, hit <= 0),
        worlds=Space(
            tau=Choice([(weight, 1 - weight)]), amount=Real(0, 1, open_low=True),
            M=Integer(1, 1),
        ),
        draw=Counts("counts", "tau", "M"),
        measure={hit: shift},
    )  # fmt: skip


def alarm(delta: Fraction, seed: int) -> bool:
    """Whether one run of the whole pipeline refutes the true claim."""
    verdict = verify(
        "calibration/null:printed", null_claim(delta), budget=small_budget(), seed=seed,
        alpha=ALPHA, controls=False,
    )  # fmt: skip
    return verdict.outcome == "refuted"


def careless_alarm(delta: Fraction, seed: int) -> bool:
    """The control: the worst of 20 worlds tested on the very draws that made it the worst."""
    from boundcheck.checks.batches import fresh
    from boundcheck.checks.sampling import violation_test
    from boundcheck.search.admissible import Candidates

    claim = null_claim(delta)
    rng = Task("calibration/null:careless", claim, small_budget(), seed).rng("careless")
    candidates = Candidates(claim)
    worlds = [candidates.random(rng) for _ in range(WORLDS)]
    return any(
        violation_test(world.setting, fresh(world.setting, rng, 1_000), ALPHA)[0].rejects
        for world in worlds if world
    )  # fmt: skip


def pipeline_table(runs: int = RUNS, jobs: int | None = None) -> Iterator[str]:
    """Rows of the table: false alarms of the pipeline, and of the careless control."""
    from joblib import Parallel, delayed

    yield "| pipeline | delta | P(violation) | runs | false alarms | rate | upper limit | valid |"
    yield "|---|---|---|---|---|---|---|---|"
    rows = [("verify", alarm, delta, runs) for delta in PLACES]
    rows.append(("control: best of 20 worlds, no fresh draws", careless_alarm, PLACES[1],
                 min(runs, CONTROL_RUNS)))  # fmt: skip
    for name, trial, delta, size in rows:
        found = Parallel(n_jobs=jobs or -1, batch_size=50)(
            delayed(trial)(delta, seed) for seed in range(size)
        )
        count = sum(found)
        limit = float(clopper_pearson_upper(count, size, level=calibration.CONFIDENCE))
        yield (
            f"| {name} | {float(delta):g} | {float(delta):g} | {size} | {count} "
            f"| {count / size:.4f} | {limit:.4f} | {'yes' if limit <= ALPHA else 'NO'} |"
        )


def lines(runs: int = RUNS) -> Iterator[str]:
    """The whole document, line by line."""
    yield "# Calibration"
    yield ""
    yield "Printed by `python -m boundcheck.calibration`."
    yield f"Alpha = {ALPHA}; upper limits are Clopper-Pearson at error probability "
    yield f"{calibration.CONFIDENCE}, one-sided. Valid: the upper limit is at most alpha."
    yield "The controls are invalid on purpose and must show it."
    yield ""
    yield "## False alarms of the whole pipeline"
    yield ""
    yield f"True claims at their boundary; search chooses among {WORLDS} worlds on probe draws, the"
    yield "suspects are shrunk and tested on fresh ones."
    yield ""
    yield from pipeline_table(runs)
    yield ""
    yield from calibration.lines()


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("calibration", __doc__, "--runs 10000")
    made.add_argument("--runs", type=integer(1, 10**9), default=RUNS,
                      help="of each pipeline, default %(default)s")  # fmt: skip
    return made


def main(arguments: list[str]) -> None:
    """Print the document."""
    for line in lines(parser().parse_args(arguments).runs):
        print(line, flush=True)


if __name__ == "__main__":
    # Workers import this module by its name, which is not __main__.
    from boundcheck.calibration import main as by_name

    run(by_name)
