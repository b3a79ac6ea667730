"""(31) and footnote 2: the bound without the factor 4 b.

Setting    that of Theorem 1.
Repaired   with the factor b, for x' uniform on the training set.
"""

from boundcheck import Claim, Holds, WithProbability
from boundcheck.settings.random_features import E_features, b, delta, drawn, fixed, s

from . import NOTES
from .theorem_1 import CONDITIONS, difference

in_sample = E_features(fixed.E_training(lambda x: (fixed.f_(x) - fixed.f(x)) ** 2))

printed = Claim(
    NOTES.at("(31) and footnote 2"),
    WithProbability(1 - delta, difference <= drawn.norm / s),
    given=CONDITIONS,
    uses=("wang2019/theorem_1:printed",),
    reading="As an upper bound on the mean squared difference, under the hypotheses of Theorem 1.",
)
repaired = Claim(
    NOTES.at("(31) and footnote 2"),
    Holds(in_sample <= b / s * fixed.norm),
    given=CONDITIONS[:1],
    cost=2.0,
)
