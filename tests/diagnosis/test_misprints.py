"""Misprints of known theorems, and which change a referee would write first."""

from types import SimpleNamespace

import numpy
import pytest
from flint import fmpq
from sympy import Abs, Min, exp, lambdify, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.corners import left_out
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.grade import AT_ENDS
from boundcheck.diagnosis.inside import _thresholds
from boundcheck.diagnosis.kin import kindred
from boundcheck.diagnosis.moved import explodes
from boundcheck.diagnosis.offered import last
from boundcheck.diagnosis.pointless import cancels, of_the_same
from boundcheck.diagnosis.record import Extent, Repair
from boundcheck.diagnosis.screen import _meets_at_one_alone
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import greatest, inner, norm, parameter, total, world
from boundcheck.setting import Setting
from boundcheck.settings.matrices import d, r, u
from boundcheck.settings.scalar_laws import E, P, Var, k, t, values
from boundcheck.worlds import Integer, Real, Vector

AT = Source("Folklore", 1900, "Statements").at("1")
a, b, L = (parameter(name, Real(0, None, open_low=True)) for name in ("a", "b", "L"))
delta = parameter("delta", Real(0, 1, open_low=True))
m, T = (parameter(name, Integer(1, searched=9)) for name in "mT")
v = world("v", Vector(d))
X = values()[k]


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
    assert sorted([symbol, corner], key=lambda one: last(one, [symbol, corner]))[0] is corner
