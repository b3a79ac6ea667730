"""Random features beside their kernel, and ridge regression with either.

m points occur with law rho, N features with law tau; psi[x, v] is the feature v at the point x, and
the kernel is kappa(x, x') = E_v psi(x; v) psi(x'; v). A training set X is a sequence of n points, a
draw V a sequence of s features: both are sequences of indices. `fixed` is a given training set with
any targets, `drawn` one of independent points whose targets belong to the points; with `_features`
in terms of the features drawn. In `fixed_draw` and `drawn_points` the features are given too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy
from flint import fmpq_mat

from boundcheck.expressions import (
    average,
    block,
    define,
    diagonal,
    form,
    identity,
    index,
    inner,
    largest_eigenvalue,
    largest_entry,
    mean,
    named,
    outcome,
    outer,
    parameter,
    pick,
    row,
    total,
    world,
)
from boundcheck.expressions.symbols import Known
from boundcheck.worlds import (
    Counts,
    Custom,
    Index,
    Indices,
    Integer,
    Matrix,
    Real,
    Tuples,
    Vector,
    Weights,
)
from boundcheck.worlds.sources import Coordinates


def _graded(source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
    """Features of several sizes in one design: free, or of a common size in (0, 2]."""
    rows, cols = earlier["m"], earlier["N"]
    if source.choice(("free", "graded", "graded")) == "free":
        return Matrix(rows, cols, searched=(-2, 2)).build(source, earlier)
    small = Real(0, 2, log=True).build(source, earlier)
    values: list[Any] = [source.choice((small, 2, -small, -2)) for _ in range(rows * cols)]
    return fmpq_mat(rows, cols, values)


def _places(length: str, size: str) -> Custom:
    """Indices below a size: each in turn, or free."""

    def build(source: Coordinates, earlier: Mapping[str, Any]) -> tuple[int, ...]:
        long, atoms = earlier[length], earlier[size]
        if source.choice(("in turn", "free")) == "in turn":
            return tuple(i % atoms for i in range(long))
        return tuple(source.integer(0, atoms - 1) for _ in range(long))

    return Custom(build, Tuples(length, Index(size)))


def _signs(source: Coordinates, earlier: Mapping[str, Any]) -> fmpq_mat:
    rows, cols = earlier["m"], earlier["N"]
    return fmpq_mat(rows, cols, [source.choice((1, -1)) for _ in range(rows * cols)])


def _is_sign_table(value: Any, world: Mapping[str, Any]) -> bool:
    return Matrix("m", "N").admits(value, world) and all(abs(v) == 1 for v in value.entries())


sign_table = Custom(_signs, _is_sign_table)  # values of features with psi^2 = 1
POSITIVE = Real(0, None, open_low=True)
m = world("m", Integer(1, searched=3), says="Number of points that occur.")
N = world("N", Integer(1, searched=3), says="Number of features that occur.")
rho = world("rho", Weights(m), says="Law of the points.")
tau = world("tau", Weights(N), says="Law of the features.")
psi = world(
    "psi", Custom(_graded, Matrix("m", "N")), rank=2, needs=(m, N), units={"feature": 1},
    latex=r"\psi", says="Value of each feature (column) at each point (row).",
)  # fmt: skip
s = parameter("s", Integer(1, searched=3, small=True), says="Number of drawn features.")
b = parameter("b", POSITIVE, units={"feature": 2}, says="Bound on psi^2.")
ridge = parameter("lambda", POSITIVE, units={"feature": 2}, says="Ridge parameter.")
delta = parameter(
    "delta", Real(0, 1, open_low=True, open_high=True, ends=True), says="Failure probability."
)
V = outcome(
    "V", Indices("V", tau, s, over="the features"), latex=r"\mathcal{V}_s", says="Drawn features."
)
# The drawn kernel depends on how often each feature comes up, which has fewer outcomes than V.
times = outcome(
    "times", Counts("times", tau, s), latex=r"\mathcal{V}_s", says="How often each is drawn."
)
x, v = index("x", m, latex="x'"), index("v", N)
kappa = named("kappa", psi * diagonal(tau) * psi.T, r"\kappa")
kappa_ = named("kappa~", psi * diagonal(times) * psi.T / s, r"\tilde{\kappa}")
peak = define(
    "peak", largest_entry(psi) ** 2, latex=r"\max_{x,v}\psi^2(x;v)", says="Largest psi(x; v)^2."
)
targets = world("targets", Vector(m, searched=(-2, 2)), units={"target": 1}, says="Target of each.")


def E_features(variable: sympy.Expr) -> sympy.Expr:
    """Expectation over the drawn features, of what depends on their kernel."""
    return average(variable, times)


def E_feature(variable: sympy.Expr) -> sympy.Expr:
    """Expectation over one feature v."""
    return mean(variable, v, tau)


def E_test(variable: sympy.Expr) -> sympy.Expr:
    """Expectation over a test point x of the law of the points."""
    return mean(variable, x, rho)



class Regression:
    """Ridge regression with the kernel and with drawn features, on one training set.

    A name that ends in _ is that of the drawn features.

    Args: n: number of training points; X: their indices; y: their targets; ridge: the parameter.
    """

    def __init__(self, n: Known, X: Known, y: sympy.Expr, ridge: Known = ridge) -> None:
        self.n, self.X, self.y = n, X, y
        self.i, self.j = index("i", n), index("j", n)
        self.I = identity(n)
        self.K = named("K", block(kappa, X, X))
        self.R = (self.K + n * ridge * self.I) ** -1
        self.alpha = self.R * y
        self.norm = define(
            "norm", form(self.K, self.alpha),
            latex=r"\left\|K^{1/2}(K+n\lambda I_n)^{-1}y\right\|_2^2",
            says="||K^(1/2) (K + n lambda I)^-1 y||^2.",
        )  # fmt: skip
        self.K_ = named("K~", self._drawn_kernel(), r"\tilde{K}")
        self.R_ = (self.K_ + n * ridge * self.I) ** -1

    def _drawn_kernel(self) -> sympy.Expr:
        return block(kappa_, self.X, self.X)

    def k(self, x: sympy.Expr) -> sympy.Expr:
        """k', the kernel between the training points and a point."""
        return named(f"k({x})", pick(row(kappa, x), self.X), "k'")

    def k_(self, x: sympy.Expr) -> sympy.Expr:
        """k~', the same from the drawn features."""
        return named(f"k~({x})", pick(row(kappa_, x), self.X), r"\tilde{k}'")

    def f(self, x: sympy.Expr) -> sympy.Expr:
        """Prediction of kernel ridge regression at a point."""
        shown = rf"f_\lambda({sympy.latex(x)})"
        return named(f"f({x})", inner(self.k(x), self.R * self.y), shown)

    def f_(self, x: sympy.Expr) -> sympy.Expr:
        """Prediction of ridge regression on the drawn features at a point."""
        shown = rf"\tilde{{f}}_\lambda({sympy.latex(x)})"
        return named(f"f~({x})", inner(self.k_(x), self.R_ * self.y), shown)

    def E_training(self, variable: Callable[[sympy.Expr], sympy.Expr]) -> sympy.Expr:
        """Expectation of a function of a test point that is uniform on the training set."""
        return total(variable(self.X[self.i]), self.i) / self.n


