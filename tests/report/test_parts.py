"""Formulas, numbers, graphs and charts of the report."""

from xml.etree import ElementTree

import pytest
import sympy
from flint import fmpq, fmpq_mat
from hypothesis import given, strategies as st

from boundcheck.report.charts import Bar, curves_svg, slack_svg
from boundcheck.report.formula import condition, latex, math, mathml, symbol
from boundcheck.report.graph import Node, acyclic, ancestors, dependency_svg, topological
from boundcheck.report.pages import environment
from boundcheck.report.prose import paragraphs
from boundcheck.report.values import plain, written
from boundcheck.report.views import ClaimView
from boundcheck.report.world import world

x, y = sympy.symbols("x y", real=True)


def text_of(markup):
    return "".join(ElementTree.fromstring(f"<p>{markup}</p>").itertext())


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sympy.sqrt(2 * x), r"\sqrt{2 x}"),
        (sympy.Integer(10) ** 40, "10^{40}"),
        (sympy.Integer(3 * 10**8), r"3 \cdot 10^{8}"),
        (sympy.Function("smallest_eigenvalue")(x), r"\lambda_{\min}\left(x\right)"),
        (sympy.Symbol("f_star"), r"f^{\ast}"),
        (sympy.Symbol("theta_hat_M"), r"\hat{\theta}_{M}"),
    ],
)
def test_latex(expr, expected):
    assert latex(expr) == expected


def test_conditions_in_words():
    assert text_of(condition(sympy.And(x > 0, x < 1))) == "0<x<1"
    assert text_of(condition(sympy.Or(x > 1, y > 1))) == "x > 1 or y > 1"
    assert text_of(condition(sympy.Implies(x > 0, y <= 1))) == "if x > 0, then y ≤ 1"


@given(st.text(min_size=1, max_size=30))
def test_any_symbol_name_is_well_formed(name):
    # Control characters have no XML form at all; a page shows none of them.
    name = "".join(letter for letter in name if letter.isprintable())
    ElementTree.fromstring(f"<p>{symbol(name)}</p>")


def test_markup_in_names_is_escaped():
    assert "<script" not in str(math(sympy.Symbol("<script>alert(1)</script>")))
    assert "&lt;script" not in text_of(symbol("&lt;script"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (r"\href{javascript:alert(1)}{x}", "x"),
        (r"\style{position:fixed;inset:0;background:url(https://a.b)}{y}", "y"),
        (r"\class{bar}{z}", "z"),
        (r"\color{white} w", "w"),
        (r"\fcolorbox{red}{white}{u}", "u"),
        (r"\raise{999em}{v}", "v"),
        (r"\hspace{9999em} r", "r"),
        (r"\frac{\href{https://a.b}{p}}{\style{a}{q}}", "pq"),
    ],
)
def test_latex_asks_for_no_links_styles_and_colours(command, said):
    markup = mathml(command)
    assert markup.startswith("<math ") and text_of(markup) == said
    elements = list(ElementTree.fromstring(str(markup)).iter())
    assert [element.attrib for element in elements[1:] if element.attrib] == []


def test_elements_that_are_not_known_leave_their_text(monkeypatch):
    from latex2mathml import converter

    tree = ElementTree.fromstring(
        "<math><mrow><a href='b'><mi>x</mi></a><script>alert(1)</script></mrow></math>"
    )
    monkeypatch.setattr(converter, "convert_to_element", lambda source: tree)
    assert mathml("of a tree made up") == (
        '<math displaystyle="true"><mrow><mi>x</mi></mrow>'
        '<mspace width="0.2em" /><mtext>alert(1)</mtext></math>'
    )


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        (r"\left(\frac{a}{b}\right)", 'stretchy="true" fence="true" form="prefix"'),
        (r"\mathbb{1} \mathbf{2}", 'mathvariant="bold"'),
        (r"\binom{n}{k}", 'linethickness="0"'),
        (r"\binom{n}{k}", 'minsize="2.047em" maxsize="2.047em"'),
        (r"a \quad b", 'width="1em"'),
        (r"\hat{f}", 'accent="true"'),
        (r"\tfrac{1}{2}", 'displaystyle="false" scriptlevel="0"'),
        (r"\begin{array}{l|r} a & b \end{array}", 'columnlines="solid"'),
        (r"\begin{cases} a & b \end{cases}", 'columnalign="left"'),
        (r"\xcancel{x}", 'notation="updiagonalstrike downdiagonalstrike"'),
    ],
)
def test_what_formulas_are_set_with_is_kept(command, kept):
    assert kept in mathml(command)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, "1.00"), (0.5, "0.500"), (12.345, "12.3"), (1234.5, "1234"), (4e40, "4.00 × 10⁴⁰")],
)
def test_slack_as_text(value, expected):
    assert plain(value) == expected


@given(st.integers(-(10**30), 10**30), st.integers(1, 10**30))
def test_every_rational_is_written_in_full(top, bottom):
    ratio = fmpq(top, bottom)
    parts = text_of(written(ratio)).replace("−", "-")
    assert str(abs(int(ratio.p))) in parts
    assert ratio.q == 1 or str(ratio.q) in parts


