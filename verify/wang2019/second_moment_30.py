"""(30): second moment of K~ - K for features of square one.

Setting    fixed training set, s independent features with psi^2 = 1.
"""

from sympy import Eq

from boundcheck import Claim, Expected
from boundcheck.settings.random_features import fixed, psi, s, sign_table

from . import NOTES

K, K_, n = fixed.K, fixed.K_, fixed.n

printed = Claim(
    NOTES.at("(30)"),
    Expected(Eq((K_ - K) ** 2, -(1 / s) * K**2 + n / s * K)),
    domains={psi: sign_table},
    uses=("wang2019/lemma_4:step_diagonal",),
    cost=2.0,
)
