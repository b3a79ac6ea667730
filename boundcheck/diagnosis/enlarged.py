"""Worlds of the pool made larger than search makes them, and a changed statement put to them.

A number that mends a bound at small sizes need not mend it at larger ones. The worlds in which the
print fails and those in which a change is tightest are repeated, summed and padded up to sizes that
exact arithmetic can look at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck.claim import Claim
from boundcheck.diagnosis.beyond import CALLS, MOST, at_most
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.trial import fails_at
from boundcheck.search.ends import dimensions
from boundcheck.search.growth import MOVES, Immovable, cut, grown, product, sizes
from boundcheck.search.screening import averaged
from boundcheck.setting import Setting
from boundcheck.worlds.composed import promised_field
from boundcheck.worlds.fields import Field, Integer, Matrix, Real, Weights

LARGEST, LARGEST_MATRIX = 128, 16  # sizes, of worlds without and with matrices
STARTS = 2  # worlds in which the print fails, and as many in which the change is tightest
FAR_OUT = 10**18  # integers up to it are tried where search looks at small ones
MANY, MOST_LAWS = (8, 64), 2  # atoms of uneven laws, and laws of one world
SHARE = 0.12  # of a trial's evaluations
DEAR = 6  # looks that cost too much, after which no more are made


def fails_enlarged(case: Case, claim: Claim) -> bool:
    """Whether a known world, several times as large, refutes a changed claim.

    Outcomes of draws multiply with each size, so where means over them are taken only products are
    looked at. What was too dear for one change is not looked at for another.
    """
    if claim.worlds is None or claim.draw is not None or not case.explicit:
        return False
    dear, larger = 0, () if averaged(claim) else _enlarged(case, claim)
    for values in itertools.chain(_products(case, claim), larger, _uneven(case, claim)):
        failed = None
        if (text := str(values)) not in case.too_dear:
            failed = at_most(CALLS, lambda values=values: _fails(claim, values))  # type: ignore[misc]
        if failed:
            case.killers.append(values)
            return True
        if failed is None:
            case.too_dear.add(text)
            dear += 1
        if dear > DEAR:
            break
    return False


def _enlarged(case: Case, claim: Claim) -> Iterator[dict[str, Any]]:
    """Worlds twice as large, then worlds as large as they may be; none of nothing."""
    endless, starts = _endless(claim), _starts(case, claim)
    for twice, values, size in itertools.product((True, False), starts, endless):
        if not values[size]:
            continue
        table = any(isinstance(value, fmpq_mat) for value in values.values())
        times = 2 if twice else (LARGEST_MATRIX if table else LARGEST) // values[size]
        for move in MOVES if times > 1 + (not twice) else ():
            try:
                yield grown(claim.fields, values, size, move, times)
            except Immovable:
                continue
    for values, size in itertools.product(starts[:STARTS], endless):
        yield from _again(claim, values, size)


def _endless(claim: Claim) -> list[str]:
    return [name for name in sizes(claim.fields) if _is_endless(claim, name)]


def _starts(case: Case, claim: Claim) -> list[dict[str, Any]]:
    """Worlds in which the print fails, then those in which a change is tightest."""
    tight = case.table.tightest(claim.statement, STARTS)
    return [*case.failures[:STARTS], *(dict(found.values) for found in tight)]


def _products(case: Case, claim: Claim) -> Iterator[dict[str, Any]]:
    """Worlds whose things of a kind are all sequences of two to four of those of a known one."""
    tables = [(field.rows, field.cols) for field in map(promised_field, claim.fields.values())
              if isinstance(field, Matrix) and field.rows != field.cols]  # fmt: skip
    pairs = [pair for pair in dict.fromkeys(tables) if {*pair} <= {*_endless(claim)}]
    for (rows, cols), values in itertools.product(pairs, _starts(case, claim) if pairs else ()):
        for times in (2, 3, 4):
            if 1 < values[str(rows)] ** times <= LARGEST and values[str(cols)]:
                try:
                    yield product(claim.fields, values, str(rows), str(cols), times)
                except Immovable:
                    break


def _uneven(case: Case, claim: Claim) -> Iterator[dict[str, Any]]:
    """Worlds of laws alone with many atoms: each law is uniform, or half of its mass lies on the
    first or the last atom. No law of a few atoms, repeated, is like them."""
    for size in _endless(claim):
        laws = [name for name, field in claim.fields.items() if _law_on(field) == size]
        rest = {name for name in claim.fields if name not in (size, *laws)}
        numbers = all(isinstance(promised_field(claim.fields[name]), (Integer, Real))
                      for name in rest)  # fmt: skip
        if not laws or len(laws) > MOST_LAWS or not numbers:
            continue
        for values, many in itertools.product(_starts(case, claim)[:STARTS], MANY):
            light = [fmpq(1, 2 * (many - 1))] * (many - 1)
            shapes = ((fmpq(1, many),) * many, (fmpq(1, 2), *light), (*light, fmpq(1, 2)))
            for taken in itertools.product(shapes, repeat=len(laws)):
                yield {**values, size: many, **dict(zip(laws, taken, strict=True))}


def _law_on(field: Field) -> str:
    """The name of the number of atoms of a law, of any that is one; empty for no law."""
    promised = promised_field(field)
    promised = getattr(promised, "like", promised)
    return str(promised.size) if isinstance(promised, Weights) else ""


def _again(claim: Claim, values: Mapping[str, Any], size: str) -> Iterator[dict[str, Any]]:
    """All but the last thing of a kind, over and over: a sequence that ended where it began."""
    if not 2 < values[size] <= LARGEST_MATRIX // 2:
        return
    try:
        shorter = cut(claim.fields, dict(values), size, values[size] - 1)
        yield grown(claim.fields, shorter, size, "direct sum", LARGEST_MATRIX // shorter[size])
    except Immovable:
        return


def _is_endless(claim: Claim, name: str) -> bool:
    field = promised_field(claim.fields[name])
    return isinstance(field, Integer) and field.high is None


def _fails(claim: Claim, values: Mapping[str, Any]) -> bool:
    try:
        setting = Setting(claim, values)
        return not setting.misfit() and fails_at(setting)
    except Exception:  # a quantity may fail in any way at sizes it was not made for
        return False


def fails_far_out(case: Case, claim: Claim, words: str) -> bool:
    """Whether numbers beyond the range of search refute a changed claim about numbers alone.

    Args: words: what was changed, which names the search.
    """
    wide = far_out(claim)
    if wide is None:
        return False
    found = case.search(wide, f"far out {words}", SHARE).violation
    if found is not None:
        case.killers.append(dict(found.setting.values))
    return found is not None


def far_out(claim: Claim) -> Claim | None:
    """A claim about numbers alone with integers far beyond the range of search, and real numbers
    in all of their domain; None for none."""
    if claim.worlds is not None or claim.draw is not None:
        return None
    long = dimensions(claim)
    fields = {symbol: _whole_domain(field, MOST if symbol.name in long else FAR_OUT)
              for symbol, field in claim.parameters.items()}  # fmt: skip
    return None if fields == dict(claim.parameters) else replace(claim, parameters=fields)


def _whole_domain(field: Field, far: int) -> Field:
    """A field of numbers in which search looks far."""
    if isinstance(field, Integer) and field.high is None and not field.wide:
        return replace(field, wide=True, searched=far)
    if isinstance(field, Real) and field.searched is not None:
        return replace(field, searched=None)
    return field
