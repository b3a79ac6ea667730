"""(21): mean of Delta_2 over the features.

Setting    fixed training set and targets, s independent features with psi^2 <= b,
           alpha = (K + n lambda I)^-1 y.
Claim      E_V Delta_2 <= alpha^T ((n b / s) K - (1/s) K^2) alpha <= (n b / s) ||K^(1/2) alpha||^2.
"""

from sympy import And, symbols

from boundcheck import Claim, Expected
from boundcheck.quantities.features import peak
from boundcheck.quantities.ridge import matrix_gap_term, square_norm, training_norm
from boundcheck.worlds import Indices, Integer, Real

from . import NOTES, b, n, norm, ridge, s, top, training

delta_2, square = symbols("Delta_2 square", real=True)

printed = Claim(
    source=NOTES.at("(21)"),
    statement=Expected(
        And(
            delta_2 <= n * b / s * norm - square / s,
            n * b / s * norm - square / s <= n * b / s * norm,
        )
    ),
    given=[top <= b],
    worlds=training(),
    parameters={
        s: Integer(1, 3), b: Real(0, None, open_low=True), ridge: Real(0, None, open_low=True),
    },
    measure={delta_2: matrix_gap_term, norm: training_norm, square: square_norm, top: peak},
    draw=Indices("features", "tau", "s", over="the features"),
    uses=("wang2019/lemma_4:printed",),
    cost=4.0,
)  # fmt: skip
