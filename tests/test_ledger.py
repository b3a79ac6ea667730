"""Results on disk go stale with the code that decided them, wherever that code lies."""

import pytest

from boundcheck import environment as versions
from boundcheck.environment import DECIDING, environment
from boundcheck.ledger import Ledger, code_digest
from boundcheck.verdict import Evidence, Witness, conclude


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
