"""Statements up to an absolute constant along families of growing worlds.

Growth refutes only where it is certified without end: by a law of both sides along a ray of worlds
or as a world is repeated N times. The constant that a world needs is computed at every size of
every family; where it grows and no law is known, the claim stays undecided, with the constant that
is excluded. A world refutes where its right side is not positive and its left side is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from flint import fmpq

from boundcheck.certify import certified_below, certify
from boundcheck.checker.growing import law
from boundcheck.checker.ray import Ray
from boundcheck.checks.base import Task
from boundcheck.checks.curves import (
    NAME,
    Point,
    is_listed,
    judge,
    needed,
    needed_constants,
    short_size,
    step_calls,
)
from boundcheck.checks.endless import (
    FEWER_RAYS,
    MOST_RAYS,
    by_known_worlds,
    refuted as along_rays,
    repetition,
    spread_out,
)
from boundcheck.checks.enumeration import reading
from boundcheck.checks.order import Rule, controls, tells_apart
from boundcheck.claim import Claim, Form, UpToConstant
from boundcheck.encoding import brief_below
from boundcheck.errors import Undecided, Undefined
from boundcheck.exact import PRECISIONS, precision
from boundcheck.fuel import OutOfFuel, limit
from boundcheck.scores import constant_needed
from boundcheck.search.pushes import found
from boundcheck.search.rays import fitted
from boundcheck.search.shrink import entries
from boundcheck.setting import Setting, guarded, under
from boundcheck.verdict import CERTIFIED, Evidence
from boundcheck.worlds.families import Family

TELLING = 10**6  # constant at which a family need not be followed further
MOST_HOPELESS = 3  # worlds of a family that are asked whether their right side leaves a constant
CONTROL_RAYS = 4  # of a family, along which a control is tried
CLIMBS = 12  # further sizes of a family
LEAST_RATE = 0.01  # exponent of the size; what grows more slowly is not followed
LARGEST_SIZE = 1000  # bits of a size
LARGEST_WORLD = 60_000  # numbers in a world while a family is followed
LEAST_SIZES = 6  # that a curve needs before it says anything


class Followed(NamedTuple):
    """A family as far as it was followed: its points, and the first problem met."""

    family: Family
    points: list[Point]
    problem: str
    sampled: bool


def run(task: Task) -> Evidence:
    """Growth of left/right along each family; the first certified without end refutes."""
    claim = task.claim
    if not isinstance(claim.statement, UpToConstant):
        return Evidence(NAME, None, "the constants are explicit")
    unbounded = repetition(task)
    if unbounded is not None:
        return unbounded
    families, others, rising = (claim.families, [], []) if claim.families else found(task)
    if not families:
        return spread_out(task, rising) or by_known_worlds(task) or Evidence(
            NAME, "undecided", "no family of growing worlds is declared or was found"
        )
    followed = []
    endless = (along_rays(task, family, most) for each, most in (
        (families, MOST_RAYS), (others, FEWER_RAYS)) for family in each)  # fmt: skip
    refuted = next((found for found in endless if found is not None), None)
    if refuted is not None:
        return refuted
    for family in families:
        curve = follow(task, family)
        if isinstance(curve, Evidence):
            return curve
        followed.append(curve)
    if not claim.families:
        return spread_out(task, rising) or by_known_worlds(task) or concluded(task, followed)
    seen = concluded(task, followed)
    stands = seen.outcome == "supported" and not _form(claim).depends
    return _beside(task, seen) if stands else seen


def _beside(task: Task, seen: Evidence) -> Evidence:
    """What families of the machine say against those of a statement file, along which nothing
    grows; else what was seen along these. A constant that may depend on something is read along
    the stated families alone.
    """
    alone = run(replace(task, claim=replace(task.claim, families=())))
    return alone if alone.outcome in CERTIFIED or alone.numbers.get("growing") else seen


def follow(task: Task, family: Family) -> Followed | Evidence:
    """The constants along a family, upward as long as they rise; a refutation if a world is one."""
    points, problem = needed_constants(task, family)
    sampled = any(point.value < point.upper for point in points)
    hopeless = [point for point in points if point.value == math.inf and is_listed(
        task, point.setting)]  # fmt: skip
    for point in hopeless[:MOST_HOPELESS]:
        refuted = _refuted(task, family, point)
        if refuted is not None:
            return refuted
    if points and not sampled:
        _climb(task, family, points)
    return Followed(family, points, problem, sampled)


def _climb(task: Task, family: Family, points: list[Point]) -> None:
    """Further sizes while the constant rises: first where it should be `TELLING`, else doublings.
    """
    step = step_calls(task)
    for _ in range(CLIMBS):
        missing = _missing_doublings(points)
        if missing is None:
            return
        for doublings in sorted({missing, missing // 4 + 1, 1}, reverse=True):
            point = _further(task, family, points[-1].size << doublings, 4 * step)
            if point is not None:
                break
        else:
            return
        points.append(point)


def _missing_doublings(points: list[Point]) -> int | None:
    """Doublings of the size after which a family should need a telling constant, by its last rate.

    None where that is done, the constant does not rise, or the world would be too large.
    """
    if len(points) < 2 or points[-1].value > TELLING or min(p.value for p in points[-2:]) <= 0:
        return None
    last, before = points[-1], points[-2]
    doublings = math.log2(last.size) - math.log2(before.size)
    rate = math.log2(last.value / before.value) / doublings
    if rate < LEAST_RATE:
        return None
    missing = math.ceil(1.1 * (math.log2(TELLING) - math.log2(last.value)) / rate) + 1
    held, held_before = _numbers(last.setting.values), _numbers(before.setting.values)
    bits = math.log2(held) + math.log2(held / held_before) / doublings * missing
    near = last.size.bit_length() + missing <= LARGEST_SIZE and bits <= math.log2(LARGEST_WORLD)
    return missing if near else None


def _numbers(values: dict[str, Any]) -> int:
    return sum(entries(value) for value in values.values())


def _further(task: Task, family: Family, size: int, calls: int) -> Point | None:
    """One more size of a family, or None where it cannot be had."""
    try:
        with limit(calls):
            values = family.at(size)
            if _numbers(values) > LARGEST_WORLD:
                return None
            setting = Setting(task.claim, values)
            if not is_listed(task, setting):
                return None
            if setting.failed_hypothesis() is not None:
                return None
            with precision(PRECISIONS[1]):
                value = constant_needed(setting, _form(task.claim))
    except (OutOfFuel, Undefined, Undecided, ArithmeticError, ValueError, MemoryError):
        return None
    return None if math.isnan(value) else Point(size, value, setting, value)


def _refuted(task: Task, family: Family, point: Point) -> Evidence | None:
    """A refutation at one world, whose right side leaves no constant."""
    try:
        violated, shown = certify(point.setting)
    except (Undefined, Undecided):
        return None
    if not violated:
        return None
    witness = task.witness(
        "exact", point.setting, shown, family=family.name, size=str(point.size)
    )
    return Evidence(
        NAME, "refuted", f"no constant serves: along the family '{family.name}', at size "
        f"{short_size(point.size)}, {reading(shown)}", kind="exact", witness=witness,
    )  # fmt: skip


def _form(claim: Claim) -> UpToConstant:
    form = claim.statement
    assert isinstance(form, UpToConstant)  # no other statement comes to this check
    return form


def _falls(claim: Claim, families: Sequence[Family]) -> Rule:
    """Whether the claim with another right side would be refuted by a law along a family."""
    rays: list[Ray] = []  # of the worlds, which are those of the claim

    def falls(changed: Claim) -> bool:
        if not rays:
            rays.extend(ray for family in families
                        for ray in islice(fitted(claim, family), CONTROL_RAYS))  # fmt: skip
        return any(law(changed, ray) for ray in rays)

    return falls


def concluded(task: Task, followed: list[Followed]) -> Evidence:
    """What families that do not refute say, together with the worlds seen before."""
    lines, rising, blind = [], [], []
    problems = [f"{family.name}: {problem}" for family, _, problem, _ in followed if problem]
    for family, points, _, _ in followed:
        if len(points) < LEAST_SIZES or not all(math.isfinite(point.value) for point in points):
            continue
        if not tells_apart(points):
            blind.append(f"along '{family.name}', sizes {points[0].size} to "
                         f"{short_size(points[-1].size)}, growth like the size is not told from a "
                         "ratio that stays bounded")  # fmt: skip
        grows, text = judge(points)
        lines.append(f"{family.name}: {text}")
        rising += [f"'{family.name}', {text}"] if grows else []
    greatest, known = _constants(task, followed)
    numbers: dict[str, Any] = {"curves": _curves(followed), "constant": greatest}
    if rising:
        return Evidence(
            NAME, "undecided", f"growing: {known}, and the constant needed still rises along "
            f"{'; '.join(rising)}; no law of both sides is known along them that would refute",
            numbers={**numbers, "growing": True},
        )  # fmt: skip
    if not lines:
        detail = "; ".join(problems) or f"fewer than {LEAST_SIZES} sizes could be evaluated"
        return Evidence(NAME, "undecided", f"{detail}; {known}", numbers=numbers)
    if not task.claim.families:
        return Evidence(
            NAME, "undecided", f"{known}; no family is declared, and those found by pushing "
            f"parameters do not refute ({'; '.join(lines)})", numbers=numbers,
        )  # fmt: skip
    made = controls(task.claim, _by_comparison(task, followed),
                    _falls(task.claim, [item.family for item in followed]))
    numbers |= {"parts": [control.as_part() for control in made], "mutants": [
        row for place, control in enumerate(made) for row in control.rows(place)]}  # fmt: skip
    missing = [*blind, *(control.missing for control in made if not control.shown)]
    if missing:
        return Evidence(NAME, "undecided", f"{known}; but {missing[0]} ({'; '.join(lines)})",
                        numbers=numbers)  # fmt: skip
    power, name = max((control.power or (0, "") for control in made), key=lambda pair: pair[0])
    growth, along = max((control.growth or (0, "") for control in made), key=lambda pair: pair[0])
    return Evidence(
        NAME, "supported", f"constant {greatest:.6g} is enough for all worlds seen, and {known}; "
        f"none keeps growing along {len(lines)} families ({'; '.join(lines + problems)}); "
        f"a right side smaller by {name}^{power} would not have passed, and growth faster by "
        f"size^{growth} would have been noticed along '{along}'",
        numbers={**numbers, "control": f"{name}^{power}"},
    )  # fmt: skip


def _by_comparison(task: Task, followed: list[Followed]) -> list[list[tuple[str, list[Point]]]]:
    """For every comparison, the constants that it alone needs along every family."""
    asserted = guarded(task.claim.statement.relation)
    whole = [(family.name, points) for family, points, _, _ in followed]
    if len(asserted) == 1:
        return [whole]
    forms = [task.claim.statement.with_relation(under(*pair)) for pair in asserted]
    return [[(name, _of_one(task, form, points)) for name, points in whole] for form in forms]


def _of_one(task: Task, form: Form, points: list[Point]) -> list[Point]:
    found = []
    for point in points:
        try:
            with precision(PRECISIONS[1]):
                value, upper = needed(task, point.setting, form, point.size)
        except (Undefined, Undecided):
            continue
        found += [] if math.isnan(value) else [point._replace(value=value, upper=upper)]
    return found


def _few_outcomes(task: Task, point: Point) -> bool:
    """Whether the draw at a point is listed at the price of one world of search."""
    draw = task.claim.draw
    return draw is None or draw.count(point.setting) <= task.budget.outcomes


def _constants(task: Task, followed: list[Followed]) -> tuple[float, str]:
    """The largest constant that any world seen needs, and what is certified not to serve."""
    listed = [
        [point for point in points if _few_outcomes(task, point)]
        for _, points, _, sampled in followed if not sampled
    ]  # fmt: skip
    tops = [max(points, key=lambda point: point.value) for points in listed if points]
    excluded = [certified_below(point.setting, point.value) for point in tops]
    values = [point.upper for _, points, _, _ in followed for point in points]
    for item in task.seen:
        values += [item.numbers["constant"]] if "constant" in item.numbers else []
        excluded += [fmpq(*item.numbers["excluded"])] if "excluded" in item.numbers else []
    greatest = max((value for value in values if math.isfinite(value)), default=0.0)
    best = max(excluded, default=fmpq(0))
    known = f"no constant below {brief_below(best, 6)} serves"
    return greatest, known if best else "no constant is excluded"


def _curves(followed: list[Followed]) -> dict[str, list[list[float]]]:
    return {
        family.name: [[point.size, point.value] for point in points]
        for family, points, _, _ in followed
    }
