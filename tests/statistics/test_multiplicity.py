import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import (
    Account,
    clopper_pearson_lower,
    clopper_pearson_upper,
    e_bonferroni as bonferroni,
)
from boundcheck.statistics.multiplicity import block_weight

KEYS = st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=10, unique=True)


@pytest.mark.parametrize("capacity", [1, 3, 1024])
def test_block_weights_never_exceed_one(capacity):
    blocks = 8
    positions = capacity * (2**blocks - 1)
    total = sum(Fraction(block_weight(k, capacity)) for k in range(min(positions, 10_000)))
    assert total <= 1
    if positions <= 10_000:
        # Eight whole blocks leave 2^-8; weights are powers of two over the capacity, so the sum
        # is exact up to the rounding of the division.
        assert float(total) == pytest.approx(1 - 2**-blocks, rel=1e-15)


@settings(max_examples=25, deadline=None)
@given(KEYS, st.randoms())
def test_levels_do_not_depend_on_who_else_runs(keys, random):
    alone = {key: Account().spend(key) for key in keys}
    shuffled = list(keys)
    random.shuffle(shuffled)
    account = Account()
    together = {key: account.spend(key) for key in shuffled}
    assert together == alone
    assert [row.key for row in account.rows()] == sorted(keys)
    assert account.spent <= account.total


def test_the_budget_holds_with_named_weights_and_beyond_capacity():
    account = Account(0.05, weights={"a": 0.3, "b": 0.2}, capacity=2)
    levels = [account.spend(key) for key in ["a", "x", "y", "z", "b", *map(str, range(500))]]
    assert levels[0] == 0.05 * 0.3
    assert levels[1] == levels[2] > levels[3] > 0
    assert min(levels) > 0
    assert 0.04 < account.spent <= 0.05


def test_a_second_call_spends_nothing_and_keeps_the_largest_e_value():
    account = Account(0.05)
    first = account.spend("a", log_e=3.0)
    assert account.spend("a") == account.spend("a", log_e=1.0) == account.level("a") == first
    assert account.spent == first
    (row,) = account.rows()
    assert (row.log_e, row.rejects) == (3.0, False)
    account.spend("a", log_e=math.log(1 / first))
    assert account.rows()[0].rejects
    assert str(account).splitlines()[0] == f"error probability {first:.3g} spent of 0.05"


def test_level_is_a_preview():
    account = Account(0.05, weights={"named": 0.25})
    assert account.level("named") == 0.0125
    assert account.level("new") == account.level("other")
    assert account.spent == 0 and account.rows() == ()


def test_infinite_e_value_rejects():
    account = Account(1e-6)
    account.spend("holds", log_e=math.inf)
    assert account.rows()[0].rejects


def test_e_bonferroni_controls_the_family_under_dependence():
    rng = np.random.default_rng(7)
    total, claims, runs = 0.05, 8, 20_000
    weights = dict(zip("abcdefgh", [0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05], strict=True))
    # The hardest e-values: claim k pays exactly 1/level with probability its level, disjointly.
    edges = np.cumsum([total * weight for weight in weights.values()])
    draws = rng.random(runs)
    wrong = 0
    for draw in draws[draws < edges[-1] + 0.05]:
        at = int(np.searchsorted(edges, draw))
        log_e = dict.fromkeys(weights, -math.inf)
        if at < claims:
            key = "abcdefgh"[at]
            log_e[key] = math.log(1 / (total * weights[key])) + 1e-12
        wrong += bool(bonferroni(log_e, total, weights=weights))
    # Exactly 0.05: an exact interval at 1e-9 must contain it, and forgetting the weights
    # (threshold 1/total for each claim) cannot reject less.
    assert clopper_pearson_lower(wrong, runs, level=1e-9) <= total
    assert clopper_pearson_upper(wrong, runs, level=1e-9) >= total


def test_e_bonferroni_needs_more_for_more_claims():
    assert bonferroni({"a": 3.1}, 0.05) == {"a"}
    assert bonferroni({"a": 3.1, "b": 0.0}, 0.05) == frozenset()
    assert bonferroni({"a": 3.1, "b": 0.0}, 0.05, weights={"a": 0.95, "b": 0.05}) == {"a"}


@pytest.mark.parametrize("total", [0, 1, -1, math.nan])
def test_total_outside_the_unit_interval(total):
    with pytest.raises(InvalidArgument, match="total = "):
        Account(total)
    with pytest.raises(InvalidArgument, match="total = "):
        bonferroni({"a": 1.0}, total)


def test_wrong_use():
    with pytest.raises(InvalidArgument, match="weights sum to"):
        Account(weights={"a": 0.4, "b": 0.4})
    with pytest.raises(InvalidArgument, match="weight 0 of 'a'"):
        Account(weights={"a": 0})
    with pytest.raises(InvalidArgument, match="weight nan of 'a'"):
        Account(weights={"a": math.nan})
    with pytest.raises(InvalidArgument, match="capacity = 0"):
        Account(capacity=0)
    with pytest.raises(InvalidArgument, match="key = '' is empty"):
        Account().spend("")
    with pytest.raises(InvalidArgument, match="log_e = nan of a"):
        Account().spend("a", log_e=math.nan)
    with pytest.raises(InvalidArgument, match="'b' has no weight"):
        bonferroni({"a": 1.0, "b": 1.0}, weights={"a": 1.0})
    with pytest.raises(InvalidArgument, match="no e-values"):
        bonferroni({})
