"""Does T = 12000 of section 5 meet the condition on T?

Setting    gamma = 500, lambda = 1/1000, G = R = 1, m = m(3/10) = log 4.
"""

from boundcheck import Claim, Holds

from . import ARXIV
from ._experiment import T, gamma, lam, m

printed = Claim(
    ARXIV.at("section 5 under (44), (48)-(49); AISTATS section 5"),
    Holds(36 / (lam**2 * (2 * gamma + T)) <= m**2 / 64),
    uses=("yashima2021/theorem_3:arxiv", "yashima2021/corollary_1:arxiv"),
    reading="the part of the condition that does not depend on the unprinted initial point",
)
