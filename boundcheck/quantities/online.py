"""Online regression with sampled features: SHRINKING_GRADIENT and EST_SCALAR_PROD.

Shapes: psi is N x K (feature values psi(x_i; w)), mu the law of w (K), sequence the points met in
rounds 1..T (indices into the rows of psi), y their labels (T), alpha the coefficients (T), and a
function f on the features is its tuple of K values. Inner products are weighted by mu.
Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.

Two forms of one algorithm live here. `estimated_product` and `next_coefficients` are the printed
lines. The form that the analysis uses groups equal points: the estimate depends on alpha only
through the positive and negative mass on each distinct point, so exact laws stay small.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from flint import arb, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.errors import Undecided, Undefined
from boundcheck.quantities.base import quantity

PRINTED, DESCENT = -1, 1  # sign of eta (y_t - E_t) in the update: as printed, and as analysed
LAW_LIMIT = 600  # states of an exact law; beyond it a world is left to simulation
EXACT_ROUNDS = 40  # longer runs are followed in balls, rationals would double in length per round


class TooManyStates(Undecided):
    """An exact law beyond LAW_LIMIT states."""


# --- the feature space ---------------------------------------------------------------------------


def row(psi: fmpq_mat, index: int) -> tuple[Any, ...]:
    """The feature values of one point, Phi(x)."""
    return tuple(psi[index, k] for k in range(psi.ncols()))


def inner(f: Sequence[Any], g: Sequence[Any], mu: Sequence[Any]) -> Any:
    """<f, g> = integral of f g under mu.

    >>> inner((1, 2), (3, 4), (fmpq(1, 2), fmpq(1, 2)))
    11/2
    """
    return sum((a * b * c for a, b, c in zip(f, g, mu, strict=True)), fmpq(0))


def norm(f: Sequence[Any], mu: Sequence[Any]) -> Any:
    """||f|| in L2(mu)."""
    return exact.square_root(inner(f, f, mu))


def l1_norm(alpha: Sequence[Any]) -> Any:
    """||alpha||_1."""
    return sum((abs(value) for value in alpha), fmpq(0))


def combination(alpha: Sequence[Any], rows: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    """sum_i alpha_i Phi(x_i) as its values on the atoms of mu."""
    atoms = range(len(rows[0]))
    return tuple(
        sum((a * values[k] for a, values in zip(alpha, rows, strict=True)), fmpq(0))
        for k in atoms
    )


def squared_loss(f: Sequence[Any], point: Sequence[Any], label: Any, mu: Sequence[Any]) -> Any:
    """(1/2) (<f, Phi(x)> - y)^2."""
    return (inner(f, point, mu) - label) ** 2 / 2


def gram(psi: fmpq_mat, mu: Sequence[Any]) -> fmpq_mat:
    """Kernel matrix k(x_i, x_j) = sum_w mu(w) psi(x_i; w) psi(x_j; w), N x N."""
    size = psi.nrows()
    rows = [row(psi, i) for i in range(size)]
    return fmpq_mat(size, size, [inner(a, b, mu) for a in rows for b in rows])


# --- Algorithm 2 and Algorithm 1, line by line ---------------------------------------------------


def sign(value: Any) -> int:
    """-1, 0 or 1.

    Raises: Undecided if a ball straddles zero.
    """
    side = exact.sign(value)
    if side is None:
        raise Undecided("sign of a ball that contains zero")
    return side


def estimated_product(
    alpha: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    point: Sequence[Any],
    picks: Sequence[tuple[int, int]],
) -> Any:
    """Algorithm 2 as printed, given its draws: m pairs (i, w).

    Raises: Undefined for m = 0 and alpha not 0, where the printed average is 0/0.
    """
    if all(value == 0 for value in alpha):
        return fmpq(0)
    if not picks:
        raise Undefined("division by m = 0")
    samples = [sign(alpha[i]) * rows[i][w] * point[w] for i, w in picks]
    return l1_norm(alpha) / len(picks) * sum(samples, fmpq(0))


def pick_law(
    alpha: Sequence[Any], mu: Sequence[Any], m: int
) -> Iterator[tuple[Any, tuple[tuple[int, int], ...]]]:
    """All draws of Algorithm 2 with their probabilities: m independent pairs (i, w)."""
    total = l1_norm(alpha)
    if total == 0:
        yield fmpq(1), ()
        return
    single = [
        (abs(a) / total * weight, (i, w))
        for i, a in enumerate(alpha)
        for w, weight in enumerate(mu)
        if a != 0 and weight != 0
    ]
    for picks in itertools.product(single, repeat=m):
        probability = fmpq(1)
        for chance, _ in picks:
            probability *= chance
        yield probability, tuple(pair for _, pair in picks)


def next_coefficients(
    alpha: Sequence[Any], t: int, label: Any, estimate: Any, B: Any, eta: Any, update: int = PRINTED
) -> tuple[Any, ...]:
    """The branch of Algorithm 1 in round t (counted from 1): alpha^(t+1) from alpha^(t) and E_t.

    Args: update: PRINTED for -eta (y_t - E_t), DESCENT for the opposite sign.
    """
    if sign(abs(estimate) - 16 * B) < 0:
        new = update * eta * (label - estimate)
        return (*alpha[: t - 1], new, *alpha[t:])
    return tuple(value / 4 for value in alpha)


def run_printed(
    psi: fmpq_mat,
    sequence: Sequence[int],
    y: Sequence[Any],
    B: Any,
    eta: Any,
    draws: Sequence[Sequence[tuple[int, int]]],
    update: int = PRINTED,
) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """Algorithm 1 given all its draws: coefficients alpha^(1..T+1) and estimates E_1..E_T."""
    rows = [row(psi, index) for index in sequence]
    alpha: tuple[Any, ...] = (fmpq(0),) * len(rows)
    coefficients, estimates = [alpha], []
    for t, picks in enumerate(draws, start=1):
        estimates.append(estimated_product(alpha, rows, rows[t - 1], picks))
        alpha = next_coefficients(alpha, t, y[t - 1], estimates[-1], B, eta, update)
        coefficients.append(alpha)
    return coefficients, estimates


# --- exact laws ----------------------------------------------------------------------------------


def estimate_law(
    alpha: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    point: Sequence[Any],
    mu: Sequence[Any],
    m: int,
    limit: int = LAW_LIMIT,
) -> list[tuple[Any, Any]]:
    """Law of Algorithm 2's output as (probability, value): an m-fold convolution.

    Raises: TooManyStates beyond `limit` values.
    """
    total = l1_norm(alpha)
    if total == 0:
        return [(fmpq(1), fmpq(0))]
    single: dict[Any, Any] = {}
    for a, values in zip(alpha, rows, strict=True):
        for weight, left, right in zip(mu, values, point, strict=True):
            if a != 0 and weight != 0:
                value = sign(a) * left * right
                single[value] = single.get(value, fmpq(0)) + abs(a) / total * weight
    if len(single) == 1:
        return [(fmpq(1), total * next(iter(single)))]
    if m >= limit:  # two values or more make at least m + 1 sums
        raise TooManyStates(f"{m} draws from {len(single)} values")
    law = {fmpq(0): fmpq(1)}
    for _ in range(m):
        step: dict[Any, Any] = {}
        for value, chance in law.items():
            for more, share in single.items():
                step[value + more] = step.get(value + more, fmpq(0)) + chance * share
        law = step
        if len(law) > limit:
            raise TooManyStates(f"more than {limit} values of the estimate")
    return [(chance, total * value / m) for value, chance in law.items()]


def estimate_variance(
    alpha: Sequence[Any], rows: Sequence[Sequence[Any]], point: Sequence[Any], mu: Any, m: int
) -> Any:
    """Variance of Algorithm 2's output given alpha, in closed form from one draw."""
    law = estimate_law(alpha, rows, point, mu, 1)
    mean = sum((p * v for p, v in law), fmpq(0))
    return sum((p * (v - mean) ** 2 for p, v in law), fmpq(0)) / m


