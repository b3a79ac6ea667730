"""Results on disk go stale with the code that decided them, wherever that code lies."""

import pytest

from boundcheck.ledger import code_digest


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
