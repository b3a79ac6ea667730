"""Print that could mean two things is refused; letters that differ in print stay different."""

import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.formulas.template import formula_text
from boundcheck.library import load_library
from boundcheck.skeleton import write_skeleton


@pytest.mark.parametrize("latex, words", [
    (r"\log n/\delta \leq 1", "a / that may be in the argument of log"),
    (r"\log n \|x\| \leq 1", "in the argument of log or after it"),
    (r"\sin x y \leq 1", "in the argument of sin or after it"),
    (r"\log(n)^2 \leq 1", "a power after the brackets of log"),
    (r"\sin^{-1} x \leq 2", "a negative power of sin"),
    (r"\mathbb{E} X / Y \leq 1", "that may be in the expectation"),
    (r"\mathbb{E} X \cdot Y \leq 1", "that may be in the expectation"),
    (r"E(X) \leq 1", "an E that may be"), (r"E X \leq 1", "an E that may be"),
    (r"E|X| \leq 1", "an E that may be"),
    (r"\frac{d}{dx} x \leq 1", "a derivative"), (r"x^\prime \leq x", "the sign"),
    (r"x^2^3 \leq 1", "a power of a power"), (r"x_i_j \leq 1", "a second _"),
    (r"x^10 \leq 1", r"write \{10\}"), (r"x_12 \leq 1", r"write _\{12\}"),
    ("  ", "is blank"), (r"x \leq 1.2.3", "the number '1.2.3'"),
    (r"e^{i\pi} \leq 1", "may be no real number"), (r"e^{-2 i \theta} \leq 1", "no real number"),
    (r"1e-3 \leq x", "the number '1e-3'"), (r"x² \leq 1", "the sign '²'"),
    (r"٣ \leq x", "the sign '٣'"), (r". \leq 1", "cannot be read"),
    (r"a \leq b \\ c \leq d", "cannot be read"), (r"1 + 1 = 2", "no letter"),
    (r"\inf_{x \in S} x^2 \geq 0", "the values of x"),
    (r"\sup_{x \in \mathbb{R}} f(x) \geq 0", "a set of infinitely many numbers"),
    (r"\sum_i i x_i \leq 1", "the values of i"),
    (r"\langle x, y \rangle_A \leq 1", "the inner product with subscript 'A'"),
    (r"x^{(1-\theta)} \leq 1", "a power or a mark"), (r"x^{*2} \leq 1", "a power or a mark"),
    (r"9^{9^{9}} \leq x", "a power of numbers beyond"),
    (r"\operatorname*{arg\,min}_x x \leq 1", "the word argmin"),
    (r"2\frac{1}{2} \leq x", "a fraction of numbers after a number"),
    (r"\prod_{i=1}^n x_i \cdot y \leq 1", r"cdot' that may be in the product or after it"),
    (r"\prod_{i=1}^n x_i \times y \leq 1", r"cdot' that may be in the product or after it"),
    (r"\prod_{i=1}^n x_i / n \leq 1", "'/' that may be in the product"),
    (r"\prod_{i=1}^n x_i y \leq 1", "a factor that may be in the product or after it, at 'x_i y"),
    (r"\prod_{i=1}^n \sum_{j=1}^n a_{ij} \cdot y \leq 1", "in the product or after"),
    (r"\max_{1 \le i \le n} x_i \cdot y \leq 1", "in the maximum or after"),
    (r"\min_{i \in [n]} x_i / y \leq 1", "in the minimum or after"),
    (r"\sup_{x \in [0, 1]} x \cdot y \leq 1", "in the maximum or after"),
    (r"\max_{i \in [n]} \sum_{j=1}^n a_{ij} \cdot y \leq 1", "in the maximum or after"),
    (r"1 / \sum_{i=1}^n x_i \cdot y \leq 1", "in the divisor or after"),
    (r"\log \sum_{i=1}^n x_i / n \leq 1", "in the argument of log or after"),
    (r"\{x\} \leq 1", "may be its fractional part"), (r"[n x] \leq 1", "may be its integer part"),
    (r"n - [\frac{n}{2}] \leq 1", "may be its integer part"),
    (r"\sup_{0 \leq t \leq 1} t(1-t) = \frac14", "the range of t by an order"),
    (r"\max_{0 \leq t \leq 1} x_t \leq 1", "the range of t by an order"),
    (r"\max_{t \leq n} t^2 \leq n^2", "the range of t by an order"),
    (r"\sup_{t \in [0,1]} t x_t \leq 1", "entries at t, which ranges over an interval"),
    (r"\max_i a_i \max_j b_j \leq 1", "in the maximum or after it"),
    (r"\min_i a_i \sum_j b_j \leq 1", "in the minimum or after it"),
    (r"\sup_{x \in [0,1]} x \sup_{y \in [0,1]} (y - 1) \leq 0", "in the maximum or after it"),
    (r"1 / \sum_i a_i \sum_j b_j \leq 1", "in the divisor or after it"),
    (r"|||x||| \leq 1", "bars within the bars of a norm"),
    (r"\pi(x) \leq 1", "which may be its argument"),
    (r"\pi[x] \leq 1", "may be its argument"), (r"e(x) \leq 1", "after 'e', which may be"),
    (r"\mathrm{e}(1 + x) \leq 1", "after 'e', which may be"),
    (r"3 4 x \leq 2", "the number 4 after 3"), (r"x \leq 2 5", "the number 5 after 2"),
    (r"1\,000 x \leq 1", "the number 000 after 1"), (r"1 .5 \leq x", "the number .5 after 1"),
    (r"x^{1 0} \leq 1", "the number 0 after 1"), (r"\log 2 5 \leq x", "the number 5 after 2"),
    (r"2{3} \leq x", "a number after a number"),
    (r"e^{x}^2 \leq 1", "a power of a power"), (r"x^{*}^2 \leq 1", r"a second \^"),
    (r"x^*^2 \leq 1", r"a second \^"), (r"x^{\top} \leq 1", "a transpose of x"),
    (r"\operatorname{tr} (A+B) C \leq 1", "in the argument of trace or after it"),
    (r"\det(A)(1+x) \leq 1", "in the argument of determinant or after it"),
    (r"\mathbb{E}[X] Y \leq 1", "Y outside of the expectations"),
    (r"\mathbb{E}[X] \leq \sum_{i=1}^n Y_i", "Y outside of the expectations"),
    (r"log(x) \leq x", "log, which LaTeX sets as a product"),
    (r"ln x \leq x - 1", "ln, which LaTeX sets as a product"),
    (r"sin x \leq 1", "sin, which LaTeX sets as a product"),
    (r"\frac1n \sum_i x_i \leq \max_i x_i", "the number n beside the index i without a range"),
    (r"\mathrm{sin}(x) \leq 1", "the word sin"), (r"\mathrm{var}(X) \leq 1", "the word var"),
    (r"\log (1+|x|)(1+|y|) \leq 1", "in the argument of log or after it"),
    (r"\exp(x)[1 + y] \leq 1", "in the argument of exp or after it"),
    (r"\sin(x)\{1 + y\} \leq 1", "in the argument of sin or after it"),
    (r"\log^2(n){\left(n+1\right)} \leq 1", "in the argument of log or after it"),
    (r"\max\{x_i\} \leq 1", "a maximum or minimum of one member"),
    (r"\min(x) \leq 1", "a maximum or minimum of one member"),
    (r"\sqrt[1.5]{x} \leq 1", "the degree of a root"),
    (r"\sqrt[-3]{x} \leq 1", "the degree of a root"),
    (r"x^{(t)2} \leq 1", "a power or a mark"), (r"x^{(t)-1} \leq 1", "a power or a mark"),
    (r"x^{(n+1)2} \leq 1", "a power or a mark"),
    (r"a{b + c} \leq 1", "braces around a sum"), (r"{a + b}^2 \leq 1", "braces around a sum"),
    (r"2{x + 1} \leq 1", "braces around a sum"), (r"a{-b} \leq 1", "braces around a sum"),
    (r"x - {y + 1} \leq 1", "braces around a sum"), (r"\log{x + 1} \leq 1", "braces around a sum"),
])  # fmt: skip
def test_print_with_two_readings_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, words", [
    (r"\lambda_\mathrm{max}(A) \geq 0", "brackets after 'lambda_max'"),
    (r"\lambda_{\mathrm{max}}(A + B) \leq 1", "brackets after 'lambda_max'"),
    (r"x_\frac12 \leq 1", r"a subscript .frac without braces"),
    (r"x_(1) \leq 1", "'\\(' as a subscript"), (r"x_\mathrm 12 \leq 1", "a number in a subscript"),
    (r"x_ \leq 1", "as a subscript"), (r"x_{1 \leq 2", "says a range"),
    (r"e^x_i \leq 1", "the subscript below e"), (r"e^f(x) \leq 1", "'f', which LaTeX takes alone"),
    (r"2^f(x) \leq 1", "'f', which LaTeX takes alone"), (r"x^n' \leq 1", "which LaTeX takes alone"),
    (r"\sqrt x_1 \leq 1", "'x', which LaTeX takes alone"), (r"\frac1f(x) \leq 1", "takes alone"),
    (r"n^\log n \leq 1", "without braces around what belongs to it"),
    (r"\sqrt\log n \leq 1", "without braces around"), (r"x^(1/2) \leq 1", "without braces around"),
    (r"x^|a| \leq 1", "without braces around"), (r"x^\mathrm{tr}(A) \leq 1", "without braces"),
    (r"x_i^2_j \leq 1", "a second _"), (r"x^12_i \leq 1", r"write _\{12\}|write \{12\}"),
    (r"x^{\mathbf{2}} \leq 1", "the symbol '2'"),
])  # fmt: skip
def test_a_script_without_braces_is_one_sign(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, relation", [
    (r"|R_\mathrm{emp} - R_{\mathrm{emp}}| \leq L_\text{train}", "Abs(R_emp - R_emp) <= L_train"),
    (r"x_\hat{n} \leq x_\mathbf{a}", "x_hat_n <= x_mathbf_a"),
    (r"\mathfrak{R}_\mathcal{F} \leq 1", "R_mathcal_F <= 1"),
    (r"|x^k_1| = |x_1|^k", "Eq(Abs(x_1**k), Abs(x_1)**k)"),
    (r"\sum_{i=1}^n x^p_i \leq 1", "total(x[i]**p, i) <= 1"),
    (r"x^\delta_0 \leq x^{a + 1}_0", "x_0**delta <= x_0**(a + 1)"),
    (r"\sum^n_{i=1} x^2_i \leq \|x\|^2_2", "total(x[i]**2, i) <= norm(x)**2"),
    (r"x^\top_i y \leq \|x_i\| \|y\|", "inner(x_i, y) <= norm(x_i) * norm(y)"),
    (r"x^*_1 \leq 2 x_1^*", "x_1_star <= 2 * x_1_star"),
    (r"(x)^2_+ \leq \log_2^2 n", "Max(x, 0)**2 <= (log(n) / log(2))**2"),
    (r"y \leq \log^2_2 n", "y <= (log(n) / log(2))**2"),
    (r"x^\frac12 \leq \sqrt\frac{a}{b} + x^e", "x**Rational(1, 2) <= sqrt(a / b) + x**e"),
    (r"2^n(n + 1) \leq 1", "2**n * (n + 1) <= 1"),
])  # fmt: skip
def test_scripts_are_read_as_latex_sets_them(latex, relation):
    assert f"Holds({relation}" in formula_text(latex, "lemma")


