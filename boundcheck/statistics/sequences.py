"""Betting confidence sequences for means of bounded variables: valid at every time at once.

Draws X_t in [low, high] with E[X_t | past] = mu, rescaled to the unit interval. For a candidate
mean m a bettor plays against "the mean is at most m" with the wealth

    K_t(m) = 1/2 A_t(m) + 1/2 B_t(m)
    A_t(m) = sum_d v_d prod_{i <= t} g(b_d (X_i - m)),  b_d = 3/4 2^-d,  v_d ~ 1/(d + 2),  d < 16,
    g(y)   = exp(y - y^2/2 + y^3/3 - y^4/4 + y^5/5 - 0.494 y^6) <= 1 + y  for |y| <= 3/4,
    B_t(m) = sum_j w_j prod_{i <= t} (q_j / m)^X_i ((1 - q_j) / (1 - m))^(1 - X_i),

w_j and q_j > m the mixture of `martingale` at delta = m; a second bettor plays against "at least
m" on the draws 1 - X_t and 1 - m. Given the past, 1 + b (X - m) has mean at most 1 under the null
and is positive, and each factor of B is convex in X, so it lies below a chord of mean at most 1
(Hoeffding). Both are nonnegative supermartingales that start at 1, hence the wealth of the true
mean ever reaches 1/level with probability at most `level` (Ville). The sequence excludes every m
whose wealth has reached 1/level, alpha / 2 for either side (hedged capital), and keeps what it
has excluded (running intersection). Limits that cross (lower > upper) say that the draws have no
common mean, or that an event of probability alpha has happened.

A finds the best bet for the unknown variance and time up to a factor of two, B serves variables
that sit near the ends of their range, such as indicators of rare events. Both fall in m factor by
factor, so the excluded candidates form an interval; both need no more than the number of draws
and four power sums, so a limit costs the same after 10 and after 10^9 draws, and depends neither
on the order of the draws nor on alpha being known in advance. The predictable plug-in bets of the
source are kept in `bernstein`; at alpha = 1e-6 they need up to three times as many draws.

Sources: Waudby-Smith and Ramdas, J. R. Stat. Soc. B 86 (2024) 1-27 (capital processes, hedging,
mixtures of bets); Hoeffding, J. Amer. Statist. Assoc. 58 (1963) 13-30; Robbins, Ann. Math.
Statist. 41 (1970) 1397-1409 (mixtures).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.errors import InvalidArgument
from boundcheck.statistics.arguments import SIDES, bounds, choice, draws_within, open_unit
from boundcheck.statistics.martingale import log_mixture

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_POWERS = np.arange(1, 7)
_BETS = 0.75 * 0.5 ** np.arange(16)
_LOG_WEIGHTS = -np.log(np.arange(2, 18)) - math.log((1 / np.arange(2, 18)).sum())
# Coefficients of log g at each bet, shape (16, 6). For y >= 0 the logarithm alternates above them.
# For y = -z < 0 what they leave out after y^5 is z^6 (1/6 + z/7 + ...) <= 0.4937 z^6 at z = 3/4.
# The derivative of log g is least at y = 3/4, where it is above 0.001: K falls in m.
_LOG_FACTOR = np.array([1, -1 / 2, 1 / 3, -1 / 4, 1 / 5, -0.494]) * _BETS[:, None] ** _POWERS
# Rounding of sums over 1e10 draws stays below this; it is added to every threshold.
_ROUNDING = 1e-6


def power_sums(unit: np.ndarray) -> np.ndarray:
    """sum (X - 1/2)^k for k = 1..6 after every draw: shape (6, ..., n) for draws (..., n)."""
    powers = np.cumprod(np.broadcast_to(unit - 0.5, (_POWERS.size, *unit.shape)), axis=0)
    return np.cumsum(powers, axis=-1)


def mirrored(sums: np.ndarray) -> np.ndarray:
    """Power sums of 1 - X from those of X."""
    signs = (-1.0) ** _POWERS.reshape(-1, *[1] * (sums.ndim - 1))
    mirror: np.ndarray = signs * sums
    return mirror


def log_capital(trials: ArrayLike, sums: ArrayLike, mean: float) -> np.ndarray:
    """log K(m) of the bettor against "the mean is at most m", m = `mean` in (0, 1).

    Args: trials: shape (...); sums: shape (6, ...) as from `power_sums`. For the bettor against
        "at least m" pass `mirrored(sums)` and 1 - m.
    Returns: shape (...).

    >>> sums = power_sums(np.array([1.0, 1.0, 0.0]))
    >>> log_capital(np.arange(1, 4), sums, 0.5).round(2).tolist()
    [0.25, 0.55, -0.02]
    """
    count = np.asarray(trials, dtype=float)
    raw = [count, *np.asarray(sums, dtype=float)]
    shift = 0.5 - mean
    shifted = np.stack(
        [sum(math.comb(k, j) * shift ** (k - j) * raw[j] for j in range(k + 1)) for k in _POWERS]
    )
    by_bet = np.tensordot(_LOG_FACTOR, shifted, axes=1)
    by_bet += _LOG_WEIGHTS.reshape(-1, *[1] * count.ndim)
    top = by_bet.max(axis=0)
    by_variance = top + np.log(np.exp(by_bet - top).sum(axis=0))
    hits = np.ravel(raw[1] + count / 2)
    by_end = log_mixture(hits, np.ravel(count) - hits, mean, 1 - mean).reshape(count.shape)
    mixed: np.ndarray = np.logaddexp(by_variance, by_end) - math.log(2)
    return mixed


def _excluded_up_to(trials: int, sums: np.ndarray, level: float) -> float:
    """Largest m found with K(m) >= 1/level; 0 if there is none. Bisection: K falls in m."""
    threshold = math.log(1 / level) + _ROUNDING
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if log_capital(trials, sums, middle) >= threshold:
            low = middle
        else:
            high = middle
    return low


@dataclass(frozen=True)
class MeanSequence:
    """Betting confidence sequence for the mean of draws in [low, high].

    Args:
        low, high: finite bounds that contain every draw, low < high.
        alpha: error probability in (0, 1) of ever excluding the mean.
        side: "both" (alpha / 2 each), or "lower" or "upper" for one limit at the whole alpha.
        trials, sums, lower, upper: the state, left at its start by callers.
    `update(draws)` returns a new sequence; `lower` and `upper` are the limits now.
    Raises: InvalidArgument. Source, formula and proof: the head of this module.

    >>> sequence = MeanSequence(0, 1, alpha=0.05).update(np.tile([0.0, 1.0, 1.0, 1.0], 250))
    >>> round(sequence.lower, 3), round(sequence.upper, 3)
    (0.701, 0.794)
    """

    low: float
    high: float
    alpha: float = 1e-6
    side: str = "both"
    trials: int = 0
    sums: tuple[float, ...] = (0.0,) * len(_POWERS)
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        low, high = bounds(self.low, self.high)
        open_unit("alpha", self.alpha, example=1e-6)
        choice("side", self.side, SIDES)
        object.__setattr__(self, "lower", max(self.lower, low))
        object.__setattr__(self, "upper", min(self.upper, high))

    @property
    def mean(self) -> float:
        """Sample mean; NaN before the first draw."""
        if not self.trials:
            return math.nan
        return self.low + (self.high - self.low) * (0.5 + self.sums[0] / self.trials)

    def update(self, draws: ArrayLike) -> MeanSequence:
        """The sequence after these draws, looked at after the last of them.

        Args: draws: shape (n,), n >= 1, each in [low, high].
        Raises: InvalidArgument on an empty batch, or a draw that is not finite or outside the
            bounds; it names the draw, counted from 0 over all batches.
        """
        values = draws_within(draws, self.low, self.high, first=self.trials)
        centred = (values - self.low) / (self.high - self.low) - 0.5
        power, sums = np.ones_like(centred), np.array(self.sums)
        for k in range(sums.size):
            power *= centred
            sums[k] += power.sum()
        trials = self.trials + values.size
        level = self.alpha / 2 if self.side == "both" else self.alpha
        width, lower, upper = self.high - self.low, self.lower, self.upper
        if self.side != "upper":
            lower = max(lower, self.low + width * _excluded_up_to(trials, sums, level))
        if self.side != "lower":
            excluded = _excluded_up_to(trials, mirrored(sums), level)
            upper = min(upper, self.high - width * excluded)
        state = tuple(float(value) for value in sums)
        return replace(self, trials=trials, sums=state, lower=lower, upper=upper)


@dataclass(frozen=True)
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
    (0.28, 0.391)
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
        open_unit("alpha", self.alpha, example=1e-6)
        parts: tuple[MeanSequence, ...]
        parts = (MeanSequence(low_x - high_y, high_x - low_y, self.alpha, self.side),)
        if not self.paired:
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
    0.45
    """
    return MeanSequence(low, high, alpha, "lower").update(draws).lower


def mean_upper(draws: ArrayLike, low: float, high: float, *, alpha: float = 1e-6) -> float:
    """Upper limit for the mean of one sample in [low, high]; see `mean_lower`.

    >>> round(mean_upper(np.zeros(1000), 0, 1, alpha=0.05), 4)
    0.0047
    """
    return MeanSequence(low, high, alpha, "upper").update(draws).upper
