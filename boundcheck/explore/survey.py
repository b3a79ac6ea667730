"""Every requirement of a library, asked and held against the conditions once more.

    python -m boundcheck.explore.survey [SELECTOR ...]

Each pair of a claim and one of its symbols is asked four ways: with values that `require` assumes,
with values given, for a formula alone, and for a target beyond the answer. What must be true of
every answer is in `flaws`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq

from boundcheck.boundary.tools import ToolParser, parser_of, run
from boundcheck.claim import Claim
from boundcheck.errors import BoundcheckError, InvalidArgument
from boundcheck.explore.answers import Requirement
from boundcheck.explore.conditions import System
from boundcheck.explore.facts import facts_of
from boundcheck.explore.requirement import require
from boundcheck.explore.values import Truth

ASKED = ("assumed", "given", "formula", "target")
FARTHEST = fmpq(2) ** 900  # answers beyond it would be ends of the search


@dataclass(frozen=True)
class Row:
    """One question: what came out ("least", "any", ..., or the refusal) and what is wrong."""

    key: str
    symbol: str
    how: str
    outcome: str
    flaws: tuple[str, ...]
    seconds: float


def asked_of(key: str, claim: Claim, symbol: str) -> Iterator[Row]:
    """The questions about one symbol of a claim, but for the first only where that has an answer
    to begin with."""
    given: dict[str, Any] = {}
    beyond: sympy.Rel | None = None
    for how in ASKED:
        start = time.process_time()
        target = beyond if how == "target" else None
        if how == "target" and target is None:
            return
        try:
            need = require(claim, symbol, given if how == "given" else None, target,
                           assume=how != "formula")  # fmt: skip
            found = flaws(claim, symbol, need, target)
            outcome = need.sense
            if how == "assumed":
                given, beyond = _nearby(need), _beyond(need)
        except InvalidArgument as error:
            outcome, found = "refused", [] if _one_line(str(error)) else ["many lines"]
        except Exception as error:  # a crash is what this looks for
            outcome, found = "crash", [f"{type(error).__name__}: {error}"]
        yield Row(key, symbol, how, outcome, tuple(found), time.process_time() - start)
        if outcome in ("refused", "crash") and how == "assumed":
            return


def _one_line(text: str) -> bool:
    return bool(text) and "\n" not in text


def _nearby(need: Requirement) -> dict[str, Any]:
    """Half of the assumed values, given explicitly as they are, the others left to be assumed."""
    names = sorted(name for name in need.assumed if name != need.symbol.name)
    return {name: need.assumed[name] for name in names[::2]}


def _beyond(need: Requirement) -> sympy.Rel | None:
    """A target that an answer does not meet; None where there is no answer."""
    if need.answer is None:
        return None
    value = sympy.Rational(str(need.answer))
    return sympy.Ge(need.symbol, 2 * abs(value) + 1, evaluate=False)


def flaws(
    claim: Claim, symbol: str, need: Requirement, target: sympy.Rel | None = None
) -> list[str]:
    """What is wrong with an answer, by the conditions themselves.

    At an answer every condition that was asked holds, the target too, and right beyond it one does
    not; the answer obeys the facts of its symbol; it is no end of the search; it says why it is an
    answer. Args: target: on the symbol that was asked.
    """
    if need.answer is None:
        return [] if need.sense in ("any", "implicit") or need.formula is not None else ["nothing"]
    found = [] if need.proof else ["no proof"]
    value = _rational(need)
    if abs(value) >= FARTHEST or 0 < abs(value) <= 1 / FARTHEST:
        found.append(f"an end of the search: {need.answer}")
    values = {**need.given, **need.assumed}
    if target is not None and not target.subs(need.symbol, sympy.Rational(str(need.answer))):
        found.append(f"the target {target} fails at the answer")
    for fact in facts_of(claim, need.symbol):
        if _truth(claim, fact, values, symbol, value) is Truth.FAILS:
            found.append(f"against the fact {fact}")
    if need.trials:
        found += _of_trials(claim, need, values, value)
    return found


def _of_trials(
    claim: Claim, need: Requirement, values: dict[str, Any], value: fmpq
) -> Iterator[str]:
    here, beyond = need.trials[:2]
    name = need.symbol.name
    if here.value != value:
        yield f"printed {need.answer}, tried {here.value}"
    for relation in need.binding:
        truth = _truth(claim, relation, values, name, value)
        if truth is not Truth.HOLDS and need.sense != "exactly":
            yield f"{relation} {truth.value} at the answer"
    assert beyond.fails is not None
    if not _truth(claim, beyond.fails, values, name, beyond.value).broken:
        yield f"{beyond.fails} does not fail {beyond.label}"
    if abs(beyond.value - value) > max(fmpq(1), abs(value) / 10**9):
        yield f"the failing value {beyond.value} is far from the answer"


def _truth(
    claim: Claim, relation: sympy.Basic, values: dict[str, Any], name: str, value: fmpq
) -> Truth:
    system = System(claim)
    return system.truth(relation, {**values, name: system.number(name, value)})


def _rational(need: Requirement) -> fmpq:
    exact = sympy.Rational(str(need.answer))
    return fmpq(int(exact.p), int(exact.q))


def survey(library: Any, keys: list[str]) -> Iterator[Row]:
    """All rows for the claims of a library."""
    for key in keys:
        claim = library[key]
        try:
            names = sorted(System(claim, label=key).symbols)
        except BoundcheckError as error:
            yield Row(key, "", "", "refused", (str(error),), 0.0)
            continue
        for name in names:
            yield from asked_of(key, claim, name)


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("explore.survey", __doc__, "livni2017/corollary_1")
    made.add_argument("selectors", nargs="*", metavar="SELECTOR",
                      help="keys, prefixes or globs of the library; default all")  # fmt: skip
    return made


def main(arguments: list[str]) -> int:
    """Prints what is wrong and a count of what came out; 1 if anything is wrong."""
    from collections import Counter

    from boundcheck.library import load_library

    selectors = parser().parse_args(arguments).selectors
    library = load_library(None, selectors)
    counts: Counter[str] = Counter()
    wrong, slowest = 0, Row("", "", "", "", (), 0.0)
    for row in survey(library, library.select(selectors)):
        counts[f"{row.how}: {row.outcome}"] += 1
        slowest = max(slowest, row, key=lambda each: each.seconds)
        for flaw in row.flaws:
            wrong += 1
            print(f"{row.key} {row.symbol} ({row.how}): {flaw}")
    for name, count in sorted(counts.items()):
        print(f"{count:6d}  {name}")
    asked = f"{slowest.key} {slowest.symbol} ({slowest.how})"
    print(f"{wrong:6d}  wrong; slowest {slowest.seconds:.2f} s of processor time: {asked}")
    return int(wrong > 0)


if __name__ == "__main__":
    run(main)
