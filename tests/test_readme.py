"""The README's Python session is executed as printed, against the shipped library."""

import doctest
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_session_runs_as_printed(monkeypatch):
    if not README.is_file():
        pytest.skip("the README is not beside the tests")
    monkeypatch.chdir(README.parent)
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted >= 6 and result.failed == 0
