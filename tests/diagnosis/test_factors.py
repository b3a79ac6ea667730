"""Factors that an equation lacks are read off its worlds."""

from types import SimpleNamespace

import numpy
import pytest
from flint import fmpq
from sympy import Eq, Rational, symbols

from boundcheck import Claim, Holds, Source
from boundcheck.diagnosis import diagnose
from boundcheck.diagnosis.factors import missing_terms
from boundcheck.expressions.printed import as_printed
from boundcheck.library import Library
from boundcheck.worlds import Integer, Real

WORK = Source("Folklore", 1900, "Statements")
x, n, total = symbols("x n total", real=True)
PARAMETERS = {x: Real(0, None, open_low=True), n: Integer(1, searched=9)}


def mended(tmp_path, relation, rule):
    claim = Claim(source=WORK.at("1"), statement=Holds(relation), parameters=PARAMETERS,
                  measure={total: rule})  # fmt: skip
    return diagnose("mine/a:printed", Library(tmp_path, {"mine/a:printed": claim}))


@pytest.mark.parametrize(
    ("factor", "rule"),
    [
        (x**2 / n, lambda x, n: x * x * (x + n) / n),
        (Rational(2, 3) * n**2, lambda x, n: 2 * n * n * (x + n) / 3),
        (-x, lambda x, n: -x * (x + n)),
    ],
)
def test_a_product_of_powers_is_found_whole(tmp_path, factor, rule):
    found = mended(tmp_path, Eq(total, x + n), rule)
    assert found.grade == "slip"
    meant = as_printed(Eq(total, factor * (x + n), evaluate=False))
    assert meant in [repair.statement for repair in found.repairs]


def test_a_factor_and_a_term_are_found_together(tmp_path):
    found = mended(tmp_path, Eq(total, x + n), lambda x, n: 2 * (x + n) + fmpq(1, 2))
    assert found.grade == "slip"
    assert found.repairs[0].edit == "a factor 2 and a term 1/2 on the right"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("right", [
    numpy.geomspace(1, 1e300, 40), 1e30 + numpy.arange(40.0), numpy.geomspace(1e-200, 1e90, 40)])
def test_sides_of_any_size_are_fitted_in_silence(right):
    """Traces of exponentials reach 10^300, whose squares are no floats."""
    claim = Claim(source=WORK.at("1"), statement=Holds(Eq(x, n)), parameters=PARAMETERS)
    sides = {x: 2 * right[::-1], n: right}
    table = SimpleNamespace(kept=True, means=lambda side, form: sides[side])
    assert not list(missing_terms(SimpleNamespace(claim=claim, table=table)))


def test_no_factor_is_named_where_none_fits(tmp_path):
    found = mended(tmp_path, Eq(total, x + n), lambda x, n: x * x + 3 * n + 1)
    assert not any("a factor" in repair.edit and "on the right" in repair.edit
                   for repair in found.repairs)  # fmt: skip