@pytest.mark.parametrize("text", [
    "f^{2}(x)", r"\sigma^2(x)", r"\hat{f}^2(x)", r"\phi^2(x)", "L^2(w)", "f^2(1-x)", "R^2(1+L)",
    r"F^{-1}(p)", r"\Phi^{-1}(p)", r"h^{-1}(\delta)", r"\nabla f^2(x)", r"\sum_{i=1}^n f^2(x_i)",
    r"\lambda_{\max}^2(A+B)", r"\sigma^2_{\max}(A)", r"f^{2}{\left(x \right)}", "(f+g)(x)",
    "(fg)(x)", "[f-g](x)", "|f|(x)", "|f|^2(x)", "(f+g)^{-1}(x)", r"\|f\|(x)", "(p-q)(x)",
    r"(1+f)(x_1)", r"{\cal L}(w)", r"\sup_{f \in S} (R - \hat{R})(f)", r"(\nabla f)(x)",
    r"\frac{f}{g}(x)", r"\sqrt{f}(x)", r"\max(f, g)(x)", "(f)_+(x)", "(f+g)(2x)",
    r"(f-g)(\frac{x}{2})", "L(x) (1+L)(1+x)", r"\mathrm{gain}^2(1+x)",
])  # fmt: skip
def test_what_may_be_a_function_of_what_follows_is_no_factor(text):
    with pytest.raises(InvalidArgument, match=r"or a factor|a function elsewhere") as caught:
        formula_text(rf"{text} \leq 1", "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("latex, relation", [
    (r"n^2(n+1) \leq n^2(\log n)", "n**2 * (n + 1) <= n**2 * log(n)"),
    (r"(1+L)(1+x) \leq (a+b)(c+d)", "(1 + L) * (1 + x) <= (a + b) * (c + d)"),
    (r"(1+x)(y) \leq |x + 1|(1+y)", "(1 + x) * y <= Abs(x + 1) * (1 + y)"),
    (r"f(x)^2(1+y) \leq \|f\|(1+y)", "f_of_x**2 * (1 + y) <= norm(f) * (1 + y)"),
    (r"g^T(x-y) \leq g^\top(x-y)", "inner(g, (x - y)) <= inner(g, (x - y))"),
    (r"f{\left(x \right)} \leq \log{\left(x \right)}", "f_of_x <= log(x)"),
    (r"\log(n)\|x\| \leq (n+1)\log(n) y", "log(n) * norm(x) <= (n + 1) * log(n) * y"),
    (r"x^{(n+1)(n+2)} \leq x^{(n+1)/2}", "x**((n + 1) * (n + 2)) <= x**((n + 1) / 2)"),
    (r"(1+x)(\sqrt{n}) \leq (a+b)(\frac{n}{2})", "(1 + x) * sqrt(n) <= (a + b) * (n / 2)"),
    (r"{a + b} \leq {c + d} + \exp{-x}", "a + b <= c + d + exp(-x)"),
    (r"y{\left(a + b\right)} \leq \log{\left(x + 1\right)}", "y * (a + b) <= log(x + 1)"),
    (r"\frac{a}{b}(x) \leq \sqrt{n}(\sqrt{m})(1+x)", "(a / b) * x <= sqrt(n) * sqrt(m) * (1 + x)"),
])  # fmt: skip
def test_what_is_no_function_is_a_factor(latex, relation):
    assert f"Holds({relation})" in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex", [
    r"2\frac{1}{n} \leq 1", r"2 \cdot \frac{1}{2} \leq x", r"2\frac{3}{2} x \leq 1",
    r"\frac{1}{2} x \leq 1",
])  # fmt: skip
def test_a_fraction_that_no_mixed_number_ends_in_is_a_factor(latex):
    assert formula_text(latex, "lemma")


