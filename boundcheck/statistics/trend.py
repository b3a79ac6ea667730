"""Growth of a ratio left / right along a family of worlds of growing size.

A bound "up to an absolute constant" fails if the ratio is unbounded along one family. What a
finite run shows is an exponent s of ratio ~ size^s with an interval, whether the growth goes on
in the larger half of the sizes, and the largest ratio certified: every smaller constant is
excluded. The line is fitted to log ratio against log size by weighted least squares,

    s = sum_i c_i y_i,   c_i = w_i (x_i - xbar) / sum_j w_j (x_j - xbar)^2,   w_i = 1/(h_i^2 + r^2),

h_i the simulation error of y_i and r^2 the scatter about the line that it leaves unexplained
(DerSimonian and Laird, Control. Clin. Trials 7 (1986) 177-188). The interval of s is the Student
interval of the scatter widened by the simulation error: for intervals of the ratios the exact
range of sum c_i y_i over the box (no distribution assumed, valid whenever the box holds), for
standard errors a normal interval, which no verdict may rest on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import InvalidArgument
from boundcheck.statistics.arguments import open_unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

DOUBLINGS = 5
# A saturating ratio such as 1 - 1/size loses more than half of its slope in the later half;
# log(size), the slowest growth that statements in this field meet, keeps more.
_KEPT = 0.5


@dataclass(frozen=True)
class Trend:
    """Result of `fit_trend`; exponents are slopes of log ratio against log size.

    Fields: exponent with its interval [low, high] at error probability `level`; `late`, the
    exponent of the larger half of the sizes, and `late_low`, its lower limit for simulation
    error; `constant`, the largest lower limit of a ratio (every smaller absolute constant is
    excluded); `certified`, whether it rests on exact ratios or on intervals, not on standard
    errors; `doublings`, log2 of largest over smallest size.
    """

    exponent: float
    low: float
    high: float
    level: float
    late: float
    late_low: float
    constant: float
    certified: bool
    doublings: float

    @property
    def objection(self) -> str:
        """Why the ratio does not count as growing; empty if it does."""
        if self.doublings < DOUBLINGS - 1e-9:
            return f"{self.doublings:.2f} doublings of the size are fewer than {DOUBLINGS}"
        if self.low <= 0:
            return f"the exponent interval [{self.low:.3g}, {self.high:.3g}] contains 0 or less"
        if self.late_low <= 0:
            return f"simulation error allows no growth at the larger sizes ({self.late_low:.3g})"
        if self.late < _KEPT * self.exponent:
            return f"growth flattens: exponent {self.late:.3g} late against {self.exponent:.3g}"
        return ""

    @property
    def grows(self) -> bool:
        """Whether the ratio keeps growing over at least five doublings of the size."""
        return not self.objection

    def __str__(self) -> str:
        basis = "certified" if self.certified else "by standard errors"
        return (
            f"exponent {self.exponent:.3g} in [{self.low:.3g}, {self.high:.3g}] "
            f"(level {self.level:g}) over {self.doublings:.1f} doublings, "
            f"constants below {self.constant:.3g} excluded ({basis}); "
            + (self.objection or "grows")
        )


def fit_trend(
    sizes: ArrayLike,
    ratios: ArrayLike,
    *,
    intervals: ArrayLike | None = None,
    errors: ArrayLike | None = None,
    level: float = 0.05,
) -> Trend:
    """Exponent of `ratios` against `sizes`, with simulation error; see the head of this module.

    Args:
        sizes: positive, distinct, shape (n,), n >= 3, any order.
        ratios: positive estimates of left / right, shape (n,).
        intervals: (lower, upper) for each ratio, shape (n, 2), 0 < lower <= ratio <= upper. Their
            joint error probability is the caller's to spend and comes on top of `level`.
        errors: standard errors of the ratios instead, shape (n,), nonnegative. Neither of the
            two means that the ratios are exact.
        level: error probability in (0, 1) of the exponent's interval.
    Returns: a `Trend`.
    Raises: InvalidArgument.

    >>> sizes = 2.0 ** np.arange(7)
    >>> trend = fit_trend(sizes, sizes**0.5, intervals=np.outer(sizes**0.5, [0.9, 1.1]))
    >>> print(trend)
    exponent 0.5 in [0.438, 0.562] (level 0.05) over 6.0 doublings, constants below 7.2 excluded \
