"""Whole numbers asked one after the other, where a condition comes and goes beside others.

The values that each condition is known to hold at are not all of them where it comes and goes: the
first that two lists have in common may be far above the first that meets both. So from where the
steady conditions begin to hold, every number is asked until some meet all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy
from flint import fmpq

from boundcheck.explore.alone import Interval
from boundcheck.explore.conditions import System
from boundcheck.explore.returning import WIDEST, window
from boundcheck.explore.solving import Solved, intersect
from boundcheck.explore.values import Truth

if TYPE_CHECKING:
    from boundcheck.explore.question import Question


def walked(
    system: System, name: str, values: Mapping[str, Any], facts: Sequence[sympy.Basic],
    solved: Sequence[Solved],
) -> list[Solved]:  # fmt: skip
    """Conditions on one symbol of which those that come and go have the values at which all hold
    together, the first of them and some after it; where none was met, none of theirs is known to
    be the first."""
    allowed = system.ranges[name]
    turning = [item for item in solved if item.turning and not item.sure]
    steady = intersect([item.intervals for item in solved if item not in turning])
    if not turning or not allowed.whole or allowed.items is not None or not steady:
        return list(solved)
    relations = [*(item.relation for item in solved), *facts]

    def truth(value: fmpq) -> Truth:
        answers = _answers(system, name, values, relations, value)
        if answers & {Truth.FAILS, Truth.NO_VALUE}:
            return Truth.FAILS
        return Truth.UNKNOWN if Truth.UNKNOWN in answers else Truth.HOLDS

    far = max(window(item.relation, name) for item in turning)
    runs, asked, complete = list[Interval](), fmpq(0), True
    endless, unseen, hidden = any(item.endless for item in turning), False, False
    for low, high in steady:
        low, high = allowed.low if low is None else low, allowed.high if high is None else high
        if low is None:
            return list(solved)
        found, asked = _runs(truth, low, high, far)
        runs += found
        complete = asked == high
        if complete:
            continue
        hidden, top = not runs, steady[-1][1]
        if top is None:
            top = allowed.high
        if top is None:
            known = intersect([item.intervals for item in solved])
            runs = _onward(truth, runs, known, asked, endless)
        else:
            start = steady[-1][0]
            begin = asked if start is None or start <= asked else start - 1
            last, reached = _last(truth, begin, top)
            complete = reached == begin == asked
            hidden, unseen, endless = hidden and not complete, not (last or complete), False
            runs = _joined(runs, last)
        break
    if not runs:
        return [replace(item, hidden=True) if item in turning else item for item in solved]

    def fails(value: fmpq) -> bool:
        return Truth.FAILS in _answers(system, name, values, relations, value)

    if allowed.low is not None and runs[0][0] == allowed.low and not fails(allowed.low - 1):
        runs[0] = (None, runs[0][1])
    if allowed.high is not None and runs[-1][1] == allowed.high and not fails(allowed.high + 1):
        runs[-1] = (runs[-1][0], None)
    return [replace(item, intervals=tuple(runs), sure=complete, hidden=hidden, unseen=unseen,
                    endless=item.endless and endless and not complete)
            if item in turning else item for item in solved]  # fmt: skip


def met(question: Question, intervals: Sequence[Interval]) -> tuple[Interval, ...]:
    """Intervals without single values at which a condition has no value, such as zero between two
    ends that are none."""
    def will_do(value: fmpq) -> bool:
        answers = _answers(
            question.system, question.name, question.values, question.asked, value)
        exactly = value == 0 or question.allowed.whole  # others may stand for what is irrational
        return Truth.NO_VALUE not in answers and not (exactly and Truth.FAILS in answers)

    return tuple((low, high) for low, high in intervals
                 if low is None or low != high or will_do(low))  # fmt: skip


def _answers(
    system: System, name: str, values: Mapping[str, Any], relations: Sequence[sympy.Basic],
    value: fmpq,
) -> set[Truth]:  # fmt: skip
    """What conditions are at one value of a symbol."""
    here = {**values, name: system.number(name, value)}
    return {system.truth(relation, here) for relation in relations}


def _last(
    truth: Callable[[fmpq], Truth], low: fmpq, high: fmpq
) -> tuple[Interval | None, fmpq]:
    """The last run of numbers above one of them at which all conditions hold, and the last asked
    on the way down; none where some number after it is not decided."""
    last: fmpq | None = None
    value, stop = high, high - WIDEST
    while low < value > stop:
        answer = truth(value)
        if last is None and answer is Truth.UNKNOWN:
            return None, value
        if last is None and answer is Truth.HOLDS:
            last = value
        if last is not None and answer is not Truth.HOLDS:
            return (value + 1, last), value
        value -= 1
    return None if last is None else (value + 1, last), value


def _joined(runs: list[Interval], last: Interval | None) -> list[Interval]:
    """Runs and one after them, which may go on with the last of them."""
    if last is None or not runs:
        return runs if last is None else [last]
    before = runs[-1][1]
    assert before is not None and last[0] is not None
    return [*runs[:-1], (runs[-1][0], last[1])] if before == last[0] - 1 else [*runs, last]


def _onward(
    truth: Callable[[fmpq], Truth], runs: list[Interval], known: Sequence[Interval], asked: fmpq,
    endless: bool,
) -> list[Interval]:  # fmt: skip
    """Runs up to where numbers were asked, where the last of them may go on, and what is known
    beyond: the last value that will do, or from where on all do."""
    going = runs[-1][0] if runs and runs[-1][1] == asked else None
    low, high = known[-1] if known else (None, asked)
    if high is None and not endless and runs:
        begin = asked + 1 if low is None or low <= asked else low
        begin = going if going is not None and begin == asked + 1 else begin
        return [*(run for run in runs if run[0] != going), (begin, None)]
    runs = [run for run in runs if run[0] != going] if len(runs) > 1 else runs
    last = _last(truth, asked, high)[0] if high is not None and high > asked and runs else None
    return _joined(runs, last)


def _runs(
    truth: Callable[[fmpq], Truth], low: fmpq, high: fmpq | None, far: int
) -> tuple[list[Interval], fmpq]:
    """Runs of numbers of a range at which all conditions hold, from the first on and as far beyond
    it as is asked, and the last one asked; none where some number before is not decided."""
    runs: list[Interval] = []
    value, stop = low, low + WIDEST
    start: fmpq | None = None
    while value < stop and (high is None or value <= high):
        answer = truth(value)
        if answer is Truth.UNKNOWN and not runs and start is None:
            return [], value
        if answer is Truth.HOLDS and start is None:
            stop = min(stop, value + far) if not runs else stop
            start = value
        if answer is not Truth.HOLDS and start is not None:
            runs.append((start, value - 1))
            start = None
        value += 1
    if start is not None:
        runs.append((start, value - 1))
    return runs, value - 1
