"""A number that may be the length of what is in a norm is refused, or printed as this length."""

import pytest

from boundcheck.calibration import small_budget
from boundcheck.checks import enumeration
from boundcheck.checks.base import Task
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import assumed, formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


@pytest.mark.parametrize("latex, words", [
    (r"\|x\|_1 \leq \sqrt{n} \|x\|_2", "the number n beside x, whose length"),
    (r"\|x\|_1 \leq n^{1/2} \|x\|_2", "the number n beside x"),
    (r"\frac{1}{n}\|x\|_1 \leq \|x\|_\infty", "the number n beside x"),
    (r"\|x\|_\infty \leq \|x\|_2 \leq \sqrt{m} \|x\|_\infty", "the number m beside x"),
    (r"\|\frac{x}{N}\|_1 \leq \|x\|_\infty", "the number N beside x"),
    (r"x^\top x \leq n \|x\|_\infty^2", "the number n beside x"),
    (r"\langle x, y \rangle \leq K \|x\|_\infty \|y\|_\infty", "the number K beside x"),
    (r"\operatorname{tr}(A) \leq n \|A\|", "the number n beside A, whose size or rank"),
    (r"\operatorname{tr}(I) = n", "the number n beside I"),
    (r"\|A\|_F \leq \sqrt{k} \|A\|", "the number k beside A"),
    (r"\|A\|_F \leq \sqrt{r} \|A\|", "the number r beside A"),
    (r"\operatorname{tr}(A) \leq r \|A\|", "the number r beside A"),
    (r"\|x\|_1 \leq \sqrt{s} \|x\|_2", "the number s beside x"),
    (r"\|x\|_1 \leq p^{0.5} \|x\|_2", "the number p beside x"),
    (r"|\det(A)| \leq \|A\|^n", "the number n beside A"),
    (r"\det(2A) = 2^n \det(A)", "the number n beside A"),
    (r"\log\det(A) \leq \operatorname{tr}(A) - n", "the number n beside A"),
    (r"\operatorname{tr}(e^{A}) \leq n e^{\|A\|}", "the number n beside A"),
])  # fmt: skip
def test_a_number_that_may_be_a_length_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "say the length, as in" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, relation", [
    (r"\|x\|^n \leq \|y\|^n", "norm(x)**n <= norm(y)**n"),
    (r"(1-\eta)^k \|x\|^2 \leq \|y\|^2", "(1 - eta)**k * norm(x)**2 <= norm(y)**2"),
    (r"e^{-n t} \|x\| \leq \|y\|", "exp(-n * t) * norm(x) <= norm(y)"),
    (r"\|x_k - x^*\|^2 \leq \|x_0 - x^*\|^2 / k", "norm(x_k - x_star)**2 <= norm(x_0 - x_star)**2"),
    (r"f(x_N) \leq \frac{L \|x_0 - y\|^2}{2N}", "f_of_x_N <= L * norm(x_0 - y)**2 / (2 * N)"),
    (r"\eta T \|x\|^2 \leq \|y\|", "eta * T * norm(x)**2 <= norm(y)"),
    (r"\|x\| \leq \sqrt{\frac{d}{n}} \|y\|", "norm(x) <= sqrt(d / n) * norm(y)"),
    (r"\|x\|_1 \leq r \|x\|_2", "total(Abs(at(x, s)), s) <= r * norm(x)"),
    (r"n \|x\| \leq m t", "n * norm(x) <= m * t"),
    (r"\|x\| \leq c \|y\| + p", "norm(x) <= c * norm(y) + p"),
    (r"\max_{i \in [n]} \|x_i\| \leq n \|y\|", "greatest(norm(row(x, i)), i) <= n * norm(y)"),
    (r"\|\sum_{i=1}^n x_i\| \leq \sqrt{n} \|y\|", "norm(total(row(x, i), i)) <= sqrt(n) * norm(y)"),
    (r"\mathbb{E}\|\sum_i \sigma_i x_i\| \leq n \|y\|", "average(norm(total(signs[i] * row(x, i)"),
])  # fmt: skip
def test_a_number_that_is_bound_or_a_power_is_read(latex, relation):
    assert f"Holds({relation}" in formula_text(latex, "lemma").replace("\n        ", "")


