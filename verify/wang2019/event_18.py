"""(18): population moment of the features below the shifted empirical one.

Setting    n independent points, s features with psi^2 <= b, n >= (8 b^2/(3 lambda^2)) log(s/delta).
Claim      with probability at least 1 - delta over the training set,
           E_{x'}[psi(x') psi(x')^T] <= (1/n) Psi^T Psi + lambda I in the order of matrices.
As used    the proof of Theorem 1 stays on this event while it integrates over the features, so it
           must hold for every feature draw at once, on one event of the training set.
"""

from flint import fmpq
from sympy import log, symbols

from boundcheck import Claim, WithProbability
from boundcheck.quantities.features import moment_excess, peak, worst_moment_excess
from boundcheck.worlds import Choice, Indices, Integer, Matrix, Real, Space, Weights

from . import BOUNDS, LEVELS, NOTES, b, delta, designs, least_ridge, n, ridge, s, top, unit

TRAINING = Indices("sample", "rho", "n", over="the training set")
POSITIVE = Real(0, None, open_low=True)
SIZES = {
    b: POSITIVE, ridge: POSITIVE, delta: Real(0, 1, open_low=True, open_high=True),
    n: Integer(1, searched=5),
}  # fmt: skip
GIVEN = [unit, top <= b, n >= 8 * b**2 / (3 * ridge**2) * log(s / delta)]
excess = symbols("excess", real=True)

printed = Claim(
    source=NOTES.at("(18)"),
    statement=WithProbability(1 - delta, excess <= ridge),
    given=GIVEN,
    worlds=Space(
        m=Integer(1, searched=3), s=Integer(1, searched=3), rho=Weights("m"),
        phi=Matrix("m", "s", searched=(-2, 2))
    ),
    parameters=SIZES,
    measure={excess: moment_excess, top: peak},
    draw=TRAINING,
    uses=("wang2019/lemma_3:printed",),
    reading="For one given feature draw, as in Lemma 3; the order of matrices says that the "
    "largest eigenvalue of the gap is at most lambda.",
    cost=4.0,
)

as_used = Claim(
    source=NOTES.at("(18) and the sentence after it"),
    statement=WithProbability(1 - delta, excess <= ridge),
    given=GIVEN,
    worlds=designs().and_fields(
        n=Choice((1, 1, 2, 3)),
        s=Choice((1, 1, 2)),
        b=BOUNDS,
        delta=LEVELS,
        # 18 / 11 is just above sqrt(8 / 3), the factor of the condition on n.
        **{"lambda": least_ridge(fmpq(18, 11))},
    ),
    measure={excess: worst_moment_excess, top: peak},
    draw=TRAINING,
    uses=("wang2019/event_18:printed",),
    reading="One event of the training set on which (18) holds for every feature draw of positive "
    "probability: what the expectation over the features in (23) needs, as the rest of the proof "
    "is said to be conditional on (18).",
    cost=1.0,
)
