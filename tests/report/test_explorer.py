"""The explorer page computes what Python computes, and works in a real browser."""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import numpy
import pytest
import sympy
from flint import arb, fmpq

from boundcheck import Claim, Holds, Source
from boundcheck.exact import is_exact, precision
from boundcheck.explore.conditions import System
from boundcheck.library import load_library
from boundcheck.report.compile_js import NoJavaScript, javascript, number
from boundcheck.report.explorer import (
    Known,
    entries,
    entry,
    page,
    random_value,
    script,
    telling,
    write_explorer,
)
from boundcheck.worlds import Choice, Integer, Real

ROOT = Path(__file__).parents[2] / "verify"
NODE = shutil.which("node") or shutil.which("nodejs")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
POINTS = 1_000

M, xi, R, delta, p = sympy.symbols("M xi R delta p", real=True)
NEEDED = sympy.Max(8 * (R / xi) ** 2 / 3, 32 * (R / xi) ** (1 / (1 - p))) * sympy.log(2 / delta)
claim = Claim(
    source=Source("A", 2024, "Example").at("Theorem 1"),
    statement=Holds(xi >= R / M),
    given=[
        R > 0,
        M >= NEEDED,
    ],
    parameters={
        M: Integer(1, searched=10**6), R: Real(0, None), xi: Real(0, None, open_low=True),
        delta: Real(0, 1, open_low=True, open_high=True), p: Real(0, 1, open_high=True),
    },
)  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return entries(load_library(ROOT, ["wang2019/", "yashima2021/"]))


def test_conditions_become_questions_and_sliders():
    item = entry("a/b:c", claim)
    assert (item.questions[0].symbol, item.questions[0].least) == ("M", True)
    assert {s.name for s in item.sliders} >= {"R", "delta", "p", "xi"}


def test_a_claim_without_conditions_is_left_out():
    plain = Claim(source=claim.source, statement=claim.statement, parameters=claim.parameters)
    assert entry("a/b:c", plain) is None


def test_bounds_of_a_finite_set_are_held_against_their_conditions_at_any_size():
    q, b = sympy.symbols("q b", real=True)
    fields = {q: Choice((2, 3, 5)), b: Real(0, None, open_low=True)}
    item = entry("a/b:c", Claim(
        source=claim.source, statement=Holds(b <= q * b), given=[q**2 >= b], parameters=fields,
    ))  # fmt: skip
    asked = {q.symbol: q for q in item.questions}
    assert asked["q"].terms == (sympy.sqrt(b),) and asked["b"].terms == (q**2,)
    rng = numpy.random.default_rng(1)
    (cover,) = [s for s in item.sliders if s.name == "q"]
    assert {int(random_value(cover, rng)) for _ in range(60)} == {2, 3, 5}
    assert all(text in script([item]) for text in ('"items": [2.0, 3.0', "items:[2.0, 3.0, 5.0]"))


def test_expressions_without_javascript_are_refused():
    with pytest.raises(NoJavaScript, match="no JavaScript for gamma"):
        javascript(sympy.gamma(M), {"M": 0})


