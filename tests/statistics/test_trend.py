import math

import numpy as np
import pytest

from boundcheck.errors import InvalidArgument
from boundcheck.statistics import clopper_pearson_lower, fit_trend, limit_exponent

SIZES = 2.0 ** np.arange(1, 8)


@pytest.mark.parametrize("exponent", [-1.0, 0.0, 0.25, 1.0])
def test_exact_power_laws(exponent):
    trend = fit_trend(SIZES, 3 * SIZES**exponent)
    # Seven logarithms below 6, rounded to 1e-15; Student's factor on the rounding is below 3.
    assert trend.exponent == pytest.approx(exponent, abs=1e-10)
    assert trend.low <= exponent <= trend.high
    assert trend.high - trend.low < 1e-9
    assert trend.grows == (exponent > 0)
    assert trend.constant <= (3 * SIZES**exponent).max()
    assert trend.constant == pytest.approx((3 * SIZES**exponent).max(), rel=1e-12)
    assert trend.certified and trend.doublings == pytest.approx(6)


def test_order_of_the_points_does_not_matter():
    rng = np.random.default_rng(0)
    ratios = SIZES**0.5 * rng.uniform(0.9, 1.1, 7)
    order = rng.permutation(7)
    shuffled = fit_trend(SIZES[order], ratios[order], errors=0.1 * ratios[order])
    assert shuffled == fit_trend(SIZES, ratios, errors=0.1 * ratios)


def test_box_interval_is_attained_by_a_corner():
    ratios = SIZES**0.5
    box = np.outer(ratios, [0.8, 1.25])
    trend = fit_trend(SIZES, ratios, intervals=box)
    x = np.log2(SIZES) - np.log2(SIZES).mean()
    # Symmetric box on an exact line: equal weights, and the worst corner tilts it about its centre.
    tilt = math.log(1.25) * np.abs(x).sum() / (x @ x) / math.log(2)
    assert trend.high == pytest.approx(0.5 + tilt, abs=1e-9)
    assert trend.low == pytest.approx(0.5 - tilt, abs=1e-9)
    corner = fit_trend(SIZES, np.where(x > 0, box[:, 1], np.where(x < 0, box[:, 0], ratios)))
    assert corner.exponent == pytest.approx(trend.high, abs=1e-9)
    assert trend.constant == pytest.approx(box[:, 0].max(), rel=1e-12)


def test_saturating_ratios_do_not_grow_and_logarithms_do():
    for saturating in (1 - 0.5 / SIZES, 1 - 0.9 / np.sqrt(SIZES), 2 + np.tanh(SIZES)):
        assert not fit_trend(SIZES, saturating).grows
    for growing in (np.log(SIZES), np.log(SIZES) ** 2, SIZES**0.1, SIZES / np.log(SIZES)):
        assert fit_trend(SIZES[1:], growing[1:]).grows, growing


def test_five_doublings_are_needed():
    short = fit_trend([1, 2, 4, 8, 16, 31], np.sqrt([1, 2, 4, 8, 16, 31]))
    assert not short.grows
    assert "fewer than 5" in short.objection
    assert fit_trend([1, 2, 4, 8, 16, 32], np.sqrt([1, 2, 4, 8, 16, 32])).grows


def test_noise_hides_growth():
    ratios = SIZES**0.05
    assert fit_trend(SIZES, ratios, intervals=np.outer(ratios, [0.99, 1.01])).grows
    hidden = fit_trend(SIZES, ratios, intervals=np.outer(ratios, [0.8, 1.2]))
    assert "contains 0" in hidden.objection


@pytest.mark.parametrize("truth", [0.0, 0.3])
def test_interval_covers_the_exponent(truth):
    rng = np.random.default_rng(11)
    runs, level, missed = 2000, 0.1, 0
    errors = np.linspace(0.02, 0.1, 7)
    for _ in range(runs):
        ratios = SIZES**truth * np.exp(errors * rng.standard_normal(7))
        trend = fit_trend(SIZES, ratios, errors=errors * ratios, level=level)
        missed += not trend.low <= truth <= trend.high
    # If the miss rate were at most the level, this exact lower limit exceeds it with
    # probability 1e-9.
    assert clopper_pearson_lower(missed, runs, level=1e-9) <= level
    assert missed > 0
    assert not trend.certified


