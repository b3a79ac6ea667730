"""Livni, Carmon, Globerson 2017: online learning of infinite layer networks without kernel values.

Worlds: points with feature values psi (N x K) strictly inside (-1, 1), a law mu on the K features,
rounds t = 1..T that meet the points of `sequence` with labels y in [-1, 1]. Sequences are fixed
before the run (an oblivious adversary); statements about every sample path hold against adaptive
ones too. L2(Omega, mu) is R^K with the mu-weighted inner product.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat
from sympy import symbols

from boundcheck import Source
from boundcheck.errors import Undecided
from boundcheck.quantities.online import (
    DESCENT,
    LAW_LIMIT,
    PRINTED,
    Masses,
    best_in_ball,
    combination,
    estimate_law,
    expected_regret,
    inner,
    pick_law,
    round_laws,
    row,
    simulate,
)
from boundcheck.exact import square_root
from boundcheck.worlds import Custom, Draw, Integer, Real, Space, Vector, Weights
from boundcheck.worlds.fields import as_rational

NOTES = Source(
    "Livni, Carmon, Globerson", 2017, "Learning infinite layer networks without the kernel trick",
    "ICML",
)  # fmt: skip

T, t, B, B_T, eta, m, delta, epsilon, rho = symbols("T t B B_T eta m delta epsilon rho", real=True)
alpha_norm, estimate, product, loss = symbols("alpha_norm estimate product loss", real=True)
appended, label, new_loss, regret = symbols("appended label new_loss regret", real=True)

WIDEST = fmpq(999_999, 1_000_000)  # feature values lie strictly inside (-1, 1)


def _features(source: Any, earlier: Any) -> fmpq_mat:
    """Feature values: free, of one modulus with free signs, or one value per point."""
    points, atoms = earlier["N"], earlier["K"]
    shape = source.choice(("free", "one modulus", "one value per point"))
    if shape == "free":
        values = [source.rational(-WIDEST, WIDEST) for _ in range(points * atoms)]
    elif shape == "one modulus":
        modulus = source.rational(fmpq(0), WIDEST)
        values = [source.choice((1, -1)) * modulus for _ in range(points * atoms)]
    else:
        values = [v for _ in range(points) for v in [source.rational(-WIDEST, WIDEST)] * atoms]
    return fmpq_mat(points, atoms, values)


def _sequence(source: Any, earlier: Any) -> tuple[int, ...]:
    """Which point each round meets; a repeated first point and a new last one are common."""
    rounds, points = earlier["T"], earlier["N"]
    if source.choice((True, False)):
        return (0,) * (rounds - 1) + (points - 1,)
    return tuple(source.integer(0, points - 1) for _ in range(rounds))


def _labels(source: Any, earlier: Any) -> tuple[fmpq, ...]:
    """Labels in [-1, 1]: free, or one label throughout."""
    rounds = earlier["T"]
    if source.choice((True, False)):
        return (source.rational(fmpq(-1), fmpq(1)),) * rounds
    return tuple(source.rational(fmpq(-1), fmpq(1)) for _ in range(rounds))


def feature_space(points: int = 2, atoms: int = 2) -> Space:
    """N points with values of K features, and the law mu of the features (atoms may be null)."""
    return Space(
        N=Integer(1, points), K=Integer(1, atoms), mu=Weights("K", zeros=True),
        psi=Custom(_features),
    )  # fmt: skip


def combinations(points: int = 2, atoms: int = 2, scale: int = 4) -> Space:
    """A function f = sum_i alpha_i Phi(x_i), a further point x, and a number m of draws."""
    return feature_space(points, atoms).and_fields(
        alpha=Vector("N", -scale, scale), x=Vector("K", -WIDEST, WIDEST)
    )


def runs(rounds: int = 4, points: int = 2, atoms: int = 2) -> Space:
    """What Algorithm 1 meets: T rounds, the points and labels of each; the last round is t = T."""
    return feature_space(points, atoms).and_fields(
        T=Integer(1, rounds), sequence=Custom(_sequence), y=Custom(_labels)
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
class Estimates(Draw):
    """Algorithm 2's output for given alpha, points psi, test point x and m draws."""

    over: str = "the draws of (i, w)"
    names = ("estimate",)

    def _law(self, look: Callable[[str], Any]) -> list[tuple[Any, Any]]:
        psi = look("psi")
        rows = [row(psi, i) for i in range(psi.nrows())]
        return estimate_law(look("alpha"), rows, look("x"), look("mu"), int(look("m")))

    def count(self, look: Callable[[str], Any]) -> float:
        try:
            return len(self._law(look))
        except Undecided:
            return float("inf")

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
class Run(Draw):
    """Algorithm 1 up to round t = T: alpha^(t) and the estimate E_t made from it.

    Args: update: PRINTED or DESCENT, the sign of the coefficient that a round appends.
    """

    update: int = PRINTED
    over: str = "the draws of Algorithms 1 and 2"
    names = ("alpha", "estimate")

    def _law(self, look: Callable[[str], Any]) -> list[Any]:
        fields = ("psi", "sequence", "y", "mu", "B", "eta", "m")
        return round_laws(*(look(name) for name in fields), self.update)[-1]

    def count(self, look: Callable[[str], Any]) -> float:
        try:
            return len(self._law(look))
        except Undecided:
            return float("inf")

    def outcomes(self, look: Callable[[str], Any]) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        for chance, alpha, value in self._law(look):
            yield chance, {"alpha": alpha, "estimate": value}


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
