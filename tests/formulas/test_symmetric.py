"""A matrix is symmetric only where an eigenvalue of it as it stands is printed."""

import pytest

from boundcheck.calibration import small_budget
from boundcheck.checks import enumeration
from boundcheck.checks.base import Task
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


@pytest.mark.parametrize("latex, fields", [
    (r"\lambda_{\max}(A^\top A) \leq \operatorname{tr}(A^2)", ["A Matrix(d, d)"]),
    (r"\lambda_{\max}((A + A^\top)/2) \leq \|A\|", ["A Matrix(d, d)"]),
    (r"\lambda_{\max}(B A B^\top) \leq \lambda_{\max}(A) \|B\|^2",
     ["A Symmetric(d)", "B Matrix(d, d)"]),
    (r"\lambda_{\max}((A - B)^\top (A - B)) \leq 1", ["A Matrix(d, d)", "B Matrix(d, d)"]),
    (r"\lambda_{\max}(X^\top X + \mu I) \leq \|X\|^2 + \mu", ["X Matrix(d, d)"]),
    (r"\lambda_{\max}(A) \leq \|A\|", ["A Symmetric(d)"]),
    (r"(A x)^\top x \leq \lambda_{\max}(A) \|x\|^2", ["A Symmetric(d)"]),
    (r"\lambda_{\max}(I - \eta A) + \operatorname{tr}(B) \leq 1",
     ["A Symmetric(d)", "B Matrix(d, d)"]),
    (r"\lambda_{\max}(\Sigma^{-1}) = 1 / \lambda_{\min}(\Sigma)", ["Sigma Symmetric(d)"]),
    (r"\lambda_{\max}(A B A) \leq \lambda_{\max}(2A - B/3)^3",
     ["A Symmetric(d)", "B Symmetric(d)"]),
    (r"\|\sum_{i=1}^n A_i\|_F \leq \sum_{i=1}^n \|A_i\|_F", ["A Tuples(n, Matrix(d, d))"]),
    (r"\lambda_{\max}(\sum_{i=1}^n A_i) \leq \sum_{i=1}^n \lambda_{\max}(A_i)",
     ["A Tuples(n, Symmetric(d))"]),
    (r"\sum_{i=1}^n \sum_{j=1}^n A_{ij}^2 = \|A\|_F^2", ["A Matrix(n, n)"]),
    (r"\sum_{i=1}^d A_{ii} = \operatorname{tr}(A)", ["A Matrix(d, d)"]),
])  # fmt: skip
def test_a_matrix_is_as_general_as_its_print(latex, fields):
    text = formula_text(latex, "lemma")
    for each in fields:
        name, _, kind = each.partition(" ")
        assert f'{name} = world("{name}", {kind})' in text


@pytest.mark.parametrize("latex, words", [
    (r"\lambda_{\max}(A B) \leq \|A\| \|B\|", r"an eigenvalue of A \* B, which need not"),
    (r"\lambda_{\min}(A^2) \geq 0", r"an eigenvalue of A\*\*2"),
    (r"\lambda_{\max}(A - A^\top) \leq \|A\|", "as the transpose of A is printed"),
    (r"\lambda_{\max}(A) \leq \lambda_{\max}(A^\top A)^{1/2}", "as the transpose of A is printed"),
    (r"\lambda_{\max}(A B A) \leq \lambda_{\max}(A)^2", r"an eigenvalue of A \* B \* A"),
    (r"\sum_{i=1}^n \sum_{j=1}^d A_{ij}^2 = \|A\|_F^2", "A over two ranges"),
])  # fmt: skip
def test_an_eigenvalue_is_of_a_symmetric_matrix(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex", [
    # [0, 1; 0, 0] and [0, 1; -1, 0], whose squares have the traces 0 and -2.
    r"\lambda_{\max}(A^\top A) \leq \operatorname{tr}(A^2)",
    r"\sum_{i=1}^n \operatorname{tr}(A_i^2) \geq 0",
])  # fmt: skip
def test_what_fails_for_a_plain_matrix_is_refuted(latex, tmp_path):
    write_skeleton("mine/formula", tmp_path, "scalar", latex)
    claim = load_library(tmp_path)["mine/formula:printed"]
    assert enumeration.run(Task("mine/formula:printed", claim, small_budget())).outcome == "refuted"


@pytest.mark.parametrize("latex, words", [
    (r"A = A^\top", "a transpose of A, which no norm, trace or product says"),
    (r"x^\top = x", "a transpose of x"), (r"A = A^T", "a transpose of A"),
    (r"A^\top A = \|A\| I", r"compares transpose\(A\) \* A, which is no number"),
    (r"A x = \|x\|", r"compares A \* x"), (r"\operatorname{tr}(A) = A", "compares A,"),
    (r"x x^\top = \|x\|", r"compares x \* transpose\(x\)"),
    (r"\langle x, y \rangle = y", "compares y, which is no number"),
    (r"\sum_{i=1}^n \|A_i\| + \sum_{i=1}^n A_i = \operatorname{tr}(B)", "no number"),
])  # fmt: skip
def test_numbers_are_compared(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, text", [
    (r"\|A - A^\top\|_F = 0", "Eq(frobenius_norm(A - transpose(A)), 0)"),
    (r"(A x)^\top y = x^\top A^\top y", "Eq(inner(A * x, y), inner(x, transpose(A) * y))"),
    (r"\sum_{i=1}^n x_i^\top y_i \leq \sum_{i=1}^n \|x_i\|^2",
     "total(inner(row(x, i), row(y, i)), i)"),
    (r"\max_{i} x_i \leq \|x\|", "greatest(x[i], i) <= norm(x)"), (r"\rho^T \leq 1", "rho**T <= 1"),
])  # fmt: skip
def test_numbers_of_matrices_and_vectors_are_compared(latex, text):
    assert text in formula_text(latex, "lemma")
