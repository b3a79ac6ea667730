"""Plans: what several statements ask together, at the least cost.

Sizes (what the cost counts) are raised to the least values that meet every condition, in turns,
until nothing changes. What is free besides (regularisation, step sizes, shares of a failure
probability) is chosen to make the cost least: on a grid of magnitudes, then by local search, in
closed form where there is one. The plan that comes out is certified: every condition holds at it,
each size is the least, and nothing admissible is cheaper by more than a stated factor.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck import exact
from boundcheck.errors import InvalidArgument
from boundcheck.explore.agreement import require_agreement
from boundcheck.explore.completion import completed
from boundcheck.explore.composing import FAILURE, Composition, composed
from boundcheck.explore.conditions import System
from boundcheck.explore.finite import cheapest, held, ways, worst
from boundcheck.explore.golden import grounds
from boundcheck.explore.grammar import parse_value
from boundcheck.explore.plans import Plan, Step
from boundcheck.explore.plateaus import falls_on, inward, stays, way
from boundcheck.explore.ranges import Range
from boundcheck.explore.rounding import DIGITS, number, rounded, slopes
from boundcheck.explore.simple import simplest_between
from boundcheck.explore.sizing import FACTORS, LEAST, Sizes, signs
from boundcheck.explore.stated import level
from boundcheck.explore.unreached import unreachable
from boundcheck.explore.wording import listed
from boundcheck.scores import beyond
from boundcheck.setting import INEQUALITIES

if TYPE_CHECKING:
    from boundcheck.explore.optimum import Optimum

GRID = tuple(fmpq(10) ** k for k in range(-8, 5))  # magnitudes at which free parameters are tried
CONFIDENCE = sympy.Rational(9, 10)  # of a statement whose level nobody said
SHARE_GRID = (fmpq(1, 2), fmpq(1, 5), fmpq(4, 5))  # of the failure probability
IN_STEP = 8  # free values at which sizes are raised together where raising them one by one fails
FARTHEST = fmpq(10) ** 40  # so far beyond them the local search goes
NEARNESS = tuple(sympy.Rational(1, 10**k) for k in (2, 3, 4))  # of simple numbers that are tried
RATES = (fmpq(1, 2), fmpq(2))  # changes of a given value that rates are read from


def plan(
    keys: Any, target: str | None = None, minimise: str | None = None,
    given: Mapping[Any, Any] | None = None, *, rates: bool = True, root: Any = None,
) -> Plan:  # fmt: skip
    """The cheapest admissible values of everything that is not given.

    Args:
        keys: one key or several, the statement that concludes last; or a mapping of claims.
        target: what is wanted of the conclusion, e.g. "rhs <= 0.01".
        minimise: the cost, an expression of sizes, e.g. "M * T"; by default their product.
        given: values by name, as for `require`. rates: whether the plan is made again at half the
        given values, for the rates, and certified to be the cheapest up to a factor.
    Raises: InvalidArgument for unknown names, circles, and a target that nothing reaches, with the
        best that is reached.
    """
    joint = composed(_claims(keys, root))
    label = " + ".join(joint.keys)
    system = System(joint.claim, given, target, label)
    confidence = _confidence(joint, system)
    work = Planner(label, joint, system, minimise)
    require_agreement(system, {**system.values, **work.fixed})
    best = work.best()
    if best is None:
        raise InvalidArgument(f"{label}: {unreachable(work)}")
    work.require_least(best)
    found = replace(
        work.plan(best), confidence=confidence, level=work.level(best),
        grounds=() if isinstance(keys, Mapping) else grounds(joint.keys, root, deep=rates),
    )  # fmt: skip
    return replace(found, rates=work.rates(best), optimum=work.optimum(best)) if rates else found


def _confidence(joint: Composition, system: System) -> sympy.Rational | None:
    """The least level, made a condition where the level depends on what is free and nobody said
    which it is to be: else the cheapest plan would be one that says nothing."""
    stated = level(system.claim)
    if stated is None or joint.shares:
        return None
    chosen = {symbol.name for symbol in system.claim.parameters} - set(system.values)
    free = [n for n in system.inputs_of_relation(stated)
            if n in chosen and not system.ranges[n].whole]  # fmt: skip
    target = set() if system.target is None else set(sympy.preorder_traversal(system.target))
    said = system.target is not None and any(Range().narrowed(system.target, n) for n in free)
    if not free or said or stated in target:
        return None
    system.conditions.append(sympy.Ge(system.expression(stated), CONFIDENCE, evaluate=False))
    return CONFIDENCE


def _claims(keys: Any, root: Any) -> dict[str, Any]:
    if isinstance(keys, Mapping):
        return dict(keys)
    from boundcheck.library import load_library

    wanted = [keys] if isinstance(keys, str) else list(keys)
    if len(set(wanted)) < len(wanted):
        raise InvalidArgument(f"{' + '.join(wanted)}: a statement is named twice; name it once")
    library = load_library(root, wanted)
    return {library.one(key): library[library.one(key)] for key in wanted}


class Planner(Sizes):
    """The choice of free values for one composition."""

    def __init__(
        self, label: str, joint: Composition, system: System, minimise: str | None
    ) -> None:
        self.label, self.joint, self.system = label, joint, system
        needed = [n for r in system.conditions for n in system.inputs_of_relation(r)]
        self.cost = self._cost(minimise, needed)
        self.signed, falling = signs(self.cost, system)
        needed += system.inputs_of_relation(self.cost)
        self.names = [n for n in dict.fromkeys(needed) if n not in system.values]
        parameters = {s.name for s in system.claim.parameters}
        own = {n for n in self.names if n in parameters}
        asked = {getattr(r.gts, "name", "") for r in system.conditions
                 if isinstance(r, INEQUALITIES)
                 and not system.settles(r)}  # fmt: skip
        counted = set(system.inputs_of_relation(self.cost)) - falling
        asked |= {n for n in counted if system.ranges[n].items is not None}
        self.sizes = [n for n in self.names if n in counted & asked or self._is_cost(n)
                      or (self._is_size(n) and n in (counted | own) - falling)]  # fmt: skip
        self.shares = [n for n in joint.shares if n in self.names]
        self.free = [n for n in self.names if n in own and n not in self.sizes
                     and n not in self.shares and n != FAILURE]  # fmt: skip
        others = [n for n in self.names if n not in {*self.sizes, *self.shares, *self.free}]
        settled, _ = completed(system, others)
        self.fixed = {n: settled[n] for n in others}
        self.seen: dict[tuple[Any, ...], dict[str, Any] | None] = {}
        self.closed: dict[tuple[sympy.Basic, str], sympy.Basic] = {}
        self.alike: dict[str, str] = {}  # names to where other values of them cost the same

    def _is_size(self, name: str) -> bool:
        return self.system.ranges[name].whole

    def _cost(self, minimise: str | None, needed: list[str]) -> sympy.Expr:
        system = self.system
        if minimise is not None:
            return system.expression(parse_value(minimise, system.spoken()))
        sizes = [n for n in dict.fromkeys(needed)
                 if self._is_size(n) and n not in system.values]  # fmt: skip
        if not sizes:
            raise InvalidArgument(
                f"{self.label}: no size is free, so there is nothing to plan; say what is to be "
                "least with --minimise"
            )
        return sympy.Mul(*[system.symbols[n] for n in sizes])

    # cost

    def best(self) -> dict[str, fmpq] | None:
        """Free values of least cost; None if none is admissible."""
        return cheapest(self, (*self.free, *self.sizes), self._best)

    def _best(self) -> dict[str, fmpq] | None:
        starts = [point for point in self.grid() if self.cost_at(point) < math.inf]
        starts = starts or self._in_step()
        if not starts:
            return None
        found = self._descended(min(starts, key=self.cost_at))
        return self._settled(self._inward(self._plainer(self._stationed(found))))

    def _in_step(self) -> list[dict[str, fmpq]]:
        """The first of some free values at which sizes that are raised together are admissible."""
        for point in itertools.islice(self.grid(), IN_STEP):
            values = self.in_step(point)
            if values is not None and self.value(values) < math.inf:
                self.keep(point, values)
                return [point]
        return []

    def _settled(self, point: dict[str, fmpq]) -> dict[str, fmpq]:
        """The same free values, with sizes of which no two can be traded at a gain."""
        values = self.filled(point)
        if values is not None and len(self.sizes) > 1:
            self.keep(point, self.traded(values))
        return point

    def _inward(self, point: dict[str, fmpq]) -> dict[str, fmpq]:
        """Free values away from the ends of the search, as far as that costs nothing."""
        for name in self.free:
            word, values = self._way(point, name), self.filled(point)
            if not word or values is None:
                continue
            asked, cost = self.system.decided_by(values), self.cost_at
            found = inward(self.system, asked, point, values, name, word, cost)
            point = point if found is None else {**point, name: found}
            if stays(self.system, asked, point, values, name, word, cost):
                self.alike[name] = word
        return point

    def _way(self, point: dict[str, fmpq], name: str) -> str:
        """To which end of the search a free value was pushed; of a finite set there is none."""
        listed = self.system.ranges[name].items is not None
        return "" if listed else way(point[name], GRID[0], GRID[-1])

    def _endless(self, point: dict[str, fmpq]) -> dict[str, str]:
        """Free values for which no best one was found, and where better ones are."""
        words = {n: self._way(point, n) for n in self.free if n not in self.alike}
        return {n: word for n, word in words.items() if word
                and falls_on(self.system.ranges[n], point, n, word, self.cost_at)}  # fmt: skip

    def _stationed(self, point: dict[str, fmpq]) -> dict[str, fmpq]:
        """Free values put where a closed form has them, if that costs no more."""
        for name, (_, value) in self.stations(point).items():
            moved = {**point, name: value}
            if self.cost_at(moved) <= self.cost_at(point):
                point = moved
        return point

    def _plainer(self, point: dict[str, fmpq]) -> dict[str, fmpq]:
        """Free values at a simple number near them, where that costs less: 1/15 for 0.0667."""
        for name, near in itertools.product(self.free, NEARNESS):
            value = sympy.Rational(int(point[name].p), int(point[name].q))
            if self.system.ranges[name].items is not None or value <= 0:
                continue
            simple = simplest_between(value * (1 - near), value * (1 + near))
            moved = {**point, name: fmpq(int(simple.p), int(simple.q))}
            inside = self.system.ranges[name].contains(moved[name])
            if inside and self.cost_at(moved) < self.cost_at(point):
                point = moved
        return point

    def stations(self, point: dict[str, fmpq]) -> dict[str, tuple[sympy.Expr, fmpq]]:
        """Closed forms of free values that one condition alone decides, with their values."""
        from boundcheck.explore.stationary import stationary

        system, values = self.system, self.filled(point)
        found: dict[str, tuple[sympy.Expr, fmpq]] = {}
        for name in self.free if values is not None else ():
            assert values is not None
            about = [r for r in self.system.decided_by(values)
                     if not system.settles(r) and name in system.inputs_of_relation(r)]  # fmt: skip
            formula = stationary(about[0], system.symbols[name]) if len(about) == 1 else None
            value = None if formula is None else system.evaluate(formula, values)
            if value is None or exact.sign(value) != 1:
                continue
            near = rounded(fmpq(*exact.to_float(value).as_integer_ratio()), 2 * DIGITS)
            if system.ranges[name].contains(near):
                found[name] = (formula, near)
        return found

    def grid(self) -> Iterator[dict[str, fmpq]]:
        """Free values over all magnitudes, one of them at a time around plain ones, then pairs."""
        plain = {n: fmpq(self.system.plain(n)) for n in self.free}
        base = plain | self._shared(SHARE_GRID[0])
        yield base
        names = self.free[:3]
        for many in (1, 2):
            for chosen in itertools.combinations(names, many):
                tried = [self.system.ranges[n].items or GRID[:: 2 * many - 1] for n in chosen]
                for steps in itertools.product(*tried):
                    point = base | dict(zip(chosen, steps, strict=True))
                    if all(self.system.ranges[n].contains(v) for n, v in point.items()):
                        yield point
        values, failing = completed(self.system, self.names)
        if not failing:
            yield base | {n: fmpq(values[n]) for n in self.free}

    def _shared(self, share: fmpq) -> dict[str, fmpq]:
        """The failure probability in shares, the first as given."""
        if not self.shares:
            return {}
        whole = self.joint.shared(fmpq(self.system.values.get(FAILURE, fmpq(1, 10))))
        rest = (1 - share) / max(len(self.shares) - 1, 1)
        return {n: whole * (share if place == 0 else rest)
                for place, n in enumerate(self.shares)}  # fmt: skip

    def _descended(self, point: dict[str, fmpq]) -> dict[str, fmpq]:
        """Coordinate search in shrinking factors; what does not lower the cost is not taken."""
        best, cost = dict(point), self.cost_at(point)
        for factor in FACTORS:
            improved = True
            while improved:
                improved = False
                for candidate in self._neighbours(best, factor):
                    found = self.cost_at(candidate)
                    if found < cost - 1e-9:
                        best, cost, improved = candidate, found, True
        return best

    def _neighbours(self, point: dict[str, fmpq], factor: fmpq) -> Iterator[dict[str, fmpq]]:
        for name in (*self.free, *(self.shares if len(self.shares) == 1 else ())):
            allowed = self.system.ranges[name]
            for side in (-1, 1) if allowed.items is not None else ():
                if allowed.contains(value := allowed.beside(point[name], side)):
                    yield {**point, name: value}
            for step in (factor, 1 / factor) if allowed.items is None else ():
                value = rounded(point[name] * step)
                far = not GRID[0] / FARTHEST <= value <= GRID[-1] * FARTHEST
                if value != point[name] and not far and allowed.contains(value):
                    yield {**point, name: value}
        if len(self.shares) > 1:
            for first, second in itertools.permutations(self.shares, 2):
                moved = point[first] * (1 - 1 / factor)
                yield {**point, first: point[first] - moved, second: point[second] + moved}

    # results

    def require_least(self, point: dict[str, fmpq]) -> None:
        """Raises: InvalidArgument where a real size that is the cost has no least value."""
        values = self.filled(point) or {}
        for name in self.sizes:
            allowed = self.system.ranges[name]
            if allowed.whole or allowed.low is None or not allowed.open_low:
                continue
            if fmpq(values[name]) <= allowed.low + LEAST:
                at = listed({n: v for n, v in values.items() if n != name}, self.system.called)
                raise InvalidArgument(
                    f"{self.label}: {name} has no least value that was found: the conditions hold "
                    f"as near to {exact.to_float(allowed.low):g} as was looked, at {at}; give "
                    "other values with --set or another cost"
                )

    def plan(self, point: dict[str, fmpq]) -> Plan:
        """The plan at free values."""
        system, values = self.system, self.filled(point)
        assert values is not None
        steps = tuple(
            Step(relation, *self._slack(relation, values)) for relation in system.decided_by(values)
            if not system.settles(relation)
        )  # fmt: skip
        cost = system.evaluate(self.cost, values)
        ends = self._endless(point)
        return Plan(
            keys=self.joint.keys, cost=self.cost, cost_value=number(cost),
            sizes={n: values[n] for n in self.sizes},
            chosen={n: values[n] for n in (*self.free, *self.shares) if n not in ends},
            given=dict(system.values), assumed=dict(self.fixed), steps=steps,
            links=self.joint.links, target=system.target, called=system.called,
            ends=ends, alike=dict(self.alike),
            lower={n: self._below(n, values) for n in self.sizes},
            floor=frozenset(n for n in self.sizes if not self.system.ranges[n].contains(
                self._one_less(n, values))),
            formulas={n: formula for n, (formula, near) in self.stations(point).items()
                      if abs(near - point[n]) * 20 <= near},
        )  # fmt: skip

    def level(self, point: dict[str, fmpq]) -> float | None:
        """The probability with which the statement holds at free values; None if it has none."""
        stated = level(self.system.claim)
        found = None if stated is None else self.system.evaluate(
            self.system.expression(stated), self.filled(point) or {}
        )
        return None if found is None else exact.to_float(found)

    def _slack(
        self, relation: sympy.Basic, values: Mapping[str, Any]
    ) -> tuple[float | None, int | None]:
        """Larger side over smaller side of a condition: 1 where it binds; and its power of ten."""
        if not isinstance(relation, INEQUALITIES):
            return None, None
        low, high = (self.system.evaluate(s, values) for s in (relation.lts, relation.gts))
        if low is None or high is None or exact.sign(low) != 1 or exact.sign(high) != 1:
            return None, None
        ratio = exact.to_float(exact.to_ball(high) / exact.to_ball(low))
        return ratio, beyond(low, high)

    def _below(self, name: str, values: Mapping[str, Any]) -> sympy.Basic | None:
        """The condition that fails with this size one lower, the others as planned."""
        less = {**values, name: self.system.number(name, self._one_less(name, values))}
        if not self.system.ranges[name].contains(fmpq(less[name])):
            return None
        for relation in self.system.decided_by(values):
            if self.system.truth(relation, less).broken:
                return relation
        return None

    def _one_less(self, name: str, values: Mapping[str, Any]) -> fmpq:
        value, allowed = fmpq(values[name]), self.system.ranges[name]
        return allowed.beside(value, -1) if allowed.apart else value - value / 10**9

    def optimum(self, point: dict[str, fmpq]) -> Optimum | None:
        """The certificate that nothing is much cheaper; None where the cost is no rational."""
        from boundcheck.explore.optimum import Minimum
        from boundcheck.explore.reading import readable

        system, values = self.system, self.filled(point)
        assert values is not None
        cost = system.evaluate(self.cost, values)
        if cost is None or not exact.is_exact(cost):
            return None
        moving = (*self.free, *self.shares, *self.sizes)
        fixed, found = {n: v for n, v in values.items() if n not in moving}, []
        for chosen in ways(system.ranges, moving):
            known = fixed | {n: system.number(n, v) for n, v in chosen.items()}
            read = readable(system, (*system.decided_by(values), self.cost), known)
            free, sizes = ({n: system.ranges[n] for n in names if n not in chosen}
                           for names in ((*self.free, *self.shares), self.sizes))  # fmt: skip
            found.append(Minimum(
                read.relations[:-1], read.relations[-1], free, sizes, fmpq(cost), point, read.unread
            ).certified())  # fmt: skip
        return worst(found)

    def rates(self, point: dict[str, fmpq]) -> dict[str, dict[str, float]]:
        """d log size / d log given, from plans at half the given value: name to size to rate.

        What takes finitely many values jumps, and stays where it is.
        """
        base = self.filled(point)
        assert base is not None
        stay = {n: fmpq(base[n]) for n in (*self.free, *self.sizes)
                if self.system.ranges[n].items is not None}  # fmt: skip
        with held(self.system, stay):
            return self._rates(point, base, [*stay, *self.alike, *self._endless(point)])

    def _rates(
        self, point: dict[str, fmpq], base: dict[str, Any], without: list[str]
    ) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, float]] = {}
        moving = tuple(n for n in (*self.sizes, *self.free) if n not in without)
        for name in self.system.values:
            value = self.system.values[name]
            if not isinstance(value, (int, fmpq)) or not value or self._is_size(name):
                continue
            for ratio in RATES:
                moved = self._moved(name, fmpq(value) * ratio, point)
                if moved is not None:
                    found[name] = slopes(base, moved, moving, ratio)
                    break
        return found

    def _moved(self, name: str, value: fmpq, point: dict[str, fmpq]) -> dict[str, Any] | None:
        if not self.system.ranges[name].contains(value):
            return None
        before, seen = self.system.values[name], self.seen
        self.system.values[name], self.seen = self.system.number(name, value), {}
        try:
            if self.cost_at(point) == math.inf:
                point = {n: v / (4 if self.system.ranges[n].items is None else 1)
                         for n, v in point.items()}  # fmt: skip
            if self.cost_at(point) == math.inf:
                return None
            return self.filled(self._settled(self._descended(point)))
        finally:
            self.system.values[name], self.seen = before, seen
