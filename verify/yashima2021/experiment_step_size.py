"""Do gamma = 500 and lambda = 1/1000 of section 5 meet the conditions on the first step?

Setting    logistic loss: Lipschitz constant 1, smoothness 1/4; features bounded by R = 1.
Claim      eta_1 = 2/(lambda (gamma + 1)) <= min(1/L, 1/(2 lambda)) with the Lipschitz constant L
           (conference edition); eta_1 <= min(1/(L R^2), 1/(2 lambda)), L the smoothness (preprint).
"""

from flint import fmpq
from sympy import Min, symbols

from boundcheck import Claim, Holds
from boundcheck.quantities.losses import lipschitz_constant, smoothness_constant
from boundcheck.worlds import Real

from . import AISTATS, ARXIV, L, R, gamma, lam
from ._experiment import GAMMA, LAMBDA

eta_1 = 2 / (lam * (gamma + 1))
SETTING = {gamma: lambda: GAMMA, lam: lambda: LAMBDA, R: lambda: fmpq(1)}

aistats = Claim(
    source=AISTATS.at("section 5 under Theorem 3 and Corollary 1"),
    statement=Holds(eta_1 <= Min(1 / L, 1 / (2 * lam))),
    measure={**SETTING, L: lambda: lipschitz_constant("logistic", fmpq(1), fmpq(1))},
    uses=("yashima2021/theorem_3:aistats",),
)

arxiv = Claim(
    source=ARXIV.at("section 5 under Theorem 3 and Corollary 1"),
    statement=Holds(eta_1 <= Min(1 / (L * R**2), 1 / (2 * lam))),
    measure={**SETTING, L: lambda: smoothness_constant("logistic", fmpq(1), fmpq(1))},
    uses=("yashima2021/theorem_3:arxiv",),
    reading="R = 1 as printed for Fourier features",
)

aistats_larger_offset = Claim(
    source=AISTATS.at("section 5 under Theorem 3, with an offset that meets the condition"),
    statement=aistats.statement,
    given=[gamma >= 1999],
    parameters={gamma: Real(0, 10**6)},
    measure={s: q for s, q in aistats.measure.items() if s != gamma},
    uses=aistats.uses,
)

squared_bound = symbols("squared_bound", real=True)

arxiv_real_features = Claim(
    source=ARXIV.at("section 5 under Theorem 3, features sqrt(2) cos"),
    statement=Holds(eta_1 > Min(1 / (L * squared_bound), 1 / (2 * lam))),
    measure={
        **SETTING,
        L: lambda: smoothness_constant("logistic", fmpq(1), fmpq(1)),
        squared_bound: lambda: fmpq(2),
    },
    reading="a remark beside the print: real Fourier features sqrt(2) cos(omega.x + b) have "
    "R^2 = 2, and for them the offset 500 is too small",
)