@pytest.mark.parametrize("text", [
    "p(x)", "f(x+1)", "f(2x)", r"\Gamma(n+1)", r"\Phi(x)", r"\lambda_1(A)", r"\sigma_{\min}(A)",
    "O(n)", r"\Theta(n)", r"\mathrm{gain}(1+x)", r"\sum_{i=1}^n f_i(x)", r"\psi(1-x)",
])  # fmt: skip
def test_a_function_is_never_a_factor(text):
    with pytest.raises(InvalidArgument, match="its argument or a factor"):
        formula_text(rf"{text} \leq 1", "lemma")


@pytest.mark.parametrize("latex, words", [
    (r"x_t \leq x^{(t)}", "one name"), (r"x_* \leq x^*", "one name"),
    (r"\mathbf{x} \leq x", "one name"), (r"\mathcal{L} \leq L", "one name"),
    (r"\epsilon \leq \varepsilon", "one name"),
    (r"x_1 \leq \sum_{i=1}^n x_i", "x_1 beside entries"),
    (r"\hat{x}_1 \leq \sum_{i=1}^n \hat{x}_i", "x_hat_1 beside entries"),
    (r"x^*_1 \leq \sum_{i=1}^n x^*_i", "x_star_1 beside entries"),
    (r"x_i \leq \max_i x_i", "x_i beside entries"),
    (r"\sum_{i=1}^n x_i + x_i \leq 1", "x_i beside entries"),
    (r"\sum_{i=1}^n x^{(i)} \leq 1", "of an index"),
    (r"x^T y \leq \sum_{t=1}^T t", r"beside a number T"),
    (r"\mu_i \leq \sum_{i=1}^n x_i", "mu_i where nothing binds i"),
    (r"\sum_{i=1}^n x_i + \hat{y}_{i} \leq 1", "y_hat_i where nothing binds i"),
    (r"A_{ij} \leq \max_i \max_j |B_{ij}|", "A_ij where nothing binds i"),
    (r"f(x) \leq \sup_{x \in S} f(x)", "f of x where nothing binds x"),
    (r"f(x_t) \leq \sum_{t=1}^T g_t", "f of x_t where nothing binds t"),
    (r"\mu_x \leq \sup_{x \in [0, 1]} x^2", "mu_x where nothing binds x"),
])  # fmt: skip
def test_two_letters_never_become_one(latex, words):
    with pytest.raises(InvalidArgument, match=words):
        formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, words", [
    (r"\mathbb{E}_{X\sim\rho}[X^2] \geq (\mathbb{E}_{X\sim\mu}[X])^2", "start from one law"),
    (r"\mathbb{E}_{X\sim\rho}[X] \leq \mathbb{E}[X^2]", "start from one law"),
    (r"\mathbb{E}_{Y}[X] \leq 1", "averages over Y"),
    (r"\mathbb{E}[f(X)] \leq \mathbb{E}[X]", "f of X where X"),
    (r"P(X_1 + X_2 \geq t) \leq \mathbb{E}[X]", "X_1 where X"),
    (r"\mathbb{E}\|X\|^2 \leq 1", "the norm of X"),
    (r"\mathbb{E}[X] \leq X", "X outside of the expectations"),
    (r"|\bar{X} - \mathbb{E}[X]| \leq t", "X_bar outside of the expectations"),
    (r"\sum_{i=1}^n X_i \leq \mathbb{E}[\sum_{i=1}^n X_i]", "X outside of the expectations"),
])  # fmt: skip
def test_what_is_random_is_one_thing(latex, words):
    with pytest.raises(InvalidArgument, match=words):
        formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, text", [
    (r"x_{t+1} \leq x_{t-1}", "Holds(x_t_plus_1 <= x_t_minus_1)"),
    (r"x^{(t+1)} \leq x^{(t)}", "Holds(x_t_plus_1 <= x_t)"),
    (r"a^{(p-1)/p} \leq b", "Holds(a**((p - 1) / p) <= b)"),
    (r"\sum_{i=1}^n a_i \cdot b_i \leq 1", "total(a[i] * b[i], i)"),
    (r"\max_i |x_i| \cdot |y_i| \leq 1", "greatest(Abs(x[i]) * Abs(y[i]), i)"),
    (r"\binom{n}{k} \leq \left(\frac{e n}{k}\right)^k", "(exp(1) * n / k)**k"),
    (r"\mathrm{e}^{-x} \leq 1", "Holds(exp(-x) <= 1)"),
    (r"\det A \det B = \det(AB)", "determinant(A) * determinant(B)"),
    (r"(1-\eta)^T \|x\|^2 \leq 1", "(1 - eta)**T * norm(x)**2"),
    (r"(1-\eta)^T \leq e^{-\eta T}", "(1 - eta)**T <= exp(-eta * T)"),
    (r"\|A - I\| \leq 1", "operator_norm(A - identity(d))"),
    (r"\|x\|_1 \leq r \|x\|_2", "total(Abs(at(x, s)), s) <= r * norm(x)"),
    (r"\sqrt[3]{x} \leq y", "sign(x) * Abs(x)**Rational(1, 3)"),
    (r"\mathrm{Real} \leq \mathrm{Integer}", "Holds(Real_ <= Integer_)"),
    (r"a &\leq b \\ &\leq c", "And(a <= b, b <= c)"), (r"\frac12 x \leq y", "Rational(1, 2) * x"),
    (r"n(n+1) \leq n(\log n)^2", "n * (n + 1) <= n * log(n)**2"),
    (r"\sin 2x \leq \log n \log m", "sin(2 * x) <= log(n) * log(m)"),
    (r"\operatorname{tr} A B \leq 1", "trace(A * B)"),
    (r"\prod_{i=1}^n y \cdot x_i \leq 1", "multiplied(y * x[i], i)"),
    (r"y \cdot \prod_{i=1}^n x_i \leq 1", "y * multiplied(x[i], i)"),
    (r"\sum_{i=1}^n x_i / n \leq y", "total(x[i] / n, i)"),
    (r"\max_{i \in [n]} x_i \cdot \|y\| \leq 1", "greatest(x[i] * norm(y), i)"),
    (r"\max_{i \in [n]} |x_i| \cdot \sum_{j=1}^n |y_j| \leq 1", "Abs(x[i]) * total(Abs(y[j]), j)"),
    (r"\max_{i \in [n]} x_i / n \leq 1", "greatest(x[i] / n, i)"),
    (r"\prod_{i=1}^n x_i \cdot \prod_{i=1}^n y_i \leq 1", "multiplied(x[i], i) * multiplied("),
    (r"\left[\frac{a}{b}\right]^2 + [a + b] c \leq 1", "(a / b)**2 + (a + b) * c"),
    (r"||x + y||_2 \leq ||x|| + ||y||^2", "norm(x + y) <= norm(x) + norm(y)**2"),
    (r"\left|\left|x\right|\right|_1 \leq 1", "total(Abs(at(x, r)), r) <= 1"),
    (r"|\,|a|\,| \leq 1 + a", "Abs(Abs(a)) <= 1 + a"),
    (r"||a| - |b|| \leq |a - b|", "Abs(Abs(a) - Abs(b)) <= Abs(a - b)"),
    (r"\bigl| ||x|| - ||y|| \bigr| \leq 1", "Abs(norm(x) - norm(y)) <= 1"),
    (r"(\max_i a_i) (\max_j b_j) \leq 1", "greatest(a[i], i) * greatest(b[j], j) <= 1"),
    (r"\max_i |a_i| \max_j |b_j| \leq 1", "greatest(Abs(a[i]) * greatest(Abs(b[j]), j), i)"),
    (r"\sum_{1 \leq k \leq n} k \leq n^2", "total(k + 1, k) <= n**2"),
    (r"\max_{0 \leq k \leq n-1} a^k \leq 1", "greatest(a**k, k) <= 1"),
    (r"\max_{0 \leq t \leq n-1} x_t \leq 1", "greatest(x[t], t) <= 1"),
    (r"\log_2 2 \leq \log^2 3 + x_1 2", "log(2) / log(2) <= log(3)**2 + x_1 * 2"),
    (r"2\pi x + e x \leq \frac1 2", "2 * pi * x + exp(1) * x <= Rational(1, 2)"),
    (r"x^{\top} y \leq \|x\| \|y\|", "inner(x, y)"), (r"x^\mathsf{T} y \leq \|x\|", "inner(x, y"),
    (r"\operatorname{tr}(A) \operatorname{tr}(B) x \leq 1", "trace(A) * trace(B) * x <= 1"),
    (r"f(x^*) \geq \inf_{x \in S} f(x)", "f_of_x_star >= least(f[x], x)"),
])  # fmt: skip
def test_what_has_one_reading_is_read_so(latex, text):
    assert text in formula_text(latex, "lemma")


