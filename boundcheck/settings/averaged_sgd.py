"""Classification by averaged SGD with random features: populations, minimisers, runs, constants.

n points with weights rho and label probabilities eta, K features phi with weights tau, M of them
drawn; k is the kernel of all features, k_M that of the drawn ones. A function is the vector of its
values on the points or, as `combination(kernel, a)`, given by coefficients. Losses are those of
`margin_losses`.
"""

from __future__ import annotations

from typing import Any

import sympy
from flint import fmpq
from sympy import Abs, sqrt

from boundcheck.errors import Undefined
from boundcheck.expressions import (
    at,
    define,
    diagonal,
    form,
    greatest,
    index,
    indicator,
    least,
    named,
    outcome,
    parameter,
    table,
    total,
    world,
)
from boundcheck.expressions.symbols import Known
from boundcheck.quantities import minimisers, operators
from boundcheck.quantities.feature_operators import integral_norm
from boundcheck.settings.margin_losses import Listed, MarginLoss, kind, loss
from boundcheck.worlds import (
    Choice,
    Counts,
    Derived,
    Gram,
    Integer,
    Matrix,
    Probabilities,
    Real,
    Vector,
    Weights,
)

n = world("n", Integer(1, searched=3), says="Number of points.")
K = world("K", Integer(1, searched=3), says="Number of features.")
rho = world("rho", Weights(n), says="Law of the points.")
tau = world("tau", Weights(K), says="Law of the features.")
phi = world(
    "phi", Matrix(n, K, searched=(-1, 1)), units={"feature": 1}, says="Features on the points."
)
gram = world(
    "gram", Gram(n), units={"feature": 2}, facts=("positive semi-definite",), latex="k",
    says="A kernel on the points, of any rank.",
)  # fmt: skip
eta = world("eta", Probabilities(n), says="Probability of label 1 at each point.")
i, j, k_th = index("i", n), index("j", n), index("k", K)

POSITIVE = Real(0, None, open_low=True)
M = parameter("M", Integer(1, searched=6), says="Number of drawn features.")
lam = parameter(
    "lambda", Real(0, None, open_low=True), units={"loss": 1, "value": -2, "feature": 2},
    says="Regularisation.",
)  # fmt: skip
R = parameter("R", Real(0, None), units={"feature": 1}, says="Bound of the features.")
delta = parameter(
    "delta", Real(0, 1, open_low=True), says="Probability of failure, or margin of the noise."
)
delta_prime = parameter(
    "delta_prime", Real(0, "1/2", open_low=True, open_high=True), latex=r"\delta'"
)
p = parameter("p", Real(0, 1, open_high=True), says="Exponent of the interpolation condition.")
gamma = parameter("gamma", Real(None, None), says="Offset of the time index.")
T = parameter("T", Integer(1, searched=60), says="Number of steps.")
t = parameter("t", Integer(1, wide=True, searched=10**9), says="A later number of steps.")
epsilon = parameter("epsilon", Real(0, None, open_low=True), units={"value": 1})
xi = parameter(
    "xi", Real(0, None, open_low=True), units={"feature": 1},
    says="Distance in L2 of functions of unit norm in H and in H_M.",
)  # fmt: skip
counts = outcome("counts", Counts("counts", tau, M), says="How often each feature is drawn.")

D = diagonal(rho)
k = phi * diagonal(tau) * phi.T
k_M = phi * diagonal(counts / M) * phi.T
BOUNDED = [R > 0, greatest(Abs(phi[i, k_th]), i, k_th) <= R]


def function(name: str, size: Known = n, span: int = 2) -> Known:
    """Any function on the points by its values, or any coefficients."""
    return world(name, Vector(size, searched=(-span, span)), units={"value": 1})


def constant(name: str, *, latex: str = "", **units: int) -> Known:
    """A positive number that a statement speaks of, with its units."""
    return parameter(name, POSITIVE, units=units, latex=latex)


def expected_loss(g: sympy.Expr, loss: MarginLoss = loss) -> sympy.Expr:
    """L(g) = E phi(Y g(X))."""
    return total(rho[i] * loss.conditional_risk(eta[i], at(g, i)), i)


def classification_error(g: sympy.Expr) -> sympy.Expr:
    """R(g) = P(sgn g(X) != Y), sgn(0) = -1."""
    wrong = eta[i] * indicator(at(g, i) <= 0) + (1 - eta[i]) * indicator(at(g, i) > 0)
    return total(rho[i] * wrong, i)


def l1_norm(f: sympy.Expr) -> sympy.Expr:
    """int |f| d rho."""
    return total(rho[i] * Abs(at(f, i)), i)


