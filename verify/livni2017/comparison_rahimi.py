"""Sections 1 and 4: cost against fixed random features.

Setting    fixed features: r = B^2 log(1/delta) / eps^2 features drawn once and evaluated on as many
           samples. Algorithm 1: T = B^2 / eps^2 rounds with m = B^4 T draws, each of one feature
           and two evaluations (up to logarithms).
Claim      section 4: Algorithm 1 estimates B^8 / eps^4 features, more than r on each of as many
           samples; section 1: it improves the sample and computational complexity of random
           features.
"""

from sympy import And, Eq, Rational, log

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.settings.sampled_features import AT_LEAST_ONE, B, delta, epsilon
from boundcheck.worlds import Family, Real, doublings

from . import NOTES

rounds = B**2 / epsilon**2
draws = rounds * (B**4 * rounds)
fixed = rounds * log(1 / delta)

setting = dict(
    given=[B >= 1, And(epsilon > 0, epsilon < 1), And(delta > 0, delta < 1)],
    domains={**AT_LEAST_ONE, epsilon: Real(0, 1, open_low=True, open_high=True)},
)


def at(B, epsilon):
    """Parameter values at delta = 1/10."""
    return {"B": Rational(B), "epsilon": Rational(1, epsilon), "delta": Rational(1, 10)}


families = (
    Family("eps -> 0, B = 1", lambda n: at(1, n), sizes=doublings(2, 8)),
    Family("B grows, eps = 1/2", lambda n: at(n, 2), sizes=doublings(1, 8)),
)

printed = Claim(
    NOTES.at("section 1, computational complexity against random features"),
    UpToConstant(2 * draws <= fixed * fixed),
    families=families,
    reading="Cost is the number of feature evaluations, of the two counts of work on features (the "
    "other is calls of the generator) the kinder one to Algorithm 1; what fitting fixed features "
    "costs beyond them is not stated. To improve is to need at most a constant times as many, for "
    "every B and accuracy below 1.",
    **setting,
)

step_generator_calls = Claim(
    NOTES.at("section 1, calls to the feature generator"),
    UpToConstant(draws <= fixed),
    families=families,
    reading="As for the printed claim, with the other count: features drawn, by which section 1 "
    "measures Algorithm 1.",
    **setting,
)

step_section_4 = Claim(
    NOTES.at("section 4, number of estimated features"),
    Holds(And(Eq(draws, B**8 / epsilon**4), draws >= rounds**2)),
    reading="Features estimated: B^2 / eps^2 of them on as many samples for fixed features.",
    **setting,
)
