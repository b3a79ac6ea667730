"""Comparison with the bound for empirical risk minimisers.

Setting    rho the empirical measure of n points, Gram matrices K and K_M, hinge loss.
"""

from sympy import And, Eq, Rational

from boundcheck import Claim, Expected, Holds, UpToConstant
from boundcheck.expressions import define, ones, operator_norm
from boundcheck.settings.averaged_sgd import M, gap, k, k_M, lam, n, rho
from boundcheck.settings.covariance import deviation as of_operators
from boundcheck.settings.margin_losses import kind
from boundcheck.worlds import Choice, Integer

from . import ARXIV
from ._populations import own_features, population
from .theorem_1_l2 import TENTHS, growing

deviation = define("deviation_of_matrices", operator_norm(k - k_M), latex=r"\|K - K_M\|_{op}")
EMPIRICAL = {rho: define("rho", ones(n) / n, says="The empirical measure, no point twice.")}
HINGE = {"eta": (Rational(3, 4), Rational(1, 5)), "loss": "hinge"}


def sample(phi, **values):
    """A population without its measure, which is the empirical one here."""
    return {name: value for name, value in population(phi, **values).items() if name != "rho"}


FAMILIES = (
    growing("a feature for each point", sample(own_features(), **HINGE)),
    growing("a rare feature, weak regularisation",
            sample([[1, 1], [-1, 2]], tau=TENTHS, **HINGE, **{"lambda": Rational(1, 20)})),
)  # fmt: skip

printed = Claim(
    ARXIV.at("Section 3.1, Comparison to Previous Results"),
    UpToConstant(
        Expected(And(deviation <= M ** Rational(-1, 2), gap <= M ** Rational(-1, 8))),
        depends=tuple(sample(own_features())),
    ),
    given=[lam > 0, M >= 1],
    domains={**EMPIRICAL, M: Integer(1, searched=200), kind: Choice(("hinge",))},
    families=FAMILIES,
    uses=("yashima2021/lemma_1:arxiv", "yashima2021/assumption_3:printed"),
    reading="rates in M at a fixed sample, in the mean over the features; the factor n of "
    "the Gram matrix is in the constant",
    cost=100,
)

identity = Claim(
    ARXIV.at("Section 3.1, the Gram matrix as integral operator of the empirical measure"),
    Holds(Eq(deviation, n * of_operators)),
    domains={**EMPIRICAL, M: Integer(1, searched=4)},
    reading="the operator is the Gram matrix over n",
    cost=4,
)
