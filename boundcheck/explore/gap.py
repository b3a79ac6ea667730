"""What lies between a plan and the truth: worlds below, composed bounds above, steps between.

The truth is the least size at which a conclusion holds in every admissible world. It is at most the
planned size, as the statements say, and above every size at which the conclusion fails in some
world. How much of that each step gives away is the slack of its own verdict: what its bound could
shrink by before the same search refutes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError
from boundcheck.explore.golden import golden_word, stands_by_golden
from boundcheck.explore.planning import plan
from boundcheck.explore.plans import Plan
from boundcheck.explore.wording import grouped, plain
from boundcheck.setting import INEQUALITIES, flatten, parts
from boundcheck.worlds import Space
from boundcheck.worlds.fields import Choice, Integer, Real

if TYPE_CHECKING:
    from boundcheck.checks.base import Budget
    from boundcheck.verdict import Evidence

STEPS = 12  # statements whose slack is asked for, the nearest first
DEAREST = 8.0  # cost of a claim whose verdict is asked for
LONGEST = 1_000  # steps of an algorithm that a world may take
LARGEST = 2**23  # of the sizes 1, 2, 4, ... at which a world is sought
FINE = 16  # sizes closer than this part of the smaller one are not told apart
SHARE = 8  # a first search gets this part of what a verdict gets, for there are many of them


@dataclass(frozen=True)
class Floor:
    """The largest size found at which the conclusion fails in a world.

    Args: key: of the statement. failing: that size, or None. kind: "exact" or "statistical".
    detail: the world, or why none was sought. planned: the size that suffices.
    """

    name: str
    key: str
    failing: int | None
    kind: str | None
    detail: str
    planned: Any

    def __str__(self) -> str:
        high = grouped(self.planned)
        if self.failing is None and self.detail:
            return f"{self.name}: {self.detail}; {high} suffice"
        if self.failing is None:
            return f"{self.name}: no world found in which fewer are not enough; {high} suffice"
        return f"{self.name}: {grouped(self.failing)} < needed <= {high} ({self.kind} world)"


@dataclass(frozen=True)
class StepSlack:
    """A statement that a plan rests on, with its verdict and what its bound could shrink by.

    The verdict is that of the golden file; slack is of a short search, where that comes to it too.
    """

    key: str
    outcome: str
    slack: float | None

    def __str__(self) -> str:
        slack = "no slack known" if self.slack is None else f"slack {self.slack:.4g}"
        return f"{self.key}: {self.outcome}, {slack}"


@dataclass(frozen=True)
class Better:
    """A statement of the library with which a plan is cheaper."""

    instead_of: str
    key: str
    cost: sympy.Expr

    def __str__(self) -> str:
        return f"{self.key} in place of {self.instead_of}: cost {plain(self.cost)}"


@dataclass(frozen=True)
class Gap:
    """Lower bounds, slack of steps, and cheaper statements; empty where there are none."""

    floors: tuple[Floor, ...]
    steps: tuple[StepSlack, ...]
    better: tuple[Better, ...]

    def __str__(self) -> str:
        lines = [f"truth    {floor}" for floor in self.floors]
        lines += [f"step     {step}" for step in self.steps]
        lines += [f"better   {item}" for item in self.better]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """JSON-ready form; sizes as text."""
        return {
            "truth": [
                {"size": f.name, "claim": f.key, "more_than": _text(f.failing),
                 "evidence": f.kind, "at_most": str(f.planned), "world": f.detail}
                for f in self.floors
            ],
            "steps": [{"claim": s.key, "verdict": s.outcome, "slack": s.slack}
                      for s in self.steps],
            "better": [{"instead_of": b.instead_of, "claim": b.key, "cost": str(b.cost)}
                       for b in self.better],
        }  # fmt: skip


def gap(
    found: Plan, library: Any, minimise: str | None = None, target: str | None = None, *,
    budget: str = "quick", seed: int = 0,
) -> Gap:  # fmt: skip
    """What lies between a plan and the truth.

    Args: found: the plan, of claims in `library`. minimise, target: as it was made.
    budget, seed: of the searches.
    """
    return Gap(
        tuple(_floors(found, library, budget, seed)),
        tuple(_steps(found, library, budget, seed)),
        tuple(better(found, library, minimise, target)),
    )


def small(budget: str) -> Budget:
    """A part of a budget by counts, so that what is found does not depend on the machine."""
    from boundcheck.checks.base import budget_named

    whole = budget_named(budget)
    return replace(whole, evaluations=whole.evaluations // SHARE, draws=whole.draws // SHARE,
                   outcomes=whole.outcomes // 2, least=0)  # fmt: skip


def _floors(found: Plan, library: Any, budget: str, seed: int) -> Iterator[Floor]:
    for name, planned in found.sizes.items():
        key = next((k for k in reversed(found.keys) if _has(library[k], name)), None)
        listed = key is not None and isinstance(_fields(library[key])[name], Choice)
        if key is not None and isinstance(planned, int) and not listed:
            yield _floor(found, library[key], key, name, budget, seed)


def _has(claim: Claim, name: str) -> bool:
    return name in _fields(claim)


def _fields(claim: Claim) -> dict[str, Any]:
    found = dict(claim.worlds.fields) if claim.worlds is not None else {}
    found |= {s.name: f for s, f in claim.parameters.items()}
    return {n: f for n, f in found.items() if isinstance(f, (Integer, Real, Choice))}


def at_size(claim: Claim, name: str, values: Mapping[str, Any]) -> Claim:
    """The claim at fixed values, without its conditions on one size.

    What worlds measure is held to its value by a hypothesis.
    """
    kept = [
        member for condition in claim.given for member in flatten(condition)
        if name not in {s.name for s in member.free_symbols}
    ]
    for symbol in claim.measure:
        value = values.get(symbol.name)
        if isinstance(value, (int, fmpq)) and symbol.name not in {name, *claim.random_names}:
            exactly = fmpq(value)
            number = sympy.Rational(int(exactly.p), int(exactly.q))
            kept.append(sympy.Eq(symbol, number, evaluate=False))
    fixed = {n: Choice((values[n],)) for n in _fields(claim)
             if isinstance(values.get(n), (int, fmpq, str))}  # fmt: skip
    worlds = claim.worlds
    if worlds is not None:
        worlds = Space(**{n: fixed.get(n, f) for n, f in worlds.fields.items()})
    parameters = {s: fixed.get(s.name, f) for s, f in claim.parameters.items()}
    return replace(claim, given=tuple(kept), parameters=parameters, worlds=worlds)


def _floor(
    found: Plan, claim: Claim, key: str, name: str, budget: str, seed: int
) -> Floor:
    """Sizes 1, 2, 4, ... as long as the conclusion fails there in some world, then between."""
    values = {**found.given, **found.chosen, **found.sizes}
    detail, planned = _too_long(found, claim, name), found.sizes[name]
    best: Evidence | None = None

    def fails(size: int) -> bool:
        nonlocal best
        item = _failing(claim, key, name, {**values, name: size}, budget, seed)
        best = item or best
        return item is not None

    low, high = 0, 1
    while not detail and high < planned and high <= LARGEST and fails(high):
        low, high = high, 2 * high
    high = min(high, planned)
    while low and high - low > 1 + low // FINE:
        middle = (low + high) // 2
        low, high = (middle, high) if fails(middle) else (low, middle)
    kind, world = (None, "") if best is None else (best.kind, best.detail)
    return Floor(name, key, low or None, kind, detail or world, planned)


def _failing(
    claim: Claim, key: str, name: str, values: Mapping[str, Any], budget: str, seed: int
) -> Evidence | None:
    """A world in which the conclusion fails at given values, or None; looked for twice."""
    from boundcheck.checks.base import budget_named
    from boundcheck.diagnosis.trial import Bench

    try:
        changed = at_size(claim, name, values)
    except BoundcheckError:
        return None
    for look, effort in enumerate((small(budget), budget_named(budget))):
        purpose = f"{name} = {values[name]} {look}"
        item = Bench(key, effort, seed).refutation(changed, purpose)
        if item is not None and item.outcome == "refuted":
            return item
    return None


def _too_long(found: Plan, claim: Claim, name: str) -> str:
    """Why worlds cannot be run at the other sizes of a plan, or nothing."""
    if claim.draw is None:
        return ""
    long = [n for n, v in found.sizes.items() if n != name and _has(claim, n) and v > LONGEST]
    return f"not tried in worlds, which take {long[0]} steps each" if long else ""


def _steps(found: Plan, library: Any, budget: str, seed: int) -> Iterator[StepSlack]:
    from boundcheck.diagnosis.trial import Bench

    for key in _resting(found.keys, library)[:STEPS]:
        if library[key].cost > DEAREST:
            continue
        verdict = Bench(key, small(budget), seed).verdict(library[key], "as a step")
        known = golden_word(library.root, key) or verdict.outcome
        yield StepSlack(key, known, verdict.slack if verdict.outcome == known else None)


def _resting(keys: tuple[str, ...], library: Any) -> list[str]:
    """The statements of a plan and those that their proofs use, the nearest first."""
    order = dict.fromkeys(reversed(keys))
    waiting = list(order)
    while waiting:
        for used in library[waiting.pop(0)].uses:
            if used in library.claims and used not in order:
                order[used] = None
                waiting.append(used)
    return list(order)


def better(
    found: Plan, library: Any, minimise: str | None = None, target: str | None = None
) -> Iterator[Better]:
    """Statements that stand, conclude the same, and make the plan cheaper."""
    for place, key in enumerate(found.keys):
        for other in _alike(key, library):
            keys = [*found.keys[:place], other, *found.keys[place + 1 :]]
            claims = {k: library[k] for k in keys}
            try:
                cheaper = plan(claims, target, minimise, found.given, rates=False)
            except BoundcheckError:
                continue
            if cheaper.cost == found.cost and cheaper.cost_value < found.cost_value:
                yield Better(key, other, cheaper.cost_value)


def _alike(key: str, library: Any) -> Iterator[str]:
    """Statements of the same source with the same conclusion that stand by their golden file."""

    source, wanted = key.partition("/")[0] + "/", _conclusion(library[key])
    for other in library.select([source]):
        if other != key and wanted & _conclusion(library[other]) and (
            stands_by_golden(library.root, other)
        ):  # fmt: skip
            yield other


def _conclusion(claim: Claim) -> set[sympy.Basic]:
    """The smaller sides of what a claim asserts."""
    return {part.lts for part in parts(claim.statement.relation)
            if isinstance(part, INEQUALITIES)}  # fmt: skip


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)
