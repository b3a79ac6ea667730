"""Theorem 4.2: a priori estimate for the estimator with unsquared norm penalty, noiseless data.

Setting    law rho on finitely many points, kernel with k(x, x) <= 1, f* in its RKHS with norm Q,
           losses l(., y) that are L-Lipschitz and bounded by B, a sample of n independent points;
           estimator (4.1): minimise (1/n) sum_i l(f(x_i), f*(x_i)) + lambda ||f||.
Claim      with probability 1 - delta over the sample
           R(estimator) <= C (lambda Q + L Q / sqrt(n) + B sqrt(log(1/delta) / n)).
Steps      (1) the norm of the estimator is at most Q and its empirical risk at most lambda Q,
           (2) deviation of the empirical risk on the ball, (3) the sum, with constant one.
Repair     losses with l >= 0 and l(y, y) = 0, constants 1, 2 and 1/sqrt(2).
"""

from flint import fmpq, fmpq_mat
from sympy import And, Eq, log, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.quantities.complexity import rademacher_complexity
from boundcheck.quantities.operators import diagonal, entries, identity
from boundcheck.quantities.regularised import (
    frequencies,
    largest_loss,
    lipschitz_constant,
    mean_loss,
    penalised_minimisers,
    worst,
)
from boundcheck.quantities.rkhs import apply, gram_of, norm, submatrix
from boundcheck.worlds import (
    Choice,
    Custom,
    Derived,
    Family,
    Indices,
    Integer,
    Matrix,
    Real,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import NOTES, B, L, Q, delta, n, penalty

risk, empirical, deviation, optimum_risk = symbols("risk empirical deviation target", real=True)
radius, complexity, largest_kernel = symbols("radius complexity kappa", real=True)
steepest, highest, estimators = symbols("steepest highest estimators", real=True)


def unit_features(source, earlier):
    """Features of norm at most one: on a line, or in the plane with rational norms."""
    rows = []
    for _ in range(earlier["N"]):
        length = source.rational(fmpq(-1), fmpq(1))
        if earlier["dimension"] == 1:
            rows.append((length,))
        else:
            t = source.rational(fmpq(-1), fmpq(1))
            scale = length / (1 + t**2)
            rows.append((scale * 2 * t, scale * (1 - t**2)))
    return fmpq_mat(len(rows), earlier["dimension"], [v for r in rows for v in r])


def sample_size(source, earlier):
    """Up to three points on a line; one in the plane, where the estimator is exact too."""
    return 1 if earlier["dimension"] == 2 else source.integer(1, 3)


def increasing_knots(source, earlier):
    steps = [source.rational(fmpq(1, 64), fmpq(1)) for _ in range(earlier["m"] - 1)]
    knots = [source.rational(fmpq(-1), fmpq(1))]
    for step in steps:
        knots.append(knots[-1] + step)
    return tuple(knots)


def one_loss_per_label(table, gram, alpha):
    """Points with one label share one loss: l(., y) depends on y only."""
    labels = apply(gram, alpha)
    rows = [labels.index(label) for label in labels]
    return submatrix(table, rows, range(table.ncols()))


worlds = Space(
    N=Integer(1, 3),
    rho=Weights("N"),
    dimension=Choice((1, 1, 2)),
    features=Custom(unit_features),
    gram=Derived(gram_of),
    alpha=Vector("N", -2, 2),
    n=Custom(sample_size),
    m=Integer(2, 4),
    knots=Custom(increasing_knots),
    table=Matrix("N", "m", -1, 1),
    losses=Derived(one_loss_per_label),
)


def estimator_risk(estimators, knots, losses, rho):
    """R of the worst of the tied minimisers."""
    return worst([mean_loss(knots, losses, values, rho) for values, _ in estimators])


def estimator_empirical_risk(estimators, knots, losses, sample):
    """Empirical risk of the worst of the tied minimisers."""
    seen = frequencies(sample, losses.nrows())
    return worst([mean_loss(knots, losses, values, seen) for values, _ in estimators])


def estimator_deviation(estimators, knots, losses, rho, sample):
    """|empirical risk - risk| of the worst of the tied minimisers."""
    seen = frequencies(sample, losses.nrows())
    gaps = tuple(a - b for a, b in zip(seen, rho, strict=True))
    return worst([abs(mean_loss(knots, losses, values, gaps)) for values, _ in estimators])


def estimator_norm(estimators):
    """||f|| of the worst of the tied minimisers."""
    return worst([length for _, length in estimators])


def target_empirical_risk(gram, alpha, knots, losses, sample):
    """Empirical risk of f* itself."""
    seen = frequencies(sample, losses.nrows())
    return mean_loss(knots, losses, apply(gram, alpha), seen)


def sample_complexity(gram, sample, Q):
    """Rademacher complexity of the ball of radius Q on the sample."""
    return rademacher_complexity(submatrix(gram, sample, sample), Q)


def kernel_bound(gram):
    return max(gram[j, j] for j in range(gram.nrows()))


measure = {
    Q: lambda gram, alpha: norm(gram, alpha),
    largest_kernel: kernel_bound,
    steepest: lipschitz_constant,
    highest: lambda losses: largest_loss(losses),
    estimators: penalised_minimisers,
    risk: estimator_risk,
    empirical: estimator_empirical_risk,
    deviation: estimator_deviation,
    optimum_risk: target_empirical_risk,
    radius: estimator_norm,
    complexity: sample_complexity,
}
hypotheses = [
    L >= steepest,
    B >= highest,
    largest_kernel <= 1,
    penalty > 0,
    And(0 < delta, delta < 1),
]
sample = Indices("sample", "rho", "n")
shared = {
    "worlds": worlds,
    "given": hypotheses,
    "draw": sample,
    "parameters": {
        L: Real(0, None),
        B: Real(0, None),
        penalty: Real(0, None, open_low=True),
        delta: Real(0, 1, open_low=True, open_high=True),
    },
    "measure": measure,
    "cost": 2.0,
}
bound = penalty * Q + L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)


