"""A small library with every kind of claim, and a run document for it written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq, fmpq_mat

from boundcheck.encoding import encode
from boundcheck.library import Library, load_library

SOURCE = '''"""Example 2020. Shared symbols."""
from sympy import symbols
from boundcheck import Source

TITLE = "A paper & its <bounds>"
FIRST = Source("Example, Author", 2020, TITLE, edition="first", link="https://example.org/a")
SECOND = Source("Example, Author", 2020, TITLE, edition="second")
Q, n, delta, lam, norm_f_H, trace = symbols("Q n delta lambda norm_f_H kernel_trace", real=True)
deviation = symbols("deviation", real=True)

def kernel_trace(gram):
    """Sum of the diagonal of the kernel matrix. More words."""
    return sum(gram[i, i] for i in range(gram.nrows()))
'''
HEAD = """from sympy import And, Eq, Max, log, sqrt, symbols
from boundcheck.claim import Claim, Expected, Holds, UpToConstant, WithProbability
from boundcheck.worlds import *
from boundcheck.worlds.draws import Signs
from . import *
"""
STATEMENTS = {
    "lemma_1": '''"""Lemma 1: the trace dominates.

Setting    a kernel matrix on n points,
           of any rank.
Claim      Q <= trace.

A remark that is running text.
"""
''' + HEAD + '''
printed = Claim(
    source=FIRST.at("Lemma 1"), statement=Holds(Q / n <= trace),
    given=[Q > 0, And(0 < lam, lam < 1)], worlds=gram_matrices(),
    parameters={Q: Real(0, None), lam: Real(0, 1)}, measure={trace: kernel_trace},
    reading="n is the number of points.",
)
''',
    "lemma_2": '"""Lemma 2: a square."""\n' + HEAD + '''
printed = Claim(source=FIRST.at("Lemma 2"), statement=Holds(Q * lam <= Q**2 + lam**2),
    parameters={Q: Real(None, None), lam: Real(None, None)})
''',
    "lemma_10": '"""Lemma 10: undefined."""\n' + HEAD + '''
c = symbols("c", real=True)
printed = Claim(source=FIRST.at("Lemma 10"), statement=Holds(Q <= c * log(Q)),
                parameters={Q: Real(None, None)}, undefined={c})
''',
    "theorem_1": '"""Theorem 1: deviation."""\n' + HEAD + '''
def total(signs):
    return abs(sum(signs))
common = dict(worlds=gram_matrices(), parameters={delta: Real(0, 1), lam: Real(0, 1)},
              measure={trace: kernel_trace, deviation: total},
              draw=Signs("signs", "n", over="the <signs>"))
first = Claim(
    source=FIRST.at("Theorem 1"), uses=("example/theorem_1:step_b", "other/gone:printed"),
    given=[And(0 < delta, delta < 1)],
    statement=WithProbability(1 - delta, deviation <= sqrt(2 * n * log(2 / delta)) + trace),
    **common,
)
second = Claim(source=SECOND.at("Theorem 1"), uses=("example/theorem_1:step_b",),
    statement=WithProbability(1 - 2 * delta, deviation <= sqrt(n * log(2 / delta))), **common)
step_a = Claim(source=FIRST.at("(3)-(4)"), uses=("example/lemma_1:printed",),
    statement=Expected(deviation <= sqrt(n)), **common)
step_b = Claim(source=FIRST.at("(5)"), uses=("example/theorem_1:step_a", "example/lemma_2:printed"),
    statement=Holds(Eq(lam, Max(lam, delta))), **common)
''',
    "corollary_1": '"""Corollary 1: order."""\n' + HEAD + '''
printed = Claim(source=FIRST.at("Corollary 1"), statement=UpToConstant(trace <= sqrt(n) / lam),
    uses=("example/theorem_1:first",), worlds=gram_matrices(), parameters={lam: Real(0, 1)},
    measure={trace: kernel_trace})
''',
    "broken": "def (:\n",
}  # fmt: skip
HOSTILE = '"""<script>alert(1)</script> & | `x` "quoted"."""\n' + HEAD + '''
evil = symbols("<img/src=x/onerror=alert(2)>", real=True)
printed = Claim(source=Source("</style><b>A", 2020, "</title><script>alert(3)</script>",
                link="javascript:alert(4)").at("</td><script>alert(5)</script>"),
    statement=Holds(evil <= Q), given=[evil > 0], reading="<script>alert(6)</script>",
    uses=("<script>alert(7)</script>",), parameters={evil: Real(0, 1), Q: Real(0, 1)})
'''  # fmt: skip


def write_library(root: Path, *, hostile: bool = False) -> Library:
    """The library as files under `root`."""
    folder = root / "verify" / "example"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(SOURCE)
    for name, text in STATEMENTS.items():
        (folder / f"{name}.py").write_text(text)
    if hostile:
        other = root / "verify" / "hostile"
        other.mkdir()
        (other / "__init__.py").write_text(SOURCE)
        (other / "theorem_9.py").write_text(HOSTILE)
    return load_library(root / "verify")


def entry(key: str, verdict: str, **more: Any) -> dict[str, Any]:
    """One claim of a run document."""
    base = {
        "key": key, "verdict": verdict, "evidence": None, "error_probability": 0.0,
        "vacuous": False, "slack": None, "summary": f"{verdict} because", "witness": None,
        "replay": f"boundcheck verify {key}", "seconds": 0.25,
        "checks": [
            {"check": "definedness", "outcome": None, "detail": "has a value", "numbers": {}},
            {"check": "enumeration", "outcome": verdict, "detail": "what was seen",
             "numbers": {"evaluated": 2500, "out_of_time": False, "rejected": {}}},
        ],
    }  # fmt: skip
    return base | more


def witness(library: Library, key: str, kind: str, values: dict[str, Any],
            shown: dict[str, str], **extra: Any) -> dict[str, Any]:  # fmt: skip
    """A witness document for a claim of the library."""
    return {
        "format": 1, "claim": key, "fingerprint": library[key].fingerprint(), "kind": kind,
        "values": {name: encode(value) for name, value in values.items()},
        "shown": shown, "extra": extra,
    }  # fmt: skip


def run_document(library: Library) -> dict[str, Any]:
    """A run in which every verdict and every kind of evidence occurs."""
    gram = fmpq_mat(2, 2, [fmpq(1, 2), fmpq(-1, 3), fmpq(-1, 3), fmpq(123456789, 9876543212)])
    first = witness(library, "example/lemma_1:printed", "exact",
                    {"n": 2, "gram": gram, "Q": fmpq(7, 3), "lambda": fmpq(1, 2)},
                    {"left": "7/6", "right": "5/8"})  # fmt: skip
    undefined = witness(library, "example/lemma_10:printed", "malformed", {},
                        {"reason": "undefined: c"})  # fmt: skip
    drawn = witness(library, "example/theorem_1:second", "statistical",
                    {"n": 1, "gram": fmpq_mat(1, 1, [fmpq(1)]), "delta": fmpq(1, 2)},
                    {"violations": "93", "draws": "128", "allowed": "0.1"}, seed=7)  # fmt: skip
    grows = witness(library, "example/corollary_1:printed", "trend",
                    {"n": 64, "lambda": fmpq(1, 2)}, {"size": "64", "constant needed": "4.0"},
                    family="n grows", sizes=["4", "8", "16", "32", "64"],
                    constants=["1", "1.4", "2", "2.8", "4"], seed=0, alpha=1e-9)  # fmt: skip
    curves = {"curves": {"n grows": [[4, 1.0], [8, 1.41], [16, 2.0], [32, 2.83], [64, 4.0]]}}
    return {
        "schema": 1, "version": "0.1.0", "seed": 0, "budget": "quick", "error_probability": 1e-6,
        "claims": [
            entry("example/corollary_1:printed", "refuted", evidence="trend", witness=grows,
                  checks=[{"check": "trend", "outcome": "refuted", "detail": "keeps growing",
                           "numbers": curves}]),
            entry("example/lemma_1:printed", "refuted", evidence="exact", slack=0.535,
                  witness=first),
            entry("example/lemma_10:printed", "malformed", witness=undefined),
            entry("example/lemma_2:printed", "proved"),
            entry("example/theorem_1:first", "supported", slack=1.5e9, vacuous=True),
            entry("example/theorem_1:second", "refuted", evidence="statistical",
                  error_probability=1e-9, slack=0.8, witness=drawn),
            entry("example/theorem_1:step_a", "supported", slack=float("inf")),
            entry("example/gone:printed", "undecided"),
        ],
        "account": [{"key": "example/theorem_1:second", "spent": 1e-9}],
        "controls": [
            {"key": "example/lemma_2:printed", "mutant": "right side doubled", "caught": True,
             "reason": ""},
            {"key": "example/lemma_2:printed", "mutant": "sign <flipped>", "caught": False,
             "reason": "still true"},
        ],
    }  # fmt: skip


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return write_library(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return write_library(tmp_path_factory.mktemp("hostile"), hostile=True)


@pytest.fixture(scope="session")
def new_document(library: Library) -> Callable[[], dict[str, Any]]:
    return lambda: run_document(library)


@pytest.fixture
def document(library: Library) -> dict[str, Any]:
    return run_document(library)
