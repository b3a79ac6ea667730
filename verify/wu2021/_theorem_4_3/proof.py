"""The steps of the proof that speak of the estimator."""

from flint import fmpq
from sympy import Abs, And, Eq, log, sqrt

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.expressions import parameter
from boundcheck.quantities.clipped_regression import (
    estimator_empirical,
    estimator_error,
    estimator_norm,
    estimator_objective,
    estimator_risk,
    mean_noise_square,
    mean_residual,
)
from boundcheck.worlds import Real, doublings

from .. import NOTES
from . import (
    UNIT,
    K,
    Q,
    along,
    assumptions,
    cells,
    centred_noise,
    centred_worlds,
    clipped_error,
    f,
    n,
    noise,
    noise_weights,
    one_draw,
    one_over_size,
    one_point,
    penalty,
    rare_point,
    rho,
    root_rate,
    second_moment,
    sigma,
    target,
    two_fifths,
    unrelated,
)

fit = (K, cells, f, noise, penalty)
empirical = estimator_empirical(*fit)
risk = estimator_risk(K, cells, f, noise, noise_weights, rho, penalty)
mean_square = mean_noise_square(cells, noise)

step_norm = Claim(
    NOTES.at("Theorem 4.3, proof, first display"),
    Holds(
        And(
            estimator_objective(*fit) <= target + penalty * Q,
            empirical <= target + penalty * Q,
            estimator_norm(*fit) <= Q + target / penalty,
        )
    ),
    given=[*assumptions, penalty > 0],
    reading="the empirical risk is the first term of (4.2), with T",
    cost=4.0,
)

t, s = (parameter(name, Real(None, None, searched=(-1, 1))) for name in "ts")
y = parameter("y", Real(None, None, searched=(-2, 2)))
lipschitz = Abs((t - y) ** 2 - (s - y) ** 2) <= 2 * (2 + sigma) * Abs(t - s)
label = [sigma >= 0, sigma <= 1, Abs(y) <= 1 + sigma]

step_lipschitz = Claim(
    NOTES.at("Theorem 4.3, proof, Lipschitz constant"),
    Holds(lipschitz),
    given=[*label, t >= -1, t <= 1, s >= -1, s <= 1],
    reading="on [-1, 1], the range of T, as phi_i is put after T and the constant is sharp there",
    cost=1.0,
)

step_lipschitz_whole_line = Claim(
    NOTES.at("Theorem 4.3, proof, Lipschitz constant, without T"),
    Holds(lipschitz),
    given=label,
    domains={t: Real(None, None), s: Real(None, None)},
    reading="t on the whole line, which the print does not exclude",
    cost=0.3,
)

delta_1 = parameter("delta_1", UNIT, latex=r"\delta_1")
chain = target + penalty * Q + (Q + target / penalty) / sqrt(n)
vanishing_penalty = {"delta_1": two_fifths, "lambda": one_over_size}

step_rademacher = Claim(
    NOTES.at("(4.3)"),
    UpToConstant(WithProbability(1 - delta_1, risk <= chain + sqrt(log(2 / delta_1) / n))),
    given=[*assumptions, penalty > 0, And(delta_1 > 0, delta_1 < 1)],
    families=(
        unrelated("lambda = 1 / n", **vanishing_penalty),
        unrelated("lambda = 1", **{"delta_1": two_fifths, "lambda": lambda size: fmpq(1)}),
        one_point(**vanishing_penalty),
        one_draw(**vanishing_penalty),
        # Along this one the right side tends to zero.
        along(
            "no noise, f* = 1 on a point of weight lambda / 2, lambda = 1 / sqrt(n)",
            rare_point(fmpq(0)), doublings(64, 8),
            **{"delta_1": two_fifths, "lambda": root_rate},
        ),
    ),
    uses=(
        "wu2021/theorem_4_3:step_norm",
        "wu2021/theorem_4_3:step_lipschitz",
        "wu2021/contraction:printed",
    ),
    reading="first against last member of the chain; R with T like the empirical risk of (4.2)",
    cost=4.0,
)  # fmt: skip

residual = mean_residual(K, cells, f, noise, noise_weights, rho, penalty)
error = estimator_error(K, cells, f, noise, rho, penalty)

step_decomposition = Claim(
    NOTES.at("Theorem 4.3, proof, display of the risk"),
    Holds(
        And(
            Eq(empirical, residual),
            Eq(residual, error + second_moment),
            Eq(target, mean_square),
        )
    ),
    given=[*assumptions, penalty > 0],
    reading="the left side is the empirical risk, with T, as its symbol says; no square inside the "
    "expectation, as displayed",
    cost=6.0,
)

step_decomposition_repaired = Claim(
    NOTES.at("Theorem 4.3, proof, display of the risk, repaired"),
    Holds(And(Eq(risk, clipped_error + second_moment), Eq(target, mean_square))),
    given=[*assumptions, penalty > 0, centred_noise],
    domains=centred_worlds,
    reading="population risk on the left, the square inside the expectation, T, centred noise",
    cost=6.0,
)