def test_a_large_matrix_is_folded_and_complete():
    markup = written(fmpq_mat(20, 20))
    assert markup.startswith("<details>")
    assert text_of(markup).partition("full")[2].split() == ["0"] * 400


def test_graph_helpers_survive_cycles():
    premises = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["d", "a"]}
    assert ancestors("a", premises) == {"b", "c"}
    edges = acyclic(premises)
    order = topological(list("dcba"), premises)
    assert sorted(order) == list("abcd")
    assert all(order.index(p) < order.index(k) for k, used in edges.items() for p in used)


def node(key):
    return Node(key, key, key, "supported", "supported", f"#{key}")


def boxes(svg):
    tree = ElementTree.fromstring(str(svg))
    found = [rect for rect in tree.iter("rect") if rect.get("class") == "box"]
    return [tuple(float(r.get(n)) for n in ("x", "y", "width", "height")) for r in found], tree


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=40))
def test_boxes_never_overlap_and_stay_inside(pairs):
    premises: dict[str, list[str]] = {}
    for low, high in pairs:
        premises.setdefault(str(max(low, high)), []).append(str(min(low, high)))
    nodes = {str(k): node(str(k)) for k in range(15)}
    svg = dependency_svg(nodes, premises, "label")
    if not svg:
        assert all(low == high for low, high in pairs)
        return
    found, tree = boxes(svg)
    _, _, width, height = map(float, tree.get("viewBox").split())
    for i, (x1, y1, w, h) in enumerate(found):
        assert x1 >= 0 and y1 >= 0 and x1 + w <= width and y1 + h <= height
        for x2, y2, _, _ in found[i + 1 :]:
            assert abs(x1 - x2) >= w or abs(y1 - y2) >= h


def test_a_graph_without_edges_is_no_graph():
    assert dependency_svg({"a": node("a")}, {"a": []}, "label") == ""


def test_slack_chart_is_logarithmic_through_one():
    bars = [Bar("one", "supported", 1.0, ""), Bar("wide", "supported", 1e4, "#w"),
            Bar("bad", "refuted", 0.1, ""), Bar("none", "undecided", None, "")]  # fmt: skip
    tree = ElementTree.fromstring(str(slack_svg(bars, "label")))
    found = {r.get("class"): r for r in tree.iter("rect")}
    lengths = [float(r.get("width")) for r in tree.iter("rect")]
    # Four decades to the right against one to the left, on one axis.
    assert lengths[1] == pytest.approx(4 * lengths[2], rel=0.01)
    assert set(found) == {"bar state-supported", "bar state-refuted"}
    assert "no figure" in "".join(tree.itertext())
    assert slack_svg([Bar("none", "undecided", None, "")], "label") == ""


def test_curves_leave_out_what_is_not_positive():
    curves = {"grows": [[1, 1.0], [2, float("inf")], [4, 2.0], [8, None]], "empty": []}
    svg = curves_svg(curves, "label")
    assert str(svg).count("<circle") == 2
    assert curves_svg({"empty": []}, "label") == ""


def test_docstring_blocks():
    text = "T.\n\nSetting    points,\n           and more.\nClaim      a.\n\nRunning text\nhere."
    assert paragraphs(text) == [
        ("Setting", "points, and more."), ("Claim", "a."), ("", "Running text here."),
    ]  # fmt: skip


def test_the_comparison_that_gives_the_slack_is_named():
    rows = [{"relation": f"x <= {n}", "slack": slack, "control": True, "untested": False}
            for n, slack in enumerate((3.0, None, 1.5, 1.5))]  # fmt: skip
    result = {"verdict": "supported", "slack": 1.5, "parts": rows}
    view = ClaimView("a/b:c", None, result, "supported", "", "", "", None)
    macros = environment().get_template("macros.html.jinja").module
    told = macros.comparisons(view).split("<tr>")
    assert view.tightest == 2
    assert [", that of the claim" in row for row in told[2:]] == [False, False, True, False]


def test_a_number_of_thousands_of_digits_shows_its_ends():
    for value in (fmpq(2) ** 20_000, -1 / fmpq(3) ** 12_000):
        shown = text_of(written(value))
        assert "digits" in shown
        assert "about" in shown
        assert len(shown) < 300


def test_a_law_is_told_with_its_family():
    extra = {"family": "n grows", "law": True, "ray": {"n": ["1", "0"]}, "scale": "2^4"}
    found = world({"kind": "trend", "values": {}, "extra": extra}, None, "x.json", "replay x.json")
    assert found.extra == [("family", "n grows"), ("as t grows", "n as c t")]
    lines = ["as t grows without end: n as c t", "left / right grows at least as t"]
    told = {"diagnosis": {"telling": {"values": {}, "lines": lines}}}
    view = ClaimView("a/b:c", None, told, "refuted", "", "", "", None)
    assert view.example == ", ".join(lines)
    told["diagnosis"]["telling"] = {"values": {"n": "2"}, "lines": ["n = 2", "4 > 3"]}
    assert view.example == "n = 2: 4 > 3"
