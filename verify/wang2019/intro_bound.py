"""Section 1.3: the main bound (2) and the order of lambda that goes with it.

Setting    that of Theorem 1, whose condition is lambda >= (2 b / sqrt(n)) sqrt(log(s / delta)).
Claim      Theorem 1 is for lambda of the order sqrt(n) up to logarithms.
Bound      (2) at lambda of that order: E (f~ - f)^2 <= (4 b / s) ||K^(1/2) (K + n lambda)^-1 y||^2.
Repaired   the order is 1 / sqrt(n) up to logarithms, as in Section 7.
"""

from flint import fmpq
from sympy import And, log, sqrt, symbols

from boundcheck import Claim, UpToConstant, WithProbability
from boundcheck.worlds import Family, Integer, Real, Vector

from . import NOTES, b, delta, designs, n, ridge, s, top, unit
from .theorem_1 import BOUND, MEASURE, TRAINING

threshold = symbols("threshold", real=True)
CONDITION = 2 * b / sqrt(n) * sqrt(log(s / delta))
LOGARITHMS = log(n + 2) ** 2 * log(s / delta)
PARAMETERS = {
    n: Integer(1, wide=True, searched=10**9), s: Integer(1, wide=True, searched=10**6),
    b: Real(0, None, open_low=True), delta: Real(0, 1, open_low=True, open_high=True),
}  # fmt: skip


def _fixed(size):
    return {"n": size, "s": 100, "b": fmpq(1), "delta": fmpq(1, 10)}


FAMILIES = (
    Family("n grows, s = 100, delta = 1/10", _fixed, tuple(4**k for k in range(3, 13))),
)

printed = Claim(
    source=NOTES.at("(2) and the order of lambda, Section 1.3"),
    statement=UpToConstant(
        And(b * sqrt(n) <= CONDITION * LOGARITHMS, b * sqrt(n) * LOGARITHMS >= CONDITION)
    ),
    given=[unit, s >= 2],
    parameters=PARAMETERS,
    families=FAMILIES,
    reading="The sentence reports the condition of Theorem 1, so its order is compared with that "
    "condition; powers of logarithms are allowed. The display alone is the claim `bound`.",
)

repaired = Claim(
    source=NOTES.at("(2) and the order of lambda, Section 1.3"),
    statement=UpToConstant(
        And(b / sqrt(n) <= CONDITION * LOGARITHMS, b / sqrt(n) * LOGARITHMS >= CONDITION)
    ),
    given=[unit, s >= 2],
    parameters=PARAMETERS,
    families=FAMILIES,
)

bound = Claim(
    source=NOTES.at("(2)"),
    statement=WithProbability(1 - delta, BOUND),
    given=[unit, top <= b, ridge >= b * sqrt(n) / 2],
    worlds=designs().and_fields(targets=Vector("m", -2, 2)),
    parameters={
        n: Integer(1, searched=3), s: Integer(1, searched=2), b: Real(0, None, open_low=True),
        delta: Real(0, 1, open_low=True, open_high=True), ridge: Real(0, None, open_low=True),
    },
    measure=MEASURE,
    draw=TRAINING,
    uses=("wang2019/theorem_1:printed",),
    reading="lambda of the order sqrt(n), with the constant b / 2.",
    cost=3.0,
)  # fmt: skip
