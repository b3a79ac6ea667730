"""How far a failure grows where atoms of laws get ever less weight.

A divergence grows like the logarithm of a weight, so a factor that no world of search refutes may
be refuted by weights of a thousand bits. Laws are moved one after another, an atom of each to the
weight that makes the statement worst.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq

from boundcheck.claim import Claim
from boundcheck.diagnosis.beyond import CALLS, at_most
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.frontier import fails
from boundcheck.search.objective import assess
from boundcheck.search.screening import averaged
from boundcheck.setting import Setting
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Vector, Weights

STARTS = 2  # worlds in which the print fails
ATOMS = 3  # of a law
ORDER = (1, 2, 1)  # laws that are moved together, in each sweep over all of them
COARSE = {1: (1, 2, 3, 5, 8, 11, 32, 128, 2048), 2: (4, 10, 2048)}  # halvings of a weight
ALONE, FEW = 3, ((4, 10), (10, 40))  # failing worlds, halvings of a weight and of other numbers
THICK = fmpq(1, 2**32)  # a weight, and what is less
GROWN = 1.5  # of the worst failure met, from which on a world is kept


def thinned(case: Case) -> tuple[float, bool]:
    """Left over right where thin weights make the print worst, the world kept, and whether it grows
    on with them; 0 without laws."""
    claim = case.claim
    laws = [name for name, field in claim.fields.items() if isinstance(field, Weights)]
    if not laws or claim.draw is not None or averaged(claim) or not case.explicit:
        return 0.0, False
    best, worst = 0.0, None
    for start in case.failures[:STARTS]:
        values = dict(start)
        reached = first = _score(case, values)
        for together in ORDER if first else ():
            for names in itertools.combinations(laws, together):
                offered = [list(_thinner(values[name], COARSE[together])) for name in names]
                for moved in itertools.product(*offered):
                    changed = {**values, **dict(zip(names, moved, strict=True))}
                    found = _score(case, changed)
                    if found > reached:
                        reached, values = found, changed
        if reached > max(best, GROWN * first):
            best, worst = reached, values
    if worst is None:
        return best, False
    case.killers.append(worst)
    return best, any(best > GROWN * _score(case, {**worst, name: law})
                     for name in laws if (law := _thicker(worst[name])) is not None)  # fmt: skip


def _thicker(law: Any) -> tuple[fmpq, ...] | None:
    """A law whose thinnest atom has the weight 2^-32 for less; None where it has none.

    >>> thin = fmpq(1, 2**99)
    >>> _thicker((fmpq(1, 2), fmpq(1, 2))) is None, _thicker((1 - thin, thin))[1]
    (True, 1/4294967296)
    """
    least = min(law)
    if not 0 < least < THICK:
        return None
    rest = (1 - THICK) / (1 - least)
    return tuple(THICK if weight == least else weight * rest for weight in law)


def fails_alone(case: Case, claim: Claim) -> bool:
    """Whether a changed claim fails where a variable is large on one atom of little weight alone.

    A root or a moment of it is then far from its mean, as no world of a few units tells.
    """
    laws = {name: field for name, field in claim.fields.items() if isinstance(field, Weights)}
    if not laws or claim.draw is not None or averaged(claim) or not case.explicit:
        return False
    starts: list[dict[str, Any]] = case.failures[:ALONE]
    for values, (name, law) in itertools.product(starts, laws.items()):
        vectors = [other for other, field in claim.fields.items()
                   if isinstance(promised := promised_field(field), Vector)
                   and str(promised.size) == str(law.size)]  # fmt: skip
        weights = values[name]
        if not vectors or not isinstance(weights, tuple) or not 1 < len(weights) <= ATOMS:
            continue
        for place, halvings, octaves in itertools.product(range(len(weights)), *FEW):
            share = fmpq(1, 2**halvings)
            moved: dict[str, Any] = {**values, name: tuple(
                share if at == place else (1 - share) / (len(weights) - 1)
                for at in range(len(weights)))}  # fmt: skip
            for other in vectors:
                largest = max((abs(number) for number in values[other]), default=0)
                moved[other] = tuple(largest if at == place else largest / 2**octaves
                                     for at in range(len(weights)))  # fmt: skip
            if fails(case, claim, moved):
                case.killers.append(moved)
                return True
    return False


def _thinner(law: Any, halvings: Sequence[int]) -> Iterator[tuple[fmpq, ...]]:
    """A law with ever less weight on one of its atoms, the others sharing the rest as before.

    >>> next(_thinner((fmpq(1, 4), fmpq(1, 4), fmpq(1, 2)), [1]))
    (1/2, 1/6, 1/3)
    """
    for place in range(min(len(law), ATOMS) if len(law) > 1 else 0):
        rest = 1 - law[place]
        for times in halvings:
            share = fmpq(1, 2**times)
            left = (1 - share) / (rest or len(law) - 1)
            others = [left * (weight if rest else 1) for weight in law]
            yield (*others[:place], share, *others[place + 1 :])


def _score(case: Case, values: Mapping[str, Any]) -> float:
    """Left over right in a world in which the claim fails; 0 elsewhere."""
    found: list[float] = []

    def look() -> bool:
        try:
            setting = Setting(case.claim, values)
            if setting.misfit() or not setting.admissible():
                return False
            seen = assess(setting, outcomes=case.bench.budget.outcomes)
        except Exception:  # a quantity may fail in any way on what it was not made for
            return False
        if seen.violated and math.isfinite(seen.score):
            found.append(seen.score)
        return bool(found)

    at_most(CALLS, look)
    return found[0] if found else 0.0
