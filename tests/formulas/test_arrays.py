"""Functions of matrices are those of matrices; marks that are operations there are no letters."""

import pytest

from boundcheck.calibration import small_budget
from boundcheck.checks import enumeration
from boundcheck.checks.base import Task
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


@pytest.mark.parametrize("latex, text", [
    (r"\operatorname{tr}(e^{A}) \leq d e^{\|A\|}", "trace(exponential(A)) <= d * exp(operator"),
    (r"\operatorname{tr} e^{A+B} \leq \operatorname{tr}(e^{A} e^{B})",
     "trace(exponential(A) * exponential(B))"),
    (r"\|e^{tA} x\| \leq e^{t \|A\|} \|x\|", "norm(exponential(t * A) * x)"),
    (r"\|\exp(-A)\|_F \leq 1", "frobenius_norm(exponential(-A))"),
    (r"\|(A^\top A)^{1/2}\|_F = \|A\|_F", "frobenius_norm(matrix_root(transpose(A) * A))"),
    (r"\operatorname{tr}(\sqrt{A^\top A}) \leq 1", "trace(matrix_root(transpose(A) * A))"),
    (r"\|(A^\top A)^{-0.5}\| \leq 1", "matrix_root(transpose(A) * A)**(-1)"),
    (r"\|A^{1/2}\|^2 \leq \|A\|", 'A = world("A", Symmetric(d))'),
    (r"\lambda_{\max}(e^{A}) = e^{\lambda_{\max}(A)}", "largest_eigenvalue(exponential(A))"),
    (r"\|\sqrt{A} x\| \leq \|A\| \|x\|", "norm(matrix_root(A) * x)"),
    (r"\|\Sigma^{1/2} x\|^2 = x^\top \Sigma x", "matrix_root(Sigma) * x)**2, inner(x, Sigma * x)"),
    (r"\|\sqrt{K \log T} x\| \leq 1", "norm(sqrt(K * log(T)) * x)"),
    (r"\|A^2\| + \|A^{-1}\| \leq \|A + \lambda I\|", "norm(A**2) + operator_norm(A**(-1))"),
    (r"|\det(A)| \leq \|A\|^d", "Abs(determinant(A)) <= operator_norm(A)**d"),
    (r"(x - 1)_+ + [x]_{+}^2 \leq x^2", "Max(x - 1, 0) + Max(x, 0)**2 <= x**2"),
    (r"\|x - x'\| \leq \|\theta^*\|", "norm(x - x_prime) <= norm(theta_star)"),
    (r"\|W - W_\star\|_F \leq \bar{y}", "frobenius_norm(W - W_star) <= y_bar"),
])  # fmt: skip
def test_functions_of_matrices(latex, text):
    assert text in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, words", [
    (r"\|A^t\| \leq 1", "a power of A, which is a matrix"),
    (r"\|A^{1/3}\| \leq 1", "a power of A, which is a matrix"),
    (r"\|x\|^2 \leq x^2", "a power of x, which is a vector"),
    (r"\operatorname{tr}(\log(A)) \leq 1", "the function log of A, which is a matrix"),
    (r"\|\exp(x)\| \leq \|x\|", "the function exp of x, which is a vector"),
    (r"\|e^{A t}\| \leq 1", r"the function exp of A \* t, which is a vector"),
    (r"|A| \leq \|A\|", "bars around A, which is a matrix"),
    (r"|x| \leq \|x\|", "bars around x, which is a vector"),
    (r"\frac{1}{A} + \|A\| \leq 1", "a division by A, which is a matrix"),
    (r"\|A + 1\| \leq 1", "a sum of the number 1 and A, which is a matrix"),
    (r"\|x y\| \leq \|x\| \|y\|", "a product with y of x, which is a vector"),
    (r"\|\sqrt{A^\top B}\| \leq 1", r"a root of transpose\(A\) \* B, which need not"),
    (r"\sum_{i=1}^n \|x_i\| \leq \|x\|", r"norm of row\(x, i\), of what is no vector"),
    (r"\sum_{i=1}^n \|A_i\|^2 \leq \|A\|^2", "A as a matrix and as a list of matrices"),
    (r"\sum_{i=1}^n \langle x_i, y \rangle \leq \|x\|", "an inner product of row"),
    (r"\|3\| \leq x", "norm of 3, of what is no vector"),
    (r"x_+ \leq |x|", "a sign below 'x'"), (r"x_{-} \leq |x|", "a sign below 'x'"),
    (r"\sum_{i=1}^n (x_i - \bar{x}) = 0", "x_bar beside entries of x"),
    (r"\|A^\dagger A\| \leq 1", "the matrix A_dagger, which may be"),
    (r"\|A'\| = \|A\|", "the matrix A_prime, which may be"),
    (r"\|A^*\|_F = \|A\|_F", "the matrix A_star, which may be"),
    (r"x' A x \leq \|A\| \|x\|^2", "x_prime before a factor"),
    (r"x'x = \|x\|^2", "x_prime before a factor"), (r"x'x \leq 1", "x_prime before a factor"),
])  # fmt: skip
def test_what_is_no_function_of_arrays_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex", [
    r"\operatorname{tr}(e^{A}) \leq d e^{\|A\|}", r"\|(A^\top A)^{1/2}\|_F = \|A\|_F",
])  # fmt: skip
def test_what_is_true_of_a_matrix_is_not_refuted(latex, tmp_path):
    write_skeleton("mine/formula", tmp_path, "scalar", latex)
    claim = load_library(tmp_path)["mine/formula:printed"]
    task = Task("mine/formula:printed", claim, small_budget())
    assert enumeration.run(task).outcome == "supported"
