"""The README's Python session is executed as printed, against the shipped library."""

import doctest
import re
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


def test_files_and_modules_that_are_named_exist():
    """What a maintainer is sent to: paths from the top, the package or the tests."""
    if not README.is_file():
        pytest.skip("the README is not beside the tests")
    maintained = README.read_text(encoding="utf-8").partition("## How it works")[2]
    named = set(re.findall(r"`([\w/]+\.(?:py|toml|md)|[\w]+(?:/[\w]+)*/)`", maintained))
    places = [README.parent, README.parent / "boundcheck", README.parent / "tests",
              README.parent / "boundcheck" / "formulas", README.parent / "boundcheck/expressions",
              README.parent / "tests/certificates"]  # fmt: skip
    missing = {name for name in named if not any((place / name).exists() for place in places)}
    assert len(named) >= 20
    assert {name for name in missing if "SOURCE" not in name} <= {"verdicts.toml"}


def test_the_version_is_one():
    import tomllib

    import boundcheck

    if not README.is_file():
        pytest.skip("the README is not beside the tests")
    project = tomllib.loads((README.parent / "pyproject.toml").read_text())["project"]
    assert project["version"] == boundcheck.__version__
