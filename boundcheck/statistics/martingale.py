"""Test martingales for a probability of violation, valid under optional stopping.

Null hypothesis  P(X_t = 1 | past) <= delta for every t, where X_t says whether draw t violates.
Wealth           E_t = prod_{i <= t} (q_i / delta)^X_i ((1 - q_i) / (1 - delta))^(1 - X_i)
Bet              q_i in [delta, 1], a function of X_1 .. X_{i-1} only.

Under the null every factor has conditional mean at most 1: it is linear in P(X_i = 1 | past) with
slope q/delta - (1 - q)/(1 - delta) >= 0 and equals 1 at delta. So E is a nonnegative
supermartingale whatever rule chooses the world, the size of a batch and the moment to stop, and
P(E ever reaches 1/alpha) <= alpha (Ville). One process serves an adversary over many worlds.

The bet used here is the posterior mean of q under a prior w on a grid of log-odds shifts theta_j,

    q_j = sigmoid(logit(delta) + theta_j),     q_i = sum_j w_j W_j q_j / sum_j w_j W_j,
    W_j = (q_j / delta)^S ((1 - q_j) / (1 - delta))^F,

with S hits and F misses before draw i. Every q_j exceeds delta, so q_i does; the product
telescopes to E_t = sum_j w_j W_j, a function of the counts alone. The truncated
Krichevsky-Trofimov bet max(delta, (S + 1/2) / i) stakes its early draws on far too large a q, or
on nothing, and needs about 1.3 times as many draws where p1 is within a factor three of delta;
the calibration table shows both.

Sources: Ville, Etude critique de la notion de collectif (1939); Robbins and Siegmund, Proc. Sixth
Berkeley Symp. 4 (1972) 37-41 (mixtures); Krichevsky and Trofimov, IEEE Trans. Inf. Theory 27
(1981) 199-207; Shafer, Shen, Vereshchagin and Vovk, Statist. Sci. 26 (2011) 84-101.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Self

import numpy as np

from boundcheck.errors import InvalidArgument
from boundcheck.statistics.arguments import closed_unit, counts, indicators, open_unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_BLOCK = 8192


@lru_cache(maxsize=1)
def _prior() -> tuple[np.ndarray, np.ndarray]:
    """Log-odds shifts theta_j and log weights log w_j, both shape (J,).

    log theta follows Student's t with 2 degrees of freedom, centre log 0.8 and scale 1.2: nearly
    flat over the shifts 0.1 .. 6 that a search meets, polynomial tails on either side so that
    rare violations and slight ones cost a few nats only. Steps of 15% (50% below 0.05) lose less
    than one percent of the growth rate to the grid.
    """
    log_theta = np.concatenate(
        [
            np.arange(math.log(1e-4), math.log(0.05), math.log(1.5)),
            np.arange(math.log(0.05), math.log(40), math.log(1.15)),
        ]
    )
    density = (1 + ((log_theta - math.log(0.8)) / 1.2) ** 2 / 2) ** -1.5
    weights = density * np.gradient(log_theta)
    return np.exp(log_theta), np.log(weights / weights.sum())


@lru_cache(maxsize=256)
def _log_payoffs(delta: float, complement: float) -> tuple[np.ndarray, np.ndarray]:
    """log(q_j / delta) and log((1 - q_j) / (1 - delta)), given delta and 1 - delta."""
    theta, _ = _prior()
    # q / delta = 1 / (delta + complement exp(-theta)), whose logarithm cancels near 1.
    fall = complement * np.expm1(-theta)
    small = -np.log1p(np.maximum(fall, -0.5))
    gain = np.where(fall > -0.5, small, -np.log(delta + complement * np.exp(-theta)))
    return gain, -np.log1p(delta * np.expm1(theta))


def log_mixture(
    hits: np.ndarray, misses: np.ndarray, delta: float, complement: float
) -> np.ndarray:
    """log sum_j w_j W_j for arrays of counts of one shape (n,), blockwise in n.

    Counts may be fractional: for a draw x in [0, 1] that adds x hits and 1 - x misses the factor
    is convex in x, hence below its chord, whose mean under the null is at most 1 (Hoeffding).
    `complement` is 1 - delta, given apart because the subtraction loses digits near 1.
    """
    _, log_weights = _prior()
    gain, loss = _log_payoffs(delta, complement)
    result = np.empty(hits.shape)
    for start in range(0, hits.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        terms = log_weights + np.multiply.outer(hits[part], gain)
        terms += np.multiply.outer(misses[part], loss)
        top = terms.max(axis=1)
        result[part] = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
    return result


def mixture_log_e(hits: ArrayLike, trials: ArrayLike, delta: float) -> np.ndarray:
    """log E after `trials` draws with `hits` violations, for the null P(violation) <= delta.

    Args:
        hits, trials: integers with 0 <= hits <= trials and trials >= 1, broadcast, shape (...,).
        delta: in (0, 1).
    Returns: float64, the common shape. Raises: InvalidArgument.

    >>> mixture_log_e([0, 3, 10], 20, 0.05).round(2).tolist()
    [-0.95, 0.64, 13.86]
    """
    level = open_unit("delta", delta)
    hit, trial = counts(hits, trials)
    flat = log_mixture(hit.ravel(), (trial - hit).ravel(), level, 1 - level)
    return flat.reshape(hit.shape)


def mixture_bet(hits: ArrayLike, trials: ArrayLike, delta: float) -> np.ndarray:
    """The bet q on the next draw, in (delta, 1), after `hits` violations in `trials` draws.

    Args: as for `mixture_log_e`, but trials may be 0. Returns: float64, the common shape.

    >>> mixture_bet([0, 5], [0, 10], 0.05).round(3).tolist()
    [0.242, 0.427]
    """
    level = open_unit("delta", delta)
    hit, after = counts(hits, np.asarray(trials) + 1)
    miss = (after - 1 - hit).ravel()
    before = log_mixture(hit.ravel(), miss, level, 1 - level)
    with_hit = log_mixture(hit.ravel() + 1, miss, level, 1 - level)
    bets: np.ndarray = (level * np.exp(with_hit - before)).reshape(hit.shape)
    return bets


def kt_bet(hits: ArrayLike, trials: ArrayLike, delta: float) -> np.ndarray:
    """The truncated Krichevsky-Trofimov bet max(delta, (hits + 1/2) / (trials + 1)).

    >>> kt_bet([0, 5], [9, 10], 0.1).round(3).tolist()
    [0.1, 0.5]
    """
    estimate = (np.asarray(hits, float) + 0.5) / (np.asarray(trials, float) + 1)
    bets: np.ndarray = np.maximum(delta, estimate)
    return bets


def kl(p: float, q: float) -> float:
    """Kullback-Leibler divergence of Bernoulli(p) from Bernoulli(q) in nats; may be infinite.

    Args: p, q in [0, 1]. Raises: InvalidArgument.

    >>> round(kl(0.5, 0.05), 4)
    0.8304
    """
    p, q = closed_unit("p", p), closed_unit("q", q)
    total = 0.0
    for mass, reference in ((p, q), (1 - p, 1 - q)):
        if mass > 0:
            total += mass * math.log(mass / reference) if reference > 0 else math.inf
    return total


def floor(alpha: float, p1: float, delta: float) -> float:
    """Least mean number of draws log(1/alpha) / kl(p1, delta) of any test of level alpha.

    No sequential test that rejects P = delta with probability at most alpha, and rejects surely
    under P = p1, needs fewer draws on average under p1, even one that knows p1.

    Args: alpha and delta in (0, 1); p1 in [0, 1], different from delta.
    Raises: InvalidArgument. Source: Wald, Ann. Math. Statist. 16 (1945) 117-186.

    >>> round(floor(0.05, 0.1, 0.05), 1)
    145.0
    """
    open_unit("alpha", alpha)
    open_unit("delta", delta)
    divergence = kl(p1, delta)
    if divergence == 0:
        raise InvalidArgument(f"p1 = {p1} equals delta; no number of draws tells them apart")
    return math.log(1 / alpha) / divergence


@dataclass(frozen=True)
class _MixtureTest:
    """State shared by both tests: a value. `update` returns a new test, so keep its result."""

    delta: float
    alpha: float = 1e-6
    hits: int = 0
    trials: int = 0
    peak: float = 0.0

    def __post_init__(self) -> None:
        self._check_delta()
        open_unit("alpha", self.alpha, example=1e-6)

    def _check_delta(self) -> None:
        open_unit("delta", self.delta)

    def _log_wealth_at(self, hits: np.ndarray, trials: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def _peaks(self, draws: np.ndarray) -> np.ndarray:
        """Positions that contain a highest point of the wealth over the batch."""
        raise NotImplementedError

    def update(self, draws: ArrayLike) -> Self:
        """The test after these draws, in their order.

        Args: draws: 0/1 or booleans, shape (n,), n >= 1; 1 is a violation. One value counts too.
        Returns: a new test; the old one is unchanged. The wealth is followed at every draw, so
            a crossing inside the batch rejects even if the wealth falls again.
        Raises: InvalidArgument if the batch is empty or a draw is neither 0 nor 1.
        """
        hit = indicators(draws, first=self.trials)
        at = self._peaks(hit)
        hits = self.hits + np.cumsum(hit)
        return self._moved(hits[at], self.trials + at + 1, int(hits[-1]), self.trials + hit.size)

    def update_counts(self, hits: ArrayLike, trials: ArrayLike) -> Self:
        """The test after batches of which only counts are known.

        Args: hits, trials: integers, scalars or shape (n,), batch by batch in order;
            0 <= hits <= trials, trials >= 1. The size of a batch may depend on earlier batches,
            not on its own draws.
        Returns: a new test; the wealth is looked at after every batch.
        Raises: InvalidArgument.
        """
        hit, trial = (np.atleast_1d(array).ravel() for array in counts(hits, trials))
        all_hits, all_trials = self.hits + np.cumsum(hit), self.trials + np.cumsum(trial)
        return self._moved(all_hits, all_trials, int(all_hits[-1]), int(all_trials[-1]))

    def _moved(self, hits: np.ndarray, trials: np.ndarray, hits_now: int, trials_now: int) -> Self:
        looks = self._log_wealth_at(hits, trials)
        peak = max(self.peak, float(looks.max(initial=-math.inf)))
        return replace(self, hits=hits_now, trials=trials_now, peak=peak)

    @property
    def log_e(self) -> float:
        """log of the wealth now; 0 before the first draw."""
        at = np.array([self.hits], float), np.array([self.trials], float)
        return float(self._log_wealth_at(*at)[0])

    @property
    def e_value(self) -> float:
        """The wealth now: an e-value at any stopping time (mean at most 1 under the null)."""
        return math.exp(self.log_e) if self.log_e < 709 else math.inf

    @property
    def rejects(self) -> bool:
        """Whether the wealth has ever reached 1/alpha; wrong with probability at most alpha."""
        return self.peak >= math.log(1 / self.alpha)


@dataclass(frozen=True)
class ViolationTest(_MixtureTest):
    """Test of the null hypothesis P(violation) <= delta, at every time and over many worlds.

    Args:
        delta: in [0, 1). At delta = 0 a single violation makes the e-value infinite and rejects:
            an event of probability zero has been seen.
        alpha: error probability in (0, 1) of ever rejecting a true null hypothesis.
        hits, trials, peak: the state, left at its start by callers (peak is the largest log_e
            seen). Tests compare, copy and pickle as values.
    Raises: InvalidArgument.
    Source, formula and proof: the head of this module.

    >>> test = ViolationTest(delta=0.05, alpha=0.05)
    >>> test = test.update([0, 1, 0, 0, 1, 1, 0, 1])
    >>> test.rejects, round(test.log_e, 2)
    (True, 4.51)
    >>> ViolationTest(0.05, 0.05).update_counts(4, 8).log_e == test.log_e
    True
    >>> ViolationTest(delta=0).update([0, 0, 1]).e_value
    inf
    """

    def _check_delta(self) -> None:
        if self.delta != 0:
            open_unit("delta", self.delta)

    def _log_wealth_at(self, hits: np.ndarray, trials: np.ndarray) -> np.ndarray:
        if self.delta == 0:
            return np.where(hits > 0, math.inf, 0.0)
        return log_mixture(hits, trials - hits, self.delta, 1 - self.delta)

    def _peaks(self, draws: np.ndarray) -> np.ndarray:
        # Only violations raise the wealth, so it peaks where a run of them ends.
        return np.flatnonzero(draws & ~np.append(draws[1:], False))


@dataclass(frozen=True)
class SupportTest(_MixtureTest):
    """Mirror of `ViolationTest`: rejects P(violation) >= delta, which supports P < delta.

    The same martingale with hits and misses exchanged and 1 - delta for delta; draws are coded
    as before, 1 for a violation.

    Args: delta in (0, 1) (nothing can be below 0), alpha and the state as for `ViolationTest`.
    Raises: InvalidArgument.

    >>> SupportTest(delta=0.05, alpha=0.05).update_counts(0, 100).rejects
    True
    >>> SupportTest(delta=0.05, alpha=0.05).update_counts(5, 100).rejects
    False
    """

    def _log_wealth_at(self, hits: np.ndarray, trials: np.ndarray) -> np.ndarray:
        return log_mixture(trials - hits, hits, 1 - self.delta, self.delta)

    def _peaks(self, draws: np.ndarray) -> np.ndarray:
        return np.flatnonzero(~draws & np.append(draws[1:], True))
