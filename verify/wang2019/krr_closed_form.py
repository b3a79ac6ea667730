"""(5)-(6): closed forms of kernel ridge regression.

Setting    feature matrix Phi (n x p) of any rank, targets y, lambda > 0, a test point phi(x').
Claim      the minimiser beta of (1/n) sum_i (phi(x_i)^T beta - y_i)^2 + lambda ||beta||^2 predicts
           phi(x')^T (Phi^T Phi + n lambda I)^-1 Phi^T y = k'^T (K + n lambda I)^-1 y.
"""

from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import dot
from boundcheck.quantities.ridge import (
    dual_prediction,
    primal_prediction,
    ridge_minimiser,
    ridge_objective,
)
from boundcheck.worlds import Integer, Matrix, Real, Space, Vector

from . import NOTES, ridge

least, other, prediction, primal, dual = symbols("least other prediction primal dual", real=True)


def objective_at_minimiser(rows, y, lambda_):
    """The objective at the closed form."""
    return ridge_objective(rows, y, lambda_, ridge_minimiser(rows, y, lambda_))


def prediction_of_minimiser(rows, y, lambda_, row):
    """phi(x')^T beta."""
    return dot(row, ridge_minimiser(rows, y, lambda_))


printed = Claim(
    source=NOTES.at("(5)-(6)"),
    statement=Holds(And(least <= other, Eq(prediction, primal), Eq(primal, dual))),
    given=[ridge > 0],
    worlds=Space(
        n=Integer(1, searched=4),
        p=Integer(1, searched=4),
        rows=Matrix("n", "p", searched=(-2, 2)),
        y=Vector("n", -2, 2),
        row=Vector("p", searched=(-2, 2)),
        weights=Vector("p", searched=(-4, 4)),
    ),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={
        least: objective_at_minimiser, other: ridge_objective,
        prediction: prediction_of_minimiser, primal: primal_prediction, dual: dual_prediction,
    },
    reading="That beta is the minimiser is stated against every other vector of weights.",
)  # fmt: skip
