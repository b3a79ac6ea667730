"""Simulation of SHRINKING_GRADIENT in floating point, many runs at once.

Shapes as in `online`. Source: Livni, Carmon and Globerson, ICML 2017, Algorithms 1 and 2.
"""

from __future__ import annotations

from typing import Any

from boundcheck.quantities.online import PRINTED


class Runs:
    """Independent runs of Algorithm 1, advanced by one round at a time.

    Args: psi (N, K), mu (K,): arrays; m: draws per round; runs: how many.
    Fields: masses (runs, 2, N), the positive and negative coefficient mass on each point.
    Per round the m draws of (i, w) enter through how often each value of E^(k) comes up, one
    multinomial over the distinct values whatever m is.
    """

    def __init__(
        self, psi: Any, mu: Any, B: float, eta: float, m: int, *, runs: int, rng: Any,
        update: int = PRINTED,
    ) -> None:  # fmt: skip
        import numpy

        self.psi, self.mu = (numpy.asarray(a, dtype=float) for a in (psi, mu))
        self.B, self.eta, self.m, self.rng, self.update = B, eta, m, rng, update
        self.masses = numpy.zeros((runs, 2, len(self.psi)))
        self.each = numpy.arange(runs)
        self.kernel = (self.psi * self.mu) @ self.psi.T
        self.values, self.chances = self._single_draws()

    def _single_draws(self) -> tuple[Any, Any]:
        """Per shown point: the distinct values of E^(k), and their chances given (sign, i).

        Shapes (N, U) and (N, 2 N, U), U the most values that a point has; the rest is unused.
        """
        import numpy

        signs = numpy.array([1.0, -1.0])[:, None, None]
        points = len(self.psi)
        found = [
            numpy.unique((signs * (self.psi * shown)).ravel(), return_inverse=True)
            for shown in self.psi
        ]
        most = max(len(values) for values, _ in found)
        table, chances = numpy.zeros((points, most)), numpy.zeros((points, 2 * points, most))
        rows = numpy.repeat(numpy.arange(2 * points), len(self.mu))
        weights = numpy.tile(self.mu, 2 * points)
        for point, (values, which) in enumerate(found):
            table[point, : len(values)] = values
            numpy.add.at(chances[point], (rows, which.ravel()), weights)
        return table, chances

    @property
    def signed(self) -> Any:
        """Coefficients summed on each point, (runs, N)."""
        return self.masses[:, 0] - self.masses[:, 1]

    def product(self, index: Any) -> Any:
        """<f, Phi(x)> of every run, x the point of this index: one for all runs, or (runs,)."""
        return (self.signed * self.kernel[index]).sum(axis=-1)

    def play(self, index: Any, label: Any) -> Any:
        """One round on a point with a label (one for all runs, or (runs,)); returns E_t."""
        import numpy

        flat = self.masses.reshape(len(self.each), -1)
        total = flat.sum(axis=1)
        if total.all():
            share = flat / total[:, None]
        else:  # where alpha = 0 the draws do not matter: the estimate is 0
            share = flat / numpy.where(total > 0, total, 1)[:, None]
            share[total == 0] = 1 / share.shape[1]
        shared = numpy.ndim(index) == 0
        if shared:
            chances = share @ self.chances[index]
        else:
            chances = numpy.matmul(share[:, None, :], self.chances[index])[:, 0]
        counts = self.rng.multinomial(self.m, chances / chances.sum(axis=1, keepdims=True))
        estimate = total * (counts * self.values[index]).sum(axis=-1) / self.m
        step = self.update * self.eta * (label - estimate)
        large = numpy.abs(estimate) >= 16 * self.B
        if large.any():
            self.masses[large] /= 4
            step = numpy.where(large, 0, step)
        runs = slice(None) if shared else self.each
        self.masses[runs, 0, index] += numpy.maximum(step, 0)
        self.masses[runs, 1, index] += numpy.maximum(-step, 0)
        return estimate


def simulate(
    psi: Any, sequence: Any, y: Any, mu: Any, B: float, eta: float, m: int, *,
    runs: int, rng: Any, update: int = PRINTED,
) -> dict[str, Any]:  # fmt: skip
    """Independent runs of Algorithm 1 in floating point, all at once.

    Args: psi (N, K), mu (K,): arrays; sequence and y: (T,) shared by all runs, or (runs, T); m:
        draws per round.
    Returns: `products` <f_t, Phi(x_t)>, `estimates` E_t and `l1` ||alpha^(t)||_1, each (runs, T),
    `functions`, the values of f_T, and `averages`, those of (1/T) sum_t f_t, (runs, K).
    """
    import numpy

    sequence, y = numpy.asarray(sequence, dtype=int), numpy.asarray(y, dtype=float)
    state = Runs(psi, mu, B, eta, m, runs=runs, rng=rng, update=update)
    rounds = y.shape[-1]
    found = {name: numpy.zeros((rounds, runs)) for name in ("products", "estimates", "l1")}
    summed = numpy.zeros((runs, len(state.psi)))
    for t in range(rounds):
        index = sequence[..., t]
        found["l1"][t] = state.masses.sum(axis=(1, 2))
        found["products"][t] = state.product(index)
        signed = state.signed
        summed += signed / rounds
        found["estimates"][t] = state.play(index, y[..., t])
    found = {name: values.T for name, values in found.items()}
    found["functions"], found["averages"] = signed @ state.psi, summed @ state.psi
    return found


