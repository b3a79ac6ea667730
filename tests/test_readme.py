"""The README's Python session is executed as printed, against the shipped library."""

import doctest
from pathlib import Path

import pytest

from boundcheck.library import shipped_root

README = Path(__file__).parent.parent / "README.md"


def test_session_runs_as_printed(monkeypatch):
    if not README.is_file():
        pytest.skip("the README is not beside the tests")
    monkeypatch.chdir(README.parent)
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 6 and result.failed == 0


def test_the_statement_file_shown_is_the_one_in_the_library():
    if not README.is_file():
        pytest.skip("the README is not beside the tests")
    shown = (shipped_root() / "wu2021" / "proposition_4_1.py").read_text(encoding="utf-8")
    assert f"```python\n{shown}```\n" in README.read_text(encoding="utf-8")