@pytest.mark.parametrize("latex", [
    r"\|x\|_1 \leq \sqrt{d} \|x\|_2", r"\sum_{i=1}^n |x_i| \leq \sqrt{n} \|x\|_2",
    r"\operatorname{tr}(A) \leq d \|A\|", r"\|x\|_1 \leq \sqrt{n} \|x\|_2, x \in \mathbb{R}^n",
    r"\operatorname{tr}(A) \leq n \|A\|, A \in \mathbb{R}^{n \times n}",
])  # fmt: skip
def test_a_printed_length_is_that_of_the_world(latex, tmp_path):
    write_skeleton("mine/formula", tmp_path, "scalar", latex)
    claim = load_library(tmp_path)["mine/formula:printed"]
    task = Task("mine/formula:printed", claim, small_budget())
    assert enumeration.run(task).outcome == "supported"


@pytest.mark.parametrize("latex, lines, more", [
    (r"\|x\|_1 \leq \sqrt{n} \|x\|_2, x \in \mathbb{R}^n.",
     ['n = world("n", Integer(1', 'x = world("x", Vector(n))', "<= sqrt(n) * norm(x)"], ""),
    (r"\|A x\| \leq n \|A\| \|x\|, x \in \mathbb R^{n}, A \in \mathbb{R}^{n \times n}",
     ["Vector(n)", "Matrix(n, n)", "norm(A * x) <= n * operator_norm(A) * norm(x)"], ""),
    (r"|\langle x, y \rangle| \leq n \|x\|_\infty \|y\|_\infty, \quad x, y \in \mathbb{R}^n",
     ['x = world("x", Vector(n))', 'y = world("y", Vector(n))'], ""),
    (r"\operatorname{tr}(I) = n, I \in \mathbb{R}^{n \times n}", ["trace(identity(n)), n)"], ""),
    (r"\|x\|_1 \leq \sqrt{3} \|x\|_2, x \in \mathbb{R}^3", ["Vector(3)"], ""),
    (r"\|x\|_1 \leq \sqrt{d} \|x\|_2, x \in \mathbb{R}^d", ["Vector(d)"], ""),
    (r"\|x\|_1 \leq m \sqrt{n} \|x\|_2, x \in \mathbb{R}^n", ["Vector(n)", "m * sqrt(n)"],
     "m is a whole number >= 1"),
    (r"x \leq x^2 + 1, x \in \mathbb{R}", ["Holds(x <= x**2 + 1)"], ""),
])  # fmt: skip
def test_a_space_after_the_formula_says_the_length(latex, lines, more):
    text = formula_text(latex, "lemma")
    assert all(line in text for line in lines)
    assert assumed(latex) == more


@pytest.mark.parametrize("latex, words", [
    (r"\|x\| \leq \|y\|, x \in \mathbb{R}^n", "the length n of x, and not of all"),
    (r"\|x\| \leq \|y\|, x \in \mathbb{R}^n, y \in \mathbb{R}^m", "and not of all"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^n, x \in \mathbb{R}^m", "x in two spaces"),
    (r"\|A\| \leq 1, A \in \mathbb{R}^{m \times n}", "a space of other sides"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^{n+1}", "a space of other sides"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^{0}", "a space of other sides"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^{", "a space of other sides"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^12", r"write \^\{12\}"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^e", "a space of other sides"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^n_+", "'_' after the formula"),
    (r"\|x\| \leq 1, x \in \mathbb{C}^n", "a set other than the reals"),
    (r"\|x\| \leq 1, x \in S", "a set other than the reals"),
    (r"\|x\| \leq 1, x \in", "a set other than the reals"),
    (r"\|x\| \leq 1, z \in \mathbb{R}^n", "says that z is a vector"),
    (r"\|x\| \leq 1, x \in \mathbb{R}", "says that x is a number"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^{n \times n}", "says that x is a matrix"),
    (r"x \leq 1, x \in \mathbb{R}^n", "says that x is a vector"),
    (r"\|x\| \leq 1, x \in \mathbb{R}^x", "the length x of x"),
    (r"\sum_{i=1}^m |x_i| \leq \|x\|, x \in \mathbb{R}^n", "without indices"),
    (r"\mathbb{E}[X] \leq \|x\|, x \in \mathbb{R}^n", "random letters"),
])  # fmt: skip
def test_a_space_that_does_not_fit_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)
