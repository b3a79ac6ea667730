"""Members with a population: differential evolution over whole worlds, CMA-ES inside one shape."""

from __future__ import annotations

import math
from typing import Any

from boundcheck.search.arena import WORST, Arena, Entry, clipped
from boundcheck.search.documented import documented
from boundcheck.search.members import Steps

SIGMAS = (0.15, 0.03, 0.3, 0.1, 0.01)  # initial steps of successive CMA-ES runs
AFAR = 0.3  # of every second run, which starts from a random world
STALE = 10  # generations without progress after which a run is given up
PLOTS = ("matplotlib", "scipy.stats")  # what `cma` loads for plots and a surrogate: two seconds


def differential_evolution(arena: Arena) -> Steps:
    """Current-to-best/1/bin with jittered parameters, over vectors of the largest dimension.

    The first population is the best and some random worlds that were assessed already.
    Source: Storn and Price, Journal of Global Optimization 11 (1997) 341-359.
    """
    rng = arena.rng
    while True:
        dimension = arena.dimension
        size = min(max(10, dimension), 30)
        population = _first_population(arena, dimension, size)
        if len(population) < 5:
            return
        for _ in range(60):
            before = max(value for value, _ in population)
            for index in range(len(population)):
                trial = _trial(rng, population, index)
                value = yield trial
                if value >= population[index][0]:
                    population[index] = (value, trial)
            spread = before - min(value for value, _ in population)
            if spread < 1e-10:
                break


def _first_population(arena: Arena, dimension: int, size: int) -> list[tuple[float, list[float]]]:
    rng = arena.rng
    chosen = [entry for entry in arena.elite if entry.vector][: size // 2]
    others = [entry for entry in arena.sample if entry.vector]
    if others:
        picks = rng.permutation(len(others))[: size - len(chosen)]
        chosen += [others[int(i)] for i in picks]
    population = []
    for entry in chosen:
        rest = dimension - len(entry.vector)
        vector = [*entry.vector[:dimension], *(float(v) for v in rng.random(max(rest, 0)))]
        population.append((entry.value, vector))
    return population


def _trial(rng: Any, population: list[tuple[float, list[float]]], index: int) -> list[float]:
    ranked = sorted(range(len(population)), key=lambda i: -population[i][0])
    leader = population[ranked[int(rng.integers(max(2, len(ranked) // 5)))]][1]
    first, second = (population[int(i)][1] for i in rng.choice(len(population), 2, replace=False))
    current = population[index][1]
    scale = min(max(0.5 + 0.2 * math.tan(math.pi * (float(rng.random()) - 0.5)), 0.05), 1.0)
    crossing = float(rng.choice((0.2, 0.6, 0.95)))
    kept = int(rng.integers(len(current)))
    trial = list(current)
    for i, chance in enumerate(rng.random(len(current))):
        if chance < crossing or i == kept:
            step = scale * (leader[i] - current[i]) + scale * (first[i] - second[i])
            trial[i] = min(max(current[i] + step, 0.0), 1.0)
    return trial


def cma_es(arena: Arena) -> Steps:
    """CMA-ES with restarts on the free coordinates of a good world, its shape held fixed.

    Coordinates are clipped, so ends of ranges are met exactly.
    Source: Hansen and Ostermeier, Evolutionary Computation 9 (2001) 159-195; package `cma`.
    """
    run = 0
    while True:
        afar = run % 2 == 1 and bool(arena.sample)
        start = arena.fresh() if afar else arena.start()
        if start is None or not 2 <= len(start.free) <= 100:
            return
        sigma = AFAR if afar else SIGMAS[run // 2 % len(SIGMAS)]
        yield from _cma_run(arena, start, sigma, 1 + run // (2 * len(SIGMAS)))
        run += 1


def _cma_run(arena: Arena, start: Entry, sigma: float, scale: int) -> Steps:
    cma = documented("cma", PLOTS)  # 4.5 cuts pieces out of its docstrings
    rng, free = arena.rng, start.free
    size = scale * (4 + int(3 * math.log(len(free))))
    options = {
        "popsize": size, "verbose": -9, "verb_log": 0, "verb_disp": 0, "seed": math.nan,
        "randn": lambda *shape: rng.standard_normal(shape), "CMA_stds": None,
        "tolfun": 1e-13, "tolx": 1e-10, "conditioncov_alleviate": [1e8, 1e12],
    }  # fmt: skip
    evolution = cma.CMAEvolutionStrategy([start.vector[i] for i in free], sigma, options)
    best, stale = WORST, 0
    while not evolution.stop() and stale < STALE + len(free) // 2:
        points, values = evolution.ask(), []
        for point in points:
            vector = list(start.vector)
            for i, value in zip(free, clipped(point), strict=True):
                vector[i] = value
            # A small pull back keeps the mean from drifting far outside the box.
            outside = sum(max(0.0, -v, v - 1.0) ** 2 for v in point)
            values.append((yield vector) - 1e-3 * outside)
        evolution.tell(points, [-value for value in values])
        stale = 0 if max(values) > best + 1e-7 else stale + 1
        best = max(best, *values)
