"""(18): population moment of the features below the shifted empirical one.

Setting    n independent points, s features with psi^2 <= b, n >= (8 b^2/(3 lambda^2)) log(s/delta).
Claim      with probability at least 1 - delta over the training set,
           E_{x'}[psi(x') psi(x')^T] <= (1/n) Psi^T Psi + lambda I in the order of matrices.
As used    the proof of Theorem 1 stays on this event while it integrates over the features, so it
           must hold for every feature draw at once, on one event of the training set.
"""

from sympy import log

from boundcheck import Claim, WithProbability
from boundcheck.expressions import supremum
from boundcheck.settings.random_features import (
    V,
    b,
    delta,
    drawn_features,
    drawn_points,
    peak,
    ridge,
    s,
)

from . import NOTES

printed = Claim(
    NOTES.at("(18)"),
    WithProbability(1 - delta, drawn_points.excess <= ridge),
    given=[peak <= b, drawn_points.n >= 8 * b**2 / (3 * ridge**2) * log(drawn_points.s / delta)],
    uses=("wang2019/lemma_3:printed",),
    reading="For one given feature draw, as in Lemma 3; the order of matrices says that the "
    "largest eigenvalue of the gap is at most lambda.",
    cost=4.0,
)
as_used = Claim(
    NOTES.at("(18) and the sentence after it"),
    WithProbability(1 - delta, supremum(drawn_features.excess, V) <= ridge),
    given=[peak <= b, drawn_features.n >= 8 * b**2 / (3 * ridge**2) * log(s / delta)],
    uses=("wang2019/event_18:printed",),
    reading="One event of the training set on which (18) holds for every feature draw of positive "
    "probability: what the expectation over the features in (23) needs, as the rest of the proof "
    "is said to be conditional on (18).",
)
