"""The explorer page in a browser: its address, the keyboard, a phone, composed statements."""

from urllib.parse import parse_qs, urlencode

import pytest
import sympy

from boundcheck import Claim, Holds, Source
from boundcheck.report.explorer import Known, write_explorer
from boundcheck.worlds import Choice, Integer, Real

from .browser import CHROMIUM, Page

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: no browser to test in"
)
M, T, xi, gap, risk = sympy.symbols("M T xi gap risk", real=True)
PLACE = Source("A", 2024, "Example").at("Theorem 1")
POSITIVE = Real(0, None, open_low=True)
FEATURES = Claim(
    source=PLACE, statement=Holds(gap <= xi), given=[M >= 8 / xi**2],
    parameters={M: Integer(1, searched=9), xi: POSITIVE, gap: Real(0, None)},
)  # fmt: skip
STEPS = Claim(
    source=PLACE, statement=Holds(risk <= 2 * xi), given=[gap <= xi / 2, T >= 4 / xi],
    parameters={T: Integer(1, searched=9), xi: POSITIVE, gap: Real(0, None),
                risk: Real(0, None)},
    uses=("a/b:features",),
)  # fmt: skip
LONG = Claim(
    source=PLACE, statement=Holds(gap <= xi),
    given=[M >= sum((1 + k / xi) ** sympy.Rational(k, 7) * sympy.sqrt(xi + k) for k in range(9))],
    parameters=FEATURES.parameters,
)  # fmt: skip
STEPS_KEY = "a/a_statement_with_a_long_name_in_its_own_file:step_of_its_proof"
PLANS = [("a/d:long", "a/b:features", STEPS_KEY), ("a/b:features", "a/b:missing")]
ANSWER = "document.getElementById('answer').textContent"
FOCUS = "document.activeElement.id"