def test_an_odd_root_of_a_negative_number_has_its_value(tmp_path):
    write_skeleton("mine/root", tmp_path, "scalar", r"\sqrt[3]{x} \leq y")
    relation = load_library(tmp_path)["mine/root:printed"].statement.relation
    (x,) = [symbol for symbol in relation.lhs.free_symbols if symbol.name == "x"]
    assert relation.lhs.subs(x, -8) == -2


def test_lines_of_a_template_are_at_most_a_hundred_letters_long(tmp_path):
    terms = [rf"\sqrt{{\theta_{{long{c}}} + \frac{{\eta_{{{c}}}}}{{2}}}}" for c in "abcdefg"]
    right = r"\exp(\operatorname{tr}(A)) + \|A\|_F + \lambda_{\max}(A)"
    latex = rf"{' + '.join(terms)} + \tanh x + \|w\|_1 \leq {right}"
    text = formula_text(latex, "lemma")
    assert max(map(len, text.splitlines())) <= 100
    write_skeleton("mine/long", tmp_path, "scalar", latex)
    assert "mine/long:printed" in load_library(tmp_path).claims


@pytest.mark.parametrize("latex", [
    r"\sqrt[0]{x} \leq 1", r"0/0 \leq x", r"1/0 \leq x", r"\sqrt{-1} \leq x", "x = x",
    r"(-8)^{1/3} \leq x",
])  # fmt: skip
def test_what_is_no_statement_is_not_written(tmp_path, latex):
    with pytest.raises(InvalidArgument, match="leaves no statement") as caught:
        write_skeleton("a/b", tmp_path / "own", latex=latex)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "own" / "a" / "b.py").exists()


