"""Theorem 3 in letters: what its statement in both forms, its proof and Corollary 1 share.

`Constants` holds the formulas; its letters are parameters of a proof step or quantities of a
population. The Lipschitz constant is L in the conference edition and G in the preprint.
"""

from dataclasses import dataclass, replace

from sympy import Abs, And, Expr, Max, Min, Rational, exp, log, sqrt

from boundcheck.expressions import define, greatest, parameter, world
from boundcheck.settings.averaged_sgd import (
    K,
    M,
    R,
    T,
    bayes_norm,
    constant,
    delta,
    delta_prime,
    eta,
    g_lambda,
    g_M_lambda,
    g_star,
    gamma,
    i,
    interpolation_constant,
    k,
    k_M,
    k_th,
    lam,
    n,
    noise,
    norm_T,
    p,
    phi,
    risk_star,
    rkhs_norm,
    supremum,
    t,
)
from boundcheck.settings.margin_losses import height, kind, loss, stretch
from boundcheck.worlds import Choice, Derived, Integer, Matrix, Real, Vector


@dataclass(frozen=True)
class Constants:
    """Formulas of the theorem; G is the Lipschitz constant, C that of interpolation."""

    G: Expr
    m: Expr
    R: Expr
    norm_star: Expr
    C: Expr
    risk_star: Expr
    norm_T: Expr
    start_gap: Expr

    def accuracies(self, epsilon: Expr) -> list[Expr]:
        """The four terms of xi in Theorem 1 at an accuracy, (100)."""
        G, R, star = self.G, self.R, self.norm_star
        return [
            (epsilon / (2 ** (p + 1) * self.C * star)) ** (1 / (1 - p)),
            lam * epsilon**2 / (2**4 * 3 * R**2 * G * star),
            sqrt(lam**3 * epsilon**4 / (2**7 * 3**2 * R**4 * G**2 * self.risk_star)),
            (lam**3 * epsilon**4 / (2**7 * 3**2 * R**4 * G**3 * star)) ** Rational(1, 3),
        ]

    def printed_accuracies(self) -> list[Expr]:
        """The four terms of (157)."""
        G, R, m, star = self.G, self.R, self.m, self.norm_star
        return [
            (m / (2 ** (p + 3) * self.C * star)) ** (1 / (1 - p)),
            lam * m**2 / (2**8 * 3 * R**2 * G * star),
            sqrt(lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**2 * self.risk_star)),
            (lam**3 * m**4 / (2**15 * 3**2 * R**4 * G**3 * star)) ** Rational(1, 3),
        ]

    def features(self, level: Expr) -> Expr:
        """Right side of (156) at a level in the logarithm."""
        return self.features_for(self.printed_accuracies(), level)

    def accuracy(self, epsilon: Expr) -> Expr:
        """xi of Theorem 1, (100)."""
        return Min(*self.accuracies(epsilon), evaluate=False)

    def features_for(self, accuracies: list[Expr], level: Expr) -> Expr:
        """Right side of (101) for the terms of xi.

        Nothing in it can be compared, and asking SymPy takes half a second.
        """
        ratio = self.R / Min(*accuracies, evaluate=False)
        odds = 2 * self.R**2 / (self.norm_T * level)
        return Max(Rational(8, 3) * ratio**2, 32 * ratio**4, evaluate=False) * log(odds)

    def simplified(self) -> Expr:
        """Right side of (43) without its constant."""
        G, R, m = self.G, self.R, self.m
        base = R**4 * self.C**4 * G**3 * self.norm_star**4 / (lam**3 * m**4)
        return base ** Max(1 / (1 - p), 2) * R**4 * log(R / delta_prime)

    def scale_free(self) -> Expr:
        """32 (R/xi)^4 log(2 R^2 / (||T|| delta')) with three terms of (157) for 1/xi."""
        G, R, m, star = self.G, self.R, self.m, self.norm_star
        ratios = [
            (16 * self.C * R ** (1 - p) * star / m) ** (1 / (1 - p)),
            2**8 * 3 * G * R**3 * star / (lam * m**2),
            sqrt(2**15 * 3**2 * R**6 * G**2 * self.risk_star / (lam**3 * m**4)),
        ]
        odds = 2 * R**2 / (self.norm_T * delta_prime)
        return 32 * Max(*ratios, evaluate=False) ** 4 * log(odds)

    def first(self) -> Expr:
        """First part of the condition on T."""
        return 36 * self.G**2 * self.R**2 / (lam**2 * (2 * gamma + T))

    def second(self) -> Expr:
        """Second part of the condition on T."""
        return gamma * (gamma - 1) * self.start_gap**2 / ((2 * gamma + T) * (T + 1))

    def threshold(self) -> Expr:
        """What both parts must not exceed."""
        return self.m**2 / (64 * self.R**2)

    def exponent(self, time: Expr = t) -> Expr:
        """lambda^2 (2 gamma + t) m^2 / (2^12 9 G^2 R^4)."""
        return lam**2 * (2 * gamma + time) * self.m**2 / (2**12 * 9 * self.G**2 * self.R**4)

    def bound(self) -> Expr:
        """The bound of the theorem on the excess error."""
        return 2 * exp(-self.exponent())

    def radius(self) -> Expr:
        """(2 eta_1 + 1 / lambda) G R, within which g_1 lies."""
        return (2 * eta_1 + 1 / lam) * self.G * self.R


