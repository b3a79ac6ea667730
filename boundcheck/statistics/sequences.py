"""Confidence sequences for means of bounded variables: valid at every time at once.

Draws X_t in [low, high] with E[X_t | past] = mu, rescaled to the unit interval. For a candidate
mean m two bettors play against "the mean is at most m" and "at least m":

    K+_t(m) = prod_{i <= t} (1 + b_i (X_i - m)),     K-_t(m) = prod_{i <= t} (1 - b_i (X_i - m)),
    b_i = min(3/4, sqrt(2 log(1/level) / (v_{i-1} i log(i + 1)))),

v the running variance, so b_i depends on X_1 .. X_{i-1} only (predictable plug-in). Every factor
is positive and has mean at most 1 under its null, hence the probability that K+(mu) or K-(mu)
ever reaches 1/level is at most `level` each (Ville). The sequence excludes every m whose wealth
has reached 1/level (hedged capital: half of alpha for either side) and keeps what it has excluded
(running intersection). Limits that cross (lower > upper) say that the draws have no common mean,
or that an event of probability alpha has happened.

The bets do not depend on m, so log K is concave in m and lies above its chords: wealth kept on a
grid of m and interpolated linearly excludes only candidates that the exact wealth excludes too.
The grid is fine where a variance can be small (spacing proportional to sqrt(m (1 - m))).

Source: Waudby-Smith and Ramdas, J. R. Stat. Soc. B 86 (2024) 1-27 (Theorems 2 and 3, with bets
capped at a constant instead of one over m, which is what makes the chords valid).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import InvalidArgument
from boundcheck.statistics.arguments import bounds, choice, draws_within, open_unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

CAP = 0.75
SIDES = ("both", "lower", "upper")
_CELLS = 128
_BLOCK = 4096
_GROUP = 16
# Rounding of a sum of 1e12 logarithms stays below this; it is added to every threshold.
_ROUNDING = 1e-6


@lru_cache(maxsize=1)
def _grid() -> np.ndarray:
    """Candidate means in the unit interval, shape (129,), ends included."""
    means = (1 - np.cos(np.linspace(0, math.pi, _CELLS + 1))) / 2
    means.setflags(write=False)
    return means


@dataclass(frozen=True)
class Moments:
    """Running sums behind the plug-in bets: draws seen, their sum, squared deviations.

    The sums have the shape (...) of the runs that are followed together; () for one run.
    """

    trials: int = 0
    total: float | np.ndarray = 0.0
    deviations: float | np.ndarray = 0.0

    def followed(self, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray, Moments]:
        """Predictable mean and variance before each draw, and the moments after the last.

        Args: unit: draws in [0, 1], shape (..., n).
        Returns: means and variances, shape (..., n), entry i from draws before i only; moments.
        """
        count = self.trials + np.arange(unit.shape[-1] + 1)
        total = _running(self.total, unit)
        means = (0.5 + total) / (count + 1)
        deviations = _running(self.deviations, (unit - means[..., 1:]) ** 2)
        variances = (0.25 + deviations) / (count + 1)
        after = Moments(int(count[-1]), total[..., -1], deviations[..., -1])
        return means[..., :-1], variances[..., :-1], after

    def bets(self, variances: np.ndarray, level: float) -> np.ndarray:
        """Bets b_i in (0, 3/4] for the draws that follow these moments, shape of `variances`."""
        time = self.trials + np.arange(1, variances.shape[-1] + 1)
        scale = 2 * math.log(1 / level) / (variances * time * np.log1p(time))
        return np.minimum(CAP, np.sqrt(scale))


def _running(start: float | np.ndarray, terms: np.ndarray) -> np.ndarray:
    """start, start + terms_1, start + terms_1 + terms_2, ...: shape (..., n + 1)."""
    first = np.broadcast_to(np.asarray(start)[..., None], (*terms.shape[:-1], 1))
    return np.cumsum(np.concatenate([first, terms], axis=-1), axis=-1)


def log_capital(unit: np.ndarray, mean: float, level: float) -> tuple[np.ndarray, np.ndarray]:
    """log K+ and log K- of one candidate mean after every draw of whole runs.

    Args: unit: draws in [0, 1], shape (..., n); mean: the candidate in [0, 1]; level: in (0, 1).
    Returns: two arrays of shape (..., n).

    >>> above, below = log_capital(np.array([1.0, 1.0, 0.0]), 0.5, 0.05)
    >>> above.round(2).tolist(), below.round(2).tolist()
    ([0.32, 0.64, 0.17], [-0.47, -0.94, -0.62])
    """
    start = Moments()
    _, variances, _ = start.followed(unit)
    stake = start.bets(variances, level) * (unit - mean)
    return np.cumsum(np.log1p(stake), axis=-1), np.cumsum(np.log1p(-stake), axis=-1)


@dataclass(frozen=True, eq=False)
class MeanSequence:
    """Betting confidence sequence for the mean of draws in [low, high].

    Args:
        low, high: finite bounds that contain every draw, low < high.
        alpha: error probability in (0, 1) of ever excluding the mean.
        side: "both" (alpha / 2 each), or "lower" or "upper" for one limit at the whole alpha.
        The other fields are the state and are left at their start.
    `update(draws)` returns a new sequence; `lower` and `upper` are the limits now.
    Raises: InvalidArgument. Source and proof: the head of this module.

    >>> sequence = MeanSequence(0, 1, alpha=0.05).update(np.tile([0.0, 1.0, 1.0, 1.0], 250))
    >>> round(sequence.lower, 3), round(sequence.upper, 3)
    (0.694, 0.793)
    """

    low: float
    high: float
    alpha: float = 1e-6
    side: str = "both"
    moments: Moments = Moments()
    lower: float = -math.inf
    upper: float = math.inf
    log_above: np.ndarray | None = None
    log_below: np.ndarray | None = None

    def __post_init__(self) -> None:
        low, high = bounds(self.low, self.high)
        open_unit("alpha", self.alpha, example=1e-6)
        choice("side", self.side, SIDES)
        if self.log_above is None:
            start = {"lower": low, "upper": high, "log_above": np.zeros(_CELLS + 1),
                     "log_below": np.zeros(_CELLS + 1)}  # fmt: skip
            for name, value in start.items():
                object.__setattr__(self, name, value)

    @property
    def level(self) -> float:
        """Error probability of either limit in use."""
        return self.alpha / 2 if self.side == "both" else self.alpha

    @property
    def trials(self) -> int:
        """Draws seen."""
        return self.moments.trials

    @property
    def mean(self) -> float:
        """Sample mean; NaN before the first draw."""
        if not self.trials:
            return math.nan
        return self.low + (self.high - self.low) * self.moments.total / self.trials

    def update(self, draws: ArrayLike) -> MeanSequence:
        """The sequence after these draws, looked at after the last of them.

        Args: draws: shape (n,), n >= 1, each in [low, high]. Bets follow the draws one by one,
            so batching changes the looks, not the wealth.
        Raises: InvalidArgument on an empty batch, or a draw that is not finite or outside the
            bounds; it names the draw, counted from 0 over all batches.
        """
        values = draws_within(draws, self.low, self.high, first=self.trials)
        unit = (values - self.low) / (self.high - self.low)
        above, below, moments = self.log_above.copy(), self.log_below.copy(), self.moments
        for start in range(0, unit.size, _BLOCK):
            part = unit[start : start + _BLOCK]
            _, variances, after = moments.followed(part)
            bets = moments.bets(variances, self.level)
            if self.side != "upper":
                above += _log_product(bets, part)
            if self.side != "lower":
                below += _log_product(-bets, part)
            moments = after
        return self._after(above, below, moments)

    def _after(self, above: np.ndarray, below: np.ndarray, moments: Moments) -> MeanSequence:
        threshold = math.log(1 / self.level) + _ROUNDING
        candidates, width = _grid(), self.high - self.low
        lower = self.low + width * _excluded_up_to(candidates, above, threshold)
        upper = self.high - width * _excluded_up_to(1 - candidates[::-1], below[::-1], threshold)
        return replace(
            self,
            moments=moments,
            lower=max(self.lower, lower),
            upper=min(self.upper, upper),
            log_above=above,
            log_below=below,
        )


def _log_product(bets: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """sum_i log(1 + bets_i (unit_i - m)) for every m of the grid, shape (129,)."""
    pad = -len(bets) % _GROUP
    constant = np.append(1 + bets * unit, np.ones(pad))
    slope = np.append(bets, np.zeros(pad))
    factors = constant[:, None] - slope[:, None] * _grid()
    # Sixteen factors lie in [(1 - CAP)^16, (1 + CAP)^16]: one logarithm serves all of them.
    return np.log(factors.reshape(-1, _GROUP, _CELLS + 1).prod(axis=1)).sum(axis=0)


def _excluded_up_to(candidates: np.ndarray, log_wealth: np.ndarray, threshold: float) -> float:
    """Largest m with a chord of the decreasing concave `log_wealth` at least `threshold`."""
    reached = np.flatnonzero(log_wealth >= threshold)
    if not reached.size:
        return 0.0
    at = int(reached[-1])
    if at == len(candidates) - 1:
        return 1.0
    share = (log_wealth[at] - threshold) / (log_wealth[at] - log_wealth[at + 1])
    return float(candidates[at] + share * (candidates[at + 1] - candidates[at]))


@dataclass(frozen=True)
class EmpiricalBernsteinSequence:
    """Empirical Bernstein confidence sequence: the fallback with constant memory and time.

    With predictable means u_i and variances as in `MeanSequence`, and bets b_i <= 1/2,

        sum b_i X_i / sum b_i  +-  (log(1/level) + sum 4 (X_i - u_i)^2 psi(b_i)) / sum b_i,
        psi(b) = (-log(1 - b) - b) / 4,

    on the unit scale. A little wider than betting, most of all in small samples.
    Arguments, errors and `update` as for `MeanSequence`; looked at after every single draw.
    Source: Waudby-Smith and Ramdas (2024), Theorem 2.

    >>> sequence = EmpiricalBernsteinSequence(0, 1, alpha=0.05)
    >>> sequence = sequence.update(np.tile([0.0, 1.0, 1.0, 1.0], 250))
    >>> round(sequence.lower, 3), round(sequence.upper, 3)
    (0.695, 0.802)
    """

    low: float
    high: float
    alpha: float = 1e-6
    side: str = "both"
    moments: Moments = Moments()
    lower: float = -math.inf
    upper: float = math.inf
    sums: tuple[float | np.ndarray, ...] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        bounds(self.low, self.high)
        open_unit("alpha", self.alpha, example=1e-6)
        choice("side", self.side, SIDES)
        object.__setattr__(self, "lower", max(self.lower, self.low))
        object.__setattr__(self, "upper", min(self.upper, self.high))

    @property
    def trials(self) -> int:
        """Draws seen."""
        return self.moments.trials

    def update(self, draws: ArrayLike) -> EmpiricalBernsteinSequence:
        """The sequence after these draws; see `MeanSequence.update`."""
        values = draws_within(draws, self.low, self.high, first=self.trials)
        unit = (values - self.low) / (self.high - self.low)
        level = self.alpha / 2 if self.side == "both" else self.alpha
        center, radius, sums, moments = bernstein_path(unit, level, self.moments, self.sums)
        lower, upper = self.lower, self.upper
        if self.side != "upper":
            lower = max(lower, self.low + (self.high - self.low) * float((center - radius).max()))
        if self.side != "lower":
            upper = min(upper, self.low + (self.high - self.low) * float((center + radius).min()))
        return replace(self, moments=moments, sums=sums, lower=lower, upper=upper)


Sums = tuple[float | np.ndarray, ...]


def bernstein_path(
    unit: np.ndarray, level: float, moments: Moments = Moments(), sums: Sums = (0.0, 0.0, 0.0)
) -> tuple[np.ndarray, np.ndarray, Sums, Moments]:
    """Centre and radius of the empirical Bernstein sequence after every draw.

    Args: unit: draws in [0, 1], shape (..., n); level: per side; moments, sums: the state.
    Returns: centre and radius of shape (..., n), and the state after the last draw.
    """
    means, variances, after = moments.followed(unit)
    bets = np.minimum(0.5, moments.bets(variances, level))
    penalty = (unit - means) ** 2 * (-np.log1p(-bets) - bets)
    weighted, weight, spread = (
        _running(start, term)[..., 1:]
        for start, term in zip(sums, (bets * unit, bets, penalty), strict=True)
    )
    radius = (math.log(1 / level) + spread) / weight
    state = weighted[..., -1], weight[..., -1], spread[..., -1]
    return weighted / weight, radius, state, after


@dataclass(frozen=True, eq=False)
class DifferenceSequence:
    """Confidence sequence for E[X] - E[Y] with X in [low_x, high_x], Y in [low_y, high_y].

    Args:
        bounds_x, bounds_y: pairs (low, high).
        alpha, side: as for `MeanSequence`.
        paired: True bets on X_t - Y_t in order of arrival, whether or not the two depend on each
            other (common random numbers narrow it); both samples then have equal length. False
            follows each mean by itself at alpha / 2, for samples of different lengths.
        parts: the state, left at its start.
    Raises: InvalidArgument.

    >>> x, y = np.tile([1.0, 1.0, 0.0], 300), np.tile([1.0, 0.0, 0.0], 300)
    >>> difference = DifferenceSequence((0, 1), (0, 1), alpha=0.05).update(x, y)
    >>> round(difference.lower, 3), round(difference.upper, 3)
    (0.285, 0.385)
    """

    bounds_x: tuple[float, float]
    bounds_y: tuple[float, float]
    alpha: float = 1e-6
    side: str = "both"
    paired: bool = True
    parts: tuple[MeanSequence, ...] = ()

    def __post_init__(self) -> None:
        (low_x, high_x), (low_y, high_y) = bounds(*self.bounds_x), bounds(*self.bounds_y)
        choice("side", self.side, SIDES)
        if self.parts:
            return
        if self.paired:
            parts = (MeanSequence(low_x - high_y, high_x - low_y, self.alpha, self.side),)
        else:
            open_unit("alpha", self.alpha, example=1e-6)
            mirror = {"both": "both", "lower": "upper", "upper": "lower"}[self.side]
            parts = (
                MeanSequence(low_x, high_x, self.alpha / 2, self.side),
                MeanSequence(low_y, high_y, self.alpha / 2, mirror),
            )
        object.__setattr__(self, "parts", parts)

    def update(self, x: ArrayLike, y: ArrayLike) -> DifferenceSequence:
        """The sequence after these draws of X and of Y, shapes (n,) and (m,); n = m if paired.

        Raises: InvalidArgument as `MeanSequence.update`, and on different lengths of pairs.
        """
        seen_x, seen_y = self.parts[0].trials, self.parts[-1].trials
        first = draws_within(x, *self.bounds_x, name="x draw", first=seen_x)
        second = draws_within(y, *self.bounds_y, name="y draw", first=seen_y)
        if not self.paired:
            parts = self.parts[0].update(first), self.parts[1].update(second)
            return replace(self, parts=parts)
        if first.size != second.size:
            raise InvalidArgument(
                f"{first.size} draws of x against {second.size} of y do not pair; "
                "give equal numbers or paired=False"
            )
        (part,) = self.parts
        # Rounding is monotone, so x - y cannot leave the rounded difference of the bounds.
        return replace(self, parts=(part.update(first - second),))

    @property
    def lower(self) -> float:
        """Lower limit of E[X] - E[Y] now."""
        if self.paired:
            return self.parts[0].lower
        return self.parts[0].lower - self.parts[1].upper

    @property
    def upper(self) -> float:
        """Upper limit of E[X] - E[Y] now."""
        if self.paired:
            return self.parts[0].upper
        return self.parts[0].upper - self.parts[1].lower


def mean_lower(draws: ArrayLike, low: float, high: float, *, alpha: float = 1e-6) -> float:
    """Lower limit for the mean of one sample in [low, high]; valid whatever fixed its size.

    Args and errors as for `MeanSequence`; the whole alpha is spent on this side.

    >>> round(mean_lower(np.tile([0.0, 1.0], 500), 0, 1, alpha=0.05), 3)
    0.445
    """
    return MeanSequence(low, high, alpha, "lower").update(draws).lower


def mean_upper(draws: ArrayLike, low: float, high: float, *, alpha: float = 1e-6) -> float:
    """Upper limit for the mean of one sample in [low, high]; see `mean_lower`.

    >>> round(mean_upper(np.zeros(1000), 0, 1, alpha=0.05), 4)
    0.004
    """
    return MeanSequence(low, high, alpha, "upper").update(draws).upper
