"""Misprints of known theorems, and which change a referee would write first."""

from dataclasses import replace
from types import SimpleNamespace

import numpy
import pytest
from flint import fmpq
from sympy import Abs, Min, exp, lambdify, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import repairs
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.corners import left_out
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.grade import AT_ENDS
from boundcheck.diagnosis.inside import _thresholds
from boundcheck.diagnosis.kin import kindred, outside_of, swapped
from boundcheck.diagnosis.moved import explodes
from boundcheck.diagnosis.offered import last
from boundcheck.diagnosis.pointless import cancels, of_the_same
from boundcheck.diagnosis.pool import Table
from boundcheck.diagnosis.record import Extent, Repair
from boundcheck.diagnosis.screen import Candidate, _goes_past_nothing
from boundcheck.diagnosis.sharp import STEP, _places
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.diagnosis.turned import _meets_at_one_alone
from boundcheck.expressions import (
    frobenius_norm,
    greatest,
    inner,
    norm,
    operator_norm,
    parameter,
    spectral_radius,
    total,
    world,
)
from boundcheck.setting import Setting
from boundcheck.settings import continuous
from boundcheck.settings.matrices import d, r, square, u
from boundcheck.settings.scalar_laws import E, P, Var, k, t, values
from boundcheck.worlds import Integer, Real, Vector

AT = Source("Folklore", 1900, "Statements").at("1")
a, b, L = (parameter(name, Real(0, None, open_low=True)) for name in ("a", "b", "L"))
delta = parameter("delta", Real(0, 1, open_low=True))
m, T = (parameter(name, Integer(1, searched=9)) for name in "mT")
v = world("v", Vector(d))
X = values()[k]
EVERYWHERE = Extent("fails everywhere tried", corner=False)


def claimed(relation):
    return Claim(AT, Holds(relation))


def failing(relation):
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", claimed(relation), found, Bench("a/b:c", budget_named("quick")))


def edited(relation, words):
    return next(edit for edit in edits(claimed(relation)) if edit.words == words)


@pytest.mark.parametrize(
    ("printed", "meant"), [(log(a / b), log(a) / b), (log(a) / b, log(a / b))]
)
def test_the_bracket_of_a_logarithm_may_be_at_another_place(printed, meant):
    found = {edit.statement.relation for edit in edits(claimed(t <= sqrt(printed)))}
    assert any(relation.rhs == sqrt(meant) for relation in found)


def test_the_euclidean_norm_stands_for_the_largest_entry_and_for_the_sum():
    assert norm(v) in kindred(greatest(Abs(v[r]), r))
    assert norm(v) in kindred(total(Abs(v[r]), r))
    assert norm(v) not in kindred(total(Abs(v[r] - 1), r))


def test_a_bound_that_the_worst_failures_attain_is_not_what_it_bounds():
    printed = claimed(Abs(inner(u, v)) <= norm(u) * greatest(Abs(v[r]), r))
    statement, largest = printed.statement, greatest(Abs(v[r]), r)
    (symbol,) = [one for one, body in printed.measure.items() if body.shown == largest]
    edit = SimpleNamespace(
        statement=statement.with_relation(statement.relation.xreplace({symbol: norm(v)})))
    along, across = ((fmpq(1), fmpq(1)),) * 2, ((fmpq(1), fmpq(1)), (fmpq(1), fmpq(-1)))
    worlds = [SimpleNamespace(setting=Setting(printed, {"d": 2, "u": first, "v": second}))
              for first, second in [along] * 30 + [across] * 30]  # fmt: skip
    assert of_the_same(SimpleNamespace(claim=printed, worlds=worlds), edit) == 0
    assert of_the_same(SimpleNamespace(claim=printed, worlds=worlds[:30]), edit) > 0


def test_a_lost_square_of_a_factor_does_not_cancel():
    printed = L**2 * a <= L * b
    assert not cancels(claimed(printed), edited(printed, "L**2 for L"))
    other = m * a <= b
    assert cancels(claimed(other), edited(other, "a factor m at b"))


def test_an_exponential_moment_is_bounded_by_one_of_the_other_sign():
    printed = E(exp(a * X)) <= exp(-(a**2) / 2)
    edit = edited(printed, "the other sign of -a**2/2")

    def case(*values):
        table = SimpleNamespace(evaluate=lambda expr: numpy.array(values))
        grid = numpy.linspace(0.1, 3, 30)
        free = SimpleNamespace(evaluate=lambda expr: lambdify(a, expr)(grid))
        return SimpleNamespace(claim=claimed(printed), table=table, free=free)

    assert not explodes(case(1, 1.5, 3), edit)
    assert explodes(case(0.2, 0.5, 1), edit) and explodes(case(0.2, 0.5, 3), edit)


def test_an_inequality_whose_sides_meet_at_one_thing_alone_is_not_turned():
    case = failing(m * a <= a)
    assert _meets_at_one_alone(case, Holds(m * a >= a))
    assert not _meets_at_one_alone(case, Holds(a >= Min(a, 1)))


def test_what_a_deviation_is_measured_in_may_have_lost_its_root():
    claim = claimed(P(Abs(X - E(X)) >= t * Var(X)) <= 1 / t**2)
    (symbol,) = [one for one in claim.measure if one in claim.statement.relation.lhs.free_symbols]
    body = claim.measure[symbol].shown
    words = {change.words.partition(" in ")[0] for change in _thresholds(claim, symbol, body)}
    assert f"{sqrt(Var(X))} for {Var(X)}" in words
    bare = claimed(P(Abs(X) >= t) <= 1 / t**2)
    (symbol,) = bare.measure
    assert not list(_thresholds(bare, symbol, bare.measure[symbol].shown))


