"""One test per claim: the verdict of this run against the golden one of its source."""

from pathlib import Path

import pytest

from boundcheck.pytest_plugin import Suite, outcome_text, read_golden

ROOT = Path(__file__).parent
LIBRARY = Suite(ROOT, "quick").library


@pytest.fixture(scope="session")
def suite(request):
    suite = Suite(ROOT, request.config.getoption("--verdict-budget"))
    yield suite
    if request.config.getoption("--update-verdicts"):
        suite.write_golden()


@pytest.fixture(scope="session")
def chosen(request):
    return [
        item.callspec.params["key"]
        for item in request.session.items
        if hasattr(item, "callspec") and "key" in item.callspec.params
    ]


@pytest.mark.parametrize("key", sorted(LIBRARY.claims))
def test_verdict_is_the_golden_one(key, suite, chosen, request):
    entry = suite.entry(key, chosen)
    assert not entry["fault"], f"{key}: {entry['summary']}\nreplay: {entry['replay']}"
    if request.config.getoption("--update-verdicts"):
        return
    expected = read_golden(ROOT / key.split("/")[0]).get(key)
    assert outcome_text(entry) == expected, (
        f"{key}: {entry['summary']}\nreplay: {entry['replay']}"
    )


def test_every_statement_file_can_be_used():
    assert LIBRARY.broken == {}


def test_golden_files_name_existing_claims_only():
    for folder in sorted(path.parent for path in ROOT.glob("*/__init__.py")):
        assert set(read_golden(folder)) <= set(LIBRARY.claims)
