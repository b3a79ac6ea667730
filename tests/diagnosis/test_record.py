"""What counts as standing, and what only held."""

import pytest

from boundcheck.diagnosis.record import held

OPEN = {"needed": 200, "decided": 0, "left undecided": 900, "silent": 0}


@pytest.mark.parametrize(
    ("outcome", "slack", "checks", "expected"),
    [
        ("undecided", 16.8, [("supported", {})], True),
        ("undecided", 6.9e20, [("supported", {})], False),
        ("undecided", 16.8, [("undecided", {})], False),
        ("undecided", None, [("undecided", OPEN)], True),
        ("undecided", None, [("undecided", {**OPEN, "decided": 3})], False),
        ("undecided", None, [("undecided", {**OPEN, "silent": 3})], False),
        ("refuted", 16.8, [("supported", {})], False),
    ],
)
def test_an_open_statement_held_where_search_supports_it(outcome, slack, checks, expected):
    assert held(outcome, slack, checks) is expected
