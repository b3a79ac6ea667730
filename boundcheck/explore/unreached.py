"""Why no plan was found, and what comes nearest to the target or to a condition."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.explore.finite import held, ways
from boundcheck.explore.sizing import FACTORS
from boundcheck.explore.values import Truth
from boundcheck.explore.wording import formula_text, listed, missed
from boundcheck.setting import INEQUALITIES

if TYPE_CHECKING:
    from boundcheck.explore.planning import Planner

SCALES = (1, 10**6, 10**12)  # times the sizes at which a bound is looked at
FAR = fmpq(10) ** 12  # so large, or one over it, values are made that bring it down
LESS = 1 - 1e-12  # of a gap that counts as smaller


def unreachable(work: Planner) -> str:
    """Why nothing is admissible, and what comes nearest to the target or to a condition."""
    system, target = work.system, work.system.target
    moving = (*work.free, *work.sizes)
    met = next((values for values in _starts(work) if work.admits(values)), None)
    if met is not None:
        at = listed({n: met[n] for n in moving}, system.called)
        return (
            f"all conditions hold at {at}, where the cost {formula_text(work.cost)} is no "
            "positive number; give one that is with --minimise"
        )
    for relation in system.conditions:
        names = system.inputs_of_relation(relation)
        if set(names) <= set(system.values) and system.truth(relation, system.values).broken:
            at = listed({n: system.values[n] for n in names}, {})
            change = " or ".join(f"--set {n}" for n in names)
            return f"{formula_text(relation)} fails at {at}; change {change}"
    own = [r for r in reversed(system.conditions)
           if isinstance(r, INEQUALITIES) and not system.settles(r)]  # fmt: skip
    for wanted in own if target is None else [target, *(r for r in own if r is not target)]:
        where = _nearest(work, wanted)
        if where is not None and system.truth(wanted, where) is Truth.HOLDS:
            at = listed({n: where[n] for n in moving}, system.called)
            return f"no least sizes were found, though all conditions hold at {at}; give --set"
        if where is not None:
            what = "the target" if wanted is target else "it"
            return missed(system, wanted, where, moving, what)
    return "no values were found at which all conditions hold; change --set"


def _starts(work: Planner) -> Iterator[dict[str, Any]]:
    """Values at which all conditions hold, over magnitudes and every choice from finite sets."""
    for chosen in ways(work.system.ranges, (*work.free, *work.sizes)):
        work.seen = {}
        with held(work.system, chosen):
            yield from filter(None, map(work.filled, work.grid()))
    work.seen = {}


def _nearest(work: Planner, wanted: sympy.Rel) -> dict[str, Any] | None:
    """Values at which everything else holds and the sides are least apart, after a local search;
    None for none."""
    system, nearest, where = work.system, math.inf, None
    kept = system.conditions
    system.conditions = [r for r in kept if r is not wanted]
    try:
        for values, scale in itertools.product(_starts(work), SCALES):
            large = {n: v * scale if n in work.sizes else v for n, v in values.items()}
            apart = _apart(work, wanted, large)
            if apart < nearest:
                nearest, where = apart, large
        return None if where is None else _closer(work, wanted, where, nearest)
    finally:
        system.conditions, work.seen = kept, {}


def _apart(work: Planner, wanted: sympy.Rel, values: Mapping[str, Any]) -> float:
    """How far a condition is from being met; infinite where another one is not."""
    inside = (work.system.ranges[n].contains(fmpq(values[n])) for n in work.free)
    if not all(inside) or not work.admits(values):
        return math.inf
    apart = work.system.evaluate(wanted.lts - wanted.gts, values)
    return math.inf if apart is None else exact.to_float(apart)


def _closer(
    work: Planner, wanted: sympy.Rel, where: dict[str, Any], nearest: float
) -> dict[str, Any]:
    """The same after steps of one value at a time, each of which brings the sides together."""
    for factor in (*FACTORS, None):
        improved = True
        while improved:
            improved = False
            for name, way in itertools.product((*work.free, *work.sizes), (-1, 1)):
                value = _stepped(work, name, fmpq(where[name]), factor, way)
                moved = {**where, name: work.system.number(name, value)}
                apart = _apart(work, wanted, moved)
                if apart < nearest - abs(nearest) * (1 - LESS):
                    nearest, where, improved = apart, moved, True
    return where


def _stepped(
    work: Planner, name: str, value: fmpq, factor: fmpq | None, way: int
) -> fmpq:
    """A value times a factor, or the one next to it that there is; itself farther out."""
    allowed = work.system.ranges[name]
    if factor is None:
        return allowed.beside(value, way) if allowed.apart else value
    found = allowed.up(value * factor**way)
    return found if 1 / FAR <= abs(found) <= FAR else value
