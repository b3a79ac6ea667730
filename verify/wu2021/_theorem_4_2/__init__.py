"""Worlds, estimators and hypotheses that the files of Theorem 4.2 share."""

from flint import fmpq, fmpq_mat
from sympy import And, log, sqrt

from boundcheck.expressions import define, form, greatest, index, outcome, parameter, world
from boundcheck.quantities.regularised import (
    by_label,
    frequencies,
    largest_loss,
    lipschitz_constant,
    penalised_minimisers,
    worst_risk,
)
from boundcheck.quantities.rkhs import apply
from boundcheck.worlds import (
    Counts,
    Family,
    Gram,
    Increasing,
    Integer,
    Matrix,
    Real,
    Tuples,
    Vector,
    Weights,
    doublings,
)

N = world("N", Integer(1, searched=3), says="Number of points of the law.")
rho = world("rho", Weights(N), latex=r"\rho", says="Law of x.")
K = world("K", Gram(N), facts=("positive semi-definite",), says="Kernel matrix of the points.")
alpha = world("alpha", Vector(N, searched=(-2, 2)), units={"function": 1})
f = define("f", K * alpha, latex="f^*", says="The target, by its values on the points.")
n = world("n", Integer(1, searched=3), says="Sample size.")
m = world("m", Integer(2, searched=4), says="Number of knots of a loss.")
places = world("places", Tuples(N, Increasing(m)), units={"function": 1}, says="Their knots.")
heights = world("heights", Matrix(N, m), units={"loss": 1}, latex=r"\ell",
                says="Values of the losses at knots.")  # fmt: skip
counts = outcome(
    "counts", Counts("counts", rho, n, over="the training sample"), says="Draws of each point."
)
a, c = index("a", N), index("c", m)

L = parameter("L", Real(0, None), units={"loss": 1, "function": -1}, says="Lipschitz constant.")
B = parameter("B", Real(0, None), units={"loss": 1}, says="Bound of the losses.")
penalty = parameter(
    "lambda", Real(0, None, open_low=True), units={"loss": 1, "function": -1}, latex=r"\lambda",
    says="Weight of the penalty.",
)  # fmt: skip
delta = parameter("delta", Real(0, 1, open_low=True, open_high=True), latex=r"\delta")
Q = define("Q", sqrt(form(K, alpha)), says="Norm of the target.")

knots = by_label(places, f)
losses = by_label(heights, f)
seen = frequencies(counts)
gaps = seen - rho
bound = penalty * Q + L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)


def hypotheses(knots, losses):
    return [
        lipschitz_constant(knots, losses) <= L,
        largest_loss(losses) <= B,
        greatest(K[a, a], a) <= 1,
        penalty > 0,
        And(delta > 0, delta < 1),
    ]


def estimators(knots, losses):
    """All minimisers of (4.1)."""
    return penalised_minimisers(K, counts, knots, losses, penalty)


def risk(knots, losses):
    return worst_risk(estimators(knots, losses), knots, losses, rho)


def member(features, rho, alpha, n, places, heights, penalty, delta):
    """A member of a family: one feature a point, the least L and B that its losses allow."""
    gram = fmpq_mat(len(rho), len(rho), [fmpq(u) * v for u in features for v in features])
    values = apply(gram, alpha)
    knots, losses = by_label(places, values), by_label(heights, values)
    return {
        "N": len(rho), "rho": rho, "K": gram, "alpha": alpha, "n": n, "m": len(places[0]),
        "places": places, "heights": fmpq_mat(len(rho), len(places[0]), sum(heights, ())),
        "L": lipschitz_constant(knots, losses), "B": largest_loss(losses),
        "lambda": penalty, "delta": delta,
    }  # fmt: skip


def truncated_distance(size):
    """Labels 0 and 1 on a line, l = min(|t - y|, 1): a rare label, and n grows."""
    rho = (1 - fmpq(1, size), fmpq(1, size))
    return member(
        (0, 1), rho, (fmpq(0), fmpq(1)), size, ((-1, 0, 1), (0, 1, 2)), ((1, 0, 1), (1, 0, 1)),
        fmpq(1, 100 * size), fmpq(1, 4),
    )  # fmt: skip


rare_label = Family(
    "distance cut at one, a rare label, n grows", truncated_distance, doublings(4, 8)
)
