"""Displayed formulas become statement files: what is read and refused; SymPy's parser agrees."""

import random
import tomllib
from pathlib import Path

import pytest
import sympy

from boundcheck.at import at
from boundcheck.calibration import small_budget
from boundcheck.checks import definedness, enumeration
from boundcheck.checks.base import Task
from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import assumed, formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton

LITERATURE = tomllib.loads(Path(__file__).with_name("literature.toml").read_text())["formulas"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("literature")
    for name, latex in LITERATURE.items():
        write_skeleton(f"literature/{name}", root, "scalar", latex)
    return load_library(root)


def claim_of(latex, folder):
    write_skeleton("mine/formula", folder, "scalar", latex)
    return load_library(folder)["mine/formula:printed"]


def test_formulas_of_the_literature_become_claims(library):
    assert not library.broken
    assert set(library.claims) == {f"literature/{name}:printed" for name in LITERATURE}


def test_every_template_runs_as_written(library):
    """A value, or a world without one or in which it fails, at once: nothing is to be defined."""
    for key, claim in library.claims.items():
        task = Task(key, claim, small_budget())
        outcome = definedness.run(task).outcome
        assert outcome in (None, "malformed", "refuted"), key
        if outcome is None and claim.draw is None:
            verdict = enumeration.run(task).outcome
            assert verdict in ("supported", "refuted", "malformed", "undecided"), key


@pytest.mark.parametrize("name, statement", [
    ("bilinear", "inner(x, A*y) <= norm(x)*norm(y)*operator_norm(A)"),
    ("frobenius", "frobenius_norm(A*B) <= frobenius_norm(B)*operator_norm(A)"),
    ("nuclear", "trace(matrix_root(A.T*A)) <= sqrt(d)*frobenius_norm(A)"),
    ("singular", "operator_norm(A*B) <= operator_norm(A)*operator_norm(B)"),
    ("trace", "trace(A*B) <= frobenius_norm(A)*frobenius_norm(B)"),
    ("hoelder", "Abs(total(x[i]*y[i], i)) <= greatest(Abs(y[r]), r)*total(Abs(x[r]), r)"),
    ("harmonic", "total(1/(i + 1), i) <= log(n) + 1"),
    ("sum_of_vectors", "norm(total(row(x, i), i)) <= total(norm(row(x, i)), i)"),
    ("markov", "total(p[k]*indicator(X[k] >= t), k) <= total(X[k]*p[k], k)/t"),
    ("khintchine", "average(Abs(total(a[i]*xi[i], i)), xi) <= sqrt(total(a[i]**2, i))"),
    ("gradient_descent", "f_of_x_N - f_of_x_star <= L*norm(x_0 - x_star)**2/(2*N)"),
    ("sums_beside", "total(x[i]*y[i], i)**2 <= total(x[i]**2, i)*total(y[i]**2, i)"),
    ("means_beside", "total(x[i]/n, i)*total(y[i], i)/n <= total(x[i]*y[i], i)/n"),
    ("donsker_varadhan", "total(Q[k]*X[k], k) <= total(Piecewise((0, Eq(Q[k], 0)), "
     "(log(Q[k]/P[k])*Q[k], True)), k) + log(total(exp(X[k])*P[k], k))"),
    ("uniform_interval", "supremum(x*(1 - x), (x, 0, 1)) <= 1/4"),
])  # fmt: skip
def test_the_relation_is_the_printed_one(library, name, statement):
    claim = library[f"literature/{name}:printed"]
    assert sympy.sstr(claim.statement.relation) == statement


@pytest.mark.parametrize("latex, relation", [
    (r"KL(P,Q) \leq 1", "relative_entropy(P_, Q) <= 1"),
    (r"\frac{D_{KL}}{(x+1)} \leq 1", "D_KL / (x + 1) <= 1"), (r"K L(x) \leq 1", "K * L_of_x <= 1"),
    (r"\mathrm{TV}(P, Q) \leq (\|x\| + 1)", "total_variation(P_, Q) <= norm(x) + 1"),
])  # fmt: skip
def test_a_divergence_is_told_from_letters(latex, relation):
    assert f"Holds({relation})" in formula_text(latex, "x")


def test_forms_follow_the_words_of_the_print(library):
    form = {name: library[f"literature/{name}:printed"].statement for name in LITERATURE}
    assert form["finite_class"].name == "WithProbability"
    assert str(form["finite_class"].level) == "1 - delta"
    assert {name for name, each in form.items() if each.name == "UpToConstant"} == {
        "uniform_order", "ridge", "fast_rate"
    }  # fmt: skip


@pytest.mark.parametrize("name, values, left, right", [
    # By hand: |3 - 2| <= 3 * 3; 2^2 <= 5; |-6| <= 2 * 3; (|7| + |-1|) / 2 = 4 <= 5.
    ("hoelder", {"d": 2, "x": [1, 2], "y": [3, -1]}, "left        1", "right       9"),
    ("lyapunov", {"p": ["1/2", "1/2"], "X": [3, -1]}, "left        4", "right       5"),
    ("frobenius", {"d": 1, "A": [[-2]], "B": [[3]]}, "left        6", "right       6"),
    ("khintchine", {"n": 2, "a": [3, 4]}, "left        4", "right       5"),
])  # fmt: skip
def test_both_sides_have_the_values_computed_by_hand(library, name, values, left, right):
    key = f"literature/{name}:printed"
    found = str(at(key, library[key], values))
    assert left in found and right in found and "holds here" in found


@pytest.mark.parametrize("latex", [
    r"\frac{a + b}{2} \geq \sqrt{a b}", r"\exp(-x) \leq 1 - x + \frac{x^2}{2}",
    r"e^{-2 n t^{2}} \leq \frac{1}{1 + t}", r"\log(1 + x) \geq \frac{2 x}{2 + x}",
    r"a b \leq \frac{a^{2}}{2 c} + \frac{c b^{2}}{2}", r"\sqrt[3]{a b c} \leq \frac{a+b+c}{3}",
])  # fmt: skip
def test_plain_formulas_are_read_as_by_sympy(latex, tmp_path):
    pytest.importorskip("lark")
    from sympy.parsing.latex import parse_latex

    theirs = parse_latex(latex, backend="lark")
    ours = claim_of(latex, tmp_path).statement.relation
    rng = random.Random(latex)
    values = {name: sympy.Rational(rng.randint(1, 30), 10) for name in "abcxuntu"}
    sides = []
    for relation in (theirs, ours):
        at_values = {symbol: values[symbol.name] for symbol in relation.free_symbols
                     if symbol.name in values}  # fmt: skip
        at_values[sympy.Symbol("e")] = sympy.E
        gap = (relation.gts - relation.lts).subs(at_values)
        sides.append(float(gap.evalf(30)))
    # Thirty digits of numbers of order ten: another reading differs in the first digits.
    assert sides[0] == pytest.approx(sides[1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("latex, words", [
    (r"\frac{a}{b}", "no comparison"), (r"x \leq", "nothing, at its end"),
    (r"\|x\|_A \leq 1", "the norm with subscript 'A'"), (r"|x \leq 1", "nothing closes"),
    (r"t^2/2n \leq 1", "a product after /"), (r"\mathbb{E}[X|Y] \leq 1", "conditional"),
    (r"\int_0^1 x \leq 1", "int"), (r"a \pm b \leq 1", "the sign|pm"),
    (r"\sup_{f \in F} R(f) - 1 \leq 0", "after a maximum"),
    (r"\mathbb{E}(X - 1)^2 \leq 1", r"write \[\( \)\^2\]"),
    (r"\tilde{O}(n) \geq 1", "order up to logarithms"), (r"P(x > 1) \leq 1", "nothing random"),
    (r"\mathrm{Cov}(X, Y) \leq 1", "the word Cov"), (r"x \leq 1 \quad \forall x", "forall"),
    ("(" * 60 + "x" + ")" * 60 + r"\leq 1", "within one another"),
    ("__import__('os') \\leq 1", "cannot be read"),
    (r"\sum_{i=1}^n x_i \leq \sum_{i=1}^m y_i", "two ranges"),
    (r"\|A\| \leq \langle A, x \rangle", "as a vector and as a matrix"),
    (r"\sum_{i=1}^n x_i \max_{i} y_i \leq 1", "the index i twice"),
    (r"\mathrm{KL}(P \| Q) \leq P", "a law and as a number"), (r"(x \| y) \leq 1", "Vert"),
    (r"\mathbb{E}[X] \leq \mathrm{KL}(P \| Q)", "under which"),
    ("lambda^2 \\leq 1 + lambda^4", "lambda, which LaTeX sets"),
    (r"\sqrt{2 sigma} \leq 1", "sigma, which LaTeX sets"),
    (r"\mathrm{KL}(P + Q \| Q) \leq 1", "no two letters"), (r"d_{TV}(P) \leq 1", "no two letters"),
    (r"\|P + Q\|_{TV} \leq 1", "no difference"), (r"\operatorname{Kf", "its end"),
    (r"\sum_{i=1}^i y_i \leq 1", "which depends on i"), (r"\sum_2 x \leq 1", "no single letter"),
    (r"\sum_{i=1}^n X n_i \leq 1", "up to n, which depends"),
    (r"\|x\|_1 \|\max_{i} y\|_\infty \geq 0", "of what is no vector"),
    ("x" * 3000, "shorten it"),
])  # fmt: skip
def test_what_cannot_be_read_is_named_in_one_line(latex, words, tmp_path):
    with pytest.raises(InvalidArgument, match=words) as caught:
        write_skeleton("mine/formula", tmp_path, "scalar", latex)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("latex, text", [
    (r"\frac12 x^2y \leq z", "Rational(1, 2) * x**2 * y <= z"),
    (r"\lambda_{\max}(A) \leq \lambda", "largest_eigenvalue(A) <= lambda_"),
    (r"E \leq P", "E_ <= P_"), (r"a \leq b \leq c", "And(a <= b, b <= c)"),
    (r"|a||b| \leq |ab|", "Abs(a) * Abs(b) <= Abs(a * b)"),
    (r"\log^2 n \leq n", "log(n)**2 <= n"), (r"0.5 x \leq x", 'Rational("0.5") * x <= x'),
    (r"\max\{a, b\} \geq a", "Max(a, b) >= a"), (r"2^{-1} \leq x", "Rational(2)**(-1) <= x"),
])  # fmt: skip
def test_notations(latex, text):
    assert text in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, more", [
    (r"K \log(1/\delta) \geq 0", "K is a whole number >= 1; delta lies in (0, 1)"),
    (r"x^\top A x \leq \lambda_{\max}(A) \|x\|^2", "A is symmetric"),
    (r"\|A x\| \leq \sqrt{d} \|A\| \|x\|",
     "A is a square matrix; d is the length of the vectors and matrices"),
    (r"\mathrm{KL}(P \| Q) \leq \log K", "K is the number of atoms of the laws"),
    (r"\mathbb{E}|\sum_{i=1}^n \sigma_i a_i| \leq \sum_{i=1}^n |a_i|",
     "sigma stands for independent fair signs"),
    (r"\mathbb{P}(\sum_{i=1}^n X_i \geq t) \leq 1", "X stands for independent draws from [0, 1]"),
    (r"\mathbb{E}[\sup_{h \in H} |L(h) - \hat{L}(h)|] \leq 1",
     "h has losses in [0, 1], drawn independently"),
    (r"\sum_{i=1}^d x_i^2 \leq d \|x\|^2", ""), ("x^2 \\geq 0", ""),
])  # fmt: skip
def test_what_is_assumed_beyond_the_print_is_said(latex, more):
    text = formula_text(latex, "lemma")
    assert assumed(latex) == more
    said = [line for line in text.splitlines() if line.startswith("# The formula does not say")]
    assert said == [f"# The formula does not say that {each}: it is assumed."
                    for each in more.split("; ") if each]  # fmt: skip
