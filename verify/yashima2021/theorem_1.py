"""Theorem 1: distance of the minimisers in the RKHS and with random features, simplified.

Setting    Lipschitz convex loss, features bounded by R, sup-norm interpolation with exponent p and
           constant C(delta); M independent features; 0 < delta <= 1.
Claim      sup |g_lambda - g_{M, lambda}| is at most a constant times
           (R^4 log(R / delta) / M)^min((1 - p)/4, 1/8) C R L^(3/4) ||g_*|| / lambda^(3/4) with
           probability 1 - delta (conference edition); with ||g_lambda|| for ||g_*|| and
           probability 1 - 2 delta (preprint).
Repaired   the same power of M in a display that is free of units, with log(2 R^2 / (||T|| delta)).
"""

from sympy import And, Integer as number, Min, Rational, log

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.expressions import define
from boundcheck.settings.averaged_sgd import BOUNDED, M, R, delta, g_lambda, gap, lam, p
from boundcheck.worlds import Family, Integer, doublings

from . import AISTATS, ARXIV
from ._populations import own_features, population
from ._theorem_1_full import constants
from ._theorem_3 import PREPRINT

norm_lambda = define("norm_lambda", g_lambda.norm, latex=r"\|g_\lambda\|")


def bound(lipschitz, norm):
    """The right side with the Lipschitz constant and the norm of an edition."""
    rate = (R**4 * log(R / delta) / M) ** Min((1 - p) / 4, Rational(1, 8))
    return rate * constants.C * R * lipschitz ** Rational(3, 4) * norm / lam ** Rational(3, 4)


def along(name, rule, count=8):
    def world(size):
        return {"M": 1, "delta": Rational(1, 4), "p": number(0), "R": number(1),
                **rule(number(size))}  # fmt: skip

    return Family(name, world, doublings(1, count))


PLAIN = population(own_features())
FAMILIES = (
    along("M grows", lambda s: {**PLAIN, "M": int(s)}),
    along("delta shrinks", lambda s: {**PLAIN, "delta": 1 / (4 * s)}),
    along("lambda shrinks", lambda s: {**PLAIN, "lambda": 1 / s}),
    along("lambda grows", lambda s: {**PLAIN, "lambda": s}, 12),
    along("features grow by s, lambda by s^2: the same minimisers",
          lambda s: {**population(own_features(s)), "lambda": s**2, "R": s}, 12),
    along("margins are measured in units of 1/s, lambda grows by s^2: all minimisers by 1/s",
          lambda s: {**PLAIN, "lambda": s**2, "stretch": 1 / s}, 12),
    along("R falls to delta, the size of the features",
          lambda s: {**population(own_features(Rational(1, 4))), "R": (1 + 1 / s) / 4}),
)  # fmt: skip


def theorem(place, probability, right, edition, given, reading):
    return Claim(
        place,
        UpToConstant(WithProbability(probability, gap <= right), depends=("delta",)),
        given=[lam > 0, *BOUNDED, *given],
        domains={M: Integer(1, wide=True, searched=10**9)},
        families=FAMILIES,
        uses=(
            "yashima2021/assumption_1:printed",
            "yashima2021/assumption_2:printed",
            f"yashima2021/theorem_1_full:{edition}",
        ),
        reading=reading + "; the hidden constant may depend on delta, C(delta) serves for "
        "every draw",
        cost=20,
    )


def of_aistats(where, reading, *given):
    whole = [And(delta > 0, delta < 1), constants.norm_star > 0, *given]
    right = bound(constants.G, constants.norm_star)
    return theorem(AISTATS.at(where), 1 - delta, right, "aistats", whole, reading)


def of_arxiv(where, reading, *given):
    whole = [And(delta > 0, delta < Rational(1, 2)), *given]
    right = bound(PREPRINT.G, norm_lambda)
    return theorem(ARXIV.at(where), 1 - 2 * delta, right, "arxiv", whole, reading)


EVERY = "every delta at which the probability says something"
POSITIVE = "only where the printed logarithm is positive"
aistats = of_aistats(
    "Theorem 1 (simplified)", f"g_* minimises the expected loss and lies in H; {EVERY}"
)
aistats_where_defined = of_aistats(
    "Theorem 1 (simplified), for delta below R", POSITIVE, delta < R
)
arxiv = of_arxiv("Theorem 1, (24)-(25)", EVERY)
arxiv_where_defined = of_arxiv("Theorem 1, (24)-(25), for delta below R", POSITIVE, delta < R)
