"""Theorem 4.2: a priori estimate for the estimator with unsquared norm penalty, noiseless data.

Setting    law rho on finitely many points, kernel with k(x, x) <= 1, f* in its RKHS with norm Q,
           losses l(., y) that are L-Lipschitz and bounded by B, a sample of n independent points;
           estimator (4.1): minimise (1/n) sum_i l(f(x_i), f*(x_i)) + lambda ||f||.
Claim      with probability 1 - delta over the sample
           R(estimator) <= C (lambda Q + L Q / sqrt(n) + B sqrt(log(1/delta) / n)).
Steps      (1) the norm of the estimator is at most Q and its empirical risk at most lambda Q,
           (2) deviation of the empirical risk on the ball, (3) the sum, with constant one.
Repair     losses with l >= 0 and l(y, y) = 0, constants 1, 2 and 1/sqrt(2); neither of the two
           conditions can be spared (nonnegative, vanishing).
"""

from itertools import pairwise

from flint import fmpq, fmpq_mat
from sympy import And, Eq, log, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.claim import Rescaling
from boundcheck.quantities import known
from boundcheck.quantities.complexity import rademacher_complexity
from boundcheck.quantities.regularised import (
    frequencies,
    largest_deviation,
    largest_loss,
    lipschitz_constant,
    mean_loss,
    penalised_minimisers,
    worst,
)
from boundcheck.quantities.rkhs import (
    apply,
    are_unit_features,
    gram_of,
    norm,
    squared_norm,
    submatrix,
    unit_features,
)
from boundcheck.worlds import (
    Choice,
    Counts,
    Custom,
    Derived,
    Family,
    Integer,
    Matrix,
    Real,
    Space,
    Vector,
    Weights,
    doublings,
)

from . import NOTES, B, L, Q, delta, n, penalty

risk, empirical, detour, optimum_risk = symbols("risk empirical detour target", real=True)
attained, radius, complexity = symbols("attained radius complexity", real=True)
largest_kernel, largest_gap = symbols("kappa largest_gap", real=True)
steepest, highest, estimators = symbols("steepest highest estimators", real=True)


def increasing_rows(source, earlier):
    """Knots of every atom's loss, increasing."""
    rows = []
    for _ in range(earlier["N"]):
        knots = [source.rational(fmpq(-1), fmpq(1))]
        while len(knots) < earlier["m"]:
            knots.append(knots[-1] + source.rational(fmpq(1, 64), fmpq(1)))
        rows += knots
    return fmpq_mat(earlier["N"], earlier["m"], rows)


def increase(value, world):
    """Rows of m knots, increasing."""
    rows = value.tolist() if Matrix("N", "m").admits(value, world) else [(1, 0)]
    return all(a < b for row in rows for a, b in pairwise(row))


def around_zero(value, world):
    return increase(value, world) and all(row[1] == 0 for row in value.tolist())


def by_label(table, gram, alpha):
    """Points with one label share one row: l(., y) depends on y only."""
    labels = apply(gram, alpha)
    rows = [labels.index(label) for label in labels]
    return submatrix(table, rows, range(table.ncols()))


def is_by_label(value, world):
    """Whether a table of m columns has one row for each label."""
    right = Matrix("N", "m").admits(value, world)
    return right and by_label(value, world["gram"], world["alpha"]) == value


def knots_by_label(places, gram, alpha):
    return by_label(places, gram, alpha)


def losses_by_label(table, gram, alpha):
    return by_label(table, gram, alpha)


worlds = Space(
    N=Integer(1, searched=3),
    rho=Weights("N"),
    dimension=Choice((1, 1, 2, 3)),
    features=Custom(unit_features, are_unit_features),
    gram=Derived(gram_of),
    alpha=Vector("N", searched=(-2, 2)),
    n=Integer(1, searched=3),
    m=Integer(2, searched=4),
    places=Custom(increasing_rows, increase),
    table=Matrix("N", "m"),
    knots=Derived(knots_by_label),
    losses=Derived(losses_by_label),
)


def estimator_risk(estimators, knots, losses, rho):
    """R of the worst of the tied minimisers."""
    return worst([mean_loss(knots, losses, values, rho) for values, _ in estimators])


