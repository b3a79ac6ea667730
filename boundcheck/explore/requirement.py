"""What a theorem requires of one symbol: the least (or greatest) value that meets all conditions.

>>> import sympy
>>> from boundcheck import Claim, Holds, Source
>>> from boundcheck.worlds import Integer, Real
>>> M, xi, delta = sympy.symbols("M xi delta", real=True)
>>> claim = Claim(
...     source=Source("A", 2024, "Example").at("Theorem 1"),
...     statement=Holds(1 / M <= xi),
...     given=[M >= sympy.Max(8 / xi**2, 32 / xi**4) * sympy.log(2 / delta)],
...     parameters={M: Integer(1, searched=10**6), xi: Real(0, None), delta: Real(0, 1)},
... )
>>> need = require(claim, M, {xi: "0.1", delta: 0.05})
>>> need.answer, need.branch
(1180442, 32*log(2/delta)/xi**4)
>>> {name: round(rate, 2) for name, rate in need.elasticities.items()}
{'delta': -0.27, 'xi': -4.0}
>>> round(need.halved_by["xi"], 6), [trial.holds for trial in need.trials]
(1.189207, [True, False, True])

In a notebook the result shows as a formula with its value:

>>> print(need._repr_latex_()[-15:])
ght) = 1180442$
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy
from flint import arb, fmpq

from boundcheck import exact
from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument
from boundcheck.exact import precision
from boundcheck.explore.answers import ConditionState, Requirement, Trial
from boundcheck.explore.completion import completed, moved
from boundcheck.explore.conditions import System, as_system
from boundcheck.explore.direct import computed_value
from boundcheck.explore.inversion import Bound, bounds, combined
from boundcheck.explore.sensitivity import sensitivity
from boundcheck.explore.solving import FINE, Interval, Solved, intersect, rounded, solve


def require(
    claim: Any,
    symbol: Any,
    given: Mapping[Any, Any] | None = None,
    target: Any = None,
    *,
    sense: str | None = None,
    assume: bool = True,
    root: Any = None,
) -> Requirement:
    """The least (or greatest) value of a symbol at which every condition of a claim holds.

    Args:
        claim: a Claim, or its key (looked up under `root`).
        symbol: SymPy symbol or name.
        given: name or symbol to number, text ("1e-3", "2^20") or expression of other symbols.
            Measured symbols (norms, R) are given by name like parameters.
        target: a further condition, e.g. "rhs <= 0.01"; `lhs` and `rhs` are the statement's sides.
        sense: "least" or "greatest"; by default the end that a condition fixes, the least first.
        assume: fill values that are not given with 1 (or a tenth of the way into their range),
            moved until the hypotheses hold, and say so; otherwise the answer is a formula only.
    Where no condition involves the symbol and no target is given, the question is at which values
    the bound beats `trivial` of the claim, if it states that.

    Raises: InvalidArgument for unknown symbols, values outside their range, contradictory or
        unsolvable conditions, naming the conditions and the bracket searched.
    """
    label, system = as_system(claim, given, target, root)
    name = system.symbol(symbol)
    if name in system.values or system.symbols[name] in system.replaced:
        raise InvalidArgument(f"{label}: {name} is asked for and given; drop --set {name}")
    if sense not in (None, "least", "greatest"):
        raise InvalidArgument(f"{label}: sense {sense!r} is neither 'least' nor 'greatest'")
    relations = system.involving(name)
    if isinstance(system.plain(name), str):
        raise InvalidArgument(f"{label}: {name} is a name, not a number; ask for a number")
    if not relations and name in system.measured() and system.inputs([name]) != [name]:
        return computed_value(label, system, name, assume)
    beyond = None if relations or target else system.target_beyond_trivial(name)
    if beyond is not None:
        need = require(claim, symbol, given, beyond, sense=sense, assume=assume, root=root)
        note = f"no condition involves {name}; where the bound beats what is true anyway"
        return replace(need, note=note)
    if not relations:
        others = sorted({n for n in system.symbols if n != name and system.involving(n)})
        hint = f"conditions are on {', '.join(others)}" if others else "it has no conditions"
        raise InvalidArgument(f"{label}: no condition involves {name}; {hint}")
    return _Question(label, system, name, relations, sense, assume).answer()


class _Question:
    def __init__(
        self, label: str, system: System, name: str, relations: list[sympy.Basic],
        sense: str | None, assume: bool,
    ) -> None:  # fmt: skip
        self.label, self.system, self.name = label, system, name
        self.relations, self.sense, self.assume = relations, sense, assume
        self.symbol = system.symbols[name]
        self.allowed = system.ranges[name]
        needed = [n for r in relations for n in system.inputs_of_relation(r) if n != name]
        self.missing = [n for n in dict.fromkeys(needed) if n not in system.values]

    def answer(self) -> Requirement:
        system = self.system
        if self.missing and not self.assume:
            return self._formula_only()
        self.values, failing = self._point()
        values = self.values
        self._require_hypotheses(failing)
        solved = [solve(system, r, self.name, values, self.allowed) for r in self.relations]
        everything = solved
        solved, postponed = self._postponed(solved)
        common = self._common(solved)
        self.sense = self.sense or self._sense(common)
        low, high = common[0][0], common[-1][1]
        value = low if self.sense in ("least", "exactly") else high
        if value is None:
            raise InvalidArgument(
                f"{self.label}: no condition limits {self.name} from above; ask for the least value"
            )
        if not self._settle(postponed, value):
            self.values = values
            self._common(everything)
        self.asked = [r for r in self.relations if r not in postponed]
        values = self.values
        other = high if self.sense == "least" else low
        at_end = other is None or other in (self.allowed.low, self.allowed.high, self._floor())
        binding = tuple(s.relation for s in solved if self._fixes(s.intervals, value))
        formula = self._formula(value)
        branch = None
        if formula is not None and not self.allowed.whole:
            value = self._sharper(formula, value)
        if formula is not None:
            from boundcheck.explore.rates import active_branch

            branch = active_branch(formula, lambda e: system.evaluate(e, values))
        return Requirement(
            self.label, self.symbol, self.sense, self._number(value), formula, branch, binding,
            given=dict(system.values),
            assumed={n: v for n, v in values.items() if n not in system.values},
            allowed=self.allowed,
            other_end=None if at_end or self.sense == "exactly" else self._number(other),
            trials=self._trials(value),
            conditions=self._states(value),
            sensitivity=sensitivity(
                system, self.name, values, value, formula, binding or tuple(self.asked), self.sense
            ),
            replaced=dict(system.replaced),
            computed=self._computed(),
        )  # fmt: skip

    def _computed(self) -> dict[str, str]:
        """Measured symbols of the conditions that follow from the values, as text."""
        names = {s.name for r in self.asked for s in r.free_symbols} & set(self.system.measured())
        found = {}
        for item in sorted(names - set(self.values)):
            if self.name not in self.system.inputs([item], self.values):
                value = self.system.evaluate(self.system.symbols[item], self.values)
                if value is not None:
                    found[item] = show(value, 10)
        return found

    def _point(self) -> tuple[dict[str, Any], list[sympy.Basic]]:
        return completed(self.system, self.missing, avoid=self.name)

    def _formula_only(self) -> Requirement:
        found: list[Bound] = []
        from boundcheck.explore.inversion import sign_at

        for relation in self.relations:
            inner = bounds(self._inlined(relation), self.symbol, sign_at({}))
            found += inner or []
        lower = [b for b in found if b.lower] or found
        wanted = self.sense or ("least" if lower and lower[0].lower else "greatest")
        formula = combined([b for b in found if b.lower == (wanted == "least")])
        if formula is None:
            raise InvalidArgument(
                f"{self.label}: {self.name} has no closed form without values; give "
                + ", ".join(f"--set {n}=..." for n in self.missing)
            )
        return Requirement(
            self.label, self.symbol, wanted, None, formula, None, tuple(self.relations),
            given=dict(self.system.values), assumed={}, allowed=self.allowed,
            missing=tuple(self.missing), replaced=dict(self.system.replaced),
        )  # fmt: skip

    def _require_hypotheses(self, failing: list[sympy.Basic]) -> None:
        system, values = self.system, self.values
        for relation in failing:
            inputs = system.inputs_of_relation(relation)
            shown = ", ".join(f"{n} = {show(values[n])}" for n in inputs)
            if relation is system.target:
                reason = f"the target does not depend on {self.name} and"
            else:
                reason = "the hypothesis"
            raise InvalidArgument(
                f"{self.label}: {reason} {relation} fails at {shown}; change "
                + " or ".join(f"--set {n}" for n in inputs)
            )

    def _postponed(self, solved: list[Solved]) -> tuple[list[Solved], list[sympy.Basic]]:
        """Conditions in conflict only because of a parameter that nobody gave wait until the
        answer is known; that parameter is moved then (t >= T with a free t)."""
        waiting: list[sympy.Basic] = []
        free = {s.name for s in self.system.claim.parameters} - set(self.system.values)
        while len(solved) > 1:
            conflict = self._conflict(solved)
            movable = [
                s for s in conflict
                if free & set(self.system.inputs_of_relation(s.relation)) - {self.name}
            ]  # fmt: skip
            if not movable:
                break
            solved = [s for s in solved if s is not movable[-1]]
            waiting.append(movable[-1].relation)
        return solved, waiting

    def _conflict(self, solved: list[Solved]) -> list[Solved]:
        """A condition that nothing meets, or two that nothing meets together."""
        for item in solved:
            if not item.intervals:
                return [item]
        for position, item in enumerate(solved):
            for other in solved[:position]:
                if not intersect([item.intervals, other.intervals]):
                    return [other, item]
        return []

    def _settle(self, waiting: list[sympy.Basic], value: fmpq) -> bool:
        """Moves assumed values until the postponed conditions hold at the answer, if they can."""
        system, self.values = self.system, dict(self.values)
        self.values[self.name] = system.number(self.name, value)
        assumed = [n for n in self.values if n not in system.values and n != self.name]
        for relation in waiting:
            relevant = [
                r for r in system.conditions
                if set(system.inputs_of_relation(r)) <= set(self.values)
            ]  # fmt: skip
            if not moved(system, relevant, relation, assumed, self.values, alone=False):
                return False
        del self.values[self.name]
        return True

    def _common(self, solved: list[Solved]) -> tuple[Interval, ...]:
        at = self._values_text()
        conflict = self._conflict(solved)
        if len(conflict) == 1:
            raise InvalidArgument(
                f"{self.label}: no {self.name} meets {conflict[0].relation}{at}; searched "
                f"{self.allowed} up to {'2^8000' if self.allowed.whole else '2^1000'}; "
                + self._remedy(conflict)
            )
        if conflict:
            first, second = conflict
            raise InvalidArgument(
                f"{self.label}: {first.relation} (needs {self.name} {_span(first.intervals)}) and "
                f"{second.relation} (needs {self.name} {_span(second.intervals)}) contradict each "
                f"other{at}; {self._remedy(conflict)}"
            )
        common = intersect([item.intervals for item in solved])
        if not common:
            raise InvalidArgument(
                f"{self.label}: the conditions on {self.name} cannot be met together{at}; "
                + "; ".join(str(item.relation) for item in solved)
            )
        return common

    def _remedy(self, conflict: list[Solved]) -> str:
        """What to give or change: first the values that were only assumed."""
        inputs = [n for s in conflict for n in self.system.inputs_of_relation(s.relation)]
        named = [n for n in dict.fromkeys(inputs) if n != self.name and n in self.values]
        free = [n for n in named if n not in self.system.values]
        if free:
            return "give " + " ".join(f"--set {n}=..." for n in free)
        if named:
            return "change " + " or ".join(f"--set {n}" for n in named)
        return "relax one of them" if len(conflict) > 1 else "it is false for every value"

    def _values_text(self) -> str:
        inputs = [n for r in self.relations for n in self.system.inputs_of_relation(r)]
        known = [n for n in dict.fromkeys(inputs) if n != self.name and n in self.values]
        shown = [
            f"{n} = {show(self.values[n])}{'' if n in self.system.values else ' (assumed)'}"
            for n in known
        ]
        return " at " + ", ".join(shown) if shown else ""

    def _sense(self, common: tuple[Interval, ...]) -> str:
        low, high = common[0][0], common[-1][1]
        if len(common) == 1 and low == high:
            return "exactly"
        if low > self._floor() or high is None or high == self.allowed.high:
            return "least"
        return "greatest"

    def _floor(self) -> fmpq:
        """The least value that is tried: the end of the range, or close to it if it is open."""
        from boundcheck.explore.solving import ladder

        low = self.allowed.low
        return ladder(self.allowed)[0] if low is None or self.allowed.open_low else low

    def _fixes(self, intervals: tuple[Interval, ...], value: fmpq) -> bool:
        ends = [low if self.sense != "greatest" else high for low, high in intervals]
        if self.sense == "exactly":
            ends += [high for _, high in intervals]
        if self.allowed.whole:
            return value in ends
        near = FINE * 8 * abs(value)
        return any(end is not None and abs(end - value) <= near for end in ends)

    def _inlined(self, relation: sympy.Basic) -> sympy.Basic:
        """The relation with measured symbols that are plain formulas of others put in."""
        for _ in range(4):
            changes = {}
            for symbol in relation.free_symbols:
                formula = self._as_formula(symbol.name)
                if formula is not None:
                    changes[symbol] = formula
            if not changes:
                break
            relation = relation.subs(changes)
        return relation

    def _as_formula(self, name: str) -> sympy.Expr | None:
        system = self.system
        quantity = system.claim.measured.get(name)
        if name in system.values or quantity is None or name in system.inputs([name]):
            return None
        arguments = [system.symbols[a] for a in system.claim.arguments(quantity)]
        try:
            value = quantity(*arguments)
        except Exception:  # definitions are written for numbers; most do not take symbols
            return None
        return value if isinstance(value, sympy.Expr) else None

    def _formula(self, value: fmpq) -> sympy.Expr | None:
        """A closed form that agrees with the numerical answer at this point, or None."""
        found: list[Bound] = []
        lower = self.sense != "greatest"
        here = {**self.values, self.name: self.system.number(self.name, value)}
        for relation in self.asked:
            if self.sense == "exactly" and isinstance(relation, sympy.Eq):
                sides = [relation.lhs, relation.rhs]
                if self.symbol in sides:
                    sides.remove(self.symbol)
                    return sides[0]
            inner = bounds(self._inlined(relation), self.symbol, lambda e: self._sign(e, here))
            found += [b for b in inner or [] if b.lower == lower]
        formula = combined(found) if found else None
        if formula is None or not self._agrees(formula, value, any(b.strict for b in found)):
            return None
        return formula

    def _sharper(self, formula: sympy.Expr, value: fmpq) -> fmpq:
        """The closed form to 2^-100, exactly if rational, where all conditions hold there too."""
        near = rounded(self.system, formula, self.values, up=self.sense != "greatest")
        if near is None or not self.allowed.contains(near):
            return value
        here = {**self.values, self.name: self.system.number(self.name, near)}
        return near if all(self.system.holds(r, here) is True for r in self.asked) else value

    def _sign(self, expr: sympy.Expr, here: Mapping[str, Any]) -> int | None:
        value = self.system.evaluate(expr, here)
        return None if value is None else exact.sign(value)

    def _agrees(self, formula: sympy.Expr, value: fmpq, strict: bool) -> bool:
        lower, whole = self.sense != "greatest", self.allowed.whole
        near = rounded(self.system, formula, self.values, up=lower, strict=strict, whole=whole)
        if near is None:
            return False
        end = self.allowed.low if lower else self.allowed.high
        if end is not None and (near < end if lower else near > end) and value == end:
            return True
        if whole:
            return abs(near - value) <= int(strict)
        return abs(near - value) <= 16 * FINE * max(abs(value), abs(near))

    def _number(self, value: fmpq | None) -> Any:
        if value is None:
            return None
        if self.allowed.whole:
            return int(value.p)
        if len(str(value)) <= 24:
            return sympy.Rational(int(value.p), int(value.q))
        # Decimals end on the safe side, so that the answer can be given back with --set.
        up = self.sense != "greatest"
        with precision(192):
            digits = sympy.Rational(arb(value).str(20, radius=False))
        exact_value = sympy.Rational(int(value.p), int(value.q))
        if digits < exact_value if up else digits > exact_value:
            unit = sympy.Rational(10) ** (sympy.floor(sympy.log(abs(digits), 10)) - 19)
            digits += unit if up else -unit
        return sympy.Float(digits, 40)

    def _states(self, value: fmpq) -> tuple[ConditionState, ...]:
        system = self.system
        values = {**self.values, self.name: system.number(self.name, value)}
        states = []
        for relation in system.conditions:
            lacking = [n for n in system.inputs_of_relation(relation) if n not in values]
            truth = None if lacking else system.holds(relation, values)
            states.append(ConditionState(relation, truth, tuple(lacking)))
        return tuple(states)

    def _trials(self, value: fmpq) -> tuple[Trial, ...]:
        whole, least = self.allowed.whole, self.sense != "greatest"
        step = fmpq(1) if whole else max(abs(value), fmpq(1, 10**300)) / 10**9
        beyond = value - step if least else value + step
        size = "one" if whole else "one part in 10^9"
        rows = [
            ("at the answer", value),
            (f"{size} {'below' if least else 'above'}", beyond),
            ("twice the answer" if least else "half the answer", value * 2 if least else value / 2),
        ]
        return tuple(self._trial(label, at) for label, at in rows)

    def _trial(self, label: str, at: fmpq) -> Trial:
        if self.allowed.whole and at.q != 1:
            at = fmpq(int(at.floor()))
        if not self.allowed.contains(at):
            return Trial(label, at, False)
        values = {**self.values, self.name: self.system.number(self.name, at)}
        for relation in self.asked:
            if self.system.holds(relation, values) is not True:
                return Trial(label, at, False, relation)
        return Trial(label, at, True)


def _span(intervals: tuple[Interval, ...]) -> str:
    from boundcheck.explore.wording import plain

    low, high = intervals[0][0], intervals[-1][1]
    if high is None:
        return f"at least {plain(low)}"
    if abs(low) > fmpq(2) ** 900 or 0 < abs(low) < fmpq(1, 2**900):
        return f"at most {plain(high)}"
    return f"from {plain(low)} to {plain(high)}"
