"""Random claims whose truth is known by construction, against proofs, refutations and the re-check.

`python -m boundcheck.hostile --claims 20000` makes claims from a grammar of expressions and of
words of the language: floors, indicators, suprema, matrices, laws, trees of laws, means of draws. A
true one adds to a side what cannot be negative, hides an identity, rests on a hypothesis or an end
of its domain, or says a known inequality; a false one fails everywhere, in a corner, beyond 10^30,
by a gap where the inequality is tight, or has no value at one point. No true claim may be refuted
or accused by a forged witness, no false one proved; else exit code 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy

from boundcheck import witness
from boundcheck.boundary.numbers import LARGEST_SEED
from boundcheck.boundary.tools import ToolParser, integer, parser_of, run
from boundcheck.certify import certify
from boundcheck.checks.base import Budget, Task
from boundcheck.claim import Claim
from boundcheck.engine import verify
from boundcheck.errors import BoundcheckError, MalformedStatement
from boundcheck.library import Library
from boundcheck.setting import Setting
from boundcheck.spoken import SPOKEN_FALSE, SPOKEN_TRUE
from boundcheck.truths import PLAIN_FALSE, PLAIN_TRUE, Grammar, Known

KEY = "hostile/claim:random"
SMALL = Budget("quick", 40, 64, 600, 8, 4.0)
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


def errors_on(item: Known) -> list[str]:
    """What went wrong on a claim: "false proof", "false refutation", "forgery"."""
    found = []
    verdict = verify(KEY, item.claim, budget=SMALL, controls=False)
    if not item.true and verdict.outcome == "proved":
        found.append("false proof")
    if item.true and verdict.outcome in ("refuted", "malformed"):
        found.append("false refutation")
    if item.true and item.forged is not None and forgery_confirms(item.claim, item.forged):
        found.append("forgery")
    return found


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


def survey(claims: int, seed: int, *, say: Callable[[str], object] = print) -> int:
    """Check so many claims and say what was found. Returns: the number of errors."""
    seen, wrong, place = Counter[str](), Counter[str](), 0
    while sum(seen.values()) < claims:
        item = known(seed, place)
        place += 1
        if item is None:
            continue
        seen[item.kind] += 1
        for error in errors_on(item):
            wrong[error] += 1
            say(f"{error}: seed {seed}, place {place - 1}, {item.kind}: {item.claim.statement}")
    say(f"{sum(seen.values())} claims of {len(seen)} kinds: " + ", ".join(
        f"{wrong[error]} {error}s" for error in ("false proof", "false refutation", "forgery")
    ).replace("forgerys", "forgeries confirmed"))  # fmt: skip
    return sum(wrong.values())


def parser() -> ToolParser:
    """The arguments of this tool."""
    made = parser_of("hostile", __doc__, "--claims 200 --seed 1")
    made.add_argument("--claims", type=integer(1, 10**9), default=20_000,
                      help="how many are made, default %(default)s")  # fmt: skip
    made.add_argument("--seed", type=integer(0, LARGEST_SEED), default=0, help="of the claims")
    return made


def main(arguments: list[str]) -> int:
    """Returns 1 if any error was found."""
    chosen = parser().parse_args(arguments)
    return 1 if survey(chosen.claims, chosen.seed) else 0


if __name__ == "__main__":
    run(main)
