"""The nearest statements that stand: edits and hypotheses screened by the thousand, few confirmed.

A candidate dies by the world of the verdict, by a world that refuted an earlier candidate, by a
look in floats at the pool, by a short search, by a longer one; what is left goes to the engine
with its controls. Among equally cheap ones the closest to the print in value comes first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import sympy
from sympy.logic.boolalg import BooleanAtom

from boundcheck.claim import Claim, Form
from boundcheck.diagnosis.case import KNOWN, Case, statement_text
from boundcheck.diagnosis.edits import COSTS, Edit, edits, level_of
from boundcheck.diagnosis.factors import missing_factors, missing_terms
from boundcheck.diagnosis.hypotheses import hypotheses, stated_domains, tightened
from boundcheck.diagnosis.record import Kind, Repair
from boundcheck.diagnosis.trial import STANDING, stands
from boundcheck.diagnosis.written import Written, neighbours
from boundcheck.library import Library
from boundcheck.setting import guarded, sides
from boundcheck.verdict import Verdict
from boundcheck.worlds.fields import Field, Integer

SHORT = 0.12  # share of a trial's evaluations before the whole
LEAST_SIZES = 6  # of a family, below which growth is not judged
SEARCHED, CONFIRMED = 20, 3  # candidates searched, and put to the engine, at most
KEPT = 3
LOOSE = 30.0  # right over left beyond which a repaired bound says little
TOLERANCE = 1e-9
FAR_OUT = 10**18  # integers up to it are tried where search looks at small ones


@dataclass(frozen=True)
class Candidate:
    """A changed claim that has not failed yet, with how far it is from the print."""

    words: str
    kind: Kind
    cost: float
    claim: Claim
    written: str = ""
    narrowed: bool = False  # a printed hypothesis, tightened: families may leave its domain


def repairs(
    case: Case, library: Library, known: Mapping[str, str], ties: bool
) -> tuple[Repair, ...]:
    """The cheapest changed statements that stand, at most `KEPT`, one for each kind of change.

    Args: known: verdicts of claims of the library by key. ties: whether only equal sides fail.
    """
    found: list[Repair] = []
    searched = confirmed = 0
    for candidate in sorted(_candidates(case, library), key=lambda item: item.cost):
        mends = [repair for repair in found if repair.kind != "restatement"]
        enough = KEPT if any(repair.written for repair in mends) else KEPT - 1
        if len(mends) >= enough or searched >= SEARCHED or confirmed >= CONFIRMED:
            break
        if any(repair.kind == candidate.kind and not repair.written for repair in found):
            continue
        if candidate.kind == "restatement" and len(mends) < len(found):
            continue
        if _outdone(candidate, found):
            continue
        if candidate.written:
            repair = _of_library(case, candidate, known.get(candidate.written))
        elif case.killed(candidate.claim):
            continue
        else:
            searched += 1
            if not _outlasts(case, candidate):
                continue
            confirmed += 1
            repair = _confirmed(case, candidate)
        if repair is not None:
            found.append(repair)
            if ties and repair.kind == "tie":
                break
    return tuple(found)


def _outdone(candidate: Candidate, found: list[Repair]) -> bool:
    """Whether what was found says more than a candidate of the machine could.

    A changed formula that search alone supports does not stand beside one that the library states,
    and a reversed inequality beside nothing.
    """
    if candidate.written or candidate.kind == "tie":
        return False
    if candidate.kind == "hypothesis":
        return any(repair.written and repair.kind == "hypothesis" for repair in found)
    stated = any(repair.written and repair.kind != "restatement" for repair in found)
    return stated or (bool(found) and candidate.cost >= COSTS["direction"])


def _of_library(case: Case, candidate: Candidate, verdict: str | None) -> Repair | None:
    if verdict is None:
        return _confirmed(case, candidate)
    if verdict not in STANDING:
        return None
    return _said(candidate, verdict)


def _outlasts(case: Case, candidate: Candidate) -> bool:
    """Whether a short search does not refute a candidate."""
    refuted, tested = case.bench.searched(candidate.claim, candidate.words, SHORT)
    if refuted is not None:
        case.remember(refuted)
        return False
    if not case.explicit:
        return True
    return tested > 0 and not _fails_nearby(case, candidate) and not _fails_far_out(case, candidate)


def _fails_nearby(case: Case, candidate: Candidate) -> bool:
    """Whether a search from the worlds in which the print fails refutes a candidate."""
    failing = [seen.candidate.vector for seen in case.worlds[:KNOWN] if seen.violated]
    found = case.search(candidate.claim, f"near failures {candidate.words}", SHORT, warm=failing)
    if found.violation is not None:
        case.killers.append(dict(found.violation.setting.values))
    return found.violation is not None


def _fails_far_out(case: Case, candidate: Candidate) -> bool:
    """Whether numbers beyond the range of search refute a candidate about numbers alone."""
    claim = candidate.claim
    if claim.worlds is not None or claim.draw is not None:
        return False
    fields = {symbol: _whole_domain(field) for symbol, field in claim.parameters.items()}
    if fields == dict(claim.parameters):
        return False
    wide = replace(claim, parameters=fields)
    return case.search(wide, f"far out {candidate.words}", SHORT).violation is not None


def _whole_domain(field: Field) -> Field:
    """A field of numbers in which search looks far."""
    if isinstance(field, Integer) and field.high is None and not field.wide:
        return replace(field, wide=True, searched=FAR_OUT)
    return field


def _confirmed(case: Case, candidate: Candidate) -> Repair | None:
    key = candidate.written or case.key
    verdict = case.bench.verdict(candidate.claim, f"repair {key} {candidate.words}")
    if not stands(verdict) or not _same_growth(case, candidate, verdict):
        if verdict.witness is not None and not candidate.written:
            case.remember(next(e for e in verdict.evidence if e.witness is verdict.witness))
        return None
    tested = max((int(item.numbers.get("tested", 0)) for item in verdict.evidence), default=0)
    return _said(candidate, verdict.outcome, verdict.slack, tested)


def _said(
    candidate: Candidate, verdict: str, slack: float | None = None, tested: int = 0
) -> Repair:
    from boundcheck.report.formula import statement_latex

    form = candidate.claim.statement
    return Repair(
        candidate.words, statement_text(form), candidate.kind, candidate.cost, verdict, slack,
        candidate.written, tested, statement_latex(candidate.claim),
    )  # fmt: skip


def _same_growth(case: Case, candidate: Candidate, verdict: Verdict) -> bool:
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


def _candidates(case: Case, library: Library) -> Iterator[Candidate]:
    yield from (_of_written(item) for item in neighbours(case.key, library))
    if case.claim.undefined:
        yield from _named(case)
        return
    if case.concrete:
        return
    if case.explicit:
        offered = [*missing_factors(case), *missing_terms(case), *edits(case.claim)]
        yield from screened(case, offered)
    yield from (Candidate(item.words, "hypothesis", 3.05, item.claim)
                for item in stated_domains(case.key, library))
    yield from (Candidate(item.words, "hypothesis", 3.0, item.claim, narrowed=True)
                for item in tightened(case.claim))
    for item in hypotheses(case.claim):
        if item.structural or _bites(case, item.claim):
            yield Candidate(item.words, "hypothesis", 3.1 if item.structural else 3.0, item.claim)


def _of_written(item: Written) -> Candidate:
    return Candidate(item.words, item.kind, 1.5 + 0.05 * item.distance, item.claim, item.key)


def _named(case: Case) -> Iterator[Candidate]:
    """Known symbols of the claim in the place of an undefined one."""
    claim = case.claim
    for unknown in sorted(claim.undefined, key=str):
        for symbol in _known_symbols(claim):
            if symbol.is_commutative != unknown.is_commutative:
                continue
            given = [condition.xreplace({unknown: symbol}) for condition in claim.given]
            if any(isinstance(condition, BooleanAtom) for condition in given):
                continue  # x >= x asks nothing
            statement = claim.statement.with_relation(
                claim.statement.relation.xreplace({unknown: symbol})
            )
            left = frozenset(claim.undefined) - {unknown}
            changed = replace(claim, given=given, statement=statement, undefined=left)
            yield Candidate(f"{symbol} for the undefined {unknown}", "symbol", 2.0, changed)


def _known_symbols(claim: Claim) -> list[sympy.Symbol]:
    """Parameters and quantities of a claim, then what else its statement is about."""
    rest = claim.statement.free_symbols() - set(claim.undefined)
    known = [*claim.parameters, *claim.measure, *sorted(rest, key=str)]
    return list(dict.fromkeys(known))


def _bites(case: Case, claim: Claim) -> bool:
    """Whether a hypothesis excludes every failing world of the pool and not most others."""
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


def screened(case: Case, offered: list[Edit]) -> Iterator[Candidate]:
    """Edits that no world of the table refutes, with their cost and how far they move the bound."""
    table = case.table
    if not table.kept:
        return
    for edit in offered:
        if _trivial(case.claim, edit):
            continue
        failing = table.violated(edit.statement, edit.given)
        if failing is not None and failing.any():
            continue
        try:
            changed = replace(case.claim, statement=edit.statement, given=edit.given)
        except Exception:  # SymPy settled the changed statement
            continue
        if not stays_positive(case, edit):
            continue
        loose = looseness(case, edit.statement)
        if loose < math.inf:
            # A wrong symbol moves a bound by any amount, but the closest one is the likeliest.
            share = 0.1 if edit.kind == "constant" or not case.has_inequality else 0.3
            yield Candidate(edit.words, edit.kind, float(edit.cost) + share * loose, changed)


def _trivial(claim: Claim, edit: Edit) -> bool:
    """Whether an edit takes away what is bounded instead of changing the bound."""
    before, after = guarded(claim.statement.relation), guarded(edit.statement.relation)
    if len(before) != len(after):
        return True
    for (_, old), (_, new) in zip(before, after, strict=True):
        if new.lhs == new.rhs and not _mended_inside(old, new):
            return True
        if new != old and new in claim.given:
            return True
        if isinstance(old, (sympy.Eq, sympy.Ne)) or type(old) is not type(new):
            continue
        if sides(old)[0] != sides(new)[0]:
            return True  # a bound is mended on the side that bounds
    return False


def _mended_inside(old: sympy.Rel, new: sympy.Rel) -> bool:
    """Whether sides that an edit makes the same text were long texts a symbol apart."""
    before = next((a for a, b in zip(old.args, new.args, strict=True) if a != b), None)
    return (
        isinstance(before, (sympy.Add, sympy.Mul))
        and before.func is new.lhs.func
        and len(before.args) == len(new.lhs.args) > len(set(before.args) - set(new.lhs.args))
    )


def stays_positive(case: Case, edit: Edit) -> bool:
    """Whether a changed bound is positive wherever the printed one is, on the whole domain."""
    import numpy

    pairs = zip(
        guarded(case.claim.statement.relation), guarded(edit.statement.relation), strict=True
    )
    for (_, old), (_, new) in pairs:
        if isinstance(old, (sympy.Eq, sympy.Ne)) or type(old) is not type(new) or old == new:
            continue
        before, after = case.free.evaluate(sides(old)[1]), case.free.evaluate(sides(new)[1])
        if before is None or after is None:
            continue
        with numpy.errstate(invalid="ignore"):
            if ((before > 0) & ~(after > 0)).any():
                return False
    return True


def looseness(case: Case, form: Form) -> float:
    """Doublings by which a changed statement is away from the print, or infinity if it says little.

    One for a change that floats cannot follow.
    """
    import numpy

    table, total = case.table, 0.0
    slack = table.slack(form)
    if case.has_inequality and level_of(form) is None and slack > LOOSE:
        return math.inf
    pairs = zip(guarded(case.claim.statement.relation), guarded(form.relation), strict=False)
    changed = [(sides(old)[1], sides(new)[1]) for (_, old), (_, new) in pairs]
    one, two = level_of(case.claim.statement), level_of(form)
    if one is not None and two is not None:
        changed.append((1 - one, 1 - two))
        promises = table.evaluate(two)
        if promises is not None and not (promises > TOLERANCE).any():
            return math.inf
    for old, new in changed:
        if old == new:
            continue
        before, after = table.evaluate(old), table.evaluate(new)
        if before is None or after is None:
            total += 1.0
            continue
        with numpy.errstate(all="ignore"):
            moved = abs(numpy.log2(abs(after) / abs(before)))
        moved = moved[numpy.isfinite(moved)]
        total += float(numpy.median(moved)) if len(moved) else 5.0
    return min(total, 20.0)
