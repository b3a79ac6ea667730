"""Proposition 6: concentration of the averaged iterate of SGD around its mean.

Setting    as in Proposition 5; ||g_1|| <= (2 gamma_1 + 1/lambda) G R with gamma_1 never defined,
           eta_1 <= min(1/L, 1/(2 lambda)); in the conference edition L is the Lipschitz constant
           and the loss is only differentiable.
Claim      P(||average - E average|| >= e) <= 2 exp(-lambda^2 (2 gamma + T) e^2 / (2^6 3^2 G^2 R^2))
           over the training samples.
"""

from flint import fmpq
from sympy import Min, Rational, exp, log, sqrt, symbols

from boundcheck import Claim, WithProbability, quantity
from boundcheck.errors import Undecided
from boundcheck.exact import to_ball
from boundcheck.quantities import known
from boundcheck.quantities.averaged_sgd import (
    mean_average,
    path_average,
    rkhs_distance,
    simulate_averages,
)
from boundcheck.quantities.losses import lipschitz_constant, smoothness_constant
from boundcheck.worlds import Choice, Derived, Gram, Indices, Integer, Real, Space, Vector, Weights

from . import AISTATS, ARXIV, G, L, R, T, epsilon, gamma, lam

spread, start_norm, top, average = symbols("spread start_norm top average", real=True)
gamma_1 = symbols("gamma_1", real=True)
HALF = fmpq(1, 2)
SHORT = 4  # steps up to which the expectation is enumerated


def joint_law(rho, eta):
    """Weights of (x_1, 1), (x_1, -1), (x_2, 1), ..."""
    return tuple(
        weight * share
        for weight, value in zip(rho, eta, strict=True)
        for share in (value, 1 - value)
    )


WORLDS = Space(
    n=Integer(1, searched=2),
    scale=Real("1/10", 100, log=True),
    gram=Gram("n", "scale"),
    rho=Weights("n"),
    fair=Choice((0, 1)),
    horizon=Derived(lambda fair: 300 if fair else 4),
    labels=Vector("n", 0, 1),
    eta=Derived(lambda fair, labels: tuple(HALF if fair else value for value in labels)),
    joint=Derived(joint_law),
    direction=Vector("n"),
    start=Derived(lambda fair, direction: tuple(value * (1 - fair) for value in direction)),
    loss=Choice(("logistic", "modified huber", "smoothed hinge")),
    height=Real("1/10", 10, log=True),
    stretch=Real("1/10", 10, log=True),
)


def centre_of(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch):
    """Coefficients of E average: by enumeration, or zero by the symmetry of fair labels."""
    if not any(start) and all(value == HALF for value in eta):
        return (fmpq(0),) * len(start)
    if T > SHORT:
        raise Undecided("the expectation over long sample paths")
    return mean_average(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)


def _float_deviation(gram, samples, centre, start, lambda_, gamma, loss, height, stretch):
    import numpy

    samples = numpy.atleast_2d(samples)
    starts = numpy.tile(start, (len(samples), 1))
    labels = 1 - 2 * (samples % 2)
    gaps = (
        simulate_averages(gram, starts, samples // 2, labels, lambda_, gamma, loss, height, stretch)
        - centre
    )
    return numpy.sqrt(numpy.maximum(numpy.einsum("bi,ij,bj->b", gaps, gram, gaps), 0))


@quantity(estimator=_float_deviation)
def deviation(gram, samples, centre, start, lambda_, gamma, loss, height, stretch):
    """||average - E average|| on a sample path given by indices of the joint law."""
    path = [(int(index) // 2, 1 if index % 2 == 0 else -1) for index in samples]
    if len(path) > SHORT:
        start = tuple(to_ball(value) for value in start)
    mean = path_average(gram, start, path, lambda_, gamma, loss, height, stretch)
    return rkhs_distance(gram, mean, centre)


MEASURE = known({
    symbols("centre", real=True): centre_of,
    spread: deviation,
    start_norm: lambda gram, start: rkhs_distance(gram, start, (fmpq(0),) * len(start)),
    top: lambda gram: max(gram[i, i] for i in range(gram.nrows())),
}, spread >= 0, start_norm >= 0, top >= 0)  # fmt: skip
PARAMETERS = {
    R: Real(0, None, open_low=True),
    lam: Real("1/100", 100, log=True),
    gamma: Real(3, 1000, log=True),
    T: Integer(1, "horizon"),
    epsilon: Real("1/1000", 100, log=True),
}


def level(G):
    """1 minus the printed tail."""
    return 1 - 2 * exp(-(lam**2) * (2 * gamma + T) / (2**6 * 3**2 * G**2 * R**2) * epsilon**2)


eta_1 = 2 / (lam * (gamma + 1))


def claim(source, G, cap, start, smooth, **options):
    """The statement with a Lipschitz constant, a cap on eta_1 and a scale of the start."""
    return Claim(
        source=source,
        statement=WithProbability(level(G), spread < epsilon),
        given=[
            top <= R**2,
            eta_1 <= cap,
            start_norm <= (2 * start + 1 / lam) * G * R,
            epsilon >= 24 * sqrt(log(Rational(5, 2))) * G * R / (lam * sqrt(2 * gamma + T)),
        ],
        worlds=WORLDS,
        parameters=PARAMETERS,
        measure={**MEASURE, **smooth},
        draw=Indices("samples", "joint", "T"),
        cost=25,
        **options,
    )


UNDEFINED = (
    "the text defines gamma but no gamma_1; Theorem 3 has eta_1 in its place, which is the claim "
    "with the suffix _eta"
)
TESTED = (
    "deviations at which the printed tail is at most 4/5; long horizons with fair labels and "
    "g_1 = 0, where E average = 0"
)
ETA = "gamma_1 read as eta_1, as in Theorem 3; " + TESTED
PREPRINT = {G: lipschitz_constant, L: smoothness_constant}

aistats = claim(
    AISTATS.at("Proposition 6, Appendix E"), L, Min(1 / L, 1 / (2 * lam)), gamma_1,
    {L: lipschitz_constant}, undefined={gamma_1}, reading=UNDEFINED,
)  # fmt: skip
arxiv = claim(
    ARXIV.at("Proposition 6, (155)"), G, Min(1 / L, 1 / (2 * lam)), gamma_1, PREPRINT,
    undefined={gamma_1}, reading=UNDEFINED,
)  # fmt: skip
aistats_eta = claim(
    AISTATS.at("Proposition 6, Appendix E, eta_1 for gamma_1"), L, Min(1 / L, 1 / (2 * lam)),
    eta_1, {L: lipschitz_constant},
    reading=ETA,
)  # fmt: skip
arxiv_eta = claim(
    ARXIV.at("Proposition 6, (155), eta_1 for gamma_1"), G, Min(1 / L, 1 / (2 * lam)), eta_1,
    PREPRINT, reading=ETA + "; 1/L without R^2 as printed",
)  # fmt: skip
repaired = claim(
    ARXIV.at("Proposition 6, (155), eta_1 for gamma_1 and 1/(L R^2)"), G,
    Min(1 / (L * R**2), 1 / (2 * lam)), eta_1, PREPRINT, reading=TESTED,
)  # fmt: skip