@pytest.mark.parametrize("latex, said", [
    (r"\log(1/n) = O(1)", "Abs(log(1 / n)) <= 1"), (r"\log(1/n) \leq O(1)", "log(1 / n) <= 1"),
    (r"|a| = \mathcal{O}(b)", "Abs(a) <= b"), (r"a \geq O(b)", "b <= a"),
    (r"n > \mathcal{O}(n^2)", "n**2 <= n"), (r"a \gtrsim O(b)", "b <= a"),
    (r"a < O(b)", "a <= b"), (r"a \lesssim O(b)", "a <= b"), (r"a \gtrsim b", "b <= a"),
])  # fmt: skip
def test_what_is_of_an_order_is_so_in_modulus(latex, said):
    """log(1/n) is at most 1, and no O(1); what is at least O(b) is not at most of this order."""
    assert f"UpToConstant({said})" in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex", [
    r"\mathbb{P}(X \lesssim t) \leq 1", r"\mathbb{1}\{x \geq O(n)\} \leq 1",
    r"a \leq O(b) \leq c",
])  # fmt: skip
def test_an_order_is_a_claim_of_its_own(latex):
    with pytest.raises(InvalidArgument, match="an order of magnitude beside other claims"):
        formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, words", [
    (r"x \leq 1 \text", "without braces, at its end"), (r"\right", "is blank"),
    (r"\left \, \quad", "is blank"),
])  # fmt: skip
def test_a_command_without_its_argument_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words):
        formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, said", [
    (r"3 \frac{\pi}{2} \leq x", "3 * (pi / 2) <= x"),
    (r"2\frac{e}{3} x \leq 1", "2 * (exp(1) / 3) * x <= 1"),
])  # fmt: skip
def test_no_mixed_number_has_letters(latex, said):
    assert f"Holds({said})" in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex", [
    r"\(x \leq 1\)", r"\[x \leq 1.\]", r"$$x \leq 1$$", r"\( x \leq 1 \).", r"x \leq 1 \tag{3}",
    r"x \leq 1, \tag*{A.1}", r"\[ x \leq 1 \tag{\text{max}} \]", r"x \leq 1 \quad \tag{*}.",
])  # fmt: skip
def test_a_formula_is_read_out_of_its_display_and_without_its_number(latex):
    assert "Holds(x <= 1)" in formula_text(latex, "lemma")