class FeatureRegression(Regression):
    """The same in terms of the feature matrix Psi (n x s) of the draw.

    Args: V: indices of the s features.
    """

    def __init__(self, n: Known, X: Known, y: sympy.Expr, V: Known = V, s: sympy.Expr = s) -> None:
        self.V, self.s = V, s
        self.Psi = named("Psi", block(psi, X, V) / sympy.sqrt(s), r"\Psi")
        super().__init__(n, X, y)
        self.Xi = named("Xi", E_test(outer(self.psi(x), self.psi(x))), r"\Xi")
        self.moment = named("moment", self.Psi.T * self.Psi / n, r"\frac{1}{n}\Psi^\top\Psi")
        self.excess = named(
            "excess", largest_eigenvalue(self.Xi - self.moment),
            r"\lambda_{\max}(\Xi-\frac{1}{n}\Psi^\top\Psi)",
        )  # fmt: skip

    def _drawn_kernel(self) -> sympy.Expr:
        return self.Psi * self.Psi.T

    def column(self, v: sympy.Expr) -> sympy.Expr:
        """The column of Psi that a feature v makes."""
        return named("column", pick(row(psi.T, v), self.X) / sympy.sqrt(self.s), r"\psi_{:p}")

    def psi(self, x: sympy.Expr) -> sympy.Expr:
        """The feature vector of a point."""
        shown = rf"\psi({sympy.latex(x)};\mathcal{{V}}_s)"
        return named(f"psi({x}; V)", pick(row(psi, x), self.V) / sympy.sqrt(self.s), shown)

    def k_(self, x: sympy.Expr) -> sympy.Expr:
        """k~' = Psi psi(x')."""
        return named(f"k~({x})", self.Psi * self.psi(x), r"\tilde{k}'")


_n = world("n", Integer(1, searched=3), says="Number of training points.")
_X = world("X", _places("n", "m"), rank=1, needs=(_n, m), says="The training points.")
_y = world("y", Vector(_n, searched=(-2, 2)), units={"target": 1}, says="Their targets.")
_s = world("s", Integer(1, searched=3), says="Number of given features.")
_V = world("V", _places("s", "N"), rank=1, needs=(_s, N), says="The given features.")
test = world("test", Index(m), latex="x'", rank=0, says="The test point.")
fixed = Regression(_n, _X, _y)
fixed_features = FeatureRegression(_n, _X, _y)
fixed_draw = FeatureRegression(_n, _X, _y, _V, _s)

_n = parameter("n", Integer(1, searched=3, small=True), says="Number of training points.")
_X = outcome(
    "X", Indices("X", rho, _n, over="the training set"), latex=r"\mathcal{X}_n",
    says="The training points.",
)  # fmt: skip
drawn = Regression(_n, _X, pick(targets, _X))
drawn_features = FeatureRegression(_n, _X, pick(targets, _X))
drawn_points = FeatureRegression(_n, _X, pick(targets, _X), _V, _s)
