"""Livni, Carmon, Globerson 2017: online learning of infinite layer networks without kernel values.

Worlds: points with feature values psi (N x K) strictly inside (-1, 1), a law mu on the K features,
rounds t = 1..T that meet the points of `sequence` with labels y in [-1, 1]. Sequences are fixed
before the run (an oblivious adversary), as the text's "every sequence" says; adversaries that see
the run are in `_adversaries`, and claims against them are called adaptive. L2(Omega, mu) is R^K
with the mu-weighted inner product.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import Max, symbols

from boundcheck import Source
from boundcheck.errors import Undecided
from boundcheck.exact import FUNCTIONS, logarithm, square_root
from boundcheck.quantities import Paired, facts, quantity
from boundcheck.quantities.online import (
    DESCENT,
    LAW_LIMIT,
    PRINTED,
    combination,
    estimate_law,
    inner,
    pick_law,
    row,
    sign,
)
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_laws import Masses, expected_regret, pass_laws, round_laws
from boundcheck.quantities.online_simulation import simulate
from boundcheck.worlds import (
    Custom,
    Draw,
    Index,
    Integer,
    Matrix,
    Real,
    Space,
    Tuples,
    Vector,
    Weights,
)
from boundcheck.worlds.fields import as_rational

NOTES = Source(
    "Livni, Carmon, Globerson", 2017, "Learning infinite layer networks without the kernel trick",
    "ICML",
)  # fmt: skip

T, t, B, B_T, eta, m, delta, epsilon, rho = symbols("T t B B_T eta m delta epsilon rho", real=True)
alpha_norm, estimate, product, loss = symbols("alpha_norm estimate product loss", real=True)
far, loss_star, penalties, star_norm = symbols("far loss_star penalties star_norm", real=True)
f_star, f_norm, hat, new = symbols("f_star f_norm hat new", real=True)
distance, hat_distance, new_distance = symbols("distance hat_distance new_distance", real=True)
new_loss, regret = symbols("new_loss regret", real=True)

LONG = 6  # longer runs repeat one point and label: their exact laws stay small
WIDEST = fmpq(999_999, 1_000_000)  # feature values lie strictly inside (-1, 1)


FEATURES = Matrix("N", "K", -WIDEST, WIDEST)
LABELS = Vector("T", -1, 1)


def one_modulus(value: Any, world: Any) -> bool:
    """Features of one modulus, as `sign_features` draws them."""
    return FEATURES.admits(value, world) and len({abs(v) for v in value.entries()}) == 1


def _features(source: Any, earlier: Any) -> fmpq_mat:
    """Feature values: free, of one modulus with free signs, or one value per point."""
    points, atoms = earlier["N"], earlier["K"]
    shape = source.choice(("free", "one modulus", "one value per point"))
    if shape == "free":
        values = [source.rational(-WIDEST, WIDEST) for _ in range(points * atoms)]
    elif shape == "one modulus":
        return sign_features(source, earlier)
    else:
        values = [v for _ in range(points) for v in [source.rational(-WIDEST, WIDEST)] * atoms]
    return fmpq_mat(points, atoms, values)


def sign_features(source: Any, earlier: Any) -> fmpq_mat:
    """Features of one modulus with free signs: the largest variance, and laws of few values."""
    modulus = source.choice((WIDEST, source.rational(fmpq(0), WIDEST)))
    size = earlier["N"] * earlier["K"]
    signs = [source.choice((1, -1)) for _ in range(size)]
    return fmpq_mat(earlier["N"], earlier["K"], [side * modulus for side in signs])


def _sequence(source: Any, earlier: Any) -> tuple[int, ...]:
    """Which point each round meets; a repeated first point and a new last one are common."""
    rounds, points = earlier["T"], earlier["N"]
    if source.choice((True, False)) or rounds > LONG:
        return (0,) * (rounds - 1) + (points - 1,)
    return tuple(source.integer(0, points - 1) for _ in range(rounds))


def _labels(source: Any, earlier: Any) -> tuple[fmpq, ...]:
    """Labels in [-1, 1]: free, or one label throughout."""
    rounds = earlier["T"]
    if source.choice((True, False)) or rounds > LONG:
        return (source.choice((fmpq(1), source.rational(fmpq(-1), fmpq(1)))),) * rounds
    return tuple(source.rational(fmpq(-1), fmpq(1)) for _ in range(rounds))


def _law(source: Any, earlier: Any) -> tuple[fmpq, ...]:
    """The law of the features: uniform, or any weights (some atoms may be null)."""
    if source.choice((True, False)):
        return (fmpq(1, earlier["K"]),) * earlier["K"]
    return Weights("K", zeros=True).build(source, earlier)


def feature_space(points: int = 2, atoms: int = 2) -> Space:
    """N points with values of K features, and the law mu of the features (atoms may be null)."""
    return Space(
        N=Integer(1, searched=points), K=Integer(1, searched=atoms),
        mu=Custom(_law, Weights("K", zeros=True)),
        psi=Custom(_features, FEATURES)
    )  # fmt: skip


def combinations(points: int = 2, atoms: int = 2, scale: int = 4) -> Space:
    """A function f = sum_i alpha_i Phi(x_i), a further point x, and a number m of draws."""
    return feature_space(points, atoms).and_fields(
        alpha=Vector("N", searched=(-scale, scale)), x=Vector("K", -WIDEST, WIDEST)
    )


def runs(rounds: int = 4, points: int = 2, atoms: int = 2) -> Space:
    """What Algorithm 1 meets: T rounds, the points and labels of each; the last round is t = T."""
    return feature_space(points, atoms).and_fields(
        T=Integer(1, searched=rounds), sequence=Custom(_sequence, Tuples("T", Index("N"))),
        y=Custom(_labels, LABELS)
    )


def one_point(rounds: int, B: Any, *, feature: Any = "9/10", label: Any = 1, **more: Any) -> Any:
    """A noise-free world of any length: one feature, one point met in every round, one label.

    All coefficients have one sign while the labels do, so every estimate is exact for every m.
    """
    return {
        "N": 1, "K": 1, "mu": (fmpq(1),), "psi": fmpq_mat(1, 1, [as_rational(feature, {})]),
        "T": rounds, "sequence": (0,) * rounds, "y": (as_rational(label, {}),) * rounds,
        "B": as_rational(B, {}), **more,
    }  # fmt: skip


AT_LEAST_ONE = Real(1, None)
POSITIVE = Real(0, None)


@dataclass(frozen=True)
class Picks(Draw):
    """The draws of Algorithm 2: indices i_1..i_m from |alpha| / ||alpha||_1, features from mu."""

    over: str = "the draws of (i, w)"
    names = ("i", "w")

    def count(self, look: Callable[[str], Any]) -> float:
        support = sum(1 for a in look("alpha") if a) * sum(1 for weight in look("mu") if weight)
        return max(support, 1) ** int(look("m"))

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        for chance, picks in pick_law(look("alpha"), look("mu"), int(look("m"))):
            yield chance, {"i": tuple(i for i, _ in picks), "w": tuple(w for _, w in picks)}


@dataclass(frozen=True)
class LawDraw(Draw):
    """A draw whose outcomes are a law that is computed as a whole, unless it is too long."""

    def _law(self, look: Callable[[str], Any]) -> Any:
        """One item for each outcome. Raises: Undecided if there are too many."""
        raise NotImplementedError

    def count(self, look: Callable[[str], Any]) -> float:
        try:
            return len(self._law(look))
        except Undecided:
            return float("inf")


@dataclass(frozen=True)
class Estimates(LawDraw):
    """Algorithm 2's output for given alpha, points psi, test point x and m draws."""

    over: str = "the draws of (i, w)"
    names = ("estimate",)

    def _law(self, look: Callable[[str], Any]) -> list[tuple[Any, Any]]:
        psi = look("psi")
        rows = [row(psi, i) for i in range(psi.nrows())]
        return estimate_law(look("alpha"), rows, look("x"), look("mu"), int(look("m")))

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        for chance, value in self._law(look):
            yield chance, {"estimate": value}

    def sample(self, look: Callable[[str], Any], rng: Any, size: int) -> dict[str, Any]:
        """One round of the simulator per draw: alpha enters through a multinomial."""
        import numpy

        from boundcheck.worlds.space import float_value

        alpha, mu, psi, x = (float_value(look(name)) for name in ("alpha", "mu", "psi", "x"))
        values = (numpy.sign(alpha)[:, None] * psi * x).ravel()
        total = numpy.abs(alpha).sum()
        if total == 0:
            return {"estimate": numpy.zeros(size)}
        counts = rng.multinomial(int(look("m")), (numpy.abs(alpha)[:, None] * mu).ravel() / total,
                                 size=size)  # fmt: skip
        return {"estimate": total * (counts @ values) / int(look("m"))}


