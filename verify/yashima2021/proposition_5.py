"""Proposition 5: how far the expected average of SGD is from the regularised minimiser.

Setting    kernel matrix of k_M on n points with k_M(x, x) <= R^2, differentiable convex loss with
           Lipschitz constant L (conference edition) or G; steps 2/(lambda (gamma + t)), average of
           g_1, ..., g_{T+1} with weights proportional to gamma + t - 1.
Claim      ||E average - g_{M,lambda}||^2 <= (2/lambda)(18 G^2 R^2 / (lambda (2 gamma + T))
           + lambda gamma (gamma - 1) / (2 (2 gamma + T)(T + 1)) ||g_1 - g_{M,lambda}||^2):
           the conference edition without a condition on g_1 and eta_1; the preprint for
           ||g_1|| <= (2 gamma_1 + 1/lambda) G R, where gamma_1 is never defined, and
           eta_1 <= min(1/L, 1/(2 lambda)).
"""

from flint import fmpq
from sympy import Min, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities import known
from boundcheck.quantities.averaged_sgd import mean_average, rkhs_distance
from boundcheck.quantities.losses import lipschitz_constant, smoothness_constant
from boundcheck.quantities.minimisers import regularised_minimiser
from boundcheck.worlds import Choice, Gram, Integer, Real, Space, Vector, Weights

from . import AISTATS, ARXIV, G, L, R, T, gamma, lam

bias, start_gap, start_norm, top = symbols("bias start_gap start_norm top", real=True)
gamma_1 = symbols("gamma_1", real=True)

WORLDS = Space(
    n=Integer(1, searched=2),
    scale=Real("1/10", 10, log=True),
    gram=Gram("n", "scale"),
    rho=Weights("n"),
    eta=Vector("n", 0, 1),
    start=Vector("n", searched=(-20, 20)),
    loss=Choice(("logistic", "modified huber", "smoothed hinge")),
    height=Real("1/10", 10, log=True),
    stretch=Real("1/10", 10, log=True),
)


def squared_bias(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch):
    """||E average - g_{M,lambda}||^2 by enumeration of the sample paths."""
    mean = mean_average(gram, rho, eta, start, lambda_, gamma, T, loss, height, stretch)
    fit = regularised_minimiser(gram, rho, eta, lambda_, loss, height, stretch)
    return _widened(rkhs_distance(gram, mean, fit.coefficients), fit.error)


def squared_start(gram, rho, eta, start, lambda_, loss, height, stretch):
    """||g_1 - g_{M,lambda}||^2."""
    fit = regularised_minimiser(gram, rho, eta, lambda_, loss, height, stretch)
    return _widened(rkhs_distance(gram, start, fit.coefficients), fit.error)


def _widened(distance, error):
    low, high = (distance - error), (distance + error)
    ball = (low + fmpq(0)).union(high) if hasattr(low, "union") else distance
    return ball * ball


MEASURE = known({
    bias: squared_bias,
    start_gap: squared_start,
    start_norm: lambda gram, start: rkhs_distance(gram, start, (fmpq(0),) * len(start)),
    top: lambda gram: max(gram[i, i] for i in range(gram.nrows())),
}, bias >= 0, start_gap >= 0, start_norm >= 0, top >= 0)  # fmt: skip


def bound(G):
    """Right side."""
    return (2 / lam) * (
        18 * G**2 * R**2 / (lam * (2 * gamma + T))
        + lam * gamma * (gamma - 1) / (2 * (2 * gamma + T) * (T + 1)) * start_gap
    )


def parameters(offset):
    """Values the statement quantifies over, gamma in a given field."""
    return {
        R: Real(0, None, open_low=True),
        lam: Real("1/100", 100, log=True),
        gamma: offset,
        T: Integer(1, searched=3),
    }


aistats = Claim(
    source=AISTATS.at("Proposition 5, Appendix E"),
    statement=Holds(bias <= bound(L)),
    given=[top <= R**2, gamma > 0],
    worlds=WORLDS,
    parameters=parameters(Real(0, 100, open_low=True)),
    measure={**MEASURE, L: lipschitz_constant},
    reading="L is the least Lipschitz constant, gamma any positive offset",
    cost=8,
)

aistats_small_steps = Claim(
    source=AISTATS.at("Proposition 5, Appendix E, with eta_1 <= min(1/L, 1/(2 lambda))"),
    statement=Holds(bias <= bound(L)),
    given=[top <= R**2, 2 / (lam * (gamma + 1)) <= Min(1 / L, 1 / (2 * lam))],
    worlds=WORLDS,
    parameters=parameters(Real(3, 100, log=True)),
    measure={**MEASURE, L: lipschitz_constant},
    reading="the steps of Theorem 3 and still no condition on g_1",
    cost=8,
)

arxiv = Claim(
    source=ARXIV.at("Proposition 5, (154)"),
    statement=Holds(bias <= bound(G)),
    given=[
        top <= R**2,
        start_norm <= (2 * gamma_1 + 1 / lam) * G * R,
        2 / (lam * (gamma + 1)) <= Min(1 / L, 1 / (2 * lam)),
    ],
    worlds=WORLDS,
    parameters=parameters(Real(3, 1000, log=True)),
    measure={**MEASURE, G: lipschitz_constant, L: smoothness_constant},
    undefined={gamma_1},
    reading="the text defines gamma but no gamma_1; Theorem 3 has eta_1 in its place, which is the "
    "claim `repaired`; G and convexity come from Assumption 1, which is not listed here",
    cost=8,
)

repaired = Claim(
    source=ARXIV.at("Proposition 5, (154), eta_1 for gamma_1, in H_M, Lipschitz loss"),
    statement=Holds(bias <= bound(G)),
    given=[
        top <= R**2,
        2 / (lam * (gamma + 1)) <= Min(1 / L, 1 / (2 * lam)),
        start_norm <= (2 * (2 / (lam * (gamma + 1))) + 1 / lam) * G * R,
    ],
    worlds=WORLDS.and_fields(start=Vector("n", searched=(-2, 2))),
    parameters=parameters(Real(3, 1000, log=True)),
    measure={**MEASURE, G: lipschitz_constant, L: smoothness_constant},
    reading="the reading that Theorem 3 uses",
    cost=8,
)
