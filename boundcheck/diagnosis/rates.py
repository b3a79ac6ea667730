"""Lost rates: factors of a bound up to a constant, from the slowest on."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import sympy

from boundcheck.arithmetic import midpoint, to_ball
from boundcheck.checker.growing import law
from boundcheck.checker.ray import Ray
from boundcheck.checker.rays import from_extra
from boundcheck.claim import Claim, UpToConstant
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.domain import sizes
from boundcheck.diagnosis.edits import with_relation
from boundcheck.diagnosis.screen import Candidate
from boundcheck.setting import INEQUALITIES, Setting, sides

OCTAVES = (2, 4, 6)  # of a ray, at which values are looked at
RISES = 1.05  # from one of them to the next, from which on they grow
SIZES = 1  # of a claim, whose powers are tried
COST = 3.3  # more than that of a hypothesis, which keeps the printed rate


def lost_rates(case: Case) -> Iterator[Candidate]:
    """The claim with a logarithm, root or power of a size at its bound, the slowest first."""
    claim, form = case.claim, case.claim.statement
    if not isinstance(form, UpToConstant) or not isinstance(form.relation, INEQUALITIES):
        return
    relation = form.relation
    _, bound = sides(relation)
    place = relation.args.index(bound)
    of_bound = [size for size in sizes(claim) if size.name in case.sizes][:SIZES]
    ray = _ray(case)
    first = 1 if ray is None else 2  # along a ray a law refutes the printed rate
    case.refuted_rates = max(case.refuted_rates, first - 1)
    for size in of_bound:
        for step, rate in enumerate((1 + sympy.log(size), sympy.sqrt(size), size), start=first):
            args = [*relation.args]
            args[place] = bound * rate
            changed = relation.func(*args, evaluate=False)
            statement = with_relation(form, changed)
            if statement is None:
                continue
            faster = replace(claim, statement=statement)
            if ray is not None and _grows(faster, ray):
                case.refuted_rates = max(case.refuted_rates, step)
                continue
            yield Candidate(f"a factor {rate} at {bound}", "factor", COST + 0.1 * (step - first),
                            faster, elsewhere=True, rate=step)  # fmt: skip


def _grows(claim: Claim, ray: Ray) -> bool:
    """Whether left over right grows along a ray, by a law or as far as its values tell."""
    if law(claim, ray):
        return True
    places = (ray.at(octaves) for octaves in OCTAVES)
    settings = [Setting(claim, values) for values in places if values is not None]
    ratios = [_ratio(setting) for setting in settings]
    return len(ratios) == len(OCTAVES) and all(
        later > RISES * before for before, later in itertools.pairwise(ratios))


def _ratio(setting: Setting) -> float:
    """Left over right in a world; not a number where it has none."""
    try:
        low, high = (to_ball(setting.evaluate(side))
                     for side in sides(setting.claim.statement.relation))  # fmt: skip
        return float(midpoint(low / high))
    except Exception:  # a quantity may fail in any way far out
        return math.nan


def _ray(case: Case) -> Ray | None:
    """The motion along which a law refutes the print, None where something else does."""
    witness, start = case.verdict.witness, case.witness
    if witness is None or start is None or not {"law", "scale"} <= {*witness.extra}:
        return None
    return from_extra(witness.extra, start.values)[0]