@dataclass(frozen=True)
class Run(LawDraw):
    """Algorithm 1 up to round t = T: alpha^(t) and the estimate E_t made from it.

    Args: update: PRINTED or DESCENT, the sign of the coefficient that a round appends.
    """

    update: int = PRINTED
    over: str = "the draws of Algorithms 1 and 2"
    names = ("alpha", "estimate")

    def _law(self, look: Callable[[str], Any]) -> list[Any]:
        fields = ("psi", "sequence", "y", "mu", "B", "eta", "m")
        return round_laws(*(look(name) for name in fields), self.update)[-1]

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        for chance, alpha, value in self._law(look):
            yield chance, {"alpha": alpha, "estimate": value}


@dataclass(frozen=True)
class Pass(LawDraw):
    """Algorithm 1 up to round t = T in the form of the analysis: f_t (its values on the features)
    and E_t. Long passes are simulated.

    Args: update: PRINTED or DESCENT, the sign of the coefficient that a round appends.
    """

    update: int = PRINTED
    over: str = "the draws of Algorithms 1 and 2"
    names = ("f", "estimate")

    def _law(self, look: Callable[[str], Any]) -> list[tuple[Any, ...]]:
        return last_law(look, self.update)

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
        for chance, f, _, value in self._law(look):
            yield chance, {"f": f, "estimate": value}

    def sample(self, look: Callable[[str], Any], rng: Any, size: int) -> dict[str, Any]:
        from boundcheck.worlds.space import float_value

        world = {name: float_value(look(name)) for name in RUN_FIELDS}
        found = simulate(**world, runs=size, rng=rng, update=self.update)
        return {"f": found["functions"], "estimate": found["estimates"][:, -1]}