def world(features, rho, alpha, n, knots, table, lambda_, delta):
    """A member of a family: the least L and B that its losses allow."""
    gram = gram_of(features)
    losses = one_loss_per_label(table, gram, alpha)
    return {
        "N": features.nrows(), "rho": rho, "dimension": features.ncols(), "features": features,
        "gram": gram, "alpha": alpha, "n": n, "m": len(knots), "knots": knots, "table": table,
        "losses": losses, "L": lipschitz_constant(knots, losses), "B": largest_loss(losses),
        "lambda": lambda_, "delta": delta,
    }  # fmt: skip


ONE_POINT = fmpq_mat(1, 1, [1])
HALVES = (fmpq(1, 2), fmpq(1, 2))


def constant_loss(size):
    """One point, f* = 0, l = 1: nothing to learn, and n grows."""
    table = fmpq_mat(1, 2, [1, 1])
    return world(
        ONE_POINT, (fmpq(1),), (fmpq(0),), size, (fmpq(0), fmpq(1)), table, fmpq(1, size),
        fmpq(1, 2),
    )  # fmt: skip


def truncated_distance(size):
    """Two points on a line, l = min(|t - y|, 1) around y = 0 and y = 1; n grows."""
    features = fmpq_mat(2, 1, [0, 1])
    table = fmpq_mat(2, 4, [1, 0, 1, 1, 1, 1, 0, 1])
    knots = (fmpq(-1), fmpq(0), fmpq(1), fmpq(2))
    rho = (1 - fmpq(1, size), fmpq(1, size))
    return world(
        features, rho, (fmpq(0), fmpq(1)), size, knots, table, fmpq(1, 100 * size), fmpq(1, 4)
    )


def signed_loss(size):
    """l(t, 0) negative away from zero: one sample point of several, delta near one."""
    features = fmpq_mat(3, 1, [1, fmpq(1, 2), fmpq(1, 2)])
    knots = (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(3, 2))
    table = fmpq_mat(3, 4, [0, 1, -1, 0] * 3)
    rho = (fmpq(1, 5), fmpq(2, 5), fmpq(2, 5))
    zero = (fmpq(0),) * 3
    return world(features, rho, zero, 1, knots, table, fmpq(1, 10), 1 - fmpq(1, size))


families = (
    Family("truncated distance on two points, n grows", truncated_distance, doublings(4, 7)),
    Family("signed loss with l(y, y) = 0, delta tends to one", signed_loss, doublings(4, 8)),
    Family("constant loss on one point, n grows", constant_loss, doublings(4, 8)),
)

printed = Claim(
    source=NOTES.at("Theorem 4.2"),
    statement=UpToConstant(WithProbability(1 - delta, risk <= bound)),
    families=families,
    uses=(
        "wu2021/theorem_4_2:step_norm",
        "wu2021/theorem_4_2:step_deviation",
        "wu2021/theorem_4_2:step_total",
    ),
    reading="every minimiser of (4.1) counts; losses need not be non-negative nor vanish at "
    "f = f*, because neither is printed; lambda > 0 as the text says after the proof",
    **shared,
)

step_norm = Claim(
    source=NOTES.at("Theorem 4.2, proof (1)"),
    statement=Holds(
        And(
            empirical + penalty * radius <= optimum_risk + penalty * Q,
            Eq(optimum_risk + penalty * Q, penalty * Q),
            radius <= Q,
            empirical <= penalty * Q,
        )
    ),
    **shared,
)

step_deviation = Claim(
    source=NOTES.at("Theorem 4.2, proof (2)"),
    statement=Holds(
        L * complexity + B * sqrt(log(4 / delta) / n)
        <= L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)
    ),
    uses=("wu2021/contraction:printed", "wu2021/proposition_4_1:printed"),
    reading="the last link of the display, printed with a plain inequality sign",
    **shared,
)

step_total = Claim(
    source=NOTES.at("Theorem 4.2, proof (3)"),
    statement=WithProbability(
        1 - delta,
        And(
            risk <= empirical + deviation,
            empirical + deviation <= penalty * Q + (L * Q + B * sqrt(log(4 / delta))) / sqrt(n),
        ),
    ),
    uses=("wu2021/theorem_4_2:step_norm", "wu2021/theorem_4_2:step_deviation"),
    **shared,
)


def vanishing_losses(table, gram, alpha, knots):
    """The same losses minus their value at the label, in absolute value at the knots.

    The label is made a knot by moving the nearest one there, so l(y, y) = 0 exactly.
    """
    return one_loss_per_label(table, gram, alpha), knots