eta_1 = 2 / (lam * (gamma + 1))
POSITIVE = ("G", "m", "R", "norm_star", "C", "risk_star", "norm_T")
SHOWN = {"norm_star": r"\|g_*\|", "risk_star": "L(g_*)", "norm_T": r"\|T\|_{op}"}
FREE = Constants(
    *[constant(name, latex=SHOWN.get(name, "")) for name in POSITIVE],
    parameter("start_gap", Real(0, None), latex=r"\|g_1 - g_{M,\lambda}\|_{H_M}"),
)


def least_noise(eta):
    return min(abs(2 * value - 1) / 2 for value in eta)


def largest(phi):
    return max(abs(value) for value in phi.entries())


def made(name, rule, *needs, rank=0):
    """A field that is computed from others: how search comes to worlds near the hypotheses."""
    return world(name, Derived(rule), rank=rank, needs=needs)


scale = world("scale", Real("1/10000", 1, log=True), says="Scale of the features.")
base = world("base", Matrix(n, K), says="Features at scale one.")
closeness = world("closeness", Real("1/1000", "999/1000"))
looseness = world("looseness", Real(1, 2))
share = world("share", Choice((1, 1, 1, 0)), says="g_1 is this multiple of g_{M,lambda}.")


NARROW = (
    "; populations near the hypotheses, what fails in them fails as printed: logistic or modified "
    "Huber losses of height and stretch in [1/4, 4], label probabilities in [1/1000, 999/1000], no "
    "fewer features than points, R up to twice the largest feature, lambda up to 1/4 and small "
    "against squared features"
)


def population(least="1/100000000", largest_p=1):
    """Populations with smooth losses, delta a margin below that of the labels, R any bound on the
    features, lambda over scales of the kernel."""
    relative = world("relative", Real(least, "1/4", log=True))
    return {
        n: Integer(1, searched=2),
        K: Integer("n", searched=3),
        phi: made("phi", lambda base, scale: base * scale, base, scale, rank=2),
        eta: Vector("n", "1/1000", "999/1000"),
        kind: Choice(("logistic", "modified huber")),
        height: Real("1/4", 4),
        stretch: Real("1/4", 4),
        delta: made("delta", lambda eta, closeness: least_noise(eta) * closeness, eta, closeness),
        R: made("R", lambda phi, looseness: largest(phi) * looseness, phi, looseness),
        lam: made("lambda", lambda scale, relative: scale * scale * relative, scale, relative),
        p: Real(0, largest_p, open_high=True),
        gamma: Real(0, None, log=True, searched=(1, 10**15)),
    }


start = share * g_M_lambda.coefficients
G = define("G", loss.lipschitz, says="Least Lipschitz constant of the loss.")
PREPRINT = Constants(
    G=G,
    m=define("m", loss.margin(delta)),
    R=R,
    norm_star=define("norm_star", bayes_norm(k), latex=r"\|g_*\|"),
    C=define("C", interpolation_constant, latex=r"C(\delta')"),
    risk_star=define("risk_star", risk_star, facts=("nonnegative",), latex=r"L(g_*)"),
    norm_T=norm_T,
    start_gap=define(
        "start_gap", g_M_lambda.distance(start), latex=r"\|g_1 - g_{M,\lambda}\|_{H_M}"
    ),
)
L = define("L", loss.smoothness, says="Least Lipschitz constant of its slope.")
LIPSCHITZ = define("L", loss.lipschitz, says="Least Lipschitz constant of the loss.")
CONFERENCE = replace(PREPRINT, G=LIPSCHITZ)
start_norm = define("start_norm", rkhs_norm(k_M, start), latex=r"\|g_1\|_{H_M}")
bias = define(
    "bias", supremum(g_lambda.values - g_star), latex=r"\|g_\lambda - g_*\|_\infty"
)
top = define("top", greatest(Abs(phi[i, k_th]), i, k_th), latex=r"\max |\varphi|")
least_margin = define("noise", noise, most=Rational(1, 2))


def hypotheses(of, features, step_cap):
    """Printed hypotheses that do not depend on the draw, the cheap ones first."""
    return [
        And(least_margin > delta, delta > 0),
        top <= R,
        R > 0,
        of.norm_star > 0,
        features <= M,
        eta_1 <= step_cap,
        of.first() <= of.threshold(),
        t >= T,
        bias <= of.m / 2,
    ]
