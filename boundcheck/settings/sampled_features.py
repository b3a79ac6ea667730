"""Functions on features w of a law mu, and estimates of their scalar products from samples.

N points have the values psi[i, :] of K features, all inside (-1, 1). A function f of L2(mu) is the
vector of its values on the features, <f, g> the sum of f g under mu; Phi(i) is the function of a
point. Algorithm 2 of Livni, Carmon and Globerson (ICML 2017) estimates <f, Phi(x)> for
f = sum_i alpha_i Phi(i) from m draws of an index i and a feature w.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sympy
from flint import fmpq, fmpq_mat
from sympy import Abs, Eq, Expr, Piecewise, sqrt

from boundcheck.errors import Undecided
from boundcheck.expressions import (
    at,
    diagonal,
    index,
    inner as dot,
    named,
    outcome,
    parameter,
    primitive,
    row,
    total,
    world,
)
from boundcheck.expressions.names import Named
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import online, online_comparators
from boundcheck.worlds import Custom, Draw, Index, Integer, Listed, Real, Vector, Weights
from boundcheck.worlds.domains import has_shape
from boundcheck.worlds.sources import Coordinates
from boundcheck.worlds.space import float_value

Look = Callable[[str], Any]
Earlier = Mapping[str, Any]
WIDEST = fmpq(999_999, 1_000_000)  # where search ends; feature values lie strictly inside (-1, 1)


def _law(source: Coordinates, earlier: Earlier) -> tuple[fmpq, ...]:
    """The law of the features: uniform, or any weights (some atoms may be null)."""
    if source.choice((True, False)):
        return (fmpq(1, earlier["K"]),) * earlier["K"]
    return Weights("K", zeros=True).build(source, earlier)


def are_features(value: Any, earlier: Earlier) -> bool:
    """An N x K matrix with |psi| < 1."""
    shaped = has_shape(value, earlier["N"], earlier["K"])
    return shaped and all(abs(v) < 1 for v in value.entries())


def are_sign_features(value: Any, earlier: Earlier) -> bool:
    """Features of one modulus."""
    return are_features(value, earlier) and len({abs(v) for v in value.entries()}) == 1


def _any_features(source: Coordinates, earlier: Earlier) -> fmpq_mat:
    """Feature values: free, of one modulus with free signs, or one value per point."""
    points, atoms = earlier["N"], earlier["K"]
    shape = source.choice(("free", "one modulus", "one value per point"))
    if shape == "free":
        values = [source.rational(-WIDEST, WIDEST) for _ in range(points * atoms)]
    elif shape == "one modulus":
        return _signs(source, earlier)
    else:
        values = [v for _ in range(points) for v in [source.rational(-WIDEST, WIDEST)] * atoms]
    return fmpq_mat(points, atoms, values)


def _signs(source: Coordinates, earlier: Earlier) -> fmpq_mat:
    """Features of one modulus with free signs: the largest variance, and laws of few values."""
    modulus = source.choice((WIDEST, source.rational(fmpq(0), WIDEST)))
    size = earlier["N"] * earlier["K"]
    signs = [source.choice((1, -1)) for _ in range(size)]
    return fmpq_mat(earlier["N"], earlier["K"], [side * modulus for side in signs])


def _short(source: Coordinates, earlier: Earlier) -> fmpq_mat:
    """Features of any size: the shorter they are, the longer a run stays away from its target."""
    return _any_features(source, earlier) / 2 ** source.integer(0, 4)


any_features = Custom(_any_features, are_features)
sign_features = Custom(_signs, are_sign_features)
short_features = Custom(_short, are_features)


@dataclass(frozen=True)
class LawDraw(Draw):
    """A draw whose outcomes are a law that is computed as a whole, unless it is too long."""

    def law(self, look: Look) -> list[tuple[Any, ...]]:
        """One item for each outcome, its probability first. Raises: Undecided if too many."""
        raise NotImplementedError

    def count(self, look: Look) -> float:
        try:
            return len(self.law(look))
        except Undecided:
            return float("inf")

    def outcomes(self, look: Look) -> Iterator[tuple[Any, dict[str, Any]]]:
        for chance, *values in self.law(look):
            yield chance, dict(zip(self.names, values, strict=True))


@dataclass(frozen=True)
class RunDraw(LawDraw):
    """What is seen of a run of Algorithm 1.

    Args: drawn: names of the outcomes. fields: names of what the run reads. update: PRINTED or
    DESCENT.
    """

    drawn: tuple[str, ...]
    fields: tuple[str, ...]
    update: int
    over: str = "the draws of Algorithms 1 and 2"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.drawn


@dataclass(frozen=True)
class Picks(Draw):
    """m independent pairs: i with probability |alpha_i| / ||alpha||_1, w of the law mu.

    For alpha = 0 no index is drawn, and every pair is (0, 0).
    """

    indices: str
    features: str
    alpha: str
    mu: str
    m: str
    over: str = "the draws of (i, w)"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.indices, self.features

    def count(self, look: Look) -> float:
        support = sum(1 for a in look(self.alpha) if a) * sum(1 for p in look(self.mu) if p)
        return max(support, 1) ** int(look(self.m))

    def outcomes(self, look: Look) -> Iterator[tuple[fmpq, dict[str, Any]]]:
        m = int(look(self.m))
        for chance, picks in online.pick_law(look(self.alpha), look(self.mu), m):
            i, w = zip(*(picks or ((0, 0),) * m), strict=True)
            yield chance, {self.indices: i, self.features: w}


@dataclass(frozen=True)
class Estimates(LawDraw):
    """The output of Algorithm 2 for f = sum_i alpha_i Phi(i) at the point x from m draws."""

    estimate: str
    alpha: str
    psi: str
    x: str
    mu: str
    m: str
    over: str = "the draws of (i, w)"

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.estimate,)

    def law(self, look: Look) -> list[tuple[Any, ...]]:
        psi = look(self.psi)
        rows = [online.row(psi, i) for i in range(psi.nrows())]
        return online.estimate_law(
            look(self.alpha), rows, look(self.x), look(self.mu), int(look(self.m))
        )

    def sample(self, look: Look, rng: Any, size: int) -> dict[str, Any]:
        """The values of single draws enter by how often each comes up: one multinomial."""
        import numpy

        given = (self.alpha, self.mu, self.psi, self.x)
        alpha, mu, psi, x = (float_value(look(name)) for name in given)
        values = (numpy.sign(alpha)[:, None] * psi * x).ravel()
        whole, m = numpy.abs(alpha).sum(), int(look(self.m))
        if whole == 0:
            return {self.estimate: numpy.zeros(size)}
        chances = (numpy.abs(alpha)[:, None] * mu).ravel() / whole
        return {self.estimate: whole * (rng.multinomial(m, chances, size=size) @ values) / m}


def _feature_law(mu: tuple[fmpq, ...]) -> list[tuple[fmpq, dict[str, int]]]:
    return [(weight, {"w": w}) for w, weight in enumerate(mu)]


N = world("N", Integer(1, searched=2), says="Number of points.")
K = world("K", Integer(1, searched=2), says="Number of features.")
mu = world(
    "mu", Custom(_law, Weights("K", zeros=True)), rank=1, needs=(K,), latex=r"\mu",
    says="Law of the features.",
)  # fmt: skip
psi = world(
    "psi", any_features, rank=2, needs=(N, K), latex=r"\psi",
    says="Value of each feature (column) at each point (row), inside (-1, 1).",
)  # fmt: skip
alpha = world(
    "alpha", Vector(N, searched=(-4, 4)), latex=r"\alpha", units={"label": 1},
    says="Coefficients of f.",
)  # fmt: skip
x = world(
    "x", Vector(K, -1, 1, searched=(-WIDEST, WIDEST), open_low=True, open_high=True),
    latex=r"\Phi(x)", says="Features of a further point.",
)  # fmt: skip
m = parameter("m", Integer(1, searched=3), says="Number of draws.")
epsilon = parameter(
    "epsilon", Real(0, None, open_low=True), units={"label": 1}, says="Size of a deviation."
)
B = parameter(
    "B", Real(0, None, open_low=True), units={"label": 1}, says="Radius of the ball of functions."
)
eta = parameter("eta", Real(0, None, open_low=True), latex=r"\eta", says="Step size.")
delta = parameter(
    "delta", Real(0, 1, open_low=True, open_high=True), says="Probability of failure."
)
AT_LEAST_ONE = {B: Real(1, None)}  # of the algorithm: B >= 1
i, w, k = index("i", N), index("w", K), index("k", m)
I = outcome("i", Picks("i", "w", alpha, mu, m), says="The indices that are drawn.")
W = outcome("w", Picks("i", "w", alpha, mu, m), says="The features that are drawn.")
E = outcome(
    "estimate", Estimates("estimate", alpha, psi, x, mu, m), rank=0, units={"label": 1},
    latex="E", says="Output of Algorithm 2.",
)  # fmt: skip
feature = outcome(
    "w", Listed(("w",), _feature_law, over="the feature"), rank=0, needs=(mu,),
    says="A feature of the law mu.",
)  # fmt: skip


def function(name: str, span: int = 5) -> Known:
    """Any function of L2(mu)."""
    return world(name, Vector(K, searched=(-span, span)), units={"label": 1})


def point(name: str) -> Known:
    """One of the points."""
    return world(name, Index(N))


def Phi(of: Expr) -> Expr:
    """The function w -> psi(x; w) of a point."""
    return named(f"Phi({of})", row(psi, of), rf"\Phi({sympy.latex(of)})")


def inner(f: Expr, g: Expr) -> Named:
    """<f, g>, the integral of f g under mu."""
    shown = rf"\langle {sympy.latex(f)}, {sympy.latex(g)} \rangle"
    return named(f"<{f}, {g}>", dot(f, diagonal(mu) * g), shown)


def squared_norm(f: Expr) -> Named:
    """||f||^2."""
    return named(f"||{f}||^2", inner(f, f), rf"\left\|{sympy.latex(f)}\right\|^2")


def norm(f: Expr) -> Named:
    """||f||."""
    return named(f"||{f}||", sqrt(inner(f, f)), rf"\left\|{sympy.latex(f)}\right\|")


def l1_norm(a: Expr, each: Known = i) -> Named:
    """||a||_1."""
    body = total(Abs(at(a, each)), each)
    return named(f"||{a}||_1", body, rf"\left\|{sympy.latex(a)}\right\|_1")


f = named("f", psi.T * alpha)
size = l1_norm(alpha)
product = inner(f, x)


def single(draw: Expr) -> Named:
    """E^(k) = sgn(alpha_i) psi(x_i; w) psi(x; w) for the k-th pair that is drawn."""
    body = sympy.sign(alpha[I[draw]]) * psi[I[draw], W[draw]] * x[W[draw]]
    return named(f"E({draw})", body, rf"E^{{({sympy.latex(draw)})}}")


average = total(single(k), k) / m
output = named("E", Piecewise((0, Eq(size, 0)), (size * average, True)))


@primitive(
    facts=("nonnegative",),
    latex=r"\min_{{\langle g, \Phi \rangle = \langle {2}, \Phi \rangle}} \left\|g\right\|",
)
def least_norm(psi: Any, mu: Any, f: Any) -> Any:
    """Norm of the smallest g with <g, Phi(i)> = <f, Phi(i)> at every point."""
    return online_comparators.least_norm(psi, mu, f)


@primitive(facts=("nonnegative", "integer"), rational=True, latex=r"m_{{\min}}({4}, {5})")
def needed_draws(alpha: Any, psi: Any, x: Any, mu: Any, epsilon: Any, delta: Any) -> int:
    """Least m >= 1 for which Algorithm 2 is within epsilon with probability 1 - delta.

    Raises: Undecided where the law of the estimate grows too large.
    """
    near = online.nearness(alpha, psi, x, mu, epsilon)
    return next(count for count, chance in near if chance >= 1 - delta)


def squared_loss(f: Expr, shown: Expr, label: Expr) -> Expr:
    """(1/2) (<f, Phi(x)> - y)^2."""
    return (inner(f, shown) - label) ** 2 / 2
