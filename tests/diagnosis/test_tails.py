"""Numbers in exponents of tails, squares lost inside sums, which of two repairs says more."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy
from flint import fmpq, fmpq_mat
from sympy import exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.checks import enumeration
from boundcheck.checks.base import budget_named
from boundcheck.diagnosis import enlarged, offered, tails
from boundcheck.diagnosis.case import Case
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.inside import inside
from boundcheck.diagnosis.offered import is_superseded
from boundcheck.diagnosis.pool import Table
from boundcheck.diagnosis.record import Repair
from boundcheck.diagnosis.screen import Candidate, screened
from boundcheck.diagnosis.sharp import _plain, sharpened
from boundcheck.diagnosis.simple import simple_world, simpler, without_idle
from boundcheck.diagnosis.tails import levels_off, number_grows, thinned_out
from boundcheck.diagnosis.tighter import tighter_first
from boundcheck.diagnosis.trial import Bench
from boundcheck.expressions import define, frobenius_norm, norm, parameter, row, total, trace
from boundcheck.setting import Setting
from boundcheck.settings.continuous import chi_square_tail
from boundcheck.settings.matrices import r, semidefinite, square
from boundcheck.settings.online import K as EXPERTS, T, eta, hedge_regret, losses
from boundcheck.settings.scalar_laws import k, law, p, total_variation
from boundcheck.worlds import Gram, Integer, Real, Symmetric

WORK = Source("Folklore", 1900, "Statements")
x = parameter("x", Real(0, 1, open_low=True))
y = parameter("y", Real(0, None, open_low=True))
n = parameter("n", Integer(1, searched=64))
q, M, A = law("q"), square("M"), semidefinite("A")


def stated(relation):
    return Claim(source=WORK.at("1"), statement=Holds(relation))


def failing(relation):
    found = SimpleNamespace(outcome="refuted", witness=None)
    return Case("a/b:c", stated(relation), found, Bench("a/b:c", budget_named("quick")))


def test_the_exponent_of_a_tail_gets_a_plain_number_below_the_one_it_needs():
    found = {item.words for item in sharpened(failing(exp(-7 * x**2 / 18) <= exp(-(x**2) / 2)))}
    assert "1/3 for 1/2" in found


@pytest.mark.parametrize(
    ("changed", "is_thinner"),
    [(exp(-n * x**2), True), (exp(-sqrt(n) * x), True), (exp(-n * x / 3), False), (y, False)],
)
def test_a_power_in_an_exponent_says_less_than_any_number(changed, is_thinner):
    assert thinned_out(failing(y <= exp(-n * x)).free, exp(-n * x), changed) is is_thinner


def test_an_exponent_that_grows_both_ways_is_no_thinner():
    assert not thinned_out(failing(x <= exp(-y)).free, exp(-y), exp(-(y**2)))


@pytest.mark.parametrize(("changed", "levels"), [
    (exp(-(y**2) / (x + y**2)), True), (exp(-(y**2) / (x + 2 * y)), False), (y, False),
    (exp(-y / (x**2 + 1)), False),
])  # fmt: skip
def test_an_exponent_that_stays_far_out_says_less_too(changed, levels):
    printed = exp(-(y**2) / (x + y))
    case = failing(x <= printed)
    assert levels_off(case.free, printed, changed, y) is levels


def test_a_number_in_an_exponent_need_not_grow_where_the_ratio_does(monkeypatch):
    case = failing(exp(-n * x) <= exp(-2 * n * x))
    monkeypatch.setattr(tails, "grows", lambda case: True)
    assert not number_grows(case, sympy.Le(exp(-n * x), exp(-n * x / 2), evaluate=False))
    assert number_grows(case, sympy.Le(exp(-n * x), 9 * exp(-2 * n * x), evaluate=False))


def test_squares_are_summed_before_a_sum_is_squared():
    case = failing(frobenius_norm(M) <= sqrt(total(norm(row(M, r)), r)))
    squares = as_text(frobenius_norm(M) <= sqrt(total(norm(row(M, r)) ** 2, r)))
    costs = [item.cost for item in inside(case) if as_text(item.claim) == squares]
    assert len(costs) == 1 and costs[0] < 2


def as_text(claim):
    claim = claim if isinstance(claim, Claim) else stated(claim)
    return str(claim.statement.relation).replace(" ", "")


def test_what_says_more_comes_first_whatever_else_comes_forward():
    bounds = {8: 2.0, 1: 2.05, 4: 2.1, 3: 2.15}
    offered = [Candidate(str(number), "constant", cost, stated(sympy.Le(y, number * y + x,
               evaluate=False))) for number, cost in bounds.items()]  # fmt: skip
    case = failing(sympy.Le(y, y / 2 + x, evaluate=False))
    assert [item.words for item in tighter_first(case, offered)] == ["1", "3", "4", "8"]


def test_a_number_that_may_stand_is_left_out_beside_a_symbol_that_does():
    case = SimpleNamespace(lost_sizes=set(), sizes=set())
    slip = Repair("a factor d", "", "factor", 2.5, "supported")
    doubted = Repair("4*sqrt(2) for the factor 1", "", "constant", 2.6, "undecided")
    assert is_superseded(case, doubted, [slip, doubted])
    assert not is_superseded(case, doubted, [doubted])
    assert not is_superseded(case, replace(doubted, verdict="supported"), [slip])


def test_a_number_is_left_out_beside_the_size_that_a_bound_forgot():
    size = Repair("a factor H at 1/delta", "", "factor", 2.1, "undecided")
    number = Repair("2*(1/delta) for 1/delta", "", "constant", 2.2, "undecided")
    assert is_superseded(SimpleNamespace(lost_sizes={"H"}), number, [number, size])
    none = SimpleNamespace(lost_sizes=set(), sizes=set())
    assert not is_superseded(none, number, [number, size])


def test_a_number_that_larger_worlds_refute_is_left_out(monkeypatch):
    """max |x_i| <= 2 (1 + log n) ||x|| / sqrt(n) with 4 for 2, which only larger n refutes."""
    number, case = Repair("4 for 2", "", "constant", 2.6, "undecided"), SimpleNamespace()
    case.lost_sizes = set()
    for grown in (True, False):
        monkeypatch.setattr(offered, "grows", lambda case, least=4, grown=grown: grown)
        assert is_superseded(case, number, [number]) is grown
        assert not is_superseded(case, replace(number, verdict="supported"), [number])


def test_worlds_that_balls_cannot_decide_refute_no_change():
    distance = define("h", sqrt(total((sqrt(p[k]) - sqrt(q[k])) ** 2, k) / 2))
    claim = stated(define("V", total_variation(q, p)) <= distance)
    equal = (fmpq(2, 3), fmpq(1, 3))
    table = Table(claim, [Setting(claim, {"K": 2, "p": equal, "q": equal})], 10)
    assert not table.violated(claim.statement, ()).any()


def test_a_sequence_goes_on_as_it_began():
    claim = stated(hedge_regret(losses, eta) <= sympy.log(EXPERTS) / eta + eta / 2)
    values = {"K": 2, "T": 3, "losses": fmpq_mat(3, 2, [1, 0, 0, 1, 1, 0]), "eta": fmpq(2)}
    (longer,) = enlarged._again(claim, values, str(T))
    assert longer["T"] == 16
    assert longer["losses"] == fmpq_mat(16, 2, [1, 0, 0, 1] * 8)
    assert enlarged._fails(claim, longer)


@pytest.mark.parametrize("kind", [Gram(2), Gram(2, regular=True), Symmetric(2)])
def test_symmetric_matrices_have_simple_numbers_and_stay_symmetric(kind):
    import numpy

    rng = numpy.random.default_rng(0)
    claim = Claim(source=WORK.at("1"), statement=Holds(trace(A) <= 1))
    for _ in range(20):
        world = simple_world(claim, {"d": 2}, rng)
        assert all(entry.q <= 16 for entry in world["A"].entries())
    found = simpler(fmpq_mat(2, 2, [fmpq(2, 7), fmpq(1, 3), fmpq(1, 3), 5]), kind)
    assert found and all(matrix == matrix.transpose() for matrix in found)


def test_a_row_and_its_column_are_left_out_together():
    claim = Claim(source=WORK.at("1"), statement=Holds(trace(A) <= 1))
    values = {"d": 2, "A": fmpq_mat(2, 2, [0, 0, 0, 2])}
    assert {"d": 1, "A": fmpq_mat(1, 1, [2])} in list(without_idle(values, claim.fields))


def test_the_base_of_a_logarithm_is_a_plain_number():
    assert _plain(sympy.S.One, 1 / math.log(2), 1.0) == 1 / sympy.log(2)
    assert _plain(sympy.Integer(4), math.log(2), 1.0) == 4 * sympy.log(2)


def test_a_linear_term_may_be_lost_beside_the_root_of_a_deviation():
    """P(chi^2_k > k + 2 sqrt(k x)) is above exp(-x) from x = 3.6 on for k = 1."""
    found = {item.words for item in inside(failing(
        chi_square_tail(n, n + 2 * sqrt(n * y)) <= exp(-y)))}  # fmt: skip
    assert "a term y beside sqrt(n*y)" in found
    outside = [change.words for change in edits(stated(y <= sqrt(2 * n * log(1 / x))))]
    assert "a term log(1/x) beside sqrt(n*log(1/x))" in outside
    no_tail = [change.words for change in edits(stated(y <= sqrt(n * x)))]
    assert not {"a term x beside sqrt(n*x)", "a term n beside sqrt(n*x)"} & {*no_tail}


def test_no_slack_is_worked_out_for_a_change_that_is_only_tried(monkeypatch):
    seen = []
    monkeypatch.setattr(enumeration, "exact_slack", lambda *_: seen.append(1))
    claim, bench = stated(y <= y + x), Bench("a/b:c", budget_named("quick"))
    assert bench.searched(claim, "a change")[0] is None and not seen
    bench.verdict(claim, "a change")
    assert seen


def test_of_two_numbers_in_what_is_bounded_the_one_that_says_more_comes_first():
    """y^2 / 2 is x^2 / 2 + x (y - x) + (y - x)^2 / 2, printed without the last half."""
    one, two = (parameter(name, Real(None, None)) for name in ("one", "two"))
    line = one**2 / 2 + one * (two - one)
    case = failing(y * two**2 / 2 >= y * line + y * (two - one) ** 2)
    found = tighter_first(case, screened(case, edits(case.claim)))
    assert found[0].words == "y*(-one + two)**2/2 for y*(-one + two)**2"