RUN_FIELDS = ("psi", "sequence", "y", "mu", "B", "eta", "m")


def last_law(look: Callable[[str], Any], update: int) -> list[tuple[Any, ...]]:
    """Law of (f_T, ||alpha^(T)||_1, E_T)."""
    return pass_laws(*(look(name) for name in RUN_FIELDS), update)[-1]


PRINTED_PASS, DESCENT_PASS = Pass(PRINTED), Pass(DESCENT)
PRINTED_RUN, DESCENT_RUN = Run(PRINTED), Run(DESCENT)
assert LAW_LIMIT <= 700  # the quick budget enumerates every law that is small enough


def product_of_given(alpha: Any, psi: Any, x: Any, mu: Any) -> Any:
    """<f, Phi(x)> for f = sum_i alpha_i Phi(x_i)."""
    f = combination(alpha, [row(psi, i) for i in range(psi.nrows())])
    return sum((a * b * c for a, b, c in zip(f, x, mu, strict=True)), fmpq(0))


def function_in_round(alpha: Any, psi: Any, sequence: Any) -> tuple[Any, ...]:
    """f_t = sum_i alpha_i^(t) Phi(x_i) as its values on the features."""
    return combination(alpha, [row(psi, index) for index in sequence])


def product_in_round(alpha: Any, psi: Any, sequence: Any, mu: Any) -> Any:
    """<f_t, Phi(x_t)> in the last round of the world."""
    f = function_in_round(alpha, psi, sequence)
    return inner(f, row(psi, sequence[-1]), mu)


def theorem_step(B: Any, T: Any) -> Any:
    """eta = B / sqrt(T)."""
    return B / square_root(T)


def regret_of(update: int) -> Callable[..., Any]:
    """Expected regret of Algorithm 1 against the ball of radius B, exact or in balls."""

    def measured(psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any) -> Any:
        run = Masses(psi, sequence, y, mu, B, eta, m, update)
        return expected_regret(run, best_in_ball(psi, sequence, y, mu, B))

    return measured


def point_of(psi: Any, sequence: Any) -> tuple[Any, ...]:
    """Phi(x_t), t the last round."""
    return row(psi, sequence[-1])


def _shift(f: Any, psi: Any, sequence: Any, step: Any) -> Any:
    return f + step[..., None] * psi[sequence[-1]]


@quantity(
    estimator=lambda f, estimate, psi, sequence, y, eta: _shift(
        f, psi, sequence, -eta * (estimate - y[-1])
    )
)
def gradient_step(f: Any, estimate: Any, psi: Any, sequence: Any, y: Any, eta: Any) -> Any:
    """f_t - eta (E_t - y_t) Phi(x_t)."""
    point = point_of(psi, sequence)
    return tuple(a - eta * (estimate - y[-1]) * b for a, b in zip(f, point, strict=True))


