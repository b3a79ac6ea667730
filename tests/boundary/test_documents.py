"""Documents from outside that cost more to read, or to refuse, than they may."""

import time

import pytest

from boundcheck.boundary.documents import MOST, Misshapen, parse_json


@pytest.mark.parametrize("half", [r"\ud800", r"\uDc00", r"\ud83d x"])
@pytest.mark.parametrize("form", ['["{}"]', '{{"{}": 1}}'])
def test_half_of_a_surrogate_pair_is_refused_where_it_stands(half, form):
    with pytest.raises(Misshapen, match=r"holds '\\ud[0-9a-f]{3}', half of a character"):
        parse_json(form.format(half))


def test_a_whole_pair_and_an_escaped_backslash_are_text():
    assert parse_json(r'["\ud83d\ude00", "\\ud800"]') == ["\U0001f600", r"\ud800"]


@pytest.mark.parametrize("entry", ["[]", "{}", "1"])
def test_too_many_entries_are_refused_before_they_are_built(entry):
    started = time.process_time()
    with pytest.raises(Misshapen, match="more than 4194304 entries"):
        parse_json("[" + f"{entry}," * MOST + entry + "]")
    assert time.process_time() - started < 2  # built, they take ten seconds and 2 GB


def test_a_name_given_twice_among_many_is_found_at_once():
    """By looks back from every name this takes an hour."""
    names = [*range(300_000), 299_990]
    started = time.process_time()
    with pytest.raises(Misshapen, match="names '299990' twice"):
        parse_json("{" + ",".join(f'"{name}":0' for name in names) + "}")
    assert time.process_time() - started < 20
