"""The number that a hypothesis should have had: the largest under which no world fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.excluded import EACH_SIDE
from boundcheck.diagnosis.screen import Candidate
from boundcheck.diagnosis.sharp import ATTAINED, FARTHEST, NEAR, plain_numbers
from boundcheck.setting import INEQUALITIES

COST = 2.15  # what it costs, where the print fails beyond that number


def asked(case: Case) -> Iterator[Candidate]:
    """Claims with the number before the bound of a hypothesis moved: eta <= 2/L for eta <= 3/L.

    That number is the plainest one just below the least multiple of the bound at which a world
    fails; the worlds below it must be some.
    """
    import numpy

    claim, table = case.claim, case.table
    failing = case.failing
    for place, condition in enumerate(claim.given if failing is not None else ()):
        if not isinstance(condition, INEQUALITIES) or not condition.lts.free_symbols:
            continue
        small = condition.gts.is_Symbol and not condition.lts.is_Symbol  # of a >= f(b) that of f
        moved = condition.lts if small else condition.gts
        number, rest = moved.as_coeff_Mul()
        if not (rest.free_symbols and number.is_Rational and number > 0):
            continue
        low, high = table.evaluate(condition.lts), table.evaluate(condition.gts)
        if low is None or high is None:
            continue
        with numpy.errstate(all="ignore"):
            ratio = low / high
        worst = ratio[failing[table.index] & numpy.isfinite(ratio)].min(initial=1.0)
        inside = int((ratio < worst).sum())
        if not 1 / FARTHEST < worst < 1 or inside < EACH_SIDE:
            continue
        least, most = float(number) * worst * (1 - NEAR), float(number) * worst * (1 + ATTAINED)
        if small:
            least, most = float(number) / worst * (1 - ATTAINED), float(number) / worst * (1 + NEAR)
        plain = [(height, size) for size, value, height in plain_numbers()
                 if least <= value <= most]  # fmt: skip
        if plain:
            _, size = min(plain, key=lambda item: item[0])
            sides = (size * rest if side == moved else side for side in condition.args)
            mended = type(condition)(*sides, evaluate=False)
            given = (*claim.given[:place], mended, *claim.given[place + 1 :])
            yield Candidate(f"the hypothesis {mended}", "constant", COST,
                            replace(claim, given=given))  # fmt: skip
