"""Do gamma = 500 and lambda = 1/1000 of section 5 meet the conditions on the first step?

Setting    logistic loss: Lipschitz constant 1, smoothness 1/4; features bounded by R = 1.
Claim      eta_1 = 2/(lambda (gamma + 1)) <= min(1/L, 1/(2 lambda)) with the Lipschitz constant L
           (conference edition); eta_1 <= min(1/(L R^2), 1/(2 lambda)), L the smoothness (preprint).
"""

from sympy import Integer, Min

from boundcheck import Claim, Holds
from boundcheck.expressions import define, parameter
from boundcheck.settings.margin_losses import logistic
from boundcheck.worlds import Real

from . import AISTATS, ARXIV
from ._experiment import gamma, lam

lipschitz = define("L", logistic.lipschitz, says="Lipschitz constant of logistic loss.")
L = define("L", logistic.smoothness, says="Smoothness of logistic loss.")
R = define("R", Integer(1), says="Bound of the features.")
squared_bound = define("squared_bound", Integer(2), latex="R^2", says="Of real features.")
offset = parameter("gamma", Real(0, None))


def eta_1(gamma=gamma):
    """The first step."""
    return 2 / (lam * (gamma + 1))


aistats = Claim(
    AISTATS.at("section 5 under Theorem 3 and Corollary 1"),
    Holds(eta_1() <= Min(1 / lipschitz, 1 / (2 * lam))),
    uses=("yashima2021/theorem_3:aistats",),
)

arxiv = Claim(
    ARXIV.at("section 5 under Theorem 3 and Corollary 1"),
    Holds(eta_1() <= Min(1 / (L * R**2), 1 / (2 * lam))),
    uses=("yashima2021/theorem_3:arxiv",),
    reading="R = 1 as printed for Fourier features",
)

aistats_larger_offset = Claim(
    AISTATS.at("section 5 under Theorem 3, with an offset that meets the condition"),
    Holds(eta_1(offset) <= Min(1 / lipschitz, 1 / (2 * lam))),
    given=[offset >= 1999],
    uses=aistats.uses,
)

arxiv_real_features = Claim(
    ARXIV.at("section 5 under Theorem 3, features sqrt(2) cos"),
    Holds(eta_1() > Min(1 / (L * squared_bound), 1 / (2 * lam))),
    reading="a remark beside the print: real Fourier features sqrt(2) cos(omega.x + b) have "
    "R^2 = 2, and for them the offset 500 is too small",
)
