"""Equations that hold in one direction, and slips that make both sides one formula."""

import pytest
from sympy import And, Eq, exp, sqrt

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.changes import local_changes
from boundcheck.diagnosis.edits import edits
from boundcheck.diagnosis.pairs import pairs
from boundcheck.expressions import define, operator_norm, parameter, world
from boundcheck.library import Library
from boundcheck.settings.matrices import symmetric
from boundcheck.settings.scalar_laws import E, k, values
from boundcheck.worlds import Choice, Integer, Real

HERE = Source("Folklore", 1900, "Statements").at("1")
a, b = (parameter(name, Real(0, None, open_low=True)) for name in "ab")
n = parameter("n", Integer(1, searched=30))
A, B, X = symmetric("A"), symmetric("B"), values()[k]


def diagnosed(tmp_path, relation):
    return diagnose("a/b:c", Library(tmp_path, {"a/b:c": Claim(HERE, Holds(relation))}))


@pytest.mark.parametrize(("relation", "words"), [
    (Eq(E(X) ** 2, E(X**2)), "<= for ="),
    pytest.param(Eq(E(exp(X)), exp(E(X))), ">= for =", marks=pytest.mark.long),
    (Eq(sqrt(a * b), (a + b) / 2), "<= for ="),
    pytest.param(Eq(operator_norm(A + B), operator_norm(A) + operator_norm(B)), "<= for =",
                 marks=pytest.mark.long),
    pytest.param(And(Eq(sqrt(a * b), (a + b) / 2), a > 0),
                 "<= for = between sqrt(a*b) and a/2 + b/2", marks=pytest.mark.long),
])  # fmt: skip
def test_an_equation_that_holds_in_one_direction_is_an_inequality(tmp_path, relation, words):
    found = diagnosed(tmp_path, relation)
    assert (found.grade, found.repairs[0].edit) == ("slip", words)
    assert found.repairs[0].stands


def test_an_equation_that_a_slip_mends_is_not_made_weaker(tmp_path):
    found = diagnosed(tmp_path, Eq((a + b) ** 2, a**2 + b**2 + a * b))
    assert found.repairs[0].edit == "2*a*b for a*b"


@pytest.mark.long
def test_an_equation_that_no_world_comes_near_is_no_inequality(tmp_path):
    found = diagnosed(tmp_path, Eq(exp(a) + exp(b) + 2, a * b / (1 + a)))
    assert not [repair.edit for repair in found.repairs if "for =" in repair.edit]


def test_no_two_slips_make_one_formula_of_both_sides():
    for edit in pairs(Claim(HERE, Holds(Eq(E(X) ** 2, E(X**2))))):
        left, right = edit.statement.relation.args
        assert str(left) != str(right)
        assert "k for k" not in edit.words


def test_a_letter_throughout_is_none_that_stands_beside_it():
    found = [edit.words for edit in edits(Claim(HERE, Holds(a * b <= (a**2 + b**2) / 3)))]
    assert not [words for words in found if words in ("a for b throughout", "b for a throughout")]


def test_a_bound_may_have_lost_one_of_a_size():
    claim = Claim(HERE, Holds(n * (n + 1) / 2 <= n**2 / 2))
    changes = list(local_changes(claim, claim.statement.relation)(n))
    assert {change.action for change in changes if change.node in (n + 1, n - 1)} == {"attained"}


def test_few_worlds_are_enough_for_a_number_that_both_sides_differ_by(tmp_path):
    rows = world("rows", Choice((200, 5000)), rank=0)
    caption = define("caption", 1 / (5 * sqrt(rows)))
    found = diagnosed(tmp_path, Eq(caption, 5 / sqrt(rows)))
    assert (found.grade, found.repairs[0].edit) == ("slip", "a factor 1/25 on the right")


@pytest.mark.long
def test_a_size_that_a_bound_lacks_comes_before_the_other_direction(tmp_path):
    delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
    found = diagnosed(tmp_path, 1 - (1 - delta) ** n <= delta)
    assert (found.grade, found.repairs[0].edit) == ("slip", "a factor n at delta")


def test_the_modulus_of_what_is_no_difference_is_farther_from_the_print():
    costs = {}
    for relation in (abs(a**2 - b**2) <= a - b, a**2 <= 2 * b - a):
        for edit in edits(Claim(HERE, Holds(relation))):
            costs[edit.words] = edit.cost
    assert costs["Abs(a - b) for a - b"] + 0.9 < costs["Abs(a - 2*b) for -a + 2*b"]


def test_another_power_of_a_level_alone_is_farther_than_one_of_a_bound():
    delta = parameter("delta", Real(0, 1, open_low=True, open_high=True))
    def cost(relation, words):
        return next(e.cost for e in edits(Claim(HERE, Holds(relation))) if e.words == words)

    level = cost(exp(-n * a) <= delta, "sqrt(delta) for delta")
    assert level > cost(exp(-n * a) <= b, "sqrt(b) for b") + 1
