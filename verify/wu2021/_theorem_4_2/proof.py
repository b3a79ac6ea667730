"""The steps of the proof."""

from flint import fmpq
from sympy import And, Eq, log, sqrt

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.expressions import form
from boundcheck.quantities.complexity import sample_complexity
from boundcheck.quantities.regularised import (
    largest_deviation,
    least_objective,
    mean_loss,
    worst_detour,
    worst_norm,
    worst_risk,
)
from boundcheck.worlds import Family, doublings

from .. import NOTES
from . import (
    B,
    K,
    L,
    Q,
    alpha,
    counts,
    delta,
    estimators,
    f,
    gaps,
    hypotheses,
    knots,
    losses,
    member,
    n,
    penalty,
    rare_label,
    risk,
    seen,
)

found = estimators(knots, losses)
given = hypotheses(knots, losses)
target_risk = mean_loss(knots, losses, f, seen)

step_norm = Claim(
    NOTES.at("Theorem 4.2, proof (1)"),
    Holds(
        And(
            least_objective(found, knots, losses, seen, penalty) <= target_risk + penalty * Q,
            Eq(target_risk + penalty * Q, penalty * Q),
            worst_norm(found) <= Q,
            worst_risk(found, knots, losses, seen) <= penalty * Q,
        )
    ),
    given=given,
    reading="every minimiser of (4.1), under the hypotheses of the theorem",
    cost=3.0,
)

deviation = L * Q / sqrt(n) + B * sqrt(log(1 / delta) / n)

step_deviation = Claim(
    NOTES.at("Theorem 4.2, proof (2)"),
    Holds(L * sample_complexity(K, counts, Q) + B * sqrt(log(4 / delta) / n) <= deviation),
    given=given,
    uses=("wu2021/contraction:printed", "wu2021/proposition_4_1:printed"),
    reading="the last link of the display, printed with a plain inequality sign; the chain up to a "
    "constant is `step_deviation_up_to_constant`",
    cost=3.0,
)


def loss_of_label_only(size):
    """Labels 0 and 1, l(t, y) = y, one draw, delta tends to one."""
    return member(
        (0, 1), (fmpq(1, 2),) * 2, (fmpq(0), fmpq(1)), 1, ((0, 1), (0, 1)), ((0, 0), (1, 1)),
        fmpq(1, size), 1 - fmpq(1, size),
    )  # fmt: skip


step_deviation_up_to_constant = Claim(
    NOTES.at("Theorem 4.2, proof (2), first against last member"),
    UpToConstant(
        WithProbability(
            1 - delta, largest_deviation(K, knots, losses, gaps, form(K, alpha)) <= deviation
        )
    ),
    given=given,
    families=(
        rare_label,
        Family("loss that depends on the label only, delta to one", loss_of_label_only,
               doublings(4, 8)),
    ),
    reading="the whole chain up to a constant, every f in the ball",
    cost=40.0,
)  # fmt: skip

detour = worst_detour(found, knots, losses, seen, gaps)

step_total = Claim(
    NOTES.at("Theorem 4.2, proof (3)"),
    WithProbability(
        1 - delta,
        And(
            risk(knots, losses) <= detour,
            detour <= penalty * Q + (L * Q + B * sqrt(log(4 / delta))) / sqrt(n),
        ),
    ),
    given=given,
    uses=("wu2021/theorem_4_2:step_norm", "wu2021/theorem_4_2:step_deviation"),
    reading="with plain inequality signs, as displayed, and the probability of the theorem",
    cost=3.0,
)