def estimator_empirical_risk(estimators, knots, losses, counts):
    """Empirical risk of the worst of the tied minimisers."""
    seen = frequencies(counts)
    return worst([mean_loss(knots, losses, values, seen) for values, _ in estimators])


def estimator_detour(estimators, knots, losses, rho, counts):
    """Empirical risk plus deviation, at one and the same minimiser."""
    seen = frequencies(counts)
    gaps = tuple(a - b for a, b in zip(seen, rho, strict=True))
    return worst(
        [
            abs(mean_loss(knots, losses, values, gaps)) + mean_loss(knots, losses, values, seen)
            for values, _ in estimators
        ]
    )


def estimator_objective(estimators, knots, losses, counts, lambda_):
    """What (4.1) minimises, at its minimisers."""
    seen = frequencies(counts)
    return worst(
        [mean_loss(knots, losses, values, seen) + lambda_ * size for values, size in estimators]
    )


def estimator_norm(estimators):
    """||f|| of the worst of the tied minimisers."""
    return worst([length for _, length in estimators])


def target_empirical_risk(gram, alpha, knots, losses, counts):
    """Empirical risk of f* itself."""
    return mean_loss(knots, losses, apply(gram, alpha), frequencies(counts))


def sample_complexity(gram, counts, Q):
    """Rademacher complexity of the ball of radius Q on the sample."""
    drawn = [i for i, count in enumerate(counts) for _ in range(count)]
    return rademacher_complexity(submatrix(gram, drawn, drawn), Q)


def kernel_bound(gram):
    return max(gram[j, j] for j in range(gram.nrows()))


measure = known({
    Q: lambda gram, alpha: norm(gram, alpha),
    largest_kernel: kernel_bound,
    steepest: lipschitz_constant,
    highest: lambda losses: largest_loss(losses),
    estimators: penalised_minimisers,
    risk: estimator_risk,
    empirical: estimator_empirical_risk,
    detour: estimator_detour,
    attained: estimator_objective,
    optimum_risk: target_empirical_risk,
    radius: estimator_norm,
    complexity: sample_complexity,
}, Q >= 0, largest_kernel >= 0, steepest >= 0, radius >= 0, complexity >= 0)  # fmt: skip
hypotheses = [
    steepest <= L,
    highest <= B,
    largest_kernel <= 1,
    penalty > 0,
    And(delta > 0, delta < 1),
]
sample = Counts("counts", "rho", "n", over="the training sample")
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
    "rescalings": (
        Rescaling(
            "losses, L, B and lambda by s",
            {"table": 1, "losses": 1, "L": 1, "B": 1, "lambda": 1},
        ),
    ),
    "cost": 3.0,
}
bound = penalty * Q + L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)


def world(features, rho, alpha, n, places, table, lambda_, delta):
    """A member of a family: the least L and B that its losses allow."""
    gram = gram_of(features)
    knots, losses = by_label(places, gram, alpha), by_label(table, gram, alpha)
    return {
        "N": features.nrows(), "rho": rho, "dimension": features.ncols(), "features": features,
        "gram": gram, "alpha": alpha, "n": n, "m": table.ncols(), "places": places,
        "table": table, "knots": knots, "losses": losses,
        "L": lipschitz_constant(knots, losses), "B": largest_loss(losses),
        "lambda": lambda_, "delta": delta,
    }  # fmt: skip


def truncated_distance(size):
    """Labels 0 and 1 on a line, l = min(|t - y|, 1): a rare label, and n grows."""
    places = fmpq_mat(2, 3, [-1, 0, 1, 0, 1, 2])
    table = fmpq_mat(2, 3, [1, 0, 1, 1, 0, 1])
    rho = (1 - fmpq(1, size), fmpq(1, size))
    return world(
        fmpq_mat(2, 1, [0, 1]), rho, (fmpq(0), fmpq(1)), size, places, table,
        fmpq(1, 100 * size), fmpq(1, 4),
    )  # fmt: skip


def constant_loss(size):
    """One point, f* = 0, l = 1: nothing to learn, and n grows."""
    return world(
        fmpq_mat(1, 1, [1]), (fmpq(1),), (fmpq(0),), size, fmpq_mat(1, 2, [0, 1]),
        fmpq_mat(1, 2, [1, 1]), fmpq(1, size), fmpq(1, 2),
    )  # fmt: skip