(certified); grows
    >>> fit_trend(sizes, 1 - 0.5 / sizes).objection
    'growth flattens: exponent 0.0268 late against 0.139'
    """
    from scipy.special import stdtrit

    open_unit("level", level)
    points = _points(sizes, ratios, intervals, errors)
    scatter = _unexplained(points)
    slope, below, above = _line(points, scatter, level)
    spread = -stdtrit(len(points.x) - 2, level / 2) * math.sqrt(scatter * (slope @ slope))
    exponent = float(slope @ points.y)
    larger = points.larger_half()
    tail, tail_below, _ = _line(larger, scatter, level)
    late = float(tail @ larger.y)
    return Trend(
        exponent=exponent,
        low=exponent - below - spread,
        high=exponent + above + spread,
        level=level,
        late=late,
        late_low=late - tail_below,
        constant=points.constant(level),
        certified=not points.normal,
        doublings=float((points.x[-1] - points.x[0]) / math.log(2)),
    )


def limit_exponent(
    sizes: ArrayLike, ratios: ArrayLike, *, intervals: ArrayLike | None = None, level: float = 0.05
) -> tuple[float, float, float]:
    """(exponent, low, high) of the law that ratios follow for ever larger sizes.

    The slope over a range is that of the limit for a pure power only: n / log(n) has slope 0.87 up
    to a million. So the slope is fitted beside a power of the logarithm as well, and the interval
    holds what all readings leave: that fit, the plain one and the slope of the larger half. It is
    valid for the limit of ratios ~ size^a log(1 + size)^b, up to what decays like a power.

    Args: as of `fit_trend`, n >= 5.
    Returns: the exponent of the larger half of the sizes, and the hull of the intervals.
    Raises: InvalidArgument.

    >>> sizes = 4.0 ** np.arange(3, 13)
    >>> [round(float(x), 3) for x in limit_exponent(sizes, sizes / np.log(1 + sizes), level=0.001)]
    [0.927, 0.857, 1.0]
    >>> [round(float(x), 3) for x in limit_exponent(sizes, sizes**0.5)]
    [0.5, 0.5, 0.5]
    """
    if len(np.atleast_1d(np.asarray(sizes))) < 5:
        raise InvalidArgument("fewer than 5 sizes do not tell a power from a logarithm; give 5")
    plain = fit_trend(sizes, ratios, intervals=intervals, level=level)
    points = _points(sizes, ratios, intervals, None)
    low, high = _beside_logarithm(points, level)
    return plain.late, min(plain.low, plain.late_low, low), max(plain.high, plain.late, high)


def _beside_logarithm(points: _Points, level: float) -> tuple[float, float]:
    """Interval of the slope beside a power of the logarithm of the size, as in `fit_trend`."""
    from scipy.special import stdtrit

    logarithm = np.logaddexp(0.0, points.x)  # log(1 + size) of any size
    columns = np.column_stack([points.x, np.ones_like(points.x), np.log(logarithm)])
    inverse = np.linalg.pinv(columns)
    slope, residuals = inverse[0], points.y - columns @ (inverse @ points.y)
    free = len(points.x) - 3
    scatter = float(residuals @ residuals) / free
    spread = -stdtrit(free, level / 2) * math.sqrt(scatter * (slope @ slope))
    ends = slope * points.low, slope * points.high
    return float(np.minimum(*ends).sum()) - spread, float(np.maximum(*ends).sum()) + spread


@dataclass(frozen=True, eq=False)
class _Points:
    """Log sizes in increasing order, log ratios, their box, half widths or standard errors."""

    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray
    half: np.ndarray
    normal: bool

    def at(self, index: np.ndarray) -> _Points:
        return _Points(
            self.x[index], self.y[index], self.low[index], self.high[index], self.half[index],
            self.normal,
        )  # fmt: skip

    def larger_half(self) -> _Points:
        upper = self.x >= (self.x[0] + self.x[-1]) / 2
        return self.at(upper if upper.sum() >= 3 else np.arange(len(self.x)) >= len(self.x) - 3)

    def constant(self, level: float) -> float:
        if not self.normal:
            # One rounding below, so that exp(log(ratio)) never exceeds the certified ratio.
            return math.exp(self.low.max()) * (1 - 1e-14)
        return math.exp((self.y - _normal_quantile(level / len(self.y)) * self.half).max())


def _points(
    sizes: ArrayLike, ratios: ArrayLike, intervals: ArrayLike | None, errors: ArrayLike | None
) -> _Points:
    if intervals is not None and errors is not None:
        raise InvalidArgument("intervals and errors are both given; give one of them")
    x, y = _log_points(sizes, ratios)
    low = high = y
    half = np.zeros_like(y)
    if intervals is not None:
        low, high = _log_box(y, intervals)
        half = (high - low) / 2
    if errors is not None:
        error = _array("errors", errors)
        if error.shape != y.shape or (error < 0).any():
            raise InvalidArgument(
                f"errors are not {y.size} nonnegative numbers; give one for every ratio"
            )
        half = error / np.exp(y)
    return _Points(x, y, low, high, half, errors is not None).at(np.argsort(x))


def _line(points: _Points, scatter: float, level: float) -> tuple[np.ndarray, float, float]:
    """Coefficients of the slope and what simulation error may take from it and add to it."""
    weights = 1 / (points.half**2 + scatter)
    weights = weights / weights.max()
    centred = points.x - weights @ points.x / weights.sum()
    slope = weights * centred / (weights @ centred**2)
    if points.normal:
        error = _normal_quantile(level / 2) * math.sqrt(slope**2 @ points.half**2)
        return slope, error, error
    ends = slope * (points.low - points.y), slope * (points.high - points.y)
    return slope, -float(np.minimum(*ends).sum()), float(np.maximum(*ends).sum())


def _log_points(sizes: ArrayLike, ratios: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    size, ratio = _array("sizes", sizes), _array("ratios", ratios)
    if size.ndim != 1 or size.shape != ratio.shape or size.size < 3:
        raise InvalidArgument(
            f"sizes {size.shape} and ratios {ratio.shape} are not two lists of n >= 3 numbers; "
            "give one ratio for every size"
        )
    for name, array in (("size", size), ("ratio", ratio)):
        if not (array > 0).all():
            at = int(np.argmin(array > 0))
            raise InvalidArgument(f"{name} {at} = {array[at]} is not positive; drop this point")
    if len(set(size.tolist())) < size.size:
        raise InvalidArgument("sizes repeat; pool the ratios of equal sizes into one")
    return np.log(size), np.log(ratio)


def _log_box(y: np.ndarray, intervals: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    ends = _array("intervals", intervals)
    if ends.shape != (y.size, 2):
        raise InvalidArgument(f"intervals have shape {ends.shape}; give ({y.size}, 2)")
    ratio = np.exp(y)
    slack = 1e-12 * ratio
    valid = (ends[:, 0] > 0) & (ends[:, 0] <= ratio + slack) & (ratio - slack <= ends[:, 1])
    if not valid.all():
        at = int(np.argmin(valid))
        raise InvalidArgument(
            f"interval {at} = {ends[at].tolist()} is not 0 < lower <= {ratio[at]:g} <= upper; "
            "draw more or drop this size"
        )
    return np.log(ends[:, 0]), np.log(ends[:, 1])


def _array(name: str, values: ArrayLike) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name} are not numeric ({error}); give an array") from error
    if not np.isfinite(array).all():
        raise InvalidArgument(f"{name} hold a value that is not finite; drop this point")
    return array


def _unexplained(points: _Points) -> float:
    """Variance of the points about their line beyond `half`^2; positive, so weights are finite."""
    x, y = points.x - points.x.mean(), points.y - points.y.mean()
    residuals = y - x * (x @ y) / (x @ x)
    excess = residuals @ residuals / (len(x) - 2) - (points.half**2).mean()
    rounding = 1e-12 * (1 + np.abs(points.y).max())
    return max(float(excess), float(rounding**2))


def _normal_quantile(level: float) -> float:
    """One-sided normal quantile."""
    from scipy.special import ndtri

    return float(-ndtri(level))
