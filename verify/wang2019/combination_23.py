"""(23): the parts of the proof of Theorem 1 put together.

Setting    a training set on which (18) holds for every draw of features, x' ~ rho.
Claim      E_{V, x'}(f~ - f)^2 <= 2 E_V{E_{x'}[Delta_2 ||Delta_1||_2]} + 2 E Delta_3
           <= 2 E_V{Delta_2 E_{x'}||Delta_1||_2} + 2 E Delta_3 <= (2/n) E_V Delta_2 + 2 E Delta_3.
Repaired   the first expression is at most the last one, and at most
           (4 b / s) ||K^(1/2) (K + n lambda I)^-1 y||^2.
Sharpened  with alpha = (K + n lambda I)^-1 y, that bound less the terms that (21) and (22) drop:
           less (2 / (s n)) ||K alpha||^2 + (2 / s) E_{x'} (k'^T alpha)^2.
"""

from sympy import And, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import peak, worst_moment_excess
from boundcheck.quantities.operators import dot, trace
from boundcheck.quantities.ridge import (
    krr_prediction,
    matrix_gap_term,
    mean_feature_term,
    mean_squared_difference,
    mean_vector_gap,
    square_norm,
    training_norm,
)

from . import NOTES, b, fixed_training, mse, n, norm, ridge, s, top

mixed, delta_2, delta_3, excess = symbols("mixed Delta_2 Delta_3 excess", real=True)


def mixed_term(phi, rho, tau, features, sample, y, lambda_):
    """Delta_2 E_{x'} ||Delta_1||_2; Delta_1 has rank one, so its norm is its trace."""
    mean = trace(mean_feature_term(phi, rho, features, sample, lambda_))
    return matrix_gap_term(phi, tau, features, sample, y, lambda_) * mean


def mean_square_prediction(phi, rho, tau, sample, y, lambda_):
    """E over x' ~ rho of (k'^T alpha)^2."""
    values = [krr_prediction(phi, tau, sample, y, lambda_, a) for a in range(len(rho))]
    return dot(rho, [value**2 for value in values])


SETTING = {**fixed_training(2), "given": [top <= b, excess <= ridge], "cost": 3.0}
MEASURE = {
    mse: mean_squared_difference, mixed: mixed_term, delta_2: matrix_gap_term,
    delta_3: mean_vector_gap, norm: training_norm, excess: worst_moment_excess, top: peak,
}  # fmt: skip
LAST = 2 * delta_2 / n + 2 * delta_3

printed = Claim(
    source=NOTES.at("(23)"),
    statement=Expected(
        And(mse <= 2 * mixed + 2 * delta_3, 2 * mixed + 2 * delta_3 <= LAST)
    ),
    measure=MEASURE,
    uses=("wang2019/decomposition_19:printed", "wang2019/delta_1:printed"),
    reading="The first two lines of the chain are equal, since Delta_2 does not depend on x'. "
    "Conditional on (18) for every draw of features, as the expectation over them needs.",
    **SETTING,
)

repaired = Claim(
    source=NOTES.at("(23) and the display after it"),
    statement=Expected(And(mse <= LAST, mse <= 4 * b / s * norm)),
    measure=MEASURE,
    **SETTING,
)

square, prediction = symbols("square prediction", real=True)

sharpened = Claim(
    source=NOTES.at("(23) and the display after it"),
    statement=Expected(
        mse <= 4 * b / s * norm - 2 * square / (s * n) - 2 * prediction / s
    ),
    measure={**MEASURE, square: square_norm, prediction: mean_square_prediction},
    uses=("wang2019/lemma_4:printed", "wang2019/lemma_5:printed"),
    reading="No hypothesis is added to those of the proof of Theorem 1.",
    **SETTING,
)
