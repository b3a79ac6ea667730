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
from sympy import symbols

from boundcheck import Source
from boundcheck.errors import Undecided
from boundcheck.exact import FUNCTIONS, logarithm, square_root
from boundcheck.quantities.online import combination, estimate_law, row
from boundcheck.quantities.online_comparators import best_in_ball
from boundcheck.quantities.online_laws import Masses, expected_regret
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

T, B, eta, m, delta, epsilon, rho = symbols("T B eta m delta epsilon rho", real=True)
estimate, product, regret = symbols("estimate product regret", real=True)

LONG = 6  # longer runs repeat one point and label: their exact laws stay small
WIDEST = fmpq(999_999, 1_000_000)  # feature values lie strictly inside (-1, 1)


FEATURES = Matrix("N", "K", -WIDEST, WIDEST)
LABELS = Vector("T", -1, 1)


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


RUN_FIELDS = ("psi", "sequence", "y", "mu", "B", "eta", "m")


def product_of_given(alpha: Any, psi: Any, x: Any, mu: Any) -> Any:
    """<f, Phi(x)> for f = sum_i alpha_i Phi(x_i)."""
    f = combination(alpha, [row(psi, i) for i in range(psi.nrows())])
    return sum((a * b * c for a, b, c in zip(f, x, mu, strict=True)), fmpq(0))


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
