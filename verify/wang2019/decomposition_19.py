"""(19): the squared difference of the two predictions split into two terms.

Setting    fixed training set, feature draw and test point; R~ = (K~ + n lambda I)^-1,
           Delta_1 = R~ k~' k~'^T R~, Delta_2 = ||(K~ - K)(K + n lambda I)^-1 y||^2,
           Delta_3 = [(k~' - k')^T (K + n lambda I)^-1 y]^2.
"""

from boundcheck import Claim, Holds
from boundcheck.expressions import operator_norm
from boundcheck.settings.random_features import fixed, test

from . import NOTES, Delta_1, Delta_2, Delta_3

f, f_ = fixed.f(test), fixed.f_(test)

printed = Claim(
    NOTES.at("(19)"),
    Holds((f_ - f) ** 2 <= 2 * operator_norm(Delta_1(test)) * Delta_2 + 2 * Delta_3(test)),
    uses=("wang2019/inverse_difference:printed",),
    cost=4.0,
)
