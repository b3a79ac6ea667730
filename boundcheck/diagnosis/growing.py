"""Whether the worst failures grow with a size, so that no number mends what a size would.

Search and enlarged worlds end at some size. Where left over right is larger there than at half that
size, and gains no less than between a quarter and a half, a number that serves up to there only
says how far was looked: sqrt(d) looks like 4 sqrt(2) where worlds end at d = 32.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from boundcheck.claim import WithProbability
from boundcheck.diagnosis.beyond import CALLS, at_most
from boundcheck.diagnosis.pool import size_of
from boundcheck.search import enlarging
from boundcheck.search.objective import assess
from boundcheck.setting import Setting, sides
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Vector, Weights

if TYPE_CHECKING:
    from boundcheck.diagnosis.case import Case
    from boundcheck.diagnosis.screen import Candidate
    from boundcheck.verdict import Verdict

LEAST = 4  # sizes below it have no quarter
BEYOND = 1.2  # of the worst at half the size, from which on it is larger
STEADY = 0.8  # of the gain before, from which on it does not slow down: that of 1 - 1/n is half
RISES = 1.1  # of the worst at smaller sizes, from which on the largest size tells more
MANY, LEVEL = 8, 0.1  # times a size, and the power of it that is no growth
FLAT = 1.02  # times the worst at sizes up to half the largest, at most, at larger ones
SAME = 1e-9  # of a multiple, the same
LATEST = 16  # of the worlds that refuted changes
LEAST_SIZES = 6  # of a family, below which growth is not judged


def grows(case: Case, least: int = LEAST) -> bool:
    """Whether left over right of the print grows with some size as far as worlds go.

    Args: least: size up to which worlds go at least; of less than `LEAST` it is a guess.
    """
    names = endless(case)
    if not names or not case.explicit or not case.has_inequality:
        return False
    if isinstance(case.claim.statement, WithProbability):  # scores are of levels there
        return False
    scores = list(_scores(case, names))
    return any(_grows(_worst(scores, name), least) for name in names)


def rises(case: Case, known: Sequence[Mapping[str, object]] = ()) -> bool:
    """Whether the print fails by more in the largest worlds that search builds than in smaller
    ones: of a number that mends it there larger worlds may ask more. Args: known: more worlds, as
    those in which the number is tightest."""
    fields = {} if case.claim.worlds is None else case.claim.worlds.fields
    scores: list[tuple[Mapping[str, object], float]] = [
        (seen.setting.values, seen.score) for seen in case.worlds if seen.violated]
    scores += [(values, score(case, values)) for values in (*case.killers[-LATEST:], *known)]
    if case.creeping > max((found for _, found in scores if math.isfinite(found)), default=0.0):
        return True
    for name in set(endless(case)) & set(fields):
        top = getattr(promised_field(fields[name]), "searched", None)
        worst = _worst([item for item in scores if math.isfinite(item[1])], name)
        below = max((score for size, score in worst.items() if size < (top or 0)), default=math.inf)
        if worst.get(top or 0, 0.0) > RISES * below and not _levels_off(worst, top or 1):
            return True
    return False


def _levels_off(worst: Mapping[int, float], top: int) -> bool:
    """Whether worlds many times as large as a size fail by more, and hardly by more.

    >>> _levels_off({4: 1.5, 333: 1.994}, 4), _levels_off({4: 2.0, 333: 18.2}, 4)
    (True, False)
    """
    return any(
        size >= MANY * top and score >= worst[top]
        and math.log(score / worst[top]) <= LEVEL * math.log(size / top)
        for size, score in worst.items()
    )


def is_flat(case: Case) -> bool:
    """Whether the print fails by no more in worlds of more than half the largest size than in
    smaller ones, for every size without end."""
    names = endless(case)
    scores = list(_scores(case, names)) if case.explicit and case.has_inequality else []
    for name in names:
        worst = _worst(scores, name)
        half = max(worst, default=0) // 2
        upper, lower = (max((score for size, score in worst.items() if (size > half) == above),
                            default=0.0) for above in (True, False))  # fmt: skip
        if upper > FLAT * lower:
            return False
    return bool(scores)


def ends_with(case: Case, candidate: Candidate, verdict: Verdict) -> bool:
    """Whether a statement up to a constant is refuted by a single world in which no constant
    serves, and a hypothesis without it leaves worlds of which the largest do not ask for most."""
    witness, left = case.verdict.witness, candidate.claim
    if case.explicit or witness is None or witness.kind == "trend" or "family" in witness.extra:
        return False
    growing = any(item.numbers.get("growing") for item in verdict.evidence)
    if candidate.kind != "hypothesis" or verdict.outcome != "undecided" or growing:
        return False
    tops = {name: getattr(promised_field(left.fields[name]), "searched", None)
            for name in case.sizes & set(left.fields)}  # fmt: skip
    worlds = [item.numbers["world"] for item in verdict.evidence if "constant" in item.numbers
              and "world" in item.numbers]  # fmt: skip
    return bool(worlds and tops) and all(
        isinstance(top, int) and 2 * int(world.get(name, top)) <= top
        for world in worlds for name, top in tops.items())


def is_of_search(case: Case, candidate: Candidate, found: Collection[str]) -> bool:
    """Whether a number is that of the largest worlds that search builds, and a lost symbol mends
    the print too. Args: found: kinds of what does."""
    number = candidate.kind == "constant" and not candidate.written
    return number and not {"symbol", "factor"}.isdisjoint(found) and rises(case)


def exponent_grows(case: Case) -> bool:
    """Whether the share by which the exponent of a printed tail is too large grows with a size."""
    import numpy

    low, high = (case.table.evaluate(side) for side in sides(case.claim.statement.relation))
    if low is None or high is None:
        return True
    tails = (0 < low) & (low < 1) & (0 < high) & (high < 1)
    with numpy.errstate(all="ignore"):
        shares = numpy.log(high) / numpy.log(low)
    return _rise(case, shares, tails)


def multiple_grows(case: Case, changed: sympy.Rel) -> bool | None:
    """Whether left over right of a changed comparison still grows with a size, where its bound is
    no constant multiple of the printed one; None where it is, so that both grow alike."""
    import numpy

    low, high = (case.table.evaluate(side) for side in sides(changed))
    printed = case.table.evaluate(sides(case.claim.statement.relation)[1])
    if low is None or high is None or printed is None:
        return None
    with numpy.errstate(all="ignore"):
        shares, multiples = low / high, high / printed
    told = numpy.isfinite(shares) & numpy.isfinite(multiples) & (shares > 0)
    if not told.any() or numpy.ptp(multiples[told]) <= SAME * abs(multiples[told]).max():
        return None
    return _rise(case, shares / shares[told].min(), told)  # no more than growth counts


def _rise(case: Case, shares: Any, told: Any) -> bool:
    """Whether what is told in some rows of the table grows with a size."""
    import numpy

    rows = [(case.table.kept[case.table.worlds[row]].values, float(shares[row]))
            for row in numpy.flatnonzero(told)]  # fmt: skip
    return any(_grows(_worst(rows, name)) for name in endless(case))


def endless(case: Case) -> list[str]:
    """Names of sizes without a largest value."""
    fields = {name: promised_field(case.claim.fields[name]) for name in case.sizes}
    return [name for name in fields if getattr(fields[name], "high", None) is None]


def _worst(scores: Sequence[tuple[Mapping[str, object], float]], name: str) -> dict[int, float]:
    """The worst score at every value of a size."""
    found: dict[int, float] = {}
    for values, score in scores:
        size = size_of(values.get(name))
        found[size] = max(score, found.get(size, 0.0))
    return found


def _grows(worst: Mapping[int, float], least: int = LEAST) -> bool:
    """Whether scores by size grow up to the largest one without slowing down.

    >>> _grows({size: size**0.5 for size in range(1, 9)})
    True
    >>> _grows({size: 2 - 1 / size for size in range(1, 9)})
    False
    >>> _grows({1: 2.0, 2: 4.0, 3: 29.7, 4: 9.1})
    False
    """
    top = max(worst, default=0)
    if top < least:
        return False
    last, half, quarter = (
        max((score for size, score in worst.items() if size <= top // part), default=0.0)
        for part in (1, 2, 4)
    )
    if worst[top] * BEYOND < last:
        return False  # by chance at a smaller size
    return last > max(BEYOND * half, BEYOND) and last - half >= STEADY * (half - quarter)


def _scores(
    case: Case, names: list[str]
) -> Iterator[tuple[Mapping[str, object], float]]:
    """Worlds with left over right of the print; larger ones than the pool has are looked at."""
    largest = dict.fromkeys(names, 0)
    for seen in case.worlds:
        if math.isfinite(seen.score):
            values = seen.setting.values
            largest = {name: max(size, size_of(values.get(name)))
                       for name, size in largest.items()}  # fmt: skip
            yield values, seen.score
    for values in (*case.far, *case.killers[-LATEST:]):
        if any(size_of(values.get(name)) > size for name, size in largest.items()):
            yield values, score(case, values)


def score(case: Case, values: Mapping[str, object], calls: int = CALLS) -> float:
    """Left over right of the print in a world, 0 for what cannot be told by so many calls."""
    found: list[float] = []

    def look() -> bool:
        try:
            setting = Setting(case.claim, values)
            if not setting.admissible():  # it refuted a change under other hypotheses
                return False
            told = assess(setting, outcomes=case.bench.budget.outcomes).score
        except Exception:  # a quantity may fail in any way at sizes it was not made for
            return False
        found.append(told)
        return True

    at_most(calls, look)
    return found[0] if found and math.isfinite(found[0]) else 0.0


def same_growth(case: Case, candidate: Candidate, verdict: Verdict) -> bool:
    """Whether the family that refuted a statement up to a constant was looked at again.

    A hypothesis that the family does not meet has only silenced it, unless it is a printed one,
    tightened; then another family must have been followed as far.
    """
    witness = case.verdict.witness
    family = None if witness is None else witness.extra.get("family")
    if case.explicit or family is None or verdict.outcome == "proved":
        return True
    curves = [e.numbers.get("curves", {}) for e in verdict.evidence if e.check == "trend"]
    followed = [name for curve in curves for name, sizes in curve.items()
                if len(sizes) >= LEAST_SIZES]  # fmt: skip
    return bool(followed) if candidate.narrowed else family in followed


def tailed(case: Case, candidate: Candidate) -> bool:
    """Whether a law of another kind is asked for beside hypotheses on moments: heavy tails within
    them are hardly met among laws of that kind."""
    claim = case.claim
    own = candidate.kind == "hypothesis" and candidate.claim.given == claim.given
    told = any(condition.free_symbols & set(claim.measure) for condition in claim.given)
    lawful = any(type(field) is Weights for field in claim.fields.values())
    return own and told and lawful and any(
        type(claim.fields[name]) is Vector for name in enlarging.endless(claim))