def test_a_corner_is_left_out_by_the_hypothesis_that_names_it():
    claim = claimed(log(1 / delta) > log(T) / T - 1)
    assert list(left_out(claim, Extent("", True, ("T = 1",)))) == [T >= 2]
    assert list(left_out(claim, Extent("", True, ("delta above 9/10",)))) == [delta < 1]
    assert not list(left_out(claim, Extent("", False, ("T = 1",))))
    assert not list(left_out(claim, Extent("", True, ("T = 1", "delta above 9/10"))))


def test_the_hypothesis_that_leaves_out_a_corner_comes_first():
    corner = Repair("the hypothesis T >= 2", "a <= b", "hypothesis", AT_ENDS, "supported")
    symbol = Repair("T + 1 for T", "a <= b", "symbol", 2.5, "supported")
    both = [symbol, corner]
    assert sorted(both, key=lambda one: last(one, both, equation=False))[0] is corner


def test_the_root_of_what_a_number_multiplies_may_be_lost():
    found = {edit.statement.relation.rhs for edit in edits(claimed(t <= 2 * log(2) * a * b))}
    assert 2 * log(2) * sqrt(a * b) in found


def test_conjugate_exponents_are_told_apart():
    q = 1 + L
    found = {edit.statement.relation.rhs for edit in edits(claimed(a * b <= a**L * L / q))}
    assert {a ** (L / q) * L / q, a ** (q / L) * L / q} <= found


def test_a_sign_inside_a_logarithm_is_not_wrong_where_no_term_serves():
    inside, alone = 1 - 1 / a <= log(a - 1), a <= sqrt(a - 1)
    words = "the other sign of -1"
    assert _goes_past_nothing(failing(inside), edited(inside, words))
    assert not _goes_past_nothing(failing(alone), edited(alone, words))


@pytest.mark.parametrize(("grows", "more"), [(True, repairs.RISING), (False, 0.0)])
def test_a_number_of_which_larger_sizes_would_ask_more_is_farther(monkeypatch, grows, more):
    case = failing(b <= exp(-a))
    number = Candidate("2 for 1", "constant", 2.6, claimed(b <= exp(-a / 2)))
    monkeypatch.setattr(repairs, "sharpened", lambda case: [number])
    monkeypatch.setattr(repairs, "rises", lambda case: False)
    monkeypatch.setattr(repairs, "number_grows", lambda case, changed: grows)
    offered = repairs._candidates(case, None, [], EVERYWHERE)
    found = next(item for item in offered if item.words == number.words)
    assert found.cost == pytest.approx(number.cost + more)


def test_a_square_of_a_sum_may_be_a_sum_of_squares():
    whole, squares = total(v[r], r), total(v[r] ** 2, r)
    name = parameter("name", Real(None, None))
    assert list(swapped(name**2, whole)) == [squares]
    assert list(outside_of(squares)) == [whole**2]


def test_what_is_attained_where_the_print_fails_comes_before_what_is_not():
    case = failing(2 * a * b <= a * b)

    def candidate(cost, bound):
        return Candidate(str(bound), "symbol", cost, claimed(2 * a * b <= bound))

    loose, sharp = candidate(2.1, a**2 + 2 * b**2), candidate(2.9, a**2 + b**2)
    assert tighter_first(case, [loose, sharp])[0].words == sharp.words
    far = candidate(3.9, a**2 + b**2)
    assert tighter_first(case, [loose, far])[0] == loose


def test_the_smaller_norm_is_nearer():
    M = square("M")
    printed = claimed(norm(M * u) <= spectral_radius(M) * norm(u))
    found = {edit.words: edit.cost for edit in edits(printed)}
    assert found[f"{operator_norm(M)} for {spectral_radius(M)}"] < min(
        cost for words, cost in found.items() if words.startswith("frobenius_norm(M) for"))


def test_the_floats_of_a_far_tail_are_right():
    Z = continuous.normal("Z")
    claim = claimed(continuous.P(Z >= t, Z) <= exp(-(t**2) / 2))
    table = Table(claim, [Setting(claim, {"t": fmpq(16)})], 4)
    assert table.evaluate(claim.statement.relation.lhs)[0] == pytest.approx(6.38875e-58, rel=1e-4)


def test_of_two_norms_that_may_have_been_meant_the_one_that_says_more_comes_first():
    M = square("M")
    case = failing(norm(M * u) <= spectral_radius(M) * norm(u))
    costs = {f"{frobenius_norm(M)} for ": 2.3, f"{operator_norm(M)} for ": 2.4}
    found = [Candidate(edit.words, "symbol", cost, replace(case.claim, statement=edit.statement))
             for words, cost in costs.items()
             for edit in edits(case.claim) if edit.words.startswith(words)]  # fmt: skip
    assert tighter_first(case, found)[0].words.startswith("operator_norm")


def test_what_no_float_holds_is_lost_and_no_zero():
    r = parameter("r", Real(0, None, open_low=True))
    claim = claimed(E(Abs(X)) <= E(Abs(X) ** r) ** (1 / r))
    world = {"K": 1, "p": (fmpq(1),), "x": (fmpq(1, 2),), "r": fmpq(4000)}
    table = Table(claim, [Setting(claim, world)], 4)
    assert not table.violated(claim.statement, ()).any()


def test_of_two_numbers_that_mend_a_bound_that_of_the_bound_comes_first():
    places = [place.relation for place in _places(a / 2 <= b / 3)]
    assert [place.lhs for place in places[:2]] == [a / 2, STEP * a / 2]
