"""Results on disk go stale with the code that decided them, wherever that code lies."""

import contextlib
import copy
import json
from pathlib import Path

import pytest
import sympy

from boundcheck import Claim, Holds, Source, environment as versions, ledger as ledger_module
from boundcheck.diagnosis.record import (
    Constant,
    Dependant,
    Diagnosis,
    Extent,
    Repair,
    Telling,
)
from boundcheck.environment import DECIDING, environment
from boundcheck.ledger import DECIDES, DIAGNOSES_IT, PACKAGE, Digests, Ledger, code_digest
from boundcheck.library import shipped_root
from boundcheck.rows import is_diagnosis, is_verdict
from boundcheck.verdict import Evidence, Witness, conclude
from boundcheck.worlds import Real


@pytest.mark.parametrize("place", ["work", "report", "_library"])
def test_a_change_is_noticed_in_a_folder_of_any_name(tmp_path, place):
    folder = tmp_path / place / "mine"
    folder.mkdir(parents=True)
    (folder / "theorem_1.py").write_text("a = 1")
    before = code_digest(folder)
    (folder / "theorem_1.py").write_text("a = 2")
    assert code_digest(folder) != before


def test_the_report_inside_the_package_decides_nothing(tmp_path):
    (tmp_path / "report").mkdir()
    before = code_digest(tmp_path)
    (tmp_path / "report" / "pages.py").write_text("a = 1")
    assert code_digest(tmp_path) == before


