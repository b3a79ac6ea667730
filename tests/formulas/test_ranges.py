"""Sets stay apart; what has entries has one size under all of its indices, or is refused."""

import pytest

from boundcheck.calibration import small_budget
from boundcheck.checks import enumeration
from boundcheck.checks.base import Task
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import assumed, formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


def outcome_of(latex, folder):
    write_skeleton("mine/formula", folder, "scalar", latex)
    claim = load_library(folder)["mine/formula:printed"]
    return enumeration.run(Task("mine/formula:printed", claim, small_budget())).outcome


@pytest.mark.parametrize("latex, words", [
    (r"\sum_{i \in S} a_i^2 \leq 2 \sum_{i \in T} a_i^2", "the index i with two ranges"),
    (r"\sum_{i \in S} a_i^2 \leq \sum_{i=1}^n a_i^2", "the index i with two ranges"),
    (r"\sum_{i \in S} a_i^2 \leq 2 \sum_{j \in T} a_j^2", "a over two ranges, by the indices i, j"),
    (r"\sum_{i \in S} a_i^2 \leq \sum_{j=1}^n a_j^2", "a over two ranges"),
    (r"\sum_{i \in S} a_i^2 \geq \sum_i a_i^2", "the index i with two ranges"),
    (r"\max_i a_i \leq \max_{i \in S} a_i", "the index i with two ranges"),
    (r"\sum_{i \in S} a_i^2 \geq \sum_j a_j^2", "a over two ranges"),
    (r"\sup_{f \in \mathcal{F}} R(f) \leq \sup_{f \in \mathcal{G}} R(f)", "two ranges"),
    (r"\sup_{f \in \mathcal{F}} R(f) \leq \sup_{g \in \mathcal{G}} R(g)", "R over two ranges"),
    (r"\inf_{x \in A} f(x) \leq \sup_{y \in B} f(y)", "f over two ranges"),
    (r"\mathbb{E}[\sup_{f \in F} |R(f) - \hat{R}(f)|] \leq \mathbb{E}[\sup_{g \in G} \hat{R}(g)]",
     "R_hat over two ranges"),
    (r"\sum_{i \in S} a_i \leq S", "S as a set and as a number"),
    (r"\sum_{k=1}^n \sum_{i \in S_k} a_i \leq 1", "a set that depends on an index"),
    (r"\sum_{i=1}^n x_i^2 + \sum_{j=1}^m x_j^2 \leq 1", "x over two ranges"),
    (r"\sum_{i=1}^n x_i = \sum_{j=0}^{n-1} x_j", "x over two ranges"),
    (r"\sum_{i=1}^n \sum_{j=1}^m A_{ij} = \sum_{j=1}^m \sum_{i=1}^n A_{ji}", "A over two ranges"),
    (r"\mathbb{E}[\sum_{t=1}^T X_t] \leq \sum_{t=1}^T \mathbb{E}[X_t]", "draws by the indices t"),
    (r"\sum_{i=0}^n \sum_{j=1}^i x_j \leq 1", "an index up to i"),
    (r"\sum_{j=1}^x y_j \leq \|x\|_1 + \|y\|_1", "the index j up to x, which has entries"),
    (r"\mathbb{E}[\sup_{f \in F} |R(f) - L(f)|] \leq 1", "the risks L and R"),
    (r"\sup_{f \in F} \sum_{i=1}^n f(x_i) \leq \sup_{g \in F} \sum_{i=1}^n g(x_i)",
     "f and g of one set at points"),
    (r"\langle x, y \rangle \leq \|x\| + \sum_{i=1}^n x_i^2 + \sum_{j=1}^m y_j^2",
     "y with entries up to m beside x with entries up to n"),
    (r"\mathbb{E}[\sup_{f \in F} \inf_{g \in F} (\hat{R}(f) - \hat{R}(g))] \leq 1",
     "f and g of one class at once"),
])  # fmt: skip
def test_ranges_that_differ_are_never_one(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, lines", [
    (r"\sum_{i \in S} a_i^2 \leq |S| \max_{j \in S} a_j^2",
     ["members_i * greatest(a[j]**2, j)", "Vector(members_i)", 'j = index("j", members_i)']),
    (r"\sum_i x_i = \sum_j x_j", ['i = index("i", members_i)', 'j = index("j", members_i)']),
    (r"\sum_{i=1}^n x_i^2 + \sum_j x_j^2 \geq 0", ['x = world("x", Vector(n))', 'index("j", n)']),
    (r"\inf_x f(x) \leq \sup_y f(y)", ['x = index("x", members_x)', 'y = index("y", members_x)']),
    (r"\sum_{i \in S} a_i + \sum_{j \in T} b_j \leq 1", ["Vector(members_i)", "Vector(members_j)"]),
    (r"\sum_i \sum_j A_{ij}^2 = \|A\|_F^2", ['A = world("A", Matrix(members_i, members_i))']),
    (r"\mathbb{E}[\max_i X_i] \leq \sum_i \mathbb{E}[X_i]", ['i = index("i", n)']),
    (r"\mathbb{E}[\sup_{f \in F} (\hat{R}(f) + a_f)] \leq |F|", ['Vector(H)', "<= H"]),
    (r"\mathbb{E}[\sup_{f \in F} \hat{R}(f)] \leq \max_i a_i", ["Vector(members_i)"]),
    (r"\sum_{i=1}^n \|x_i\|_1 \leq \|y\|_1",
     ['x = world("x", Matrix(n, d))', 'r = index("r", d)', "at(row(x, i), r)", "at(y, r)"]),
    (r"\|A x\| \leq \sqrt{\sum_{i=1}^n \sum_{j=1}^n A_{ij}^2} \|x\| + \|y\|",
     ['A = world("A", Matrix(n, n))', 'x = world("x", Vector(n))', 'y = world("y", Vector(d))']),
    (r"\|\sum_{i=1}^n a_i x_i\| \leq \|a\|_1 \max_i \|x_i\|", ["Vector(n)", "Matrix(n, d)"]),
    (r"\|A - I\| \leq \sum_{i=1}^n A_{ii}^2", ["identity(n)"]),
    (r"\|x\|_1 + \sum_{i=1}^n x_i + \sum_{j=1}^m y_j \leq \|y\|_\infty",
     ['r = index("r", n)', 's = index("s", m)', "at(x, r)", "at(y, s)"]),
])  # fmt: skip
def test_sizes_are_those_of_the_print(latex, lines):
    text = formula_text(latex, "lemma")
    assert [each for each in lines if each not in text] == []


@pytest.mark.parametrize("latex", [
    r"\sum_i \sum_j x_i x_j = \left(\sum_i x_i\right)^2", r"\sum_i x_i = \sum_j x_j",
    r"\mathbb{E}[\max_i X_i] \leq \sum_i \mathbb{E}[X_i]", r"\inf_x f(x) \leq \sup_y f(y)",
    r"\max_i \|x_i\|_\infty \leq \sum_i \|x_i\|_1",
    r"\sum_{i=1}^n \|x_i\|_1 \leq \sqrt{d} \sum_{i=1}^n \|x_i\|_2",
])  # fmt: skip
def test_what_is_true_of_one_array_is_not_refuted(latex, tmp_path):
    assert outcome_of(latex, tmp_path) == "supported"


def test_a_size_that_no_index_has_is_assumed_whole():
    assert "size_G is a whole number >= 1" in assumed(r"\log |\mathcal{G}| \leq |\mathcal{G}|")
