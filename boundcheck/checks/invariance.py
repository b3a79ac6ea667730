"""Dimensional analysis for theorems: a change of units that leaves the problem as it is.

A claim declares its rescalings. On admissible worlds the check moves along the orbit of each, by
powers of two in both directions. A statement whose sides do not change alike is false somewhere
on the orbit, or holds for no constant at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import sympy
from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.certify import certify, expectation
from boundcheck.checker.growing import law
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import as_extra
from boundcheck.checks.base import Task
from boundcheck.checks.enumeration import describe, reading
from boundcheck.claim import Claim, Expected, Rescaling, UpToConstant, WithProbability
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import precision
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.shrink import shrink, size
from boundcheck.setting import Setting, parts, sides
from boundcheck.verdict import Evidence

NAME = "invariance"
WORLDS = {"mutant": 3, "quick": 6, "standard": 20, "thorough": 60}
UNCHANGED = 4  # octaves after which an orbit on which nothing changed is left
FAR = (1, 2, 3, UNCHANGED, 24, 32, 39, 40)  # octaves looked at; beyond 24 a power must be steady
NEAR = (1, 2, 3, 4, 6, 8, 12, 20)  # octaves at which violations are sought
UNLIKE = {"mutant": 0, "quick": 36, "standard": 120, "thorough": 360}  # worlds, where sides part
BRIEF = (2, 8, 20)  # octaves of those
SAME = 1e-9  # relative; above the error of 192-bit balls by far
STEADY = 3  # last pairs of octaves over which the local exponent must not move
LEAST_EXPONENT = 1 / 16
SHOWN = 4  # octaves at which a law is shown


@dataclass
class Orbit:
    """What was seen of one rescaling.

    Args: worlds: admissible worlds moved. telling: those whose sides have a ratio from end to end
        of the orbit, so that a change of either is seen. steps: settings compared. exponents:
        steady exponents of left/right along the orbit, by world. left_hypotheses: the hypothesis
        that fails first.
    """

    worlds: int = 0
    telling: int = 0
    steps: int = 0
    exponents: list[float] = field(default_factory=list)
    left_hypotheses: set[str] = field(default_factory=set)


def run(task: Task) -> Evidence:
    """Move along the orbit of every declared rescaling; refute where the sides part."""
    claim = task.claim
    if not claim.rescalings:
        return Evidence(NAME, None, "no rescaling is declared")
    notes, numbers = [], {}
    for rescaling in claim.rescalings:
        unknown = sorted(set(rescaling.powers) - claim.names)
        if unknown:
            return Evidence(NAME, None, f"rescaling of {unknown[0]}, which no world has")
        held = _held(claim, rescaling)
        if held:  # the orbit leaves the problem that the constant belongs to
            notes.append(f"{rescaling.name} moves {held[0]}, on which the constant may depend")
            continue
        found = along(task, rescaling, worlds(task, rescaling))
        if isinstance(found, Orbit):
            found = _further(task, rescaling, found) or found
        if isinstance(found, Evidence):
            return found
        notes.append(note(rescaling, found))
        numbers[rescaling.name] = {
            "worlds": found.worlds, "settings": found.steps, "exponents": found.exponents,
            "leaves": sorted(found.left_hypotheses),
        }  # fmt: skip
    return Evidence(NAME, None, "; ".join(notes), numbers={"orbits": numbers})


def _held(claim: Claim, rescaling: Rescaling) -> list[str]:
    """Names that a rescaling moves and that the constant of the statement may depend on."""
    return sorted(set(rescaling.powers) & set(getattr(claim.statement, "depends", ())))


def movable(claim: Claim) -> list[Rescaling]:
    """The rescalings along which a claim is moved."""
    return [rescaling for rescaling in claim.rescalings
            if set(rescaling.powers) <= claim.names and not _held(claim, rescaling)]  # fmt: skip


def along(task: Task, rescaling: Rescaling, found: Sequence[Candidate]) -> Evidence | Orbit:
    """A refutation on the orbits of some worlds; else what was seen of them."""
    orbit = Orbit()
    candidates = Candidates(task.claim)
    for candidate in found:
        setting = candidate.setting
        try:
            if certify(setting)[0]:
                continue  # false already here: a matter for the search, not for the change of scale
            base = _ratio_or_nan(setting)
        except (Undefined, Undecided, NotImplementedError):
            continue
        orbit.worlds += 1
        if isinstance(task.claim.statement, UpToConstant):
            refuted = _unbounded(task, rescaling, setting, base, orbit)
        else:
            refuted = _violated(task, rescaling, candidate, candidates, base, orbit)
        if refuted is not None:
            return refuted
    return orbit


def worlds(task: Task, rescaling: Rescaling) -> list[Candidate]:
    """Admissible worlds small enough to enumerate, those with the fewest digits first."""
    candidates, rng = Candidates(task.claim), task.rng(f"{NAME} {rescaling.name}")
    wanted, found = task.budget.worlds(WORLDS.get(task.budget.name, 6)), []
    for _ in range(20 * wanted):
        candidate = candidates.random(rng)
        if candidate is None:
            continue
        draw = task.claim.draw
        if draw is not None and draw.count(candidate.setting) > task.budget.outcomes:
            continue
        found.append(candidate)
        if len(found) >= 3 * wanted:
            break
    return sorted(found, key=lambda item: size(item.setting.values))[:wanted]


def rescaled(setting: Setting, rescaling: Rescaling, octaves: int) -> Setting:
    """The setting with every named value multiplied by s^power, s = 2^octaves.

    >>> from boundcheck import Claim, Holds, Source
    >>> from boundcheck.worlds import Real
    >>> x = sympy.Symbol("x", real=True)
    >>> claim = Claim(source=Source("A", 2024, "Example").at("1"), statement=Holds(x**2 <= x),
    ...               parameters={x: Real(0, 1)})
    >>> rescaled(Setting(claim, {"x": fmpq(1, 3)}), Rescaling("x by s^2", {"x": 2}), 3).values
    {'x': 64/3}
    """
    changes = {
        name: scaled_value(setting(name), fmpq(2) ** (octaves * power))
        for name, power in rescaling.powers.items()
    }
    return setting.replaced(**changes)


def scaled_value(value: Any, factor: fmpq) -> Any:
    """A number, or every entry of an array, times a factor; an int where both are whole."""
    if isinstance(value, tuple):
        return tuple(scaled_value(entry, factor) for entry in value)
    if isinstance(value, fmpq_mat):
        return value * factor
    product = fmpq(value) * factor
    return int(product.p) if isinstance(value, int) and product.q == 1 else product


def side_ratio(setting: Setting) -> float:
    """log2 of left over right, the largest over the comparisons and, with a draw, the outcomes.

    Plus infinity where a positive left side meets a right side of zero; NaN where both vanish.
    Raises: Undefined, Undecided where the sides have no value.
    """
    claim = setting.claim
    form = claim.statement
    inner = form.inner if isinstance(form, UpToConstant) else form
    with precision(192):
        if claim.draw is None or isinstance(inner, Expected):
            return _largest([_pair(setting, part) for part in parts(inner.relation)])
        logs = [
            (_largest([_values(setting.with_outcome(outcome), part)
                       for part in parts(inner.relation)]), exact.to_float(probability))
            for probability, outcome in claim.draw.outcomes(setting) if probability
        ]  # fmt: skip
        if not isinstance(inner, WithProbability):
            return max((log for log, _ in logs), default=math.nan)
        return _quantile(logs, 1 - exact.to_float(setting.evaluate(inner.level)))


def _ratio_or_nan(setting: Setting) -> float:
    """`side_ratio`, NaN where there is none: of matrices, or of sides that may be zero.

    Raises: Undefined where a side has no value.
    """
    try:
        return side_ratio(setting)
    except Undecided:
        return math.nan


def _pair(setting: Setting, part: sympy.Rel) -> tuple[Any, Any]:
    small, large = sides(part)
    return expectation(setting, small), expectation(setting, large)


def _values(setting: Setting, part: sympy.Rel) -> tuple[Any, Any]:
    small, large = sides(part)
    return setting.evaluate(small), setting.evaluate(large)


def _largest(pairs: list[tuple[Any, Any]]) -> float:
    logs = [_log_ratio(*pair) for pair in pairs]
    known = [log for log in logs if log == log]
    return max(known) if known else math.nan


def _log_ratio(left: Any, right: Any) -> float:
    if isinstance(left, exact.MATRICES) or isinstance(right, exact.MATRICES):
        raise Undecided("matrices have no ratio")
    low, high = exact.sign(left), exact.sign(right)
    if low == 0 and high == 0:
        return math.nan
    if low is None or high is None:
        raise Undecided("a side cannot be told from zero")
    if low <= 0 or high < 0:
        return -math.inf if high > 0 else math.nan
    if high == 0:
        return math.inf
    ball = (exact.to_ball(left) / exact.to_ball(right)).log()
    return float(ball.mid()) / math.log(2)


def _quantile(logs: list[tuple[float, float]], allowed: float) -> float:
    ordered = sorted(((-math.inf if v != v else v), p) for v, p in logs)
    mass = 0.0
    for value, probability in reversed(ordered):
        mass += probability
        if mass > allowed * (1 + 1e-12):
            return value
    return ordered[0][0] if ordered else math.nan


def _violated(
    task: Task, rescaling: Rescaling, candidate: Candidate, candidates: Candidates, base: float,
    orbit: Orbit,
) -> Evidence | None:  # fmt: skip
    """A certified violation on the orbit, nearest scales first."""
    for direction in (1, -1):
        last = base
        for octaves in NEAR:
            moved = rescaled(candidate.setting, rescaling, direction * octaves)
            failed = moved.failed_hypothesis()
            if failed is not None:
                orbit.left_hypotheses.add(str(failed))
                break
            orbit.steps += 1
            try:
                if certify(moved)[0]:
                    small = _shrunk(task, rescaling, candidate, candidates, direction * octaves)
                    return _exact(task, rescaling, small.setting, direction * octaves)
                last = _ratio_or_nan(moved)
            except (Undefined, Undecided):
                break
        orbit.telling += octaves > NEAR[0] and math.isfinite(base) and math.isfinite(last)
        if _differs(last, base):
            orbit.exponents.append(round(direction * (last - base) / NEAR[-1], 6))
    return None


def _further(task: Task, rescaling: Rescaling, orbit: Orbit) -> Evidence | None:
    """A violation on the orbits of worlds of any size, the way on which left over right grew.

    Sides that change unlike part somewhere on the orbits of most worlds, but worlds with the fewest
    digits are of one thing, or have equal entries, and need not tell.
    """
    claim = task.claim
    if claim.draw is not None or isinstance(claim.statement, UpToConstant) or not orbit.exponents:
        return None
    ways = sorted({1 if exponent > 0 else -1 for exponent in orbit.exponents})
    candidates, rng = Candidates(claim), task.rng(f"{NAME} {rescaling.name} further")
    for _ in range(task.budget.worlds(UNLIKE.get(task.budget.name, 36))):
        candidate = candidates.random(rng)
        if candidate is None:
            continue
        for octaves in (way * by for way in ways for by in BRIEF):
            moved = rescaled(candidate.setting, rescaling, octaves)
            try:
                if not moved.admissible() or not certify(moved)[0]:
                    continue
                if certify(candidate.setting)[0]:
                    break
            except (Undefined, Undecided, NotImplementedError):
                break
            small = _shrunk(task, rescaling, candidate, candidates, octaves)
            return _exact(task, rescaling, small.setting, octaves)
    return None


def _differs(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other) or math.isinf(one) or math.isinf(other):
        return False
    return abs(one - other) > SAME * 20


def _shrunk(
    task: Task, rescaling: Rescaling, candidate: Candidate, candidates: Candidates, octaves: int
) -> Candidate:
    """The smallest world that still holds at s = 1 and fails at s = 2^octaves."""

    def still_fails(trial: Candidate) -> bool:
        try:
            moved = rescaled(trial.setting, rescaling, octaves)
            return not certify(trial.setting)[0] and moved.admissible() and certify(moved)[0]
        except (Undefined, Undecided):
            return False

    return shrink(candidate, candidates, still_fails, attempts=task.budget.shrinks)


def _exact(task: Task, rescaling: Rescaling, setting: Setting, octaves: int) -> Evidence:
    moved = rescaled(setting, rescaling, octaves)
    _, shown = certify(moved)
    witness = task.witness("exact", moved, shown, **_element(rescaling, octaves))
    return Evidence(
        NAME, "refuted",
        f"not invariant under {rescaling.name}: it holds at s = 1 and fails at s = "
        f"{_scale(octaves)}, which is {describe(witness)}: {reading(shown)}",
        kind="exact", witness=witness,
    )  # fmt: skip


def _element(rescaling: Rescaling, octaves: int) -> dict[str, Any]:
    return {
        "rescaling": rescaling.name,
        "powers": dict(rescaling.powers),
        "scale": _scale(octaves),
    }


def _scale(octaves: int) -> str:
    return f"2^{octaves}"


def _unbounded(
    task: Task, rescaling: Rescaling, setting: Setting, base: float, orbit: Orbit
) -> Evidence | None:
    """left/right growing by a steady power of s, for ever by the law of both sides."""
    if not math.isfinite(base):
        return None
    for direction in (1, -1):
        logs = _followed(rescaling, setting, base, direction, orbit)
        orbit.telling += len(logs) in (UNCHANGED + 1, len(FAR) + 1) and all(
            map(math.isfinite, logs))
        exponent = _steady(logs)
        if exponent is None:
            continue
        orbit.exponents.append(round(direction * exponent, 6))
        if exponent >= LEAST_EXPONENT:
            found = _trend(task, rescaling, setting, direction, exponent, logs)
            if found is not None:
                return found
    return None


def _followed(
    rescaling: Rescaling, setting: Setting, base: float, direction: int, orbit: Orbit
) -> list[float]:
    """log2 of left/right at s = 1 and at `FAR` in one direction, as far as it can be had."""
    logs = [base]
    for octave in FAR:
        moved = rescaled(setting, rescaling, direction * octave)
        failed = moved.failed_hypothesis()
        if failed is not None:
            orbit.left_hypotheses.add(str(failed))
            break
        try:
            logs.append(side_ratio(moved))
        except (Undefined, Undecided):
            break
        orbit.steps += 1
        if octave == UNCHANGED and abs(logs[-1] - base) < 1e-9:
            break  # unchanged so far: the rest of the orbit is the same by the group property
    return logs


def _steady(logs: list[float]) -> float | None:
    """The growth per octave if the whole orbit was admissible and its last part is a power."""
    if len(logs) < len(FAR) + 1 or not all(math.isfinite(value) for value in logs):
        return None
    places = list(zip((0, *FAR), logs, strict=True))
    steps = [(after - before) / (later - sooner)
             for (sooner, before), (later, after) in pairwise(places)][-STEADY:]  # fmt: skip
    mean = (logs[-1] - logs[-1 - STEADY]) / (FAR[-1] - FAR[-1 - STEADY])
    return mean if all(abs(step - mean) < 1e-6 for step in steps) else None


def _trend(
    task: Task, rescaling: Rescaling, setting: Setting, direction: int, exponent: float,
    logs: list[float],
) -> Evidence | None:  # fmt: skip
    """A refutation where left is certain to outgrow every multiple of right along the orbit."""
    moved = {name: fmpq(direction * power) for name, power in rescaling.powers.items()
             if name in task.claim.fields and int(power) == power}  # fmt: skip
    ray = Ray(dict(setting.values), moved, {})
    words, values = law(task.claim, ray), ray.at(SHOWN)
    if not words or values is None:
        return None
    power = round(direction * exponent, 6)
    witness = task.witness(
        "trend", Setting(task.claim, values), {"law": words}, law=True, rescaling=rescaling.name,
        powers=dict(rescaling.powers), **as_extra(ray, SHOWN),
    )  # fmt: skip
    return Evidence(
        NAME, "refuted", f"no constant serves all worlds: left/right grows like s^{power:g} along "
        f"the orbit of {rescaling.name}, which leaves the problem unchanged; with t = s or 1/s, "
        f"{words}", kind="trend", witness=witness,
        numbers={
            "family": rescaling.name, "exponent": power, "octaves": SHOWN,
            "log2_ratios": {octave: round(value, 9)
                            for octave, value in zip((0, *FAR), logs, strict=True)},
        },
    )  # fmt: skip


def note(rescaling: Rescaling, orbit: Orbit) -> str:
    name = rescaling.name
    if not orbit.worlds:
        return f"no world to move under {name}"
    if orbit.exponents:
        return (
            f"sides change unlike under {name} (exponents {sorted(set(orbit.exponents))[:3]}) "
            f"without a violation on {orbit.worlds} worlds"
        )
    if orbit.left_hypotheses and not orbit.steps:
        hypothesis = sorted(orbit.left_hypotheses)[0]
        return f"{name} leaves the hypothesis {hypothesis}"
    if not orbit.steps:
        return f"no value to compare along {name} on {orbit.worlds} worlds"
    return f"unchanged under {name} on {orbit.worlds} worlds, {orbit.steps} scales"
