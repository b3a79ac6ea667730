"""Yashima, Nitanda, Suzuki 2021: classification error of SGD with random features. Two editions.

Symbols and worlds shared by its statements. The Lipschitz constant of the loss is L in the
conference edition and G in the preprint, whose L is the smoothness constant.
"""

from flint import fmpq
from sympy import symbols

from boundcheck import Source
from boundcheck.errors import Undefined
from boundcheck.exact import power
from boundcheck.quantities.losses import NAMES
from boundcheck.quantities.minimisers import feature_kernel
from boundcheck.quantities.operators import column, entries
from boundcheck.worlds import Choice, Derived, Real, Space, Vector, classification_worlds

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


SIZES = Real(0, None, open_low=True, searched=("1/10", 10))


def population_worlds(points: int = 3, features: int = 3) -> Space:
    """Finite populations: weighted points and features, label probabilities, a margin loss."""
    return classification_worlds(points, features).and_fields(
        loss=Choice(NAMES), height=SIZES, stretch=SIZES
    )


def bayes_worlds(points: int = 3, features: int = 3) -> Space:
    """Populations whose g_* is unique and, but for a singular kernel, in H.

    There the loss is the one with g_* = 2 eta - 1 and eta is taken so that g_* is in H.
    """
    fields = dict(population_worlds(points, features).fields)
    for name in ("eta", "loss"):
        del fields[name]
    return Space(
        **fields,
        favourite=Choice(("logistic", "logistic", "hinge", "modified huber")),
        loss=Derived(
            lambda favourite, phi, tau: "modified huber" if _singular(phi, tau) else favourite
        ),
        target=Vector("n", "1/1000000", "999999/1000000"),
        eta=Derived(_reachable),
    )


def _singular(phi, tau):
    return feature_kernel(phi, tau).det() == 0


def _reachable(phi, tau, target):
    """The target, or for a singular kernel 1/2 + K (target - 1/2) scaled into (0, 1)."""
    if not _singular(phi, tau):
        return target
    pull = feature_kernel(phi, tau) * column([value - fmpq(1, 2) for value in target])
    top = max(abs(value) for value in entries(pull))
    if top == 0:
        raise Undefined("the RKHS holds no Bayes rule but zero near this target")
    scale = max(abs(value - fmpq(1, 2)) for value in target) / top
    return tuple(fmpq(1, 2) + scale * value for value in entries(pull))


def interpolation_constant(rho, R, p):
    """A constant of Assumption 3 that serves for every draw: (sqrt(2) R)^p rho_min^((p-1)/2).

    sup |f| <= sqrt(2) R ||f|| in the RKHS of k + k_M, and rho_min sup |f|^2 <= ||f||^2 in L2(rho).
    """
    least = min(weight for weight in rho if weight)
    return power(2 * R * R, p / 2) * power(1 / least, (1 - p) / 2)
