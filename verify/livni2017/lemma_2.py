"""Lemma 2: how often Algorithm 1 ends up farther from f* than a gradient step would.

Setting    Algorithm 1 with B >= 1 and eta < 1/8; g_t = (E_t - y_t) Phi(x_t); f^_t = f_t - eta g_t,
           P_t(f*) = P(||f_t - f*|| > ||f^_t - f*||); ||f*|| < B as everywhere in the analysis.
Claim      P_t(f*) <= 2 exp(-m / (3 eta t)^2).
"""

from sympy import And, Rational, exp, symbols

from boundcheck import Claim, Expected, Holds, WithProbability
from boundcheck.quantities import quantity, renamed
from boundcheck.quantities.online import DESCENT, PRINTED
from boundcheck.worlds import Choice, Custom, Integer, Real, Vector

from . import (
    AT_LEAST_ONE,
    DESCENT_PASS,
    NOTES,
    POSITIVE,
    PRINTED_PASS,
    B,
    T,
    comparator,
    distance,
    estimate,
    eta,
    f_star,
    gradient_step,
    hat,
    hat_distance,
    m,
    new,
    new_distance,
    next_function,
    norm_of,
    one_modulus,
    product,
    product_of_pass,
    runs,
    sign_features,
    squared_distance,
    star_norm,
)
from ._long import long_runs

farther = symbols("farther", real=True)


def setting(rounds, update=PRINTED):
    """Worlds with up to the given number of rounds, and the distances to f*."""
    return dict(
        given=[B >= 1, And(eta > 0, eta < Rational(1, 8)), star_norm < B],
        worlds=runs(rounds=rounds).and_fields(direction=Vector("K", -1, 1)),
        parameters={B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, searched=2)},
        measure={
            f_star: comparator,
            star_norm: renamed(norm_of, f="f_star"),
            hat: gradient_step,
            new: next_function(update),
            distance: squared_distance,
            hat_distance: renamed(squared_distance, f="hat"),
            new_distance: renamed(squared_distance, f="new"),
        },
        draw=PRINTED_PASS if update == PRINTED else DESCENT_PASS,
        cost=8,
    )


printed = Claim(
    source=NOTES.at("Lemma 2"),
    statement=WithProbability(1 - 2 * exp(-m / (3 * eta * T) ** 2), distance <= hat_distance),
    uses=(
        "livni2017/lemma_6:printed",
        "livni2017/event_bounds:printed",
        "livni2017/lemma_2:step_constants",
    ),
    reading="f^_t is the one that the lemma defines. The round is the last one, T stands for t.",
    **setting(rounds=3),
)

# P_{t+1} compares f_{t+1} with f^_{t+1} = f_t - eta g_t, both made in round t.
overruled = 1 - 2 * exp(-m / (3 * eta * (T + 1)) ** 2)

as_in_lemma_1 = Claim(
    source=NOTES.at("Lemma 2, with f^ of Lemma 1"),
    statement=WithProbability(overruled, new_distance <= hat_distance),
    uses=("livni2017/algorithm_1:printed",),
    reading="f^_t is that of Lemma 1, made from f_{t-1}; the algorithm is as printed.",
    **setting(rounds=3),
)


@quantity(
    estimator=lambda new_distance, hat_distance: 1.0 * (new_distance > hat_distance * (1 + 1e-9)),
    bounds=lambda: (0, 1),
)
def is_farther(new_distance, hat_distance):
    """Indicator of the event whose probability is P_{t+1}."""
    return int(new_distance > hat_distance)


# About 45 rounds are the least after which an estimate can reach 16 B with steps below 1/8.
shared = setting(rounds=3, update=DESCENT)
long_setting = shared | {
    "worlds": long_runs((1, 4, 60, 80)).and_fields(
        psi=Custom(sign_features, one_modulus), direction=Vector("K", -1, 1)
    ),
    "parameters": {
        B: AT_LEAST_ONE, eta: Real(0, "1/8", open_low=True, open_high=True),
        m: Integer(1, searched=2),
    },
    "measure": shared["measure"] | {farther: is_farther},
    "cost": 3,
}  # fmt: skip

repaired = Claim(
    source=NOTES.at("Lemma 2, with f^ of Lemma 1 and a descent step"),
    statement=Expected(farther <= 2 * exp(-m / (3 * eta * (T + 1)) ** 2)),
    uses=("livni2017/lemma_6:repaired", "livni2017/event_bounds:printed"),
    **long_setting,
)

chain_exponent = m * (8 * B) ** 2 / ((16 * B + 1) * eta * T) ** 2
chain = setting(rounds=24)
chain["measure"] = {product: product_of_pass}
chain["cost"] = 3
chain["given"] = [B >= 1, And(eta > 0, eta < Rational(1, 8))]
chain["worlds"] = runs().and_fields(
    N=Choice((1, 2, 2)), K=Choice((1, 2, 2)), T=Choice((1, 2, 4, 24, 24, 24)),
    psi=Custom(sign_features, one_modulus),
)
near = abs(estimate - product) <= 8 * B

step_constants = Claim(
    source=NOTES.at("appendix B.2, the chain of exponents"),
    statement=WithProbability(1 - exp(-chain_exponent), near),
    uses=("livni2017/equation_20:printed", "livni2017/lemma_2:step_exponents"),
    **chain,
)

step_exponents = Claim(
    source=NOTES.at("appendix B.2, the chain of exponents"),
    statement=Holds(exp(-chain_exponent) < exp(-m / (3 * eta * T) ** 2)),
    given=[B >= 1, And(eta > 0, eta < Rational(1, 8)), m >= 1, T >= 1],
    parameters={
        B: AT_LEAST_ONE, eta: POSITIVE, m: Integer(1, wide=True, searched=10**6),
        T: Integer(1, wide=True, searched=10**6),
    },
)  # fmt: skip

repaired_constants = Claim(
    source=NOTES.at("appendix B.2, with Hoeffding's constants"),
    statement=WithProbability(1 - 2 * exp(-chain_exponent / 2), near),
    uses=("livni2017/equation_20:repaired",),
    **(chain | {"draw": DESCENT_PASS}),
)
