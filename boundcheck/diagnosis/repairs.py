"""The nearest statements that stand: edits and hypotheses screened by the thousand, few confirmed.

A candidate dies by the world of the verdict, by a world that refuted an earlier candidate, by a
look in floats at the pool, by a short search, by a longer one; what is left goes to the engine
with its controls. Among equally cheap ones the closest to the print in value comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import sympy

from boundcheck.claim import Claim
from boundcheck.diagnosis.alike import of_units
from boundcheck.diagnosis.asked import asked
from boundcheck.diagnosis.attained import attained_where_fails, tightest
from boundcheck.diagnosis.balanced import lost_lengths
from boundcheck.diagnosis.case import Case, shown, statement_text
from boundcheck.diagnosis.centred import of_origins
from boundcheck.diagnosis.change import COSTS
from boundcheck.diagnosis.changes import measured
from boundcheck.diagnosis.corners import left_out
from boundcheck.diagnosis.counted import less_by_one, lost_counts
from boundcheck.diagnosis.divided import is_about_zero, is_half
from boundcheck.diagnosis.edits import Edit, edits, level_of, with_relation
from boundcheck.diagnosis.excluded import (
    asks_for_nothing,
    divides_failures,
    excludes_failures,
    for_its_ends,
    leaves_ties,
    makes_idle,
    says_it,
    trivialises,
)
from boundcheck.diagnosis.extent import TIES
from boundcheck.diagnosis.factors import missing_factors, missing_products, missing_terms
from boundcheck.diagnosis.grade import (
    AT_ENDS,
    DIVIDING,
    MIRRORED,
    OF_SIGN,
    STRUCTURAL,
    TRIVIAL,
    is_of_sign,
    narrows_the_print,
)
from boundcheck.diagnosis.growing import ends_with, is_of_search, rises, same_growth, tailed
from boundcheck.diagnosis.hypotheses import asks_for_large, hypotheses, stated_domains, tightened
from boundcheck.diagnosis.inside import inside
from boundcheck.diagnosis.moduli import lost_moduli
from boundcheck.diagnosis.offered import is_superseded, last
from boundcheck.diagnosis.outlasting import is_of_equation, outlasts
from boundcheck.diagnosis.pairs import may_be_two, of_pairs
from boundcheck.diagnosis.pointless import (
    asks_for_a_value,
    bounds_no_chance,
    emptied,
    is_sure,
    leaves_equal,
    levels_sides,
)
from boundcheck.diagnosis.rates import lost_rates
from boundcheck.diagnosis.record import AS_IN, HELD, Extent, Repair
from boundcheck.diagnosis.rederived import under_repair
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.sharp import sharpened
from boundcheck.diagnosis.spelling import in_print
from boundcheck.diagnosis.tails import is_of_exponent, number_grows
from boundcheck.diagnosis.tighter import tighter_first, weaker_marked
from boundcheck.diagnosis.trial import STANDING, held_where_looked, nearly_enough, stands
from boundcheck.diagnosis.turned import TOUCHES
from boundcheck.diagnosis.undefined import named
from boundcheck.diagnosis.written import Written, is_repair, neighbours, same_domain
from boundcheck.library import Library
from boundcheck.search.screening import averaged
from boundcheck.verdict import Verdict

SEARCHED, CONFIRMED = 20, 3  # candidates searched, and put to the engine, at most
KEPT = 3
AT_MOST_UNDECIDED = 0.4  # share of a trial's evaluations where support is not the last word
FAR_FROM_ZERO = 3.15  # the same of one that keeps a real number above one or two
LAST = 3.4  # cost of a part that search alone found
RISING = 0.7  # what a number costs more that larger worlds ask more of
CARRIED = 1.9  # cost of a repair of the whole, carried over to a step
AS_NEAR = 0.1  # further than a repair of its kind: the second is offered too
DOUBTED = 0.6  # the same beside one that only may stand
WORSE = 0.3  # further from the print than one that stands: not offered beside it
Said = tuple[str, frozenset[str]]  # statement and hypotheses as text


def repairs(
    case: Case, library: Library, known: Mapping[str, str], extent: Extent
) -> tuple[Repair, ...]:
    """The cheapest changed statements that stand, at most `KEPT`, one for each kind of change.

    Args: known: verdicts of claims of the library by key. extent: how far the claim fails.
    """
    stated = neighbours(case.key, library)
    texts = {_text(item.claim): item.key for item in stated if same_domain(case.claim, item.claim)}
    ties = extent.excluded == (TIES,)
    near = of_origins(case, of_units(case, _candidates(case, library, stated, extent)))
    offered = tighter_first(case, near)
    def outcome(key: str) -> str:
        return known.get(key) or case.bench.stated(key, library[key])

    found = _standing(case, offered, texts, outcome, ties)
    if not extent.corner and may_be_two(case, found):
        found += _standing(case, tighter_first(case, of_pairs(case)), texts, outcome, ties)
    told = [repair for repair in found if not is_superseded(case, repair, found)]
    equation = not case.has_inequality
    return tuple(sorted(told, key=lambda repair: last(repair, told, equation=equation)))


def _standing(
    case: Case, offered: list[Candidate], texts: Mapping[Said, str], outcome: Callable[[str], str],
    ties: bool,
) -> list[Repair]:  # fmt: skip
    """The first candidates that stand, at most `KEPT`, one for each kind of change.

    Args: texts: keys of claims of the library by what they say. outcome: of one of them. ties:
    whether only equal sides fail.
    """
    found: list[Repair] = []
    searched = confirmed = 0
    for candidate in offered:
        if not candidate.written:  # what the library says too has its verdict there
            candidate = replace(candidate, written=texts.get(_text(candidate.claim), ""))
        mends = [repair for repair in found if repair.kind != "restatement"]
        more = any(repair.written or repair.distant for repair in mends)
        more |= not any(repair.stands for repair in mends)
        enough = KEPT if more else KEPT - 1
        if len(mends) >= enough or searched >= SEARCHED or confirmed >= CONFIRMED:
            break
        alike = [repair for repair in found if repair.kind == candidate.kind and not repair.written]
        near = candidate.kind == "symbol" and len(alike) < 2
        room = AS_NEAR if not alike or alike[0].stands else DOUBTED
        if alike and not (near and candidate.cost <= alike[0].cost + room):
            continue
        if candidate.kind == "restatement" and len(mends) < len(found):
            continue
        if _said_already(candidate, found) or _outdone(candidate, found):
            continue
        if _empties(case, candidate) or is_sure(case, candidate.claim):
            continue
        if is_of_search(case, candidate, {repair.kind for repair in found}):
            continue
        if not candidate.written and not _tellable(case, candidate):
            continue
        if candidate.written:
            repair = _of_library(case, candidate, outcome(candidate.written))
        elif not candidate.elsewhere and case.killed(candidate.claim):
            continue
        else:
            searched += 1
            if not outlasts(case, candidate):
                case.refuted_rates = max(case.refuted_rates, candidate.rate)
                continue
            confirmed += 1
            repair = _confirmed(case, candidate)
        if repair is not None:
            found.append(repair)
            if ties and repair.kind == "tie":
                break
    return found


def _text(claim: Claim) -> Said:
    """What a claim says of one domain."""
    return statement_text(claim.statement), frozenset(map(str, claim.given))


def _said_already(candidate: Candidate, found: list[Repair]) -> bool:
    """Whether what was found says the same statement of the print."""
    if candidate.written:
        return any(repair.written == candidate.written for repair in found)
    edited = [repair.statement for repair in found if repair.kind != "hypothesis"]
    return candidate.kind != "hypothesis" and bool(edited) and shown(candidate.claim) in edited


def _outdone(candidate: Candidate, found: list[Repair]) -> bool:
    """Whether what was found says more than a candidate of the machine could.

    A change that search alone supports does not stand beside one that the library states or that
    is clearly nearer to the print, and a reversed inequality beside nothing.
    """
    if candidate.written or candidate.kind == "tie":
        return False
    mends = [repair for repair in found if repair.kind != "restatement"]
    if any(repair.written for repair in mends) or (
        candidate.rate and any(repair.stands for repair in mends)
    ):
        return True
    if candidate.kind == "hypothesis" and any(repair.distant for repair in mends):
        return False
    if candidate.turned and mends and all(repair.kind == "constant" for repair in mends):
        return False
    clear = [repair for repair in mends if repair.stands and repair.kind != "hypothesis"]
    nearer = any(candidate.cost > repair.cost + WORSE for repair in clear)
    beside_nothing = candidate.turned or candidate.cost >= COSTS["direction"]
    if candidate.turned and (not any(repair.stands for repair in found) or (
            not mends and _is_restated(candidate, found))):  # fmt: skip
        return False  # what only may stand says less than a bound from the other side
    return nearer or (bool(found) and beside_nothing)


def _is_restated(candidate: Candidate, found: list[Repair]) -> bool:
    """Whether the library says the same comparison, under other hypotheses."""
    form = candidate.claim.statement
    turned = with_relation(form, form.relation.reversed)
    texts = {shown(candidate.claim)} | (
        set() if turned is None else {shown(replace(candidate.claim, statement=turned))})
    return any(repair.kind == "restatement" and repair.statement in texts for repair in found)


def _empties(case: Case, candidate: Candidate) -> bool:
    """Whether a hypothesis that the machine offers, or what it measures anew, leaves nothing to
    compare."""
    if candidate.written or not case.explicit:
        return False
    claim = candidate.claim
    if candidate.kind == "symbol" and levels_sides(case, claim):
        return True
    if not case.has_inequality and not {*claim.measured} <= {*case.claim.measured}:
        return emptied(case, claim)
    of_structure = claim.given == case.claim.given  # else worlds are moved to its end
    return candidate.kind == "hypothesis" and (
        emptied(case, claim) or bounds_no_chance(case, claim)
        or (of_structure and leaves_equal(case, claim))
    )  # fmt: skip


def _tellable(case: Case, candidate: Candidate) -> bool:
    """Whether search or proof could tell that a candidate stands."""
    told = not case.explicit or candidate.claim.worlds is None or candidate.forgotten
    return told or case.refutable


def _of_library(case: Case, candidate: Candidate, verdict: str) -> Repair | None:
    if verdict == HELD and _may_stand(case, candidate):
        return _said(case, candidate, "undecided")
    return _said(case, candidate, verdict) if verdict in STANDING else None


def _may_stand(case: Case, candidate: Candidate) -> bool:
    """Whether a statement of the library that held where it was looked at is offered as open."""
    return is_repair(candidate.written) or not case.has_inequality


def _confirmed(case: Case, candidate: Candidate) -> Repair | None:
    words = f"repair {case.key} {candidate.words}"
    share = AT_MOST_UNDECIDED if case.unreached and case.claim.draw is not None else 1.0
    verdict = case.bench.verdict(candidate.claim, words, share)
    seen = candidate.forgotten or case.refutable
    blind = verdict.outcome == "supported" and not seen
    stated = candidate.elsewhere or is_of_equation(case, candidate)
    # Of a lost rate, that no growth refutes it any more is all that search can say; it says
    # something where growth refuted a slower one.
    told = candidate.rate > 1 and case.refuted_rates == candidate.rate - 1
    if verdict.outcome in ("refuted", "malformed"):
        case.refuted_rates = max(case.refuted_rates, candidate.rate)
    told = (told and verdict.outcome == "undecided") or ends_with(case, candidate, verdict)
    if told or nearly_enough(verdict) or (
            stated and not candidate.rate and held_where_looked(verdict)):
        return _said(case, candidate, "undecided", verdict.slack)
    if blind or not stands(verdict) or not same_growth(case, candidate, verdict):
        if verdict.witness is not None:
            case.remember(next(e for e in verdict.evidence if e.witness is verdict.witness))
        return None
    tested = max((int(item.numbers.get("tested", 0)) for item in verdict.evidence), default=0)
    doubted = verdict.outcome == "supported" and not _reaches(case, candidate, verdict)
    outcome = "undecided" if doubted else verdict.outcome
    return _said(case, candidate, outcome, verdict.slack, tested)


def _reaches(case: Case, candidate: Candidate, verdict: Verdict) -> bool:
    """Whether support at the sizes of search speaks for larger ones too.

    It does for a bound without draws that some world attains, where no enlarged world refuted it;
    for another formula, if a small world attains it that the print fails in: a number or a root
    that the largest worlds of search ask for would be larger in larger ones.
    """
    claim, slack = candidate.claim, verdict.slack
    bound = candidate.claim.given == case.claim.given  # else a hypothesis has another number
    relation = claim.statement.relation
    if candidate.kind == "constant" and bound and (number_grows(case, relation) or (
        not is_of_exponent(case, relation) and rises(case, tightest(claim, verdict)))):
        return False
    if (candidate.forgotten and not case.refutable) or tailed(case, candidate):
        return False
    if not case.unreached:
        return True
    if claim.draw is not None or averaged(claim) or not case.explicit:
        return False
    if any(condition in claim.given for condition in case.kept_by):
        return claim.worlds is None  # larger numbers were looked at
    if candidate.kind in ("hypothesis", "tie") or candidate.turned or not bound:
        return slack is not None and slack <= TOUCHES
    if not case.has_inequality:
        return slack is not None and slack <= TOUCHES
    return attained_where_fails(case, claim, case.unreached, verdict)


def _said(
    case: Case, candidate: Candidate, verdict: str, slack: float | None = None, tested: int = 0
) -> Repair:
    from boundcheck.report.formula import statement_latex

    claims = (case.claim, candidate.claim)
    about = [part for claim in claims for part in (
        claim.statement.relation, level_of(claim.statement) or sympy.S.Zero, *claim.given,
        *measured(claim, claim.statement.relation).values())]
    return Repair(
        in_print(candidate.words, about), shown(candidate.claim), candidate.kind, candidate.cost,
        verdict, slack, candidate.written, tested, statement_latex(candidate.claim),
        candidate.turned or candidate.slower, is_of_exponent(case, claims[1].statement.relation),
    )  # fmt: skip


def _candidates(
    case: Case, library: Library, stated: list[Written], extent: Extent
) -> Iterator[Candidate]:
    if case.concrete:  # other numbers than the given ones mend nothing
        stated = [item for item in stated if is_repair(item.key)]
    plain = case.explicit and not case.concrete and not case.claim.undefined
    single = edits(case.claim) if plain else []
    yield from (_of_written(item, single) for item in stated)
    if case.claim.undefined:
        yield from named(case)
        return
    if case.concrete:
        return
    if case.explicit:
        offered = [*missing_factors(case), *missing_terms(case), *missing_products(case),
                   *lost_counts(case), *lost_lengths(case), *lost_moduli(case),
                   *single]  # fmt: skip
        near = [*weaker_marked(case, screened(case, offered))]
        yield from (*near, *screened(case, less_by_one(case, near)))
        yield from inside(case)
        for number in sharpened(case):
            more = rises(case) or number_grows(case, number.claim.statement.relation)
            yield replace(number, cost=number.cost + RISING * more)
        yield from asked(case)
    yield from lost_rates(case)
    yield from (Candidate(item.words, "hypothesis", CARRIED, item.claim, elsewhere=True)
                for item in under_repair(case.key, library))
    yield from (Candidate(item.words, "hypothesis", 3.05, item.claim)
                for item in stated_domains(case.key, library))
    yield from (Candidate(item.words, "hypothesis", 3.0, item.claim, narrowed=True)
                for item in tightened(case.claim))
    alone = [*case.parts] if case.claim.worlds is None else []
    halves = [part for part in alone
              if case.parts[part] and (part.rhs == sympy.S.Half or not part.rhs.is_Rational
                                       or is_about_zero(part))]  # fmt: skip
    for cost, known in ((AT_ENDS, [*left_out(case.claim, extent)]), (DIVIDING, case.kept_by),
                        (DIVIDING, halves),
                        (LAST, [part for part in alone if part not in halves])):  # fmt: skip
        yield from (Candidate(f"the hypothesis {condition}", "hypothesis", cost,
                              replace(case.claim, given=(*case.claim.given, condition)))
                    for condition in known)  # fmt: skip
    for item in hypotheses(case.claim):
        if is_half(case, item.claim) or (item.structural and makes_idle(case, item.claim)):
            continue
        if item.structural or (
            excludes_failures(case, item.claim)
            and not (asks_for_a_value(case, item.claim) or says_it(case, item.claim))
        ):
            nothing = asks_for_nothing(case, item.claim)
            if nothing and leaves_ties(case, item.claim):
                continue
            usual = FAR_FROM_ZERO if nothing or asks_for_large(item.claim) else 3.0
            whole = case.parts.get(item.claim.given[-1], False) if item.claim.given else False
            divides = not (item.structural or nothing or narrows_the_print(case, item.words)) and (
                whole or divides_failures(case, item.claim))
            usual, divides = (AT_ENDS, False) if divides and extent.corner else (usual, divides)
            usual = OF_SIGN if is_of_sign(case, extent, item.words) else usual
            usual += for_its_ends(case.claim, item.claim)
            cost = STRUCTURAL if item.structural else DIVIDING if divides else usual
            cost = MIRRORED if item.mirrored else cost
            cost = TRIVIAL if trivialises(case, item.claim) else cost
            yield Candidate(item.words, "hypothesis", cost, item.claim)


def _of_written(item: Written, single: list[Edit]) -> Candidate:
    """What the library says; a restatement that one edit leads to, alone or among several
    comparisons, is that edit."""
    kind, words = item.kind, item.words
    if kind == "restatement":
        form, given = item.claim.statement, tuple(item.claim.given)
        parts = [with_relation(form, said) for part in sympy.And.make_args(form.relation)
                 if isinstance(part, sympy.Rel) for said in (part, part.reversed)]  # fmt: skip
        texts = {statement_text(part) for part in (form, *parts) if part is not None}
        for edit in single:
            if edit.given == given and statement_text(edit.statement) in texts:
                told = "" if not words.startswith(AS_IN) else f"{edit.words}, "
                kind, words = edit.kind, told + words
                break
    return Candidate(words, kind, 1.5 + 0.05 * item.distance, item.claim, item.key)