def signed_loss(size):
    """l(0, 0) = 0 and l(1, 0) = -1: one sample point of three, delta tends to one."""
    features = fmpq_mat(3, 1, [1, fmpq(1, 2), fmpq(1, 4)])
    places = fmpq_mat(3, 4, [0, fmpq(1, 2), 1, 2] * 3)
    table = fmpq_mat(3, 4, [0, 1, -1, 1] * 3)
    third, zero = (fmpq(1, 3),) * 3, (fmpq(0),) * 3
    return world(features, third, zero, 1, places, table, fmpq(1, 10), 1 - fmpq(1, size))


families = (
    Family("distance cut at one, a rare label, n grows", truncated_distance, doublings(4, 8)),
    Family("constant loss on one point, n grows", constant_loss, doublings(4, 8)),
    Family("signed loss that vanishes at the label, delta to one", signed_loss, doublings(4, 8)),
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
    trivial=B,
    reading="every minimiser of (4.1) counts; losses need not be non-negative nor vanish at "
    "f = f*, because neither is printed; lambda > 0 as the text says after the proof",
    **shared,
)

step_norm = Claim(
    source=NOTES.at("Theorem 4.2, proof (1)"),
    statement=Holds(
        And(
            attained <= optimum_risk + penalty * Q,
            Eq(optimum_risk + penalty * Q, penalty * Q),
            radius <= Q,
            empirical <= penalty * Q,
        )
    ),
    reading="every minimiser of (4.1), under the hypotheses of the theorem",
    **shared,
)

step_deviation = Claim(
    source=NOTES.at("Theorem 4.2, proof (2)"),
    statement=Holds(
        L * complexity + B * sqrt(log(4 / delta) / n)
        <= L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)
    ),
    uses=("wu2021/contraction:printed", "wu2021/proposition_4_1:printed"),
    reading="the last link of the display, printed with a plain inequality sign; the chain up to a "
    "constant is `step_deviation_up_to_constant`",
    **shared,
)


def ball_deviation(gram, alpha, knots, losses, rho, counts):
    """sup over ||f|| <= Q of |empirical risk - risk|."""
    gaps = tuple(a - b for a, b in zip(frequencies(counts), rho, strict=True))
    return largest_deviation(gram, knots, losses, gaps, squared_norm(gram, alpha))


def loss_of_label_only(size):
    """Labels 0 and 1, l(t, y) = y, one draw, delta tends to one."""
    places, table = fmpq_mat(2, 2, [0, 1, 0, 1]), fmpq_mat(2, 2, [0, 0, 1, 1])
    return world(
        fmpq_mat(2, 1, [0, 1]), (fmpq(1, 2),) * 2, (fmpq(0), fmpq(1)), 1, places, table,
        fmpq(1, size), 1 - fmpq(1, size),
    )  # fmt: skip


step_deviation_up_to_constant = Claim(
    **{
        **shared,
        "source": NOTES.at("Theorem 4.2, proof (2), first against last member"),
        "statement": UpToConstant(
            WithProbability(
                1 - delta, largest_gap <= L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)
            )
        ),
        "measure": {**measure, largest_gap: ball_deviation},
        "families": (
            Family("distance cut at one, a rare label, n grows", truncated_distance,
                   doublings(4, 8)),
            Family("loss that depends on the label only, delta to one", loss_of_label_only,
                   doublings(4, 8)),
        ),
        "reading": "the whole chain up to a constant, every f in the ball",
        "cost": 40.0,
    }
)  # fmt: skip

step_total = Claim(
    source=NOTES.at("Theorem 4.2, proof (3)"),
    statement=WithProbability(
        1 - delta,
        And(
            risk <= detour,
            detour <= penalty * Q + (L * Q + B * sqrt(log(4 / delta))) / sqrt(n),
        ),
    ),
    uses=("wu2021/theorem_4_2:step_norm", "wu2021/theorem_4_2:step_deviation"),
    reading="with plain inequality signs, as displayed, and the probability of the theorem",
    **shared,
)


