"""The benchmark of this package, printed by `python -m boundcheck.calibration`.

Every table has its own seeds, so the output reproduces. All simulation is vectorised over runs;
a test is simulated by its bets, as in the product formula of `martingale`, not by the class that
ships, and the test suite holds the two against each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from boundcheck.statistics.bernstein import EmpiricalBernsteinSequence, bernstein_path
from boundcheck.statistics.binomial import clopper_pearson_lower, clopper_pearson_upper
from boundcheck.statistics.martingale import floor, kt_bet, mixture_bet
from boundcheck.statistics.sequences import MeanSequence, log_capital, mirrored, power_sums

SEED = 20240229
ALPHA = 0.05
CONFIDENCE = 0.01
WORLDS = 20
PAIRS = ((0.05, 0.5), (0.05, 0.2), (0.05, 0.1), (0.05, 0.07), (0.01, 0.03), (0.1, 0.15))
Bet = Callable[[np.ndarray, int | np.ndarray], np.ndarray]
Sampler = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]


def generator(*key: object) -> np.random.Generator:
    """Random numbers that depend on the name of the row alone."""
    return np.random.default_rng([SEED, *repr(key).encode()])


# --- tests by their bets ------------------------------------------------------------------


def mixture(delta: float) -> Bet:
    """The bets of `ViolationTest`."""
    return lambda hits, trials: _by_hits(lambda s: mixture_bet(s, trials, delta), hits)


def krichevsky_trofimov(delta: float) -> Bet:
    """The truncated bets max(delta, (S + 1/2) / t)."""
    return lambda hits, trials: kt_bet(hits, trials, delta)


def oracle(p1: float) -> Bet:
    """The sequential probability ratio test that knows p1."""
    return lambda hits, trials: np.full(hits.shape, p1)


def _by_hits(bet: Callable[[np.ndarray], np.ndarray], hits: np.ndarray) -> np.ndarray:
    first = int(hits.min())
    bets: np.ndarray = bet(np.arange(first, int(hits.max()) + 1))[hits - first]
    return bets


def log_payoffs(q: np.ndarray, delta: float) -> tuple[np.ndarray, np.ndarray]:
    """What a bet q on the next draw adds to the log wealth: on a miss, on a hit."""
    with np.errstate(divide="ignore"):
        return np.log((1 - q) / (1 - delta)), np.log(q / delta)


def draws_to_reject(
    bet: Bet, delta: float, p: float, alpha: float, runs: int, rng: np.random.Generator,
    horizon: int = 10**6,
) -> np.ndarray:  # fmt: skip
    """First time the wealth reaches 1/alpha in independent runs of Bernoulli(p) draws.

    Returns: shape (runs,), with `horizon` + 1 where the wealth never does.
    """
    times = np.full(runs, horizon + 1)
    alive, hits, wealth = np.arange(runs), np.zeros(runs, int), np.zeros(runs)
    for trials in range(horizon):
        miss, hit = log_payoffs(bet(hits, trials), delta)
        draw = rng.random(alive.size) < p
        wealth, hits = wealth + np.where(draw, hit, miss), hits + draw
        done = wealth >= math.log(1 / alpha)
        times[alive[done]] = trials + 1
        alive, hits, wealth = alive[~done], hits[~done], wealth[~done]
        if not alive.size:
            break
    return times


def alarms(
    bet: Bet, delta: float, p: float, alpha: float, runs: int, horizon: int,
    rng: np.random.Generator, *, pooled: bool = True,
) -> int:  # fmt: skip
    """Runs in which an adversary over 20 worlds, all with P(violation) = p, gets a rejection.

    Before each draw the adversary goes to the world with the best record (hits less delta times
    draws) with probability 3/4, to a random world else, and it stops at the first crossing, so
    only the statistics hold it back. With `pooled` false it watches one process per world and
    reports the best of them: not valid, the control that shows that this count can fail.
    """
    world_hits, world_trials = np.zeros((2, runs, WORLDS))
    wealth, ties = np.zeros((runs, WORLDS)), 1e-6 * rng.random((runs, WORLDS))
    hits = np.zeros(runs, int)
    for trials in range(horizon):
        left, every = len(hits), np.arange(len(hits))
        record = world_hits - delta * world_trials + ties
        world = rng.integers(WORLDS, size=left)
        world = np.where(rng.random(left) < 0.75, record.argmax(axis=1), world)
        at = every, world
        q = bet(hits, trials) if pooled else bet(world_hits[at], world_trials[at])
        miss, hit = log_payoffs(q, delta)
        draw = rng.random(left) < p
        wealth[(every, 0) if pooled else at] += np.where(draw, hit, miss)
        world_hits[at] += draw
        world_trials[at] += 1
        hits = hits + draw
        going = wealth.max(axis=1) < math.log(1 / alpha)
        if not going.all():
            state = (array[going] for array in (world_hits, world_trials, wealth, ties, hits))
            world_hits, world_trials, wealth, ties, hits = state
    return runs - len(hits)


# --- competitors that look at doubling times -----------------------------------------------


def doubling_looks(
    rejects: Callable[[np.ndarray, int, float], np.ndarray], start: int, p: float, alpha: float,
    runs: int, rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """Draws to reject when look k = 1, 2, ... at start * 2^(k - 1) spends alpha / (k (k + 1)).

    Args: rejects: of (hits, trials, level), an exact or conservative one-look test.
    Returns: shape (runs,).
    """
    times = np.zeros(runs)
    alive, hits, seen = np.arange(runs), np.zeros(runs, int), 0
    for look in range(1, 60):
        trials = start * 2 ** (look - 1)
        hits = hits + rng.binomial(trials - seen, p, alive.size)
        done = rejects(hits, trials, alpha / (look * (look + 1)))
        times[alive[done]] = trials
        alive, hits, seen = alive[~done], hits[~done], trials
        if not alive.size:
            break
    return times


def best_doubling(name: str, delta: float, p: float, runs: int) -> float:
    """Least mean draws over first looks at 1, 2, 4, ..., 2048, chosen with hindsight."""

    def rejects(hits: np.ndarray, trials: int, level: float) -> np.ndarray:
        if name == "hoeffding":
            return hits / trials - math.sqrt(math.log(1 / level) / (2 * trials)) > delta
        return clopper_pearson_lower(hits, trials, level=level) > delta

    starts = (2**k for k in range(12))
    rng = generator(name, delta, p)
    return min(float(doubling_looks(rejects, k, p, ALPHA, runs, rng).mean()) for k in starts)


# --- coverage ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """A law on [0, 1]: its name, exact mean, sampler of (rng, shape), and size of the test."""

    name: str
    mean: float
    sample: Sampler
    two_points: bool = False
    runs: int = 2000
    draws: int = 1000


def _bernoulli(p: float, **size: int) -> Law:
    def sample(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        return (rng.random(shape) < p) * 1.0

    return Law(f"Bernoulli({p:g})", p, sample, two_points=True, **size)


LAWS = (
    _bernoulli(0.5, runs=10_000),
    _bernoulli(0.01, runs=10_000),
    _bernoulli(1e-5, runs=500, draws=100_000),
    _bernoulli(0.999, runs=10_000),
    Law("Beta(0.05, 1)", 0.05 / 1.05, lambda rng, shape: rng.random(shape) ** 20),
    Law("0.3 +- 1e-9", 0.3, lambda rng, shape: 0.3 + 1e-9 * (1 - 2 * (rng.random(shape) < 0.5))),
    Law("uniform", 0.5, lambda rng, shape: rng.random(shape)),
)


def misses(law: Law, alpha: float, runs: int) -> tuple[int, int]:
    """Runs in which the betting and the empirical Bernstein sequence ever exclude the mean."""
    rng = generator("coverage", law.name)
    betting = bernstein = 0
    block = max(1, 1_000_000 // law.draws)
    for start in range(0, runs, block):
        unit = law.sample(rng, (min(block, runs - start), law.draws))
        excluded = _excluded_by_hits if law.two_points else _excluded
        betting += int(excluded(unit, law.mean, alpha).any(axis=1).sum())
        centre, radius, _, _ = bernstein_path(unit, alpha / 2)
        bernstein += int((abs(centre - law.mean) > radius).any(axis=1).sum())
    return betting, bernstein


def _excluded(unit: np.ndarray, mean: float, alpha: float) -> np.ndarray:
    """Whether the betting sequence of each run excludes `mean` after each draw."""
    sums = power_sums(unit)
    return _crossed(np.broadcast_to(np.arange(1, unit.shape[1] + 1), unit.shape), sums, mean, alpha)


def _excluded_by_hits(unit: np.ndarray, mean: float, alpha: float) -> np.ndarray:
    """The same for draws 0 and 1, where the wealth is a table of hits and draws."""
    if mean > 0.5:
        return _excluded_by_hits(1 - unit, 1 - mean, alpha)
    hits = np.cumsum(unit, axis=1).astype(int)
    draws = unit.shape[1]
    table = np.stack([_excluded_row(hit, draws, mean, alpha) for hit in range(hits.max() + 1)])
    excluded: np.ndarray = table[hits, np.arange(draws)]
    return excluded


@lru_cache(maxsize=4096)
def _excluded_row(hits: int, draws: int, mean: float, alpha: float) -> np.ndarray:
    trials = np.arange(1, draws + 1)
    sums = np.stack([hits * 0.5**k + (trials - hits) * (-0.5) ** k for k in range(1, 7)])
    # Entries with fewer draws than hits are never looked up.
    excluded: np.ndarray = _crossed(np.maximum(trials, hits), sums, mean, alpha)
    excluded[trials < hits] = False
    return excluded


def _crossed(trials: np.ndarray, sums: np.ndarray, mean: float, alpha: float) -> np.ndarray:
    above = log_capital(trials, sums, mean)
    below = log_capital(trials, mirrored(sums), 1 - mean)
    crossed: np.ndarray = np.maximum(above, below) >= math.log(2 / alpha)
    return crossed


def widths(law: Law, alpha: float, draws: int, runs: int = 10) -> tuple[float, float]:
    """Mean widths of the betting and the empirical Bernstein sequence after `draws` draws."""
    rng = generator("width", law.name, alpha)
    total = np.zeros(2)
    for _ in range(runs):
        sample = law.sample(rng, (1, draws))[0]
        for which, kind in enumerate((MeanSequence, EmpiricalBernsteinSequence)):
            sequence = kind(0, 1, alpha).update(sample)
            total[which] += sequence.upper - sequence.lower
    return float(total[0] / runs), float(total[1] / runs)


# --- tables --------------------------------------------------------------------------------


def _verdict(limit: float) -> str:
    return "yes" if limit <= ALPHA else "NO"


def false_alarm_table(runs: int = 20_000, horizon: int = 2000) -> Iterator[str]:
    """Rows of the first table."""
    yield "| test | delta | P(violation) | runs | false alarms | rate | upper limit | valid |"
    yield "|---|---|---|---|---|---|---|---|"
    cases = [("ViolationTest", mixture, d, d, True) for d in (0.01, 0.05, 0.1, 0.5)]
    cases += [("SupportTest", mixture, 1 - d, 1 - d, True) for d in (0.01, 0.05, 0.1)]
    cases += [("truncated KT", krichevsky_trofimov, 0.05, 0.05, True)]
    cases += [("control: best of 20 processes", krichevsky_trofimov, 0.05, 0.05, False)]
    cases += [("control: bets below delta", lambda delta: oracle(delta / 2), 0.05, 0.03, True)]
    for name, bets, delta, p, pooled in cases:
        size = runs if pooled else runs // 10
        rng = generator("alarms", name, delta, p)
        count = alarms(bets(delta), delta, p, ALPHA, size, horizon, rng, pooled=pooled)
        limit = float(clopper_pearson_upper(count, size, level=CONFIDENCE))
        shown = (1 - delta, 1 - p) if name == "SupportTest" else (delta, p)
        yield (
            f"| {name} | {shown[0]:.4g} | {shown[1]:.4g} | {size} | {count} | {count / size:.4f} "
            f"| {limit:.4f} | {_verdict(limit)} |"
        )


def draws_table(runs: int = 4000) -> Iterator[str]:
    """Rows of the second table: mean draws, and in brackets as a multiple of the floor."""
    yield (
        "| delta | p1 | floor | oracle SPRT | ViolationTest | truncated KT "
        "| Clopper-Pearson, doubling | Hoeffding, doubling |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for delta, p1 in PAIRS:
        least = floor(ALPHA, p1, delta)
        means = [
            draws_to_reject(bet, delta, p1, ALPHA, runs, generator(name, delta, p1)).mean()
            for name, bet in (
                ("oracle", oracle(p1)),
                ("mixture", mixture(delta)),
                ("kt", krichevsky_trofimov(delta)),
            )
        ]
        means += [best_doubling(name, delta, p1, runs) for name in ("exact", "hoeffding")]
        cells = " | ".join(f"{mean:.1f} ({mean / least:.2f})" for mean in means)
        yield f"| {delta} | {p1} | {least:.1f} | {cells} |"


def coverage_table(share: float = 1.0) -> Iterator[str]:
    """Rows of the third table, from a share of the runs."""
    yield (
        "| law | draws | runs | betting misses | upper limit | Bernstein misses | upper limit "
        "| valid |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for law in LAWS:
        runs = max(1, int(law.runs * share))
        counts = misses(law, ALPHA, runs)
        limits = clopper_pearson_upper(counts, runs, level=CONFIDENCE)
        cells = " | ".join(f"{n} | {limit:.4f}" for n, limit in zip(counts, limits, strict=True))
        yield (f"| {law.name} | {law.draws} | {runs} | {cells} | {_verdict(float(limits.max()))} |")


def width_table(draws: int = 20_000) -> Iterator[str]:
    """Rows of the fourth table."""
    yield "| law | alpha | betting | empirical Bernstein | Hoeffding, one look |"
    yield "|---|---|---|---|---|"
    for alpha in (ALPHA, 1e-6):
        hoeffding = math.sqrt(2 * math.log(2 / alpha) / draws)
        for law in LAWS:
            betting, bernstein = widths(law, alpha, draws)
            yield f"| {law.name} | {alpha:g} | {betting:.2g} | {bernstein:.2g} | {hoeffding:.2g} |"


def lines() -> Iterator[str]:
    """The sections on the statistics alone, line by line."""
    yield "## False alarms of the tests alone"
    yield ""
    yield f"{WORLDS} worlds chosen adaptively, stopped at the first crossing, 2000 draws a run."
    yield ""
    yield from false_alarm_table()
    yield ""
    yield "## Mean draws to reject"
    yield ""
    yield "In brackets: multiple of the floor log(1/alpha) / kl(p1, delta). 4000 runs a cell."
    yield "Doubling looks spend alpha / (k (k + 1)); their first look (1, 2, 4, ..., 2048) is the"
    yield "best for the row, chosen with hindsight, which no user has."
    yield ""
    yield from draws_table()
    yield ""
    yield "## Coverage at every time"
    yield ""
    yield "A miss is a run in which the mean is excluded after any draw; alpha / 2 either side."
    yield ""
    yield from coverage_table()
    yield ""
    yield "## Width of the intervals after 20000 draws"
    yield ""
    yield from width_table()
