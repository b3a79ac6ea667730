"""Letters that spell a command or a function are refused; products of letters are read."""

import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.formulas import spelled
from boundcheck.formulas.grammar import GREEK
from boundcheck.formulas.operands import FUNCTIONS, MEANT, WORDS
from boundcheck.formulas.sums import EXTREMES, OPERATORS
from boundcheck.formulas.template import formula_text


@pytest.mark.parametrize("latex, name, remedy", [
    (r"\frac{log n}{n} \leq 1", "log", r"\log"), (r"\sqrt{log n} \leq n", "log", r"\log"),
    (r"e^{sin x} \leq 3", "sin", r"\sin"), (r"x^{log n} \leq 1", "log", r"\log"),
    (r"\frac{alpha}{beta} \leq 1", "alpha", r"\alpha"), (r"x^{max} \leq 1", "max", r"\max"),
    (r"\max(1,log n) \leq n", "log", r"\log"), (r"\frac{log(x)}{x} \leq 1", "log", r"\log"),
    (r"x \leq {sup}", "sup", r"\sup"), (r"\sum_{i=1}^{log n} x_i \leq 1", "log", r"\log"),
    (r"\max_{1 \leq i \leq log n} x_i \leq 1", "log", r"\log"), (r"x_max \leq 1", "max", r"\max"),
    (r"logn \leq n", "log", r"\log"), (r"sinx \leq 1", "sin", r"\sin"),
    (r"lnx \leq x", "ln", r"\ln"), (r"nlog n \leq n^2", "log", r"\log"),
    (r"xlog(x) \leq 1", "log", r"\log"), (r"2pix \leq 1", "pi", r"\pi"),
    (r"tanh x \leq x", "tanh", r"\tanh"), (r"tanh(x) \leq x", "tanh", r"\tanh"),
    (r"cosh(x) \geq 1", "cosh", r"\cosh"), (r"arctan x \leq x", "arctan", r"\arctan"),
    (r"sinh x \geq x", "sinh", r"\sinh"), (r"sec x \geq 1", "sec", r"\sec"),
    (r"cot x \leq 1", "cot", r"\cot"), (r"erf(x) \leq 1", "erf", r"\operatorname{erf}"),
    (r"lg(x) \leq x", "lg", r"\log_2 or \log_{10}"), (r"Log x \leq x", "Log", r"\log"),
    (r"LOG n \leq n", "LOG", r"\log"),
    (r"x \leq pi", "pi", r"\pi"), (r"mu \leq 1", "mu", r"\mu"), (r"xi \leq 1", "xi", r"\xi"),
    (r"x \leq infty", "infty", r"\infty"), (r"sum_i x_i \leq 1", "sum", r"\sum"),
    (r"prod_i x_i \leq 1", "prod", r"\prod"), (r"int x \leq 1", "int", r"\int"),
    (r"lim x \leq 1", "lim", r"\lim"), (r"x mod 2 \leq 1", "mod", r"\mod"),
    (r"frac{a}{b} \leq 1", "frac", r"\frac"), (r"2 cdot x \leq 1", "cdot", r"\cdot"),
    (r"tr(A + B) \leq 1", "tr", r"\operatorname{tr}"), (r"0 \leq x le 1", "le", r"\le"),
    (r"Gamma \leq 1", "Gamma", r"\Gamma"),
])  # fmt: skip
def test_letters_that_spell_a_name_are_refused(latex, name, remedy):
    with pytest.raises(InvalidArgument) as caught:
        formula_text(latex, "lemma")
    assert str(caught.value).endswith(
        f"{name}, which LaTeX sets as a product of its letters; write {remedy}, or spaces between "
        "the letters"
    )
    assert "\n" not in str(caught.value)


def test_words_about_a_formula_are_no_factors():
    with pytest.raises(InvalidArgument, match=r"for, .* leave words out, or spaces"):
        formula_text(r"x \leq 1 for all y", "lemma")


@pytest.mark.parametrize("latex, relation", [
    (r"ab + xy + mn \leq abc", "a * b + x * y + m * n <= a * b * c"),
    (r"\frac{ab}{xy} \leq \max(1,mn)", "a * b / (x * y) <= Max(1, m * n)"),
    (r"m u + p j \leq x \cdot j", "m * u + p * j <= x * j"),
    (r"\operatorname{log}(n) \leq n", "log(n) <= n"), (r"\mathrm{log}(n) \leq n", "log(n) <= n"),
    (r"\text{log}(n) \leq n", "log(n) <= n"), (r"x_{max} \leq x_{log}", "x_max <= x_log"),
    (r"x_\text{max} \leq L_{\mathrm{sup}}", "x_max <= L_sup"),
    (r"ne^{-x} + le^x \leq te^{-t}", "n * exp(-x) + l * exp(x) <= t * exp(-t)"),
    (r"\sqrt[3]{abc} \leq x", "sign(a * b * c) * Abs(a * b * c)**Rational(1, 3) <= x"),
    (r"x\log n\sin y \leq 2\pi r", "x * log(n) * sin(y) <= 2 * pi * r"),
    (r"KL(P,Q) \leq 1", "relative_entropy(P_, Q) <= 1"),
    (r"\|A\|_{op} \leq \|A\|_{tr}", "operator_norm(A) <= trace("),
])  # fmt: skip
def test_products_of_letters_and_names_are_read(latex, relation):
    assert f"Holds({relation}" in formula_text(latex, "lemma").replace("\n        ", "")


def test_every_name_of_the_grammar_is_known_by_its_letters():
    named = {name.removeprefix("\\") for name in (*FUNCTIONS, *EXTREMES, *OPERATORS)}
    used = GREEK | named | {*WORDS} | MEANT - {"d", "sd", "KL", "TV"}  # d, products and divergences
    assert used <= {*spelled.REMEDIES}
