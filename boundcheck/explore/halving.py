"""A constant that no single world tells, cut between the last value that failed and the last that
stood: numbers in hypotheses, and exponents of orders."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import sympy
from flint import arb

from boundcheck.claim import Claim, Holds, UpToConstant
from boundcheck.encoding import decode
from boundcheck.errors import BoundcheckError
from boundcheck.exact import PRECISIONS, midpoint, precision, to_ball
from boundcheck.explore.bracket import Bracket
from boundcheck.explore.knobs import Knob
from boundcheck.explore.leaving import otherwise
from boundcheck.explore.simple import BELOW, next_value
from boundcheck.setting import flatten
from boundcheck.verdict import Witness

if TYPE_CHECKING:
    from boundcheck.explore.bracketing import Work

ROUNDS = 4  # values tried for one constant
ROUNDS_OF_ONE = 8  # of a number that bounds one symbol alone, which worlds tell apart
GLANCE = 0.125  # of a full trial, where nothing that stands would be called supported
STANDING = ("proved", "supported")
OF_DRAWS = "worlds of its families alone were tried"
NO_WORLD = "no world was found on which a curve could begin"


class Trial(NamedTuple):
    """What became of a changed claim. Args: doubt: why what stood in a search is not supported."""

    outcome: str
    kind: str | None = None
    witness: Witness | None = None
    doubt: str = ""


def halved(work: Work, knob: Knob) -> Bracket | None:
    """From the printed value away while it stands, then between what failed and what stood."""
    stood: dict[str, sympy.Expr] = {}
    top, doubt = knob.printed, ""
    lower: sympy.Expr | None = None
    blocked: sympy.Expr | None = None
    unbroken: sympy.Expr | None = None
    witness: Witness | None = None
    evidence: str | None = None
    rounds = ROUNDS_OF_ONE if knob.alone else ROUNDS
    for turn in range(rounds):
        end = lower if blocked is None else blocked
        value = sympy.S.Zero if turn == 0 and knob.spared else next_value(knob, top, end)
        if value is None or work.fuel.over:
            break
        try:
            trial = tried(work, knob, value)
        except BoundcheckError:  # the changed statement may be none
            break
        if trial.doubt:
            blocked, doubt = value, trial.doubt
            unbroken = value if trial.outcome in STANDING else unbroken
            if doubt == OF_DRAWS:
                break  # nearer to the print it is harder to refute, and nothing is supported
        elif trial.outcome in STANDING:
            top = stood[trial.outcome] = value
        elif trial.outcome == "refuted":
            lower, witness, evidence = value, trial.witness, trial.kind
            lower = _where_it_fails(knob, witness, value)
        else:
            blocked = value
    if lower is None and not stood and not doubt:
        return None
    if not stood:
        stood[work.verdict.outcome] = knob.printed
    if lower is not None and unbroken is None:
        doubt = ""  # that it fails somewhere is known
    return Bracket(
        knob, lower, evidence, stood.get("supported"), stood.get("proved"), witness, doubt, unbroken
    )


def tried(work: Work, knob: Knob, value: sympy.Expr) -> Trial:
    """A claim at another value of a constant; of a hypothesis where only the new one holds.

    What the printed hypothesis admits is judged already, so that all of the search goes to what it
    leaves out.
    """
    purpose, changed = f"{knob.kind} {knob.place} {value}", knob.turned(value)
    if knob.kind != "threshold":
        return judged(work, changed, purpose, knob.beside)
    added = replace(changed, given=(*changed.given, otherwise(knob.where)))
    trial = judged(work, without_families(added), purpose)
    if trial.outcome == "proved" and work.verdict.outcome != "proved":
        return trial._replace(outcome="supported")  # what it says of the rest is no more
    return trial


def without_families(claim: Claim) -> Claim:
    """The claim without its families, which obey the hypotheses that it was printed with."""
    return replace(claim, families=())


def judged(
    work: Work, claim: Claim, purpose: str, watched: sympy.Basic | None = None
) -> Trial:
    """A changed claim as curves and the engine judge it.

    Args: watched: what worlds have to move, for support of an order to mean anything.
    """
    order = isinstance(claim.statement, UpToConstant)
    seen = _along_curves(work, claim, purpose, watched) if order else Trial("")
    if seen.outcome:
        return seen
    # What can only be refuted is not worth the long search for families.
    verdict = work.judged(claim, purpose, GLANCE if seen.doubt == OF_DRAWS else 1.0)
    if verdict.outcome == "refuted" and verdict.witness is not None:
        return Trial("refuted", verdict.kind, verdict.witness)
    return Trial(verdict.outcome, doubt="" if verdict.outcome == "proved" else seen.doubt)


def follows(work: Work, claim: Claim, condition: sympy.Basic) -> bool:
    """Whether a hypothesis is proved from the others and the domains, so that none fails it."""
    members = [each for given in claim.given for each in flatten(given)]
    others = tuple(each for each in members if each != condition)
    if {symbol.name for symbol in condition.free_symbols} & claim.random_names:
        return False
    changed = replace(claim, statement=Holds(condition), given=others, families=())
    return work.bench.proved(changed, f"{condition} follows")


def _along_curves(
    work: Work, claim: Claim, purpose: str, watched: sympy.Basic | None
) -> Trial:
    """An order of numbers followed along curves; of others there is none."""
    from boundcheck.checker.rays import is_of_numbers
    from boundcheck.checks.endless import by_law
    from boundcheck.explore.orders import BASES, followed
    from boundcheck.search.beginnings import simple_worlds

    if not is_of_numbers(claim):
        return Trial("", doubt=OF_DRAWS)
    task = work.bench.task(claim, purpose)
    bases = simple_worlds(task)[:BASES]
    found = followed(claim, bases, watched)
    if found.rising is not None:
        words = found.rising.words
        item = None if found.rising.slow else by_law(task, found.rising.ray, words)
        if item is not None:
            return Trial("refuted", item.kind, item.witness)
        return Trial("undecided", doubt=f"it needs more and more along {words}")
    if not found.tried:
        return Trial("", doubt=NO_WORLD)
    return Trial("", doubt="" if found.moved else f"no curve that was tried moves {watched}")


def _where_it_fails(
    knob: Knob, witness: Witness | None, value: sympy.Expr
) -> sympy.Expr:
    """The value of a number in a hypothesis from which on it admits the world of a witness."""
    rest = knob.printed * knob.beside
    if knob.kind != "threshold" or witness is None or rest not in knob.where.args:
        return value
    place = knob.where.args.index(rest)
    at = _value(knob.base, knob.where.args[1 - place] / knob.beside, witness)
    if at is None or (knob.whole and isinstance(knob.where, (sympy.Lt, sympy.Gt))):
        return value
    # Rounded towards the printed value the hypothesis still admits that world.
    apart = 0 if knob.whole else BELOW
    edge = sympy.Rational(*_ratio(at.lower() if knob.direction < 0 else at.upper()))
    edge = edge * (1 + knob.direction * apart)
    closer = knob.direction * (value - edge) > 0 and knob.direction * (edge - knob.printed) > 0
    return edge if closer else value


def _ratio(end: arb) -> tuple[int, int]:
    number = midpoint(end)
    return int(number.p), int(number.q)


def _value(claim: Claim, expression: sympy.Expr, witness: Witness) -> arb | None:
    from boundcheck.setting import Setting

    values = {name: decode(value) for name, value in witness.values.items()}
    try:
        with precision(PRECISIONS[-1]):
            found = to_ball(Setting(claim, values).evaluate(expression))
        return found if found.is_finite() else None
    except (BoundcheckError, ArithmeticError, TypeError, KeyError):
        return None
