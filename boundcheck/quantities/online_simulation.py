"""Simulation of SHRINKING_GRADIENT in floating point, many runs at once.

Shapes as in `online`. Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.
"""

from __future__ import annotations

from typing import Any

from boundcheck.quantities.online import PRINTED


def simulate(
    psi: Any, sequence: Any, y: Any, mu: Any, B: float, eta: float, m: int, *,
    runs: int, rng: Any, update: int = PRINTED,
) -> dict[str, Any]:  # fmt: skip
    """Independent runs of Algorithm 1 in floating point, all at once.

    Args: psi (N, K), mu (K,): arrays; sequence and y: (T,) shared by all runs, or (runs, T); m:
        draws per round.
    Returns: `products` <f_t, Phi(x_t)>, `estimates` E_t and `l1` ||alpha^(t)||_1, each (runs, T),
    `functions`, the values of f_T, and `averages`, those of (1/T) sum_t f_t, (runs, K).
    Per round the m draws of (i, w) enter through how often each (point, sign, atom) comes up,
    one multinomial whatever m is.
    """
    import numpy

    psi, y, mu = (numpy.asarray(a, dtype=float) for a in (psi, y, mu))
    sequence, each = numpy.asarray(sequence, dtype=int), numpy.arange(runs)
    points, rounds = len(psi), y.shape[-1]
    kernel = (psi * mu) @ psi.T
    masses = numpy.zeros((runs, 2, points))
    shape = (runs, rounds)
    found = {name: numpy.zeros(shape) for name in ("products", "estimates", "l1")}
    found["averages"] = numpy.zeros((runs, psi.shape[1]))
    signs = numpy.array([1.0, -1.0])[:, None, None]
    for t in range(rounds):
        index, label = sequence[..., t], y[..., t]
        total = masses.sum(axis=(1, 2))
        found["l1"][:, t] = total
        signed = masses[:, 0] - masses[:, 1]
        found["products"][:, t] = (signed * kernel[index]).sum(axis=-1)
        values = signs * (psi * psi[index][..., None, None, :])
        values = values.reshape(*index.shape, -1)
        found["functions"] = signed @ psi
        found["averages"] += found["functions"] / rounds
        share = masses / numpy.where(total > 0, total, 1)[:, None, None]
        chances = (share[..., None] * mu).reshape(runs, -1)
        chances[total == 0] = 1 / chances.shape[1]
        counts = rng.multinomial(m, chances / chances.sum(axis=1, keepdims=True))
        estimate = total * (counts * values).sum(axis=-1) / m
        found["estimates"][:, t] = estimate
        step = update * eta * (label - estimate)
        small = numpy.abs(estimate) < 16 * B
        masses[~small] /= 4
        masses[each, 0, index] += numpy.where(small, numpy.maximum(step, 0), 0)
        masses[each, 1, index] += numpy.where(small, numpy.maximum(-step, 0), 0)
    return found
