"""Online regression with sampled features: SHRINKING_GRADIENT and EST_SCALAR_PROD.

Shapes: psi is N x K (feature values psi(x_i; w)), mu the law of w (K), sequence the points met in
rounds 1..T (indices into the rows of psi), y their labels (T), alpha the coefficients (T), and a
function f on the features is its tuple of K values. Inner products are weighted by mu.
Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.

`estimated_product` and `next_coefficients` are the printed lines. The form that the analysis uses
groups equal points: the estimate depends on alpha only through the positive and negative mass on
each distinct point, so exact laws stay small. It is in `online_laws`, its simulation in
`online_simulation`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from boundcheck import exact
from boundcheck.errors import Undecided, Undefined
from boundcheck.quantities.base import facts

PRINTED, DESCENT = -1, 1  # sign of eta (y_t - E_t) in the update: as printed, and as analysed
MOST_DRAWS, MOST_VALUES = 60, 200  # of an estimate followed draw by draw
LAW_LIMIT = 600  # states of an exact law; beyond it a world is left to simulation


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


@facts("nonnegative")
def norm(f: Sequence[Any], mu: Sequence[Any]) -> Any:
    """||f|| in L2(mu)."""
    return exact.square_root(inner(f, f, mu))


@facts("nonnegative")
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
    if m * (len(single) - 1) >= limit:  # v values have at least m (v - 1) + 1 sums of m
        raise TooManyStates(f"{m} draws from {len(single)} values")
    if all(exact.is_exact(chance) for chance in single.values()):
        law = _sums(single, m, limit)
    else:
        law = [(chance, value) for value, chance in _convolved(single, m, limit).items()]
    return [(chance, total * value / m) for chance, value in law]


def _convolved(single: Mapping[Any, Any], m: int, limit: int) -> dict[Any, Any]:
    """m-fold convolution of chances by value.

    Raises: TooManyStates beyond `limit` values.
    """
    law: dict[Any, Any] = {0: 1}
    for _ in range(m):
        step: dict[Any, Any] = {}
        for value, chance in law.items():
            for more, share in single.items():
                step[value + more] = step.get(value + more, 0) + chance * share
        law = step
        if len(law) > limit:
            raise TooManyStates(f"more than {limit} values of the estimate")
    return law


def _sums(single: Mapping[fmpq, fmpq], m: int, limit: int) -> list[tuple[fmpq, fmpq]]:
    """`_convolved` as (chance, value) over common denominators: whole numbers need no reducing."""
    parts, scale = (
        math.lcm(*(int(number.q) for number in numbers))
        for numbers in (single.values(), single)
    )
    whole = {int(value * scale): int(chance * parts) for value, chance in single.items()}
    law = _convolved(whole, m, limit)
    return [(fmpq(chance, parts**m), fmpq(value, scale)) for value, chance in law.items()]


def nearness(alpha: Any, psi: Any, x: Any, mu: Any, epsilon: Any) -> Iterator[tuple[int, Any]]:
    """P(Algorithm 2 is within epsilon) from 1, 2, ... draws.

    Raises: Undecided where the law of the estimate grows too large.
    """
    rows = [row(psi, i) for i in range(psi.nrows())]
    law = estimate_law(alpha, rows, x, mu, 1)
    centre, sums = sum((p * v for p, v in law), fmpq(0)), {fmpq(0): fmpq(1)}
    for count in range(1, MOST_DRAWS):
        following: dict[Any, Any] = {}
        for value, chance in sums.items():
            for share, more in law:
                following[value + more] = following.get(value + more, fmpq(0)) + chance * share
        sums = following
        near = (p for value, p in sums.items() if abs(value / count - centre) <= epsilon)
        yield count, sum(near, fmpq(0))
        if len(sums) > MOST_VALUES:
            break
    raise Undecided("the law of the estimate grows too large")


# --- quantities that several statements measure --------------------------------------------------
