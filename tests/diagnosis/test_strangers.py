"""What statements of strangers asked for: large numbers, lost exponents, indices from zero, laws
without mass, numbers that small worlds attain, another name for what is bounded."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy
from flint import fmpq
from sympy import Abs, exp, log, sqrt

from boundcheck import Claim, Holds, Source, UpToConstant
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import alike
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.grade import is_meant
from boundcheck.diagnosis.growing import ends_with, rises
from boundcheck.diagnosis.hypotheses import hypotheses
from boundcheck.diagnosis.inside import inside
from boundcheck.diagnosis.pointless import of_the_same, pointless
from boundcheck.diagnosis.pool import Seen
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.repairs import _empties
from boundcheck.diagnosis.scales import fails_magnified
from boundcheck.diagnosis.screen import Candidate as Changed
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import (
    determinant,
    form,
    frobenius_norm,
    identity,
    index,
    inner,
    operator_norm,
    parameter,
    total,
    trace,
)
from boundcheck.search.admissible import Candidate
from boundcheck.setting import Setting
from boundcheck.settings.matrices import d, semidefinite, symmetric
from boundcheck.settings.rkhs import K as kernel, n, penalty, responses
from boundcheck.settings.scalar_laws import E, k, law, p, relative_entropy, values
from boundcheck.worlds import Integer

HERE = Source("Folklore", 1900, "Statements").at("1")
X = values()[k]
A, G = symmetric("A"), semidefinite("G")
T = parameter("T", Integer(1, searched=30))
t = index("t", T)


def failing(statement, outcome="refuted", witness=None):
    if not isinstance(statement, UpToConstant):
        statement = Holds(statement)
    found = SimpleNamespace(outcome=outcome, witness=witness)
    return Case("a/b:c", Claim(HERE, statement), found, Bench("a/b:c", budget_named("quick")))


def under(case, words):
    return next(item.claim for item in hypotheses(case.claim) if item.words.endswith(words))


def test_a_hypothesis_that_holds_for_small_numbers_alone_is_refuted_by_large_ones():
    case = failing(E(exp(X)) <= 1 + E(X) + E(X**2))
    assert fails_magnified(case, under(case, "x is symmetric about zero"), "symmetric")
    assert case.killers
    assert not fails_magnified(case, under(case, "x lies within [-1, 1]"), "within")


def test_a_law_by_whose_weights_a_statement_divides_may_lack_mass():
    q = law("q")
    case = failing(relative_entropy(q, p) >= total(Abs(p[k] - q[k]), k) ** 2 / 2)
    claim = under(case, "every weight of p is positive")
    values = {"K": 2, "q": (fmpq(1), fmpq(0)), "p": (fmpq(1, 2), fmpq(1, 2))}
    assert not Setting(claim, values).misfit()
    assert Setting(claim, {**values, "p": (fmpq(0), fmpq(1))}).misfit()
    assert not any("weight of q" in item.words for item in hypotheses(case.claim))


def test_a_lost_exponent_is_offered():
    bounds = {str(edit.statement.relation) for edit in edits(failing(
        determinant(G) <= trace(G) / d).claim)}  # fmt: skip
    case = failing(determinant(G) <= (trace(G) / d) ** d)
    assert str(case.claim.statement.relation) in bounds


def test_an_index_that_begins_at_zero_divides_by_the_next_number():
    case = failing(total(1 / sqrt(t), t) <= 2 * sqrt(T), "malformed")
    meant = failing(total(1 / sqrt(t + 1), t) <= 2 * sqrt(T)).claim.statement.relation
    assert str(meant) in {str(item.claim.statement.relation) for item in inside(case)}
    case = failing(total(1 / sqrt(t), t) <= 2 * sqrt(T))
    assert not any("t + 1" in item.words for item in inside(case))


@pytest.mark.parametrize(("other", "dearer"), [(frobenius_norm, True), (operator_norm, False)])
def test_another_name_for_what_is_bounded_bounds_nothing(other, dearer):
    case = failing(trace(A * A) <= trace(A) ** 2)
    bound = other(A) ** 2
    edit = next(edit for edit in edits(case.claim) if edit.statement.relation.rhs == bound)
    assert bool(of_the_same(case, edit)) is dearer


def test_a_bound_from_below_may_have_a_symbol_too_much():
    y = responses()
    resolvent = (kernel + penalty * identity(n)) ** -1
    claim = failing(form(resolvent, y) >= inner(y, y) / (penalty + trace(kernel) / n)).claim
    edit = next(edit for edit in edits(claim) if edit.words == "a factor n at trace(K)/n")
    assert not pointless(claim, edit)


def test_a_small_world_in_which_a_number_is_attained_tells_that_larger_ones_ask_no_more():
    case = failing(E(X**2) <= E(Abs(X)) ** 2)
    size = case.claim.fields["K"].searched

    def world(size, score):
        values = {"K": size, "p": (fmpq(1, size),) * size, "x": (fmpq(1),) * size}
        return Seen(score, True, "", Candidate(Setting(case.claim, values), ()))

    case.worlds, case.creeping = [world(2, 1.1), world(size, 1.9)], 0.0
    assert rises(case)
    attained = {"K": 2, "p": (fmpq(1, 2), fmpq(1, 2)), "x": (fmpq(1), fmpq(0))}  # ratio 2
    assert not rises(case, [attained])


def test_one_world_in_which_no_constant_serves_is_left_out():
    statement = UpToConstant(total(1 / (t + 1), t) <= log(T))
    single = SimpleNamespace(kind="exact", extra={}, values={"T": "1"})
    case = failing(statement, witness=single)
    claim = replace(case.claim, given=(sympy.Ge(T, 2, evaluate=False),))
    candidate = SimpleNamespace(kind="hypothesis", claim=claim)

    def verdict(largest, **more):
        numbers = {"constant": 2.2, "world": {"T": largest}, **more}
        return SimpleNamespace(outcome="undecided", evidence=[SimpleNamespace(numbers=numbers)])

    assert ends_with(case, candidate, verdict("2"))
    assert not ends_with(case, candidate, verdict("30"))
    assert not ends_with(case, candidate, verdict("2", growing=True))
    assert not ends_with(case, SimpleNamespace(kind="factor", claim=claim), verdict("2"))


def test_worlds_that_are_too_dear_leave_those_that_are_not(monkeypatch):
    case = failing(E(X**2) <= E(Abs(X)))
    looked, real = [], alike.at_most

    def dear_at_first(calls, work):
        looked.append(calls)
        return None if len(looked) < 3 else real(calls, work)

    assert alike.is_unlike(case)
    monkeypatch.setattr(alike, "at_most", dear_at_first)
    assert alike.is_unlike(case)
    monkeypatch.setattr(alike, "at_most", lambda calls, work: looked.append(calls))
    looked.clear()
    assert not alike.is_unlike(case)
    assert len(looked) == alike.MOST_DEAR + 1


@pytest.mark.parametrize(("cost", "meant"), [(3.45, True), (2.9, False)])
def test_a_hypothesis_nearer_than_a_modulus_was_meant(cost, meant):
    assumed = Repair("the hypothesis x <= 1", "x <= y", "hypothesis", 3.0, "proved", 1.0)
    slip = Repair("Abs(x - 1) for 1 - x", "x <= y", "symbol", cost, "proved", 1.0)
    assert is_meant(assumed, slip) is meant


def test_no_hypothesis_bounds_what_is_bounded_by_a_number():
    case = failing(E(exp(X)) <= 1 + E(X) + E(X**2))
    (bounded,) = case.claim.statement.relation.lhs.free_symbols
    asked = [item.claim.given[-1].args for item in hypotheses(case.claim) if item.claim.given]
    assert asked and not any(bounded in args and 1 in args for args in asked)


def test_a_law_that_makes_the_sides_equal_is_asked_for_by_no_hypothesis():
    other = law("q")
    entropies = [-total(weights[k] * log(p[k]), k) for weights in (other, p)]
    case = failing(entropies[0] >= entropies[1])
    for words, empty in (("p is uniform", True), ("q is uniform", False)):
        assert _empties(case, Changed(words, "hypothesis", 3.1, under(case, words))) is empty
