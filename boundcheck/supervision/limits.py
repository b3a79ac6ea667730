"""What one claim may take, whatever it does: seconds of clock and processor, and memory."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from boundcheck.boundary.messages import shown
from boundcheck.errors import InvalidArgument

VARIABLE = "BOUNDCHECK_LIMITS"
UNITS = {"": 1, "M": 2**20, "G": 2**30}
LEAST_MEMORY = 256 * 2**20  # below it the libraries do not load
LONGEST = 10**8  # seconds, three years


@dataclass(frozen=True)
class Limits:
    """Limits of one claim.

    Args: wall, processor: seconds, of the clock and of computing; memory: bytes of data.
    """

    wall: float
    processor: float
    memory: int

    def __str__(self) -> str:
        return (
            f"wall={self.wall:g}s processor={self.processor:g}s memory={self.memory / 2**30:.3g}G"
        )


# About ten times what the checks of a budget may compute, so that only accidents meet them.
LIMITS = {
    "brief": Limits(1_800, 900, 4 * 2**30),
    "quick": Limits(1_800, 900, 4 * 2**30),
    "standard": Limits(14_400, 7_200, 8 * 2**30),
    "thorough": Limits(144_000, 72_000, 16 * 2**30),
}


IMPORT = 60  # seconds for one statement file, of clock and processor


def import_limits(limits: Limits | None = None) -> Limits:
    """What the import of one statement file may take: a minute, or less where less is given.

    Raises: InvalidArgument as `limits_for`.
    """
    given = limits or limits_for("quick")
    return replace(given, wall=min(IMPORT, given.wall), processor=min(IMPORT, given.processor))


def limits_for(budget: str, given: Iterable[str] = (), environ: str | None = None) -> Limits:
    """The limits of a budget, changed by BOUNDCHECK_LIMITS and then by options.

    Args: given: "wall=60", "processor=30", "memory=2G"; environ: the same, with commas between,
    instead of the variable.
    Raises: InvalidArgument for anything else.

    >>> print(limits_for("quick", ["wall=60", "memory=512M"], environ=""))
    wall=60s processor=900s memory=0.5G
    """
    limits = LIMITS[budget]
    text = os.environ.get(VARIABLE, "") if environ is None else environ
    for where, items in ((VARIABLE, text.split(",")), ("--limit", given)):
        for item in items:
            if item.strip() or where != VARIABLE:
                limits = _changed(limits, item.strip(), where)
    return limits


def _changed(limits: Limits, item: str, where: str) -> Limits:
    name, _, value = item.partition("=")
    rule = f"{where} {shown(item)} is no limit; give wall=SECONDS, processor=SECONDS or memory=2G"
    if name not in {field.name for field in fields(limits)}:
        raise InvalidArgument(rule)
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,6})?)([MG]?)", value, re.ASCII)
    if match is None or (match[2] and name != "memory"):
        raise InvalidArgument(rule)
    number = float(match[1]) * UNITS[match[2]]
    if name == "memory":
        if number < LEAST_MEMORY:
            raise InvalidArgument(f"{where} {shown(item)} is below 256M; give memory=2G")
        return replace(limits, memory=int(min(number, 2**62)))
    if not 0 < number <= LONGEST:
        raise InvalidArgument(f"{where} {shown(item)} is outside (0, {LONGEST}]; give {name}=60")
    if name == "processor":
        return replace(limits, processor=math.ceil(number))
    return replace(limits, wall=number)
