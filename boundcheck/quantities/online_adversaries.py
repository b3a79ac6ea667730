"""Exact laws of SHRINKING_GRADIENT against an adversary that sees the run.

An adversary is an automaton of S states and starts in state 0. State s shows the point shown[s]
with the label answers[s]. After round t it knows all draws of that round and moves on to
moves[s][look], look = [E_t > <f_t, Phi(x_t)>] + 2 [<f_{t+1}, Phi(x_t)> > 0]; the draws of a round
come after its choice. States in a tree make a decision tree over the draws so far; where all four
moves of every state agree, the sequence is fixed in advance (an oblivious adversary).

Shapes otherwise as in `online`. Source: Livni, Carmon and Globerson, ICML 2017, section 2 and
Algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flint import ctx, fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.quantities.online import (
    LAW_LIMIT,
    PRINTED,
    TooManyStates,
    inner,
    row,
    sign,
    squared_loss,
)
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_laws import Masses, kept_failures

LOOKS = 4  # what an adversary may see of a round


@dataclass(frozen=True)
class Encounter:
    """One outcome of a round: its probability, the states of the adversary up to it, and the run.

    Fields: chance; states (s_1..s_t); f the function f_t; l1 = ||alpha^(t)||_1; estimate E_t;
    following the function f_{t+1}.
    """

    chance: Any
    states: tuple[int, ...]
    f: tuple[Any, ...]
    l1: Any
    estimate: Any
    following: tuple[Any, ...]


def fixed_sequence(sequence: Sequence[int], y: Sequence[Any]) -> tuple[tuple, tuple, tuple]:
    """(shown, answers, moves) of the adversary that plays a sequence fixed in advance.

    >>> fixed_sequence((0, 1), (1, 2))
    ((0, 1), (1, 2), ((1, 1, 1, 1), (1, 1, 1, 1)))
    """
    last = len(sequence) - 1
    moves = tuple((min(s + 1, last),) * LOOKS for s in range(last + 1))
    return tuple(sequence), tuple(y), moves


@kept_failures
def _encounters(
    table: tuple, mu: tuple, T: int, shown: tuple, answers: tuple, moves: tuple, B: Any, eta: Any,
    m: int, update: int,
) -> tuple[tuple[Encounter, ...], ...]:  # fmt: skip
    psi = fmpq_mat(len(table), len(table[0]), [value for values in table for value in values])
    algorithm = Masses(psi, (), (), mu, B, eta, m, update)
    runs, rounds = [(fmpq(1), (0,), algorithm.start())], []
    for _ in range(T):
        law, following = [], []
        for chance, states, masses in runs:
            place = states[-1]
            index, label = shown[place], answers[place]
            f, l1, estimates = algorithm.estimates(masses, index)
            product = inner(f, table[index], mu)
            for share, estimate in estimates:
                new = algorithm.after(masses, index, label, estimate)
                g = algorithm.function(new)
                look = (sign(estimate - product) > 0) + 2 * (sign(inner(g, table[index], mu)) > 0)
                law.append(Encounter(chance * share, states, f, l1, estimate, g))
                following.append((chance * share, (*states, moves[place][look]), new))
            if len(law) > LAW_LIMIT:
                raise TooManyStates(f"more than {LAW_LIMIT} outcomes of a round")
        rounds.append(tuple(law))
        runs = _merged(following)
    return tuple(rounds)


def _merged(runs: list[tuple[Any, tuple, tuple]]) -> list[tuple[Any, tuple, tuple]]:
    merged: dict[tuple, Any] = {}
    for chance, states, masses in runs:
        merged[states, masses] = merged.get((states, masses), fmpq(0)) + chance
    return [(chance, states, masses) for (states, masses), chance in merged.items()]


def encounters(
    psi: Any, mu: Any, T: Any, shown: Any, answers: Any, moves: Any, B: Any, eta: Any, m: Any,
    update: int = PRINTED,
) -> tuple[tuple[Encounter, ...], ...]:  # fmt: skip
    """For rounds 1..T every outcome of Algorithm 1 against the adversary, in rationals.

    Raises: TooManyStates beyond LAW_LIMIT outcomes of a round.
    """
    table = tuple(row(psi, i) for i in range(psi.nrows()))
    return _encounters(
        table, tuple(mu), int(T), tuple(shown), tuple(answers), tuple(moves), fmpq(B), fmpq(eta),
        int(m), update,
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _least(table: tuple, rounds: tuple, mu: tuple, B: Any, bits: int) -> Any:
    """The least loss in the ball over rounds of (point, label), kept per precision."""
    psi = fmpq_mat(len(table), len(table[0]), [value for values in table for value in values])
    sequence, y = zip(*rounds, strict=True)
    return best_in_ball(psi, sequence, y, mu, B)


@dataclass(frozen=True)
class Contest:
    """The numbers of Lemma 1 for Algorithm 1 against an adversary that sees the run.

    Args: rounds: from `encounters`; psi, mu, shown, answers, B and eta as there.
    """

    rounds: tuple[tuple[Encounter, ...], ...]
    psi: Any
    mu: Any
    shown: Any
    answers: Any
    B: Any
    eta: Any

    def _each(self, last: bool = True) -> Any:
        """Every outcome of every round, its point and label; without the last round if asked."""
        for law in self.rounds if last else self.rounds[:-1]:
            for item in law:
                place = item.states[-1]
                yield item, row(self.psi, self.shown[place]), self.answers[place]

    def losses(self) -> Any:
        """E sum_t l_t(f_t)."""
        return sum((e.chance * squared_loss(e.f, x, y, self.mu) for e, x, y in self._each()),
                   fmpq(0))  # fmt: skip

    def losses_of(self, f_star: Any) -> Any:
        """E sum_t l_t(f*) for one f*."""
        return sum((e.chance * squared_loss(f_star, x, y, self.mu) for e, x, y in self._each()),
                   fmpq(0))  # fmt: skip

    def least_losses(self) -> Any:
        """E inf over ||f|| < B of sum_t l_t(f): the infimum is taken after the run."""
        paths: dict[tuple, Any] = {}
        for item in self.rounds[-1]:
            rounds = tuple(sorted((self.shown[s], self.answers[s]) for s in item.states))
            paths[rounds] = paths.get(rounds, fmpq(0)) + item.chance
        total = fmpq(0)
        table = tuple(row(self.psi, i) for i in range(self.psi.nrows()))
        for rounds, chance in paths.items():
            total += chance * _least(table, rounds, tuple(self.mu), fmpq(self.B), ctx.prec)
        return total

    def squares(self) -> Any:
        """sum_t E ||gradient of l_t at f_t||^2."""
        return sum(
            (e.chance * (inner(e.f, x, self.mu) - y) ** 2 * inner(x, x, self.mu)
             for e, x, y in self._each()), fmpq(0),
        )  # fmt: skip

    def variances(self) -> Any:
        """sum_t V of the gradient estimate (E_t - y_t) Phi(x_t)."""
        return sum(
            (e.chance * (e.estimate - inner(e.f, x, self.mu)) ** 2 * inner(x, x, self.mu)
             for e, x, _ in self._each()), fmpq(0),
        )  # fmt: skip

    def overruled(self, f_star: Any) -> Any:
        """sum_t P_t(f*) over t <= T: f_t is farther from f* than its gradient step would be."""

        def distance(f: Any) -> Any:
            gap = tuple(a - b for a, b in zip(f, f_star, strict=True))
            return inner(gap, gap, self.mu)

        total = fmpq(0)
        for e, x, y in self._each(last=False):
            step = tuple(a - self.eta * (e.estimate - y) * b for a, b in zip(e.f, x, strict=True))
            total += e.chance * int(sign(distance(e.following) - distance(step)) > 0)
        return total

    def shrinks(self) -> Any:
        """Expected number of rounds before the last that shrink: with descent steps no less than
        sum_t P_t(f*), whatever f* is, chosen before the run or after it."""
        return sum(
            (e.chance for e, _, _ in self._each(last=False)
             if sign(abs(e.estimate) - 16 * self.B) >= 0), fmpq(0),
        )  # fmt: skip

    def largest_norm(self) -> Any:
        """max over sample paths and rounds of ||f_t||."""
        return exact.square_root(max(inner(e.f, e.f, self.mu) for e, _, _ in self._each()))
