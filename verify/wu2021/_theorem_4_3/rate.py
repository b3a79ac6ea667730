"""The theorem at its printed rate, with lambda = 5 (2 + sigma) / sqrt(n), and its steps.

On ||f|| <= r, sqrt(n) (R(f) - R_n(f)) <= 4 (2 + sigma) r + (2 + sigma)^2 sqrt(log(1/delta) / 2)
by contraction and bounded differences, with probability 1 - delta. At r = (2/5)(2 + sigma)(k + 1)
and delta / ((k + 1)(k + 2)) for all k at once, every f has, with probability 1 - delta,
R(f) - R_n(f) <= (5 (2 + sigma) ||f|| + (2 + sigma)^2 (11/5 + sqrt(log(1/delta) / 2))) / sqrt(n):
what grows with the norm of the estimator is paid by lambda ||f|| in (4.2), not by its bound.
"""

from flint import fmpq
from sympy import And, Eq, Rational, log, sqrt, sympify

from boundcheck import Claim, Holds, UpToConstant, WithProbability
from boundcheck.expressions import index, parameter, total
from boundcheck.quantities.clipped_regression import clipped_estimator_error, estimator_norm
from boundcheck.worlds import Integer, Real, doublings

from .. import NOTES
from . import (
    K,
    Q,
    along,
    assumptions,
    cells,
    centred_noise,
    centred_worlds,
    clipped_error,
    delta,
    f,
    level,
    n,
    noise,
    one_draw,
    penalty,
    quiet,
    rare_point,
    rho,
    root_rate,
    second_moment,
    sigma,
    two_fifths,
    unrelated,
)
from .hoeffding import mean_square, more
from .proof import delta_1, empirical, fit, risk

HERE = NOTES.at("Theorem 4.3, repaired, at the printed rate")
STEP = "wu2021/theorem_4_3:step_"
least_penalty = 5 * (2 + sigma) / sqrt(n)


def constant(failure):
    """(2 + sigma)^2 (11/5 + sqrt(log(1/delta) / 2)) / sqrt(n) at a probability of failure."""
    return (2 + sigma) ** 2 * (Rational(11, 5) + sqrt(log(1 / failure) / 2)) / sqrt(n)


def of_noise(failure):
    return sigma**2 * sqrt(log(1 / failure) / (2 * n))


def rare(size, **parameters):
    """f* = 1 on a point of weight 6 / sqrt(n), noise of height 1/2."""
    world = rare_point(fmpq(1, 2))(size, **parameters, **{"lambda": 12 * root_rate(size)})
    del world["lambda"]
    return world


repaired_rate = Claim(
    HERE,
    UpToConstant(
        WithProbability(
            1 - delta,
            clipped_estimator_error(K, cells, f, noise, rho, least_penalty)
            <= (Q + sqrt(log(2 / delta))) / sqrt(n),
        )
    ),
    given=[*assumptions, level, centred_noise],
    domains=centred_worlds,
    families=(
        unrelated(delta=two_fifths),
        one_draw(delta=two_fifths),
        along("f* = 1 on a point of weight 6 / sqrt(n)", rare, doublings(256, 6),
              delta=two_fifths),
    ),
    uses=("wu2021/theorem_4_3:repaired_rate_constants", STEP + "order"),
    reading="with T on the left, centred noise, and lambda that does not vanish with sigma",
    trivial=sympify(4),
    cost=4.0,
)  # fmt: skip
repaired_rate_constants = Claim(
    HERE,
    WithProbability(
        1 - delta, clipped_error <= penalty * Q + constant(delta / 2) + of_noise(delta / 2)
    ),
    given=[*assumptions, penalty >= least_penalty, level, centred_noise],
    domains={**centred_worlds, n: Integer(1, wide=True, searched=60)},
    uses=tuple(
        STEP + name for name in ("norm", "deviation", "noise", "decomposition_repaired", "rate")
    ),
    trivial=sympify(4),
    cost=20.0,
)
step_deviation = Claim(
    HERE,
    WithProbability(
        1 - delta_1,
        risk <= empirical + 5 * (2 + sigma) * estimator_norm(*fit) / sqrt(n) + constant(delta_1),
    ),
    given=[*assumptions, penalty > 0, And(delta_1 > 0, delta_1 < 1)],
    uses=(
        "wu2021/theorem_4_3:step_lipschitz", "wu2021/contraction:printed",
        "wu2021/proposition_4_1:printed", STEP + "levels", STEP + "series",
    ),
    cost=4.0,
)  # fmt: skip
step_noise = Claim(
    HERE,
    WithProbability(1 - delta_1, mean_square - second_moment <= of_noise(delta_1)),
    given=[quiet, And(delta_1 > 0, delta_1 < 1)],
    domains=more,
    cost=4.0,
)

k = parameter("k", Real(1, None, searched=(1, 10**6), log=True))
many = parameter("many", Integer(1, searched=100))
i = index("i", many)
step_levels = Claim(
    HERE,
    Holds(25 * log((k + 1) * (k + 2)) <= 2 * (3 + 2 * k) ** 2),
    reading="The term of level k >= 1 against (3 + 2 k)/5; that of k = 0 is sqrt(log(2)/2) < 3/5.",
)
step_series = Claim(HERE, Holds(Eq(total(1 / ((i + 1) * (i + 2)), i), 1 - 1 / (many + 1))))

norm, seen, true, target, moment, loose, most = (
    parameter(name, Real(0, None))
    for name in ("norm", "seen", "true", "target", "moment", "loose", "most")
)
step_rate = Claim(
    HERE,
    Holds(true - moment <= penalty * Q + loose + most),
    given=[
        penalty >= least_penalty, seen + penalty * norm <= target + penalty * Q,
        true <= seen + 5 * (2 + sigma) * norm / sqrt(n) + loose, target <= moment + most,
    ],
    domains={Q: parameter("Q", Real(0, None)), n: Integer(1, wide=True, searched=10**6)},
    reading="The letters are the norm of the estimator, its empirical and true risk, the empirical "
    "risk of f*, the second moment of the noise, and the two deviations.",
)  # fmt: skip
u = parameter("u", Real("69/100", None), says="log(2 / delta).")
step_log_two = Claim(HERE, Holds(log(2 / delta) >= Rational(69, 100)), given=[level])
step_order = Claim(
    HERE,
    Holds(
        5 * (2 + sigma) * Q + (2 + sigma) ** 2 * (Rational(11, 5) + sqrt(u / 2))
        + sigma**2 * sqrt(u / 2) <= 32 * (Q + sqrt(u))
    ),
    given=[sigma <= 1],
    domains={Q: parameter("Q", Real(0, None))},
    uses=(STEP + "log_two",),
    reading="Times sqrt(n), at lambda = 5 (2 + sigma) / sqrt(n).",
)