class Three:
    """Two claims, one of which rests on the other, and a formula wider than a phone."""

    claims = {"a/b:features": FEATURES, STEPS_KEY: STEPS, "a/d:long": LONG}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    known = {
        "a/b:features": Known("sources/a/b.html#b--features", "supported", False),
        STEPS_KEY: Known("sources/a/s.html#s", "refuted", True),
    }
    return f"file://{write_explorer(Three, tmp_path_factory.mktemp('explorer'), known, PLANS)}"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    opened = Page(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


def state(page):
    found = parse_qs(page.value("location.hash").lstrip("#"))
    return {name: values[0] for name, values in found.items()}


def test_the_state_is_in_the_address(page, address):
    page.go(address + "#" + urlencode({"key": "a/b:features", "symbol": "M", "xi": "0.1"}))
    assert page.value(ANSWER) == "M at least 800"
    page.value("""(() => { const box = document.querySelector('input[type=text]');
        box.value = '0.01'; box.dispatchEvent(new Event('input')); })()""")
    assert page.value(ANSWER) == "M at least 80,000"
    kept = page.value("location.href")
    page.go(address)
    assert page.value(ANSWER) != "M at least 80,000"
    page.go(kept)
    assert page.value(ANSWER) == "M at least 80,000" and state(page)["xi"] == "0.01"
    changed = urlencode({**state(page), "xi": "1"})  # edited in the address line
    page.value(f"new Promise(done => {{ addEventListener('hashchange', done); "
               f"location.hash = '{changed}'; }})")  # fmt: skip
    page.value("new Promise(requestAnimationFrame)")
    assert page.value(ANSWER) == "M at least 8"


def test_a_finite_set_has_its_values_alone(page, tmp_path):
    q, b = sympy.symbols("q b", real=True)
    claim = Claim(
        source=PLACE, statement=Holds(b <= q * b), given=[q >= sympy.sqrt(b)],
        parameters={q: Choice((2, 3, 5, 7, 11)), b: POSITIVE},
    )  # fmt: skip

    class One:
        claims = {"a/b:prime": claim}

    place = f"file://{write_explorer(One, tmp_path)}#"
    for value, told in (("10", "q at least 5"), ("1", "q at least 2"),
                        ("150", "q none of {2, 3, 5, 7, 11}")):  # fmt: skip
        page.go(place + urlencode({"key": "a/b:prime", "symbol": "q", "b": value}))
        assert page.value(ANSWER) == told
    page.go(place + urlencode({"key": "a/b:prime", "symbol": "b", "end": "greatest", "q": "7"}))
    assert page.value(ANSWER) == "b at most 49"
    page.value("""(() => { const box = document.querySelector('input[type=text]');
        box.value = '4'; box.dispatchEvent(new Event('input')); })()""")
    said = page.value("document.getElementById('trouble').textContent")
    assert said == "q = 4 is outside {2, 3, 5, 7, 11}" and page.value(ANSWER) == "b at most 49"
    page.value("""(() => { const bar = document.querySelector('input[type=range]');
        bar.value = 400; bar.dispatchEvent(new Event('input')); })()""")
    assert page.value(ANSWER) == "b at most 25" and state(page)["q"] == "5"


def test_the_keyboard_alone_is_enough(page, address):
    page.go(address + "#" + urlencode({"key": "a/b:features", "symbol": "M", "xi": "0.1"}))
    order = []
    while "s" not in "".join(o[:1] for o in order if o[1:].isdigit()) and len(order) < 12:
        page.press("Tab")
        order.append(page.value(FOCUS))
    assert [o for o in order if o in ("claim", "symbol", "reset")] == ["claim", "symbol", "reset"]
    before = page.value(ANSWER)
    page.press("ArrowRight")
    moved = page.value(ANSWER)
    assert moved != before and float(state(page)["xi"]) > 0.1
    page.press("End")
    assert page.value(ANSWER) == "M at least 1" != moved
    outline = page.value("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"  # one sees where one is


def test_a_phone_shows_everything_without_scrolling_sideways(page, address):
    page.screen(360, 740)
    page.go(address + "#" + urlencode({"key": "a/d:long", "symbol": "M"}))
    assert "binding" in page.value("document.getElementById('terms').textContent")
    assert page.value("document.documentElement.scrollWidth") <= 360
    boxes = page.value("""[...document.querySelectorAll('select, input, button')].map(e => {
        const b = e.getBoundingClientRect(); return [b.left, b.right, b.height]; })""")
    assert len(boxes) >= 5
    assert all(left >= 0 and right <= 360 and height >= 16 for left, right, height in boxes)


def test_composed_statements_ask_for_both_sizes(page, address):
    key = f"a/b:features + {STEPS_KEY}"
    page.go(address + "#" + urlencode({"key": key, "symbol": "T", "xi": "0.5"}))
    assert state(page)["key"] == key and page.value(ANSWER) == "T at least 8"
    asked = page.value("[...document.getElementById('symbol').options].map(o => o.textContent)")
    assert {"T at least", "M at least"} <= set(asked)


def test_statements_of_a_plan_are_one_question(page, address):
    key = f"a/d:long + a/b:features + {STEPS_KEY}"
    page.go(address + "#" + urlencode({"key": key, "symbol": "T", "xi": "0.5"}))
    assert state(page)["key"] == key and page.value(ANSWER) == "T at least 8"
    offered = page.value("[...document.getElementById('claim').options].map(o => o.value)")
    assert not any("missing" in one for one in offered)


def test_it_says_what_the_report_knows_of_each_part(page, address):
    page.go(address + "#" + urlencode({"key": f"a/b:features + {STEPS_KEY}"}))
    said = page.value("document.getElementById('said').innerText").splitlines()
    assert len(said) == 2 and said[0].endswith("features: supported")
    assert "refuted" in said[1] and "does not make it true" in said[1]
    links = page.value("[...document.querySelectorAll('#said a')].map(a => a.getAttribute('href'))")
    assert links == ["sources/a/b.html#b--features", "sources/a/s.html#s"]
    page.go(address + "#" + urlencode({"key": "a/d:long"}))
    assert page.value("document.getElementById('said').innerText") == ""


def test_formulas_have_no_bars_to_scroll_up_and_down(page, address):
    page.screen(1100, 900)
    page.go(address + "#" + urlencode({"key": "a/b:features", "symbol": "M"}))
    shown = page.value("""[...document.querySelectorAll('#terms span:first-child')].map(e =>
        [getComputedStyle(e).overflowY, e.scrollHeight - e.clientHeight])""")
    assert shown and all(way == "hidden" and more <= 0 for way, more in shown)
    labels = page.value("[...document.querySelectorAll('#sliders label math')].length")
    assert labels == 1  # the symbol as the formulas show it