def l2_norm(f: sympy.Expr) -> sympy.Expr:
    """Norm of f in L2(rho)."""
    return sqrt(total(rho[i] * at(f, i) ** 2, i))


def supremum(f: sympy.Expr) -> sympy.Expr:
    """Largest |f| on the points; of weights above zero, the essential supremum."""
    return greatest(Abs(at(f, i)), i)


def essential_supremum(f: sympy.Expr) -> sympy.Expr:
    """Largest |f| on the points of positive mass."""
    shown = rf"\left\|{sympy.latex(f)}\right\|_{{L^\infty(\rho_X)}}"
    return named(f"sup |{f}|", greatest(Abs(at(f, i)) * indicator(rho[i] > 0), i), shown)


def combination(kernel: sympy.Expr, a: sympy.Expr) -> sympy.Expr:
    """Values of sum_j a_j k(., x_j)."""
    return kernel * a


def rkhs_norm(kernel: sympy.Expr, a: sympy.Expr) -> sympy.Expr:
    """Norm of sum_j a_j k(., x_j)."""
    return sqrt(form(kernel, a))


def covariance_norm(kernel: sympy.Expr) -> sympy.Expr:
    """||T||_op of the integral operator of a kernel on L2(rho)."""
    return integral_norm(kernel, rho)


class Minimiser:
    """The minimiser of E phi(Y g(X)) + lambda / 2 ||g||^2 over the RKHS of a kernel."""

    def __init__(self, kernel: sympy.Expr, loss: Listed = loss) -> None:
        self.kernel = kernel
        self.fit = minimisers.regularised_minimiser(kernel, rho, eta, lam, *loss.of)
        self.values = minimisers.fitted_values(kernel, self.fit)
        self.norm = minimisers.fitted_norm(kernel, self.fit)
        self.coefficients = minimisers.coefficients_of(self.fit)

    def distance(self, a: sympy.Expr) -> sympy.Expr:
        """RKHS distance from sum_j a_j k(., x_j)."""
        return minimisers.distance(self.kernel, self.fit, a)


g_lambda, g_M_lambda = Minimiser(k), Minimiser(k_M)
g_star = table(loss.link(eta[i]), i)


def bayes_norm(kernel: sympy.Expr, loss: Listed = loss) -> sympy.Expr:
    """||g_*|| in the RKHS of a kernel."""
    return minimisers.bayes_norm(kernel, eta, *loss.of)


risk_star = total(rho[i] * loss.least_risk(eta[i]), i)
noise = least(Abs(eta[i] - sympy.Rational(1, 2)), i)
norm_T = define("norm_T", covariance_norm(k), most=R**2, latex=r"\|T\|_{op}")
gap = define(
    "gap", supremum(g_lambda.values - g_M_lambda.values),
    latex=r"\|g_\lambda - g_{M,\lambda}\|_\infty",
)  # fmt: skip
# A constant of sup |f| <= C ||f||^p ||f||_2^(1 - p) on the RKHS of k + k_M for every draw: there
# sup |f| <= sqrt(2) R ||f||, and min rho sup |f|^2 <= ||f||^2 in L2(rho).
interpolation_constant = (2 * R**2) ** (p / 2) * (1 / least(rho[i], i)) ** ((1 - p) / 2)


# Populations whose g_* is unique and, but for a singular kernel, in H: there the loss is the one
# with g_* = 2 eta - 1 and eta is taken so that g_* is in H.
favourite = world("favourite", Choice(("logistic", "logistic", "hinge", "modified huber")))
target = world(
    "target",
    Vector(n, 0, 1, searched=("1/1000000", "999999/1000000"), open_low=True, open_high=True),
)


def _loss_with_rule(favourite: str, phi: Any, tau: Any) -> str:
    return "modified huber" if minimisers.feature_kernel(phi, tau).det() == 0 else favourite


def _reachable(phi: Any, tau: Any, target: Any) -> Any:
    """The target, or for a singular kernel 1/2 + K (target - 1/2) scaled into (0, 1)."""
    kernel = minimisers.feature_kernel(phi, tau)
    if kernel.det() != 0:
        return target
    half = fmpq(1, 2)
    pull = operators.entries(kernel * operators.column([value - half for value in target]))
    top = max(abs(value) for value in pull)
    if top == 0:
        raise Undefined("the RKHS holds no Bayes rule but zero near this target")
    scale = max(abs(value - half) for value in target) / top
    return tuple(half + scale * value for value in pull)


WITH_BAYES_RULE = {
    kind: world("loss", Derived(_loss_with_rule), rank=0, needs=(favourite, phi, tau)),
    eta: world("eta", Derived(_reachable), rank=1, needs=(phi, tau, target)),
}
