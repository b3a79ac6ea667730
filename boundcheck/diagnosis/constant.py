"""The least factor on the larger sides under which a statement stands, bracketed."""

from __future__ import annotations

from dataclasses import replace

import sympy

from boundcheck.claim import Claim, Form
from boundcheck.diagnosis.alike import is_unlike
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.enlarged import fails_enlarged, fails_far_out
from boundcheck.diagnosis.growing import grows
from boundcheck.diagnosis.pointless import bounds_no_chance
from boundcheck.diagnosis.record import Constant
from boundcheck.diagnosis.scales import fails_scaled
from boundcheck.diagnosis.thin import thinned
from boundcheck.search.objective import assess
from boundcheck.setting import INEQUALITIES

LARGEST = 10**6  # factors beyond it are no repair
NATURAL = tuple(
    map(sympy.Rational, ("5/4", "4/3", "3/2", "2", "3", "4", "5", "6", "8", "10", "12", "16", "20",
                         "32", "50", "64", "100", "128", "256", "500", "1000", "10000", "100000",
                         "1000000"))
)  # fmt: skip
PLAUSIBLE = 100.0  # a least factor beyond it is that of the largest worlds which search met
ROUNDS = 4
SHARE = 0.25


def constant(case: Case) -> Constant | None:
    """Bracket of the least factor; None for equations, statements without a value, and where such
    a factor would bound a probability by one."""
    if case.claim.undefined or not case.explicit or not case.has_inequality:
        return None
    thin, endless = thinned(case)
    low, tried = max(_seen(case), thin), sympy.S.Zero
    for _ in range(ROUNDS):
        further = (number for number in NATURAL if number >= low * (1 - 1e-9) and number > tried)
        factor = next(further, None)
        if factor is None:
            return Constant(min(low, float(LARGEST)), None)
        claim = replace(case.claim, statement=scaled(case.claim.statement, factor))
        if bounds_no_chance(case, claim):
            return None
        worse = _refuted_at(case, claim, factor)
        if worse is None:
            more = endless or low > PLAUSIBLE or grows(case) or (
                is_unlike(case) and fails_scaled(case, claim))
            return Constant(low or None, None if more else float(factor))
        low, tried = max(worse, low), factor
    return Constant(min(low, float(LARGEST)), None)


def scaled(form: Form, factor: sympy.Rational) -> Form:
    """The form with every larger side multiplied by a factor, which makes it weaker, or the smaller
    side where that is a negative number.

    >>> from boundcheck.claim import Holds
    >>> x, y = sympy.symbols("x y", real=True)
    >>> scaled(Holds(x <= y), sympy.Integer(2)).relation
    x <= 2*y
    >>> scaled(Holds(x >= -1), sympy.Integer(2)).relation
    -2 <= x
    """

    def larger(relation: sympy.Basic) -> sympy.Basic:
        if isinstance(relation, sympy.And):
            return sympy.And(*map(larger, relation.args), evaluate=False)
        if isinstance(relation, sympy.Implies):
            return sympy.Implies(relation.args[0], larger(relation.args[1]), evaluate=False)
        if not isinstance(relation, INEQUALITIES):
            return relation
        compare = sympy.Lt if isinstance(relation, (sympy.Lt, sympy.Gt)) else sympy.Le
        if relation.lts.is_number and relation.lts.is_negative:
            return compare(factor * relation.lts, relation.gts, evaluate=False)
        return compare(relation.lts, factor * relation.gts, evaluate=False)

    return form.with_relation(larger(form.relation))


def _seen(case: Case) -> float:
    """The largest finite score among the violations met, and of the world that is told."""
    scores = [seen.score for seen in case.worlds if seen.violated]
    if case.told is not None:
        told = assess(case.told, outcomes=case.bench.budget.outcomes)
        scores += [told.score] if told.violated else []
    return max((score for score in scores if score < float("inf")), default=1.0)


def _refuted_at(case: Case, claim: Claim, factor: sympy.Rational) -> float | None:
    """A factor that is refuted too, at least the one tried; None if nothing refutes it."""
    if case.killed(claim):
        return float(factor)
    if fails_enlarged(case, claim) or fails_far_out(case, claim, f"factor {factor}"):
        return float(factor)
    found, _ = case.bench.searched(claim, f"factor {factor}", SHARE)
    if found is None:
        return None
    case.remember(found)
    slack = found.slack or 1.0
    return float(factor) / min(max(slack, 1e-9), 1.0)