def next_function(update: int) -> Paired:
    """f_{t+1} from f_t and E_t by the branch of Algorithm 1."""

    def sampled(f: Any, estimate: Any, psi: Any, sequence: Any, y: Any, B: Any, eta: Any) -> Any:
        import numpy

        small = numpy.abs(estimate) < 16 * B
        moved = _shift(f, psi, sequence, update * eta * (y[-1] - estimate))
        return numpy.where(small[..., None], moved, f / 4)

    @quantity(estimator=sampled)
    def following(f: Any, estimate: Any, psi: Any, sequence: Any, y: Any, B: Any, eta: Any) -> Any:
        """f_{t+1}."""
        if sign(abs(estimate) - 16 * B) >= 0:
            return tuple(a / 4 for a in f)
        step = update * eta * (y[-1] - estimate)
        return tuple(a + step * b for a, b in zip(f, point_of(psi, sequence), strict=True))

    return following


@quantity(estimator=lambda f, f_star, mu: ((f - f_star) ** 2 * mu).sum(axis=-1))
def squared_distance(f: Any, f_star: Any, mu: Any) -> Any:
    """||f - f*||^2."""
    gap = tuple(a - b for a, b in zip(f, f_star, strict=True))
    return inner(gap, gap, mu)


@quantity(estimator=lambda f, mu: ((f**2 * mu).sum(axis=-1)) ** 0.5)
@facts("nonnegative")
def norm_of(f: Any, mu: Any) -> Any:
    """||f||."""
    return square_root(inner(f, f, mu))


@quantity(estimator=lambda f, psi, sequence, mu: (f * psi[sequence[-1]] * mu).sum(axis=-1))
def product_of_pass(f: Any, psi: Any, sequence: Any, mu: Any) -> Any:
    """<f_t, Phi(x_t)>, t the last round."""
    return inner(f, point_of(psi, sequence), mu)


def comparator(direction: Any, B: Any) -> tuple[Any, ...]:
    """A function f* of norm at most B: its weights in units of B."""
    return tuple(B * value for value in direction)


def proof_step(B: Any, T: Any) -> Any:
    """eta = B / (2 sqrt(T))."""
    return B / (2 * square_root(T))


def proof_samples(B: Any, T: Any, eta: Any) -> Any:
    """m = ((16 B + 1) B)^2 T log(gamma), gamma = max(((16 B + 1) eta T + B)^2 / eta^2, e), up."""
    gamma = ((16 * B + 1) * T + B / eta) ** 2  # above e, as B >= 1 and T >= 1
    return -floor_of(-(((16 * B + 1) * B) ** 2) * T * logarithm(gamma))


def enough_samples(B: int, T: int) -> int:
    """A whole number above the m of the proof at whole B and T, for either step.

    (16 B + 1)^2 <= 289 B^2, and gamma is at most the square of 18 B T.
    """
    return 2 * 289 * B**4 * T * (18 * B * T).bit_length()


def floor_of(value: Any) -> int:
    """Integer part of a ball or a rational.

    Raises: Undecided if the ball contains an integer.
    """
    from sympy import floor

    return FUNCTIONS[floor](value)


def penalties_of(update: int) -> Callable[..., Any]:
    """sum_{t <= T} P_t(f*), f^_t as in Lemma 1; no step comes before round 1, so P_1 = 0."""

    def measured(
        psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, f_star: Any
    ) -> Any:
        total, following = fmpq(0), next_function(update)
        laws = pass_laws(psi, sequence, y, mu, B, eta, m, update)
        for index, label, law in zip(sequence[:-1], y, laws, strict=False):
            for chance, f, _, value in law:
                here = (f, value, psi, (index,), (label,))
                after = squared_distance(following(*here, B, eta), f_star, mu)
                step = squared_distance(gradient_step(*here, eta), f_star, mu)
                total += chance * int(sign(after - step) > 0)
        return total

    return measured


def largest_norm_of(update: int) -> Callable[..., Any]:
    """max over sample paths and t <= T of ||f_t||: the least B_T."""

    def measured(psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any) -> Any:
        laws = pass_laws(psi, sequence, y, mu, B, eta, m, update)
        squares = [inner(f, f, mu) for law in laws for _, f, _, _ in law]
        return square_root(FUNCTIONS[Max](*squares))

    return measured


def regret_against(update: int) -> Callable[..., Any]:
    """Expected regret of Algorithm 1 against f*."""

    def measured(
        psi: Any, sequence: Any, y: Any, mu: Any, B: Any, eta: Any, m: Any, loss_star: Any
    ) -> Any:
        return expected_regret(Masses(psi, sequence, y, mu, B, eta, m, update), loss_star)

    return measured
