"""What notebooks show: escaped HTML with formulas, tables for pandas, plots."""

import json
from dataclasses import replace

import matplotlib
import pytest
from sympy import Symbol

from boundcheck.errors import InvalidArgument
from boundcheck.explore import Sweep, compare, require, sweep, sweep_plans
from boundcheck.explore.display import formula, table, titled
from boundcheck.verdict import Evidence, Verdict

from .conftest import OTHER, features, iterations, ridge
from .test_plan import ridge as planned

matplotlib.use("Agg")


def test_text_is_escaped_and_formulas_are_latex():
    assert titled("<b>", "x") == "<div><b>&lt;b&gt;</b>x</div>"
    assert formula(Symbol("x") ** 2) == "$x^{2}$"
    assert formula(Symbol("x") < 2) == "$x &lt; 2$"
    evil = Verdict("a/b:<script>", "proved", "<i>", None, 0.0, None, False, None,
                   (Evidence("proof", "proved", "<img>"),), 0.0)  # fmt: skip
    refuted = replace(evil, key="a_b/c:d$", outcome="refuted", kind="exact", slack=0.5)
    assert refuted._repr_latex_() == (
        r"$\displaystyle \text{a\_b/c:d\$: refuted (exact)},\quad \text{right/left} = 0.5$"
    )
    assert "<script>" not in evil._repr_html_() and "&lt;img&gt;" in evil._repr_html_()


def test_every_result_shows_itself(made):
    need = require(made["features"], "M", {"xi": "1e-3", "R": 1})
    for text in ("formula", "proof", "halves at x", "-4"):
        assert text in need._repr_html_()
    claim = made["iterations"]._repr_html_()
    assert "probability at least" in claim and claim.count("given") == 5
    found = compare(iterations(), iterations(source=OTHER, given=[]))
    assert "they differ" in found._repr_html_() and found._repr_latex_().startswith("$")
    rows = sweep_plans({"a:b": planned()}, {"epsilon": ["0.1"]}).rows
    assert rows[0]["cost"] == rows[0]["n"] and 0.04 < rows[0]["lambda"] < 0.06


def test_sweeps_are_rows_of_numbers(made):
    found = sweep(made["ridge"], "lambda", {"n": [100, 400], "s": [10, 100]},
                  {"B": 1, "delta": "0.1"})  # fmt: skip
    assert [row["n"] for row in found.rows] == [100, 100, 400, 400]
    assert found.rows[0]["lambda"] == pytest.approx(2 * found.rows[2]["lambda"])
    assert json.dumps(found.rows) and found._repr_html_().count("<tr>") == 5
    axes = found.plot()
    assert len(axes.lines) == 2 and axes.get_xscale() == "log" and axes.get_xlabel() == "n"


def test_what_has_no_answer_is_left_out_of_a_sweep(made):
    found = sweep(made["hidden"], "n", {"C": ["1/2", 2]}, {"R": 1, "lambda": "0.05"},
                  target="bound <= 0.1")  # fmt: skip
    assert [row["n"] for row in found.rows] == [45, None]
    with pytest.raises(InvalidArgument, match="no n meets"):
        sweep(made["hidden"], "n", {"C": [2]}, {"R": 1, "lambda": "0.05"}, target="bound <= 0.1")
    with pytest.raises(InvalidArgument, match="a sweep over nothing"):
        sweep(made["hidden"], "n", {})


def test_a_requirement_plots_itself(made):
    need = require(made["ridge"], "lambda", {"n": 10_000, "s": 100, "delta": "0.1", "B": 1})
    line = need.plot("n").lines[0]
    xs, ys = line.get_data()
    assert len(xs) == 15 and ys[0] / ys[-1] == pytest.approx((xs[-1] / xs[0]) ** 0.5)
    with pytest.raises(InvalidArgument, match="lambda does not depend on q there; it does on"):
        need.plot("q")
    assert features() is not ridge() and table([], []) == "<table><tr></tr></table>"


def test_a_trade_off_shows_what_nothing_beats():
    rows = ({"a": 1, "M": 10, "T": 900}, {"a": 2, "M": 30, "T": 400}, {"a": 3, "M": 40, "T": 400},
            {"a": 4, "M": None, "T": 1}, {"a": 5, "M": 90, "T": 100})  # fmt: skip
    found = Sweep(("a",), ("M", "T"), rows)
    assert [row["a"] for row in found.pareto("M", "T")] == [1, 2, 5]
    assert [row["a"] for row in found.pareto("T", "M")] == [5, 2, 1]
    axes = found.trade_off("M", "T")
    points, best, *costs = axes.get_lines()
    assert list(points.get_xdata()) == [10, 30, 40, 90] and list(best.get_xdata()) == [10, 30, 90]
    for line in costs:
        products = line.get_xdata() * line.get_ydata()
        assert products == pytest.approx(products[0]) and 9000 <= products[0] * 1.001 <= 16_020
    with pytest.raises(InvalidArgument, match="the sweep has no cost; it has a, M, T"):
        found.pareto("cost", "M")
