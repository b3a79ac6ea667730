"""(22): mean of Delta_3 over the features, at any test point.

Setting    fixed training set, targets and test point, s independent features with psi^2 <= b,
           alpha = (K + n lambda I)^-1 y.
"""

from sympy import And

from boundcheck import Claim, Expected
from boundcheck.expressions import form
from boundcheck.settings.random_features import b, fixed, peak, s, test

from . import NOTES, Delta_3

between = b / s * form(fixed.K, fixed.alpha)

printed = Claim(
    NOTES.at("(22)"),
    Expected(And(Delta_3(test) <= between, between <= b / s * fixed.norm)),
    given=[peak <= b],
    uses=("wang2019/lemma_5:printed",),
    cost=4.0,
)
