"""One question of `require`: conditions on one symbol solved, the rest filled in, proved."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy
from flint import fmpq

from boundcheck.encoding import show
from boundcheck.errors import InvalidArgument
from boundcheck.explore.agreement import require_agreement
from boundcheck.explore.alone import FINE, Interval, rounded
from boundcheck.explore.answers import ConditionState, Requirement
from boundcheck.explore.assumed import improve, require_own, starts
from boundcheck.explore.closed import ClosedForms, twenty_digits
from boundcheck.explore.completion import completed, moved
from boundcheck.explore.conditions import System
from boundcheck.explore.proving import Proof, proved
from boundcheck.explore.returning import opposed, require_first, require_last, require_seen
from boundcheck.explore.rounding import as_answer
from boundcheck.explore.sensitivity import sensitivity
from boundcheck.explore.solving import Solved, intersect, solve
from boundcheck.explore.steps import without_step
from boundcheck.explore.values import Truth
from boundcheck.explore.walking import met, walked
from boundcheck.explore.wording import formula_text, magnitudes, span

PLAIN = 10**6  # the largest denominator of an end that is told from the values next to it
ROUNDS = 5  # in which assumed values are moved for the sake of conditions that wait


class Question:
    """What the conditions of a system ask of one symbol.

    Args: relations: the conditions that involve it. sense, assume: as in `require`.
    """

    def __init__(
        self, label: str, system: System, name: str, relations: list[sympy.Basic],
        sense: str | None, assume: bool,
    ) -> None:  # fmt: skip
        self.label, self.system, self.name = label, system, name
        self.relations, self.sense, self.assume = relations, sense, assume
        self.symbol = system.symbols[name]
        self.allowed = system.ranges[name]
        self.closed = ClosedForms(system, name, self.allowed)
        self.facts = [f for f in system.facts if name in system.inputs_of_relation(f)]
        asked = (*relations, *self.facts, *[r for r in (system.target,) if r is not None])
        needed = [n for r in asked for n in system.inputs_of_relation(r) if n != name]
        self.begun: fmpq | None = None  # the value for which others were moved
        self.missing = [n for n in dict.fromkeys(needed) if n not in system.values]

    def answer(self) -> Requirement:
        """The requirement. Raises: InvalidArgument where there is none."""
        system = self.system
        if self.missing and not self.assume:
            return self._formula_only()
        require_agreement(system, system.values)
        self.values, failing = completed(self.system, self.missing, avoid=self.name)
        self._require_hypotheses(failing)
        value, other, common = self._settled_somewhere()
        values = self.values
        require_agreement(system, values)
        if value is None:
            return self._any(common)
        if self.begun is not None:
            improve(self, value)
            value, other, common = self.settled()
            values = self.values
            assert value is not None
        binding = tuple(s.relation for s in self.solved if self._fixes(s.intervals, value))
        require_own(self, value, binding)
        formula = self.closed.at(self.asked, self.sense or "", values, value)
        value = self._shown(formula, value)
        branch = None
        if formula is not None:
            from boundcheck.explore.rates import active_branch

            branch = active_branch(formula, lambda e: system.evaluate(e, values))
        assert self.sense is not None
        proof = self._proof(value)
        return Requirement(
            self.label, self.symbol, self.sense, as_answer(value, self.allowed.whole), formula,
            branch, binding, given=dict(system.values),
            assumed={n: v for n, v in values.items() if n not in system.values},
            allowed=self.allowed,
            other_end=None if other is None or self.sense == "exactly" else as_answer(
                self._opposite(other), self.allowed.whole
            ),
            intervals=tuple(common), endless=self._may_return(self.solved),
            trials=proof.trials, proof=proof.text,
            conditions=self._states(proof.trials[0].value),
            sensitivity=sensitivity(
                system, self.name, values, value, formula, binding or tuple(self.asked), self.sense
            ),
            replaced=dict(system.replaced),
            computed=self._computed(), asked_of=self.system.original,
            open_end=self._open(binding, value),
            other_open=other is not None and self._left_out(other),
            left_out=frozenset(
                end for pair in common for end in pair if end is not None and self._left_out(end)
            ),
        )  # fmt: skip

    def _settled_somewhere(self) -> tuple[fmpq | None, fmpq | None, tuple[Interval, ...]]:
        """The answer at the values that nobody gave as they are, or at others that admit one."""
        wanted = self.sense
        try:
            return self.settled()
        except InvalidArgument:
            values = self._completed_with_room()
            if values is None:
                raise
            self.sense, self.values = wanted, values
        return self.settled()

    def _completed_with_room(self) -> dict[str, Any] | None:
        """Values for the rest at which some value of the symbol, a size in millions, will do."""
        for at in starts(self):
            values, failing = completed(self.system, [*self.missing, self.name],
                                        start={} if at is None else {self.name: at})  # fmt: skip
            begun = fmpq(values.pop(self.name))
            if not failing and values != self.values:
                self.begun = begun
                return values
        return None

    def settled(self) -> tuple[fmpq | None, fmpq | None, tuple[Interval, ...]]:
        """The answer, the other end and all admissible intervals, with assumed values moved until
        the conditions that waited for the answer hold there too."""
        waiting: list[sympy.Basic] = []
        wanted, seen = self.sense, None
        for _ in range(ROUNDS):
            solved = walked(self.system, self.name, self.values, self.facts,
                            [self._solve(r) for r in self.relations])  # fmt: skip
            ready, postponed = self._postponed(solved, waiting)
            waiting = postponed
            self.solved, self.asked = ready, [s.relation for s in ready]
            common = self._common(ready)
            self.sense, value, other = self._choice(common, wanted, ready)
            if value is None or not postponed:
                return value, other, common
            before = dict(self.values)
            if not self._settle(postponed, value):
                self.values = before
                self._common(solved)
            if value == seen and before == self.values:
                return value, other, common
            seen = value
        raise InvalidArgument(
            f"{self.label}: {self.name} and the values nobody gave do not settle; give "
            + " ".join(f"--set {n}=..." for n in self.missing)
        )

    def _solve(self, relation: sympy.Basic) -> Solved:
        return solve(self.system, relation, self.name, self.values, self.allowed, closely=True)

    def _choice(
        self, common: tuple[Interval, ...], wanted: str | None, solved: list[Solved]
    ) -> tuple[str, fmpq | None, fmpq | None]:
        """Sense, answer and other end; None for an answer that no condition sets."""
        ends = {end for item in solved for pair in item.intervals for end in pair}
        turns = self._turns_at_zero(common)
        if fmpq(0) in ends and not turns and not self._holds(fmpq(0)):
            ends.discard(fmpq(0))  # that a symbol is not zero is no size
        first, last = common[0], common[-1]
        low = first[0] if first[0] in ends else None
        high = last[1] if last[1] in ends else None
        if high is not None and wanted != "least" and (low is None or wanted == "greatest"):
            self._require_last(solved)
        if wanted == "greatest":
            if high is None:
                raise self._no_end("above", "least")
            return wanted, high, last[0] if last[0] in ends else None
        alone = len(common) == 1 and low is not None and low == high
        if wanted is None and alone and not self._may_return(solved):
            return "exactly", low, None
        items = self.allowed.items or ()
        if wanted is None and items and low == items[0] and high != items[-1]:
            low = None  # the set ends there, and a condition ends above
        if low is None and high is None and len(common) > 1 and last[0] in ends:
            self._require_last(solved)
            return "least", last[0], None
        if low is not None:
            require_first(self.label, self.name, [s.relation for s in solved if s.hidden])
        if low is None and wanted == "least":
            if high is not None:
                raise self._no_end("below", "greatest")
            return "any", None, None
        around_zero = low is not None and high is not None and low <= 0 <= high
        lasting = not any(s.endless or s.unseen for s in solved)
        if low is None or (around_zero and wanted is None and lasting):
            return ("any" if high is None else "greatest"), high, low
        ended = first[1] in ends and (len(common) > 1 or lasting)
        return "least", low, first[1] if ended else None

    def _may_return(self, solved: list[Solved]) -> bool:
        return any(item.turning and not item.sure for item in solved)

    def _require_last(self, solved: list[Solved]) -> None:
        require_last(self.label, self.name, [s.relation for s in solved if s.endless])
        require_seen(self.label, self.name, [s.relation for s in solved if s.unseen])

    def _no_end(self, side: str, other: str) -> InvalidArgument:
        end = self.allowed.high if side == "above" else self.allowed.low
        inside = "" if end is None else " inside its range"
        return InvalidArgument(
            f"{self.label}: no condition limits {self.name} from {side}{inside}; ask for the "
            f"{other} value"
        )

    def _turns_at_zero(self, common: tuple[Interval, ...]) -> bool:
        """Whether the conditions hold on one side of zero alone, of two that are allowed."""
        below = any(high is not None and high == 0 for _, high in common)
        above = any(low is not None and low == 0 for low, _ in common)
        allowed = self.allowed
        return below is not above and (allowed.low is None or allowed.low < 0) and (
            allowed.high is None or allowed.high > 0
        )

    def _any(self, common: tuple[Interval, ...]) -> Requirement:
        """No condition sets an end: every value that the symbol can have will do."""
        system = self.system
        return Requirement(
            self.label, self.symbol, "any", None, None, None, tuple(self.asked),
            given=dict(system.values),
            assumed={n: v for n, v in self.values.items() if n not in system.values},
            allowed=self.allowed, intervals=tuple(common), replaced=dict(system.replaced),
            computed=self._computed(), conditions=self._states(None),
            asked_of=self.system.original,
            proof=f"the conditions hold at values of {self.name} over many magnitudes"
            + ("; at extreme ones they are not decided" if any(s.open_ for s in self.solved)
               else ""),
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

    def _formula_only(self) -> Requirement:
        wanted, formula, signs = self.closed.without_values(self.relations, self.sense)
        return Requirement(
            self.label, self.symbol, wanted if formula is not None else "implicit", None, formula,
            None, tuple(self.relations), given=dict(self.system.values), assumed={},
            allowed=self.allowed, missing=tuple(self.missing), replaced=dict(self.system.replaced),
            note="where " + " and ".join(f"{e} > 0" for e in signs) if formula and signs else "",
        )  # fmt: skip

    def _require_hypotheses(self, failing: list[sympy.Basic]) -> None:
        system, values = self.system, self.values
        for relation in failing:
            inputs, told = system.inputs_of_relation(relation), formula_text(relation)
            shown = ", ".join(f"{n} = {show(values[n])}" for n in inputs)
            truth = system.truth(relation, values)
            word = "fails" if truth is Truth.FAILS else truth.value
            if relation in system.facts:
                raise InvalidArgument(
                    f"{self.label}: no admissible point: {shown}, but {told} always; change "
                    + " or ".join(f"--set {n}" for n in inputs)
                )
            if relation is system.target:
                reason = f"the target does not depend on {self.name} and"
            else:
                reason = "the hypothesis"
            raise InvalidArgument(
                f"{self.label}: {reason} {told} {word} at {shown}; change "
                + " or ".join(f"--set {n}" for n in inputs)
            )

    def _postponed(
        self, solved: list[Solved], waiting: list[sympy.Basic]
    ) -> tuple[list[Solved], list[sympy.Basic]]:
        """Conditions in conflict only because of a parameter that nobody gave wait until the
        answer is known; that parameter is moved then (t >= T with a free t)."""
        waiting = list(waiting)
        solved = [s for s in solved if s.relation not in waiting]
        free = {s.name for s in self.system.claim.parameters} - set(self.system.values)
        while len(solved) > 1:
            conflict = self._conflict(solved)
            movable = [s for s in conflict
                       if free & set(self.system.inputs_of_relation(s.relation)) - {self.name}]
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
        relevant = system.decided_by(self.values)
        for relation in waiting:
            if system.truth(relation, self.values) is Truth.HOLDS:
                continue
            if not moved(system, relevant, relation, assumed, self.values, alone=False):
                return False
        del self.values[self.name]
        return True

    def _common(self, solved: list[Solved]) -> tuple[Interval, ...]:
        at = self._values_text()
        conflict = self._conflict(solved)
        told = [formula_text(item.relation) for item in conflict]
        if len(conflict) == 1:
            reason = "at some it is not decided; " if conflict[0].open_ else ""
            among = f" of those tried; searched {self.allowed}{magnitudes(self.allowed)}"
            among = f"; it is one of {self.allowed}" if self.allowed.items else among
            raise InvalidArgument(
                f"{self.label}: no {self.name} meets {told[0]}{at}{among}; {reason}"
                + self._remedy(conflict)
            )
        if conflict:
            needs = [f" (needs {self.name} {span(item.intervals)})"
                     if item.sure or not item.turning else "" for item in conflict]  # fmt: skip
            raise InvalidArgument(
                f"{self.label}: {told[0]}{needs[0]} and {told[1]}{needs[1]} "
                f"{opposed(conflict, self.name)}{at}; {self._remedy(conflict)}"
            )
        possible = [self._solve(fact).intervals for fact in self.facts]
        common = met(self, intersect([item.intervals for item in solved]))
        both = met(self, intersect([common, *possible]))
        if common and not both:
            facts = " and ".join(formula_text(fact) for fact in self.facts)
            raise InvalidArgument(
                f"{self.label}: no admissible point{at}: the conditions need {self.name} "
                f"{span(common)}, but {facts} always; {self._remedy(solved)}"
            )
        if not common:
            raise InvalidArgument(
                f"{self.label}: the conditions on {self.name} cannot be met together{at}; "
                + "; ".join(formula_text(item.relation) for item in solved)
            )
        return both

    def _remedy(self, conflict: list[Solved]) -> str:
        """What to give or change: first the values that were only assumed."""
        inputs = [n for s in conflict for n in self.system.inputs_of_relation(s.relation)]
        named = [n for n in dict.fromkeys(inputs) if n != self.name and n in self.values]
        free = [n for n in named if n not in self.system.values]
        if free:
            return "give " + " ".join(f"--set {n}=..." for n in free)
        if named:
            return "change " + " or ".join(f"--set {n}" for n in named)
        if len(conflict) > 1:
            return "relax one of them"
        return "it is false for every value" if conflict[0].sure else "none was found; relax it"

    def _values_text(self) -> str:
        inputs = [n for r in self.relations for n in self.system.inputs_of_relation(r)]
        known = [n for n in dict.fromkeys(inputs) if n != self.name and n in self.values]
        shown = [
            f"{n} = {show(self.values[n])}{'' if n in self.system.values else ' (assumed)'}"
            for n in known
        ]
        return " at " + ", ".join(shown) if shown else ""

    def _fixes(self, intervals: tuple[Interval, ...], value: fmpq) -> bool:
        ends = [low if self.sense != "greatest" else high for low, high in intervals]
        if self.sense == "exactly":
            ends += [high for _, high in intervals]
        if self.allowed.items is not None:
            sides = {"least": (-1,), "greatest": (1,)}.get(self.sense or "", (-1, 1))
            others = [self.allowed.beside(value, side) for side in sides]
            return any(self.allowed.contains(one) and one not in ends for one in others)
        if self.allowed.whole:
            return value in ends
        near = FINE * 8 * abs(value)
        return any(end is not None and abs(end - value) <= near for end in ends)

    def _shown(self, formula: sympy.Expr | None, value: fmpq) -> fmpq:
        """The value as it is printed: the closed form if that is rational, else twenty digits
        on the safe side, where all conditions hold there too."""
        if self.allowed.apart:
            return value
        up = self.sense != "greatest"
        near = None if formula is None else rounded(self.system, formula, self.values, up=up)
        for candidate in (near, value):
            if candidate is None:
                continue
            short = candidate if len(str(candidate)) <= 24 else twenty_digits(candidate, up)
            if self._holds(short):
                return short
        return value

    def _open(self, binding: tuple[sympy.Basic, ...], value: fmpq) -> bool:
        """Whether the end next to a value is not attained: by the sign of a condition, or since
        the plain number there does not do."""
        if self.sense not in ("least", "greatest"):
            return False
        if any(isinstance(without_step(r), (sympy.Lt, sympy.Gt)) for r in binding):
            return True
        return self._left_out(value)

    def _left_out(self, value: fmpq) -> bool:
        """Whether the plain number at an end does not do."""
        if self.allowed.apart:
            return False
        exactly = Fraction(int(value.p), int(value.q))
        end = fmpq(*exactly.limit_denominator(PLAIN).as_integer_ratio())
        return abs(end - value) <= FINE * 8 * abs(value) and not self._holds(end)

    def _opposite(self, value: fmpq) -> fmpq:
        """The other end, with fewer digits where the conditions hold there too."""
        near = fmpq(round(value * 10**12), 10**12)
        return near if abs(near - value) <= 4 * FINE * abs(value) and self._holds(near) else value

    def _holds(self, value: fmpq) -> bool:
        if not self.allowed.contains(value):
            return False
        here = {**self.values, self.name: self.system.number(self.name, value)}
        return all(self.system.truth(r, here) is Truth.HOLDS for r in self.asked)

    def _states(self, value: fmpq | None) -> tuple[ConditionState, ...]:
        system = self.system
        values = dict(self.values)
        if value is not None:
            values[self.name] = system.number(self.name, value)
        states = []
        for relation in system.conditions:
            lacking = [n for n in system.inputs_of_relation(relation) if n not in values]
            truth = None if lacking else system.truth(relation, values)
            states.append(ConditionState(relation, truth, tuple(lacking)))
        return tuple(states)

    def _proof(self, value: fmpq) -> Proof:
        assert self.sense is not None
        return proved(self.system, self.name, self.values, self.asked, value, self.sense,
                      self.allowed, self.label)  # fmt: skip
