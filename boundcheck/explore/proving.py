"""That an answer is one: all conditions hold at it, and one fails right below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from boundcheck.errors import InvalidArgument
from boundcheck.explore.answers import Trial
from boundcheck.explore.conditions import System
from boundcheck.explore.ranges import Range
from boundcheck.explore.values import Truth
from boundcheck.explore.wording import grouped, plain, short

PART = 10**9  # a real answer fails one part in this many below it
NEXT_TO_ZERO = (1000, 200, 60, 30)  # powers of a half beside an end that is zero
CLOSER = (2**40, 2**56)  # tried where a gap in the admissible values is narrower than that


@dataclass(frozen=True)
class Proof:
    """The trials that show an answer, and the same in one sentence."""

    trials: tuple[Trial, ...]
    text: str


def proved(
    system: System, name: str, values: Mapping[str, Any], asked: list[sympy.Basic], value: fmpq,
    sense: str, allowed: Range, label: str,
) -> Proof:  # fmt: skip
    """The proof of an answer at values.

    Raises: InvalidArgument where balls do not decide it: no answer is given then.
    """
    trials = _Trials(system, name, values, asked, allowed)
    if sense == "exactly":
        return _of_equality(trials, value, name, label)
    side = 1 if sense == "greatest" else -1
    here = trials.at("at the answer", value)
    if value == 0 and here.holds is False:
        return _of_open_zero(trials, here, -side, name, label)
    if here.holds is not True:
        raise InvalidArgument(
            f"{label}: whether {short(here.fails)} at {name} = {plain(value)} is not decided; give "
            "other values"
        )
    beyond = trials.broken_beyond(value, side)
    if beyond is None:
        raise InvalidArgument(
            f"{label}: where the conditions on {name} end near {plain(value)} is not decided; give "
            "other values"
        )
    farther = value * 2 if side == -1 else value / 2
    label_far = "twice the answer" if side == -1 else "half the answer"
    far = (trials.at(label_far, farther),) if allowed.contains(farther) else ()
    why = f"{short(beyond.fails)} {'has no value' if beyond.undefined else 'fails'}"
    text = f"all conditions hold at {grouped(_whole(value))}; {why} {beyond.label}"
    return Proof((here, beyond, *far), text)


def _of_open_zero(trials: _Trials, zero: Trial, side: int, name: str, label: str) -> Proof:
    """An end at zero that is left out: beside it all conditions hold, as near as is decided."""
    for bits in NEXT_TO_ZERO:
        here = trials.at("beside zero", fmpq(side, 2**bits))
        if here.holds is True:
            sign = "-" if side == -1 else ""
            why = f"{short(zero.fails)} {'has no value' if zero.undefined else 'fails'} at 0"
            return Proof((here, zero), f"all conditions hold at {sign}2^-{bits}; {why}")
    raise InvalidArgument(
        f"{label}: where the conditions on {name} end near 0 is not decided; give other values"
    )


def _of_equality(trials: _Trials, value: fmpq, name: str, label: str) -> Proof:
    """Both neighbours fail; an irrational solution itself is between them."""
    here = trials.at("at the answer", value)
    low, high = trials.broken_beyond(value, -1), trials.broken_beyond(value, 1)
    if low is None or high is None:
        raise InvalidArgument(
            f"{label}: the conditions on {name} near {plain(value)} are not decided; give other "
            "values"
        )
    held = "all conditions hold at it" if here.holds else "the solution, not rational, lies between"
    text = f"{held}; {short(low.fails)} fails {low.label} and {high.label}"
    return Proof((here, low, high), text)


def _whole(value: fmpq) -> Any:
    return int(value.p) if value.q == 1 else value


class _Trials:
    def __init__(
        self, system: System, name: str, values: Mapping[str, Any], asked: list[sympy.Basic],
        allowed: Range,
    ) -> None:  # fmt: skip
        self.system, self.name, self.values = system, name, values
        self.asked, self.allowed = asked, allowed

    def at(self, label: str, value: fmpq) -> Trial:
        """Truth of all conditions at a value; the first that is not certified to hold."""
        if self.allowed.whole and value.q != 1:
            value = fmpq(int(value.floor()))
        here = {**self.values, self.name: self.system.number(self.name, value)}
        truths = [(self.system.truth(r, here), r) for r in self.asked]
        broken = next(((t, r) for t, r in truths if t.broken), None)
        if broken is not None:
            return Trial(label, value, False, broken[1], broken[0] is Truth.NO_VALUE)
        unknown = next((r for t, r in truths if t is Truth.UNKNOWN), None)
        return Trial(label, value, None if unknown is not None else True, unknown)

    def _next_item(self, value: fmpq, side: int, word: str) -> Trial:
        """The trial at the next value of a finite set; beyond the last one the set itself fails."""
        beside = self.allowed.beside(value, side)
        if self.allowed.contains(beside):
            return self.at(f"at {plain(beside)}, the next one {word}", beside)
        symbol, end = self.system.symbols[self.name], sympy.Rational(int(value.p), int(value.q))
        return Trial(f"one {word}", beside, False, symbol >= end if side == -1 else symbol <= end)

    def broken_beyond(self, value: fmpq, side: int) -> Trial | None:
        """The nearest trial beyond a value that certainly fails, or None."""
        word = "below" if side == -1 else "above"
        if self.allowed.items is not None:
            found = self._next_item(value, side, word)
            return found if found.holds is False else None
        if self.allowed.whole:
            found = self.at(f"one {word}", value + side)
            return found if found.holds is False else None
        size = abs(value) if value else fmpq(1)
        for parts in (PART, *CLOSER):
            label = f"one part in {'10^9' if parts == PART else parts} {word}"
            found = self.at(label, value + side * size / parts)
            if found.holds is False:
                return found
        edge = fmpq(round(value * 10**12), 10**12)  # a single number that is left out
        found = self.at(f"at {plain(edge)}", edge)
        return found if found.holds is False else None
