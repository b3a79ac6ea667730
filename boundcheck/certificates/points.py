"""Points that refute a problem: premises surely hold there and a target surely fails.

Where there is one, no proof exists and none is looked for; this decides nothing else. Values are
drawn far and wide, and drawn again for a symbol of a premise that does not hold, a walk as of
Selman, Kautz and Cohen (AAAI 1994), after places where few symbols grow at small powers of one
number; truth is told by balls.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import flint
from flint import arb, fmpq

from boundcheck.certificates.balls import NoValue, ball, truth
from boundcheck.certificates.grounded import grounded
from boundcheck.certificates.polynomials import rational
from boundcheck.certificates.statement import Problem
from boundcheck.certificates.terms import Relation, Term, symbols

BITS = 80
SIZES = (1, 2, 3)  # of rows
WALKS, STEPS = 25, 40  # walks from new points, and draws in each
WORK = 300_000  # parts of terms that are evaluated for one problem: counted, so no clock decides
FAR = 40  # exponent of two of the largest and smallest distances drawn
# Symbols grow or fall together at powers of one number, next to whose square one is seen in BITS.
UNIT, POWERS, WHOLE_POWERS = fmpq(2) ** 39, (0, 1, 2, 3, -1, -2), (0, 1, 2, 3)
MOST_POINTS = 300


@dataclass
class Range:
    """Ends of the values of a symbol, as far as premises with a number state them."""

    whole: bool = False
    low: fmpq | None = None
    high: fmpq | None = None

    def draw(self, rng: random.Random) -> fmpq:
        """A value near an end, far from it, or between both."""
        if self.low is not None and self.high is not None and not self.whole:
            part: fmpq = fmpq(1, 2 ** rng.choice((0, 1, 1, 2, 4, 10, 20)))
            part = part if rng.random() < 0.5 else 1 - part
            return self.low + (self.high - self.low) * part
        size = rng.randint(0 if self.whole else -FAR, FAR) // rng.choice((1, 2, 4, 8))
        step: fmpq = (fmpq(1) if size >= 0 else fmpq(1, 2**-size)) * 2 ** max(size, 0)
        if rng.random() < 0.1 or (self.whole and rng.random() < 0.3):
            step = fmpq(rng.randint(0, 3))
        if self.low is not None:
            value: fmpq = self.low + step
            return value if self.high is None else min(value, self.high)
        if self.high is not None:
            return self.high - step
        return step if rng.random() < 0.5 else -step

    def at(self, power: int) -> fmpq:
        """A value that a power of `UNIT` leads to: away from an end, between both, or from zero."""
        step: fmpq = UNIT**power
        if self.low is not None and self.high is not None:
            share = min(step, fmpq(1))
            return self.low + (self.high - self.low) * (fmpq(int(share)) if self.whole else share)
        if self.low is not None:
            return self.low + (step if power or not self.whole else 0)
        return step if self.high is None else self.high - step


@dataclass
class Points:
    """Values for the symbols of a problem, and what premises say of them."""

    problem: Problem
    defined: dict[str, Term] = field(default_factory=dict)
    checked: list[Relation] = field(default_factory=list)

    def __post_init__(self) -> None:
        for premise in self.problem.premises:
            name, term = _definition(premise)
            if name and name not in self.problem.integers and self._is_new(name):
                self.defined[name] = term
            else:
                self.checked.append(premise)
        self.targets = self.problem.targets()
        named = set().union(*map(symbols, (*self.problem.premises, *self.targets)))
        self.ranges = {name: Range(name in self.problem.integers)
                       for name in sorted(named - set(self.defined))}  # fmt: skip
        for premise in self.checked:
            self._bound(premise)
        parts = sum(map(_parts, (*self.problem.premises, *self.targets)))
        self.left = WORK // max(parts, 1)  # equations of matrices alone have no part in numbers

    def _is_new(self, name: str) -> bool:
        """Whether a symbol has no value yet when definitions are put in one after the other."""
        return name not in self.defined and not any(
            name in _of(other) for other in self.defined.values()
        )

    def _bound(self, premise: Relation) -> None:
        head, *sides = premise
        if head not in ("<", "<=") or len(sides) != 2:
            return
        left, right = sides
        if isinstance(left, str) and right[0] == "x" and right[1] in self.ranges:
            own, end = self.ranges[str(right[1])], rational(left)
            end = fmpq(end.ceil()) if own.whole else end
            own.low = end if own.low is None else max(own.low, end)
        elif isinstance(right, str) and left[0] == "x" and left[1] in self.ranges:
            own, end = self.ranges[str(left[1])], rational(right)
            end = fmpq(end.floor()) if own.whole else end
            own.high = end if own.high is None else min(own.high, end)

    def refuting(self, rng: random.Random) -> dict[str, arb] | None:
        """Values at which the premises hold and a target fails, if any are found."""
        walks = (values for _ in range(WALKS) for values in self._walk(rng))
        points = itertools.chain(self._together(), walks)
        return next((values for values in points if self._refutes(values)), None)

    def _together(self) -> Iterator[dict[str, arb]]:
        """Points at which the premises hold, of few symbols far away at powers of one number."""
        powers = [WHOLE_POWERS if own.whole else POWERS for own in self.ranges.values()]
        if math.prod(map(len, powers)) > min(MOST_POINTS, self.left // 4):
            return
        for chosen in itertools.product(*powers):
            if self.left <= 0:
                return
            self.left -= 1
            drawn = {name: arb(own.at(power))
                     for (name, own), power in zip(self.ranges.items(), chosen, strict=True)}
            values, open_ = self._at(drawn)
            if open_ is None:
                yield values

    def admissible(self, rng: random.Random, steps: int, count: int) -> list[dict[str, arb]]:
        """Some points at which the premises hold, after so many draws at most."""
        self.left = min(self.left, steps)
        found: list[dict[str, arb]] = []
        while self.left > 0 and len(found) < count:
            found += itertools.islice(self._walk(rng), 4)
        return found

    def _walk(self, rng: random.Random) -> Iterator[dict[str, arb]]:
        """Points of one walk at which all premises hold."""
        drawn = {name: arb(own.draw(rng)) for name, own in self.ranges.items()}
        for _ in range(STEPS):
            if self.left <= 0:
                return
            self.left -= 1
            values, open_ = self._at(drawn)
            if open_ is None:
                yield values
            again = sorted(self.ranges if open_ is None else self._behind(open_))
            if not again:
                return
            name = rng.choice(again)
            drawn[name] = arb(self.ranges[name].draw(rng))

    def _behind(self, relation: Relation) -> set[str]:
        """Drawn symbols that a relation depends on."""
        used = symbols(relation)
        for name, term in reversed(self.defined.items()):
            used = used | _of(term) if name in used else used
        return used & set(self.ranges)

    def _at(self, drawn: dict[str, arb]) -> tuple[dict[str, arb], Relation | None]:
        """(all values, the first premise that does not surely hold)."""
        values = dict(drawn)
        for name, term in self.defined.items():
            try:
                values[name] = ball(term, values)
            except NoValue:
                return values, ("=", ("x", name), term)
        return values, next((p for p in self.checked if truth(p, values) is not True), None)

    def _refutes(self, values: dict[str, arb]) -> bool:
        return any(truth(target, values) is False for target in self.targets)


def _definition(premise: Relation) -> tuple[str, Term]:
    """(symbol, term) of a premise that says what a symbol is; "" for any other."""
    if premise[0] == "=":
        for one, other in ((premise[1], premise[2]), (premise[2], premise[1])):
            if not isinstance(one, str) and one[0] == "x" and one[1] not in _of(other):
                return str(one[1]), other
    return "", "0"


def _parts(term: Term) -> int:
    """Numbers, symbols and functions in a term or relation."""
    return 1 if isinstance(term, str) else 1 + sum(map(_parts, term[1:]))


def _of(term: Term) -> set[str]:
    return symbols(("<", "0", term))


def refuting_point(problem: Problem) -> dict[str, arb] | None:
    """A point at which the premises of a problem hold and a target fails, None if none is found.

    >>> x, y = ("x", "x"), ("x", "y")
    >>> premises = ("<", "0", x), ("<", x, y)
    >>> point = refuting_point(Problem((), premises, (), ("<=", y, ("*", "100", x))))
    >>> bool(0 < point["x"] < point["y"] and point["y"] > 100 * point["x"])
    True
    >>> refuting_point(Problem((), premises, (), ("<=", x, ("*", "2", y)))) is None
    True
    """
    ranked = problem.rows or problem.named
    stated = [grounded(problem, size) for size in SIZES] if ranked else [problem]
    rng = random.Random("points")
    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        found = (Points(one).refuting(rng) for one in stated)
        return next((point for point in found if point is not None), None)
    finally:
        flint.ctx.prec = before