def test_standard_errors_shrink_the_constant():
    ratios = SIZES**0.5
    trend = fit_trend(SIZES, ratios, errors=0.1 * ratios)
    assert 0.5 * ratios.max() < trend.constant < ratios.max()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(sizes=[1, 2], ratios=[1, 2]), "n >= 3"),
        (dict(sizes=[1, 2, 4], ratios=[1, 2]), "n >= 3"),
        (dict(sizes=[1, 2, 2], ratios=[1, 2, 3]), "sizes repeat"),
        (dict(sizes=[0, 2, 4], ratios=[1, 2, 3]), "size 0 = 0.0 is not positive"),
        (dict(sizes=[1, 2, 4], ratios=[1, -2, 3]), "ratio 1 = -2.0 is not positive"),
        (dict(sizes=[1, 2, 4], ratios=[1, math.nan, 3]), "not finite"),
        (dict(sizes=[1, 2, 4], ratios=["a", "b", "c"]), "not numeric"),
        (dict(errors=[0.1, 0.1]), "errors are not 3"),
        (dict(errors=[0.1, 0.1, -1]), "errors are not 3"),
        (dict(intervals=[[0.5, 1.5]] * 2), "shape"),
        (dict(intervals=[[0, 1.5], [1, 3], [2, 4]]), "interval 0"),
        (dict(intervals=[[0.5, 1.5], [2.1, 3], [2, 4]]), "interval 1"),
        (dict(intervals=[[1, 1]] * 3, errors=[1, 1, 1]), "both given"),
        (dict(level=1.0), "level = 1.0"),
    ],
)
def test_wrong_use(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        fit_trend(**{"sizes": [1, 2, 4], "ratios": [1, 2, 3], **arguments})


# Laws whose slope over a range is not that of the limit: factors of logarithms, saturation, a
# term of lower order.
LAWS = {
    "size / log": (lambda n: n / np.log(1 + n), 1.0),
    "sqrt(size) log": (lambda n: np.sqrt(n) * np.log(1 + n), 0.5),
    "log": (lambda n: np.log(1 + n), 0.0),
    "log^2 / size": (lambda n: np.log(1 + n) ** 2 / n, -1.0),
    "saturating": (lambda n: 1 - 0.5 / n, 0.0),
    "lower order": (lambda n: n + 8 * np.sqrt(n), 1.0),
    "power": (lambda n: 7 * n**0.75, 0.75),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("sizes", [2.0 ** np.arange(1, 8), 4.0 ** np.arange(3, 13),
                                   np.array([1.0, 2, 4, 8, 16, 2**40])])  # fmt: skip
def test_the_interval_of_an_exponent_holds_that_of_the_limit(law, sizes):
    ratio, limit = LAWS[law]
    exponent, low, high = limit_exponent(sizes, ratio(sizes), level=0.001)
    assert low - 1e-9 <= limit <= high + 1e-9 and low <= exponent <= high


def test_the_slope_of_a_range_alone_would_miss_the_limit():
    sizes = 4.0 ** np.arange(3, 13)
    plain = fit_trend(sizes, sizes / np.log(1 + sizes), level=0.001)
    assert plain.high < 1.0


def test_what_chance_leaves_open_widens_the_interval_of_the_limit():
    ratios = SIZES**0.5
    narrow, wide = (limit_exponent(SIZES, ratios, intervals=np.outer(ratios, [1 - e, 1 + e]))
                    for e in (0.01, 0.1))  # fmt: skip
    assert wide[1] < narrow[1] < 0.5 < narrow[2] < wide[2]


def test_an_exponent_of_the_limit_needs_five_sizes():
    with pytest.raises(InvalidArgument, match="give 5"):
        limit_exponent(SIZES[:4], SIZES[:4])
