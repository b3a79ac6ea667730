"""Theorem 2.1: the representer theorem.

Setting    features Phi(x_1)..Phi(x_n) in a Hilbert space (R^p), any loss, r strictly increasing,
           objective (1/(2n)) sum_i l(<b, Phi(x_i)>, y_i) + lambda r(||b||).
Claim      every minimiser is a combination sum_i a_i Phi(x_i), so f(x) = sum_i a_i k(x_i, x).
Step       with b = b_par + b_perp over the span: ||b||^2 = ||b_par||^2 + ||b_perp||^2,
           r(||b||) >= r(||b_par||), equal predictions, so the objective at b_par is no larger.
"""

from flint import fmpq
from sympy import And, Eq, Implies, symbols

from boundcheck import Claim, Holds
from boundcheck.errors import Undecided
from boundcheck.exact import sign, square_root
from boundcheck.quantities.operators import column, dot
from boundcheck.quantities.rkhs import (
    apply,
    combination,
    gram_of,
    projection,
    row,
    solve_consistent,
)
from boundcheck.worlds import Choice, Integer, Matrix, Real, Space, Vector

from . import NOTES, penalty

perp, objective, objective_par = symbols("perp objective objective_par", real=True)
value, expansion = symbols("value expansion", real=True)
total, parallel, growth, growth_par = symbols("total parallel growth growth_par", real=True)
predictions, predictions_par = symbols("predictions predictions_par", commutative=False)


def jump(t):
    """t below one, t + 1 from one on: increasing and discontinuous."""
    side = sign(t - 1)
    if side is None:
        raise Undecided("on which side of the jump")
    return t + int(side >= 0)


LOSSES = {
    "square": lambda t, y: (t - y) ** 2,
    "absolute": lambda t, y: abs(t - y),
    "hinge": lambda t, y: max(1 - t * y, fmpq(0)),
    "zero-one": lambda t, y: fmpq(int(t * y <= 0)),
    "negative square": lambda t, y: -((t - y) ** 2),
    "none": lambda t, y: fmpq(0),
}
PENALTIES = {
    "identity": lambda t: t,
    "square": lambda t: t**2,
    "bounded": lambda t: t / (1 + t),
    "jump": jump,
}


def squared_length(vector):
    return dot(vector, vector)


def orthogonal_part(features, b):
    """||b_perp||^2 for the span of the features."""
    kept = projection(features, b)
    return sum(((u - v) ** 2 for u, v in zip(b, kept, strict=True)), fmpq(0))


def objective_at(vector, features, y, loss, r, lambda_):
    """(1/(2n)) sum_i l(<b, Phi(x_i)>, y_i) + lambda r(||b||)."""
    fits = apply(features, vector)
    fit = sum((LOSSES[loss](t, target) for t, target in zip(fits, y, strict=True)), fmpq(0))
    penalised = PENALTIES[r](square_root(squared_length(vector)))
    return penalised * lambda_ + fit / (2 * len(y))


def full_objective(features, b, y, loss, r, lambda_):
    return objective_at(b, features, y, loss, r, lambda_)


def projected_objective(features, b, y, loss, r, lambda_):
    return objective_at(projection(features, b), features, y, loss, r, lambda_)


def represented(features, b):
    """Coefficients a with b_par = sum_i a_i Phi(x_i)."""
    return solve_consistent(features.transpose(), projection(features, b))


def value_at_point(features, b, at):
    """<b_par, Phi(x)> at a further point x."""
    return dot(projection(features, b), at)


def kernel_expansion(features, b, at):
    """sum_i a_i k(x_i, x)."""
    weights = represented(features, b)
    kernel = tuple(dot(row(features, i), at) for i in range(features.nrows()))
    return dot(weights, kernel)


def squared_norm_of_parallel(features, b):
    """a^T K a, which is ||b_par||^2."""
    weights = represented(features, b)
    assert combination(features, weights) == projection(features, b)
    return dot(weights, apply(gram_of(features), weights))


def penalty_term(b, r):
    return PENALTIES[r](square_root(squared_length(b)))


def penalty_term_of_parallel(features, b, r):
    return PENALTIES[r](square_root(squared_length(projection(features, b))))


shared = {
    "worlds": Space(
        p=Integer(1, searched=3),
        n=Integer(1, searched=3),
        features=Matrix("n", "p"),
        at=Vector("p", -1, 1),
        b=Vector("p", searched=(-2, 2)),
        y=Vector("n", -1, 1),
        loss=Choice(tuple(LOSSES)),
        r=Choice(tuple(PENALTIES)),
    ),
    "given": [penalty > 0],
    "parameters": {penalty: Real(0, None, open_low=True)},
    "measure": {
        perp: orthogonal_part,
        objective: full_objective,
        objective_par: projected_objective,
        value: value_at_point,
        expansion: kernel_expansion,
        total: lambda b: squared_length(b),
        parallel: squared_norm_of_parallel,
        growth: penalty_term,
        growth_par: penalty_term_of_parallel,
        predictions: lambda features, b: features * column(b),
        predictions_par: lambda features, b: features * column(projection(features, b)),
    },
    "cost": 1.0,
}

printed = Claim(
    source=NOTES.at("Theorem 2.1"),
    statement=Holds(
        And(Implies(perp > 0, objective > objective_par), Eq(value, expansion))
    ),
    uses=("wu2021/theorem_2_1:step_decomposition",),
    reading="a point with a part outside the span is never a minimiser: its projection does "
    "strictly better; lambda > 0 as for every penalty",
    **shared,
)

step_decomposition = Claim(
    source=NOTES.at("(2.3)-(2.4)"),
    statement=Holds(
        And(
            Eq(total, parallel + perp),
            growth >= growth_par,
            Eq(predictions, predictions_par),
            objective >= objective_par,
        )
    ),
    **shared,
)
