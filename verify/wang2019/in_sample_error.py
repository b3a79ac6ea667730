"""(26)-(28): mean squared difference over a test point from the training set.

Setting    fixed training set and feature draw, x' uniform on the training set,
           alpha = (K + n lambda I)^-1 y, D = K~ - K.
Claim      E_{x'}(f~ - f)^2 = alpha^T theta theta^T alpha
           >= (1/n) (n lambda / (||K~||_2 + n lambda))^2 alpha^T D^2 alpha.
Repaired   the middle term carries the expectation over x', on which theta depends.
"""

from sympy import And, Eq

from boundcheck import Claim, Holds
from boundcheck.expressions import form, inner, operator_norm, world
from boundcheck.settings.random_features import fixed, ridge
from boundcheck.worlds import Index

from . import NOTES
from .theta import theta

n, K, K_, alpha = fixed.n, fixed.K, fixed.K_, fixed.alpha
place = world("place", Index(n), rank=0, says="Which training point x' is.")
test = fixed.X[place]
mean = fixed.E_training(lambda x: (fixed.f_(x) - fixed.f(x)) ** 2)
shrunk = (n * ridge / (operator_norm(K_) + n * ridge)) ** 2
lower = 1 / n * shrunk * form((K_ - K) ** 2, alpha)


def middle(x):
    """alpha^T theta theta^T alpha at a test point."""
    return inner(theta(x), alpha) ** 2


printed = Claim(
    NOTES.at("(26)-(28)"),
    Holds(And(Eq(mean, middle(test)), middle(test) >= lower)),
    uses=("wang2019/theta:printed", "wang2019/theta:step_square"),
    reading="(27) has no expectation over x', so its theta is the one of the test point, which is "
    "any of the training points.",
)
repaired = Claim(
    NOTES.at("(26)-(28)"),
    Holds(And(Eq(mean, fixed.E_training(middle)), fixed.E_training(middle) >= lower)),
    cost=5.0,
)
