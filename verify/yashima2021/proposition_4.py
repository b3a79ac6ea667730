"""Proposition 4: for some lambda the regularised minimiser classifies like the Bayes rule.

Setting    finitely many weighted points, regular kernel matrix (so that g_* lies in H), logistic
           loss, strong low noise with margin delta, m = m(delta).
Claim      some lambda > 0 has ||g_lambda - g_*|| <= m/2 in the essential supremum.
"""

from flint import fmpq
from sympy import And, symbols

from boundcheck import Claim, Holds
from boundcheck.errors import Undecided
from boundcheck.exact import exponential, to_ball
from boundcheck.quantities.losses import essential_supremum, margin_threshold
from boundcheck.quantities.minimisers import bayes_norm, bayes_values, regularised_minimiser
from boundcheck.worlds import Derived, Gram, Integer, Real, Space, Vector, Weights

from . import ARXIV, delta, m

bias, noise, norm_star = symbols("bias noise norm_star", real=True)
UNIT = fmpq(1)


def small_regularisation(gram, rho, eta, m):
    """A rational lambda at which local strong convexity forces the bound.

    ||g_lambda - g_*||_L2^2 <= lambda ||g_*||^2 / mu with mu = 1/(2 + e^U + e^-U), U = R ||g_*||,
    and the supremum is at most the L2 norm over the root of the least weight.
    """
    norm = to_ball(bayes_norm(gram, eta, "logistic", UNIT, UNIT))
    reach = norm * to_ball(max(gram[i, i] for i in range(gram.nrows()))).sqrt()
    mu = 1 / (2 + exponential(reach) + exponential(-reach))
    if reach > 60:
        raise Undecided("a lambda below the range of floats")
    return (mu * m * m * to_ball(min(rho)) / (4 * norm * norm)).lower().fmpq()


def least_bias(gram, rho, eta, m):
    """||g_lambda - g_*|| at that lambda."""
    lambda_ = small_regularisation(gram, rho, eta, m)
    fitted = regularised_minimiser(gram, rho, eta, lambda_, "logistic", UNIT, UNIT).values
    best = bayes_values(eta, "logistic", UNIT, UNIT)
    return essential_supremum(rho, [a - b for a, b in zip(fitted, best, strict=True)])


printed = Claim(
    source=ARXIV.at("Proposition 4; AISTATS Appendix E"),
    statement=Holds(bias <= m / 2),
    given=[And(delta > 0, noise > delta), norm_star > 0],
    worlds=Space(
        n=Integer(1, searched=3),
        gram=Gram("n"),
        rho=Weights("n"),
        eta=Vector("n", "1/100", "99/100"),
        closeness=Real("1/1000", "999/1000"),
        delta=Derived(lambda eta, closeness: least_noise(eta) * closeness),
    ),
    measure={
        m: lambda delta: margin_threshold("logistic", UNIT, UNIT, delta),
        noise: lambda eta: least_noise(eta),
        norm_star: lambda gram, eta: bayes_norm(gram, eta, "logistic", UNIT, UNIT),
        bias: least_bias,
    },
    uses=("yashima2021/assumption_3:printed", "yashima2021/margin:printed"),
    reading="existence is tested at a lambda computed from the world, on which Lemma 3 is used "
    "with the true strong convexity of the logistic loss",
    cost=3,
)


def least_noise(eta):
    """min |rho(1|x) - 1/2|."""
    return min(abs(2 * value - 1) / 2 for value in eta)
