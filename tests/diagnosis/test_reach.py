"""Repairs at sizes without end: what stands, what only may, and slips of sizes and rates."""

from types import SimpleNamespace

import pytest
from sympy import Abs, exp, log, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.claim import UpToConstant, WithProbability
from boundcheck.diagnosis import diagnose, turned
from boundcheck.diagnosis.turned import _lacks_a_size
from boundcheck.expressions import (
    frobenius_norm,
    greatest,
    index,
    norm,
    operator_norm,
    parameter,
    total,
    trace,
    world,
)
from boundcheck.library import Library
from boundcheck.settings.concentration import S, Var
from boundcheck.settings.matrices import symmetric
from boundcheck.settings.scalar_laws import (
    E,
    P,
    Var as Variance,
    delta,
    k,
    n as sample,
    sample_mean,
    t,
    values,
)
from boundcheck.worlds import Integer, Real, Vector

HERE = Source("Folklore", 1900, "Statements").at("1")
n = world("n", Integer(1, searched=4))
v, u, i = world("v", Vector(n)), world("u", Vector(n)), index("i", n)
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
x, X = (drawn := values()), drawn[k]
A, B = symmetric("A"), symmetric("B")


def diagnosed(tmp_path, statement):
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(HERE, statement)}))


STANDING = {
    "a hypothesis": (
        greatest(v[i], i) <= total(v[i], i), "hypothesis",
        "the hypothesis that v is nonnegative"),
    "a direction": (frobenius_norm(A) <= operator_norm(A), "slip", ">= for <="),
    "a logarithm of a size": (
        log(total(exp(v[i]), i)) <= greatest(v[i], i), "slip",
        "a term log(n) beside max_i(v[i])"),
    "a modulus": ((sqrt(a) - sqrt(b)) ** 2 <= a - b, "slip", "Abs(a - b) for a - b"),
    "a square in a tail": (P(Abs(X - E(X)) >= t) <= Variance(X) / t, "slip", "t**(-2) for 1/t"),
    "a norm for its kin": (
        frobenius_norm(A * B) <= operator_norm(A) * operator_norm(B), "slip",
        "‖A‖_F for ‖A‖_op"),
    "a sign": (
        norm(v - u) <= norm(v) - norm(u), "slip", "the other sign of -‖u‖"),
    "no quantity less": (
        E(X) ** 2 <= E(X**2) * P(X > 0), "hypothesis", "the hypothesis that x is nonnegative"),
}  # fmt: skip


LONG = ("a square in a tail", "a norm for its kin", "a direction", "a sign")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in LONG else ())
             for name in STANDING])  # fmt: skip
def test_what_larger_worlds_do_not_refute_and_some_world_attains_stands(tmp_path, name):
    relation, grade, edit = STANDING[name]
    found = diagnosed(tmp_path, Holds(relation))
    assert (found.grade, found.repairs[0].edit) == (grade, edit)
    assert found.repairs[0].stands


@pytest.mark.long
def test_a_number_for_what_grows_with_draws_only_may_stand(tmp_path):
    """Var S <= 3 holds up to n = 12."""
    found = diagnosed(tmp_path, Holds(Var(S) <= 1))
    assert not any(repair.stands for repair in found.repairs if repair.kind == "constant")


@pytest.mark.parametrize("relation, edit", [
    pytest.param(total(Abs(v[i]), i) <= norm(v), "a factor sqrt(n) at ‖v‖",
                 marks=pytest.mark.long),
    (frobenius_norm(A) ** 2 <= operator_norm(A) ** 2, "a factor d at ‖A‖_op**2"),
])  # fmt: skip
def test_a_lost_rate_is_the_slowest_that_no_growth_refutes(tmp_path, relation, edit):
    found = diagnosed(tmp_path, UpToConstant(relation))
    assert (found.grade, found.repairs[0].edit) == ("slip", edit)
    assert not found.repairs[0].stands


def test_a_hypothesis_that_tells_where_the_print_fails_comes_before_a_number(tmp_path):
    y = parameter("y", Real(-1, None, open_low=True))
    found = diagnosed(tmp_path, Holds(log(1 + y) >= y / (1 + y / 2)))
    assert found.repairs[0].edit == "the hypothesis y >= 0"
    assert found.repairs[0].stands


@pytest.mark.long
def test_a_level_is_no_corner_where_a_longer_look_finds_failures(tmp_path):
    """A lost factor 2 in a union bound: a fair coin fails at delta = 9/20."""
    share = values(0, 1)[k]
    mean = sample_mean(share)
    bound = sqrt(log(1 / delta) / (2 * sample))
    found = diagnosed(tmp_path, WithProbability(1 - delta, Abs(E(share) - mean) <= bound))
    assert not found.extent.corner
    assert not any("K at delta" in repair.edit for repair in found.repairs)


@pytest.mark.long
def test_a_number_that_the_sizes_of_search_set_does_not_stand(tmp_path):
    """At d = 32 the trace is up to 4 sqrt(2) times as large: sqrt(d) is what it needs."""
    found = diagnosed(tmp_path, Holds(trace(A * B) <= operator_norm(A) * frobenius_norm(B)))
    assert found.repairs
    assert not any(repair.stands for repair in found.repairs if repair.kind == "constant")


@pytest.mark.parametrize("relation, lacks", [
    (total(Abs(v[i]), i) <= norm(v), True), (norm(v) <= total(Abs(v[i]), i), False),
    (frobenius_norm(A) <= operator_norm(A), False), (n * norm(v) <= norm(v), True),
    (total(Abs(v[i]), i) <= greatest(Abs(v[i]), i), False),
])  # fmt: skip
def test_a_size_that_is_summed_over_on_one_side_alone_was_lost(relation, lacks):
    claim = Claim(HERE, Holds(relation))
    assert _lacks_a_size(SimpleNamespace(claim=claim, sizes={"n", "d"})) is lacks


def test_a_largest_that_falls_behind_forgot_how_many_there_are(monkeypatch):
    monkeypatch.setattr(turned, "grows", lambda case, least: True)
    for relation, forgot in ((total(Abs(v[i]), i) <= greatest(Abs(v[i]), i), True),
                             (total(Abs(v[i]), i) <= norm(v), False)):  # fmt: skip
        case = SimpleNamespace(claim=Claim(HERE, Holds(relation)), sizes={"n"})
        assert turned._forgets_how_many(case) is forgot
