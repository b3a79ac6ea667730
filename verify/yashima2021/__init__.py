"""Yashima, Nitanda, Suzuki 2021: classification error of SGD with random features. Two editions.

Symbols and worlds shared by its statements. The Lipschitz constant of the loss is L in the
conference edition and G in the preprint, whose L is the smoothness constant.
"""

from sympy import symbols

from boundcheck import Source
from boundcheck.exact import power
from boundcheck.quantities.losses import NAMES
from boundcheck.worlds import Choice, Real, Space, classification_worlds

AUTHORS = "Yashima, Nitanda, Suzuki"
TITLE = (
    "Exponential Convergence Rates of Classification Errors on Learning with SGD and Random "
    "Features"
)
AISTATS = Source(AUTHORS, 2021, TITLE, edition="AISTATS")
ARXIV = Source(AUTHORS, 2021, TITLE, edition="arXiv")

M, T, n, d, m, t = symbols("M T n d m t", real=True)
gamma, delta, epsilon, p, xi = symbols("gamma delta epsilon p xi", real=True)
delta_prime = symbols("delta_prime", real=True)
lam = symbols("lambda", real=True)
R, G, L, C = symbols("R G L C", real=True)


def population_worlds(points: int = 3, features: int = 3) -> Space:
    """Finite populations: weighted points and features, label probabilities, a margin loss."""
    return classification_worlds(points, features).and_fields(
        loss=Choice(NAMES), height=Real("1/10", 10), stretch=Real("1/10", 10)
    )


def interpolation_constant(rho, R, p):
    """A constant of Assumption 3 that serves for every draw: (sqrt(2) R)^p rho_min^((p-1)/2).

    sup |f| <= sqrt(2) R ||f|| in the RKHS of k + k_M, and rho_min sup |f|^2 <= ||f||^2 in L2(rho).
    """
    least = min(weight for weight in rho if weight)
    return power(2 * R * R, p / 2) * power(1 / least, (1 - p) / 2)
