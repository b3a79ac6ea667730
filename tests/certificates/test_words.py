"""Equations between matrices: words that vanish, inverses that exist, and nothing else."""

import pytest

from boundcheck.certificates.facts import Context
from boundcheck.certificates.terms import Rejected
from boundcheck.certificates.vanishing import vanishing
from boundcheck.certificates.words import check_equations, read_matrices

S = ["x", "s"]
GRAM = [["1", [":X", ":Xt"]], [S, []]]  # X X^T + s
OTHER = [["1", [":Xt", ":X"]], [S, []]]  # X^T X + s


def context(premise=("<", "0", ("x", "s"))):
    found = Context(set())
    found.add(premise)
    return found


def matrices(left, right, **changes):
    return read_matrices({
        "equations": [[left, right]], "inverses": [GRAM, OTHER], "transposes": [[":X", ":Xt"]],
        "semidefinite": [], "regular": [], **changes,
    })  # fmt: skip


PUSH = [["1", ["Z0", ":X"]]], [["1", [":X", "Z1"]]]


def test_push_through_holds_of_all_shapes():
    found = matrices(*PUSH)
    proof = vanishing(context(), found)
    assert check_equations(context(), found, proof) == 4


def test_an_inverse_can_be_solved_for():
    found = matrices([["1", ["Z0", ":X", ":Xt"]]], [["1", []], [["*", "-1", S], ["Z0"]]])
    assert check_equations(context(), found, vanishing(context(), found)) > 0


@pytest.mark.parametrize("premise", [("<=", "0", ("x", "s")), ("<", ("x", "s"), "0")])
def test_a_shift_that_may_be_zero_makes_nothing_regular(premise):
    with pytest.raises(Rejected, match="regular"):
        check_equations(context(premise), matrices(*PUSH), [[["left", 0], ["right", 1]]])


@pytest.mark.parametrize("changes", [
    {"transposes": []}, {"inverses": [[["1", [":X"]], [S, []]], OTHER]},
    {"inverses": [[["-1", [":X", ":Xt"]], [S, []]], OTHER]},
])  # fmt: skip
def test_bases_that_may_be_singular_are_refused(changes):
    with pytest.raises(Rejected):
        check_equations(context(), matrices(*PUSH, **changes), [[["left", 0], ["right", 1]]])


@pytest.mark.parametrize("proof", [
    [], [[]], [[["left", 0]]], [[["left", 5]]], [[["trust", 0]]], [[["solve", 0, [":Xt", ":X"]]]],
    [[["solve", 0, []]]], [[["expand", 0]]], [["left"]], None,
])  # fmt: skip
def test_wrong_steps_prove_nothing(proof):
    with pytest.raises(Rejected):
        check_equations(context(), matrices(*PUSH), proof)


def test_words_do_not_commute_and_letters_are_named_apart():
    ab, ba = [["1", [":A", ":B"]]], [["1", [":B", ":A"]]]
    assert vanishing(context(), matrices(ab, ba)) is None
    with pytest.raises(Rejected):
        matrices([["1", ["P", "Z"]]], [["1", []]])  # a matrix named P is ":P"
