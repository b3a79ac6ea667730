"""From the condition on T to the expected excess error: (165)-(167)."""

from sympy import Max, Rational, exp

from boundcheck import Claim, Holds
from boundcheck.expressions import index, indicator, mean, parameter, world
from boundcheck.settings.averaged_sgd import T, gamma, lam
from boundcheck.worlds import Integer, Real, Vector, Weights

from .. import ARXIV
from .._theorem_3 import FREE
from . import STEP

m, G, R, start = FREE.m, FREE.G, FREE.R, FREE.start_gap
distance = parameter("distance", Real(0, None), says="||E average - g_{M,lambda}||.")
GAMMA = Real(3, None, log=True, searched=(3, 10**6))
SCALARS = {gamma: GAMMA, T: Integer(1, wide=True, searched=10**6)}
proposition_5 = distance**2 <= 2 / lam * (
    18 * G**2 * R**2 / (lam * (2 * gamma + T))
    + lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * start**2
)


def expectation(where, condition, editions, **options):
    return Claim(
        ARXIV.at(where),
        Holds(distance <= m / (8 * R)),
        given=[condition <= FREE.threshold(), proposition_5],
        domains=SCALARS,
        uses=tuple(f"yashima2021/proposition_5:{edition}" for edition in editions),
        **options,
    )


step_expectation = expectation(
    "proof of Theorem 3, (165); AISTATS Appendix E, (29)",
    Max(FREE.first(), FREE.second()),
    ("aistats", "arxiv"),
    reading="the step as argued: the condition on T makes the bound of Proposition 5 small enough; "
    "AISTATS refers to Proposition 6; gamma >= 3 from eta_1 <= 1/(2 lambda)",
)
repaired_expectation = expectation(
    "proof of Theorem 3, (165), with the sum in place of the maximum",
    FREE.first() + FREE.second(),
    ("repaired",),
    cost=4,
)

J = world("J", Integer(1, searched=4), says="Number of averages.")
law = world("weights", Weights(J), says="Law of the average, in the plane.")
first, second = (world(name, Vector(J, searched=(-2, 2))) for name in ("first", "second"))
target = world("target", Vector(2, searched=(-2, 2)), says="g_{M,lambda}.")
j = index("j", J)
centre = mean(first[j], j, law), mean(second[j], j, law)


def square_to(point):
    return (first[j] - point[0]) ** 2 + (second[j] - point[1]) ** 2


step_probability = Claim(
    ARXIV.at("proof of Theorem 3, (166); AISTATS Appendix E"),
    Holds(
        mean(indicator(square_to(target) <= (m / (4 * R)) ** 2), j, law)
        >= 1 - 2 * exp(-FREE.exponent(T))
    ),
    given=[
        (centre[0] - target[0]) ** 2 + (centre[1] - target[1]) ** 2 <= (m / (8 * R)) ** 2,
        mean(indicator(square_to(centre) >= (m / (8 * R)) ** 2), j, law)
        <= 2 * exp(-(lam**2) * (2 * gamma + T) / (2**6 * 3**2 * G**2 * R**2) * (m / (8 * R)) ** 2),
    ],
    domains=SCALARS,
    uses=("yashima2021/proposition_6:arxiv", STEP + "expectation"),
    reading="any law of averages in the plane for which (165) and Proposition 6 at m/(8R) hold",
)

law_of_excess = world("weights", Weights(J, zeros=True), says="Law of the excess error.")
excess = world("excess", Vector(J, 0, 1), says="Its values.")
rate = parameter("rate", Real(0, None))


def of_excess(where, bound, **options):
    right = mean(indicator(excess[j] <= 0), j, law_of_excess)
    return Claim(
        ARXIV.at(where),
        Holds(mean(excess[j], j, law_of_excess) <= bound),
        given=[right >= 1 - 2 * exp(-rate), rate >= Rational(1, 16)],
        uses=(STEP + "probability", STEP + "sign"),
        **options,
    )


step_excess = of_excess(
    "proof of Theorem 3, (167); AISTATS Appendix E, last display",
    1 - 2 * exp(-rate),
    reading="any law of the excess error in [0, 1] that vanishes with the probability of the step "
    "before; the condition on T makes the exponent at least 36 * 64 / (2^12 * 9) = 1/16",
)
repaired_excess = of_excess("proof of Theorem 3, (167), without 1 -", 2 * exp(-rate))