Step = tuple[Any, tuple[Any, ...], Any]  # probability, alpha^(t), E_t


def _freeze(psi: fmpq_mat) -> tuple[tuple[Any, ...], ...]:
    return tuple(row(psi, i) for i in range(psi.nrows()))


def _within_limits(states: int, rounds: int) -> None:
    """Long runs are enumerated only while they stay nearly deterministic."""
    limit = max(LAW_LIMIT // max(1, rounds // 4) ** 2, 8)
    if states > limit:
        raise TooManyStates(f"more than {limit} states in one of {rounds} rounds")


def _kept_failures(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Cache of results and of TooManyStates, so that a hopeless law is tried once."""

    @lru_cache(maxsize=64)
    def attempt(*arguments: Any) -> Any:
        try:
            return rule(*arguments)
        except TooManyStates as error:
            return error

    def run(*arguments: Any) -> Any:
        result = attempt(*arguments)
        if isinstance(result, TooManyStates):
            raise result
        return result

    return run


@_kept_failures
def _round_laws(
    table: tuple, sequence: tuple, y: tuple, mu: tuple, B: Any, eta: Any, m: int, update: int
) -> list[list[Step]]:
    rows = [table[index] for index in sequence]
    states = {(fmpq(0),) * len(rows): fmpq(1)}
    laws: list[list[Step]] = []
    for t in range(1, len(rows) + 1):
        law: list[Step] = []
        following: dict[tuple, Any] = {}
        for alpha, chance in states.items():
            for share, estimate in estimate_law(alpha, rows, rows[t - 1], mu, m):
                law.append((chance * share, alpha, estimate))
                new = next_coefficients(alpha, t, y[t - 1], estimate, B, eta, update)
                following[new] = following.get(new, fmpq(0)) + chance * share
            _within_limits(len(law), len(rows))
        laws.append(law)
        states = following
    return laws


def round_laws(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: int, update: int = PRINTED
) -> list[list[Step]]:
    """For rounds 1..T the exact joint law of (alpha^(t), E_t) of Algorithm 1.

    Raises: TooManyStates beyond LAW_LIMIT states in a round.
    """
    return _round_laws(
        _freeze(psi), tuple(sequence), tuple(y), tuple(mu), fmpq(B), fmpq(eta), int(m), update
    )


# --- the form of the analysis: signed masses on distinct points ----------------------------------


class Masses:
    """Law of Algorithm 1's state round by round, as signed masses on the N distinct points.

    Iterating yields (law, point index, label) per round, law = [(probability, f, l1, E)] with f
    the function f_t, l1 = ||alpha^(t)||_1. Balls replace rationals in runs beyond EXACT_ROUNDS.
    """

    def __init__(
        self, psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: int,
        update: int = PRINTED,
    ) -> None:  # fmt: skip
        self.table, self.mu, self.m, self.update = _freeze(psi), tuple(mu), int(m), update
        self.rounds = list(zip(sequence, y, strict=True))
        self.B, self.eta = B, arb(eta) if len(self.rounds) > EXACT_ROUNDS else eta

    def __iter__(self) -> Iterator[tuple[list[tuple[Any, ...]], int, Any]]:
        doubled = [values for values in self.table for _ in (0, 1)]
        zero = (fmpq(0),) * len(doubled)
        states = [(fmpq(1), zero)]
        for index, label in self.rounds:
            law, following = [], []
            for chance, masses in states:
                signed = [(-1) ** k * mass for k, mass in enumerate(masses)]
                f, total = combination(signed, doubled), l1_norm(signed)
                for share, estimate in estimate_law(signed, doubled, self.table[index], self.mu,
                                                    self.m):  # fmt: skip
                    law.append((chance * share, f, total, estimate))
                    following.append((chance * share, self._after(masses, index, label, estimate)))
                _within_limits(len(law), len(self.rounds))
            yield law, index, label
            states = _merged(following)

    def _after(self, masses: tuple, index: int, label: Any, estimate: Any) -> tuple:
        if sign(abs(estimate) - 16 * self.B) >= 0:
            return tuple(mass / 4 for mass in masses)
        new = self.update * self.eta * (label - estimate)
        if exact.is_exact(new) and new == 0:
            return masses
        slot = 2 * index + (0 if sign(new) > 0 else 1)
        return (*masses[:slot], masses[slot] + abs(new), *masses[slot + 1 :])


def _merged(states: list[tuple[Any, tuple]]) -> list[tuple[Any, tuple]]:
    if not all(exact.is_exact(mass) for _, masses in states for mass in masses):
        return states
    merged: dict[tuple, Any] = {}
    for chance, masses in states:
        merged[masses] = merged.get(masses, fmpq(0)) + chance
    return [(chance, masses) for masses, chance in merged.items()]


@_kept_failures
def _pass_laws(table: tuple, *arguments: Any) -> list[list[tuple[Any, ...]]]:
    psi = fmpq_mat(len(table), len(table[0]), [value for values in table for value in values])
    return [law for law, _, _ in Masses(psi, *arguments)]


def pass_laws(
    psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, update: int = PRINTED
) -> list[list[tuple[Any, ...]]]:
    """For rounds 1..T the exact law of (f_t, ||alpha^(t)||_1, E_t), probability first.

    Raises: TooManyStates beyond LAW_LIMIT states in a round.
    """
    arguments = (tuple(sequence), tuple(y), tuple(mu), fmpq(B))
    if isinstance(eta, arb):  # balls depend on the precision in force and are not kept
        return [law for law, _, _ in Masses(psi, *arguments, eta, int(m), update)]
    return _pass_laws(_freeze(psi), *arguments, fmpq(eta), int(m), update)


def expected_losses(runs: Masses) -> list[Any]:
    """E l_t(f_t) for every round."""
    return [
        sum((p * squared_loss(f, runs.table[i], label, runs.mu) for p, f, _, _ in law), fmpq(0))
        for law, i, label in runs
    ]


def expected_regret(runs: Masses, best: Any) -> Any:
    """E sum_t l_t(f_t) minus a comparator's total loss."""
    return sum(expected_losses(runs), fmpq(0)) - best


# --- simulation ----------------------------------------------------------------------------------


def simulate(
    psi: Any, sequence: Any, y: Any, mu: Any, B: float, eta: float, m: int, *,
    runs: int, rng: Any, update: int = PRINTED,
) -> dict[str, Any]:  # fmt: skip
    """Independent runs of Algorithm 1 in floating point, all at once.

    Args: psi (N, K), sequence (T,), y (T,), mu (K,): arrays; m: draws per round.
    Returns: `products` <f_t, Phi(x_t)>, `estimates` E_t and `l1` ||alpha^(t)||_1, each (runs, T),
    and `functions`, the values of f_T, (runs, K).
    Per round the m draws of (i, w) enter through how often each (point, sign, atom) comes up,
    one multinomial whatever m is.
    """
    import numpy

    psi, y, mu = (numpy.asarray(a, dtype=float) for a in (psi, y, mu))
    points, rounds = len(psi), len(y)
    kernel = (psi * mu) @ psi.T
    masses = numpy.zeros((runs, 2, points))
    shape = (runs, rounds)
    found = {name: numpy.zeros(shape) for name in ("products", "estimates", "l1")}
    signs = numpy.array([1.0, -1.0])[:, None, None]
    for t, (index, label) in enumerate(zip(sequence, y, strict=True)):
        total = masses.sum(axis=(1, 2))
        found["l1"][:, t] = total
        found["products"][:, t] = (masses[:, 0] - masses[:, 1]) @ kernel[:, index]
        values = (signs * (psi * psi[index])).ravel()
        found["functions"] = (masses[:, 0] - masses[:, 1]) @ psi
        share = masses / numpy.where(total > 0, total, 1)[:, None, None]
        chances = (share[..., None] * mu).reshape(runs, -1)
        chances[total == 0] = 1 / chances.shape[1]
        counts = rng.multinomial(m, chances / chances.sum(axis=1, keepdims=True))
        estimate = total * (counts @ values) / m
        found["estimates"][:, t] = estimate
        step = update * eta * (label - estimate)
        small = numpy.abs(estimate) < 16 * B
        masses[~small] /= 4
        masses[:, 0, index] += numpy.where(small, numpy.maximum(step, 0), 0)
        masses[:, 1, index] += numpy.where(small, numpy.maximum(-step, 0), 0)
    return found


# --- quantities that several statements measure --------------------------------------------------


def _norm_estimator(alpha: Any) -> Any:
    import numpy

    return numpy.abs(alpha).sum(axis=-1)


@quantity(estimator=_norm_estimator)
def coefficient_norm(alpha: Any) -> Any:
    """||alpha||_1 of a measured or drawn alpha."""
    return l1_norm(alpha)
