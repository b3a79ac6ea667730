"""Theorem 2.1: the representer theorem.

Setting    features Phi(x_1)..Phi(x_n) in a Hilbert space (R^p), any loss, r strictly increasing,
           objective (1/(2n)) sum_i l(<b, Phi(x_i)>, y_i) + lambda r(||b||).
Step       with b = b_par + b_perp over the span: ||b||^2 = ||b_par||^2 + ||b_perp||^2,
           r(||b||) >= r(||b_par||), equal predictions, so the objective at b_par is no larger.
"""

from sympy import And, Eq, Implies

from boundcheck import Claim, Holds
from boundcheck.expressions import inner, named, norm, world
from boundcheck.quantities.penalised import INCREASING, LOSSES, penalty_of, sum_of_losses
from boundcheck.quantities.rkhs import projection, solve_consistent
from boundcheck.settings.rkhs import Phi, coefficients, n, p, penalty, responses
from boundcheck.worlds import Choice, Vector

from . import NOTES

y, b = responses(), coefficients("b", p)
x = world("x", Vector(p, searched=(-1, 1)), says="Feature vector of a further point.")
loss = world("loss", Choice(tuple(LOSSES)), says="The loss.")
r = world("r", Choice(tuple(INCREASING)), says="A strictly increasing function.")

b_par = named("b_par", projection(Phi, b), r"b_\parallel")
b_perp = named("b_perp", b - projection(Phi, b), r"b_\perp")
a = named("a", solve_consistent(Phi.T, projection(Phi, b)))


def objective(b):
    return sum_of_losses(loss, Phi * b, y) / (2 * n) + penalty * penalty_of(r, norm(b))


printed = Claim(
    NOTES.at("Theorem 2.1"),
    Holds(
        And(
            Implies(inner(b_perp, b_perp) > 0, objective(b) > objective(b_par)),
            Eq(inner(b_par, x), inner(a, Phi * x)),
        )
    ),
    uses=("wu2021/theorem_2_1:step_decomposition",),
    reading="a point with a part outside the span is never a minimiser: its projection does "
    "strictly better; lambda > 0 as for every penalty; losses and r come from lists, convex or "
    "not, of either sign, with jumps: of a loss only equal predictions enter",
    cost=1.0,
)

step_decomposition = Claim(
    NOTES.at("(2.3)-(2.4)"),
    Holds(
        And(
            Eq(inner(b, b), inner(b_par, b_par) + inner(b_perp, b_perp)),
            penalty_of(r, norm(b)) >= penalty_of(r, norm(b_par)),
            Eq(Phi * b, Phi * b_par),
            objective(b) >= objective(b_par),
        )
    ),
    cost=1.0,
)
