"""Theorem 4.3: noisy data and the unsquared norm penalty with lambda = sigma / sqrt(n).

Setting    law rho on finitely many points, kernel with k(x, x) <= 1, f* in its RKHS with norm Q and
           |f*| <= 1, y = f*(x) + xi with |xi| <= sigma <= 1, n independent pairs; estimator (4.2):
           minimise (1/n) sum_i (T(f(x_i)) - y_i)^2 + lambda ||f||, T clips to [-1, 1].
Steps      norm and empirical risk of the estimator; the Lipschitz constant of the square loss;
           (4.3); the decomposition of the risk; Hoeffding for the noise; the last display.
Mended     (centred) centred noise and T on the left: the bound still fails.
Repair     the noise term sigma^2 / (lambda sqrt(n)) is kept and lambda is free; or lambda is
           5 (2 + sigma) / sqrt(n), and the printed rate n^(-1/2) stands (repaired_rate).
"""

from sympy import log, sqrt, sympify

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.quantities.clipped_regression import clipped_estimator_error, estimator_error

from . import NOTES
from ._theorem_4_3 import (
    K,
    Q,
    assumptions,
    cells,
    centred_noise,
    centred_worlds,
    delta,
    f,
    level,
    n,
    noise,
    one_draw,
    one_point,
    rho,
    sigma,
    two_fifths,
    unrelated,
)

stated_penalty = sigma / sqrt(n)
error = estimator_error(K, cells, f, noise, rho, stated_penalty)
clipped_error = clipped_estimator_error(K, cells, f, noise, rho, stated_penalty)
rate = (Q + sqrt(log(2 / delta))) / sqrt(n)

printed = Claim(
    NOTES.at("Theorem 4.3"),
    UpToConstant(WithProbability(1 - delta, error <= rate)),
    given=[*assumptions, sigma > 0, level],
    families=(
        unrelated(delta=two_fifths), one_point(delta=two_fifths), one_draw(delta=two_fifths)
    ),
    uses=(
        "wu2021/theorem_4_3:step_norm",
        "wu2021/theorem_4_3:step_rademacher",
        "wu2021/theorem_4_3:step_decomposition",
        "wu2021/theorem_4_3:step_hoeffding",
        "wu2021/theorem_4_3:step_final",
    ),
    # |estimator - f*| <= ||estimator|| + Q, and the norm is at most Q + sigma^2 / lambda.
    trivial=(2 * Q + sigma * sqrt(n)) ** 2,
    reading="with probability 1 - delta, as delta is quantified; sigma > 0 because lambda is a "
    "positive weight; the left side without T, as printed",
    cost=4.0,
)  # fmt: skip

centred = Claim(
    NOTES.at("Theorem 4.3, with centred noise and T on the left"),
    UpToConstant(WithProbability(1 - delta, clipped_error <= rate)),
    given=[*assumptions, sigma > 0, level, centred_noise],
    domains=centred_worlds,
    families=(unrelated(delta=two_fifths),),
    trivial=sympify(4),
    cost=4.0,
)
