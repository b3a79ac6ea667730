"""Theorem 1 with lambda of order n^(-1/2): on the event (18), and over training sets alone.

Setting    alpha = (K + n lambda I)^-1 y, N = alpha^T K alpha, w = Psi^T (K~ + n lambda I)^-1
           (K~ - K) alpha, so that f~ - f = (k~' - k')^T alpha - psi(x')^T w. Write G for (18), G_l
           for (18) with 2 lambda without the l-th feature, p = lambda / (100 b s), lambda <= b / 4.
On event   on G, E_{x'} (psi(x')^T w)^2 <= ||(K~ - K) alpha||^2 / n, whatever the training set.
Over sets  w = w_a - w_b, w_a = (Psi^T Psi + n lambda)^-1 Psi^T Psi c with c = Psi^T alpha, so that
           ||w_a|| <= ||c|| and ||w_b||^2 <= b N / (4 lambda). On G_l, E_{x'} (psi(x')^T w)^2 is
           at most 4 ||(K~ - K) alpha||^2 / n + 6 (b/s) w_l^2, and always at most b ||w||^2. With
           ||w||^2 <= (11/10) ||c||^2 + 11 ||w_b||^2 and E_V ||c||^2 = N, (21) and (22): E(f~ - f)^2
           is at most 2 (10.8 + 1) (b/s) N as soon as G and G_l fail with probability at most p
           given the training set. c_l does not depend on G_l, so what fails for all l weighs p N.
           (18) at delta p / 2 and Markov: so it is for all training sets but delta.
"""

from sympy import And, Rational, log, sqrt

from boundcheck import Claim, Expected, Holds
from boundcheck.expressions import indicator, inner, mean, parameter, world
from boundcheck.settings.random_features import (
    E_test,
    b,
    delta,
    fixed,
    fixed_draw,
    fixed_features,
    m,
    peak,
    rho,
    ridge,
    s,
    x,
)
from boundcheck.worlds import Integer, Real, Vector

from .. import NOTES

STEP = "wang2019/theorem_1:step_"
n, alpha = fixed_features.n, fixed_features.alpha
event = indicator(fixed_features.excess <= ridge)
gap = (fixed_features.f_(x) - fixed_features.f(x)) ** 2

repaired_on_event = Claim(
    NOTES.at("Theorem 1, on the event (18)"),
    Expected(event * E_test(gap) <= 4 * b / s * fixed_features.norm),
    given=[peak <= b],
    uses=(
        STEP + "event", "wang2019/event_18:printed", "wang2019/delta_1:conclusion",
        "wang2019/delta_2:printed", "wang2019/delta_3:printed",
    ),
    reading="For every training set. By (18) the event has probability at least 1 - delta over "
    "training set and features when lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)).",
    cost=4.0,
)  # fmt: skip

WIDE = {n: Integer(1, wide=True, searched=10**9), s: Integer(1, wide=True, searched=10**6)}


def enough(failures):
    """lambda and n as in Theorem 1 and as in (18), with a number of failures in the logarithm."""
    return Claim(
        NOTES.at("Theorem 1, lambda against (18)"),
        Holds(n >= 8 * b**2 / (3 * ridge**2) * log(failures / delta)),
        given=[ridge >= 2 * b / sqrt(n) * sqrt(log(failures / delta))],
        domains=WIDE,
    )


FAILURES = 100 * s**2 * sqrt(n)
step_event, step_event_over_sets = enough(s), enough(FAILURES)
step_least_ridge = Claim(
    NOTES.at("Theorem 1, lambda against (18) at delta lambda / (200 b s)"),
    Holds(4 * b <= ridge * sqrt(n)),
    given=[ridge >= 2 * b / sqrt(n) * sqrt(log(FAILURES / delta))],
    domains=WIDE,
)
step_failures = Claim(
    NOTES.at("Theorem 1, lambda against (18) at delta lambda / (200 b s)"),
    Holds(log(200 * b * s**2 / (delta * ridge)) <= log(FAILURES / delta)),
    given=[4 * b <= ridge * sqrt(n)],
    domains=WIDE,
    uses=(STEP + "least_ridge",),
)

# w_l psi(.; v_l) / sqrt(s) and the sum over the other features, at the points; ||w||^2.
one, others = (world(name, Vector(m, searched=(-2, 2))) for name in ("one", "others"))
size, share = (parameter(name, Real(0, None)) for name in ("size", "share"))


def in_sample(h):
    return fixed.E_training(lambda at: h[at] ** 2)


step_one_feature = Claim(
    NOTES.at("Theorem 1, (18) without one feature"),
    Holds(
        mean((one[x] + others[x]) ** 2, x, rho)
        <= 4 * (fixed.E_training(lambda at: (one[at] + others[at]) ** 2) + ridge * size)
        + 6 * b / s * share
    ),
    given=[
        mean(others[x] ** 2, x, rho) <= in_sample(others) + 2 * ridge * size,
        mean(one[x] ** 2, x, rho) <= b / s * share,
        in_sample(one) <= b / s * share,
    ],
    reading="`share` is w_l^2, `size` is ||w||^2.",
)

c = fixed_draw.Psi.T * fixed_draw.alpha
own = fixed_draw.Psi.T * fixed_draw.R_
w_a, w_b = own * fixed_draw.K_ * fixed_draw.alpha, own * fixed_draw.K * fixed_draw.alpha
step_sizes = Claim(
    NOTES.at("Theorem 1, the two parts of w"),
    Holds(
        And(
            inner(w_a, w_a) <= inner(c, c),
            inner(w_b, w_b) <= b / (4 * ridge) * fixed_draw.norm,
        )
    ),
    given=[peak <= b],
)

chance = parameter("p", Real(0, 1), says="Chance of failure given the training set.")
far = 11 * b / (4 * ridge)
total = 4 + 6 * (Rational(11, 10) + far * chance) + s * (Rational(11, 10) + far) * chance
step_total = Claim(
    NOTES.at("Theorem 1, the sum"),
    Holds(2 * total + 2 <= 24),
    given=[b > 0, 4 * ridge <= b, chance <= ridge / (100 * b * s)],
    domains=WIDE,
    reading="In units of (b/s) N.",
)
