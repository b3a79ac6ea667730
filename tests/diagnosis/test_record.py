"""What counts as standing, and what only held."""

import pytest

from boundcheck.diagnosis.record import bracket, held

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


def test_factors_that_worlds_tell_are_rounded_away_from_what_was_tried():
    assert bracket(1.10399, 4 / 3) == (
        "no factor below 1.103 serves, and search refuted none from 1.334 on"
    )
    assert bracket(None, 1.5 * (1 + 1e-15)) == "search refuted none from 1.5 on"
