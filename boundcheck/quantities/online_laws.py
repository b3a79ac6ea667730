"""Exact laws of SHRINKING_GRADIENT round by round, in the printed form and in that of the analysis.

Shapes as in `online`: psi is N x K, mu the law of the K features, sequence and y the T rounds.
Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from flint import arb, fmpq, fmpq_mat
from sympy import Max

from boundcheck import exact
from boundcheck.exact import FUNCTIONS
from boundcheck.quantities.online import (
    LAW_LIMIT,
    PRINTED,
    TooManyStates,
    combination,
    estimate_law,
    inner,
    l1_norm,
    next_coefficients,
    row,
    sign,
    squared_loss,
)

EXACT_ROUNDS = 40  # longer runs are followed in balls, rationals would double in length per round

Step = tuple[Any, tuple[Any, ...], Any]  # probability, alpha^(t), E_t


def _freeze(psi: fmpq_mat) -> tuple[tuple[Any, ...], ...]:
    return tuple(row(psi, i) for i in range(psi.nrows()))


def _within_limits(states: int, rounds: int) -> None:
    """Long runs are enumerated only while they stay nearly deterministic."""
    limit = max(LAW_LIMIT // max(1, rounds // 4) ** 2, 8)
    if states > limit:
        raise TooManyStates(f"more than {limit} states in one of {rounds} rounds")


def kept_failures(rule: Callable[..., Any]) -> Callable[..., Any]:
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


@kept_failures
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
        self.doubled = [values for values in self.table for _ in (0, 1)]
        self.rounds = list(zip(sequence, y, strict=True))
        self.B, self.eta = B, arb(eta) if len(self.rounds) > EXACT_ROUNDS else eta

    def __iter__(self) -> Iterator[tuple[list[tuple[Any, ...]], int, Any]]:
        states = [(fmpq(1), self.start())]
        for index, label in self.rounds:
            law, following = [], []
            for chance, masses in states:
                f, total, estimates = self.estimates(masses, index)
                for share, estimate in estimates:
                    law.append((chance * share, f, total, estimate))
                    following.append((chance * share, self.after(masses, index, label, estimate)))
                _within_limits(len(law), len(self.rounds))
            yield law, index, label
            states = _merged(following)

    def start(self) -> tuple:
        """No mass on any point: positive and negative mass alternate."""
        return (fmpq(0),) * (2 * len(self.table))

    def _signed(self, masses: tuple) -> list[Any]:
        return [(-1) ** k * mass for k, mass in enumerate(masses)]

    def function(self, masses: tuple) -> tuple[Any, ...]:
        """f as its values on the features."""
        return combination(self._signed(masses), self.doubled)

    def estimates(self, masses: tuple, index: int) -> tuple[tuple[Any, ...], Any, list]:
        """f, ||alpha||_1 and the law of E on the point of this index."""
        signed = self._signed(masses)
        law = estimate_law(signed, self.doubled, self.table[index], self.mu, self.m)
        return combination(signed, self.doubled), l1_norm(signed), law

    def after(self, masses: tuple, index: int, label: Any, estimate: Any) -> tuple:
        """The masses after a round by the branch of Algorithm 1."""
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


@kept_failures
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


def largest_norm(laws: list[list[tuple[Any, ...]]], mu: Any) -> Any:
    """max over sample paths and rounds of ||f_t||, from `pass_laws`."""
    squares = [inner(f, f, mu) for law in laws for _, f, _, _ in law]
    return exact.square_root(FUNCTIONS[Max](*squares))


def overruled(runs: Masses, f_star: Any) -> Any:
    """sum_{t <= T} P_t(f*): f_t is farther from f* than f_{t-1} - eta (E - y) Phi(x) would be."""

    def distance(f: Any) -> Any:
        gap = tuple(a - b for a, b in zip(f, f_star, strict=True))
        return inner(gap, gap, runs.mu)

    whole = fmpq(0)
    for law, index, label in itertools.islice(runs, len(runs.rounds) - 1):
        point = runs.table[index]
        for chance, f, _, estimate in law:
            error = estimate - label
            hat = tuple(a - runs.eta * error * b for a, b in zip(f, point, strict=True))
            step = tuple(
                a - runs.update * runs.eta * error * b for a, b in zip(f, point, strict=True)
            )
            shrinks = sign(abs(estimate) - 16 * runs.B) >= 0
            after = tuple(a / 4 for a in f) if shrinks else step
            whole += chance * int(sign(distance(after) - distance(hat)) > 0)
    return whole


def descended(psi: Any, sequence: Any, y: Any, mu: Any, eta: Any) -> tuple[Any, ...]:
    """f_T, T the last round, of gradient descent from 0."""
    f: tuple[Any, ...] = (fmpq(0),) * psi.ncols()
    for index, label in zip(sequence[:-1], y, strict=False):
        point = row(psi, index)
        slope = eta * (inner(f, point, mu) - label)
        f = tuple(a - slope * b for a, b in zip(f, point, strict=True))
    return f