def offsets_with_zero(source, earlier):
    """Knots around the label of each atom, the label among them."""
    rows = []
    for _ in range(earlier["N"]):
        left, right = (source.rational(fmpq(1, 64), fmpq(2)) for _ in range(2))
        rows += [-left, fmpq(0), right]
    return fmpq_mat(earlier["N"], 3, rows)


def knots_around_labels(places, gram, alpha):
    labels = apply(gram, alpha)
    return by_label(places, gram, alpha) + fmpq_mat(
        len(labels), 3, [label for label in labels for _ in range(3)]
    )


def zero_at_labels(table, gram, alpha):
    rows = by_label(table, gram, alpha)
    return rows * fmpq_mat(3, 3, [1, 0, 0, 0, 0, 0, 0, 0, 1])


at_label, lowest = symbols("at_label lowest", real=True)

repaired = Claim(
    **{
        **shared,
        "source": NOTES.at("Theorem 4.2, repaired"),
        "statement": WithProbability(
            1 - delta,
            risk <= penalty * Q + 2 * L * Q / sqrt(n) + B * sqrt(log(1 / delta) / (2 * n)),
        ),
        "given": [*hypotheses, lowest >= 0, Eq(at_label, 0)],
        "worlds": worlds.and_fields(
            m=Choice((3,)),
            places=Custom(offsets_with_zero, around_zero),
            table=Matrix("N", "m", 0, searched=(0, 1)),
            knots=Derived(knots_around_labels),
            losses=Derived(zero_at_labels),
        ),
        "measure": {
            **measure,
            lowest: lambda losses: min(losses.entries()),
            at_label: lambda gram, alpha, knots, losses: mean_loss(
                knots, losses, apply(gram, alpha), (1,) * losses.nrows()
            ),
        },
        "reading": "with l >= 0 and l(y, y) = 0, which the proof uses",
        "trivial": B,
    }
)

risk_bound = repaired.statement.relation.rhs
epsilon = symbols("epsilon", real=True)

accuracy = Claim(
    **{
        **shared,
        "source": NOTES.at("Theorem 4.2, repaired: n and lambda for a risk of epsilon"),
        "statement": WithProbability(1 - delta, risk <= epsilon),
        "given": [*repaired.given, epsilon > 0, risk_bound <= epsilon],
        "worlds": repaired.worlds,
        "measure": repaired.measure,
        "parameters": {**shared["parameters"], epsilon: Real(0, None, open_low=True)},
        "rescalings": (),
        "reading": "the sample size and the largest lambda at which the repaired bound is at most "
        "epsilon; no lambda > 0 is too small",
        "trivial": B,
    }
)

signs = {
    **measure,
    lowest: repaired.measure[lowest],
    at_label: repaired.measure[at_label],
}

nonnegative = Claim(
    **{
        **shared,
        "source": NOTES.at("Theorem 4.2"),
        "statement": UpToConstant(WithProbability(1 - delta, risk <= bound)),
        "given": [*hypotheses, lowest >= 0],
        "worlds": worlds.and_fields(table=Matrix("N", "m", 0, searched=(0, 1))),
        "measure": signs,
        "families": families[:2],
        "trivial": B,
        "reading": "as printed for losses with l >= 0 that need not vanish at f = f*",
        "cost": 10.0,
    }
)

vanishing = Claim(
    **{
        **shared,
        "source": NOTES.at("Theorem 4.2"),
        "statement": UpToConstant(WithProbability(1 - delta, risk <= bound)),
        "given": [*hypotheses, Eq(at_label, 0)],
        "worlds": repaired.worlds.and_fields(
            m=Integer(3, searched=3),
            places=Custom(offsets_with_zero, increase),
            table=Matrix("N", "m"),
            knots=Custom(
                lambda source, w: knots_around_labels(w["places"], w["gram"], w["alpha"]),
                lambda value, w: increase(value, w) and is_by_label(value, w),
            ),
            losses=Custom(
                lambda source, w: zero_at_labels(w["table"], w["gram"], w["alpha"]), is_by_label
            ),
        ),
        "measure": signs,
        "families": (families[0], families[2]),
        "trivial": B,
        "reading": "as printed for losses of either sign that vanish at f = f*",
        "cost": 10.0,
    }
)