def simulate_against(
    psi: Any, mu: Any, T: int, shown: Any, answers: Any, moves: Any, B: float, eta: float, m: int,
    *, runs: int, rng: Any, update: int = PRINTED, tossed: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Independent runs of Algorithm 1 against the adversary of `online_adversaries`.

    Args: tossed: whether every label is multiplied by a fair sign of its own, unseen by the
        adversary: the mean over random sequences instead of one.
    Returns: `sequence`, `y`, `products`, `estimates` and `l1`, each (runs, T), and `functions`,
    the values of f_T, (runs, K).
    """
    import numpy

    shown, moves = numpy.asarray(shown, dtype=int), numpy.asarray(moves, dtype=int)
    answers = numpy.asarray(answers, dtype=float)
    state = Runs(psi, mu, B, eta, m, runs=runs, rng=rng, update=update)
    blind = (moves == moves[:, :1]).all()  # then all runs are in one state of the adversary
    places = 0 if blind else numpy.zeros(runs, dtype=int)
    found = {name: numpy.zeros((T, runs)) for name in ("y", "products", "estimates", "l1")}
    found["sequence"] = numpy.zeros((T, runs), dtype=int)
    for t in range(T):
        index, label = shown[places], answers[places]
        if tossed:
            label = label * rng.choice((-1.0, 1.0), size=runs)
        product, signed = state.product(index), state.signed
        found["sequence"][t], found["y"][t], found["products"][t] = index, label, product
        found["l1"][t] = state.masses.sum(axis=(1, 2))
        found["estimates"][t] = estimate = state.play(index, label)
        if blind:
            places = moves[places, 0]
        else:
            look = (estimate > product) + 2 * (state.product(index) > 0)
            places = moves[places, look]
    found = {name: values.T for name, values in found.items()}
    found["functions"] = signed @ state.psi
    return found


def least_totals(psi: Any, mu: Any, sequence: Any, y: Any, B: float, weights: Any = 1.0) -> Any:
    """Per run the least sum_t w_t l_t(f) over ||f|| <= B, from above: the loss of a feasible f.

    Args: sequence, y: (runs, T). weights: w_t >= 0, broadcast to them.
    Each f is given by coordinates u in an orthonormal basis of span Phi(x_i), f(x_i) = (A u)_i;
    (M + l) u = b is solved with l bisected until ||u|| = B.
    """
    import numpy

    psi, mu = numpy.asarray(psi, dtype=float), numpy.asarray(mu, dtype=float)
    met = [numpy.asarray(sequence) == point for point in range(len(psi))]
    counts = numpy.stack([(here * weights).sum(axis=1) for here in met], axis=1).astype(float)
    sums = numpy.stack([(here * weights * y).sum(axis=1) for here in met], axis=1)
    levels, basis = numpy.linalg.eigh((psi * mu) @ psi.T)
    A = basis * numpy.sqrt(numpy.maximum(levels, 0))
    w, Q = numpy.linalg.eigh(numpy.einsum("ia,ri,ib->rab", A, counts, A))
    w = numpy.maximum(w, 0)
    b = numpy.einsum("rba,rb->ra", Q, sums @ A)
    low, high = (numpy.full(len(y), value) for value in (1e-12, 2.0 * y.shape[1] + 1))
    for _ in range(80):
        middle = numpy.sqrt(low * high)
        inside = ((b / (w + middle[:, None])) ** 2).sum(axis=1) <= B**2
        low, high = numpy.where(inside, low, middle), numpy.where(inside, middle, high)
    u = b / (w + high[:, None])
    norm = numpy.sqrt((u**2).sum(axis=1, keepdims=True))
    u *= numpy.minimum(1, B / numpy.maximum(norm, 1e-300))
    return ((w * u**2).sum(axis=1) - 2 * (b * u).sum(axis=1) + (weights * y**2).sum(axis=1)) / 2


def least_of_worlds(psi: Any, sequence: Any, y: Any, weights: Any, mu: Any, B: Any) -> Any:
    """`least_totals` of one run per world; a batch axis comes first on what varies."""
    import numpy

    given = [(psi, 2), (sequence, 1), (y, 1), (weights, 1), (mu, 1), (B, 0)]
    arrays = [(numpy.asarray(value), rank) for value, rank in given]
    sizes = [len(value) for value, rank in arrays if value.ndim > rank]
    stacks = [
        numpy.broadcast_to(value, (max(sizes, default=1), *value.shape[value.ndim - rank :]))
        for value, rank in arrays
    ]
    found = [
        least_totals(psi, mu, sequence[None], y[None], B, weights)[0]
        for psi, sequence, y, weights, mu, B in zip(*stacks, strict=True)
    ]
    return numpy.array(found) if sizes else found[0]
