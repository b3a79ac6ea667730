"""Resolution: by how much a bound could shrink before the same search would refute it.

The statement with its larger sides multiplied by a factor is put to the test that would have
refuted the statement itself: certificates for exact searches, the sequential test on fresh draws
for sampled ones. Bisection finds the largest factor at which that test still refutes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy
from flint import fmpq

from boundcheck.claim import Claim, UpToConstant
from boundcheck.setting import INEQUALITIES, Setting, parts
from boundcheck.worlds.fields import Real

FACTOR = sympy.Symbol("_shrink", real=True)
FINE = 2.0**-30  # relative width at which an exact bisection stops
COARSE = 0.02  # the same for sampled ones, where randomness is larger than that
LEAST = 1e-30  # factors below it are not tried
GROWTH = 16  # of the bracket while it is widened


def shrinkable(claim: Claim) -> bool:
    """Whether the statement has a bound that can shrink: an inequality, constants and all."""
    return not isinstance(claim.statement, UpToConstant) and any(
        not isinstance(part, (sympy.Eq, sympy.Ne)) for part in parts(claim.statement.relation)
    )


def shrunk(relation: sympy.Basic, factor: sympy.Expr = FACTOR) -> sympy.Basic:
    """The relation with every bound multiplied by a factor in (0, 1].

    For a negative larger side the smaller side is multiplied: what is harder to satisfy, in
    either case, is both.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> sorted(map(str, shrunk(y < x).args))
    ['_shrink*y < x', 'y < _shrink*x']
    """
    if isinstance(relation, sympy.And):
        return sympy.And(*(shrunk(arg, factor) for arg in relation.args), evaluate=False)
    if isinstance(relation, sympy.Implies):
        premise, conclusion = relation.args
        return sympy.Implies(premise, shrunk(conclusion, factor), evaluate=False)
    if not isinstance(relation, INEQUALITIES):
        return relation
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    compare = sympy.Lt if strict else sympy.Le
    low, high = relation.lts, relation.gts
    return sympy.And(
        compare(low, factor * high, evaluate=False), compare(factor * low, high, evaluate=False),
        evaluate=False,
    )  # fmt: skip


def shrunk_claim(claim: Claim) -> Claim:
    """The claim with its bounds multiplied by a new parameter, FACTOR."""
    return replace(
        claim,
        statement=claim.statement.with_relation(shrunk(claim.statement.relation)),
        parameters={**claim.parameters, FACTOR: Real(0, 1, open_low=True)},
    )


def at(claim: Claim, setting: Setting, factor: float) -> Setting:
    """The setting for a claim made by `shrunk_claim`, at a factor in (0, 1]."""
    values = {**setting.values, FACTOR.name: fmpq(*factor.as_integer_ratio())}
    return Setting(claim, values)


def largest_refuted(
    refutes: Callable[[float], bool], guess: float, *, fine: float
) -> float | None:
    """The largest factor in (0, 1) that is refuted, up to a relative width; None if there is none.

    Args: refutes: decreasing in the factor, and false at 1. guess: where to begin, in (0, 1].
    fine: relative width to reach; the factors tried are a few dozen at most.
    """
    low, high, width = guess / (1 + fine / 2), 1.0, fine
    if refutes(low):
        while low * (1 + width) < 1:
            if not refutes(low * (1 + width)):
                high = low * (1 + width)
                break
            low, width = low * (1 + width), width * GROWTH
    else:
        while True:
            low, high, width = low / (1 + width), low, width * GROWTH
            if low < LEAST:
                return None
            if refutes(low):
                break
    while high > low * (1 + 1.01 * fine):
        middle = (low * high) ** 0.5
        if refutes(middle):
            low = middle
        else:
            high = middle
    return low


def slack_of(factor: float | None) -> float | None:
    """Right over left that a refuted factor stands for, to nine digits; None without one."""
    return None if factor is None else float(f"{1 / factor:.9g}")


def exact_slack(
    claim: Claim, setting: Setting, score: float, violated: Callable[[Setting], bool]
) -> float | None:
    """Slack at the tightest world of an exact search: certified at its factor.

    Args: score: left over right there, the first guess. violated: certified violation of the
    claim of a setting.
    """
    if not 0 < score < float("inf"):
        return None
    changed = shrunk_claim(claim)
    factor = largest_refuted(
        lambda value: violated(at(changed, setting, value)), min(score, 1.0),
        fine=FINE,
    )  # fmt: skip
    return slack_of(factor)


def sampled_slack(
    claim: Claim, settings: list[tuple[float, Setting]],
    refutes: Callable[[Setting, int], bool],
) -> float | None:  # fmt: skip
    """Least slack over the suspects of a sampled search, each by tests on fresh draws.

    Args: settings: (estimated score, setting). refutes: whether the sequential test refutes the
    claim of a setting, on the draws of the suspect with the number given.
    """
    changed = shrunk_claim(claim)
    best: float | None = None
    for place, (score, setting) in enumerate(settings):
        if not 0 < score < float("inf"):
            continue

        def refuted(factor: float, setting: Any = setting, place: int = place) -> bool:
            return refutes(at(changed, setting, factor), place)

        if best is not None and not refuted(min(best * (1 + COARSE), 1.0)):
            continue  # no better than the suspect before it
        found = largest_refuted(refuted, min(score, 1.0), fine=COARSE)
        if found is not None and (best is None or found > best):
            best = found
    return slack_of(best)
