"""Whether a hypothesis leaves out what fails, and whether it leaves out that alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.pointless import DRAWN, FEWEST
from boundcheck.diagnosis.turned import told_everywhere
from boundcheck.search.admissible import Candidates
from boundcheck.search.objective import assess
from boundcheck.setting import INEQUALITIES, parts, sides
from boundcheck.worlds.fields import Integer, Real

POWERS = (1, 2, 0.5)  # of a statement, which say what it says
EACH_SIDE, NEARLY_ALL = 8, 0.93  # worlds in which it does not hold, and share that clearly fail
OF_NUMBER = 0.04  # what a part up to a number costs more than one up to another symbol
OF_SIDE = 0.15  # the same of one about a whole side of the print


def divides_failures(case: Case, claim: Claim) -> bool:
    """Whether the print fails wherever a hypothesis does not hold, and nowhere else."""
    if not case.explicit:
        return False
    truth = case.table.evaluate(claim.given[-1])
    failing = case.failing
    if truth is None or failing is None:
        return False
    inside = case.table.everywhere(truth.astype(bool))
    if min(inside.sum(), (~inside).sum()) < EACH_SIDE or failing[inside].any():
        return False
    outside = ~inside & (failing | told_everywhere(case))
    return bool(outside.any() and failing[outside].mean() > NEARLY_ALL)


def asks_for_nothing(case: Case, claim: Claim) -> bool:
    """Whether the last hypothesis asks that a number which is nowhere negative be zero, as a
    divergence of two laws: it leaves the degenerate worlds alone."""
    asked = claim.given[-1] if claim.given else sympy.true
    if not isinstance(asked, sympy.Eq) or asked.rhs != 0:
        return False
    values = case.table.evaluate(asked.lhs)
    return values is not None and bool(len(values) and (values >= 0).all())


def leaves_ties(case: Case, claim: Claim) -> bool:
    """Whether both sides are equal in all known worlds that meet the last hypothesis."""
    import numpy

    truth = case.table.evaluate(claim.given[-1])
    if truth is None or not truth.astype(bool).any():
        return False
    for low, high in map(sides, parts(claim.statement.relation)):
        one, other = case.table.evaluate(low), case.table.evaluate(high)
        if one is None or other is None:
            return False
        met = truth.astype(bool)
        if not numpy.allclose(one[met], other[met], equal_nan=True):
            return False
    return True


def trivialises(case: Case, claim: Claim) -> bool:
    """Whether under the last hypothesis what is bounded is nowhere positive and its bound nowhere
    negative, and elsewhere it is not so: that a b <= a^2/4 + b^2/4 for b <= 0."""
    truth = case.table.evaluate(claim.given[-1]) if claim.given else None
    relation = claim.statement.relation
    if truth is None or not isinstance(relation, INEQUALITIES) or claim.draw is not None:
        return False
    low, high = (case.table.evaluate(side) for side in sides(relation))
    if low is None or high is None:
        return False
    met, nothing = truth.astype(bool), (low <= 0) & (high >= 0)
    return bool(met.any() and nothing[met].all() and not nothing[~met].all())


def makes_idle(case: Case, claim: Claim) -> bool:
    """Whether what some things are made of under a changed claim leaves printed hypotheses on them
    nothing to do: that <x, z> >= 0 for nonnegative vectors, whatever <x, y> and <y, z> are."""
    if not case.claim.given or claim.given != case.claim.given or claim.draw is not None:
        return False
    changed = {name for name, field in claim.fields.items() if field != case.claim.fields[name]}
    read = claim.reached([symbol.name for asked in claim.given for symbol in asked.free_symbols])
    arrays = {name for name in read & {*claim.fields}
              if not isinstance(claim.fields[name], (Integer, Real))}  # fmt: skip
    if not arrays <= changed or not arrays:
        return False
    free = replace(claim, given=())
    candidates, rng = Candidates(free), case.bench.task(free, "idle").rng("random worlds")
    found = [candidates.random(rng) for _ in range(DRAWN)]
    told = [assess(each.setting, outcomes=case.bench.budget.outcomes) for each in found if each]
    return len(told) >= FEWEST and not any(each.violated or each.undefined for each in told)


def says_it(case: Case, claim: Claim) -> bool:
    """Whether the last hypothesis bounds what the statement bounds, and nowhere by more."""
    asked = claim.given[-1] if claim.given else sympy.true
    if not isinstance(asked, INEQUALITIES):
        return False
    number, own = asked.lts.as_coeff_Mul()
    for small, large in map(sides, parts(claim.statement.relation)):
        bound, least = (case.table.evaluate(side) for side in (large, asked.gts))
        times, other = small.as_coeff_Mul()
        if other == own and times * number > 0 and bound is not None and least is not None:
            return bool((least * float(times / number) <= bound).all())
    return False


def restates(case: Case, claim: Claim) -> bool:
    """Whether a changed hypothesis is the statement or a power of it: N^2 x^2 <= b for
    N x <= sqrt(b)."""
    for asked in claim.given:
        if asked in case.claim.given or not isinstance(asked, INEQUALITIES):
            continue
        for stated in map(sides, parts(claim.statement.relation)):
            values = [case.table.evaluate(side) for side in (asked.lts, asked.gts, *stated)]
            if all(value is not None for value in values) and _is_power(*values):
                return True
    return False


def _is_power(own: Any, least: Any, low: Any, bound: Any) -> bool:
    """Whether the sides of a hypothesis have the ratio of others, or a power of it, everywhere."""
    import numpy

    with numpy.errstate(all="ignore"):
        asked, stated = numpy.log(own / least), numpy.log(low / bound)
    told = numpy.isfinite(asked) & numpy.isfinite(stated)
    asked, stated = asked[told], stated[told]
    varies = len(asked) >= EACH_SIDE and stated.std() > 0
    return bool(varies and any(numpy.allclose(asked, power * stated) for power in POWERS))


def excludes_failures(case: Case, claim: Claim) -> bool:
    """Whether a hypothesis excludes every failing world of the pool and not most others."""
    if not case.explicit:  # floats tell of one constant only; the witness excludes them all
        return case.witness is not None and not case.witness.under(claim).admissible()
    failing = case.table.violated(claim.statement, claim.given)
    if failing is None:
        return True
    condition = claim.given[-1]
    if isinstance(condition, (sympy.Le, sympy.Ge)):  # met at its end alone, it says next to nothing
        condition = sympy.Lt(condition.lts, condition.gts, evaluate=False)
    truth = case.table.evaluate(condition)
    if truth is None or failing.any():
        return False
    kept = case.table.everywhere(truth.astype(bool))
    return int(kept.sum()) >= max(8, len(kept) // 20)


def for_its_ends(printed: Claim, claim: Claim) -> float:
    """What the last hypothesis costs more where it keeps a symbol on one side of a number that is
    neither 0 nor 1, or is about all that the print measures on one of its sides."""
    condition = claim.given[-1] if claim.given else sympy.true
    if not isinstance(condition, INEQUALITIES):
        return 0.0
    number, measured = condition.rhs, printed.statement.relation.args
    beside = number.is_Rational and number not in (0, 1, -1)
    of_side = condition.lhs in measured and condition.lhs not in printed.parameters
    return OF_NUMBER * bool(beside) + OF_SIDE * of_side
