"""(7)-(8): closed forms of ridge regression on random features.

Setting    drawn features Psi (n x s) with Psi_il = s^(-1/2) psi(x_i; v_l), lambda > 0.
Claim      the minimiser w of (1/n) sum_i (y_i - psi_i^T w)^2 + lambda ||w||^2 predicts
           psi(x')^T (Psi^T Psi + n lambda I_s)^-1 Psi^T y = k~'^T (K~ + n lambda I_n)^-1 y.
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.operators import column, dot, entries, identity
from boundcheck.quantities.ridge import rfm_prediction, solution
from boundcheck.worlds import Real, Vector

from . import NOTES, drawn_features, ridge

least, other, primal, dual = symbols("least other primal dual", real=True)


def _rows(phi, features, sample):
    """sqrt(s) Psi (n x s)."""
    table = [phi[a, k] for a in sample for k in features]
    return fmpq_mat(len(sample), len(features), table)


def minimiser(phi, features, sample, y, lambda_):
    """w / sqrt(s) for the closed form w = (Psi^T Psi + n lambda I)^-1 Psi^T y."""
    rows, steps = _rows(phi, features, sample), len(features)
    system = rows.transpose() * rows / steps + identity(steps) * (len(sample) * fmpq(lambda_))
    return entries(solution(system, rows.transpose() * column(y) / steps))


def objective(phi, features, sample, y, lambda_, weights):
    """The objective of (7) at w = sqrt(s) weights, for which psi_i^T w is rational."""
    steps = len(features)
    fitted = _rows(phi, features, sample) * column(weights)
    loss = sum(((u - v) ** 2 for u, v in zip(fitted.entries(), y, strict=True)), fmpq(0))
    return loss / len(sample) + fmpq(lambda_) * steps * dot(weights, weights)


def least_objective(phi, features, sample, y, lambda_):
    """The objective at the closed form."""
    weights = minimiser(phi, features, sample, y, lambda_)
    return objective(phi, features, sample, y, lambda_, weights)


def primal_form(phi, features, sample, y, lambda_, test):
    """psi(x')^T w."""
    row = [phi[test, k] for k in features]
    return dot(row, minimiser(phi, features, sample, y, lambda_))


printed = Claim(
    source=NOTES.at("(7)-(8)"),
    statement=Holds(And(least <= other, Eq(primal, dual))),
    given=[ridge > 0],
    worlds=drawn_features().and_fields(weights=Vector("s", searched=(-4, 4))),
    parameters={ridge: Real(0, None, open_low=True)},
    measure={least: least_objective, other: objective, primal: primal_form, dual: rfm_prediction},
)