@pytest.mark.parametrize("latex, words", [
    (r"\(x\) \leq \(1\)", "cannot be read"), (r"\(x \leq 1", "cannot be read"),
    (r"\(x \leq 1\]", "cannot be read"), (r"x \leq 1 \tag", "cannot be read"),
    (r"x \leq 1 \tag 3", "cannot be read"), (r"x \tag{1} \leq 1", "cannot be read"),
    (r"x \leq 1 \tag{1} \tag{2}", "cannot be read"), (r"x \leq 1 \tag{3} y", "cannot be read"),
    (r"x \leq 1 \tag{3", "cannot be read"), (r"\tag{3}", "cannot be read"),
    (r"\(\)", "cannot be read"),
])  # fmt: skip
def test_a_display_or_a_number_within_a_formula_is_refused(latex, words):
    with pytest.raises(InvalidArgument, match=words) as caught:
        formula_text(latex, "lemma")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("latex", "told"), [
    (r"|e^{ix}| = 1", "the imaginary unit"), (r"\mathbb{E}[e^{itX}] \leq 1", "the imaginary unit"),
    (r"\exp(i\pi) = -1 + x", "the imaginary unit"), (r"e^{ix} = \cos x + i \sin x", "imaginary"),
    (r"\Sigma_{i=1}^n x_i \leq 1", "which says a range"), (r"x_{i \in S} \leq 1", "says a range"),
    (r"\operatorname{lg} n \leq n", "may be a function"),
    (r"\mathrm{sech}\, x \leq 1", "may be a function"),
    (r"\operatorname{softplus} x \geq x", "may be a function"),
    (r"\operatorname{tr}(I_n) = n", "the unit matrix"),
    (r"\log\det(\mathrm{Id} + A) \leq \operatorname{tr}(A)", "the unit matrix"),
    (r"\|I_d\|_F = x", "the unit matrix"),
    (r"\log^{(2)} n \leq n", "how often it is taken"), (r"\sin^{(2)}(x) \leq 1", "how often"),
    (r"x_{(1)} \leq x_{(n)}", "a subscript in brackets"),
    (r"\sum_{i=1}^n x_i \leq n, n \in \mathbb{R}", "entries are counted up to it"),
])  # fmt: skip
def test_what_print_means_by_custom_is_read_as_nothing_else(latex, told):
    with pytest.raises(InvalidArgument, match=told):
        formula_text(latex, "lemma")


@pytest.mark.parametrize(("latex", "declared"), [
    (r"n^2 \geq n, n \in \mathbb{R}", 'parameter("n", Real(None, None))'),
    (r"\delta \leq 1, \delta \in \mathbb{R}", 'parameter("delta", Real(None, None))'),
    (r"x \geq 1 / I_n", 'parameter("I_n", Real(None, None))'),
    (r"\operatorname{regret} \leq \operatorname{gap} \cdot x", 'parameter("gap", '),
    (r"\log^{2} n \leq n", "log(n)**2"),
    (r"\sum_{i=1}^n i \leq n^2", "total("),
])  # fmt: skip
def test_a_number_that_is_said_to_be_real_is_real_and_a_word_alone_is_a_number(latex, declared):
    assert declared in formula_text(latex, "lemma")
