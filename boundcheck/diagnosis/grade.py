"""The grade: a conclusion from extent, constant, repairs and what rests on the statement."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from flint import fmpq

from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.extent import TIES
from boundcheck.diagnosis.growing import grows, is_flat
from boundcheck.diagnosis.inside import EVENT
from boundcheck.diagnosis.record import (
    AS_IN,
    EVERYWHERE,
    MEANING,
    MET,
    OTHER_CONSTANTS,
    Constant,
    Dependant,
    Extent,
    Grade,
    Repair,
)
from boundcheck.diagnosis.turned import MEETS
from boundcheck.worlds import Integer

WHERE_DEFINED = "that both sides have a value"
ENDS, TIED = "fails only at ends of the domain", "fails only for equal sides"
WEAKENED = ("<= for <", ">= for >")  # edits by which equal sides are admitted
ASKED = "the hypothesis "  # edits of a hypothesis or by one
REVERSED = ("<= for >=", ">= for <=", "< for >", "> for <")  # edits of the direction alone
SLIPS = ("symbol", "factor", "definition", "symbols")
NEAR = 2.0  # right over left at the tightest world, up to which a bound may be what was meant
ATTAINED = 1.01  # right over left up to which a bound is as good as attained
CENTRED = 2.05  # of mean zero, where one side alone stays as values are shifted
MIRRORED = 2.06  # of a printed hypothesis on two things of a kind, and on them in the other order
AT_ENDS = 1.9  # cost of a hypothesis that leaves out the end of the domain at which alone it fails
DIVIDING = 2.15  # cost of a hypothesis outside of which the print fails everywhere
OF_SIGN = 2.17  # the same of one on the sign of a number with which alone it fails
SETTLED = 2.07  # of a hypothesis on the sign of a difference whose square would mend it as well
TOLD = (CENTRED, MIRRORED, SETTLED)  # the print itself tells that they are missing
CLOSE = fmpq(1, 2)  # to zero
FARTHER = 0.4  # dearer than a hypothesis that divides what holds from what fails
STRUCTURAL = 3.1  # cost of a hypothesis on fields of worlds
TRIVIAL = 3.45  # cost of a hypothesis under which nothing positive is bounded
NEARLY = 0.01  # of a number, up to which search finds it
NUMBERS, ADDED = re.compile(r"\d+"), re.compile(r"a term [\d/]+ beside")
ANOTHER = "no small change mends it; what stands says something else"
MODEST = 10.0  # factors beyond it are another statement


def grade(
    case: Case, extent: Extent, constant: Constant | None, repairs: tuple[Repair, ...],
    dependants: tuple[Dependant, ...],
) -> tuple[Grade, str, Repair | None]:  # fmt: skip
    """(grade, its reason in one sentence, the repair that it rests on if it rests on one)."""
    near = NEAR if constant is None or constant.bounded else 2 * NEAR
    by_kind = {repair.kind: repair for repair in reversed(repairs) if not _far_off(repair, near)}
    ties, assumed = by_kind.get("tie"), by_kind.get("hypothesis")
    slip = min((by_kind[kind] for kind in SLIPS if kind in by_kind), key=_doubt, default=None)
    if extent.undefined and slip is not None and case.seldom_defined:
        return "slip", _slip(slip, dependants), slip
    if extent.undefined:
        more = assumed.edit if assumed is not None else WHERE_DEFINED
        return "hypothesis", f"{MEANING['hypothesis']}: {more}", assumed
    outgrown = _outgrown(extent, repairs) or _is_forgotten(case, slip)
    if extent.corner and (ties is not None or not outgrown):
        return "corner", _corner(extent), ties
    if ties is not None:
        equal = ties.edit in WEAKENED or EVENT in ties.edit
        return "corner", f"{TIED if equal else ENDS}: {ties.edit}", ties
    stated = next((repair for repair in repairs if repair.written), None)
    if case.claim.undefined and stated is not None:
        unknown = ", ".join(sorted(map(str, case.claim.undefined)))
        reason = f"one symbol mends it: {unknown} is defined nowhere ({stated.edit})"
        return "slip", reason, stated
    numeric = by_kind.get("constant")
    kept = _is_kept(case, assumed, numeric)
    doubted = _is_doubted(numeric, assumed)
    if numeric is not None and (
        (assumed is not None and is_meant(assumed, numeric) and assumed.cost in TOLD)
        or kept or doubted or _is_idle(numeric, assumed) or _is_turned(case, extent, slip, numeric)
    ):
        numeric = None
    exactly = _is_where(extent, assumed)
    if numeric is not None and exactly and not numeric.written:
        numeric = None
    if slip is not None and exactly and assumed is not None and (
        ADDED.match(slip.edit) and assumed.cost < slip.cost
    ):
        slip = None  # nor is one missing
    if slip is not None and numeric is not None and _is_of_a_size(case, slip, numeric):
        slip = None
    if numeric is not None and not case.has_inequality:
        slip = min(filter(None, (slip, numeric)), key=_doubt)
        numeric = None  # a wrong number in an identity is a slip
    if slip is not None and assumed is not None and (
        is_meant(assumed, slip) or (not slip.stands and (kept or _is_surer(case, assumed, slip)))
    ):
        slip = None
    if slip is not None and (numeric is None or _doubt(slip) <= _doubt(numeric)):
        return "slip", _slip(slip, dependants), slip
    bounded = constant is not None and constant.high is not None and constant.high <= MODEST
    bounded = bounded and not kept and not case.concrete  # given numbers have no constant
    bounded = bounded and not exactly and not doubted and not _is_stated(case, assumed)
    bounded = bounded and not ("constant" not in by_kind and is_attained(assumed)
                               and grows(case, least=2))  # fmt: skip
    if numeric is not None or bounded:
        said = numeric.edit if numeric is not None else str(constant)
        return "constant", _mends("constant", numeric, said), numeric
    if slip is not None:
        return "slip", _slip(slip, dependants), slip
    if assumed is not None:
        return "hypothesis", _mends("hypothesis", assumed, assumed.edit), assumed
    return "false", _unmended(repairs), None


def is_attained(assumed: Repair | None) -> bool:
    """Whether some world attains the print under one more hypothesis on what worlds are made of."""
    of_fields = assumed is not None and not assumed.written and assumed.cost == STRUCTURAL
    return bool(of_fields and assumed and assumed.slack and assumed.slack <= ATTAINED)


def is_of_sign(case: Case, extent: Extent, words: str) -> bool:
    """Whether a hypothesis on the sign of a number excludes what fails, and no more: failures are
    known close to zero."""
    asked = words.removeprefix(ASKED).split()
    if len(asked) != 3 or asked[2] != "0" or asked[1] not in (">=", "<=") or extent.corner:
        return False
    if extent.excluded != (f"{asked[0]} {'<' if asked[1] == '>=' else '>'} 0",):
        return False
    if narrows_the_print(case, words):
        return False
    values = (seen.setting(asked[0]) for seen in case.worlds if seen.violated)
    numbers = (fmpq(value) for value in values if isinstance(value, (int, fmpq)))
    return any(0 != number and -CLOSE <= number <= CLOSE for number in numbers)


def narrows_the_print(case: Case, words: str) -> bool:
    """Whether a hypothesis bounds a number that the print bounds on the same side by less."""
    start = words.removeprefix(ASKED).rsplit(" ", 1)[0]
    return any(str(condition).rsplit(" ", 1)[0] == start for condition in case.claim.given)


def _is_where(extent: Extent, assumed: Repair | None) -> bool:
    """Whether a hypothesis on one number excludes what the statement was seen to fail on, and no
    more: then no number is wrong."""
    if assumed is None or not assumed.stands or extent.corner or len(extent.excluded) != 1:
        return False
    if assumed.cost == TRIVIAL:
        return False
    name, sign, end = extent.excluded[0].rsplit(" ", 2)
    allowed = ("<=", "<") if sign == ">" else (">=", ">")
    asked = assumed.edit.removeprefix(ASKED).split()
    if len(asked) != 3 or asked[0] != name or asked[1] not in allowed:
        return False
    try:
        limit = float(Fraction(asked[2]))
    except ValueError:  # a part of a constant, such as pi/2, which is told as such, or a symbol
        return extent.fails_on.endswith(f" {name} {sign} {asked[2]}")
    return abs(limit - float(end)) <= NEARLY * max(1.0, abs(limit))


def _is_stated(case: Case, assumed: Repair | None) -> bool:
    """Whether the library states the print with its numbers under one more hypothesis."""
    if assumed is None or not assumed.written or not assumed.stands:
        return False
    mine, its = (sorted(NUMBERS.findall(text)) for text in (case.shown, assumed.statement))
    return mine == its


def _is_forgotten(case: Case, slip: Repair | None) -> bool:
    """Whether a slip is mended by the number of things of which the print bounds the largest: of
    such a bound small sizes show corners only."""
    return slip is not None and slip.kind == "factor" and bool(case.lost_sizes)


def _corner(extent: Extent) -> str:
    """At which ends of the domain a statement fails, in one clause; equal sides lie anywhere."""
    if extent.excluded == (TIES,):
        return extent.fails_on
    where = extent.fails_on.removeprefix("fails only ")
    if where.startswith(MET):
        return f"perhaps {ENDS}: {where}"
    return f"{ENDS}{',' if where != extent.fails_on else ':'} {where}"


def _far_off(repair: Repair, near: float) -> bool:
    """Whether a slip that only may stand is mended to a bound that no world comes near, or turned
    round with no world that tells how near.

    Where no number mends the print, one with another rate has another number as well.
    """
    loose = repair.slack is not None and repair.slack > near
    loose |= repair.distant and repair.slack is None and not repair.written
    return repair.kind in ("symbol", "symbols") and not repair.stands and loose


def is_meant(assumed: Repair, slip: Repair) -> bool:
    """Whether a slip is mended to a statement that says something else, or is farther from the
    print than a hypothesis on what worlds are made of, or by a modulus that is farther than any,
    and under one more hypothesis some world attains the printed bound, or adds a term where that
    hypothesis tells what holds from what fails: then its formula was meant.
    It was where one side alone knows the origin of a variable, and it holds of centred ones, where
    the print asks of two things in one order what mends it in the other, and where it holds on one
    side of a line, fails everywhere on the other, and the slip is far off.
    """
    divides = assumed.cost == DIVIDING and slip.cost > DIVIDING + FARTHER
    divides &= not explains(slip, assumed)
    if (assumed.cost in TOLD or divides) and not slip.written:
        return assumed.stands
    attained = assumed.slack is not None and assumed.slack <= ATTAINED
    added = slip.edit.startswith("a term ") and assumed.cost == DIVIDING < slip.cost
    nearer = added or (assumed.cost == STRUCTURAL < slip.cost and slip.kind != "symbols")
    nearer |= slip.edit.startswith("Abs(") and assumed.cost < slip.cost
    return (slip.distant or nearer) and assumed.stands and attained


def _is_surer(case: Case, assumed: Repair, slip: Repair) -> bool:
    """Whether a hypothesis on worlds stands where an edit that nobody wrote only may, or a nearer
    hypothesis may as well."""
    nearer = not assumed.stands and assumed.cost < slip.cost and not explains(slip, assumed)
    surer = case.claim.worlds is not None and assumed.stands
    return (surer or nearer) and not slip.written


def explains(slip: Repair, assumed: Repair) -> bool:
    """Whether a slip is a lost power or factor of a number, and a hypothesis that it lies on one
    side of one, where its powers part."""
    name, _, end = (*assumed.edit.removeprefix(ASKED).split(), "", "", "")[:3]
    powers = (f"{name}**", f"sqrt({name})", f"1/{name}")
    power = slip.edit.startswith(powers) and slip.edit.endswith(f" for {name}")
    lost = slip.edit.startswith((f"a factor {name} ", f"a divisor {name} ", f"{name} for "))
    return end == "1" and (power or lost)


def _is_idle(numeric: Repair, assumed: Repair | None) -> bool:
    """Whether no world comes near a bound with another number, and under one more hypothesis some
    world attains the printed one: then its numbers were meant."""
    if assumed is None or not assumed.stands or assumed.slack is None or numeric.slack is None:
        return False
    return not numeric.written and numeric.slack > NEAR and assumed.slack <= ATTAINED


def _is_turned(case: Case, extent: Extent, slip: Repair | None, numeric: Repair) -> bool:
    """Whether a statement that fails everywhere stands and is attained when turned round, and
    nobody wrote another number, which no world attains; or some integer, where there is nothing
    else: of a number that is fitted to one integer larger ones lose sight."""
    if extent.fails_on != EVERYWHERE or slip is None or slip.edit not in REVERSED:
        return False
    fields = case.claim.fields.values()
    loose = numeric.slack is None or numeric.slack > ATTAINED
    whole = bool(fields) and all(isinstance(each, Integer) for each in fields)
    attained = slip.slack is not None and slip.slack <= (ATTAINED if loose else MEETS)
    return slip.stands and attained and (loose or whole) and not numeric.written


def _is_doubted(numeric: Repair | None, assumed: Repair | None) -> bool:
    """Whether another number only may stand, and the print stands and is attained under one more
    hypothesis on what worlds are made of."""
    if numeric is None or numeric.stands or numeric.written or assumed is None:
        return False
    return assumed.stands and is_attained(assumed)


def _is_of_a_size(case: Case, slip: Repair, numeric: Repair) -> bool:
    """Whether a lost factor only may stand beside a number that only may, and failures are no worse
    at larger sizes: then no size was lost."""
    open_ = slip.kind == "factor" and not slip.stands and not numeric.stands
    return open_ and not case.lost_sizes and not case.creeping and is_flat(case)


def _is_kept(case: Case, assumed: Repair | None, numeric: Repair | None) -> bool:
    """Whether a statement about numbers alone, with integers looked at far out, stands from some
    integer on, and nothing is written of another number: all but few integers keep its own."""
    if case.claim.worlds is not None or not case.kept_by or assumed is None:
        return False
    written = numeric is not None and bool(numeric.written)
    return assumed.stands and assumed.cost == DIVIDING and not written


def _doubt(repair: Repair) -> tuple[bool, float, float]:
    """What stands before what only may, of that what is tight, then what is near the print."""
    told = not repair.stands and repair.slack is not None and repair.slack > 0
    # What a search finds tightest is off by some tenths, so halves of doublings are compared.
    loose = round(2 * math.log2(repair.slack)) if told and repair.slack else 0
    return not repair.stands, loose, repair.cost


def _outgrown(extent: Extent, repairs: tuple[Repair, ...]) -> bool:
    """Whether a corner is one of small sizes only, which a search among small worlds says weakly,
    and another formula stands: a constant, or what the library states."""
    small = not extent.proved and bool(extent.excluded)
    small = small and all(" = " in name for name in extent.excluded)
    stated = any(r.kind == "constant" or (r.written and r.kind != "hypothesis")
                 for r in repairs if r.stands)  # fmt: skip
    return small and stated


def _slip(repair: Repair, dependants: tuple[Dependant, ...]) -> str:
    open_ = sum(item.status == "conditional" for item in dependants)
    rest = f"; {open_} statements rest on the mended form" if open_ else ""
    perhaps = "" if repair.stands else "perhaps "
    mends = "two symbols mend" if repair.kind == "symbols" else "one symbol mends"
    return f"{perhaps}{mends} it: {_told(repair)}{rest}"


def _unmended(repairs: tuple[Repair, ...]) -> str:
    """That no repair stands, unless one does that says something else than the print."""
    other = next((repair for repair in repairs if repair.stands), None)
    return f"{ANOTHER}: {other.edit}" if other is not None else MEANING["false"]


def _told(repair: Repair) -> str:
    """What a repair changes; the changed statement where its words tell its place alone."""
    silent = repair.written and repair.edit.startswith((AS_IN, f"{OTHER_CONSTANTS} ("))
    return f"{repair.statement}, {repair.edit}" if silent else repair.edit


def _mends(grade: Grade, repair: Repair | None, said: str) -> str:
    """What would mend a statement, with its doubt where search has not gone far enough."""
    perhaps = "" if repair is not None and repair.stands else "perhaps "
    told = _told(repair) if repair is not None and said == repair.edit else said
    where = " in a hypothesis" if grade == "constant" and told.startswith(ASKED) else ""
    return f"{perhaps}{MEANING[grade]}{where}: {told.removeprefix(ASKED) if where else told}"
