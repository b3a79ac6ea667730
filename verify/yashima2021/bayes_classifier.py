"""The regression function minimises the classification error.

Setting    label in {-1, 1}, rho(1|x) = eta(x); sgn(0) = -1; error R(g) = P(sgn g(X) != Y).
Claim      E[Y|x] = 2 eta(x) - 1 has the least error among all functions g.
"""

from flint import fmpq
from sympy import And, Eq, Le, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import classification_error
from boundcheck.quantities.operators import column
from boundcheck.worlds import Integer, Space, Vector, Weights

from . import ARXIV

error, least_error = symbols("error least_error", real=True)
mean, score = symbols("mean score", commutative=False)


def regression_function(eta):
    """2 eta - 1 on the points."""
    return tuple(2 * probability - 1 for probability in eta)


def label_mean(eta):
    """E[Y|x] summed over the two labels."""
    return column([fmpq(1) * p + fmpq(-1) * (1 - p) for p in eta])


printed = Claim(
    source=ARXIV.at("Section 2.1, (1)-(2)"),
    statement=Holds(And(Le(least_error, error), Eq(mean, score))),
    worlds=Space(
        n=Integer(1, searched=4),
        rho=Weights("n", zeros=True),
        eta=Vector("n", 0, 1),
        g=Vector("n", -1, 1),
    ),
    measure={
        error: classification_error,
        least_error: lambda rho, eta: classification_error(rho, eta, regression_function(eta)),
        mean: label_mean,
        score: lambda eta: column(regression_function(eta)),
    },
)
