"""Local polishing of a good world: coordinate patterns that snap to ends, then Nelder-Mead."""

from __future__ import annotations

from boundcheck.search.arena import TIGHT, Arena, Entry, clipped
from boundcheck.search.members import Steps, symmetrised

MOST_SIMPLEX = 24  # free coordinates beyond which a simplex is hopeless
LEAST_STEP, COARSE = 1e-6, 5e-3  # of pattern search; coarse where fine steps are wasted
HOPELESS = 0.1  # that far below the best value a world is polished coarsely


def polish(arena: Arena) -> Steps:
    """Pattern search and Nelder-Mead by turns, each from a good world or a symmetric form of it."""
    turn = 0
    while True:
        start = arena.start(0.7)
        if start is None or not start.free:
            return
        singles = [[i] for i in start.free]
        if turn % 3 == 2 and len(start.free) <= MOST_SIMPLEX:
            yield from nelder_mead(start, 10.0 ** -float(arena.rng.uniform(0.7, 3)))
        elif turn % 3 == 1:
            vector = symmetrised(arena, start)
            value = yield vector
            # Whole fields only: few dimensions, and the world stays symmetric.
            fields = arena.spans(start)
            yield from pattern_search(arena, fields or singles, vector, value)
        else:
            blocks = singles + arena.spans(start)
            yield from pattern_search(arena, blocks, list(start.vector), start.value)
        turn += 1


def pattern_search(
    arena: Arena, blocks: list[list[int]], vector: list[float], best: float
) -> Steps:
    """Each block of coordinates tried at the ends and moved by a step to both sides.

    Begins at `vector` of value `best`. Steps grow by two where they pay and shrink by four where
    they do not.
    Source: Hooke and Jeeves, Journal of the ACM 8 (1961) 212-229.
    """
    rng = arena.rng
    steps = [0.1] * len(blocks)
    tried_ends: set[tuple[int, float]] = set()
    while max(steps) > _least_step(arena, best):
        before = best
        for which in (int(i) for i in rng.permutation(len(blocks))):
            if steps[which] <= _least_step(arena, best):
                continue
            better = False
            for trial in _trials(vector, blocks[which], steps[which], which, tried_ends):
                value = yield trial
                if value > best:
                    vector, best, better = trial, value, True
                    break
            steps[which] = min(steps[which] * 2, 0.5) if better else steps[which] / 4
        if best - before > 1e-4:
            tried_ends.clear()


def _least_step(arena: Arena, value: float) -> float:
    """Fine steps only where they can lead to the best world known."""
    if value >= TIGHT or value < arena.best - HOPELESS:
        return COARSE
    return LEAST_STEP


def _trials(
    vector: list[float], block: list[int], step: float, which: int,
    tried_ends: set[tuple[int, float]],
) -> list[list[float]]:  # fmt: skip
    trials = [_moved(vector, block, step), _moved(vector, block, -step)]
    for end in (0.0, 1.0):
        if (which, end) not in tried_ends:
            tried_ends.add((which, end))
            trials.append(_set(vector, block, end))
    return [trial for trial in trials if trial != vector]


def _moved(vector: list[float], block: list[int], step: float) -> list[float]:
    moved = list(vector)
    for i in block:
        moved[i] = min(max(moved[i] + step, 0.0), 1.0)
    return moved


def _set(vector: list[float], block: list[int], value: float) -> list[float]:
    moved = list(vector)
    for i in block:
        moved[i] = value
    return moved


def nelder_mead(start: Entry, step: float) -> Steps:
    """The simplex method with coefficients that suit the dimension.

    Source: Nelder and Mead, Computer Journal 7 (1965) 308-313; Gao and Han, Computational
    Optimization and Applications 51 (2012) 259-277.
    """
    free, size = start.free, len(start.free)
    grow, shrink, contract = 1 + 2 / size, 1 - 1 / size, 0.75 - 1 / (2 * size)
    if size == 1:
        grow, shrink, contract = 2.0, 0.5, 0.5

    def full(point: list[float]) -> list[float]:
        vector = list(start.vector)
        for i, value in zip(free, clipped(point), strict=True):
            vector[i] = value
        return vector

    origin = [start.vector[i] for i in free]
    simplex = [(start.value, origin)]
    for i in range(size):
        point = list(origin)
        point[i] += step if point[i] < 0.5 else -step
        simplex.append(((yield full(point)), point))
    reached = start.value
    for step_number in range(30 * size):
        simplex.sort(key=lambda item: -item[0])
        worst_value, worst = simplex[-1]
        if step_number % (3 * size) == 3 * size - 1:
            if simplex[0][0] < reached + 1e-5:
                return
            reached = simplex[0][0]
        if simplex[0][0] - worst_value < 1e-12:
            return
        centre = [sum(p[i] for _, p in simplex[:-1]) / size for i in range(size)]
        point = _along(centre, worst, 1.0)
        value = yield full(point)
        if value > simplex[0][0]:
            further = _along(centre, worst, grow)
            reach = yield full(further)
            simplex[-1] = (reach, further) if reach > value else (value, point)
        elif value > simplex[-2][0]:
            simplex[-1] = (value, point)
        else:
            nearer = _along(centre, worst, contract if value > worst_value else -contract)
            reach = yield full(nearer)
            if reach > max(value, worst_value):
                simplex[-1] = (reach, nearer)
                continue
            top = simplex[0][1]
            for k in range(1, size + 1):
                point = [a + shrink * (b - a) for a, b in zip(top, simplex[k][1], strict=True)]
                simplex[k] = ((yield full(point)), point)


def _along(centre: list[float], worst: list[float], t: float) -> list[float]:
    """The point beyond the centre, seen from the worst one."""
    return clipped([c + t * (c - w) for c, w in zip(centre, worst, strict=True)])
