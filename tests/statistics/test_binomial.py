import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import clopper_pearson, clopper_pearson_lower, clopper_pearson_upper


def at_most(hits, trials, p):
    """P(Bin(trials, p) <= hits) in rational arithmetic."""
    p = Fraction(p)
    return sum(math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(hits + 1))


@pytest.mark.parametrize("level", [0.05, 1e-6, 1e-20])
@pytest.mark.parametrize(("hits", "trials"), [(0, 1), (0, 40), (3, 17), (20, 40), (39, 40)])
def test_upper_limit_has_exactly_its_level(hits, trials, level):
    limit = float(clopper_pearson_upper(hits, trials, level=level))
    # d log tail / d log(1 - p) is at most `trials`, and 1 - limit can be as small as
    # level^(1 / 40) > 0.3 here: rounding the limit moves the tail by at most 40 * 1e-15 relative.
    if limit < 0.999:
        assert float(at_most(hits, trials, limit) / Fraction(level)) == pytest.approx(1, rel=1e-10)
    assert at_most(hits, trials, limit * (1 - 1e-6)) > level


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(1e-12, 0.4))
def test_limits_mirror_each_other_and_contain_the_estimate(trials, share, level):
    hits = round(share * trials)
    lower = float(clopper_pearson_lower(hits, trials, level=level))
    upper = float(clopper_pearson_upper(hits, trials, level=level))
    assert 0 <= lower <= hits / trials <= upper <= 1
    mirror = float(clopper_pearson_upper(trials - hits, trials, level=level))
    # Two codes for one root; a limit near 1 keeps 1e-16 absolute, near 0 1e-12 relative.
    assert lower == pytest.approx(1 - mirror, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("p", [0.03, 0.5, 0.97])
def test_exact_coverage(p):
    trials, level = 60, 0.05
    hits = np.arange(trials + 1)
    mass = [float(math.comb(trials, k) * p**k * (1 - p) ** (trials - k)) for k in hits]
    low, high = clopper_pearson(hits, trials, level=level)
    miss = (low > p) | (high < p)
    assert 0 < np.dot(mass, miss) <= level
    narrow = (low + 0.05 > p) | (high - 0.05 < p)
    assert np.dot(mass, narrow) > level


def test_shapes_and_ends():
    assert clopper_pearson_upper([[0], [4]], [4, 8], level=0.1).shape == (2, 2)
    assert clopper_pearson_upper(4, 4, level=0.1) == 1
    assert clopper_pearson_lower(0, 4, level=0.1) == 0


@pytest.mark.parametrize("level", [0, 1, -1, 2, math.nan])
def test_level_outside_the_unit_interval(level):
    for limit in (clopper_pearson, clopper_pearson_lower, clopper_pearson_upper):
        with pytest.raises(InvalidArgument, match=r"level = .* give"):
            limit(1, 2, level=level)


@pytest.mark.parametrize(("hits", "trials"), [(3, 2), (-1, 2), (1.5, 2), (0, 0), ([], [])])
def test_impossible_counts(hits, trials):
    with pytest.raises(InvalidArgument, match="give"):
        clopper_pearson_upper(hits, trials, level=0.05)
