"""(21): mean of Delta_2 over the features.

Setting    fixed training set and targets, s independent features with psi^2 <= b,
           alpha = (K + n lambda I)^-1 y.
"""

from sympy import And

from boundcheck import Claim, Expected
from boundcheck.expressions import form
from boundcheck.settings.random_features import b, fixed, peak, s

from . import NOTES, Delta_2

K, n = fixed.K, fixed.n
between = form(n * b / s * K - K**2 / s, fixed.alpha)

printed = Claim(
    NOTES.at("(21)"),
    Expected(And(Delta_2 <= between, between <= n * b / s * fixed.norm)),
    given=[peak <= b],
    uses=("wang2019/lemma_4:printed",),
    cost=4.0,
)
