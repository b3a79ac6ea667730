"""Which repairs are offered beside one another, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.diagnosis.grade import AT_ENDS, DIVIDING, explains, is_attained, is_meant
from boundcheck.diagnosis.growing import grows
from boundcheck.diagnosis.record import Repair

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case


def is_superseded(case: Case, repair: Repair, found: list[Repair]) -> bool:
    """Whether a number only may stand beside a mended symbol that does, beside the number of things
    that the print forgot, or grows with a size, but for one in an exponent: where that is a guess,
    beside a hypothesis under which the print is attained."""
    if repair.kind != "constant" or repair.stands or repair.written:
        return False
    others = [other for other in found if not other.distant]
    if any(other.stands and other.kind in ("symbol", "factor") for other in others):
        return True
    forgotten = bool(case.lost_sizes)
    if forgotten and any(o.kind == "factor" and o.cost < repair.cost for o in others):
        return True
    guessed = any(is_attained(other) for other in others) and grows(case, least=2)
    return guessed or (grows(case) and not repair.of_exponent)


def last(repair: Repair, found: list[Repair], *, equation: bool) -> tuple[bool, int]:
    """What comes later: a repair that only may stand, a hypothesis beside a mended formula; one
    that tells where the print fails from where it holds comes before another number, one that
    leaves out an end at which alone the print fails before what says something else, one under
    which the print is attained before what says something else.

    Args: equation: of which a wrong number is a slip like any other.
    """
    if repair.kind == "hypothesis" and any(is_meant(repair, other) for other in found):
        return False, -1
    if repair.kind == "hypothesis" and repair.cost == AT_ENDS and not repair.written:
        return not repair.stands, -1
    if repair.written or repair.kind != "hypothesis":
        number = repair.kind == "constant" and not repair.written and not equation
        number = number and not all(other.distant and other.cost > repair.cost for other in found
                                    if other.kind in ("symbol", "factor"))  # fmt: skip
        return not repair.stands, int(number)
    slips = ("symbol", "factor", "constant") if equation else ("symbol", "factor")
    symbols = any((other.stands or (not repair.stands and explains(other, repair)))
                  and other.kind in slips for other in found)  # fmt: skip
    return not repair.stands, 0 if repair.cost == DIVIDING and not symbols else 2


def of_grade_first(repairs: tuple[Repair, ...], of_grade: Repair | None) -> tuple[Repair, ...]:
    """The repairs with the one that a grade rests on before what else the machine found, but for
    hypotheses."""
    if of_grade not in repairs:
        return repairs
    own = repairs.index(of_grade)
    place = next((at for at in range(own) if repairs[at].kind != "hypothesis"
                  and not repairs[at].written), own)  # fmt: skip
    return (*repairs[:place], of_grade, *repairs[place:own], *repairs[own + 1 :])