@pytest.mark.skipif(NODE is None, reason="node is not installed: JavaScript cannot run here")
def test_browser_numbers_agree_with_python(found, tmp_path):
    # Doubles carry 53 bits; an expression of 100 operations with exponents of size 1000 loses
    # at most about 10^5 of 10^-16. A wrong power, constant or branch is off by far more.
    rng = numpy.random.default_rng(7)
    chosen = [(item, q) for item in found for q in item.questions]
    chosen.append((entry("a/b:c", claim), entry("a/b:c", claim).questions[0]))
    tasks, expected = [], []
    keys = {item.key: place for place, item in enumerate([*found, chosen[-1][0]])}
    while len(tasks) < POINTS:
        item, question = chosen[int(rng.integers(len(chosen)))]
        values = {s.name: random_value(s, rng) for s in item.sliders}
        exact_value = _largest(question, values)
        if exact_value is None:
            continue
        at = [float(values[s.name].p) / float(values[s.name].q) for s in item.sliders]
        tasks.append([keys[item.key], item.questions.index(question), at])
        expected.append(exact_value)
    code = script([*found, chosen[-1][0]]) + (
        "\nconst out = JSON.parse(require('fs').readFileSync(0, 'utf8')).map(([c, q, at]) => {"
        "const claim = X.claims[c], question = {...claim.questions[q], whole: false, items: null};"
        "const r = X.evaluate(claim, question, at.map(B.of)); return [r.value.m, r.value.e]; });"
        "process.stdout.write(JSON.stringify(out));"
    )
    path = tmp_path / "run.js"
    path.write_text(code)
    run = subprocess.run(
        [NODE, str(path)], input=json.dumps(tasks), capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr[:500]
    worst = 0.0
    for task, (mantissa, exponent), value in zip(
        tasks, json.loads(run.stdout), expected, strict=True
    ):
        assert mantissa is not None, task
        with precision(256):
            got = arb(fmpq(*float(mantissa).as_integer_ratio())) * arb(2) ** int(exponent)
            off = float(abs((got - value) / value).mid()) if value != 0 else abs(mantissa)
        assert off < 1e-9, (task, str(value), off)
        worst = max(worst, off)
    assert worst > 0


def _largest(question, values):
    """The bound in balls; None where it has no value or cancels to nothing."""
    system = System(claim)
    best = None
    for term in question.terms:
        value = system.evaluate(term, values, 256)
        if value is None:
            return None
        ball = arb(value) if is_exact(value) else value
        with precision(256):
            if _cancels(term, values, ball, system):
                return None
            best = ball if best is None else (best.max(ball) if question.least else best.min(ball))
    return best


def _cancels(term, values, ball, system):
    """A sum far smaller than its summands has no double to 1e-9, in any language."""
    for node in sympy.preorder_traversal(term):
        if isinstance(node, sympy.Add):
            total = system.evaluate(node, values, 256)
            parts = [system.evaluate(arg, values, 256) for arg in node.args]
            if total is None or None in parts:
                return True
            if any(abs(arb(part)) > abs(arb(total)) * 10**4 for part in parts):
                return True
        if isinstance(node, sympy.log):
            # Near 1 the logarithm magnifies the rounding of its argument.
            inner = system.evaluate(node, values, 256)
            if inner is None or abs(arb(inner)) < arb(fmpq(1, 10**4)):
                return True
        if isinstance(node, sympy.exp) or (isinstance(node, sympy.Pow) and node.exp.free_symbols):
            size = system.evaluate(sympy.log(node), values, 256)
            if size is None or abs(arb(size)) > 10**4:
                return True
    return False


@pytest.mark.skipif(NODE is None, reason="node is not installed: JavaScript cannot run here")
def test_extreme_numbers_survive(tmp_path):
    code = script([]) + (
        "\nconst a = B.pow(B.of(10), B.of(400)), b = B.mul(a, a);"
        "process.stdout.write(JSON.stringify([B.text(b), B.log10(B.inv(b)), B.text(B.sub(b, b)),"
        "B.num(B.log(a)), B.text(X.parse('1e-400')), X.parse('1e'), B.num(X.parse('0.5'))]));"
    )
    path = tmp_path / "run.js"
    path.write_text(code)
    run = subprocess.run([NODE, str(path)], capture_output=True, text=True, timeout=30, check=True)
    text, size, nothing, log, tiny, wrong, half = json.loads(run.stdout)
    assert text.endswith("e800") and abs(size + 800) < 1e-9 and nothing == "0"
    assert abs(log - 921.0340371976183) < 1e-9 and tiny.endswith("e-400")
    assert wrong is None and half == 0.5


def test_rationals_become_nearest_doubles():
    assert number(fmpq(1, 3)) == "B.n(1.3333333333333333,-2)"
    assert number(fmpq(-8)) == "B.n(-1,3)"


def test_the_page_needs_nothing_else_and_escapes_names(tmp_path):
    evil = sympy.Symbol("</script><b>x", real=True)
    odd = Claim(
        source=Source("A & B", 2024, "<i>").at("1"), statement=Holds(evil <= M),
        given=[2 * evil <= M], parameters={M: Integer(1, searched=9), evil: Real(0, None)},
    )  # fmt: skip
    text = page([entry("a/b:c", odd)])
    assert "</script><b>" not in text and not re.search(r'(src|href)="(?!index\.html|#)', text)


def test_the_page_opens_on_a_size_that_several_values_drive(found):
    first = telling(found)
    item, question = found[first.entry], found[first.entry].questions[first.question]
    assert question.least and question.allowed.whole
    assert len(set().union(*(t.free_symbols for t in question.terms))) >= 5
    assert f"const OPEN = {list(first)};" in script(found)
    assert telling([entry("a/b:c", claim)]) == (0, 0) == telling([])
    failing = {part: Known("x.html", "refuted", True) for part in item.parts}
    other = found[telling(found, failing).entry]
    assert not set(other.parts) & set(failing)  # one that stands comes first


def test_composed_statements_are_on_the_page(found):
    keys = [item.key for item in found if " + " in item.key]
    assert keys and all(len(key.split(" + ")) == 2 for key in keys)


def test_formulas_of_hostile_names_stay_text():
    evil = sympy.Symbol("<img src=x onerror=alert(1)>", real=True)
    odd = Claim(source=claim.source, statement=Holds(evil <= M), given=[2 * evil <= M],
                parameters={M: Integer(1, searched=9), evil: Real(0, None)})  # fmt: skip
    text = script([entry("a/b:c", odd)])
    found = re.search(r'math:"((?:[^"\\]|\\.)*)"', text)
    assert "<img" not in json.loads(f'"{found.group(1)}"')


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: no browser to test in")
def test_page_answers_in_a_browser(tmp_path):
    class OneClaim:
        claims = {"a/b:c": claim}

    path = write_explorer(OneClaim, tmp_path)
    state = {"key": "a/b:c", "symbol": "M", "xi": "1e-3", "R": "1", "delta": "0.1", "p": "0.9"}
    run = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
         f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=3000",
         f"file://{path}#{urlencode(state)}"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    answer = re.search(r'id="answer"[^>]*aria-label="([^"]*)"', run.stdout)
    assert answer, run.stderr[-400:]
    # 32 * (10^3)^10 * log 20, from the formula by hand.
    assert html.unescape(answer.group(1)) == "M at least 9.5863433e+31".replace("e+", "e")
    assert "(binding)" in run.stdout and 'type="range"' in run.stdout
    assert re.search(r'<span title="[^"]*"><math[ >]', run.stdout)  # formulas, not their code
    assert re.search(r'<path d="M[\d. L]+', run.stdout)
    labels = set(re.findall(r'<label for="([^"]+)"', run.stdout))
    assert set(re.findall(r'<(?:input|select)[^>]*id="((?!t\d)[^"]+)"', run.stdout)) <= labels