def test_a_row_of_another_environment_is_stale(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    entry = conclude("mine/a:printed", [Evidence("proof", "proved", "so")], 0.0).as_json()
    ledger.put("mine/a:printed", "quick", 0, entry)
    assert ledger.get("mine/a:printed", "quick", 0) == entry
    assert ledger.last("mine/a:printed")["environment"] == environment()
    monkeypatch.setattr(versions, "_versions", lambda: (("sympy", "0.1"),))
    assert ledger.get("mine/a:printed", "quick", 0) is None
    ledger.close()


def test_an_environment_is_one_phrase_of_the_report_pages(tmp_path):
    from boundcheck.environment import described

    found = described(environment())
    assert found.startswith(f"Python {environment()['python']} on ") and "z3-solver " in found
    assert described({}) == "" and described({"sympy": "1"}) == "sympy 1"


def test_the_environment_names_what_decides():
    found = environment()
    assert found["python"].count(".") == 2 and "none" not in (found["sympy"], found["z3-solver"])
    assert set(found) == {*DECIDING, "python", "machine"}
    witness = Witness("a/b:c", "f", "exact", {}, {}, {"seed": 1}).as_json()
    assert witness["extra"] == {"seed": 1, "environment": found}


def test_a_row_of_changed_statements_is_stale(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.py").write_text("bound = 1")
    ledger = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    entry = conclude("mine/a:printed", [Evidence("proof", "proved", "so")], 0.0).as_json()
    ledger.put("mine/a:printed", "quick", 0, entry)
    ledger.close()
    (tmp_path / "mine" / "a.py").write_text("bound = 2")
    later = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    assert later.get("mine/a:printed", "quick", 0) is None
    later.close()


KEY, OTHER = "mine/a:printed", "mine/a:other"
FAILING = conclude(KEY, [
    Evidence("search", "refuted", "so", kind="exact",
             witness=Witness(KEY, "f", "exact", {"x": "1"}, {"left": "1"}, {"seed": 1})),
    Evidence("controls", "supported", "so", numbers={
        "mutants": [{"mutant": "halved", "caught": True, "reason": "", "part": 0, "relation": "r"}],
        "parts": [{"relation": "r", "slack": 2.0, "control": True, "untested": False}],
        "curves": {"n grows": [[1, 2.0]]}, "excluded": [1, 2], "same": ["x <= x"]}),
], 0.0).as_json()  # fmt: skip
ENTRY = conclude(KEY, [Evidence("proof", "proved", "so")], 0.0).as_json()
TOLD = {"text": "so", "diagnosis": Diagnosis(
    KEY, "slip", "a reason", Extent("", corner=False), Constant(1.0, None),
    (Repair("2 for 1", "x <= 2", "constant", 1.0, "supported", latex="x"),), "",
    (Dependant(OTHER, "fails", "as it is"),), Telling((("x", "1"),), {"x": 1}, ("1 <= 0",), 1), 0.0,
).as_json()}  # fmt: skip
BOTH, VERDICT, NONE = (True, True), (True, False), (False, False)
PARTS = {
    "report/pages": BOTH, "explore/planning": BOTH, "cli": BOTH, "ledger": BOTH,
    "audit/facts": BOTH, "formulas/grammar": BOTH, "settings/online": BOTH, "runner": BOTH,
    "diagnosis/edits": VERDICT, "report/formula": VERDICT,
    "engine": NONE, "checks/enumeration": NONE, "search/screening": NONE, "claim": NONE,
    "certificates/checker": NONE, "statistics/martingale": NONE, "statistics/multiplicity": NONE,
    "settings/matrices": NONE, "quantities/matrices": NONE, "verification": NONE,
    "environment": NONE, "expressions/__init__": NONE, "supervision/limits": NONE,
}  # fmt: skip


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """(files that decide a claim with one setting, files that its diagnosis rests on too)."""
    root = tmp_path_factory.mktemp("library")
    _statement(root, "from boundcheck.settings.matrices import A")
    return [set(Digests(root).files(KEY, work).values()) for work in (DECIDES, DIAGNOSES_IT)]


@pytest.mark.parametrize("name", PARTS)
def test_what_makes_a_row_stale(decided, name):
    path = PACKAGE / f"{name}.py"
    assert path.is_file() and tuple(path not in files for files in decided) == PARTS[name]


SMALL = {
    "__init__": "", "verification": "from boundcheck.engine import verify",
    "engine": "def verify():\n    from boundcheck import checks", "checks": "LEVEL = 1",
    "diagnosis/__init__": "", "diagnosis/run": "from boundcheck import engine, words",
    "words": "A = 'a'", "report": "import boundcheck.engine", "field": "X = 1",
}  # fmt: skip
CHANGES = {"engine": NONE, "checks": NONE, "field": NONE, "__init__": NONE, "words": VERDICT,
           "diagnosis/run": VERDICT, "report": BOTH}  # fmt: skip


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """(whether verdict and diagnosis are served from a ledger, its code, the statement file)."""
    code, root = tmp_path / "code", tmp_path / "library"
    for name, text in SMALL.items():
        (code / name).parent.mkdir(parents=True, exist_ok=True)
        (code / f"{name}.py").write_text(text)
    monkeypatch.setattr(ledger_module, "PACKAGE", code)
    statement = _statement(root, "from boundcheck.field import X")

    def served(keep=False):
        with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", root)) as ledger:
            if keep:
                ledger.put(KEY, "quick", 0, ENTRY)
                ledger.keep_diagnosis(KEY, "quick", 0, None, TOLD)
            return (ledger.get(KEY, "quick", 0) is not None,
                    ledger.diagnosis(KEY, "quick", 0, None) is not None)  # fmt: skip

    assert served() == NONE and served(keep=True) == BOTH
    return served, code, statement


def _statement(root, text):
    (root / "mine").mkdir(parents=True)
    (root / "mine" / "__init__.py").write_text("")
    (root / "mine" / "a.py").write_text(text)
    return root / "mine" / "a.py"


@pytest.mark.parametrize("name", CHANGES)
def test_a_row_is_stale_with_what_decided_it_and_nothing_else(kept, name):
    served, code, _ = kept
    (code / f"{name}.py").write_text(SMALL[name] + "\nCHANGED = 1\n")
    assert served() == CHANGES[name]
    (code / f"{name}.py").write_text(SMALL[name])
    assert served() == BOTH


def test_a_module_that_an_engine_begins_to_import_decides_from_then_on(kept):
    served, code, _ = kept
    (code / "fresh.py").write_text("BEST = 1")
    assert served() == BOTH
    (code / "checks.py").write_text("def f():\n    from boundcheck import fresh")
    assert served() == NONE and served(keep=True) == BOTH
    (code / "fresh.py").write_text("BEST = 2")
    assert served() == NONE


def test_another_source_that_a_statement_imports_decides_too(kept):
    served, _, statement = kept
    other = statement.parent.parent / "theirs" / "__init__.py"
    other.parent.mkdir()
    other.write_text("FACTOR = 1")
    assert served() == BOTH
    statement.write_text("from ..theirs import FACTOR")
    assert served() == NONE and served(keep=True) == BOTH
    other.write_text("FACTOR = 2")
    assert served() == NONE


@pytest.mark.parametrize(
    ("name", "text", "still"),
    [("_coverage", "", BOTH), ("b", "", VERDICT), ("_lemma/steps", "from ._lemma import C", NONE),
     ("__init__", "from . import NOTES", NONE)],
)  # fmt: skip
def test_of_its_source_a_row_rests_on_what_its_statement_imports(kept, name, text, still):
    served, _, statement = kept
    other = statement.parent / f"{name}.py"
    other.parent.mkdir(exist_ok=True)
    other.write_text("NOTES = 1")
    (statement.parent / "_lemma").mkdir(exist_ok=True)
    (statement.parent / "_lemma" / "__init__.py").write_text("from .steps import C")
    statement.write_text(text or statement.read_text())
    served(keep=True)
    assert served() == BOTH
    other.write_text("NOTES = 2")
    assert served() == still


def test_what_figures_import_decides_no_claim_of_the_library():
    digests = Digests(shipped_root())
    assert digests.of("yashima2021/theorem_3:aistats") != digests.of("yashima2021/lemma_1:aistats")
    found = digests.files("yashima2021/theorem_3:aistats")
    assert "statements.yashima2021.theorem_3" in found and "statements.yashima2021" in found
    assert not {name for name in found
                if name.endswith(("._figures", "._coverage", "._benchmark", "explore.plans"))}


def test_steps_in_the_folder_of_a_statement_decide_its_claims():
    found = Digests(shipped_root()).files("wu2021/theorem_4_3:printed")
    assert "statements.wu2021._theorem_4_3.hoeffding" in found


def test_the_last_document_of_a_failing_claim_has_its_diagnosis(tmp_path):
    ledger = Ledger(tmp_path / "ledger.sqlite", tmp_path)
    for entry, told in ((FAILING, True), (ENTRY, False)):
        ledger.put(KEY, "quick", 0, entry)
        ledger.keep_diagnosis(KEY, "quick", 0, None, TOLD)
        assert (ledger.last(KEY).get("diagnosis") == TOLD["diagnosis"]) == told
    ledger.close()


TABLES = ("verdicts", "shards", "diagnoses")


def _served(ledger, key):
    """What is served of a claim's rows, by table."""
    found = {"verdicts": ledger.get(key, "quick", 0),
             "shards": ledger.shards(key, "quick", 0).get("search 1"),
             "diagnoses": ledger.diagnosis(key, "quick", 0, None)}  # fmt: skip
    return {name: row for name, row in found.items() if row is not None}


@pytest.mark.parametrize("change", [
    "UPDATE {} SET document = replace(document, 'so', 'no')",
    "UPDATE {} SET document = substr(document, 65)",
    "UPDATE {} SET document = ''",
    "UPDATE {} SET document = (SELECT document FROM {} AS o WHERE o.key = 'mine/a:other')",
    "UPDATE {} SET seed = 1 - seed",
    "UPDATE {} SET budget = 'quick' WHERE budget = 'standard'",
])  # fmt: skip
@pytest.mark.parametrize("table", TABLES)
def test_a_row_that_was_not_written_for_its_place_is_none(tmp_path, table, change):
    """Another text, the row of another claim of the same file, of another seed or budget."""
    with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", tmp_path)) as ledger:
        for key in (KEY, OTHER):
            budget, seed = ("standard", 0) if "standard" in change else ("quick", 0)
            if key == KEY and "seed" in change:
                seed = 1
            entry = conclude(key, [Evidence("proof", "proved", f"so {key}")], 0.0).as_json()
            ledger.put(key, budget, seed, entry)
            ledger.keep_shard(key, budget, seed, "search 1", {"text": f"so {key}"})
            ledger.keep_diagnosis(key, budget, seed, None, {**TOLD, "text": f"so {key}"})
        served = _served(ledger, KEY)
        with ledger._connection as connection:
            connection.execute(f"{change} WHERE key = '{KEY}'".replace(
                "'standard' WHERE", "'standard' AND").format(table, table))  # fmt: skip
        assert table not in _served(ledger, KEY)
        assert set(_served(ledger, KEY)) == set(served) - {table}
        if table == "verdicts":
            assert ledger.last(KEY) is None
        if "seed" not in change and "standard" not in change:
            assert set(served) == set(TABLES) == set(_served(ledger, OTHER))


def test_the_last_document_says_whether_it_is_of_the_present_files(kept, tmp_path, monkeypatch):
    served, _, statement = kept
    with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", statement.parent.parent)) as ledger:
        assert served() == BOTH and ledger.last(KEY)["stale"] is False
        monkeypatch.setattr(versions, "_versions", lambda: (("sympy", "0.1"),))
        assert ledger.last(KEY)["stale"] is True


def test_rows_of_a_claim_that_other_files_say_otherwise_are_stale(tmp_path):
    """A statement may take a number from a file that is no Python: its text is what counts."""
    x = sympy.Symbol("x", real=True)

    def reopened(bound):
        claim = Claim(Source("A", 2000, "T").at("1"), Holds(x <= bound), parameters={x: Real(0, 2)})
        return contextlib.closing(Ledger(tmp_path / "ledger.sqlite", tmp_path, {KEY: claim}))

    with reopened(2) as ledger:
        ledger.put(KEY, "quick", 0, ENTRY)
        ledger.keep_shard(KEY, "quick", 0, "search 1", {"text": "so"})
        ledger.keep_diagnosis(KEY, "quick", 0, None, TOLD)
        assert set(_served(ledger, KEY)) == set(TABLES) and not ledger.last(KEY)["stale"]
    with reopened(1) as ledger:
        assert not _served(ledger, KEY) and ledger.last(KEY)["stale"]


def edited(document, place, value):
    """A document with another value at a place, or with none for `...`."""
    found = copy.deepcopy(document)
    *way, last = place
    inner = found
    for name in way:
        inner = inner[name]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return found


MUTANTS, PARTS_SEEN = ("checks", 1, "numbers", "mutants"), ("checks", 1, "numbers", "parts")
EDITS = [
    (("key",), OTHER), (("verdict",), "holy"), (("verdict",), "broken"),
    (("verdict",), "supported"), (("verdict",), "malformed"), (("evidence",), "<b>"),
    (("evidence",), "trend"), (("evidence",), None), (("error_probability",), float("inf")),
    (("error_probability",), float("nan")), (("error_probability",), -1.0), (("slack",), "x"),
    (("slack",), float("nan")), (("fault",), [1]), (("fault",), ...), (("seconds",), "a"),
    (("parts",), 5), (("parts",), [{}]), (("growing",), ...), (("summary",), "\ud800"),
    (("checks",), [{}]), (("checks", 0, "numbers"), None), (("checks", 0, "detail"), 3),
    (("checks", 0, "outcome"), "holy"), (MUTANTS, [5]), ((*MUTANTS, 0, "part"), -1),
    ((*MUTANTS, 0, "caught"), ...), ((*PARTS_SEEN, 0, "slack"), "1"),
    (("checks", 1, "numbers", "excluded"), [1, 0]), (("checks", 1, "numbers", "curves"), 5),
    (("checks", 1, "numbers", "same"), 5), (("witness",), None), (("witness",), {}),
    (("witness", "claim"), OTHER), (("witness", "kind"), "trend"), (("witness", "values"), 5),
    (("witness", "extra", "ray"), {"t": 5}), (("certificate",), {"claim": KEY, "fingerprint": "f"}),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value"), EDITS, ids=lambda part: repr(part)[:40])
def test_a_row_that_is_no_verdict_on_its_claim_is_none_even_under_its_seal(tmp_path, place, value):
    with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", tmp_path)) as ledger:
        ledger.put(KEY, "quick", 0, FAILING)
        assert ledger.get(KEY, "quick", 0) == FAILING and ledger.taken == 1
        ledger.put(KEY, "quick", 0, edited(FAILING, place, value))
        assert ledger.get(KEY, "quick", 0) is None and ledger.last(KEY) is None
        assert ledger.taken == 1


@pytest.mark.parametrize(("place", "value"), [
    ((), 5), (("text",), ...), (("diagnosis",), 5), (("diagnosis", "grade"), "holy"),
    (("diagnosis", "constant"), [1.0]), (("diagnosis", "constant"), ["1", None]),
    (("diagnosis", "repairs"), [5]), (("diagnosis", "repairs", 0, "verdict"), 5),
    (("diagnosis", "telling"), {}), (("diagnosis", "telling", "values"), {"x": 1}),
    (("diagnosis", "downstream", 0, "status"), "holy"),
], ids=lambda part: repr(part)[:40])  # fmt: skip
def test_a_row_that_is_no_diagnosis_is_none_even_under_its_seal(tmp_path, place, value):
    with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", tmp_path)) as ledger:
        ledger.put(KEY, "quick", 0, FAILING)
        ledger.keep_diagnosis(KEY, "quick", 0, None, TOLD)
        assert ledger.diagnosis(KEY, "quick", 0, None) == TOLD
        found = edited(TOLD, place, value) if place else value
        ledger.keep_diagnosis(KEY, "quick", 0, None, found)
        assert ledger.diagnosis(KEY, "quick", 0, None) is None
        assert "diagnosis" not in ledger.last(KEY)


@pytest.mark.parametrize("text", ["", "{", "5", "[" * 100_000])
def test_a_row_that_is_no_document_is_none_even_under_its_seal(tmp_path, monkeypatch, text):
    with contextlib.closing(Ledger(tmp_path / "ledger.sqlite", tmp_path)) as ledger:
        monkeypatch.setattr(ledger_module.json, "dumps", _dumping(text))
        ledger.put(KEY, "quick", 0, FAILING)
        ledger.keep_shard(KEY, "quick", 0, "search 1", FAILING)
        ledger.keep_diagnosis(KEY, "quick", 0, None, FAILING)
        assert not _served(ledger, KEY) and ledger.last(KEY) is None


def _dumping(text):
    """`json.dumps` that writes one text in the place of documents."""
    dumps = json.dumps
    return lambda found, **how: text if isinstance(found, dict) else dumps(found, **how)


def test_every_row_of_the_reference_report_could_be_taken():
    """What is asked of a row is what verification writes: else it is verified again each time."""
    report = Path(__file__).parents[1] / "reports" / "report.json"
    document = json.loads(report.read_text("utf-8"))
    assert len(document["claims"]) > 500
    for entry in document["claims"]:
        (entry["witness"] or {}).pop("seal", None)
        assert is_verdict(entry, entry["key"]), entry["key"]
        assert is_diagnosis({"text": "", "diagnosis": entry["diagnosis"]}), entry["key"]
