"""A search without hints: nothing is left of them, and the claim is the same claim."""

import numpy
from sympy import symbols

from boundcheck import Claim, Holds, Source, UpToConstant
from boundcheck.search.hints import SMALL, kept_hints, plain, without_hints
from boundcheck.search.recall import table
from boundcheck.worlds import (
    Custom,
    Derived,
    Family,
    Integer,
    Real,
    Space,
    Vector,
    doublings,
)

x, total = symbols("x total", real=True)
PLACE = Source("A", 2000, "T").at("here")


def ones(source, earlier):
    return (1,) * earlier["n"]


def hinted(**more):
    fields = {
        "source": PLACE, "statement": Holds(total <= x),
        "worlds": Space(
            n=Integer(1, searched=2), v=Custom(ones, Vector("n", 0, 1)),
            odd=Custom(lambda source, earlier: 1, lambda value, earlier: value % 2 == 1),
            twice=Derived(lambda v: tuple(2 * entry for entry in v)),
        ),
        "parameters": {x: Real(0, None, searched=(5, 6))}, "measure": {total: sum_of},
    }  # fmt: skip
    return Claim(**{**fields, **more})


def sum_of(v):
    return sum(v)


def test_ranges_and_rules_go_and_predicates_keep_their_rule():
    claim = without_hints(hinted())
    rng = numpy.random.default_rng(0)
    worlds = [claim.worlds.sample(rng)[0] for _ in range(60)]
    assert max(world["n"] for world in worlds) == SMALL
    assert any(set(world["v"]) != {1} for world in worlds)
    assert all(world["odd"] == 1 for world in worlds)
    assert kept_hints(hinted()) == ["odd"]
    built = [plain(Real(0, None, searched=(5, 6)), 9).build(_source(seed), {}) for seed in range(9)]
    assert any(not 5 <= value <= 6 for value in built)


def _source(seed):
    from boundcheck.worlds.sources import Randomness

    return Randomness(numpy.random.default_rng(seed))


def test_a_witness_found_without_hints_is_one_of_the_claim():
    assert without_hints(hinted()).fingerprint() == hinted().fingerprint()


def test_families_go_unless_the_statement_is_about_them():
    families = (Family("grows", lambda size: {}, doublings(1, 7)),)
    free = hinted(statement=UpToConstant(total <= x), families=families)
    bound = hinted(statement=UpToConstant(total <= x, depends=("n",)), families=families)
    assert without_hints(free).families == () and without_hints(bound).families == families
    assert "families" in kept_hints(bound)


def test_the_table_counts_by_source_and_names_what_needs_a_hint():
    expected = {"a/s:p": "refuted (exact)", "a/s:q": "refuted (exact)", "b/s:p": "malformed"}
    found = {"a/s:p": "refuted (trend)", "a/s:q": "supported", "b/s:p": "malformed"}
    lines = list(table(expected, found))
    assert "| a | refuted (exact) | 2 | 1 | 1 |" in lines and "| all | | 3 | 2 | |" in lines
    assert lines[-1] == "- `a/s:q`: supported without"
