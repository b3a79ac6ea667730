"""Worlds from which growth begins: simple ones of some shapes, and degenerate ones.

Long numbers make exact runs dear, and a world drawn at random is never one where a law is certain,
a function is nothing, or a single point is drawn; families often begin at just these.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.checks.base import Task
from boundcheck.checks.invariance import side_ratio
from boundcheck.encoding import decode
from boundcheck.errors import Undecided, Undefined
from boundcheck.fuel import OutOfFuel, limit
from boundcheck.search.admissible import Candidate, Candidates
from boundcheck.search.growth import rebuilt, sizes
from boundcheck.search.portfolio import SHARE_KEPT, deterministic_objective
from boundcheck.search.shrink import shrink, size as digits_of
from boundcheck.setting import Setting
from boundcheck.worlds.fields import Choice, Field, Integer, Matrix, Real, Vector, Weights

BASES = 6  # worlds that are drawn at random
MOST = 8  # of their numbers that need not be larger
LISTED = 500  # outcomes of a draw that are listed in one world
CALLS = 10**5  # of functions, for one look at a world
LARGE = 64.0  # constant that a world need not pass to begin with

Values = dict[str, Any]


def simple_worlds(task: Task) -> list[dict[str, Any]]:
    """Where growth begins: the simplest of some random worlds, one of each shape as long as there
    are other shapes, with simpler numbers where the claim admits them; those first in which the
    left side is more than nothing."""
    rng, candidates = task.rng("pushes"), Candidates(task.claim)
    drawn = [candidates.random(rng) for _ in range(12 * BASES)]
    settings = [candidate.setting for candidate in drawn if candidate is not None]
    settings.sort(key=lambda setting: (not _speaks(setting), digits_of(setting.values)))
    values = [setting.values for setting in settings]
    chosen_from = [name for name, field in task.claim.fields.items() if isinstance(field, Choice)]
    firsts: dict[Any, dict[str, Any]] = {}
    for world in values:
        shape = digits_of(world)[0], *(world[name] for name in chosen_from)
        firsts.setdefault(shape, world)
    chosen = list(firsts.values())[:BASES]
    chosen += [world for world in values if world not in chosen][: BASES - len(chosen)]
    simple = [_simplified(candidates, world) for world in chosen]
    for degenerate in (_point_masses, _nothing, _level):
        made = [_admitted(candidates, world, degenerate) for world in simple]
        simple += [world for world in made if world is not None and world not in simple][:1]
    return simple


def _speaks(setting: Setting) -> bool:
    """Whether the left side is known to be more than nothing."""
    draw = setting.claim.draw
    try:
        with limit(CALLS):
            listed = draw is None or draw.count(setting) <= LISTED
            return listed and side_ratio(setting) > -math.inf
    except (Undefined, Undecided, ArithmeticError, ValueError, OutOfFuel):
        return False


def starts(task: Task) -> list[Values]:
    """Simple worlds, and what is left of the one that needs the largest constant of all that search
    has seen, as it is made simpler while it needs a large one still."""
    simple, candidates = simple_worlds(task), Candidates(task.claim)
    objective = deterministic_objective(task.budget.outcomes)
    for item in task.seen:
        found = _seen(candidates, item.numbers)
        least = min(max(item.numbers.get("constant", 0.0), 0.0) ** SHARE_KEPT, LARGE)
        if found is not None and least > 0:
            def needs(candidate: Candidate, least: float = least) -> bool:
                return objective(candidate).score >= least

            small = shrink(found, candidates, needs, attempts=task.budget.shrinks).setting.values
            simple += [small] if small not in simple else []
    return simple


def _seen(candidates: Candidates, numbers: Mapping[str, Any]) -> Candidate | None:
    """The world of which a check says that it needs the largest constant."""
    values = {name: decode(value) for name, value in numbers.get("world", {}).items()}
    found = candidates.decode(numbers.get("coordinates", ())) if values else None
    same = found is not None and found.setting.values == values
    return found if same or not values else candidates.from_values(values)


Change = Callable[[Mapping[str, Field], Values], Values]


def _admitted(candidates: Candidates, world: Values, degenerate: Change) -> Values | None:
    """A world with some of its values degenerate, and what is computed of them; None where the
    claim does not admit it."""
    fields = candidates.claim.fields
    changed = degenerate(fields, world)
    found = candidates.from_values(rebuilt(fields, {**world, **changed})) if changed else None
    return None if found is None else found.setting.values


def _point_masses(fields: Mapping[str, Field], values: Values) -> Values:
    """Laws that are certain of their first atom."""
    return {name: (fmpq(1), *(fmpq(0),) * (len(values[name]) - 1))
            for name, field in fields.items() if isinstance(field, Weights)}  # fmt: skip


def _nothing(fields: Mapping[str, Field], values: Values) -> Values:
    """Vectors of zeros, and the least of whole numbers that are no size of other values."""
    zeros = {name: (fmpq(0),) * len(values[name])
             for name, field in fields.items() if type(field) is Vector}  # fmt: skip
    return zeros | _least(fields, values) if zeros and _is_left_to_chance(fields, values) else {}


def _level(fields: Mapping[str, Field], values: Values) -> Values:
    """Matrices whose rows stay, and numbers at the ends of their domains, from where hypotheses
    move them: a function that is constant has no slope."""
    tables = {name: values[name] for name, field in fields.items() if type(field) is Matrix}
    level = {name: fmpq_mat(table.nrows(), table.ncols(), [
        table[i, 0] for i in range(table.nrows()) for _ in range(table.ncols())])
        for name, table in tables.items() if table.ncols()}  # fmt: skip
    return level | _least(fields, values) if level and _is_left_to_chance(fields, values) else {}


def _is_left_to_chance(fields: Mapping[str, Field], values: Values) -> bool:
    """Whether the laws of a world, if it has some, are certain of no atom."""
    laws = [values[name] for name, field in fields.items() if isinstance(field, Weights)]
    return not laws or any(1 not in law for law in laws)


def _least(fields: Mapping[str, Field], values: Values) -> Values:
    """The least values of numbers that have one and are no size of other values."""
    counted = set(sizes(fields))
    return {name: type(values[name])(field.low) for name, field in fields.items()
            if isinstance(field, (Integer, Real)) and isinstance(field.low, int)
            and name not in counted and not getattr(field, "open_low", False)}  # fmt: skip


def _simplified(candidates: Candidates, world: dict[str, Any]) -> dict[str, Any]:
    """The world with quarters and whole numbers for long ones, all at once or as far as the claim
    admits them one field after the other: exact runs stay short. A left side stays more than
    nothing."""
    fields, speaks = candidates.claim.fields, _speaks(Setting(candidates.claim, world))
    short = {
        name: (fmpq(1, len(value)),) * len(value) if isinstance(fields.get(name), Weights)
        else _short(value)
        for name, value in world.items()
    }  # fmt: skip
    for change in (short, *({name: value} for name, value in short.items())):
        found = candidates.from_values(rebuilt(fields, {**world, **change}))
        if found is not None and (not speaks or _speaks(found.setting)):
            world = found.setting.values
            if change is short:
                break
    return world


def _short(value: Any) -> Any:
    if isinstance(value, fmpq_mat):
        entries = [_short(entry) for entry in value.entries()]
        return fmpq_mat(value.nrows(), value.ncols(), entries)
    if isinstance(value, tuple):
        return tuple(_short(entry) for entry in value)
    if not isinstance(value, fmpq) or value == 0:
        return value
    parts = 4 if abs(value) < 1 else 1
    size = abs(value) if abs(value) < MOST else fmpq(MOST)
    whole = int((size * parts + fmpq(1, 2)).floor())
    return fmpq(max(whole, 1) * (1 if value > 0 else -1), parts)
