"""Section 6.2: dependence of the mean squared difference on lambda.

Setting    that of Theorem 1 with one training set, two ridge parameters, the second larger, both
           within the condition of Theorem 1.
Claim      E (f~ - f)^2 is proportional to ||K^(1/2) (K + n lambda I)^-1 y||^2, which decreases.
Up to a constant  (b / s) times the norm is no more than a constant times E (f~ - f)^2, the half
           that an upper bound cannot give.
Decreasing the norm alone decreases in lambda.
"""

from sympy import And, Eq, log, sqrt, symbols

from boundcheck import Claim, Holds, UpToConstant
from boundcheck.quantities import renamed
from boundcheck.quantities.features import peak
from boundcheck.quantities.ridge import mean_squared_difference, training_norm
from boundcheck.worlds import Integer, Real

from . import NOTES, b, delta, mse, n, norm, ridge, s, top, training, unit

larger, mse_larger, norm_larger = symbols("larger mse_larger norm_larger", real=True)
POSITIVE = Real(0, None, open_low=True)
SETTING = {
    "given": [unit, top <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta)), larger >= ridge],
    "worlds": training(),
    "parameters": {
        s: Integer(1, searched=2), b: POSITIVE, delta: Real(0, 1, open_low=True, open_high=True),
        ridge: POSITIVE, larger: POSITIVE,
    },
    "uses": ("wang2019/theorem_1:printed",),
}  # fmt: skip
NORMS = {
    norm: training_norm,
    norm_larger: renamed(training_norm, lambda_="larger"),
    top: peak,
}

printed = Claim(
    source=NOTES.at("Section 6.2"),
    statement=Holds(And(Eq(mse * norm_larger, mse_larger * norm), norm_larger <= norm)),
    measure={
        mse: mean_squared_difference,
        mse_larger: renamed(mean_squared_difference, lambda_="larger"),
        **NORMS,
    },
    reading="Proportional as lambda varies: one factor for both values of lambda.",
    **SETTING,
)

up_to_a_constant = Claim(
    source=NOTES.at("Section 6.2"),
    statement=UpToConstant(b / s * norm <= mse),
    given=[unit, top <= b, ridge >= 2 * b / sqrt(n) * sqrt(log(s / delta))],
    worlds=training(),
    parameters={
        s: Integer(1, searched=2), b: POSITIVE, delta: Real(0, 1, open_low=True, open_high=True),
        ridge: POSITIVE,
    },
    measure={mse: mean_squared_difference, norm: training_norm, top: peak},
    reading="Proportional loosely, with factors between absolute multiples of b / s.",
)  # fmt: skip

decreasing = Claim(
    source=NOTES.at("Section 6.2"),
    statement=Holds(norm_larger <= norm),
    measure=NORMS,
    **SETTING,
)
