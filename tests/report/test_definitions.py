"""Definitions that are expressions are shown as formulas, in pages and in the terminal."""

import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.describe import _definition
from boundcheck.expressions import define, norm, parameter, world
from boundcheck.report.domains import quantities
from boundcheck.report.formula import latex
from boundcheck.worlds import Real, Vector

x = world("x", Vector(2), latex=r"\vec{x}")
t = parameter("t", Real(0, None))
length = define("length", norm(x) ** 2, latex="L", says="Squared length.")
CLAIM = Claim(Source("Test", 2000, "Shown").at("1"), Holds(length <= t * norm(x)))


def test_a_page_explains_a_defined_symbol_by_its_formula():
    shown = {str(name): str(meaning) for name, meaning in quantities(CLAIM)}
    formula = next(text for text in shown.values() if "Squared length" in text)
    assert "<math" in formula and "x" in formula


def test_a_part_of_the_statement_is_shown_as_what_it_is():
    part = next(s for s in CLAIM.measure if s.meaning.inline)
    assert latex(part) == r"\left\|\vec{x}\right\|"
    assert latex(length) == "L"
    assert _definition(part, CLAIM.measure[part]) == []


def test_the_terminal_says_definition_and_sentence():
    assert _definition(length, CLAIM.measure[length]) == [
        "  where       length = ‖x‖**2: Squared length."
    ]
    opaque = sympy.Symbol("z")
    assert _definition(opaque, len)[0].startswith("  where       z: Return the number of items")
