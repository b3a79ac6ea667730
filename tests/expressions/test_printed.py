"""Formulas as text: the notation of the field, the names under which values are given."""

import pytest
import sympy

from boundcheck import Claim, Holds
from boundcheck.describe import parts_named
from boundcheck.errors import InvalidArgument
from boundcheck.explore.conditions import System
from boundcheck.expressions import greatest, index, norm, parameter, total, trace, world
from boundcheck.expressions.names import named
from boundcheck.expressions.printed import as_printed, text_of
from boundcheck.worlds import Integer, Matrix, Real, Vector

n = world("n", Integer(1, 3))
a = world("a", Vector(n))
A = world("A", Matrix(n, n))
i = index("i", n)


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\left\|\hat f\right\|_{H}^{2}", "‖f̂‖_H^2"),
        (r"\sup_{\left\|f\right\| \le Q} \left|\hat R(f)\right|", "sup_(‖f‖ ≤ Q) |R̂(f)|"),
        (r"\tfrac{1}{n} \sum_i \xi_i^2", "1/n∑_i ξ_i^2"),
        (r"\mathbb{E}_{x', \mathcal{V}_s}[f]", "E_(x', 𝒱_s) [f]"),
        (r"\det(A)", "det(A)"),
        (r"\left(\max_{a} {K}_{a,a}\right)", "(max_a K_(a,a) )"),
        (r"\langle a, b \rangle", "⟨a, b⟩"),
    ],
)
def test_latex_becomes_text(latex, text):
    assert text_of(latex) == text


@pytest.mark.parametrize(
    "latex",
    [r"\href{https://a.b}{x}'", r"\begin{array}{l}\end{array}", r"\verb|x|", "{" * 2000,
     r"x_{\href{a}{b}}"],
)  # fmt: skip
def test_latex_that_cannot_be_read_stays_as_it_is(latex):
    assert text_of(latex) == latex


def test_a_symbol_whose_latex_cannot_be_read_is_printed():
    x = parameter("x'", Real(0, 3), latex="\\href{https://a.b}\n{x}'")
    assert as_printed(x + 1) == r"\href{https://a.b} {x}' + 1"


def test_operands_stand_in_their_places_and_symbols_keep_their_names():
    start_norm = sympy.Symbol("start_norm", real=True)
    assert as_printed(norm(A * a) <= 2 * start_norm) == "‖A*a‖ <= 2*start_norm"
    assert as_printed(trace(A + A)) == "tr(2*A)"
    assert as_printed(greatest(a[i], i) ** 2) == "max_i(a[i])**2"


def test_names_hide_what_they_stand_for():
    assert as_printed(named("f~(x)", norm(a), r"\tilde f(x)") + 1) == "f̃(x) + 1"


def test_text_is_shown_and_never_read():
    assert as_printed("oo)") == "oo)"


def test_parts_of_a_statement_are_shown_as_what_they_are():
    claim = Claim("a page", Holds(trace(A) <= norm(a) + 1))
    relation = claim.statement.relation
    assert str(relation) == "trace(A) <= norm(a) + 1"
    assert as_printed(relation) == "tr(A) <= ‖a‖ + 1"
    assert as_printed(3 * relation.rhs) == "3*‖a‖ + 3"


def test_a_part_may_be_given_as_it_is_printed():
    claim = Claim("a page", Holds(norm(a) <= 3), given=[trace(A) <= 2])
    system = System(claim)
    assert system.symbol("||a||") == system.symbol("norm(a)") == "norm(a)"
    with pytest.raises(InvalidArgument, match="unknown symbol"):
        system.symbol("||b||")


def test_named_parts_are_told_wherever_they_stand():
    inside = named("v~", A * a, r"\tilde v")
    claim = Claim("a page", Holds(norm(inside) <= 1))
    assert parts_named([claim.statement.relation]) == {"ṽ": "A*a"}
    assert parts_named([norm(a) <= 1]) == {}


def test_the_weights_of_a_law_alone_are_a_sum_and_no_expectation():
    """P(some atom twice) <= the sum of squares: the weights may stand alone in a sum."""
    from boundcheck.settings.scalar_laws import E, k, p, values

    assert "mathbb" not in sympy.latex(total(p[k], k))
    shown = sympy.latex(E(sympy.log(values()[k])))  # zero where p[k] is, whatever x[k] is there
    assert shown.startswith(r"\mathbb{E}_{k}") and "cases" not in shown
