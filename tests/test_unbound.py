"""Claims that are bound when they are looked at."""

import sys
from dataclasses import replace

import pytest
from sympy import Symbol

from boundcheck import Claim, Holds, Source
from boundcheck.errors import MalformedStatement
from boundcheck.library import load_library, shipped_root
from boundcheck.setting import parts
from boundcheck.unbound import Unbound, bound_when_needed

PLACE = Source("Nobody", 2000, "Later").at("1")
KEY = "wang2019/theorem_1:printed"
x = Symbol("x", real=True)


def test_of_a_shipped_file_one_claim_alone_is_bound(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("_boundcheck_")]:
        monkeypatch.delitem(sys.modules, name)
    library = load_library(shipped_root(), [KEY])
    others = [key for key in library.claims if key != KEY]
    assert others and all(type(library.claims[key]) is Unbound for key in others)
    rest = [key for key in others if "wang2019/lemma_4:printed" in library[key].uses]
    assert all(type(library.claims[key]) is Unbound for key in others), rest  # asked of all
    asked = library[KEY]
    assert parts(asked.statement.relation) and type(asked) is Claim
    assert all(type(library.claims[key]) is Unbound for key in others)


def test_what_is_bound_later_is_the_same_claim():
    some = load_library(shipped_root(), [KEY])
    later = {key: claim.fingerprint() for key, claim in some.claims.items()}
    whole = load_library(shipped_root(), ["wang2019"])
    assert later == {key: whole[key].fingerprint() for key in later}


def test_a_claim_without_a_value_for_a_symbol_is_malformed_whenever_it_is_looked_at():
    with pytest.raises(MalformedStatement, match="symbol x is neither"):
        Claim(PLACE, Holds(x <= 1))
    with bound_when_needed():
        claim = Claim(PLACE, Holds(x <= 1))
    for _ in range(2):
        with pytest.raises(MalformedStatement, match="symbol x is neither"):
            claim.statement  # noqa: B018
    with pytest.raises(MalformedStatement, match="symbol x is neither"):
        replace(claim, reading="x is any number")
