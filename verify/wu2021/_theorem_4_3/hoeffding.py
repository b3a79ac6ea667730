"""The steps of the proof that speak of the noise alone."""

from flint import fmpq
from sympy import And, log, sqrt

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import outcome, parameter, total
from boundcheck.worlds import Counts, Family, Integer, Real, doublings

from .. import NOTES
from . import UNIT, J, j, n, noise, noise_weights, penalty, quiet, second_moment, sigma
from .proof import delta_1

counts = outcome("counts", Counts("counts", noise_weights, n, over="the noise"))
mean_square = total(counts[j] * noise[j] ** 2, j) / n
delta_2 = parameter("delta_2", UNIT, latex=r"\delta_2")
Q = parameter("Q", Real(0, None), says="Norm of the target.")
more = {n: Integer(1, searched=15), J: Integer(1, searched=3)}

step_hoeffding = Claim(
    NOTES.at("Theorem 4.3, proof, Hoeffding"),
    WithProbability(
        1 - delta_2, mean_square - second_moment <= sigma * sqrt(log(1 / delta_2) / n)
    ),
    given=[quiet, sigma <= 1, And(delta_2 > 0, delta_2 < 1)],
    domains=more,
    cost=4.0,
)

first_line = (
    mean_square - second_moment + penalty * Q + mean_square / (penalty * sqrt(n)) + Q / sqrt(n)
    + sqrt(log(1 / delta_1) / n)
)  # fmt: skip
second_line = (
    penalty * Q + sigma * sqrt(log(1 / delta_2)) / (penalty * n) + Q / sqrt(n)
    + sqrt(log(1 / delta_1) / n)
)  # fmt: skip


def constant_unit_noise(size):
    """Noise always one, lambda = 1 / sqrt(n), f* = 0; n a square."""
    one = fmpq(1)
    return {
        "n": size**2, "J": 1, "noise": (one,), "noise_weights": (one,), "Q": fmpq(0), "sigma": one,
        "lambda": fmpq(1, size), "delta_1": fmpq(1, 4), "delta_2": fmpq(1, 4),
    }  # fmt: skip


step_final = Claim(
    NOTES.at("Theorem 4.3, proof, last display"),
    UpToConstant(WithProbability(1 - delta_2, first_line <= second_line)),
    given=[
        quiet, sigma <= 1, penalty > 0, Q >= 0,
        And(delta_1 > 0, delta_1 < 1), And(delta_2 > 0, delta_2 < 1),
    ],
    domains=more,
    families=(
        Family("noise of constant size, lambda = sigma / sqrt(n)", constant_unit_noise,
               doublings(2, 6)),
    ),
    uses=("wu2021/theorem_4_3:step_hoeffding", "wu2021/theorem_4_3:step_rademacher"),
    reading="the second sign of the display, where Hoeffding's inequality enters",
    cost=4.0,
)  # fmt: skip
