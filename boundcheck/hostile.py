"""Random claims whose truth is known by construction, against proofs, refutations and the re-check.

`python -m boundcheck.hostile --claims 20000` makes claims from a grammar of expressions and of
words of the language: floors, indicators, suprema, matrices, laws, trees of laws, means of draws. A
true one adds to a side what cannot be negative, hides an identity, rests on a hypothesis or an end
of its domain, or says a known inequality; a false one fails everywhere, in a corner, beyond 10^30,
by a gap where the inequality is tight, or has no value at one point. No true claim may be refuted
or accused by a forged witness, no false one proved; else exit code 1.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy

from boundcheck import witness
from boundcheck.boundary.numbers import LARGEST_SEED
from boundcheck.boundary.tools import ToolParser, integer, parser_of, run
from boundcheck.certify import certify
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim
from boundcheck.engine import perform
from boundcheck.errors import BoundcheckError, InvalidArgument, MalformedStatement
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.shards import CHECKS
from boundcheck.spoken import SPOKEN_FALSE, SPOKEN_TRUE
from boundcheck.truths import PLAIN_FALSE, PLAIN_TRUE, Grammar, Known

KEY = "hostile/claim:random"
SMALL = Budget("quick", 40, 64, 600, 8, 4.0, 20)
PROOF = "proof"
OTHERS = tuple(name for name in CHECKS if name != PROOF)
BLOCK = 64  # places handed to one worker at a time
TOLD = 500  # claims between two lines of progress
TRUE = (*PLAIN_TRUE, *SPOKEN_TRUE)
FALSE = (*PLAIN_FALSE, *SPOKEN_FALSE)


def known(seed: int, place: int) -> Known | None:
    """The claim at a place; None where SymPy settles its relation before it is one."""
    g = Grammar(numpy.random.default_rng([seed, place]))
    kinds: tuple[Callable[[Grammar], Known], ...] = (TRUE, FALSE)[place % 2]
    make = kinds[place // 2 % len(kinds)]
    try:
        return make(g)
    except (MalformedStatement, AttributeError, TypeError):
        return None  # a truth value is no relation


def errors_on(item: Known, place: int = 0) -> list[str]:
    """What went wrong on a claim: "false proof", "false refutation", "forgery".

    A false claim meets the provers alone, which a refutation found first would hide; a true one
    what may refute it, beside a proof at every fourth place only, which would end the checks.
    """
    if not item.true:
        return ["false proof"] if "proved" in outcomes(item.claim, (PROOF,)) else []
    found = []
    if {"refuted", "malformed"} & set(outcomes(item.claim, OTHERS if place % 4 else CHECKS)):
        found.append("false refutation")
    if item.forged is not None and forgery_confirms(item.claim, item.forged):
        found.append("forgery")
    return found


def outcomes(claim: Claim, checks: tuple[str, ...]) -> list[str | None]:
    """What these checks say of a claim, each after those before it, whatever they found.

    Raises: RuntimeError for a check that breaks.
    """
    task = Task(KEY, claim, SMALL)
    seen: list[dict[str, Any]] = []
    for name in checks:
        result = perform(task, name, {"seen": seen})
        if result["fault"] is not None:
            raise RuntimeError(f"{claim.statement}: {result['fault']}")
        seen.append(result["evidence"])
    return [item["outcome"] for item in seen]


def forgery_confirms(claim: Claim, values: dict[str, Any]) -> bool:
    """Whether the re-check believes a witness with these values and their own true numbers."""
    setting = Setting(claim, values)
    try:
        shown = certify(setting)[1]
    except (BoundcheckError, ArithmeticError):  # no number can be had of it
        shown = {}
    task = Task(KEY, claim, SMALL)
    document = witness.seal(task.witness("exact", setting, shown).as_json())
    library = Library.__new__(Library)
    object.__setattr__(library, "claims", {KEY: claim})
    try:
        witness.confirm(document, library)
    except BoundcheckError:
        return False
    return True


Row = tuple[str, list[str], str]  # kind, errors and, where there is one, the statement


def checked(seed: int, place: int) -> Row | None:
    """The claim at a place checked; None where there is none."""
    item = known(seed, place)
    if item is None:
        return None
    errors = errors_on(item, place)
    return item.kind, errors, str(item.claim.statement) if errors else ""


class Kept:
    """Rows of a file, one a line in the order of their places, so that a killed run goes on.

    Raises: InvalidArgument if the file is of another seed or no file of this tool.
    """

    def __init__(self, path: str | None, seed: int) -> None:
        self.path, self.rows = None if path is None else Path(path), list[Row | None]()
        if self.path is None:
            return
        whole = self.path.read_text().splitlines(keepends=True) if self.path.exists() else []
        lines = [line for line in whole if line.endswith("\n")]  # the last may be cut
        try:
            first: Any = json.loads(lines[0]) if lines else {"seed": seed}
            rest = list(map(json.loads, lines[1:]))
        except ValueError:
            first, rest = {}, []
        if first != {"seed": seed}:
            raise InvalidArgument(f"--keep {path} holds no claims of seed {seed}; give a new name")
        self.rows = [None if row is None else (row[0], row[1], row[2]) for row in rest]
        self.path.write_text("".join(lines) or json.dumps(first) + "\n")

    def add(self, row: Row | None) -> None:
        """One more row."""
        if self.path is not None:
            with self.path.open("a") as file:
                file.write(json.dumps(row) + "\n")


def rows(seed: int, kept: Kept, jobs: int) -> Iterator[Row | None]:
    """What the checks say of one place after another, without end."""
    yield from kept.rows
    places = count(len(kept.rows))
    for row in _in_turn(seed, places) if jobs == 1 else _side_by_side(seed, places, jobs):
        kept.add(row)
        yield row


def _in_turn(seed: int, places: Iterator[int]) -> Iterator[Row | None]:
    return (checked(seed, place) for place in places)


def _side_by_side(seed: int, places: Iterator[int], jobs: int) -> Iterator[Row | None]:
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            yield from pool.map(partial(checked, seed), islice(places, BLOCK * jobs), chunksize=4)


def survey(
    claims: int, seed: int, *, jobs: int = 1, keep: str | None = None,
    say: Callable[[str], object] = print,
) -> int:  # fmt: skip
    """Check so many claims and say what was found. Returns: the number of errors."""
    seen, wrong = Counter[str](), Counter[str]()
    for place, row in enumerate(rows(seed, Kept(keep, seed), jobs)):
        if row is None:
            continue
        kind, errors, statement = row
        seen[kind] += 1
        for error in errors:
            wrong[error] += 1
            say(f"{error}: seed {seed}, place {place}, {kind}: {statement}")
        if seen.total() % TOLD == 0 and seen.total() < claims:
            say(f"{seen.total()} of {claims} claims, {wrong.total()} errors")
        if seen.total() >= claims:
            break
    say(f"{seen.total()} claims of {len(seen)} kinds: " + ", ".join(
        f"{wrong[error]} {error}s" for error in ("false proof", "false refutation", "forgery")
    ).replace("forgerys", "forgeries confirmed"))  # fmt: skip
    return wrong.total()


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("hostile", __doc__, "--claims 200 --seed 1")
    made.add_argument("--claims", type=integer(1, 10**9), default=20_000,
                      help="how many are made, default %(default)s")  # fmt: skip
    made.add_argument("--seed", type=integer(0, LARGEST_SEED), default=0, help="of the claims")
    made.add_argument("--jobs", type=integer(1, 1000), default=1,
                      help="processes, default %(default)s; no result depends on them")  # fmt: skip
    made.add_argument("--keep", metavar="FILE",
                      help="rows found, from which a run that was ended goes on")  # fmt: skip
    return made


def main(arguments: list[str]) -> int:
    """Returns 1 if any error was found."""
    chosen = parser().parse_args(arguments)
    found = survey(chosen.claims, chosen.seed, jobs=chosen.jobs, keep=chosen.keep)
    return 1 if found else 0


if __name__ == "__main__":
    run(main)
